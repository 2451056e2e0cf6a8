"""A board as it will be drawn, large or small."""

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
    FLOWER_RING,
    SMALL_FLOWER_RING,
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
"""A tile's side where no width is asked for."""
NATURAL_SMALL_SIDE: Final = 40.0
LARGEST_SIDE: Final = 120.0
"""A lone tile does not fill the page."""
SMALL_SIDE: Final = 44.0
"""Below this, three digits in a tile are too small to read: one is drawn at each point."""
MARGIN: Final = 16.0
NARROWEST: Final = 96.0

FARTHEST: Final = 500
"""How many sides a drawing may measure; no table is that large."""


@dataclass(slots=True)
class Part:
    """A piece of a drawing and the room it takes."""

    width: float
    height: float
    lines: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Scene:
    """All that is seen of a board, before its size is known."""

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
        """Refuses what is not on the board, and places to play that share a cell."""
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
        """Every cell that is drawn; the one where a round opens, if there is nothing else."""
        return [place.cell for place in (*self.board.places, *self.ghosts)] or [ORIGIN]

    @property
    def hexagons(self) -> list[Vertex]:
        """The points with six tiles round them."""
        return sorted(
            vertex
            for vertex in self.board.numbers
            if all(cell in self.board for cell in vertex.ring)
        )

    @property
    def one_number_per_point(self) -> bool:
        """Whether the ghosts agree with the board and with each other."""
        numbers = self.board.numbers
        return all(
            numbers.setdefault(vertex, value) == value
            for place in self.ghosts
            for vertex, value in zip(place.cell.vertices, place.numbers, strict=True)
        )

    def extent(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom, in sides."""
        left, top, right, bottom = extent(
            screen(vertex, self.turn) for cell in self.cells for vertex in cell.vertices
        )
        if max(right - left, bottom - top) > FARTHEST:
            raise PositionError("the tiles lie too far apart for one drawing")
        return left, top, right, bottom

    def natural_width(self, *, small: bool) -> float:
        """How wide the drawing is where nothing else is asked for."""
        left, _, right, _ = self.extent()
        wide, side = right - left, NATURAL_SIDE
        if small:
            wide, side = wide + 2 * DISC, NATURAL_SMALL_SIDE
        return max(NARROWEST, ceil(wide * side + 2 * MARGIN))

    def part(self, width: float | None, small: bool | None) -> Part:
        """The board, as large as *width* lets it be."""
        if small and not self.one_number_per_point:
            raise PositionError("places to play disagree; a small board has one number per point")
        if width is None:
            width = self.natural_width(small=bool(small))
        left, top, right, bottom = self.extent()
        room = max(width - 2 * MARGIN, 1.0)
        side = min(room / (right - left), LARGEST_SIDE)
        if small is None:
            small = side < SMALL_SIDE and self.one_number_per_point
        beyond = DISC if small else 0.0
        side = min(room / (right - left + 2 * beyond), LARGEST_SIDE)
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
        yield from self._flowers(frame, FLOWER_RING)
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
        yield from self._flowers(frame, SMALL_FLOWER_RING)
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
        """The shadows; on an empty table, where the first tile goes."""
        if len(self.board):
            triangles = [frame.triangle(place.cell) for place in self.board.places]
            yield marks.shadows(triangles, frame.side, self.theme)
        elif not self.ghosts:
            yield marks.broken_ring(frame.triangle(ORIGIN), frame.side, self.theme)

    def _flowers(self, frame: Frame, radius: float) -> Iterator[str]:
        numbers, closed = self.board.numbers, self.hexagons
        for vertex in closed:
            yield f'<g data-hexagon="{vertex}">'
            yield from marks.flower(frame.at(vertex), numbers[vertex], frame.side, radius)
            yield "</g>"
        for place in self.bridges:
            found = _span(self.board, place)
            if found is None or found[0] in closed:
                continue
            vertex, start, end = found
            ends = centre(frame.triangle(start)), centre(frame.triangle(end))
            yield f'<g data-bridge="{place}">'
            yield from marks.span(
                frame.at(vertex), numbers[vertex], frame.side, self.theme, radius=radius, ends=ends
            )
            yield "</g>"


def _span(board: Board, place: Place) -> tuple[Vertex, Cell, Cell] | None:
    """What a bridge joins: a point, the tile itself and the nearest tile it reached there.

    Only tiles laid before it count. Under the lenient bridge rules a tile may reach nothing but its
    neighbours; then it joins two of these.
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
