"""Two bots against each other: the same deals with the seats exchanged, and what they prove."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from statistics import NormalDist, fmean, variance
from time import perf_counter
from typing import TYPE_CHECKING, Final

from triomino.bots.base import Limit
from triomino.bots.registry import make_bot
from triomino.bots.simulation import bot_players, play_out
from triomino.dice import Rng
from triomino.fair import Seeds
from triomino.match import Match
from triomino.record import write_record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triomino.bots.base import Bot
    from triomino.moves import Move
    from triomino.rules import Json, Rules
    from triomino.view import View

Z95: Final = NormalDist().inv_cdf(0.975)

FIRST_LOOK: Final = 30
"""Deals before a sequential test may decide: with fewer their spread is not known well enough."""


@dataclass(frozen=True, slots=True)
class Contest:
    """Who plays what: everything that decides the games of an arena, but for thinking time."""

    rules: Rules
    bots: tuple[str, str]
    """The first has one seat, the second all the others."""
    players: int
    seed: int
    limit: Limit = Limit()
    with_records: bool = False

    def seats(self, seat: int) -> list[str]:
        """Who sits where when the first bot has *seat*."""
        first, second = self.bots
        return [first if other == seat else second for other in range(self.players)]


@dataclass(frozen=True, slots=True)
class Result:
    """A game of the first bot."""

    wins: tuple[Fraction, Fraction]
    """What each bot has of the win; together 1."""
    margins: tuple[float, float]
    """The score less the mean of the others', of one seat of each bot."""


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
    """A bot with a watch."""

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
    """What the deals so far come to. A deal counts as one: its games are not independent."""

    contest: Contest
    games: int = 0
    wins: list[Fraction] = field(default_factory=lambda: [Fraction(), Fraction()])
    moves: list[int] = field(default_factory=lambda: [0, 0])
    seconds: list[float] = field(default_factory=lambda: [0.0, 0.0])
    rates: list[float] = field(default_factory=list)
    """The part of its games that the first bot won, for each deal."""
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
        """An object for each bot.

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
