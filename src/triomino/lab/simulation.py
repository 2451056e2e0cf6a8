"""Many matches between bots, with the results in their order.

>>> from triomino import CLASSIC
>>> result = simulate(Job(CLASSIC, ("greedy", "random"), seed=1, matches=20))
>>> result.summary.matches
20
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from triomino.bots.simulation import bot_players, simulate_match
from triomino.fair import Seeds
from triomino.kernel import (
    NATIVE_BOTS,
    KernelError,
    Matches,
    match_moves,
    matches,
    native_rules,
    why_missing,
)
from triomino.lab.process_pool import default_jobs, in_order
from triomino.lab.summary import Summary
from triomino.match import Match
from triomino.record import write_record
from triomino.scoring import HEXAGONS, Reason

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from triomino.rules import Rules, Seat


_BLOCK: Final = 500
"""Matches that the kernel plays at once, for each thread."""


@dataclass(frozen=True, slots=True)
class Job:
    """Everything that decides the matches of a simulation."""

    rules: Rules
    bots: tuple[str, ...]
    """The name of a bot for each seat."""
    seed: int
    matches: int
    with_records: bool = False


@dataclass(frozen=True, slots=True)
class MatchOutcome:
    """The numbers that a summary needs of a match and, if wanted, its record."""

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
    def of(cls, match: Match, record: str | None = None) -> MatchOutcome:
        """Count a match that is over."""
        plies = [ply for game in match.rounds for ply in game.plies]
        made = [(ply.seat, ply.bonus) for ply in plies if ply.bonus is not None]
        seats = range(len(match.players))
        return cls(
            scores=match.scores,
            winners=match.winners,
            rounds=len(match.rounds),
            turns=sum(ply.passes_on for ply in plies),
            bridges=tuple(made.count((seat, Reason.BRIDGE)) for seat in seats),
            hexagons=tuple(
                sum(made.count((seat, hexagon)) for hexagon in HEXAGONS) for seat in seats
            ),
            record=record,
        )


@dataclass(frozen=True, slots=True)
class SimulationResult:
    """What a simulation came to."""

    summary: Summary
    interrupted: bool
    """Whether Ctrl-C stopped it early."""


def simulate(
    job: Job,
    *,
    processes: int | None = None,
    cluster: str | None = None,
    write_record: Callable[[str], object] | None = None,
    on_progress: Callable[[int], object] | None = None,
) -> SimulationResult:
    """Play the matches of a job, on every core unless told otherwise, and sum them up.

    With *cluster*, the address of a Ray cluster, its machines play them; the results are the same.

    With ``job.with_records`` each record goes to *write_record*, in order. *on_progress* is called
    with the number of matches played since the last call. Ctrl-C ends it after a whole match.
    """
    summary, interrupted = Summary(job), False
    progress = on_progress or (lambda _: None)
    processes = processes or default_jobs()
    try:
        if not job.with_records and is_native(job):
            with closing(native_blocks(job, processes, cluster)) as blocks:
                for block in blocks:
                    progress(summary.add_block(block))
        else:
            with closing(play_all(job, processes, cluster)) as outcomes:
                for outcome in outcomes:
                    if write_record is not None and outcome.record is not None:
                        write_record(outcome.record)
                    summary.add(outcome)
                    progress(1)
    except KeyboardInterrupt:
        interrupted = True
    return SimulationResult(summary, interrupted)


def play_all(
    job: Job, processes: int, cluster: str | None = None
) -> Generator[MatchOutcome, None, None]:
    """Play every match, in order; the outcomes do not depend on the number of processes.

    The kernel chooses the moves where it can; they are the same.
    """
    # Starting a process takes as long as a few matches.
    useful = min(processes, job.matches // 4)
    numbers = range(1, job.matches + 1)
    return in_order(_play, job, numbers, processes if useful > 1 else 1, cluster)


def _play(job: Job, number: int) -> MatchOutcome:
    match = native_match(job, number) if is_native(job) else None
    if match is None:
        match = simulate_match(job.rules, job.bots, job.seed, number)
    return MatchOutcome.of(match, write_record(match) if job.with_records else None)


# --- With the kernel -----------------------------------------------------------------------------


def is_native(job: Job) -> bool:
    """Return whether the kernel can play these matches."""
    if (
        why_missing() is not None
        or len(str(job.seed)) > 100
        or not NATIVE_BOTS.issuperset(job.bots)
    ):
        return False
    try:
        native_rules(job.rules)
    except KernelError:
        return False
    return True


def native_match(job: Job, number: int) -> Match:
    """Play a match with the moves that the kernel chose, each checked by the rules in Python."""
    seeds = Seeds.named(len(job.bots), "simulate", job.seed, number)
    match = Match.start(job.rules, bot_players(job.bots), seeds)
    for round_number, moves in enumerate(match_moves(job.rules, job.bots, job.seed, number)):
        if round_number:
            match.next_round()
        for move in moves:
            match.play(move)
    return match


def native_blocks(
    job: Job, threads: int, cluster: str | None = None
) -> Generator[Matches, None, None]:
    """Let the kernel play all matches, in blocks short enough to stop between two of them."""
    if cluster is not None:
        blocks = -(-job.matches // _BLOCK)
        yield from in_order(_play_block, job, range(blocks), 1, cluster)
        return
    size = _BLOCK * threads
    for first in range(1, job.matches + 1, size):
        count = min(size, job.matches + 1 - first)
        yield matches(job.rules, job.bots, job.seed, first, count, threads=threads)


def _play_block(job: Job, number: int) -> Matches:
    first = 1 + number * _BLOCK
    count = min(_BLOCK, job.matches + 1 - first)
    return matches(job.rules, job.bots, job.seed, first, count, threads=1)
