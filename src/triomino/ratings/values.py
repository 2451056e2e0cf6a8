"""A rating, and the result that changes it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from triomino.errors import TriominoError

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

MU: Final = 25.0
SIGMA: Final = MU / 3
"""What everybody begins with: openskill's own defaults."""

BETA: Final = 8.0
"""How much luck there is in one match, as openskill counts it. Its own 4.2 is for games with less:
with it, the simulated players of ``benchmarks/ratings`` are ranked worse at tables of four."""

SCALE: Final = 15.0
"""Points for one of openskill's units: 400 more win about ten times as often, as in Elo."""

MIDDLE: Final = 1500
"""The points of somebody who has not played yet."""

MATCHES_ON_BOARD: Final = 10
"""Rated matches of an edition that a rating needs to be on its leaderboard."""


@dataclass(frozen=True, slots=True)
class Rating:
    """How strong somebody is believed to be, and how certain that is.

    >>> Rating().points, Rating().uncertainty, Rating().is_provisional
    (1500, 250, True)
    """

    mu: float = MU
    sigma: float = SIGMA
    matches: int = 0

    @property
    def points(self) -> int:
        """The rating as people read it."""
        return round(MIDDLE + SCALE * (self.mu - MU))

    @property
    def uncertainty(self) -> int:
        """How far the points may be off either way: two standard deviations."""
        return round(2 * SCALE * self.sigma)

    @property
    def is_provisional(self) -> bool:
        """Whether too little is known to rank by it."""
        return self.matches < MATCHES_ON_BOARD


@dataclass(frozen=True, slots=True)
class Seat:
    """How a person did in a rated match."""

    person: str
    rank: int
    """1 is first; the same number is a tie."""
    left: bool = False
    """Whether the person left for good, which counts as losing."""
    bot_moves: bool = False
    """Whether a bot played more than half of the person's moves."""


@dataclass(frozen=True, slots=True)
class RatedMatch:
    """The result of a rated match, as it is stored."""

    table: str
    edition: str
    at: int
    seats: tuple[Seat, ...]

    def __post_init__(self) -> None:
        people = {seat.person for seat in self.seats}
        if len(self.seats) < 2 or len(people) < len(self.seats):
            raise TriominoError("a rated match is between at least two different people")

    @property
    def is_played(self) -> bool:
        """Whether everybody's result counts: people played it, not bots that stood in."""
        return not any(seat.bot_moves for seat in self.seats)


def ranks_of(
    totals: Sequence[int], winners: Collection[int], left: Collection[int] = ()
) -> tuple[int, ...]:
    """The rank of each seat: winners first, then by points, and those who left last.

    >>> ranks_of([310, 402, 310], winners=[1])
    (2, 1, 2)
    >>> ranks_of([310, 402, 200], winners=[1], left=[1])
    (1, 3, 2)
    """

    def key(seat: int) -> tuple[int, int]:
        if seat in left:
            return (2, 0)
        return (0, 0) if seat in winners else (1, -totals[seat])

    keys = [key(seat) for seat in range(len(totals))]
    return tuple(1 + sum(other < own for other in keys) for own in keys)
