"""The chance to win a match from the totals after a round."""

from __future__ import annotations

from functools import lru_cache
from math import isqrt
from typing import TYPE_CHECKING, Final, TypeAlias

from triomino.kernel.rounds import Policy, playouts

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from triomino.rules import Rules

    Whole: TypeAlias = NDArray[np.int64]

Chances: TypeAlias = tuple[list[int], int, int, int]
"""Chances of 65536, row by row for the own total; the lowest total, the step and the rows."""

_WHOLE: Final = 65536
_ROUNDS: Final = 8000
_SWEEPS: Final = 60
_STEPS: Final = 20
"""From 0 to the target, and half as many below."""


@lru_cache(maxsize=32)
def match_chances(rules: Rules) -> Chances | None:
    """For two equal players and a target; ``None`` for a series without points.

    Whoever is ahead has won once the target is reached; until then a chance is the mean of what the
    next round of two greedy players leads to. Whole numbers only: the same on every machine.
    """
    import numpy as np  # noqa: PLC0415

    if rules.target is None or not rules.scoring:
        return None
    step = max(1, rules.target // _STEPS)
    rows, low = _STEPS + _STEPS // 2 + 1, -(_STEPS // 2) * step
    totals = low + step * np.arange(rows)
    own, other = (grid.ravel() for grid in np.meshgrid(totals, totals, indexing="ij"))
    goes_on = (own < rules.target) & (other < rules.target)
    won = np.where(own > other, _WHOLE, np.where(own == other, _WHOLE // 2, 0))
    sure, leads_to, count = _after_a_round(rules, own, other, low, step)
    chances = won
    for _ in range(_SWEEPS):
        chances = np.where(goes_on, (sure + leads_to @ chances) // count, won)
    return chances.tolist(), low, step, rows


def _after_a_round(
    rules: Rules, own: Whole, other: Whole, low: int, step: int
) -> tuple[Whole, Whole, int]:
    """For every pair of totals: what is won at once, how often each pair follows, of how many."""
    import numpy as np  # noqa: PLC0415

    single = rules.with_changes({"target": None})
    scores = playouts(single, 2, _ROUNDS, Policy.GREEDY, seed=1, threads=1).scores
    # Each round counts for both, in whole steps.
    gains = np.floor_divide(np.concatenate([scores, scores[:, ::-1]]) + step // 2, step) * step
    gains, counts = np.unique(gains, axis=0, return_counts=True)
    after, after_other = own[:, None] + gains[:, 0], other[:, None] + gains[:, 1]
    over = np.maximum(after, after_other) >= (rules.target or 0)
    won = np.where(after > after_other, _WHOLE, np.where(after == after_other, _WHOLE // 2, 0))
    sure = (np.where(over, won, 0) * counts).sum(axis=1)
    rows = isqrt(len(own))
    index = (np.clip(after, low, None) - low) // step * rows
    index += (np.clip(after_other, low, None) - low) // step
    leads_to = np.zeros((len(own), len(own)), np.int64)
    cells = np.broadcast_to(np.arange(len(own))[:, None], over.shape)
    weights = np.broadcast_to(counts, over.shape)
    np.add.at(leads_to, (cells[~over], index[~over]), weights[~over])
    return sure, leads_to, int(counts.sum())
