"""What a bot is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from triomino.moves import Move
    from triomino.view import View


@dataclass(frozen=True, slots=True)
class Limit:
    """How long a bot may think; a bot that does not search needs none."""

    milliseconds: float | None = None
    rollouts: int | None = None


class Bot(Protocol):
    """A player. It gets a view whose turn it is, never the game, and answers with a legal move."""

    @property
    def name(self) -> str:
        """The name it is known by."""
        ...  # pragma: no cover

    def choose(self, view: View, limit: Limit | None = None) -> Move:
        """A legal move."""
        ...  # pragma: no cover
