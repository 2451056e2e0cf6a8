"""The lattice: cells, vertices, their keys, and who touches whom."""

from __future__ import annotations

from math import atan2, isclose, sqrt, tau

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import FAR, cells
from triomino.errors import NotationError
from triomino.grid import (
    ORIGIN,
    Cell,
    Vertex,
    cell_at,
    neighbour_keys,
    ring_keys,
    vertex_keys,
)

vertices = st.builds(Vertex, st.integers(-FAR, FAR), st.integers(-FAR, FAR))
near = cells(limit=6)


def cartesian(vertex: Vertex) -> tuple[float, float]:
    return vertex.x + vertex.y / 2, vertex.y * sqrt(3) / 2


def middle(cell: Cell) -> tuple[float, float]:
    points = [cartesian(vertex) for vertex in cell.vertices]
    return sum(x for x, _ in points) / 3, sum(y for _, y in points) / 3


# --- Text ----------------------------------------------------------------------------------------


@given(cells())
def test_text_and_value_undo_each_other(cell: Cell) -> None:
    assert Cell.parse(str(cell)) == cell


@pytest.mark.parametrize("text", ["U(1,-2)", "U(1 ,-2)", "U(1, -2)", "U(1   ,   -2)"])
def test_spaces_round_the_comma_are_read_and_never_written(text: str) -> None:
    assert str(Cell.parse(text)) == "U(1,-2)"


@pytest.mark.parametrize(
    "text",
    ["", "U", "U()", "U(0)", "U(0,0,0)", "X(0,0)", "u(0,0)", "U(0,0) ", " U(0,0)", "U (0,0)",
     "U( 0,0)", "U(0,0 )", "U(0,0)\n", "U(+1,0)", "U(01,0)", "U(-0,0)", "U(1.0,0)", "U(٣,0)",
     "U(1000000000,0)", "U(0,-1000000000)", "U(0\t,0)"],
)  # fmt: skip
def test_other_text_is_no_cell(text: str) -> None:
    with pytest.raises(NotationError, match="is no cell"):
        Cell.parse(text)


def test_a_vertex_is_written_as_a_point() -> None:
    assert str(Vertex(-1, 2)) == "(-1,2)"


# --- Geometry ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cell", "corners", "beside"),
    [
        ("U(3,-2)", [(3, -2), (3, -1), (4, -2)], ["D(2,-2)", "D(3,-2)", "D(3,-3)"]),
        ("D(3,-2)", [(4, -2), (3, -1), (4, -1)], ["U(3,-2)", "U(3,-1)", "U(4,-2)"]),
    ],
)
def test_the_table_of_corners_and_neighbours(
    cell: str, corners: list[tuple[int, int]], beside: list[str]
) -> None:
    assert [(vertex.x, vertex.y) for vertex in Cell.parse(cell).vertices] == corners
    assert [str(other) for other in Cell.parse(cell).neighbours] == beside


@given(near)
def test_a_cell_is_a_triangle_of_side_one_read_clockwise(cell: Cell) -> None:
    (ax, ay), (bx, by), (cx, cy) = points = [cartesian(vertex) for vertex in cell.vertices]
    for (px, py), (qx, qy) in zip(points, [*points[1:], points[0]], strict=True):
        assert isclose((px - qx) ** 2 + (py - qy) ** 2, 1)
    assert isclose((bx - ax) * (cy - ay) - (by - ay) * (cx - ax), -sqrt(3) / 2)
    # Point up or down: two corners lie below the middle, or one does.
    below = sum(y < middle(cell)[1] for _, y in points)
    assert below == (1 if cell.down else 2)


@given(cells(FAR - 2))
def test_the_neighbour_across_an_edge_has_both_its_ends(cell: Cell) -> None:
    corners = cell.vertices
    for edge, other in enumerate(cell.neighbours):
        ends = {corners[edge], corners[(edge + 1) % 3]}
        assert set(corners) & set(other.vertices) == ends
        assert other.down != cell.down
        assert cell in other.neighbours


@given(cells(FAR - 2))
def test_twelve_cells_touch_a_cell_three_of_them_by_an_edge(cell: Cell) -> None:
    around = {other for vertex in cell.vertices for other in vertex.ring} - {cell}
    shared = {other: len({*cell.vertices} & {*other.vertices}) for other in around}
    assert len(around) == 12
    assert {other for other, count in shared.items() if count == 2} == set(cell.neighbours)
    assert sum(count == 1 for count in shared.values()) == 9


@given(vertices)
def test_the_ring_holds_every_cell_at_a_vertex(vertex: Vertex) -> None:
    assert len(set(vertex.ring)) == 6
    assert all(vertex in cell.vertices for cell in vertex.ring)


@given(st.builds(Vertex, st.integers(-6, 6), st.integers(-6, 6)))
def test_the_ring_runs_counter_clockwise_from_the_upper_right(vertex: Vertex) -> None:
    x, y = cartesian(vertex)
    angles = [atan2(my - y, mx - x) % tau for mx, my in map(middle, vertex.ring)]
    assert all(
        isclose(angle, (step + 0.5) * tau / 6, abs_tol=1e-9) for step, angle in enumerate(angles)
    )


@given(cells(FAR - 2))
def test_rows_and_columns(cell: Cell) -> None:
    row, column = cell.row_column
    assert (row + column) % 2 == cell.down
    places = {other.row_column for other in cell.neighbours}
    third = (row + 1, column) if cell.down else (row - 1, column)
    assert places == {(row, column - 1), (row, column + 1), third}


# --- Keys ----------------------------------------------------------------------------------------


@given(cells(), vertices)
def test_keys_and_values_undo_each_other(cell: Cell, vertex: Vertex) -> None:
    assert cell_at(cell.key) == cell
    assert Vertex.at(vertex.key) == vertex


@given(cells(FAR - 2))
def test_keys_step_as_the_values_do(cell: Cell) -> None:
    assert vertex_keys(cell.key) == tuple(vertex.key for vertex in cell.vertices)
    assert neighbour_keys(cell.key) == tuple(other.key for other in cell.neighbours)
    for vertex in cell.vertices:
        assert ring_keys(vertex.key) == tuple(other.key for other in vertex.ring)


@given(cells(), cells())
def test_cells_sort_row_by_row_each_from_the_left(one: Cell, other: Cell) -> None:
    by_place = sorted([one, other], key=lambda cell: cell.row_column)
    assert sorted([one, other]) == by_place
    assert sorted([one, other], key=lambda cell: cell.key) == by_place


def test_a_round_opens_on_the_cell_at_zero_that_points_up() -> None:
    assert str(ORIGIN) == "U(0,0)"
