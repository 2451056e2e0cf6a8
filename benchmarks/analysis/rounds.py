"""Rounds between bots of all strengths, judged ply by ply, and kept as they come."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from benchmarks.analysis.pool_bots import POOL, pool_bot
from benchmarks.deals import dealt
from benchmarks.kept_rows import kept_rows, version_of
from triomino import EDITIONS, View
from triomino.analysis import Rollouts, decide, views
from triomino.analysis.chances import Judged, judge_round
from triomino.analysis.review import DEFAULT
from triomino.bots import Limit, make_bot
from triomino.dice import Rng

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from triomino.rules import Rules

BOTS: Final = ("beginner", "easy", "reply", "medium", "hard", "expert", "champion")
LIMITS: Final = {"champion": Limit(rollouts=400)}
"""In rollouts, so that a seed gives the same rounds on every machine."""
JUDGE: Final = Rollouts(250)
EFFORT: Final = replace(DEFAULT, rollouts=480, endgame_nodes=20_000)
OTHER_GAMES: Final = tuple(
    (rules, players) for rules in EDITIONS.values() for players in rules.racks
)


@dataclass(frozen=True, slots=True)
class Row:
    """One round and what the analysis says of it."""

    number: int
    edition: str
    bots: tuple[str, ...]
    starter: int
    judged: Judged
    lost: tuple[float, ...]
    """By seat: what its decisions gave away, with the variance of that, and how many there were."""
    variance: tuple[float, ...]
    decisions: tuple[int, ...]

    @property
    def key(self) -> str:
        """The name of the map that applies."""
        return f"{self.edition}/{len(self.bots)}"

    @property
    def won(self) -> np.ndarray[Any, np.dtype[np.float64]]:
        """The share of the win of each seat."""
        return self.judged.shares[-1]


class Kind(StrEnum):
    """Which rounds are played; each kind has its own file."""

    CLASSIC = "classic"
    """Of two: a third of the rounds is champion against itself, the rest any two of ``BOTS``."""
    OTHERS = "others"
    """Every edition and number of players takes its turn, with bots as above."""
    POOL = "pool"
    """An opponent of the pool against one of ``BOTS``."""


def pairing(number: int, kind: Kind) -> tuple[Rules, tuple[str, ...]]:
    """Return the rules and the bots of a round."""
    dice = Rng.named("analysis", number)
    rules, players = EDITIONS["classic"], 2
    if kind is Kind.POOL:
        both = POOL[dice.randrange(len(POOL))], BOTS[dice.randrange(len(BOTS))]
        return rules, both if dice.randrange(2) else both[::-1]
    if kind is Kind.OTHERS:
        rules, players = OTHER_GAMES[number % len(OTHER_GAMES)]
    if number % 3 == 0:
        return rules, ("champion",) * players
    return rules, tuple(BOTS[dice.randrange(len(BOTS))] for _ in range(players))


def play(number: int, kind: Kind) -> Row:
    """Play a round, judge its positions and compare its decisions with the best ones."""
    rules, names = pairing(number, kind)
    game = dealt(rules, len(names), number)
    bots = [pool_bot(name, Rng.named("bot", number, seat)) for seat, name in enumerate(names)]
    while not game.over:
        seat = game.turn
        limit = LIMITS.get(names[seat])
        game.play(bots[seat].choose(View.of(game, seat), limit))
    lost, variance = [0.0] * len(names), [0.0] * len(names)
    decisions = [0] * len(names)
    for turn, view in enumerate(views(game)):
        dice = Rng.named("decide", number, turn)
        found = decide(view, game.plies[turn].move, EFFORT, dice)
        if found is not None:
            lost[found.seat] += found.lost
            variance[found.seat] += found.noise**2
            decisions[found.seat] += 1
    judged = judge_round(game, JUDGE, seed=number)
    return Row(
        *(number, rules.edition, names, game.starter, judged),
        *(tuple(lost), tuple(variance), tuple(decisions)),
    )


def rows(count: int, folder: Path, kind: Kind, jobs: int = 1) -> list[Row]:
    """Return rounds 1 to *count*; those that the folder has already are not played again."""
    made = kept_rows(folder / f"{kind}.jsonl", count, _made, kind, jobs)
    return [_from_json(data) for data in made]


def _made(kind: Kind, number: int) -> dict[str, Any]:
    return _to_json(play(number, kind))


def bots_version() -> str:
    """Return another text when a bot changes, with which kept rounds are out of date."""
    return version_of(make_bot(name, Rng(1)) for name in BOTS)


def _to_json(row: Row) -> dict[str, Any]:
    judged = row.judged
    return {
        "number": row.number,
        "edition": row.edition,
        "bots": row.bots,
        "starter": row.starter,
        "start": _list(judged.start),
        "shares": [_list(each) for each in judged.shares],
        "left": [round(each, 4) for each in judged.left],
        "drawn": [None if each is None else _list(each) for each in judged.drawn],
        "lost": [round(each, 6) for each in row.lost],
        "variance": [round(each, 8) for each in row.variance],
        "decisions": row.decisions,
    }


def _list(values: Sequence[float] | np.ndarray[Any, np.dtype[np.float64]]) -> list[float]:
    return [round(float(value), 6) for value in values]


def _from_json(data: dict[str, Any]) -> Row:
    judged = Judged(
        np.array(data["start"]),
        tuple(np.array(each) for each in data["shares"]),
        tuple(data["left"]),
        tuple(None if each is None else np.array(each) for each in data["drawn"]),
        over=True,
    )
    return Row(
        *(data["number"], data["edition"], tuple(data["bots"]), data["starter"], judged),
        *(tuple(data[key]) for key in ("lost", "variance", "decisions")),
    )
