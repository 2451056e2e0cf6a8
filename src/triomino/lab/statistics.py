"""Confidence intervals and a sequential test for win rates and margins."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist, fmean, variance
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

Z95: Final = NormalDist().inv_cdf(0.975)

FIRST_LOOK: Final = 30
"""Deals before a sequential test may decide: with fewer their spread is not known well enough."""


def mean_interval(values: Sequence[float]) -> tuple[float, float]:
    """Where the mean lies with 95 %; for a single value, at that value alone.

    >>> [round(end, 2) for end in mean_interval([1.0, 2.0, 3.0, 4.0])]
    [0.46, 4.54]
    """
    mean = fmean(values)
    if len(values) < 2:
        return mean, mean
    width = _student(len(values) - 1) * math.sqrt(variance(values) / len(values))
    return mean - width, mean + width


def _student(degrees: int) -> float:
    """The 97.5 % point of Student's t, by Hill's expansion: right to 1 % from 3 degrees on."""
    z, n = Z95, degrees
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
    )
    return float(z + sum(term / n**power for power, term in enumerate(terms, 1)))


def win_interval(rates: Sequence[float]) -> tuple[float, float]:
    """Where a win rate lies with 95 %, from the rates of independent deals.

    Wilson's interval for as many independent games as would spread like these deals, so that it
    stays within 0 and 1 and is not empty when one side wins everything.

    >>> [round(end, 2) for end in win_interval([1.0] * 20)]
    [0.84, 1.0]
    """
    rate, count = fmean(rates), float(len(rates))
    spread = variance(rates) / len(rates) if len(rates) > 1 else 0.0
    if spread > 0:
        count = max(1.0, rate * (1 - rate) / spread)
    square = Z95**2
    middle = (rate + square / (2 * count)) / (1 + square / count)
    half = Z95 * math.sqrt(rate * (1 - rate) / count + square / (4 * count**2))
    half /= 1 + square / count
    return max(0.0, middle - half), min(1.0, middle + half)


@dataclass(frozen=True, slots=True)
class Sprt:
    """A sequential test that tells two win rates of the first bot apart.

    It looks after every deal, and is wrong in about one of twenty cases either way.
    """

    low: float
    high: float

    ERROR = 0.05

    def decide(self, rates: Sequence[float]) -> float | None:
        """The rate that the deals speak for; ``None`` while that is open."""
        bound = math.log((1 - self.ERROR) / self.ERROR)
        if len(rates) < FIRST_LOOK:
            return None
        evidence = self.evidence(rates)
        if abs(evidence) < bound:
            return None
        return self.high if evidence > 0 else self.low

    def evidence(self, rates: Sequence[float]) -> float:
        """The logarithm of how much likelier these deals are with *high* than with *low*."""
        # A spread of nothing, as when one side wins all, would prove anything at once.
        spread = max(variance(rates), 1 / (4 * len(rates)))
        middle = (self.low + self.high) / 2
        return len(rates) * (self.high - self.low) * (fmean(rates) - middle) / spread
