"""The triangular lattice: points with whole coordinates, cells pointing up or down.

A vertex (x, y) lies at Cartesian (x + y/2, y * sqrt(3)/2), y upwards. Beside the values people
read, every vertex and cell has an integer *key*: ``y * ROW + x`` and ``2 * key of (x, y) + down``.
Steps on the lattice are then additions, which is what makes a board quick, and keys sort as cells
do: row by row from the bottom, each from the left.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from triomino.errors import NotationError

# Wider than any table. Dicts begin to look for a key by its lowest bits, and with a power of two
# these would be the same for a whole column.
ROW: Final = (1 << 31) + 41

# One text per cell, but for spaces round the comma; nine digits are more than any table has.
_CELL = re.compile(r"([UD])\((0|-?[1-9][0-9]{0,8}) *, *(0|-?[1-9][0-9]{0,8})\)")

# By ``key & 1``: up, down.
_VERTEX_STEPS: Final = ((0, ROW, 1), (1, ROW, ROW + 1))
_NEIGHBOUR_STEPS: Final = ((-1, 1, 1 - 2 * ROW), (-1, 2 * ROW - 1, 1))
_RING_STEPS: Final = (0, -1, -2, -1 - 2 * ROW, -2 * ROW, 1 - 2 * ROW)

# Rounds open at the origin, so all boards ask for the same keys; these are more than a table needs.
_CACHED: Final = 1 << 14
_remembered = lru_cache(maxsize=_CACHED)


@_remembered
def vertex_keys(cell: int) -> tuple[int, int, int]:
    """The corners of a cell, clockwise."""
    a, b, c = _VERTEX_STEPS[cell & 1]
    vertex = cell >> 1
    return vertex + a, vertex + b, vertex + c


@_remembered
def neighbour_keys(cell: int) -> tuple[int, int, int]:
    """The cells across edge 0, 1 and 2; edge i joins vertex i and the next."""
    a, b, c = _NEIGHBOUR_STEPS[cell & 1]
    return cell + a, cell + b, cell + c


@_remembered
def ring_keys(vertex: int) -> tuple[int, ...]:
    """The six cells round a vertex, counter-clockwise from the upper right."""
    cell = 2 * vertex
    a, b, c, d, e, f = _RING_STEPS
    return cell + a, cell + b, cell + c, cell + d, cell + e, cell + f


@dataclass(frozen=True, slots=True, order=True)
class Vertex:
    """A point where up to six tiles meet."""

    x: int
    y: int

    def __str__(self) -> str:
        return f"({self.x},{self.y})"

    @classmethod
    def at(cls, key: int) -> Vertex:
        """The vertex of a key."""
        y, x = divmod(key + ROW // 2, ROW)
        return cls(x - ROW // 2, y)

    @property
    def key(self) -> int:
        """Its integer."""
        return self.y * ROW + self.x

    @property
    def ring(self) -> tuple[Cell, ...]:
        """The six cells round this point, counter-clockwise from the upper right."""
        return tuple(map(cell_at, ring_keys(self.key)))


@dataclass(frozen=True, slots=True)
class Cell:
    """A place for one tile: ``U(x,y)`` points up, ``D(x,y)`` points down.

    >>> Cell.parse("D(-1,0)").vertices[0]
    Vertex(x=0, y=0)
    """

    x: int
    y: int
    down: bool = False
    key: int = field(init=False, repr=False, compare=False)
    """Its integer."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "key", 2 * (self.y * ROW + self.x) + self.down)

    def __str__(self) -> str:
        return f"{'D' if self.down else 'U'}({self.x},{self.y})"

    def __lt__(self, other: Cell) -> bool:
        return self.key < other.key

    @classmethod
    def parse(cls, text: str) -> Cell:
        """Read ``U(0,0)``; spaces round the comma are allowed."""
        found = _CELL.fullmatch(text)
        if not found:
            raise NotationError(f"{text!r} is no cell; write one like U(0,0) or D(-1,0)")
        return cls(int(found[2]), int(found[3]), found[1] == "D")

    @property
    def row_column(self) -> tuple[int, int]:
        """Row from the bottom and column from the left; their sum is even for ``U``."""
        return self.y, 2 * self.x + self.y + self.down

    @property
    def vertices(self) -> tuple[Vertex, Vertex, Vertex]:
        """Clockwise: bottom-left, top, bottom-right, or bottom, top-left, top-right."""
        a, b, c = vertex_keys(self.key)
        return Vertex.at(a), Vertex.at(b), Vertex.at(c)

    @property
    def neighbours(self) -> tuple[Cell, Cell, Cell]:
        """The cells across edge 0, 1 and 2; edge i joins vertex i and the next."""
        a, b, c = neighbour_keys(self.key)
        return cell_at(a), cell_at(b), cell_at(c)


@_remembered
def cell_at(key: int) -> Cell:
    """The cell of a key."""
    vertex = Vertex.at(key >> 1)
    return Cell(vertex.x, vertex.y, bool(key & 1))


@dataclass(frozen=True, slots=True)
class Site:
    """A cell with the keys of everything around it."""

    vertices: tuple[int, int, int]
    neighbours: tuple[int, int, int]
    across: tuple[tuple[int, ...], ...]
    """For each vertex the two neighbours that meet there."""
    beyond: tuple[tuple[int, ...], ...]
    """For each vertex the other three cells that meet there."""

    @classmethod
    def at(cls, key: int) -> Site:
        """The site of a cell's key."""
        vertices, neighbours = vertex_keys(key), neighbour_keys(key)
        rings = [[cell for cell in ring_keys(vertex) if cell != key] for vertex in vertices]
        across = [tuple(cell for cell in ring if cell in neighbours) for ring in rings]
        beyond = [tuple(cell for cell in ring if cell not in neighbours) for ring in rings]
        return cls(vertices, neighbours, tuple(across), tuple(beyond))


class Sites(dict[int, Site]):
    """Sites by key, made when first asked for: a lookup costs half of a cached call."""

    def __missing__(self, key: int) -> Site:
        if len(self) >= _CACHED:
            self.clear()
        self[key] = site = Site.at(key)
        return site


SITES: Final = Sites()

ORIGIN: Final = Cell(0, 0)
"""Where a round opens."""
