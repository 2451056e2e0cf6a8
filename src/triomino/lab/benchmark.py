"""Speed of play: rounds and turns per second."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from time import perf_counter
from typing import TYPE_CHECKING, Final

from triomino.bots import GreedyBot
from triomino.dice import Rng
from triomino.game import Game
from triomino.kernel import Policy, playouts, why_missing
from triomino.lab.process_pool import default_jobs
from triomino.rules import EDITIONS
from triomino.view import View

if TYPE_CHECKING:
    from collections.abc import Iterator

    from triomino.rules import Json


@dataclass(frozen=True, slots=True)
class Case:
    """What is measured: an engine, an edition, a player count and a policy."""

    edition: str
    players: int
    policy: str
    engine: str = "python"
    threads: int = 1


_ASKED: Final = [
    (edition, players, policy)
    for edition in ("classic", "six-player")
    for players in (2, 4, 6)
    if players in EDITIONS[edition].racks
    for policy in ("random", "greedy")
]


@dataclass(frozen=True, slots=True)
class Rate:
    """How fast a case was played."""

    case: Case
    playouts_per_s: float
    turns_per_s: float

    def line(self) -> Json:
        """Return the rate as an object for programs."""
        return {
            "engine": self.case.engine,
            "edition": self.case.edition,
            "players": self.case.players,
            "policy": self.case.policy,
            "playouts_per_s": self.playouts_per_s,
            "turns_per_s": self.turns_per_s,
            "threads": self.case.threads,
        }


def cases() -> list[Case]:
    """Return the cases of every engine there is; of the kernel, some on all cores too."""
    found = [Case(*asked) for asked in _ASKED]
    if why_missing() is None:
        found += [Case(*asked, "kernel") for asked in _ASKED]
        if (cores := default_jobs()) > 1:
            found += [Case("classic", 2, policy, "kernel", cores) for policy in Policy][:2]
    return found


def measure(case: Case, seconds: float) -> Rate:
    """Play whole rounds for about so many seconds, one at least."""
    turns = rounds = 0
    play = _in_python if case.engine == "python" else _in_kernel
    next(play(case))  # tables that are made once are not measured
    start = perf_counter()
    for played, taken in play(case):
        rounds += played
        turns += taken
        spent = perf_counter() - start
        if spent >= seconds:
            break
    return Rate(case, round(rounds / spent, 3), round(turns / spent, 3))


def _in_python(case: Case) -> Iterator[tuple[int, int]]:
    """Yield the numbers of rounds and of turns, round by round."""
    for seed in count(1):
        yield 1, playout(case, seed)


def _in_kernel(case: Case) -> Iterator[tuple[int, int]]:
    """Yield the numbers of rounds and of turns, by thousands of rounds."""
    size = 1000 * case.threads
    for first in count(0, size):
        rounds = playouts(
            EDITIONS[case.edition], case.players, size, case.policy, 1, case.threads, first=first
        )
        yield size, int(rounds.turns.sum())


def playout(case: Case, seed: int) -> int:
    """Play one round from a fresh deal; return how many turns it took."""
    game = Game.deal(EDITIONS[case.edition], case.players, seed)
    if case.policy == "greedy":
        bot = GreedyBot()
        while not game.over:
            game.play(bot.choose(View.of(game, game.turn)))
    else:
        rng = Rng.named("bench", seed)
        while not game.over:
            moves = game.legal_moves()
            game.play(moves[rng.randrange(len(moves))])
    return sum(ply.passes_on for ply in game.plies)
