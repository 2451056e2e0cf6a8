"""Many matches at once, with the results in their order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from triomino.bots.simulation import simulate_match
from triomino.cli.pool import in_order
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


def play_all(job: Job, processes: int) -> Generator[Played, None, None]:
    """Every match in order; what comes out does not depend on the number of processes."""
    # Starting a process takes as long as a few matches.
    useful = min(processes, job.matches // 4)
    return in_order(_play, job, range(1, job.matches + 1), processes if useful > 1 else 1)


def _play(job: Job, number: int) -> Played:
    match = simulate_match(job.rules, job.bots, job.seed, number)
    return Played.of(match, write_record(match) if job.with_records else None)
