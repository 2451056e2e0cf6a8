"""Hints: the best moves a view allows, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from triomino.analysis import facts
from triomino.dice import Rng
from triomino.kernel import Effort, search
from triomino.protocol.api import HintReason
from triomino.protocol.messages import HintMove

if TYPE_CHECKING:
    from triomino.view import View

MOST: Final = 3
EFFORT: Final = Effort(milliseconds=120)


def think_of_hint(view: View, effort: Effort = EFFORT) -> list[HintMove]:
    """The best moves of the seat to move, the best first. Takes a moment: not for an event loop."""
    dice = Rng.named("hint", len(view.plies))
    return [
        HintMove(
            str(one.move),
            round(one.win, 3),
            round(one.margin, 1),
            [
                HintReason(fact.kind, fact.points, round(fact.chance, 2), fact.bonus)
                for fact in facts(view, one.move, dice)
            ],
        )
        for one in search(view, effort, dice)[:MOST]
    ]
