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
"""Deals before a sequential test may decide: with fewer, their variance is too uncertain."""


def mean_interval(values: Sequence[float]) -> tuple[float, float]:
    """Return the 95 % confidence interval of the mean; of a single value, that value alone.

    >>> [round(end, 2) for end in mean_interval([1.0, 2.0, 3.0, 4.0])]
    [0.46, 4.54]
    """
    mean = fmean(values)
    if len(values) < 2:
        return mean, mean
    width = _student(len(values) - 1) * math.sqrt(variance(values) / len(values))
    return mean - width, mean + width


def _student(degrees: int) -> float:
    """Return the 97.5 % quantile of Student's t by Hill's expansion, to 1 % from 3 degrees on."""
    z, n = Z95, degrees
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
    )
    return float(z + sum(term / n**power for power, term in enumerate(terms, 1)))


def win_interval(rates: Sequence[float]) -> tuple[float, float]:
    """Return the 95 % confidence interval of a win rate, from the rates of independent deals.

    It is Wilson's interval for as many independent games as would have the variance of these
    deals, so it stays within 0 and 1 and is not empty when one side wins everything.

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
    """A sequential probability ratio test between two win rates of the first bot.

    It is meant to be asked after every deal; each kind of error has a probability of about 5 %.
    """

    low: float
    high: float

    ERROR = 0.05

    def decide(self, rates: Sequence[float]) -> float | None:
        """Return the win rate that the deals support; ``None`` while that is undecided."""
        bound = math.log((1 - self.ERROR) / self.ERROR)
        if len(rates) < FIRST_LOOK:
            return None
        evidence = self.evidence(rates)
        if abs(evidence) < bound:
            return None
        return self.high if evidence > 0 else self.low

    def evidence(self, rates: Sequence[float]) -> float:
        """Return the log-likelihood ratio of *high* to *low*."""
        # Without a lower bound, a variance of 0, as when one side wins all, would decide at once.
        spread = max(variance(rates), 1 / (4 * len(rates)))
        middle = (self.low + self.high) / 2
        return len(rates) * (self.high - self.low) * (fmean(rates) - middle) / spread
