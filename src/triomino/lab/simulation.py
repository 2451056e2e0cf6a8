"""Many matches at once, with the results in their order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

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
from triomino.lab.process_pool import in_order
from triomino.match import Match
from triomino.record import write_record
from triomino.scoring import HEXAGONS, Reason

if TYPE_CHECKING:
    from collections.abc import Generator

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
        turns = [turn for game in match.rounds for turn in game.plies]
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


def play_all(job: Job, processes: int) -> Generator[Played, None, None]:
    """Every match in order; what comes out does not depend on the number of processes.

    The kernel chooses the moves where it can; they are the same.
    """
    # Starting a process takes as long as a few matches.
    useful = min(processes, job.matches // 4)
    return in_order(_play, job, range(1, job.matches + 1), processes if useful > 1 else 1)


def _play(job: Job, number: int) -> Played:
    match = replayed(job, number) if is_native(job) else None
    if match is None:
        match = simulate_match(job.rules, job.bots, job.seed, number)
    return Played.of(match, write_record(match) if job.with_records else None)


# --- With the kernel -----------------------------------------------------------------------------


def is_native(job: Job) -> bool:
    """Whether the kernel can play these matches."""
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


def replayed(job: Job, number: int) -> Match:
    """A match whose moves the kernel chose, every one checked by the rules in Python."""
    seeds = Seeds.named(len(job.bots), "simulate", job.seed, number)
    match = Match.start(job.rules, bot_players(job.bots), seeds)
    for round_number, moves in enumerate(match_moves(job.rules, job.bots, job.seed, number)):
        if round_number:
            match.next_round()
        for move in moves:
            match.play(move)
    return match


def blocks(job: Job, threads: int) -> Generator[Matches, None, None]:
    """All matches by the kernel, some at a time: each block takes a moment, so one can stop."""
    size = 500 * threads
    for first in range(1, job.matches + 1, size):
        count = min(size, job.matches + 1 - first)
        yield matches(job.rules, job.bots, job.seed, first, count, threads=threads)
