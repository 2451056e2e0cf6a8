"""10.B: where a tile may be laid, and the lattice."""

from __future__ import annotations

from itertools import product

import pytest

from tests.rulebook.boards import (
    ALL,
    PF,
    POINTS,
    editions,
    game_at,
    legal,
    places,
    play,
    refused,
    touching,
    unused,
)
from triomino import Board, Cell, Game, Place, Position, Rules, Vertex, Why

FIRST = "U(0,0)=1-3-4"
CELLS = [Cell(x, y, down) for x, y, down in product((-2, 0, 3), (-3, 0, 1), (False, True))]
WINDOW = [Cell(x, y, down) for x, y, down in product(range(-5, 7), range(-6, 5), (False, True))]


def holding_the_rest(rules: Rules, board: str = FIRST) -> Game:
    """Seat 0 holds every tile that is not on the board, but for two."""
    lying = places(board)
    spare, pool, *rest = unused(rules, [place.tile for place in lying])
    return Game.at(Position.of([rest, [spare]], [pool], rules=rules, board=lying))


@editions(*ALL)
def test_tv_05_three_figures_are_legal(rules: Rules) -> None:
    game = game_at(rules, "1-3-4 2-2-3 0-0-1 / 1-2-3 0-0-2", "0-0-3", board="")
    moves = ("U(0,0)=1-3-4", "D(-1,0)=1-2-3", "U(-1,1)=2-2-3")
    plies = [play(game, move) for move in moves]
    assert game.board.places == places(" ".join(moves))
    assert [ply.bonus for ply in plies] == [None] * 3
    if rules.edition in POINTS:
        assert [ply.points for ply in plies] == [8, 6, 7]
        assert game.totals == [15, 6]


@editions(*ALL)
def test_tv_06_an_occupied_cell_takes_no_tile(rules: Rules) -> None:
    board = Board.of(places(FIRST))
    for tile in rules.tiles:
        for numbers in tile.orientations:
            assert board.why_not(Place(Cell(0, 0), numbers)) is Why.OCCUPIED
    game = holding_the_rest(rules)
    for tile in game.racks[0]:
        for numbers in tile.orientations:
            refused(game, str(Place(Cell(0, 0), numbers)), Why.OCCUPIED)


def check_refused(rules: Rules, tile: str, move: str, why: Why) -> None:
    game = game_at(rules, f"{tile} 0-0-1 / 0-0-2", "0-0-3", board=FIRST)
    refused(game, move, why)
    assert game.board.why_not(Place.parse(move)) is why


@editions(*ALL)
def test_tv_07_an_equal_corner_is_not_enough(rules: Rules) -> None:
    check_refused(rules, "2-2-3", "U(-1,1)=2-2-3", Why.NO_SHARED_EDGE)


@editions(*ALL)
def test_tv_08_a_tile_must_touch(rules: Rules) -> None:
    check_refused(rules, "0-0-0", "D(5,5)=0-0-0", Why.NO_SHARED_EDGE)


@editions(*ALL)
def test_tv_09_both_corners_of_the_edge_must_match(rules: Rules) -> None:
    check_refused(rules, "1-2-2", "D(-1,0)=1-2-2", Why.CORNER_MISMATCH)


@editions("classic", "six-player")
def test_tv_10_the_right_numbers_in_the_wrong_sense(rules: Rules) -> None:
    game = game_at(rules, "1-3-5 0-0-1 / 0-0-2", "0-0-3", board=FIRST)
    for numbers in ("1-3-5", "3-5-1", "5-1-3"):
        refused(game, f"D(-1,0)={numbers}", Why.CORNER_MISMATCH)
    assert not any(move.startswith("D(-1,0)") for move in legal(game))


def test_tv_10_its_mirror_image_fits() -> None:
    game = game_at("six-player", "1-5-3 0-0-1 / 0-0-2", "0-0-3", board=FIRST)
    for numbers in ("5-3-1", "3-1-5"):
        refused(game, f"D(-1,0)={numbers}", Why.CORNER_MISMATCH)
    assert play(game, "D(-1,0)=1-5-3").points == 9


def test_tv_10_the_set_of_56_has_no_such_mirror_image() -> None:
    game = game_at("classic", "1-3-5 0-0-1 / 0-0-2", "0-0-3", board=FIRST)
    refused(game, "D(-1,0)=1-5-3", Why.NOT_IN_SET)


@editions(*ALL)
def test_tv_11_a_bridge_that_does_not_match_is_illegal(rules: Rules) -> None:
    assert Board.of(places(PF)).why_not(Place.parse("U(0,0)=4-5-4")) is Why.CORNER_MISMATCH
    # The named board holds 4-4-5 itself, so a hand can only try the other tiles with two fours.
    for apex in (1, 2):
        game = game_at(rules, f"{apex}-4-4 3-4-4 / 1-1-1", "2-2-2", board=PF)
        refused(game, f"U(0,0)=4-{apex}-4", Why.CORNER_MISMATCH)
        assert "U(0,0)=4-3-4" in legal(game)


@pytest.mark.parametrize("cell", CELLS, ids=str)
def test_tv_12_the_neighbourhood_of_a_cell(cell: Cell) -> None:
    corners = set(cell.vertices)
    shared = {other: corners & set(other.vertices) for other in WINDOW if other != cell}
    by_edge = {other for other, vertices in shared.items() if len(vertices) == 2}
    by_vertex = {other for other, vertices in shared.items() if len(vertices) == 1}
    assert (len(by_edge), len(by_vertex)) == (3, 9)
    assert set(cell.neighbours) == by_edge
    assert set(touching(cell)) == by_edge | by_vertex
    for edge, other in enumerate(cell.neighbours):
        assert cell in other.neighbours
        assert shared[other] == {cell.vertices[edge], cell.vertices[(edge + 1) % 3]}
        back = other.neighbours.index(cell)
        assert {other.vertices[back], other.vertices[(back + 1) % 3]} == shared[other]
    for vertex in cell.vertices:
        assert len(vertex.ring) == 6
        assert set(vertex.ring) == {other for other in WINDOW if vertex in other.vertices}


@pytest.mark.parametrize(("x", "y"), list(product((-2, 0, 3), (-3, 0, 1))))
def test_tv_12_the_table_of_the_lattice(x: int, y: int) -> None:
    up, down = Cell(x, y), Cell(x, y, down=True)
    assert up.vertices == (Vertex(x, y), Vertex(x, y + 1), Vertex(x + 1, y))
    assert down.vertices == (Vertex(x + 1, y), Vertex(x, y + 1), Vertex(x + 1, y + 1))
    assert list(map(str, up.neighbours)) == [f"D({x - 1},{y})", f"D({x},{y})", f"D({x},{y - 1})"]
    assert list(map(str, down.neighbours)) == [f"U({x},{y})", f"U({x},{y + 1})", f"U({x + 1},{y})"]
    assert list(map(str, Vertex(x, y).ring)) == [
        f"U({x},{y})",
        f"D({x - 1},{y})",
        f"U({x - 1},{y})",
        f"D({x - 1},{y - 1})",
        f"U({x},{y - 1})",
        f"D({x},{y - 1})",
    ]


@editions(*ALL)
def test_tv_12_a_first_tile_opens_three_cells(rules: Rules) -> None:
    game = holding_the_rest(rules)
    opened = {move.cell for move in game.legal_moves() if isinstance(move, Place)}
    assert opened == {Cell(-1, 0, down=True), Cell(0, 0, down=True), Cell(0, -1, down=True)}


@pytest.mark.parametrize("cell", CELLS, ids=str)
def test_tv_13_rows_and_columns(cell: Cell) -> None:
    row, column = cell.row_column
    assert (row, column) == (cell.y, 2 * cell.x + cell.y + (1 if cell.down else 0))
    assert (row + column) % 2 == (1 if cell.down else 0)
    third = (row + 1, column) if cell.down else (row - 1, column)
    assert {other.row_column for other in cell.neighbours} == {
        (row, column - 1),
        (row, column + 1),
        third,
    }
