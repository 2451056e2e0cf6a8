"""Rates of play: rounds and turns a second."""

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
    """What is measured."""

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


def cases() -> list[Case]:
    """Every engine there is; the kernel also on all cores."""
    found = [Case(*asked) for asked in _ASKED]
    if why_missing() is None:
        found += [Case(*asked, "kernel") for asked in _ASKED]
        if (cores := default_jobs()) > 1:
            found += [Case("classic", 2, policy, "kernel", cores) for policy in Policy][:2]
    return found


def measure(case: Case, seconds: float) -> Json:
    """Play whole rounds for about so many seconds, one at least."""
    turns = rounds = 0
    play = _in_python if case.engine == "python" else _in_kernel
    next(play(case))  # what is made once is made now
    start = perf_counter()
    for played, taken in play(case):
        rounds += played
        turns += taken
        spent = perf_counter() - start
        if spent >= seconds:
            break
    return {
        "engine": case.engine,
        "edition": case.edition,
        "players": case.players,
        "policy": case.policy,
        "playouts_per_s": round(rounds / spent, 3),
        "turns_per_s": round(turns / spent, 3),
        "threads": case.threads,
    }


def _in_python(case: Case) -> Iterator[tuple[int, int]]:
    """Rounds one by one: how many, and their turns."""
    for seed in count(1):
        yield 1, playout(case, seed)


def _in_kernel(case: Case) -> Iterator[tuple[int, int]]:
    """Rounds by the thousand."""
    size = 1000 * case.threads
    for first in count(0, size):
        rounds = playouts(
            EDITIONS[case.edition], case.players, size, case.policy, 1, case.threads, first=first
        )
        yield size, int(rounds.turns.sum())


def playout(case: Case, seed: int) -> int:
    """Play one round from a fresh deal; how many turns it took."""
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
    return sum(turn.passes_on for turn in game.plies)
