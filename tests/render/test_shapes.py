from __future__ import annotations

from math import hypot

import pytest

from triomino import Cell, Vertex
from triomino.render.shapes import Frame, number, screen, turned


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (-0.001, "0"),
        (-0.0, "0"),
        (12.0, "12"),
        (100.0, "100"),
        (-1.5, "-1.5"),
        (2.675001, "2.68"),
        (1e-9, "0"),
        (1e9, "1000000000"),
    ],
)
def test_numbers_are_written_short(value: float, text: str) -> None:
    assert number(value) == text


def test_six_turns_are_none() -> None:
    for vertex in (Vertex(2, 1), Vertex(-3, 5), Vertex(0, 0)):
        assert turned(vertex, 6) == turned(vertex, 0) == (vertex.x, vertex.y)
        assert turned(vertex, -1) == turned(vertex, 5)
        assert turned(vertex, 3) == (-vertex.x, -vertex.y)


def test_a_turn_is_counter_clockwise() -> None:
    # From the right to the upper right; above is less on a screen.
    assert screen(Vertex(1, 0), 0) == (1, 0)
    x, y = screen(Vertex(1, 0), 1)
    assert x == pytest.approx(0.5)
    assert y == pytest.approx(-0.866, abs=0.001)


@pytest.mark.parametrize("turn", range(6))
def test_a_turned_cell_stays_clockwise_and_whole(turn: int) -> None:
    frame = Frame(10, 100, 100, turn)
    for cell in (Cell(0, 0), Cell(3, -2, True)):
        (ax, ay), (bx, by), (cx, cy) = frame.triangle(cell)
        # With y downwards, clockwise is positive.
        assert (bx - ax) * (cy - ay) - (by - ay) * (cx - ax) > 0
        for dx, dy in ((bx - ax, by - ay), (cx - bx, cy - by), (ax - cx, ay - cy)):
            assert hypot(dx, dy) == pytest.approx(10)
