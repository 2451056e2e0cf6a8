"""Who stands where, and why: points, then the tie-breaks in the order in which they are tried.

1. **Points**: :data:`WIN` for a table won, none for the last place, evenly spaced between; those
   who tie share. A bye counts as a win.
2. **Buchholz**: the points of the opponents, at each table their mean. Who had the harder tables is
   ahead. A bye counts as an opponent as strong as oneself.
3. **Direct encounter**: if all who are still level have met each other, what they took from each
   other.
4. **Difference**: points of the game, at each table beyond the mean of the others.

Who is level after all four shares the rank.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, groupby
from typing import TYPE_CHECKING

from triomino.tournament.values import WIN

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from triomino.tournament.values import Entrant, PlayedRound, PlayedTable, TableResult


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the standings."""

    rank: int
    """From 1; those who are level share it."""
    player: int
    points: int
    buchholz: Fraction
    direct: int
    difference: Fraction
    tables: int
    """Tables played."""
    wins: int
    """Tables won, alone or shared."""
    byes: int


def _place_keys(result: TableResult) -> list[tuple[bool, int]]:
    """What the places at a table are decided by: having won, then the total."""
    return [(seat in result.winners, total) for seat, total in enumerate(result.totals)]


def table_points(result: TableResult) -> tuple[int, ...]:
    """The points of every seat: what each of the others is worth, if beaten, or half if level.

    >>> from triomino.tournament.values import TableResult
    >>> table_points(TableResult.of_totals([402, 120, 310]))
    (12, 0, 6)
    """
    keys = _place_keys(result)
    each = WIN // (len(keys) - 1)
    return tuple(
        sum(each if key > other else each // 2 if key == other else 0 for other in keys) - each // 2
        for key in keys
    )


def standings(entrants: Sequence[Entrant], rounds: Sequence[PlayedRound]) -> list[Row]:
    """The standings, best first. Tables without a result do not count yet."""
    played = [table for one in rounds for table in one.tables if table.result is not None]
    byes = [player for one in rounds for player in one.byes]
    points = {entrant.number: entrant.points for entrant in entrants}
    for table in played:
        for player, got in _got(table):
            points[player] += got
    for player in byes:
        points[player] += WIN
    at: dict[int, list[PlayedTable]] = {player: [] for player in points}
    for table in played:
        for player in table.players:
            at[player].append(table)
    rows = [_row(player, points, at[player], byes.count(player)) for player in points]
    return _ranked(rows, played)


def _got(table: PlayedTable) -> Iterator[tuple[int, int]]:
    if table.result is not None:
        yield from zip(table.players, table_points(table.result), strict=True)


def _row(player: int, points: dict[int, int], own: Sequence[PlayedTable], byes: int) -> Row:
    """The line of a player, who sat at the tables *own*; not ranked yet."""
    buchholz, difference, tables, wins = Fraction(byes * points[player]), Fraction(0), 0, 0
    for table in own:
        if table.result is None:
            continue
        seat, others = table.players.index(player), len(table.players) - 1
        totals = table.result.totals
        tables += 1
        wins += seat in table.result.winners
        strength = sum(points[other] for other in table.players if other != player)
        buchholz += Fraction(strength, others)
        difference += totals[seat] - Fraction(sum(totals) - totals[seat], others)
    return Row(0, player, points[player], buchholz, 0, difference, tables, wins, byes)


def _ranked(rows: Iterable[Row], played: Sequence[PlayedTable]) -> list[Row]:
    """The rows in order with their ranks and what the direct encounters gave."""
    first = sorted(rows, key=lambda row: (-row.points, -row.buchholz))
    direct: dict[int, int] = {}
    for _, level in groupby(first, key=lambda row: (row.points, row.buchholz)):
        direct |= _direct([row.player for row in level], played)

    def key(row: Row) -> tuple[Fraction | int, ...]:
        return (-row.points, -row.buchholz, -direct[row.player], -row.difference)

    ranked: list[Row] = []
    for _, level in groupby(sorted(first, key=lambda row: (key(row), row.player)), key=key):
        rank = len(ranked) + 1
        ranked += [
            Row(
                rank,
                row.player,
                row.points,
                row.buchholz,
                direct[row.player],
                row.difference,
                row.tables,
                row.wins,
                row.byes,
            )
            for row in level
        ]
    return ranked


def _direct(level: Sequence[int], played: Sequence[PlayedTable]) -> dict[int, int]:
    """What players took from each other; nothing unless each has met each."""
    if len(level) == 1:
        return {level[0]: 0}
    taken: defaultdict[int, int] = defaultdict(int)
    met: set[frozenset[int]] = set()
    among = set(level)
    for table in played:
        if table.result is None:
            continue
        keys = _place_keys(table.result)
        seats = [seat for seat, player in enumerate(table.players) if player in among]
        for one, other in combinations(seats, 2):
            first, second = table.players[one], table.players[other]
            met.add(frozenset((first, second)))
            taken[first] += WIN * (keys[one] > keys[other]) + WIN // 2 * (keys[one] == keys[other])
            taken[second] += WIN * (keys[other] > keys[one]) + WIN // 2 * (keys[one] == keys[other])
    everybody = len(level) * (len(level) - 1) // 2
    return {player: taken[player] if len(met) == everybody else 0 for player in level}
