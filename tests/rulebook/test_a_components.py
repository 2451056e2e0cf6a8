"""10.A: the tiles and the two sets."""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement, product
from typing import TYPE_CHECKING

import pytest

from tests.rulebook.boards import ALL, SET_56_EDITIONS, editions
from triomino import Board, Cell, Place, Tile

if TYPE_CHECKING:
    from collections.abc import Iterable

    from triomino import Rules

VALUES_56 = [1, 1, 2, 3, 4, 5, 6, 6, 6, 6, 5, 4, 3, 2, 1, 1]
VALUES_76 = [1, 1, 2, 4, 5, 7, 9, 9, 9, 9, 7, 5, 4, 2, 1, 1]


def kinds(tiles: Iterable[Tile]) -> Counter[int]:
    """How many tiles show one, two or three different numbers."""
    return Counter(len(set(tile.numbers)) for tile in tiles)


def occurrences(tiles: Iterable[Tile]) -> list[tuple[int, int]]:
    """On how many tiles and on how many corners each number is found."""
    shown = [tile.numbers for tile in tiles]
    return [
        (sum(n in numbers for numbers in shown), sum(numbers.count(n) for numbers in shown))
        for n in range(6)
    ]


def by_value(tiles: Iterable[Tile]) -> list[int]:
    count = Counter(tile.points for tile in tiles)
    return [count[value] for value in range(16)]


def mirrored(tile: Tile) -> Tile:
    return Tile(tile.c, tile.b, tile.a)


@editions(*SET_56_EDITIONS)
def test_tv_01_the_set_of_56(rules: Rules) -> None:
    tiles = rules.tiles
    assert len(tiles) == len(set(tiles)) == 56
    expected = combinations_with_replacement(range(6), 3)
    assert {tile.numbers for tile in tiles} == set(expected)
    assert kinds(tiles) == {1: 6, 2: 30, 3: 20}
    assert sum(tile.points for tile in tiles) == 420
    assert occurrences(tiles) == [(21, 28)] * 6
    assert by_value(tiles) == VALUES_56


@editions("six-player")
def test_tv_02_the_set_of_76(rules: Rules) -> None:
    tiles = rules.tiles
    assert len(tiles) == len(set(tiles)) == 76
    readings = [{(a, b, c), (b, c, a), (c, a, b)} for a, b, c in product(range(6), repeat=3)]
    assert {tile.numbers for tile in tiles} == {min(reading) for reading in readings}
    assert kinds(tiles) == {1: 6, 2: 30, 3: 40}
    assert sum(tile.points for tile in tiles) == 570
    assert occurrences(tiles) == [(31, 38)] * 6
    assert by_value(tiles) == VALUES_76
    small = {Tile(*numbers) for numbers in combinations_with_replacement(range(6), 3)}
    assert small < set(tiles)
    three_different = {tile for tile in small if len(set(tile.numbers)) == 3}
    assert set(tiles) - small == {mirrored(tile) for tile in three_different}


@editions(*ALL)
def test_tv_03_a_tile_may_be_turned_but_not_flipped(rules: Rules) -> None:
    one, same, again = Tile.parse("1-2-3"), Tile.parse("2-3-1"), Tile.parse("3-1-2")
    assert one == same == again
    assert one in rules.tiles
    flipped = Tile.parse("1-3-2")
    assert flipped != one
    assert flipped == mirrored(one)
    assert (flipped in rules.tiles) is (rules.edition == "six-player")
    double = Tile.parse("1-1-2")
    assert double == mirrored(double)


@editions(*ALL)
@pytest.mark.parametrize(("p", "q"), list(product(range(6), repeat=2)))
def test_tv_04_how_many_tiles_fit_an_edge(rules: Rules, p: int, q: int) -> None:
    # Edge 0 of U(0,0) reads p then q; the third number keeps the tile in either set.
    board = Board.of([Place(Cell(0, 0), (p, q, max(p, q)))])
    beside = Cell(-1, 0, down=True)
    fitting = {
        tile
        for tile in rules.tiles
        for numbers in tile.orientations
        if board.why_not(Place(beside, numbers)) is None
    }
    assert fitting == {tile for tile in rules.tiles if reads(tile, q, p)}
    assert len(fitting) == expected_fits(rules, p, q)


def reads(tile: Tile, first: int, then: int) -> bool:
    a, b, c = tile.numbers
    return (first, then) in {(a, b), (b, c), (c, a)}


def expected_fits(rules: Rules, p: int, q: int) -> int:
    if rules.edition == "six-player" or p == q:
        return 6
    return q - p + 1 if p < q else (6 - p) + (q + 1)


def test_tv_04_the_two_printed_edges() -> None:
    board = Board.of([Place(Cell(0, 0), (0, 5, 5))])  # edge 0 reads 0-5, edge 2 reads 5-0
    small = [Tile(*numbers) for numbers in combinations_with_replacement(range(6), 3)]

    def count(cell: str) -> int:
        every = [numbers for tile in small for numbers in tile.orientations]
        return sum(board.why_not(Place(Cell.parse(cell), numbers)) is None for numbers in every)

    assert (count("D(-1,0)"), count("D(0,-1)")) == (6, 2)
