"""What a tournament consists of: players, rounds, tables and their results."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations
from typing import TYPE_CHECKING, Final, TypeAlias

from triomino.errors import TriominoError

if TYPE_CHECKING:
    from collections.abc import Iterable

WIN: Final = 12
"""Points for a table won, and for a bye: 12 can be shared evenly at tables of two, three and four,
whoever ties with whom."""

MOST_SEATS: Final = 4

Meetings: TypeAlias = Counter[frozenset[int]]
"""How often two players have sat at one table."""


class System(StrEnum):
    """How the tables of a round are made up."""

    SWISS = "swiss"
    ROUND_ROBIN = "round_robin"


@dataclass(frozen=True, slots=True)
class TableResult:
    """How a table ended: the total of every seat, and the seats that won."""

    totals: tuple[int, ...]
    winners: tuple[int, ...]

    def __post_init__(self) -> None:
        if not 2 <= len(self.totals) <= MOST_SEATS:
            raise TriominoError(f"a table has 2 to {MOST_SEATS} totals, not {len(self.totals)}")
        if not self.winners or not set(self.winners) <= set(range(len(self.totals))):
            raise TriominoError("somebody at the table must have won")

    @classmethod
    def of_totals(cls, totals: Iterable[int]) -> TableResult:
        """The result if nothing but the totals decides: the highest wins.

        >>> TableResult.of_totals([210, 402, 402]).winners
        (1, 2)
        """
        known = tuple(totals)
        best = max(known, default=0)
        return cls(known, tuple(seat for seat, total in enumerate(known) if total == best))


@dataclass(frozen=True, slots=True)
class PlayedTable:
    """A table of a round: its players by seat, and its result once there is one."""

    players: tuple[int, ...]
    result: TableResult | None = None


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """A round: its tables, and who had nobody to play with."""

    tables: tuple[PlayedTable, ...]
    byes: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player: with how many points they began, and whether they are still there."""

    number: int
    points: int = 0
    present: bool = True


def meetings(rounds: Iterable[PlayedRound]) -> Meetings:
    """How often each two players were set at one table, whether it was played or not."""
    return Counter(
        frozenset(pair)
        for played in rounds
        for table in played.tables
        for pair in combinations(table.players, 2)
    )
