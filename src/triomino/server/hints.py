"""Hints: the best moves for the seat to move, with reasons."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import msgspec

from triomino.bots.levels import ADVISER
from triomino.dice import Rng
from triomino.kernel import search
from triomino.protocol.api import HintReason
from triomino.protocol.messages import HintMove

if TYPE_CHECKING:
    from triomino.kernel import Effort
    from triomino.view import View

MOST_MOVES: Final = 3
EFFORT: Final = replace(ADVISER, milliseconds=120)


def best_moves(view: View, effort: Effort = EFFORT) -> list[HintMove]:
    """Search the best moves of the seat to move, best first. Blocks: call it in a thread.

    If the second is as good as the first, the first says so.
    """
    # Loads numpy, which nothing else here needs.
    from triomino.analysis.facts import equals, facts  # noqa: PLC0415

    dice = Rng.named("hint", len(view.plies))
    found = search(view, effort, dice)[:MOST_MOVES]
    tie = equals(found)
    told = [
        HintMove(
            str(one.move),
            round(one.win, 3),
            round(one.margin, 1),
            [msgspec.convert(fact.to_json(), HintReason) for fact in facts(view, one.move, dice)],
        )
        for one in found
    ]
    if tie is not None:
        told[0].why.append(msgspec.convert(tie.to_json(), HintReason))
    return told
