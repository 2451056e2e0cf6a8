"""The levels that people play against, from beginner to champion."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from triomino.kernel import Effort, search
from triomino.moves import Place

if TYPE_CHECKING:
    from triomino.bots.base import Limit
    from triomino.dice import Dice
    from triomino.moves import Move
    from triomino.view import View


@dataclass(slots=True)
class BeginnerBot:
    """Makes a random placement, but in a third of its moves overlooks about half of its tiles.

    If it overlooks every tile that could be placed, it draws, as people do.
    """

    dice: Dice
    name: str = "beginner"

    def choose(self, view: View, limit: Limit | None = None) -> Move:  # noqa: ARG002
        """Return a legal move."""
        moves = view.legal_moves()
        places = [move for move in moves if isinstance(move, Place)]
        others = [move for move in moves if not isinstance(move, Place)]
        if self.dice.randrange(3) == 0:
            seen = {tile for tile in view.rack if self.dice.randrange(2)}
            places = [move for move in places if move.tile in seen] or ([] if others else places)
        choice = places or others[:1]
        return choice[self.dice.randrange(len(choice))]


@dataclass(slots=True)
class SearchBot:
    """Plays the best move of a search with the settings of *effort*."""

    dice: Dice
    name: str
    effort: Effort

    def choose(self, view: View, limit: Limit | None = None) -> Move:
        """Return the best move found; *limit* overrides the level's own."""
        moves = view.legal_moves()
        if len(moves) == 1:
            return moves[0]
        effort = self.effort
        if limit is not None and limit.rollouts is not None:
            effort = replace(effort, rollouts=limit.rollouts)
        elif limit is not None and limit.milliseconds is not None:
            effort = replace(effort, rollouts=None, milliseconds=limit.milliseconds)
        return search(view, effort, self.dice)[0].move


_PLAIN: Final = Effort(
    may_draw=False, forced_draw_prior=0, greed_prior=0, endgame_nodes=0, endgame_pool=-1, horizon=0
)

EFFORTS: Final = {
    "reply": replace(_PLAIN, rollouts=500, win_weight=0, plies=1),
    "medium": replace(_PLAIN, rollouts=250),
    "hard": replace(_PLAIN, rollouts=600, may_draw=True),
    "expert": Effort(rollouts=1500, endgame_nodes=0, endgame_pool=-1, horizon=0),
    "champion": Effort(milliseconds=50),
}
"""The bots that need the kernel. ``reply`` is a baseline that looks one reply ahead."""
