"""Rounds between our levels, played once and kept: what the simulation draws its results from."""

from __future__ import annotations

import json
from collections import defaultdict
from itertools import combinations_with_replacement
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rich.progress import Progress

from triomino.bots import LEVELS, Limit, make_bot
from triomino.bots.simulation import bot_players, play_out
from triomino.dice import Rng, shuffle
from triomino.fair import Seeds
from triomino.match import Match
from triomino.rules import CLASSIC

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from triomino.bots import Bot
    from triomino.moves import Move
    from triomino.view import View

FILE: Final = Path(__file__).parent / "outcomes.jsonl"

PEOPLE: Final = tuple(LEVELS)
"""The kinds of players, weakest first."""

CHAMPION: Final = Limit(milliseconds=10)
"""What the champion thinks here; the others think as they always do."""

Lineup = tuple[int, ...]
"""The levels at a table, weakest first."""

Outcomes = dict[Lineup, list[tuple[int, ...]]]
"""The points that the levels of a line-up came to, one entry for each round."""


def lineups(players: int) -> list[Lineup]:
    """All line-ups of so many players but those of one level alone, whose results are chance."""
    found = combinations_with_replacement(range(len(PEOPLE)), players)
    return [one for one in found if len(set(one)) > 1]


def play(job: tuple[Lineup, int]) -> tuple[Lineup, int, tuple[int, ...]]:
    """Play a round of a line-up at random seats; return the points of each of its levels."""
    lineup, number = job
    dice = Rng.named("rated", *lineup, number)
    seats = list(range(len(lineup)))
    shuffle(seats, dice)
    names = [PEOPLE[lineup[place]] for place in seats]
    bots = [
        _Limited(make_bot(name, Rng.named("rated", *lineup, number, seat)), name)
        for seat, name in enumerate(names)
    ]
    match = Match.start(CLASSIC, bot_players(names), Seeds.named(len(seats), "rated", number))
    play_out(match, bots)
    return lineup, number, tuple(match.scores[seats.index(place)] for place in range(len(lineup)))


class _Limited:
    """A bot that thinks as long as it does here, whatever it is asked."""

    def __init__(self, bot: Bot, name: str) -> None:
        self._bot, self.name = bot, name

    def choose(self, view: View, limit: Limit | None = None) -> Move:
        """Return the move of the bot."""
        own = CHAMPION if self.name == "champion" else limit
        return self._bot.choose(view, own)


def measure(rounds: Mapping[int, int], keep: Path = FILE, jobs: int = 1) -> None:
    """Play what is missing of so many rounds of every line-up, by the number of its players."""
    known = {(lineup, number) for lineup, number, _ in _read(keep)}
    work = [
        (lineup, number)
        for players, most in rounds.items()
        for number in range(most)
        for lineup in lineups(players)
        if (lineup, number) not in known
    ]
    with keep.open("a") as out, get_context("spawn").Pool(jobs) as pool, Progress() as bar:
        task = bar.add_task("rounds", total=len(work))
        for lineup, number, points in pool.imap_unordered(play, work, chunksize=20):
            out.write(json.dumps([lineup, number, points], separators=(",", ":")) + "\n")
            out.flush()
            bar.advance(task)


def read(keep: Path = FILE) -> Outcomes:
    """What was measured."""
    found: defaultdict[Lineup, list[tuple[int, ...]]] = defaultdict(list)
    for lineup, _, points in _read(keep):
        found[lineup].append(points)
    return dict(found)


def _read(keep: Path) -> Iterable[tuple[Lineup, int, tuple[int, ...]]]:
    for line in keep.read_text("utf-8").splitlines() if keep.exists() else []:
        lineup, number, points = json.loads(line)
        yield tuple(lineup), number, tuple(points)
