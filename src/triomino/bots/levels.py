"""The levels that people play against, from beginner to champion."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from triomino.dice import shuffle
from triomino.kernel import Effort, search
from triomino.moves import Place
from triomino.tile import mask_of

if TYPE_CHECKING:
    from triomino.bots.base import Limit
    from triomino.dice import Dice
    from triomino.moves import Move
    from triomino.view import View


_OWN_TILE: Final = 12
"""The points that one more tile of one's own that fits is worth to somebody who plans."""
_OTHER_TILE: Final = 4
"""The points that a tile costs that fits and is on another rack or in the pool."""


@dataclass(slots=True)
class HumanBot:
    """Plays for points like a person who does not look closely.

    It overlooks places, and bonuses in those it sees; if it sees no place at all it draws, as
    people do. Of what it sees it takes the most points or, *hasty*, the first thing that it finds.
    Who *plans* also likes places after which more of its own tiles fit, and fewer of the others.
    """

    dice: Dice
    name: str
    overlooks: int
    """The chance to overlook a place, of 256."""
    misses_bonus: int
    """The chance not to notice that a place would make a bonus, of 256."""
    hasty: bool = False
    """Whether it takes the first place it finds, unless it notices a bonus elsewhere."""
    plans: bool = False
    """Whether it thinks of what will fit after a place."""

    def choose(self, view: View, limit: Limit | None = None) -> Move:  # noqa: ARG002
        """Return a legal move."""
        moves = view.legal_moves()
        places = [move for move in moves if isinstance(move, Place)]
        others = [move for move in moves if not isinstance(move, Place)]
        seen = [place for place in places if not self._happens(self.overlooks)]
        if not seen:
            seen = [] if others else places
        shuffle(seen, self.dice)
        best = max(seen, key=lambda place: self._worth(view, place), default=None)
        return best if best is not None else max(others, key=lambda move: _points(view, move))

    def _worth(self, view: View, place: Place) -> int:
        points = _points(view, place)
        bonus = points - place.tile.points if view.board.meets_every_corner(place.cell) else 0
        noticed = bonus > 0 and not self._happens(self.misses_bonus)
        if self.hasty:
            return int(noticed)
        return (points if noticed else points - max(0, bonus)) + self._outlook(view, place)

    def _outlook(self, view: View, place: Place) -> int:
        if not self.plans:
            return 0
        board = view.board.copy()
        board.lay(place)
        kept = mask_of(tile for tile in view.rack if tile != place.tile)
        mine, others = board.playable & kept, board.playable & view.unseen
        return _OWN_TILE * mine.bit_count() - _OTHER_TILE * others.bit_count()

    def _happens(self, chance: int) -> bool:
        return self.dice.randrange(256) < chance


def _points(view: View, move: Move) -> int:
    return sum(score.points for score in view.scores(move))


@dataclass(slots=True)
class SearchBot:
    """Plays the best move of a search, of those that it does not overlook."""

    dice: Dice
    name: str
    effort: Effort
    overlooks: int = 0
    """The chance to overlook a place, of 256."""

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
        found = [candidate.move for candidate in search(view, effort, self.dice)]
        seen = [move for move in found if not self._overlooked(move)]
        return (seen or found)[0]

    def _overlooked(self, move: Move) -> bool:
        return isinstance(move, Place) and self.dice.randrange(256) < self.overlooks


_PLAIN: Final = Effort(may_draw=False, forced_draw_prior=0, endgame_nodes=0, endgame_pool=-1)
_SHORT: Final = Effort(judges=True, rollouts=40, win_weight=300, endgame_nodes=0, endgame_pool=-1)

EFFORTS: Final = {
    "reply": replace(_PLAIN, rollouts=500, win_weight=0, plies=1),
    "medium": replace(_SHORT, rollouts=20),
    "hard": replace(_SHORT, rollouts=60, greedy_rivals=False),
    "expert": replace(_SHORT, rollouts=130, greedy_rivals=False),
    "champion": Effort(judges=True, milliseconds=50, win_weight=300, greedy_rivals=False),
}
"""The bots that need the kernel. ``reply`` is a baseline that looks one reply ahead."""

ADVISER: Final = replace(EFFORTS["champion"], greedy_rivals=True)
"""What gives hints and judges moves: people are more like those who play for points."""

OVERLOOKED: Final = {"medium": 42, "hard": 36}
"""The chance, of 256, that a level overlooks a place; those that are missing overlook nothing."""
