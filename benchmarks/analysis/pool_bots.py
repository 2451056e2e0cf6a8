"""The opponents of ``benchmarks/bots/pool`` as bots in Python, whose games can be analysed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from triomino.bots import GreedyBot, make_bot
from triomino.bots.levels import SearchBot
from triomino.kernel import Effort
from triomino.moves import Draw, Place
from triomino.scoring import bonus_of, bonus_points

if TYPE_CHECKING:
    from collections.abc import Iterator

    from triomino.board import Board
    from triomino.bots import Bot, Limit
    from triomino.dice import Rng
    from triomino.moves import Move
    from triomino.rules import Rules
    from triomino.view import View

POOL: Final = ("greedy", "hoarder", "blocker", "champion-before")
"""Those that are not among the levels and ``reply``; an exploiter is one only with its weights."""
ANSWER: Final = 2
"""The points that a tile of others that fits is worth to the blocker; one with a bonus is five."""


def pool_bot(name: str, dice: Rng) -> Bot:
    """Return an opponent of the pool, or else a level."""
    match name:
        case "hoarder":
            return Hoarder()
        case "blocker":
            return Blocker()
        case "champion-before":
            return SearchBot(dice, name, Effort(rollouts=400))
    return make_bot(name, dice)


def _bonuses(board: Board, tiles: int, rules: Rules) -> Iterator[tuple[Place, int]]:
    """Yield where one of some tiles would score a bonus, and its points; each cell once."""
    for place in board.placements(tiles):
        bonus = bonus_of(board, place.cell, rules)
        if bonus is not None:
            yield place, bonus_points(bonus, rules)


@dataclass(frozen=True, slots=True)
class Hoarder:
    """Draws if the bonuses of unseen tiles are worth more on average than the draw costs."""

    name: str = "hoarder"

    def choose(self, view: View, limit: Limit | None = None) -> Move:  # noqa: ARG002
        """Return a legal move."""
        moves, board = view.legal_moves(), view.board
        able = any(isinstance(move, Place) for move in moves)
        last = len(view.drawn) + 1 >= view.rules.max_draws
        if board.laid and able and Draw() in moves and not last and self._pays(view):
            return Draw()
        return GreedyBot().choose(view)

    def _pays(self, view: View) -> bool:
        held = 0
        for tile in view.rack:
            held |= tile.bit
        found = {
            place.tile: points
            for place, points in _bonuses(view.board, view.unseen | held, view.rules)
        }
        if any(tile in found for tile in view.rack):
            return False
        return sum(found.values()) > view.rules.draw_cost * view.unseen.bit_count()


@dataclass(frozen=True, slots=True)
class Blocker:
    """Strands the others: points, less what the unseen tiles could answer."""

    name: str = "blocker"

    def choose(self, view: View, limit: Limit | None = None) -> Move:  # noqa: ARG002
        """Return a legal move."""
        places = [move for move in view.legal_moves() if isinstance(move, Place)]
        if not view.board.laid or not places:
            return GreedyBot().choose(view)
        if len(view.rack) == 1:
            return places[-1]
        return max(places, key=lambda place: self._worth(view, place))

    def _worth(self, view: View, place: Place) -> int:
        after = view.board.copy()
        after.lay(place)
        answers = (after.playable & view.unseen).bit_count()
        answers += 4 * len({at.cell for at, _ in _bonuses(after, view.unseen, view.rules)})
        return sum(score.points for score in view.scores(place)) - ANSWER * answers
