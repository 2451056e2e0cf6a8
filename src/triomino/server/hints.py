"""Hints: the best moves for the seat to move, with reasons."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from triomino.dice import Rng
from triomino.kernel import Effort, search
from triomino.protocol.api import HintReason
from triomino.protocol.messages import HintMove

if TYPE_CHECKING:
    from triomino.view import View

MOST_MOVES: Final = 3
EFFORT: Final = Effort(milliseconds=120)


def best_moves(view: View, effort: Effort = EFFORT) -> list[HintMove]:
    """Search the best moves of the seat to move, best first. Blocks: call it in a thread."""
    from triomino.analysis import facts  # noqa: PLC0415 - loads numpy, which nothing else here needs

    dice = Rng.named("hint", len(view.plies))
    return [
        HintMove(
            str(found.move),
            round(found.win, 3),
            round(found.margin, 1),
            [
                HintReason(fact.kind, fact.points, round(fact.chance, 2), fact.bonus)
                for fact in facts(view, found.move, dice)
            ],
        )
        for found in search(view, effort, dice)[:MOST_MOVES]
    ]
