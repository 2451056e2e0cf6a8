"""Turn the judgement of a position into chances that come true.

A judge says how often each seat wins if simple players play on. How often strong players, or
unequal ones, win from there is another matter: the map from one to the other is fitted to rounds
they played (``python -m benchmarks.analysis --fit``) and stored beside this module.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import lru_cache
from math import sqrt
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    from triomino.rules import Rules

DATA: Final = Path(__file__).with_name("calibration.json")
LEAST: Final = 0.04
"""Added to every share: that nobody won in some hundred rounds does not make it impossible, and
what is likelier than 9 in 10 by simple players is less so by others. Of some values, the one that
explained rounds best that nothing was fitted to."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """The fitted map: a softmax over ``slope * log(share) + strength * sqrt(left)``.

    *left* is the part of the round that is still to come, from 1 to 0.
    """

    slope: float = 1.0
    slope_left: float = 0.0
    """Added to the slope in proportion to what is left."""
    slope_strength: float = 0.0
    """Added to ``slope_left`` in proportion to the mean strength at the table: the stronger the
    players, the less a judgement by simple ones says early in a round."""
    strengths: dict[str, float] = field(default_factory=dict)
    """Of bots by name; everybody else counts as strong as the mean of the others at the table."""

    def chances(
        self, shares: ArrayLike, left: float, strengths: Sequence[float]
    ) -> NDArray[np.float64]:
        """Return each seat's chance, from its share by the judge; they sum to 1."""
        own = sqrt(left) * np.asarray(strengths)
        slope = self.slope + self.table_slope_left(strengths) * left
        scores = slope * np.log(np.asarray(shares) + LEAST) + own
        weights = np.exp(scores - scores.max())
        return np.asarray(weights / weights.sum())

    def change(
        self, at: ArrayLike, left: float, strengths: Sequence[float], by: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Return the change of the chances by a small change of the shares *at*: linear in *by*.

        Linear, because then what is expected to be no change of the shares is none of the chances.
        """
        now = self.chances(at, left, strengths)
        slope = self.slope + self.table_slope_left(strengths) * left
        steps = slope * by / (np.asarray(at) + LEAST)
        return np.asarray(now * (steps - now @ steps))

    def of(self, bots: Sequence[str | None]) -> list[float]:
        """Return the strength of each seat, by the names of the bots that sit there."""
        known = [self.strengths[bot] for bot in bots if bot in self.strengths]
        mean = sum(known) / len(known) if known else 0.0
        return [self.strengths.get(bot or "", mean) for bot in bots]

    def table_slope_left(self, strengths: Sequence[float]) -> float:
        """Return ``slope_left`` among players of these strengths."""
        return self.slope_left + self.slope_strength * sum(strengths) / len(strengths)


def calibration(rules: Rules, players: int) -> Calibration:
    """Return the map for these rules and this many players, or the one for all if there is none."""
    stored = _stored()
    return stored.get(key(rules, players)) or stored.get("any") or Calibration()


def key(rules: Rules, players: int) -> str:
    """Return the name under which a map is stored.

    >>> from triomino.rules import CLASSIC
    >>> key(CLASSIC, 2)
    'classic/2'
    """
    return f"{rules.edition}/{players}"


@lru_cache(maxsize=1)
def _stored() -> dict[str, Calibration]:
    data = json.loads(DATA.read_text("utf-8")) if DATA.exists() else {}
    return {name: Calibration(**one) for name, one in data.get("maps", {}).items()}
