"""Two bots against each other: the same deals with the seats exchanged.

>>> from triomino import CLASSIC
>>> result = run_arena(Contest(CLASSIC, ("greedy", "random"), players=2, seed=1), deals=3)
>>> result.standing.games
6
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass, field
from fractions import Fraction
from statistics import fmean
from time import perf_counter
from typing import TYPE_CHECKING

from triomino.bots.base import Limit
from triomino.bots.registry import make_bot
from triomino.bots.simulation import bot_players, play_out
from triomino.dice import Rng
from triomino.fair import Seeds
from triomino.lab.process_pool import default_jobs, in_order
from triomino.lab.statistics import mean_interval, win_interval
from triomino.match import Match
from triomino.record import write_record

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from triomino.bots.base import Bot
    from triomino.lab.arena_file import ArenaFile
    from triomino.lab.statistics import Sprt
    from triomino.moves import Move
    from triomino.rules import Json, Rules
    from triomino.view import View


@dataclass(frozen=True, slots=True)
class Contest:
    """Everything that decides the games of an arena, but for the speed of the machine."""

    rules: Rules
    bots: tuple[str, str]
    """The first has one seat, the second all the others."""
    players: int
    seed: int
    limit: Limit = Limit()
    with_records: bool = False

    def seats(self, seat: int) -> list[str]:
        """Return the bot of each seat when the first bot has *seat*."""
        first, second = self.bots
        return [first if other == seat else second for other in range(self.players)]


@dataclass(frozen=True, slots=True)
class Result:
    """The result of one game."""

    wins: tuple[Fraction, Fraction]
    """The share of the win that each bot has; together 1."""
    margins: tuple[float, float]
    """The score less the mean of the other seats, for one seat of each bot."""


@dataclass(frozen=True, slots=True)
class Deal:
    """The games of one deal: one for each seat of the first bot."""

    number: int
    results: tuple[Result, ...]
    moves: tuple[int, int]
    seconds: tuple[float, float]
    """How often each bot was asked, and how long it thought in all."""
    records: tuple[str, ...] = ()


@dataclass(slots=True)
class _Timed:
    """A bot whose thinking time is measured."""

    bot: Bot
    moves: int = 0
    seconds: float = 0.0

    @property
    def name(self) -> str:
        return self.bot.name

    def choose(self, view: View, limit: Limit | None = None) -> Move:
        began = perf_counter()
        move = self.bot.choose(view, limit)
        self.seconds += perf_counter() - began
        self.moves += 1
        return move


def play_deal(contest: Contest, number: int) -> Deal:
    """Play one deal with the first bot at every seat in turn.

    The deals are those of ``Seeds.named(players, "arena", seed, number)``, the chance of the bot
    at a seat is ``Rng.named("arena", seed, number, game, seat)``.
    """
    seeds = Seeds.named(contest.players, "arena", contest.seed, number)
    results: list[Result] = []
    records: list[str] = []
    first, second = watches = ([], [])  # type: tuple[list[_Timed], list[_Timed]]
    for game in range(contest.players):
        names = contest.seats(game)
        bots = [
            _Timed(make_bot(name, Rng.named("arena", contest.seed, number, game, seat)))
            for seat, name in enumerate(names)
        ]
        match = Match.start(contest.rules, bot_players(names), seeds)
        play_out(match, bots, contest.limit)
        results.append(_result(match, game))
        if contest.with_records:
            records.append(write_record(match))
        for seat, bot in enumerate(bots):
            watches[seat != game].append(bot)
    return Deal(
        number=number,
        results=tuple(results),
        moves=(sum(bot.moves for bot in first), sum(bot.moves for bot in second)),
        seconds=(sum(bot.seconds for bot in first), sum(bot.seconds for bot in second)),
        records=tuple(records),
    )


def _result(match: Match, seat: int) -> Result:
    scores, others = match.scores, len(match.scores) - 1
    won = Fraction(int(seat in match.winners), len(match.winners))
    rest = fmean(score for other, score in enumerate(scores) if other != seat)
    margin = scores[seat] - rest
    # The margins of all seats together are 0; the others share what the first does not have.
    return Result((won, 1 - won), (margin, -margin / others))


@dataclass(slots=True)
class Standing:
    """Totals over the deals so far. A deal is one observation: its games are not independent."""

    contest: Contest
    games: int = 0
    wins: list[Fraction] = field(default_factory=lambda: [Fraction(), Fraction()])
    moves: list[int] = field(default_factory=lambda: [0, 0])
    seconds: list[float] = field(default_factory=lambda: [0.0, 0.0])
    rates: list[float] = field(default_factory=list)
    """The share of its games that the first bot won, for each deal."""
    margins: list[float] = field(default_factory=list)

    def add(self, deal: Deal) -> None:
        """Count a deal."""
        self.games += len(deal.results)
        for bot in (0, 1):
            self.wins[bot] += sum((result.wins[bot] for result in deal.results), Fraction())
            self.moves[bot] += deal.moves[bot]
            self.seconds[bot] += deal.seconds[bot]
        self.rates.append(fmean(float(result.wins[0]) for result in deal.results))
        self.margins.append(fmean(result.margins[0] for result in deal.results))

    def lines(self) -> list[Json]:
        """Return an object for each bot.

        With more than two players ``wins`` of the second are those of all its seats, the margin
        is that of one of them.
        """
        others = self.contest.players - 1
        low, high = win_interval(self.rates)
        rates = [(low, high), (1 - high, 1 - low)]
        down, up = mean_interval(self.margins)
        margins = [(down, up), (-up / others, -down / others)]
        mean = fmean(self.margins)
        means = [mean, -mean / others]
        return [
            {
                "bot": name,
                "games": self.games,
                "wins": round(float(self.wins[bot]), 4),
                "win_rate": round(float(self.wins[bot] / self.games), 4),
                "win_rate_95": [round(end, 4) for end in rates[bot]],
                "mean_margin": round(means[bot], 3) + 0.0,
                "margin_95": [round(end, 3) + 0.0 for end in margins[bot]],
                "ms_per_move": round(1000 * self.seconds[bot] / max(1, self.moves[bot]), 3),
            }
            for bot, name in enumerate(self.contest.bots)
        ]


# --- Playing it ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ArenaResult:
    """What an arena came to."""

    standing: Standing
    decision: float | None
    """The win rate that the sequential test accepted, if there was one and it decided."""
    interrupted: bool
    """Whether Ctrl-C stopped it early."""


def run_arena(
    contest: Contest,
    deals: int,
    *,
    test: Sprt | None = None,
    file: ArenaFile | None = None,
    processes: int | None = None,
    cluster: str | None = None,
    write_record: Callable[[str], object] | None = None,
    on_deal: Callable[[Deal, Standing], object] | None = None,
) -> ArenaResult:
    """Play *deals* deals, fewer if *test* decides before; on every core unless told otherwise.

    With *cluster*, the address of a Ray cluster, its machines play.
    Deals that *file* holds already are counted and not played again; new ones are added to it.
    *on_deal* is called after each deal with the standing that includes it. Results are the same
    whatever the number of processes. Ctrl-C ends it after the last whole deal; without any deal
    it raises ``KeyboardInterrupt``.
    """
    standing, interrupted = Standing(contest), False
    played = file.deals[:deals] if file is not None else []
    with closing(_deals(contest, played, deals, processes or default_jobs(), cluster)) as results:
        try:
            for deal in results:
                if file is not None and deal.number > len(played):
                    file.add(deal)
                if write_record is not None:
                    for record in deal.records:
                        write_record(record)
                standing.add(deal)
                if on_deal is not None:
                    on_deal(deal, standing)
                if test is not None and test.decide(standing.rates) is not None:
                    break
        except KeyboardInterrupt:
            if not standing.games:
                raise
            interrupted = True
    decision = None if test is None else test.decide(standing.rates)
    return ArenaResult(standing, decision, interrupted)


def _deals(
    contest: Contest, played: list[Deal], deals: int, processes: int, cluster: str | None
) -> Generator[Deal, None, None]:
    yield from played
    numbers = range(len(played) + 1, deals + 1)
    # Starting a process takes as long as a few games.
    useful = min(processes, len(numbers) // 4)
    yield from in_order(play_deal, contest, numbers, processes if useful > 1 else 1, cluster)
