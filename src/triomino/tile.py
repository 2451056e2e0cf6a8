"""Tiles and the sets they come in."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Final, TypeAlias

from triomino.errors import NotationError

if TYPE_CHECKING:
    from collections.abc import Iterable

Numbers: TypeAlias = tuple[int, int, int]
"""The numbers at three corners, clockwise from any of them."""

NUMBERS: Final = range(6)

_TILE = re.compile(r"([0-5])-([0-5])-([0-5])")


def rotations(numbers: Numbers) -> tuple[Numbers, Numbers, Numbers]:
    """The three ways to read the same corners clockwise."""
    a, b, c = numbers
    return (a, b, c), (b, c, a), (c, a, b)


@dataclass(frozen=True, slots=True, order=True)
class Tile:
    """Three numbers read clockwise, smallest rotation first.

    A tile may be turned, never flipped, so every reading names the same tile:

    >>> Tile(4, 1, 3)
    Tile(1, 3, 4)
    >>> Tile.parse("0-3-5").points
    8
    """

    a: int
    b: int
    c: int
    bit: int = field(init=False, repr=False, compare=False)
    """This tile's bit in a mask, a set of tiles as one integer."""
    points: int = field(init=False, repr=False, compare=False)
    """The value of the tile: the sum of its corners, 0 to 15."""

    def __post_init__(self) -> None:
        numbers = (self.a, self.b, self.c)
        if not all(number in NUMBERS for number in numbers):
            raise NotationError(f"a tile has three numbers from 0 to 5, not {numbers}")
        for name, number in zip("abc", min(rotations(numbers)), strict=True):
            object.__setattr__(self, name, number)
        object.__setattr__(self, "bit", 1 << _INDEX[self.numbers])
        object.__setattr__(self, "points", sum(numbers))

    def __repr__(self) -> str:
        return f"Tile({self.a}, {self.b}, {self.c})"

    def __str__(self) -> str:
        return f"{self.a}-{self.b}-{self.c}"

    @classmethod
    def parse(cls, text: str) -> Tile:
        """Read ``1-3-4``; any rotation names the tile."""
        return tile_of(parse_numbers(text))

    @property
    def numbers(self) -> Numbers:
        """The corners, clockwise, as written."""
        return self.a, self.b, self.c

    @property
    def is_triple(self) -> bool:
        """Whether all three numbers are the same."""
        return self.a == self.b == self.c

    @property
    def orientations(self) -> tuple[Numbers, ...]:
        """The distinct rotations of the tile: three, or one for a triple."""
        return tuple(dict.fromkeys(rotations(self.numbers)))


def parse_numbers(text: str) -> Numbers:
    """Read three numbers, keeping the order in which they are written."""
    found = _TILE.fullmatch(text)
    if not found:
        raise NotationError(f"{text!r} is no tile; write three numbers from 0 to 5 like 1-3-4")
    a, b, c = map(int, found.groups())
    return a, b, c


# The 76 tiles in ascending order; a tile's index here is the number of its bit in a mask.
_INDEX: Final = {
    numbers: index
    for index, numbers in enumerate(
        sorted({min(rotations((a, b, c))) for a, b, c in product(NUMBERS, repeat=3)})
    )
}

SET_76: Final = tuple(Tile(*numbers) for numbers in _INDEX)
"""Every triangle on six numbers, up to rotation."""

SET_56: Final = tuple(tile for tile in SET_76 if tile.a <= tile.b <= tile.c)
"""The tiles of the 76 whose numbers do not decrease clockwise from the smallest."""


def _below(tiles: tuple[Tile, ...], numbers: int) -> tuple[Tile, ...]:
    """The tiles that show only numbers below *numbers*."""
    return tuple(tile for tile in tiles if max(tile.numbers) < numbers)


_SMALL_SETS_LIKE_56: Final = {"4": 2, "10": 3, "20": 4, "35": 5}
"""Small sets without mirror images, like the 56, and how many numbers each has."""
_SMALL_SETS_LIKE_76: Final = {"11": 3, "24": 4, "45": 5}
"""Small sets with mirror images, like the 76."""

TILE_SETS: Final = {
    "56": SET_56,
    "76": SET_76,
    **{name: _below(SET_56, numbers) for name, numbers in _SMALL_SETS_LIKE_56.items()},
    **{name: _below(SET_76, numbers) for name, numbers in _SMALL_SETS_LIKE_76.items()},
}
"""Every tile set by name; the small ones are for study."""


@cache
def tile_of(numbers: Numbers) -> Tile:
    """Return the tile that shows *numbers*: the same object on every call."""
    return SET_76[_INDEX[min(rotations(numbers))]]


def mask_of(tiles: Iterable[Tile]) -> int:
    """Return *tiles* as a mask, one bit per tile."""
    mask = 0
    for tile in tiles:
        mask |= tile.bit
    return mask


MASKS: Final = {name: mask_of(tiles) for name, tiles in TILE_SETS.items()}
"""Every tile set as a mask, by name."""


def tiles_in(mask: int) -> list[Tile]:
    """Return the tiles of a mask in ascending order."""
    tiles = []
    while mask:
        low = mask & -mask
        tiles.append(SET_76[low.bit_length() - 1])
        mask ^= low
    return tiles
