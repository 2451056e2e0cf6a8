"""Tiles, their text, and the two sets."""

from __future__ import annotations

import pickle
from collections import Counter
from itertools import product
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import numbers, tiles
from triomino.errors import NotationError
from triomino.tile import (
    MASKS,
    SET_56,
    SET_76,
    TILE_SETS,
    Tile,
    mask_of,
    parse_numbers,
    rotations,
    tile_of,
    tiles_in,
)

if TYPE_CHECKING:
    from triomino.tile import Numbers


@pytest.mark.parametrize("tile", SET_76, ids=str)
def test_text_and_value_undo_each_other(tile: Tile) -> None:
    assert Tile.parse(str(tile)) == tile
    assert repr(tile) == "Tile({}, {}, {})".format(*tile.numbers)


@given(numbers())
def test_every_rotation_names_the_same_tile(corners: Numbers) -> None:
    a, b, c = corners
    same = {Tile(a, b, c), Tile(b, c, a), Tile(c, a, b), Tile.parse(f"{b}-{c}-{a}")}
    assert same == {tile_of(corners)}
    tile = same.pop()
    assert tile.numbers == min((a, b, c), (b, c, a), (c, a, b))
    assert tile.points == a + b + c
    assert tile.is_triple == (len(set(corners)) == 1)
    assert set(tile.orientations) == {(a, b, c), (b, c, a), (c, a, b)}
    assert len(tile.orientations) == len(set(tile.orientations))


@given(numbers())
def test_a_mirror_image_is_another_tile_unless_two_corners_agree(corners: Numbers) -> None:
    a, b, c = corners
    assert (Tile(a, b, c) == Tile(c, b, a)) == (len({a, b, c}) < 3)


@given(numbers())
def test_numbers_are_read_in_the_order_written(corners: Numbers) -> None:
    assert parse_numbers("-".join(map(str, corners))) == corners


@pytest.mark.parametrize(
    "text",
    ["", "1-2", "1-2-3-4", "1-2-6", "-1-2-3", "1 - 2 - 3", " 1-2-3", "1-2-3\n", "12-3", "1-2-3-",
     "01-2-3", "1-2-x", "1–2–3", "١-٢-٣"],
)  # fmt: skip
def test_other_text_is_no_tile(text: str) -> None:
    with pytest.raises(NotationError, match="is no tile"):
        Tile.parse(text)


@pytest.mark.parametrize("corners", [(0, 0, 6), (-1, 0, 0), (0, 9, 0)])
def test_other_numbers_are_no_tile(corners: Numbers) -> None:
    with pytest.raises(NotationError, match="from 0 to 5"):
        Tile(*corners)


@pytest.mark.parametrize(
    ("tiles", "count", "kinds", "total", "on_tiles", "on_corners"),
    [
        (SET_56, 56, {1: 6, 2: 30, 3: 20}, 420, 21, 28),
        (SET_76, 76, {1: 6, 2: 30, 3: 40}, 570, 31, 38),
    ],
    ids=["56", "76"],
)
def test_the_sets_have_the_tiles_they_should(
    tiles: tuple[Tile, ...],
    count: int,
    kinds: dict[int, int],
    total: int,
    on_tiles: int,
    on_corners: int,
) -> None:
    assert len(tiles) == len(set(tiles)) == count
    assert Counter(len(set(tile.numbers)) for tile in tiles) == kinds
    assert sum(tile.points for tile in tiles) == total
    for number in range(6):
        assert sum(number in tile.numbers for tile in tiles) == on_tiles
        assert sum(tile.numbers.count(number) for tile in tiles) == on_corners


@pytest.mark.parametrize(
    ("tiles", "by_value"),
    [
        (SET_56, [1, 1, 2, 3, 4, 5, 6, 6, 6, 6, 5, 4, 3, 2, 1, 1]),
        (SET_76, [1, 1, 2, 4, 5, 7, 9, 9, 9, 9, 7, 5, 4, 2, 1, 1]),
    ],
    ids=["56", "76"],
)
def test_so_many_tiles_have_each_value(tiles: tuple[Tile, ...], by_value: list[int]) -> None:
    assert Counter(tile.points for tile in tiles) == dict(enumerate(by_value))


def test_the_larger_set_adds_the_mirror_images() -> None:
    mirrored = {Tile(tile.c, tile.b, tile.a) for tile in SET_56}
    assert set(SET_76) == set(SET_56) | mirrored
    assert all(tile.a <= tile.b <= tile.c for tile in SET_56)
    assert Tile(1, 3, 2) not in SET_56


@pytest.mark.parametrize(("p", "q"), [*product(range(6), repeat=2)])
def test_so_many_tiles_fit_an_open_edge(p: int, q: int) -> None:
    def fitting(tiles: tuple[Tile, ...]) -> int:
        return sum(
            any(numbers[:2] == (q, p) for numbers in rotations(tile.numbers)) for tile in tiles
        )

    assert fitting(SET_76) == 6
    assert fitting(SET_56) == (6 if p == q else q - p + 1 if p < q else (6 - p) + (q + 1))


def test_the_sets_are_in_ascending_order_of_their_numbers() -> None:
    for whole in TILE_SETS.values():
        assert [tile.numbers for tile in whole] == sorted(tile.numbers for tile in whole)
        assert list(whole) == sorted(whole)


@given(st.lists(tiles(), unique=True))
def test_a_mask_holds_the_tiles_in_ascending_order(some: list[Tile]) -> None:
    assert tiles_in(mask_of(some)) == sorted(some)


def test_each_tile_has_a_bit_and_each_set_a_mask() -> None:
    assert [tile.bit for tile in SET_76] == [1 << index for index in range(76)]
    assert {name: mask_of(tiles) for name, tiles in TILE_SETS.items()} == MASKS
    assert (tiles_in(MASKS["56"]), tiles_in(MASKS["76"])) == (list(SET_56), list(SET_76))


@pytest.mark.parametrize(("name", "numbers"), [("4", 2), ("10", 3), ("20", 4), ("35", 5)])
def test_a_small_set_is_ordered_like_the_56(name: str, numbers: int) -> None:
    assert len(TILE_SETS[name]) == int(name)
    assert set(TILE_SETS[name]) == {tile for tile in SET_56 if max(tile.numbers) < numbers}


@pytest.mark.parametrize(("name", "numbers"), [("11", 3), ("24", 4), ("45", 5)])
def test_a_small_set_has_both_orientations_like_the_76(name: str, numbers: int) -> None:
    assert len(TILE_SETS[name]) == int(name)
    assert set(TILE_SETS[name]) == {tile for tile in SET_76 if max(tile.numbers) < numbers}


@given(tiles())
def test_a_tile_can_be_sent_to_another_process(tile: Tile) -> None:
    copy = pickle.loads(pickle.dumps(tile))  # noqa: S301 - our own bytes
    assert (copy, copy.bit, hash(copy)) == (tile, tile.bit, hash(tile))
