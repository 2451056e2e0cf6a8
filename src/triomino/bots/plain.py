"""Bots that do not search: random and greedy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from triomino.moves import Place

if TYPE_CHECKING:
    from triomino.bots.base import Limit
    from triomino.dice import Dice
    from triomino.moves import Move
    from triomino.view import View


@dataclass(slots=True)
class RandomBot:
    """Plays every legal move with equal probability, by ``randrange(number of moves)``."""

    dice: Dice
    name: str = "random"

    def choose(self, view: View, limit: Limit | None = None) -> Move:  # noqa: ARG002
        """Return a legal move."""
        moves = view.legal_moves()
        return moves[self.dice.randrange(len(moves))]


@dataclass(slots=True)
class GreedyBot:
    """Plays for the most points now.

    It places whenever it can: most points first, then the tile of highest value, then the first in
    the order of :meth:`View.legal_moves`. Otherwise it makes the cheapest move, again the first.
    """

    name: str = "greedy"

    def choose(self, view: View, limit: Limit | None = None) -> Move:  # noqa: ARG002
        """Return the best legal move in that order."""

        def worth(move: Move) -> tuple[bool, int, int]:
            points = sum(score.points for score in view.scores(move))
            placed = isinstance(move, Place)
            return placed, points, move.tile.points if isinstance(move, Place) else 0

        return max(view.legal_moves(), key=worth)
