"""The parts of a rule book: chapters, and lines that are the key of a text with its values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

Value: TypeAlias = int | str
"""A number, or the notation of a tile or a list of numbers."""


@dataclass(frozen=True, slots=True)
class Line:
    """One statement: the key of its text and the values to fill in."""

    key: str
    values: dict[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Chapter:
    """A chapter: its name, its lines and the names of its figures."""

    name: str
    lines: tuple[Line, ...]
    figures: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """The key of the heading."""
        return f"rules.chapter.{self.name}"
