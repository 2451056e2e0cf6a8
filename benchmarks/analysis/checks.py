"""The promises of the analysis, as figures with their errors."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Final

import numpy as np

from benchmarks.analysis.fit import arena_strengths
from triomino.analysis.calibration import Calibration

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from benchmarks.analysis.rounds import Row
    from triomino.analysis import Chances

BINS: Final = 10
CLOSE: Final = 0.03
"""How far what was won may be from what was called."""
SIGNIFICANT: Final = 1.96


@dataclass(frozen=True, slots=True)
class Bin:
    """Positions whose chance was called about the same."""

    called: float
    won: float
    error: float
    """The standard error of ``won - called``; the positions of a round are one cluster."""
    positions: int

    @property
    def fails(self) -> bool:
        """Whether it is off by more than ``CLOSE``, beyond what chance explains."""
        return abs(self.won - self.called) - SIGNIFICANT * self.error > CLOSE


def chances_of(row: Row, charts: Mapping[str, Calibration]) -> Chances:
    """Return the calibrated chances of a round."""
    chart = charts.get(row.key) or charts.get("any") or Calibration()
    return row.judged.chances(chart, chart.of(row.bots))


def calibration_bins(rows: Sequence[Row], charts: Mapping[str, Calibration]) -> list[Bin]:
    """Return how often seats won, by the chance that was called, in tenths."""
    sums = np.zeros((BINS, 3))  # positions, called, won
    squares = np.zeros(BINS)
    for row in rows:
        own = np.zeros((BINS, 3))
        for now in chances_of(row, charts).after[:-1]:
            for seat, called in enumerate(now):
                own[min(BINS - 1, int(called * BINS))] += 1, called, row.won[seat]
        sums += own
        squares += (own[:, 2] - own[:, 1]) ** 2
    return [
        Bin(called / number, won / number, float(np.sqrt(square)) / number, int(number))
        for (number, called, won), square in zip(sums, squares, strict=True)
        if number
    ]


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean over rounds."""

    name: str
    mean: float
    error: float
    rounds: int

    @property
    def z(self) -> float:
        """How many standard errors it is from zero."""
        return self.mean / self.error if self.error else 0.0


def mean_of(name: str, values: Sequence[float]) -> Mean:
    """Return the mean of values of different rounds."""
    if len(values) < 2:
        return Mean(name, sum(values), float("inf"), len(values))
    array = np.array(values)
    return Mean(name, float(array.mean()), float(array.std(ddof=1)) / len(array) ** 0.5, len(array))


def luck_means(
    rows: Sequence[Row], charts: Mapping[str, Calibration], strengths: Mapping[str, float]
) -> tuple[list[Mean], float]:
    """Return the mean luck of some seats over the rounds, and by how much any sum is not zero."""
    found = [(row, chances_of(row, charts)) for row in rows]
    worst = max(abs(sum(map(one.luck, range(len(row.bots))))) for row, one in found)

    def of(name: str, seat: Callable[[Row], int | None]) -> Mean:
        seats = [(one, seat(row)) for row, one in found]
        return mean_of(name, [one.luck(which) for one, which in seats if which is not None])

    def stronger(row: Row) -> int | None:
        own = [strengths[bot] for bot in row.bots]
        return int(np.argmax(own)) if len(set(own)) > 1 else None

    means = [
        of("the first seat", lambda _: 0),
        of("who starts", lambda row: row.starter),
        of("the strongest bot", stronger),
        of("who draws most", _draws_most),
    ]
    return means, worst


def _draws_most(row: Row) -> int | None:
    """The seat of the bot that is known for drawing on purpose, if only one is."""
    hoarders = [seat for seat, bot in enumerate(row.bots) if bot in ("hard", "expert", "champion")]
    return hoarders[0] if len(hoarders) == 1 else None


@dataclass(frozen=True, slots=True)
class Standing:
    """A bot: its strength by results, and what it gave away in a round."""

    bot: str
    strength: float
    given: Mean


def standings(rows: Sequence[Row]) -> tuple[list[Standing], list[str]]:
    """Return the bots, strongest first, and each pair that is ranked the wrong way round.

    A pair counts if both the results of the arena and what was given away tell the two apart.
    """
    bots = sorted({bot for row in rows for bot in row.bots})
    strengths, covariance = arena_strengths(rows, bots)
    given: dict[str, list[float]] = {bot: [] for bot in bots}
    for row in rows:
        for bot, lost in zip(row.bots, row.lost, strict=True):
            given[bot].append(lost)
    found = [
        Standing(bot, float(strength), mean_of(bot, given[bot]))
        for bot, strength in zip(bots, strengths, strict=True)
    ]
    wrong = []
    for one, other in combinations(range(len(bots)), 2):
        apart = strengths[one] - strengths[other]
        spread = covariance[one, one] + covariance[other, other] - 2 * covariance[one, other]
        less = found[other].given.mean - found[one].given.mean
        noise = np.hypot(found[one].given.error, found[other].given.error)
        told = abs(apart) > SIGNIFICANT * spread**0.5 and abs(less) > SIGNIFICANT * noise
        if told and (less > 0) != (apart > 0):
            wrong.append(f"{bots[one]} and {bots[other]}")
    return sorted(found, key=lambda each: -each.strength), wrong


def rank_correlation(ranked: Sequence[Standing]) -> float:
    """Return Spearman's coefficient between strength and what was not given away."""
    order = np.argsort(np.argsort([one.given.mean for one in ranked]))
    return float(np.corrcoef(np.arange(len(ranked)), order)[0, 1]) if len(ranked) > 2 else 1.0


def report(
    groups: Mapping[str, Sequence[Bin]], means: Sequence[Mean], ranked: Sequence[Standing]
) -> str:
    """Return the figures as text."""
    lines: list[str] = []
    for name, bins in groups.items():
        lines += [f"{name}:", "| called | won | ± | positions |", "|---:|---:|---:|---:|"]
        lines += [
            f"| {one.called:.1%} | {one.won:.1%} | {SIGNIFICANT * one.error:.1%} "
            f"| {one.positions} |{' off' if one.fails else ''}"
            for one in bins
        ]
        lines.append("")
    lines += ["| luck of | mean of a round | ± | rounds | z |", "|---|---:|---:|---:|---:|"]
    lines += [
        f"| {one.name} | {one.mean:+.2%} | {SIGNIFICANT * one.error:.2%} | {one.rounds} "
        f"| {one.z:+.1f} |"
        for one in means
    ]
    lines += ["", "| bot | strength | given away in a round | ± |", "|---|---:|---:|---:|"]
    lines += [
        f"| {one.bot} | {one.strength:+.2f} | {one.given.mean:+.1%} "
        f"| {SIGNIFICANT * one.given.error:.1%} |"
        for one in ranked
    ]
    return "\n".join(lines)
