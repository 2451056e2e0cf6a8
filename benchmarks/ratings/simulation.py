"""Players of known strength who are rated by their results.

A match goes to :data:`TARGET` points, in rounds that are drawn from those that were measured with
its line-up. Our bots play every round as if it were the only one, so that this is as good as a
match that is played.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from benchmarks.ratings.outcomes import PEOPLE
from triomino.dice import Rng, shuffle
from triomino.ratings import RatedMatch, Ratings, Seat, ranks_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.ratings.outcomes import Outcomes
    from triomino.dice import Dice
    from triomino.ratings import Rating


TARGET: Final = 400
"""The points of a match, as the rule sheet has it."""


@dataclass(frozen=True)
class Course:
    """What came of a simulation: the level and the rating of each player, and how it came there."""

    levels: list[int]
    ratings: list[Rating]
    correlations: list[float]
    """Spearman's rank correlation of rating and strength after every round of matches."""


def simulate(
    outcomes: Outcomes, players: int, people: int = 200, matches: int = 50, seed: int = 1
) -> Course:
    """Let *people*, as many of each level, play *matches* each at random tables of *players*.

    A table of one level alone is decided by chance.
    """
    dice = Rng.named("rated people", seed)
    levels = [number * len(PEOPLE) // people for number in range(people)]
    ratings, correlations = Ratings(), []
    strong = strengths(outcomes, players)
    for _ in range(matches):
        order = list(range(people))
        shuffle(order, dice)
        for start in range(0, people - players + 1, players):
            table = sorted(order[start : start + players], key=lambda one: levels[one])
            ranks = _draw(outcomes, tuple(levels[one] for one in table), dice)
            seats = tuple(Seat(str(one), rank) for one, rank in zip(table, ranks, strict=True))
            ratings.add(RatedMatch("", "classic", 0, seats))
        mus = [ratings.of("classic", str(one)).mu for one in range(people)]
        correlations.append(spearman(mus, [strong[level] for level in levels]))
    final = [ratings.of("classic", str(one)) for one in range(people)]
    return Course(levels, final, correlations)


def _draw(outcomes: Outcomes, lineup: tuple[int, ...], dice: Dice) -> tuple[int, ...]:
    """The ranks that a match of a line-up comes to."""
    known = outcomes.get(lineup)
    if known is None:
        ranks = list(range(1, len(lineup) + 1))
        shuffle(ranks, dice)
        return tuple(ranks)
    totals = [0] * len(lineup)
    while max(totals) < TARGET:
        points = list(known[dice.randrange(len(known))])
        _mix_equals(points, lineup, dice)
        totals = [total + more for total, more in zip(totals, points, strict=True)]
    best = max(totals)
    return ranks_of(totals, [seat for seat, total in enumerate(totals) if total == best])


def _mix_equals(points: list[int], lineup: tuple[int, ...], dice: Dice) -> None:
    """Equal levels at a table are equal: which of them had which points is chance."""
    for level in sorted(level for level, count in Counter(lineup).items() if count > 1):
        places = [place for place, one in enumerate(lineup) if one == level]
        theirs = [points[place] for place in places]
        shuffle(theirs, dice)
        for place, own in zip(places, theirs, strict=True):
            points[place] = own


def strengths(outcomes: Outcomes, players: int) -> list[float]:
    """How many points more than the others at the table each level makes in a round, on average.

    With more than two players that is another order than that of the menu.
    """
    more: list[list[float]] = [[] for _ in PEOPLE]
    for lineup, rounds in outcomes.items():
        if len(lineup) == players:
            for points in rounds:
                for level, own in zip(lineup, points, strict=True):
                    more[level].append(own - sum(points) / players)
    return [float(np.mean(own)) for own in more]


def spearman(one: Sequence[float], other: Sequence[float]) -> float:
    """The rank correlation of two lists; equal values share the mean of their ranks.

    >>> round(spearman([1, 2, 3, 4], [10, 20, 20, 30]), 3)
    0.949
    """
    return float(np.corrcoef(_ranks(one), _ranks(other))[0, 1])


def _ranks(values: Sequence[float]) -> list[float]:
    known = np.asarray(values)
    return [float((known < value).sum() + (known <= value).sum()) for value in known]
