"""What a rule book is made of: lines, each the key of a text with its numbers, and chapters."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

Value: TypeAlias = int | str
"""A number, or a tile or a list of numbers as it is written."""


@dataclass(frozen=True, slots=True)
class Line:
    """One statement: the key of its text and what is filled in."""

    key: str
    values: dict[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Chapter:
    """A name, whose title is a text too, what stands under it, and what is drawn there."""

    name: str
    lines: tuple[Line, ...]
    figures: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """The key of the heading."""
        return f"rules.chapter.{self.name}"
