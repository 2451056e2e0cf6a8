"""The protocol of a bot."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from triomino.moves import Move
    from triomino.view import View


@dataclass(frozen=True, slots=True)
class Limit:
    """How long a bot may think; bots that do not search ignore it."""

    milliseconds: float | None = None
    rollouts: int | None = None


class Bot(Protocol):
    """A player that sees only a view, never the game."""

    @property
    def name(self) -> str:
        """The name in the registry."""
        ...  # pragma: no cover

    def choose(self, view: View, limit: Limit | None = None) -> Move:
        """Return a legal move for *view*, whose seat is to move."""
        ...  # pragma: no cover
