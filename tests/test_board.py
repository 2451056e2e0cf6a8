"""What fits where, and what it closes, against a second model written from the rules alone.

The model knows a cell as ``(kind, x, y)`` and its three points from the table of the lattice; two
cells are neighbours when they have two points in common. It looks everything up afresh each time.
"""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import TYPE_CHECKING, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import boards, cells, places, tiles
from triomino.board import FITS, Board
from triomino.errors import PositionError, Why
from triomino.grid import Cell, Vertex
from triomino.moves import Place
from triomino.rules import BridgeRule
from triomino.tile import SET_76, Tile, mask_of, tiles_in

if TYPE_CHECKING:
    from collections.abc import Iterable
    from random import Random

    from triomino.tile import Numbers

Spot: TypeAlias = tuple[str, int, int]
Point: TypeAlias = tuple[int, int]


def points_of(spot: Spot) -> tuple[Point, Point, Point]:
    kind, x, y = spot
    if kind == "U":
        return (x, y), (x, y + 1), (x + 1, y)
    return (x + 1, y), (x, y + 1), (x + 1, y + 1)


def spot_of(cell: Cell) -> Spot:
    return "D" if cell.down else "U", cell.x, cell.y


def place_on(spot: Spot, numbers: Numbers) -> Place:
    return Place(Cell(spot[1], spot[2], spot[0] == "D"), numbers)


class Model:
    """A board as the rules describe it."""

    def __init__(self, laid: Iterable[Place]) -> None:
        self.tiles = {spot_of(place.cell): place.numbers for place in laid}
        self.numbers = {
            point: number
            for spot, numbers in self.tiles.items()
            for point, number in zip(points_of(spot), numbers, strict=True)
        }
        self.at: dict[Point, set[Spot]] = {}
        for spot in self.tiles:
            for point in points_of(spot):
                self.at.setdefault(point, set()).add(spot)

    def touching(self, spot: Spot) -> dict[Spot, set[Point]]:
        """The tiles that touch a cell, and the points they have in common with it."""
        found: dict[Spot, set[Point]] = {}
        for point in points_of(spot):
            for other in self.at.get(point, set()) - {spot}:
                found.setdefault(other, set()).add(point)
        return found

    def shared_edges(self, spot: Spot) -> list[set[Point]]:
        return [common for common in self.touching(spot).values() if len(common) == 2]

    def why_not(self, spot: Spot, numbers: Numbers) -> str | None:
        if spot in self.tiles:
            return "occupied"
        if self.tiles and not self.shared_edges(spot):
            return "no_shared_edge"
        if any(
            self.numbers.get(point, number) != number
            for point, number in zip(points_of(spot), numbers, strict=True)
        ):
            return "corner_mismatch"
        return None

    def hexagons(self, spot: Spot) -> int:
        """How many points of an empty cell have six tiles once it is filled."""
        return sum(len(self.at.get(point, ())) == 5 for point in points_of(spot))

    def is_bridge(self, spot: Spot, rule: str) -> bool:
        corners = set(points_of(spot))
        edges = self.shared_edges(spot)
        numbered = corners <= self.numbers.keys()
        apexes = [(corners - edge).pop() for edge in edges]
        if rule == "strict":
            return len(edges) == 1 and apexes[0] in self.numbers
        if rule == "one_free_side":
            return numbered and len(edges) <= 2
        if rule == "three_corners":
            return numbered
        assert rule == "apex_contact"
        return any(common == {apex} for apex in apexes for common in self.touching(spot).values())

    def spots_around(self) -> list[Spot]:
        """Every cell in a box that leaves room round the tiles."""
        xs = [x for _, x, _ in self.tiles] or [0]
        ys = [y for _, _, y in self.tiles] or [0]
        box = product("UD", range(min(xs) - 2, max(xs) + 3), range(min(ys) - 2, max(ys) + 3))
        return list(box)

    def placements(self, some: Iterable[Tile]) -> set[Place]:
        if not self.tiles:
            return {
                place_on(("U", 0, 0), numbers) for tile in some for numbers in orientations(tile)
            }
        return {
            place_on(spot, numbers)
            for spot in self.spots_around()
            if spot not in self.tiles and self.shared_edges(spot)
            for tile in some
            for numbers in orientations(tile)
            if self.why_not(spot, numbers) is None
        }


def orientations(tile: Tile) -> set[Numbers]:
    a, b, c = tile.a, tile.b, tile.c
    return {(a, b, c), (b, c, a), (c, a, b)}


def lay(text: str) -> Board:
    return Board.of(map(Place.parse, text.split()))


@st.composite
def loose_boards(draw: st.DrawFn) -> Board:
    """Any tiles that agree: connected or not, the same tile more than once."""
    board = Board()
    for place in draw(st.lists(places(limit=2), max_size=25)):
        if place.cell not in board and board.agrees(place):
            board.lay(place)
    return board


any_board = boards() | loose_boards()


# --- May it be laid? -----------------------------------------------------------------------------


@given(any_board, st.lists(tiles(), unique=True, max_size=12))
def test_placements_are_all_that_the_rules_allow(board: Board, some: list[Tile]) -> None:
    found = board.placements(mask_of(some))
    assert len(found) == len(set(found))
    assert set(found) == Model(board.places).placements(some)


@given(any_board)
def test_placements_come_by_cell_and_then_by_tile(board: Board) -> None:
    found = board.placements(mask_of(SET_76))
    if len(board):
        keys = [(*place.cell.row_column, place.tile.numbers) for place in found]
        assert keys == sorted(keys)
    else:
        assert found == [
            place_on(("U", 0, 0), numbers) for tile in SET_76 for numbers in tile.orientations
        ]


@given(any_board, st.lists(places(limit=4), min_size=1))
def test_the_reason_is_the_first_condition_that_fails(board: Board, some: list[Place]) -> None:
    model = Model(board.places)
    for place in some:
        assert board.why_not(place) == model.why_not(spot_of(place.cell), place.numbers)


@given(any_board)
def test_open_cells_and_playable_tiles_follow_from_the_rules(board: Board) -> None:
    model = Model(board.places)
    ways = model.placements(SET_76)
    assert set(tiles_in(board.playable)) == {place.tile for place in ways}
    beside = {s for s in model.spots_around() if s not in model.tiles and model.shared_edges(s)}
    assert {spot_of(cell) for cell in board.open_cells} == (beside if model.tiles else set())
    assert board.open_cells == sorted(board.open_cells)


@given(boards(most=12), st.randoms(use_true_random=False))
def test_what_fits_after_a_placement_is_what_fits_once_it_is_laid(
    board: Board, random: Random
) -> None:
    ways = board.placements(mask_of(SET_76) & ~board.laid)
    for place in random.sample(ways, min(3, len(ways))):
        after = board.copy()
        after.lay(place)
        for tile in SET_76:
            assert board.fits_after(place, tile.bit) == bool(after.playable & tile.bit)


@given(any_board, st.randoms(use_true_random=False))
def test_the_order_of_laying_leaves_no_trace(board: Board, random: Random) -> None:
    laid = board.places
    random.shuffle(laid)
    again = Board.of(laid, repeats=True)
    assert again == board
    assert again.places == laid
    assert again.numbers == board.numbers
    assert again.laid == board.laid == mask_of([place.tile for place in laid])
    assert again.placements(mask_of(SET_76)) == board.placements(mask_of(SET_76))


@given(boards(most=12), cells(limit=999_999_900))
def test_a_board_is_the_same_anywhere(board: Board, by: Cell) -> None:
    def moved(some: Iterable[Place]) -> list[Place]:
        return [
            Place(Cell(place.cell.x + by.x, place.cell.y + by.y, place.cell.down), place.numbers)
            for place in some
        ]

    if not len(board):
        return
    away = Board.of(moved(board.places))
    ways = board.placements(mask_of(SET_76))
    assert away.placements(mask_of(SET_76)) == moved(ways)
    for here, there in zip(board.open_cells, away.open_cells, strict=True):
        assert board.hexagons(here) == away.hexagons(there)
        for rule in BridgeRule:
            assert board.is_bridge(here, rule) == away.is_bridge(there, rule)


@given(any_board)
def test_numbers_are_those_of_the_tiles(board: Board) -> None:
    model = Model(board.places)
    assert {(v.x, v.y): number for v, number in board.numbers.items()} == model.numbers
    assert len(board) == len(model.tiles)
    for spot in model.spots_around():
        cell = Cell(spot[1], spot[2], spot[0] == "D")
        assert (cell in board) == (spot in model.tiles)
        assert board.corners(cell.key) == tuple(map(model.numbers.get, points_of(spot)))


@pytest.mark.parametrize(
    "corners", [(1, 3, None), (None, 3, 1), (0, None, 0), (2, 2, 2), (0, 2, 1)]
)
def test_what_fits_three_corners(corners: tuple[int | None, int | None, int | None]) -> None:
    found = FITS[corners]
    expected = {
        tile.bit: numbers
        for tile in SET_76
        for numbers in orientations(tile)
        if all(have is None or have == want for have, want in zip(corners, numbers, strict=True))
    }
    assert found.oriented == expected
    assert found.mask == sum(expected)


# --- A board as it stands ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("U(0,0)=1-3-4 U(0,0)=1-3-4", "two tiles on one cell"),
        ("U(0,0)=1-3-4 D(-1,0)=1-2-2", "corners disagree"),
        ("U(0,0)=1-3-4 U(-1,1)=2-2-4", "corners disagree"),
        ("U(0,0)=1-3-4 U(5,5)=3-4-1", "tile 1-3-4 lies on the board twice"),
    ],
)
def test_a_board_that_contradicts_itself_is_refused(text: str, reason: str) -> None:
    with pytest.raises(PositionError, match=reason):
        lay(text)


def test_a_board_may_be_in_pieces_and_on_request_repeat_a_tile() -> None:
    assert len(lay("U(0,0)=1-3-4 D(5,5)=0-0-0")) == 2
    assert (
        len(Board.of([Place.parse("U(0,0)=1-3-4"), Place.parse("U(5,5)=3-4-1")], repeats=True)) == 2
    )


@given(boards())
def test_a_copy_goes_its_own_way(board: Board) -> None:
    before, ways = board.places, board.placements(mask_of(SET_76))
    copy = board.copy()
    assert copy == board
    copy.lay(copy.placements(mask_of(SET_76))[0])
    assert copy != board
    assert (board.places, board.placements(mask_of(SET_76))) == (before, ways)
    assert board.laid == mask_of([place.tile for place in before])


def test_a_board_shows_its_tiles_and_is_no_key() -> None:
    board = lay("U(0,0)=1-3-4 D(-1,0)=1-2-3")
    assert repr(board) == "<Board U(0,0)=1-3-4 D(-1,0)=1-2-3>"
    assert board != "a board"
    with pytest.raises(TypeError, match="unhashable"):
        hash(board)


# --- What would it close? ------------------------------------------------------------------------


@given(any_board)
def test_hexagons_and_bridges_are_those_of_the_rules(board: Board) -> None:
    model = Model(board.places)
    for cell in board.open_cells:
        spot = spot_of(cell)
        assert board.hexagons(cell) == model.hexagons(spot)
        for rule in BridgeRule:
            assert board.is_bridge(cell, rule) == model.is_bridge(spot, rule.value)


@pytest.mark.parametrize("middle", [Cell(0, 0), Cell(-1, 2, down=True)], ids=str)
def test_every_pattern_round_a_cell(middle: Cell) -> None:
    """All ways to fill the twelve cells round one, those with a shared edge counted as proved."""
    around = sorted({cell for vertex in middle.vertices for cell in vertex.ring} - {middle})
    seen: Counter[tuple[int, int, bool, bool, bool, bool]] = Counter()
    for pattern in range(1 << 12):
        filled = [Place(cell, (0, 0, 0)) for i, cell in enumerate(around) if pattern >> i & 1]
        edges = sum(place.cell in middle.neighbours for place in filled)
        if not edges:
            continue
        board, model, spot = Board.of(filled, repeats=True), Model(filled), spot_of(middle)
        bridges = [board.is_bridge(middle, rule) for rule in BridgeRule]
        assert bridges == [model.is_bridge(spot, rule.value) for rule in BridgeRule]
        assert board.hexagons(middle) == model.hexagons(spot)
        strict, one_free_side, three_corners, apex_contact = bridges
        closed = board.hexagons(middle)
        seen[edges, closed, strict, one_free_side, apex_contact, three_corners] += 1
    assert seen == {
        # edges, hexagons, strict, one_free_side, apex_contact, three_corners
        (1, 0, False, False, False, False): 192,
        (1, 0, True, True, True, True): 1344,
        (2, 0, False, True, False, True): 21,
        (2, 0, False, True, True, True): 1323,
        (2, 1, False, True, False, True): 3,
        (2, 1, False, True, True, True): 189,
        (3, 0, False, False, False, True): 1,
        (3, 0, False, False, True, True): 342,
        (3, 1, False, False, True, True): 147,
        (3, 2, False, False, True, True): 21,
        (3, 3, False, False, True, True): 1,
    }


def test_a_corner_contact_is_no_bridge_unless_it_is_the_apex() -> None:
    # The third tile touches the first at one end of the edge it shares with the second.
    board = lay("U(0,0)=1-3-4 D(-1,0)=1-2-3")
    third = Place.parse("U(-1,1)=2-2-3")
    assert board.why_not(third) is None
    assert not any(board.is_bridge(third.cell, rule) for rule in BridgeRule)


def test_an_equal_corner_alone_is_no_place() -> None:
    board = lay("U(0,0)=1-3-4")
    assert board.why_not(Place.parse("U(-1,1)=2-2-3")) is Why.NO_SHARED_EDGE
    assert board.numbers == {Vertex(0, 0): 1, Vertex(0, 1): 3, Vertex(1, 0): 4}
