"""Many matches at once, with the results in their order."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections import deque
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

from triomino.bots.simulation import simulate_match
from triomino.errors import TriominoError
from triomino.record import write_record
from triomino.scoring import HEXAGONS, Reason

if TYPE_CHECKING:
    from collections.abc import Generator

    from triomino.match import Match
    from triomino.rules import Rules, Seat


@dataclass(frozen=True, slots=True)
class Job:
    """A simulation: everything that decides its matches."""

    rules: Rules
    bots: tuple[str, ...]
    """A name for each seat."""
    seed: int
    matches: int
    with_records: bool = False


@dataclass(frozen=True, slots=True)
class Played:
    """What is left of a match: numbers for a table and, if wanted, its record."""

    scores: tuple[int, ...]
    winners: tuple[Seat, ...]
    rounds: int
    turns: int
    """A turn is everything between two changes of seat."""
    bridges: tuple[int, ...]
    hexagons: tuple[int, ...]
    """Tiles that closed one, two or three of them."""
    record: str | None = None

    @classmethod
    def of(cls, match: Match, record: str | None = None) -> Played:
        """Count a match that is over."""
        turns = [turn for game in match.rounds for turn in game.turns]
        made = [(turn.seat, turn.bonus) for turn in turns if turn.bonus is not None]
        seats = range(len(match.players))
        return cls(
            scores=match.scores,
            winners=match.winners,
            rounds=len(match.rounds),
            turns=sum(turn.passes_on for turn in turns),
            bridges=tuple(made.count((seat, Reason.BRIDGE)) for seat in seats),
            hexagons=tuple(
                sum(made.count((seat, hexagon)) for hexagon in HEXAGONS) for seat in seats
            ),
            record=record,
        )


def default_jobs() -> int:
    """The cores this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def play_all(job: Job, processes: int) -> Generator[Played, None, None]:
    """Every match in order; what comes out does not depend on the number of processes."""
    numbers = range(1, job.matches + 1)
    # Starting a process takes as long as a few matches.
    if min(processes, job.matches // 4) < 2:
        yield from (_play(job, number) for number in numbers)
        return
    # Not a fork: a bar may be drawn by a thread of ours.
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(processes, context, initializer=_leave_interrupts_to_the_parent)
    waiting: deque[Future[Played]] = deque()
    try:
        for number in numbers:
            waiting.append(pool.submit(_play, job, number))
            if len(waiting) > 8 * processes:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    except BrokenExecutor:
        raise TriominoError("a process that played matches has died; try --jobs 1") from None
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _leave_interrupts_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _play(job: Job, number: int) -> Played:
    match = simulate_match(job.rules, job.bots, job.seed, number)
    return Played.of(match, write_record(match) if job.with_records else None)
