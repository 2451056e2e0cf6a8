"""The two players that do not think: any legal move, and most points now."""

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
    """Every legal move with the same chance: the one that ``randrange(number of moves)`` names."""

    dice: Dice
    name: str = "random"

    def choose(self, view: View, limit: Limit | None = None) -> Move:  # noqa: ARG002
        """A legal move."""
        moves = view.legal_moves()
        return moves[self.dice.randrange(len(moves))]


@dataclass(slots=True)
class GreedyBot:
    """The most points now.

    It places whenever it can: the most points, then the tile worth most, then the first in the
    order of :meth:`View.legal_moves`. Otherwise it takes what costs least, again the first.
    """

    name: str = "greedy"

    def choose(self, view: View, limit: Limit | None = None) -> Move:  # noqa: ARG002
        """The best legal move, by that order."""

        def worth(move: Move) -> tuple[bool, int, int]:
            points = sum(score.points for score in view.scores(move))
            placed = isinstance(move, Place)
            return placed, points, move.tile.points if isinstance(move, Place) else 0

        return max(view.legal_moves(), key=worth)
