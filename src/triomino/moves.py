"""What a player can do: a closed union of five moves."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TypeAlias

from triomino.errors import NotationError
from triomino.grid import Cell
from triomino.tile import Numbers, Tile, parse_numbers, tile_of


@dataclass(frozen=True, slots=True)
class Place:
    """Lay a tile: the cell and the numbers at its three vertices.

    >>> Place.parse("D(-1, 0) = 1-2-3").tile
    Tile(1, 2, 3)
    """

    cell: Cell
    numbers: Numbers
    tile: Tile = field(init=False, repr=False, compare=False)
    """The tile that shows these numbers."""

    def __init__(self, cell: Cell, numbers: Numbers) -> None:
        # Every list of moves creates some; the __init__ of a frozen dataclass takes twice as long.
        _set_cell(self, cell)
        _set_numbers(self, numbers)
        _set_tile(self, tile_of(numbers))

    def __str__(self) -> str:
        return f"{self.cell}={'-'.join(map(str, self.numbers))}"

    @classmethod
    def parse(cls, text: str) -> Place:
        """Read ``D(-1,0)=1-2-3``."""
        cell, equals, numbers = text.partition("=")
        if not equals:
            raise NotationError(f"{text!r} is no placement; write one like D(-1,0)=1-2-3")
        return cls(Cell.parse(cell.rstrip(" ")), parse_numbers(numbers.lstrip(" ")))


_set_cell, _set_numbers, _set_tile = (getattr(Place, item.name).__set__ for item in fields(Place))


@dataclass(frozen=True, slots=True)
class Draw:
    """Take the next tile from the pool."""

    def __str__(self) -> str:
        return "draw"


@dataclass(frozen=True, slots=True)
class Pass:
    """End the turn without placing, for want of a tile to draw."""

    def __str__(self) -> str:
        return "pass"


@dataclass(frozen=True, slots=True)
class End:
    """End the turn after the last permitted draw, with nothing placed."""

    def __str__(self) -> str:
        return "end"


@dataclass(frozen=True, slots=True)
class Keep:
    """End the turn by keeping a drawn tile that would fit."""

    def __str__(self) -> str:
        return "keep"


Move: TypeAlias = Place | Draw | Pass | End | Keep

_WORDS: dict[str, Move] = {str(move): move for move in (Draw(), Pass(), End(), Keep())}


def parse_move(text: str) -> Move:
    """Read any move.

    >>> parse_move("draw"), str(parse_move("U(0 , 0)=1-3-4"))
    (Draw(), 'U(0,0)=1-3-4')
    """
    word = _WORDS.get(text)
    if word is not None:
        return word
    if "=" not in text:
        raise NotationError(
            f"{text!r} is no move; write draw, pass, end, keep or a placement like D(-1,0)=1-2-3"
        )
    return Place.parse(text)
