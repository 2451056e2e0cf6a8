"""Whether the levels are a ladder: all against all, and neighbours more often.

``python -m benchmarks.bots.ratings`` lets every pair play the same deals with seats exchanged, on
all cores, and fits Elo ratings to the results; ``easy`` is fixed at 1000. Confidence intervals come
from bootstrapping the deals. Results are stored as they come: the same command resumes where it was
stopped, and one with more games adds to them. Those of levels that changed since are left out.

It fails if a level beats the one below more or less often than ``RUNGS`` says. With ``--target 0``
single rounds are played, and it fails if ``LOST_OF_TEN`` says something else than they do.
"""

from __future__ import annotations

import argparse
import json
import math
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from multiprocessing import get_context
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np
from rich.progress import Progress

from benchmarks.kept_rows import version_of
from triomino import EDITIONS
from triomino.bots import LEVELS, make_bot
from triomino.bots.levels import SearchBot
from triomino.bots.registry import LOST_OF_TEN
from triomino.bots.simulation import bot_players, play_out
from triomino.dice import Rng
from triomino.fair import Seeds
from triomino.lab.process_pool import default_jobs
from triomino.lab.statistics import win_interval
from triomino.match import Match

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from triomino.bots import Bot
    from triomino.rules import Rules

RESULTS_FILE: Final = Path("build/ratings.jsonl")
ANCHOR: Final = "easy"
ANCHOR_RATING: Final = 1000.0
RESAMPLES: Final = 200
SCALE: Final = 400 / math.log(10)
"""Elo: 400 points are ten to one."""

RUNGS: Final = {"easy": (0.78, 0.88)}
"""How often a level should beat the one below in matches to 400."""
RUNG: Final = (0.60, 0.72)
"""The same for those that ``RUNGS`` does not name."""

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


@dataclass(frozen=True, slots=True)
class Games:
    """Games of two levels against each other."""

    rules: Rules
    pair: Pair
    champion_ms: float

    @property
    def version(self) -> str:
        """Another one when a level of the pair or the network changes."""
        return version_of(self._bot(name, 0, 0, 0) for name in self.pair)

    def play(self, number: int) -> float:
        """Play a deal once with each seat; return the share that the first level won."""
        seeds, won = Seeds.named(2, "ratings", number), 0.0
        for seat in (0, 1):
            names = self.pair if seat == 0 else self.pair[::-1]
            bots = [self._bot(name, number, seat, at) for at, name in enumerate(names)]
            match = Match.start(self.rules, bot_players(names), seeds)
            play_out(match, bots)
            won += (seat in match.winners) / len(match.winners)
        return won / 2

    def _bot(self, name: str, number: int, game: int, seat: int) -> Bot:
        bot = make_bot(name, Rng.named("ratings", *self.pair, number, game, seat))
        if isinstance(bot, SearchBot) and bot.effort.rollouts is None:
            bot.effort = replace(bot.effort, milliseconds=self.champion_ms)
        return bot


_Played: TypeAlias = tuple[Pair, int, float]


def _play(job: tuple[Games, int]) -> _Played:
    games, number = job
    return games.pair, number, games.play(number)


@contextmanager
def in_any_order(jobs: Sequence[tuple[Games, int]], processes: int) -> Iterator[Iterable[_Played]]:
    """Play all jobs; one process means this one."""
    if processes < 2:
        yield map(_play, jobs)
        return
    with get_context("spawn").Pool(processes) as pool:
        yield pool.imap_unordered(_play, jobs)


def rungs(results: Results, target: int) -> tuple[str, list[str]]:
    """Return a table of neighbours, and what is wrong with it."""
    lines = ["| | won | 95 % | games | wanted |", "|---|---:|---:|---:|---:|"]
    wrong = []
    for below, level in pairwise(LEVELS):
        deals = list((results.get((below, level)) or {}).values())
        if not deals:
            continue
        won = 1 - fmean(deals)
        low, high = win_interval([1 - each for each in deals])
        if target:
            least, most = RUNGS.get(level, RUNG)
            good, wanted = least <= won <= most, f"{least:.0%} to {most:.0%}"
        else:
            good, wanted = round(10 * (1 - won)) == LOST_OF_TEN[level], f"{LOST_OF_TEN[level]} lost"
        lines.append(
            f"| `{level}` against `{below}` | {won:.1%} | {low:.1%} to {high:.1%} "
            f"| {2 * len(deals)} | {wanted} |"
        )
        if not good:
            wrong.append(f"{level} wins {won:.1%} against {below}, wanted: {wanted}")
    return "\n".join(lines), wrong


def read_kept(path: Path, head: dict[str, object], versions: dict[Pair, str]) -> Results:
    """The results of a file that are still valid; a new file begins with *head*."""
    results: Results = {pair: {} for pair in versions}
    if not path.exists():
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(head) + "\n", "utf-8")
        return results
    first, *lines = path.read_text("utf-8").splitlines()
    if json.loads(first) != head:
        raise ValueError(f"{path} was made with {first}; choose another file with --keep")
    for one, two, number, won, version in map(json.loads, lines):
        if versions.get((one, two)) == version:
            results[one, two][number] = won
    return results


def build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100, help="of every pair")
    parser.add_argument("--neighbours", type=int, default=1000, help="games of neighbours")
    parser.add_argument("--target", type=int, default=400, help="of a match; 0: single rounds")
    parser.add_argument("--edition", choices=list(EDITIONS), default="classic")
    parser.add_argument("--champion-ms", type=float, default=10.0, help="its time for a move")
    parser.add_argument("--bots", nargs="+", default=list(LEVELS))
    parser.add_argument("--jobs", type=int, default=default_jobs(), help="processes; all cores")
    parser.add_argument("--keep", type=Path, default=RESULTS_FILE, help="the file of results")
    parser.add_argument("--table", type=Path, help="write the tables there, too")
    return parser


def main() -> None:
    parser = build_parser()
    options = parser.parse_args()
    rules = EDITIONS[options.edition].with_changes({"target": options.target or None})
    head = {
        "edition": options.edition,
        "target": options.target,
        "champion_ms": options.champion_ms,
    }
    pairs = list(combinations(options.bots, 2))
    every = {pair: Games(rules, pair, options.champion_ms) for pair in pairs}
    versions = {pair: games.version for pair, games in every.items()}
    try:
        results = read_kept(options.keep, head, versions)
    except ValueError as error:
        parser.error(str(error))
    neighbours = set(pairwise(LEVELS))
    wanted = {
        pair: max(options.games, options.neighbours if pair in neighbours else 0) for pair in pairs
    }
    jobs = [
        (every[pair], number)
        for number in range(max(wanted.values()) // 2)
        for pair in pairs
        if number < wanted[pair] // 2 and number not in results[pair]
    ]
    with (
        options.keep.open("a", encoding="utf-8") as kept,
        in_any_order(jobs, options.jobs) as made,
        Progress() as bar,
    ):
        task = bar.add_task("deals", total=len(jobs))
        for pair, number, share in made:
            results[pair][number] = share
            kept.write(json.dumps([*pair, number, share, versions[pair]]) + "\n")
            kept.flush()
            bar.advance(task)
    steps, wrong = rungs(results, options.target)
    text = steps
    if ANCHOR in options.bots and all(results[pair] for pair in pairs):
        games = 2 * min(len(results[pair]) for pair in pairs)
        match = f"matches to {options.target}" if options.target else "single rounds"
        about = (
            f"{options.edition}, two players, {match}, champion at {options.champion_ms:g} ms, "
            f"{games} games of every pair at least; the win rate of a row against a column"
        )
        text = f"{table(options.bots, results, about)}\n\n{steps}"
    if options.table is not None:
        options.table.write_text(text + "\n", "utf-8")
    print(text)
    for line in wrong:
        print(f"NO LADDER: {line}")
    raise SystemExit(bool(wrong))


if __name__ == "__main__":
    main()
