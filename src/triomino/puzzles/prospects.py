"""What a move leaves the next player, by sampled worlds: the reasons that a person can see."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from triomino.kernel import Sampler
from triomino.moves import Place
from triomino.scoring import bonus_of

if TYPE_CHECKING:
    from triomino.dice import Rng
    from triomino.moves import Move
    from triomino.view import View

WORLDS: Final = 64


@dataclass(frozen=True, slots=True)
class Prospects:
    """How likely it is that the next player can score a bonus, and that no tile of theirs fits."""

    danger: float
    opened: float
    """How likely it is that they can score one which only this move makes possible."""
    stuck: float


def prospects(view: View, move: Move, dice: Rng) -> Prospects:
    """Return the prospects after a move that ends the turn."""
    danger = opened = stuck = 0
    board, rules = view.board, view.rules
    before = {place for place in board.placements(-1) if bonus_of(board, place.cell, rules)}
    for world in Sampler(view).sample(dice, WORLDS):
        world.play(move)
        if world.end is not None:
            continue
        answers = [answer for answer in world.legal_moves() if isinstance(answer, Place)]
        stuck += not answers
        bonuses = [answer for answer in answers if world.points(answer) >= rules.bridge_bonus]
        danger += bool(bonuses)
        opened += not before.issuperset(bonuses)
    return Prospects(danger / WORLDS, opened / WORLDS, stuck / WORLDS)


def points_of(view: View, move: Move) -> int:
    """Return what a legal move scores by itself."""
    return sum(score.points for score in view.scores(move))


def has_bonus(view: View, move: Move) -> bool:
    """Whether a legal move makes a bridge or a hexagon."""
    return isinstance(move, Place) and bonus_of(view.board, move.cell, view.rules) is not None
