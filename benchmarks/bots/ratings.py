"""Elo ratings of all levels from matches against each other.

``python -m benchmarks.bots.ratings`` lets every pair play the same deals with seats exchanged, on
all cores, and fits Elo ratings to the results; ``easy`` is fixed at 1000. Confidence intervals come
from bootstrapping the deals. Results are stored as they come: the same command resumes where it was
stopped, and one with more games adds to them.
"""

from __future__ import annotations

import argparse
import json
import math
from itertools import combinations
from multiprocessing import get_context
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Final

import numpy as np
from rich.progress import Progress

from triomino import EDITIONS
from triomino.bots import LEVELS, Limit
from triomino.dice import Rng
from triomino.lab.arena import Contest, play_deal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

RESULTS_FILE: Final = Path(__file__).parent / "ratings.jsonl"
ANCHOR: Final = "easy"
ANCHOR_RATING: Final = 1000.0
RESAMPLES: Final = 200
SCALE: Final = 400 / math.log(10)
"""Elo: 400 points are ten to one."""

Pair = tuple[str, str]
Results = dict[Pair, dict[int, float]]
"""By pair and deal, the share of its games that the first bot won."""


def fit(bots: Sequence[str], rates: Mapping[Pair, tuple[float, int]]) -> dict[str, float]:
    """Return the maximum-likelihood ratings of the Bradley-Terry model, by Newton's method."""
    place = {name: index for index, name in enumerate(bots)}
    skills: NDArray[np.float64] = np.zeros(len(bots))
    for _ in range(50):
        # A weak prior keeps the ratings finite.
        slope, bend = -1e-6 * skills, 1e-6 * np.eye(len(bots))
        for (one, two), (rate, count) in rates.items():
            a, b = place[one], place[two]
            expected = 1 / (1 + math.exp(skills[b] - skills[a]))
            slope[a] += count * (rate - expected)
            slope[b] -= count * (rate - expected)
            weight = count * expected * (1 - expected)
            for row, column, sign in ((a, a, 1), (b, b, 1), (a, b, -1), (b, a, -1)):
                bend[row, column] += sign * weight
        step = np.linalg.solve(bend, slope)
        skills += np.clip(step, -2, 2)
        if np.abs(step).max() < 1e-9:
            break
    skills -= skills[place[ANCHOR]]
    return {name: ANCHOR_RATING + SCALE * float(skills[place[name]]) for name in bots}


def rate(bots: Sequence[str], results: Results) -> dict[str, tuple[float, float, float]]:
    """Return each rating with its 95 % confidence interval, by bootstrapping the deals."""

    def share(deals: Sequence[float]) -> tuple[float, int]:
        # Add half a win and half a loss, so that winning every game gives a finite rating.
        return (sum(deals) + 0.5) / (len(deals) + 1), len(deals)

    played = {pair: list(deals.values()) for pair, deals in results.items() if deals}
    ratings = fit(bots, {pair: share(deals) for pair, deals in played.items()})
    dice = Rng.named("ratings")
    drawn: dict[str, list[float]] = {name: [] for name in bots}
    for _ in range(RESAMPLES):
        again = {
            pair: share([deals[dice.randrange(len(deals))] for _ in deals])
            for pair, deals in played.items()
        }
        for name, rating in fit(bots, again).items():
            drawn[name].append(rating)
    ends = {name: sorted(each) for name, each in drawn.items()}
    cut = RESAMPLES // 40
    return {
        name: (ratings[name], ends[name][cut], ends[name][-1 - cut])
        for name in sorted(bots, key=lambda name: -ratings[name])
    }


def table(bots: Sequence[str], results: Results, about: str) -> str:
    """Return a table of the ratings and of the win rate of every pair."""
    ratings = rate(bots, results)
    lines = [about, "", "| level | rating | 95 % | " + " | ".join(ratings) + " |"]
    lines.append("|---|---:|---:|" + "---:|" * len(ratings))
    for name, (rating, low, high) in ratings.items():
        cells = []
        for other in ratings:
            deals = results.get((name, other)) or {}
            turned = results.get((other, name)) or {}
            rates = [*deals.values(), *(1 - won for won in turned.values())]
            cells.append(f"{fmean(rates):.0%}" if rates else "")
        lines.append(
            f"| {name} | {rating:.0f} | {low:.0f} to {high:.0f} | " + " | ".join(cells) + " |"
        )
    return "\n".join(lines)


def _play(job: tuple[Contest, int]) -> tuple[Pair, int, float]:
    contest, number = job
    deal = play_deal(contest, number)
    return contest.bots, number, fmean(float(result.wins[0]) for result in deal.results)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=400, help="of every pair")
    parser.add_argument("--target", type=int, default=400, help="of a match; 0: single rounds")
    parser.add_argument("--edition", choices=list(EDITIONS), default="classic")
    parser.add_argument(
        "--ms", type=float, default=None, help="a move; without it, as each level has it"
    )
    parser.add_argument("--bots", nargs="+", default=list(LEVELS))
    parser.add_argument("--jobs", type=int, default=None, help="processes; all cores")
    parser.add_argument("--keep", type=Path, default=RESULTS_FILE, help="the file of results")
    options = parser.parse_args()
    if ANCHOR not in options.bots:
        parser.error(f"{ANCHOR} has a fixed rating and must be among the bots")
    rules = EDITIONS[options.edition].with_changes({"target": options.target or None})
    head = {"edition": options.edition, "target": options.target, "ms": options.ms}
    results: Results = {pair: {} for pair in combinations(options.bots, 2)}
    if options.keep.exists():
        first, *lines = options.keep.read_text("utf-8").splitlines()
        if json.loads(first) != head:
            parser.error(f"{options.keep} was made with {first}; choose another file with --keep")
        for one, two, number, won in map(json.loads, lines):
            results.setdefault((one, two), {})[number] = won
    else:
        options.keep.write_text(json.dumps(head) + "\n", "utf-8")
    contests = [
        Contest(rules, pair, 2, seed=1, limit=Limit(milliseconds=options.ms))
        for pair in combinations(options.bots, 2)
    ]
    jobs = [
        (contest, number)
        for number in range(options.games // 2)
        for contest in contests
        if number not in results[contest.bots]
    ]
    with (
        options.keep.open("a", encoding="utf-8") as kept,
        get_context("spawn").Pool(options.jobs) as pool,
        Progress() as bar,
    ):
        task = bar.add_task("deals", total=len(jobs))
        for pair, number, won in pool.imap_unordered(_play, jobs):
            results[pair][number] = won
            kept.write(json.dumps([*pair, number, won]) + "\n")
            kept.flush()
            bar.advance(task)
    games = 2 * min(len(deals) for deals in results.values())
    match = f"matches to {options.target}" if options.target else "single rounds"
    thinking = "levels as they are" if options.ms is None else f"{options.ms:g} ms a move"
    about = (
        f"{options.edition}, two players, {match}, {thinking}, "
        f"{games} games of every pair at least; the win rate of a row against a column"
    )
    text = table(options.bots, {pair: deals for pair, deals in results.items() if deals}, about)
    options.keep.with_suffix(".md").write_text(text + "\n", "utf-8")
    print(text)


if __name__ == "__main__":
    main()
