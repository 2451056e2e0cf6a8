"""A board as an array of pixels, for ``render_mode="rgb_array"``; made by numpy alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from triomino.render.shapes import ROW_HEIGHT
from triomino.render.theme import NIGHT, PALETTE, digit_colour

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triomino.board import Board
    from triomino.moves import Place

SIDE: Final = 480
"""The width and the height of a picture."""
_FINE: Final = 2  # pixels are the mean of so many by so many
_MOST: Final = 60.0 * _FINE  # the longest side of a tile, so that a single one does not fill all
_MARGIN: Final = 16.0 * _FINE
_GAP: Final = 0.04  # at the edges of a tile, as a share of its height
_COLOURED: Final = 0.52  # where the colour of a number begins, from the side opposite to it
_OUT: Final = 0.5  # where a digit is, on the way from the middle to a corner


def board_pixels(board: Board, side: int = SIDE) -> NDArray[np.uint8]:
    """Return the board as large as it fits into a square: *side* x *side* x 3, red, green, blue."""
    size = side * _FINE
    pixels = np.empty((size, size, 3), np.float32)
    pixels[:] = _rgb(NIGHT.ground)
    places = board.places
    if places:
        corners = np.array([_corners(place) for place in places])
        low, high = corners.min(axis=(0, 1)), corners.max(axis=(0, 1))
        scale = min(_MOST, (size - 2 * _MARGIN) / float((high - low).max()))
        corners = (corners - (low + high) / 2) * scale + size / 2
        for place, where in zip(places, corners, strict=True):
            _draw_tile(pixels, where, place.numbers, scale)
    mean = pixels.reshape(side, _FINE, side, _FINE, 3).mean(axis=(1, 3))
    rounded: NDArray[np.uint8] = mean.round().astype(np.uint8)
    return rounded


def _corners(place: Place) -> list[tuple[float, float]]:
    return [(v.x + v.y / 2, -v.y * ROW_HEIGHT) for v in place.cell.vertices]


def _rgb(colour: str) -> NDArray[np.float32]:
    return np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)], np.float32)


def _draw_tile(
    pixels: NDArray[np.float32],
    corners: NDArray[np.float64],
    numbers: tuple[int, int, int],
    scale: float,
) -> None:
    left, top = np.floor(corners.min(axis=0)).astype(int)
    right, bottom = np.ceil(corners.max(axis=0)).astype(int) + 1
    part = pixels[top:bottom, left:right]
    y, x = np.mgrid[top:bottom, left:right] + 0.5
    # How near each corner is: 1 there, 0 at the side opposite to it.
    matrix = np.linalg.inv(np.vstack([corners.T, np.ones(3)]))
    near = np.tensordot(matrix, np.stack([x, y, np.ones_like(x)]), axes=1)
    inside = near.min(axis=0) > _GAP
    part[inside] = _rgb(NIGHT.ivory)
    for k, number in enumerate(numbers):
        part[inside & (near[k] > _COLOURED)] = _rgb(PALETTE[number])
        middle = corners.mean(axis=0)
        _draw_digit(pixels, middle + (corners[k] - middle) * _OUT, number, scale)


def _draw_digit(
    pixels: NDArray[np.float32], at: NDArray[np.float64], number: int, scale: float
) -> None:
    dot = max(1, round(scale / 28))
    shape = np.kron(_SHAPES[number], np.ones((dot, dot), bool))
    left, top = np.round(at - np.array(shape.shape)[::-1] / 2).astype(int)
    part = pixels[top : top + shape.shape[0], left : left + shape.shape[1]]
    part[shape] = _rgb(digit_colour(number))


_SHAPES: Final = [
    np.array([[c == "#" for c in row] for row in rows.split()], bool)
    for rows in (
        "### #.# #.# #.# ###",
        ".#. ##. .#. .#. ###",
        "### ..# ### #.. ###",
        "### ..# ### ..# ###",
        "#.# #.# ### ..# ..#",
        "### #.. ### ..# ###",
    )
]
