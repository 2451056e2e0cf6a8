"""Drawing a board, with full tiles or, where space is short, one number per vertex."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import ceil
from typing import TYPE_CHECKING, Final

from triomino.errors import PositionError
from triomino.grid import ORIGIN
from triomino.render import marks
from triomino.render.shapes import (
    DIGIT,
    DISC,
    DISC_DIGIT,
    HEXAGON_RING,
    SMALL_HEXAGON_RING,
    Frame,
    centre,
    extent,
    screen,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from triomino.board import Board
    from triomino.grid import Cell, Vertex
    from triomino.moves import Place
    from triomino.render.theme import Theme

# In pixels.
NATURAL_SIDE: Final = 72.0
"""The side of a tile if no width is given."""
NATURAL_SMALL_SIDE: Final = 40.0
MAX_SIDE: Final = 120.0
"""The largest side, so that a single tile does not fill the page."""
SMALL_SIDE: Final = 44.0
"""Below this, three digits in a tile are too small to read: one is drawn at each vertex."""
MARGIN: Final = 16.0
MIN_WIDTH: Final = 96.0

MAX_EXTENT: Final = 500
"""The largest drawing, in sides of a tile; no table is that large."""


@dataclass(slots=True)
class Part:
    """A piece of a drawing and the space it takes."""

    width: float
    height: float
    lines: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything shown of a board, before its size is known."""

    board: Board
    theme: Theme
    last: Place | None
    bridges: tuple[Place, ...]
    ghosts: dict[Place, str]
    turn: int

    @classmethod
    def of(
        cls,
        board: Board,
        theme: Theme,
        last: Place | None,
        *,
        bridges: Iterable[Place],
        ghosts: Mapping[Place, str] | Iterable[Place],
        turn: int,
    ) -> Scene:
        """Make a scene; raises :class:`PositionError` if it contradicts the board.

        *last* and *bridges* must be on the board, and each ghost needs an empty cell of its own.
        """
        laid, seen = set(board.places), set()
        bridges = tuple(bridges)
        for place in (*bridges, *([last] if last else ())):
            if place not in laid:
                raise PositionError(f"{place}: this tile is not on the board")
        labels = dict(ghosts) if isinstance(ghosts, Mapping) else dict.fromkeys(ghosts, "")
        for place in labels:
            if place.cell in board or place.cell in seen:
                raise PositionError(f"{place}: a place to play needs a cell of its own")
            seen.add(place.cell)
        return cls(board, theme, last, bridges, labels, turn)

    @property
    def cells(self) -> list[Cell]:
        """Every cell that is drawn; the origin if there is nothing else."""
        return [place.cell for place in (*self.board.places, *self.ghosts)] or [ORIGIN]

    @property
    def hexagons(self) -> list[Vertex]:
        """The vertices with six tiles around them."""
        return sorted(
            vertex
            for vertex in self.board.numbers
            if all(cell in self.board for cell in vertex.ring)
        )

    @property
    def one_number_per_point(self) -> bool:
        """Whether the ghosts agree with the board and with one another."""
        numbers = self.board.numbers
        return all(
            numbers.setdefault(vertex, value) == value
            for place in self.ghosts
            for vertex, value in zip(place.cell.vertices, place.numbers, strict=True)
        )

    def extent(self) -> tuple[float, float, float, float]:
        """Return left, top, right and bottom, in sides of a tile."""
        left, top, right, bottom = extent(
            screen(vertex, self.turn) for cell in self.cells for vertex in cell.vertices
        )
        if max(right - left, bottom - top) > MAX_EXTENT:
            raise PositionError("the tiles lie too far apart for one drawing")
        return left, top, right, bottom

    def natural_width(self, *, small: bool) -> float:
        """Return the width of the drawing if none is given."""
        left, _, right, _ = self.extent()
        wide, side = right - left, NATURAL_SIDE
        if small:
            wide, side = wide + 2 * DISC, NATURAL_SMALL_SIDE
        return max(MIN_WIDTH, ceil(wide * side + 2 * MARGIN))

    def part(self, width: float | None, small: bool | None) -> Part:
        """Return the board, as large as *width* allows."""
        if small and not self.one_number_per_point:
            raise PositionError("places to play disagree; a small board has one number per point")
        if width is None:
            width = self.natural_width(small=bool(small))
        left, top, right, bottom = self.extent()
        room = max(width - 2 * MARGIN, 1.0)
        side = min(room / (right - left), MAX_SIDE)
        if small is None:
            small = side < SMALL_SIDE and self.one_number_per_point
        beyond = DISC if small else 0.0
        side = min(room / (right - left + 2 * beyond), MAX_SIDE)
        frame = Frame(
            side,
            width / 2 - (left + right) / 2 * side,
            MARGIN + (beyond - top) * side,
            self.turn,
        )
        part = Part(width, (bottom - top + 2 * beyond) * side + 2 * MARGIN)
        part.lines = [*(self._small(frame) if small else self._large(frame))]
        return part

    def _large(self, frame: Frame) -> Iterator[str]:
        side, theme, places = frame.side, self.theme, self.board.places
        yield marks.digits(DIGIT * side)
        yield from self._under(frame)
        for place in places:
            yield f'<g data-place="{place}">'
            yield from marks.tile(frame.triangle(place.cell), place.numbers, side, theme)
            yield "</g>"
        if self.last:
            yield f'<g data-last="{self.last}">'
            yield from marks.ring(frame.triangle(self.last.cell), side, theme)
            yield "</g>"
        yield from self._bonuses(frame, HEXAGON_RING)
        for place, text in self.ghosts.items():
            yield f'<g data-ghost="{place}">'
            yield from marks.ghost(frame.triangle(place.cell), place.numbers, side, theme)
            if text:
                yield from marks.label(frame.triangle(place.cell), text, side, theme)
            yield "</g>"
        yield "</g>"

    def _small(self, frame: Frame) -> Iterator[str]:
        side, theme, numbers = frame.side, self.theme, self.board.numbers
        yield marks.digits(DISC_DIGIT * side)
        yield from self._under(frame)
        for place in self.board.places:
            if place != self.last:
                yield from marks.small_tile(frame.triangle(place.cell), place.numbers, side, theme)
        if self.last:
            corners = frame.triangle(self.last.cell)
            yield f'<g data-last="{self.last}">'
            yield from marks.small_ring(corners, side, theme)
            yield from marks.small_tile(corners, self.last.numbers, side, theme)
            yield "</g>"
        for place in self.ghosts:
            yield from marks.small_ghost(frame.triangle(place.cell), side, theme)
            numbers.update(zip(place.cell.vertices, place.numbers, strict=True))
        yield from self._bonuses(frame, SMALL_HEXAGON_RING)
        laid = self.board.numbers
        for vertex, value in numbers.items():
            yield f'<g data-point="{vertex}">'
            yield from marks.disc(frame.at(vertex), value, side, theme, laid=vertex in laid)
            yield "</g>"
        for place, text in self.ghosts.items():
            if text:
                yield from marks.small_label(frame.triangle(place.cell), text, side, theme)
        yield "</g>"

    def _under(self, frame: Frame) -> Iterator[str]:
        """Draw the shadows or, on an empty table, the place of the first tile."""
        if len(self.board):
            triangles = [frame.triangle(place.cell) for place in self.board.places]
            yield marks.shadows(triangles, frame.side, self.theme)
        elif not self.ghosts:
            yield marks.dashed_ring(frame.triangle(ORIGIN), frame.side, self.theme)

    def _bonuses(self, frame: Frame, radius: float) -> Iterator[str]:
        """Draw a ring for every hexagon and an arc for every bridge."""
        numbers, closed = self.board.numbers, self.hexagons
        for vertex in closed:
            yield f'<g data-hexagon="{vertex}">'
            yield from marks.hexagon_ring(frame.at(vertex), numbers[vertex], frame.side, radius)
            yield "</g>"
        for place in self.bridges:
            found = _bridge_ends(self.board, place)
            if found is None or found[0] in closed:
                continue
            vertex, start, end = found
            ends = centre(frame.triangle(start)), centre(frame.triangle(end))
            yield f'<g data-bridge="{place}">'
            yield from marks.bridge_arc(
                frame.at(vertex), numbers[vertex], frame.side, self.theme, radius=radius, ends=ends
            )
            yield "</g>"


def _bridge_ends(board: Board, place: Place) -> tuple[Vertex, Cell, Cell] | None:
    """Return what a bridge joins: a vertex, the tile itself and the nearest tile it reached there.

    Only tiles laid before it count. Under the lenient bridge rules a tile may touch nothing but its
    neighbours; then it joins two of those.
    """
    laid = [other.cell for other in board.places]
    before = set(laid[: laid.index(place.cell)])
    beside = [cell for cell in place.cell.neighbours if cell in before]
    for edge, neighbour in enumerate(place.cell.neighbours):
        if neighbour not in before:
            continue
        apex = place.cell.vertices[(edge + 2) % 3]
        ring = apex.ring
        here = ring.index(place.cell)
        # Across one empty flank, across the other, or straight over.
        for step in (2, 4, 3):
            other = ring[(here + step) % 6]
            if other in before:
                return apex, place.cell, other
    if len(beside) < 2:
        return None
    shared = set(beside[0].vertices) & set(beside[1].vertices)
    return min(shared), beside[0], beside[1]
