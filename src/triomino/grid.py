"""The triangular lattice: points with whole coordinates, cells pointing up or down.

A vertex (x, y) lies at Cartesian (x + y/2, y * sqrt(3)/2), with y pointing up. Besides its
coordinates, every vertex has an integer *key*, ``y * ROW + x``, and so has every cell:
``2 * (y * ROW + x) + down``. Steps on the lattice are then additions, which keeps the board fast,
and keys sort in the order of cells: row by row from the bottom, each row from the left.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from triomino.errors import NotationError

# Wider than any table, and not a power of two: dicts hash integers by their lowest bits, which
# would then be the same for a whole column.
ROW: Final = (1 << 31) + 41

# Each cell has one spelling, apart from spaces around the comma; no table needs nine digits.
_CELL = re.compile(r"([UD])\((0|-?[1-9][0-9]{0,8}) *, *(0|-?[1-9][0-9]{0,8})\)")

# Indexed by ``key & 1``: up, then down.
_VERTEX_STEPS: Final = ((0, ROW, 1), (1, ROW, ROW + 1))
_NEIGHBOUR_STEPS: Final = ((-1, 1, 1 - 2 * ROW), (-1, 2 * ROW - 1, 1))
_RING_STEPS: Final = (0, -1, -2, -1 - 2 * ROW, -2 * ROW, 1 - 2 * ROW)

# Every round opens at the origin, so all boards use the same keys; 2**14 of them cover any table.
_CACHE_SIZE: Final = 1 << 14
_cached = lru_cache(maxsize=_CACHE_SIZE)


@_cached
def vertex_keys(cell: int) -> tuple[int, int, int]:
    """Return the vertices of a cell, clockwise."""
    a, b, c = _VERTEX_STEPS[cell & 1]
    vertex = cell >> 1
    return vertex + a, vertex + b, vertex + c


@_cached
def neighbour_keys(cell: int) -> tuple[int, int, int]:
    """Return the cells across edges 0, 1 and 2; edge i joins vertex i and the next."""
    a, b, c = _NEIGHBOUR_STEPS[cell & 1]
    return cell + a, cell + b, cell + c


@_cached
def ring_keys(vertex: int) -> tuple[int, ...]:
    """Return the six cells around a vertex, counter-clockwise from the upper right."""
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
        """Return the vertex with this key."""
        y, x = divmod(key + ROW // 2, ROW)
        return cls(x - ROW // 2, y)

    @property
    def key(self) -> int:
        """The vertex as one integer."""
        return self.y * ROW + self.x

    @property
    def ring(self) -> tuple[Cell, ...]:
        """The six cells around this vertex, counter-clockwise from the upper right."""
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
    """The cell as one integer."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "key", 2 * (self.y * ROW + self.x) + self.down)

    def __str__(self) -> str:
        return f"{'D' if self.down else 'U'}({self.x},{self.y})"

    def __lt__(self, other: Cell) -> bool:
        return self.key < other.key

    @classmethod
    def parse(cls, text: str) -> Cell:
        """Read ``U(0,0)``; spaces around the comma are allowed."""
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
        """Clockwise: bottom-left, top, bottom-right if up; bottom, top-left, top-right if down."""
        a, b, c = vertex_keys(self.key)
        return Vertex.at(a), Vertex.at(b), Vertex.at(c)

    @property
    def neighbours(self) -> tuple[Cell, Cell, Cell]:
        """The cells across edges 0, 1 and 2; edge i joins vertex i and the next."""
        a, b, c = neighbour_keys(self.key)
        return cell_at(a), cell_at(b), cell_at(c)


@_cached
def cell_at(key: int) -> Cell:
    """Return the cell with this key."""
    vertex = Vertex.at(key >> 1)
    return Cell(vertex.x, vertex.y, bool(key & 1))


@dataclass(frozen=True, slots=True)
class Site:
    """A cell with the keys of everything around it."""

    vertices: tuple[int, int, int]
    neighbours: tuple[int, int, int]
    across: tuple[tuple[int, ...], ...]
    """For each vertex, the two neighbours that meet there."""
    beyond: tuple[tuple[int, ...], ...]
    """For each vertex, the other three cells that meet there."""

    @classmethod
    def at(cls, key: int) -> Site:
        """Return the site of the cell with this key."""
        vertices, neighbours = vertex_keys(key), neighbour_keys(key)
        rings = [[cell for cell in ring_keys(vertex) if cell != key] for vertex in vertices]
        across = [tuple(cell for cell in ring if cell in neighbours) for ring in rings]
        beyond = [tuple(cell for cell in ring if cell not in neighbours) for ring in rings]
        return cls(vertices, neighbours, tuple(across), tuple(beyond))


class Sites(dict[int, Site]):
    """Sites by key, made on demand: a lookup takes half the time of a cached call."""

    def __missing__(self, key: int) -> Site:
        if len(self) >= _CACHE_SIZE:
            self.clear()
        self[key] = site = Site.at(key)
        return site


SITES: Final = Sites()
"""The shared table of sites."""

ORIGIN: Final = Cell(0, 0)
"""The cell on which every round opens."""
