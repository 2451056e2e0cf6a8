"""Tables of three or four such that as few as possible meet again."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from triomino.tournament.values import Meetings

STEPS: Final = 20_000
"""Tables that are tried in order before chance helps."""

STARTS: Final = 60
"""Random starts of the search, at most; a start of 40 players takes about ten milliseconds."""


def table_sizes(players: int, seats: int) -> list[int]:
    """Tables of at most so many seats, as equal as possible, the large ones first.

    >>> table_sizes(14, 4), table_sizes(5, 2)
    ([4, 4, 3, 3], [2, 2, 1])
    """
    tables = -(-players // seats)
    return [players // tables + (number < players % tables) for number in range(tables)]


def group(
    order: Sequence[int], sizes: Sequence[int], met: Meetings, dice: Random
) -> list[tuple[int, ...]]:
    """Tables of these sizes, neighbours in *order* together as far as nobody meets again.

    If that cannot be found, those meet again who met least often, as far as a search from some
    random starts finds out.
    """
    steps = [STEPS]
    found = _in_order(list(order), list(sizes), met, steps)
    if found is not None:
        return found
    return even(order, sizes, met, dice)


def _in_order(
    rest: list[int], sizes: Sequence[int], met: Meetings, steps: list[int]
) -> list[tuple[int, ...]] | None:
    """The first tables in order at which nobody meets again; ``None`` if none are found."""
    if not sizes:
        return []
    first, others = rest[0], [one for one in rest[1:] if not met[frozenset((rest[0], one))]]
    for chosen in combinations(others, sizes[0] - 1):
        steps[0] -= 1
        if steps[0] < 0:
            return None
        if any(met[frozenset(pair)] for pair in combinations(chosen, 2)):
            continue
        left = [one for one in rest[1:] if one not in chosen]
        tail = _in_order(left, sizes[1:], met, steps)
        if tail is not None:
            return [(first, *chosen), *tail]
    return None


def even(
    order: Sequence[int], sizes: Sequence[int], met: Meetings, dice: Random
) -> list[tuple[int, ...]]:
    """Tables at which pairs meet that have met least often, by exchanges from random starts."""
    best: list[list[int]] = []
    best_cost = -1
    for start in range(STARTS):
        players = list(order)
        if start:
            dice.shuffle(players)
        tables = _cut(players, sizes)
        cost = _settle(tables, met)
        if best_cost < 0 or cost < best_cost:
            best, best_cost = tables, cost
        if best_cost == 0:
            break
    return [tuple(table) for table in best]


def _cut(players: Sequence[int], sizes: Sequence[int]) -> list[list[int]]:
    tables, at = [], 0
    for size in sizes:
        tables.append(list(players[at : at + size]))
        at += size
    return tables


def _settle(tables: list[list[int]], met: Meetings) -> int:
    """Exchange players between tables while that helps; return what meeting again costs."""
    improved = True
    while improved:
        improved = False
        for one, other in combinations(range(len(tables)), 2):
            for i in range(len(tables[one])):
                for j in range(len(tables[other])):
                    improved |= _exchange(tables[one], i, tables[other], j, met)
    return sum(met[frozenset(pair)] for table in tables for pair in combinations(table, 2))


def _exchange(one: list[int], i: int, other: list[int], j: int, met: Meetings) -> bool:
    before = _cost(one, i, met) + _cost(other, j, met)
    one[i], other[j] = other[j], one[i]
    if _cost(one, i, met) + _cost(other, j, met) < before:
        return True
    one[i], other[j] = other[j], one[i]
    return False


def _cost(table: Sequence[int], at: int, met: Meetings) -> int:
    """How often the player at a seat has met the others of a table."""
    return sum(met[frozenset((table[at], one))] for seat, one in enumerate(table) if seat != at)
