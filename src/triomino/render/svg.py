"""Boards, racks and positions as SVG: for a book, a page, a bug report.

Every drawing stands alone: no fonts to load, no identifiers that could clash with another drawing
on the same page, and the same bytes for the same input. One unit is one pixel at the width asked
for. It carries words only where a caller gives names; the title and the description, for those who
cannot see it, are in English unless given.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import ceil
from typing import TYPE_CHECKING, Final

from triomino.board import Board
from triomino.errors import PositionError
from triomino.grid import ORIGIN
from triomino.moves import Place
from triomino.position import Position
from triomino.render import marks
from triomino.render.shapes import (
    BASELINE,
    DIGIT,
    DISC,
    DISC_DIGIT,
    FLOWER_RING,
    ROW_HEIGHT,
    SMALL_FLOWER_RING,
    Frame,
    Point,
    Triangle,
    centre,
    extent,
    number,
    screen,
)
from triomino.render.theme import NIGHT, Theme
from triomino.scoring import Reason

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from triomino.game import Game
    from triomino.grid import Cell, Vertex
    from triomino.rules import Seat
    from triomino.tile import Tile

FONTS: Final = (
    "ui-rounded, 'SF Pro Rounded', 'Segoe UI', system-ui, 'Noto Sans', 'DejaVu Sans', sans-serif"
)

# In pixels.
NATURAL_SIDE: Final = 72.0
"""A tile's side where no width is asked for."""
NATURAL_SMALL_SIDE: Final = 40.0
LARGEST_SIDE: Final = 120.0
"""A lone tile does not fill the page."""
SMALL_SIDE: Final = 44.0
"""Below this, three digits in a tile are too small to read: one is drawn at each point."""
RACK_SIDE: Final = 60.0
MARGIN: Final = 16.0
NARROWEST: Final = 96.0

FARTHEST: Final = 500
"""How many sides a drawing may measure; no table is that large."""


def board_svg(
    board: Board,
    *,
    theme: Theme = NIGHT,
    last: Place | None = None,
    bridges: Iterable[Place] = (),
    ghosts: Mapping[Place, str] | Iterable[Place] = (),
    small: bool | None = None,
    width: float | None = None,
    turn: int = 0,
    background: bool = True,
    title: str | None = None,
    desc: str | None = None,
) -> str:
    """The board as a drawing of its own.

    *last* gets a ring; *bridges* are the tiles that made one, each shown by an arc to the part it
    reached; *ghosts* are places to play, with what is written on them. Closed hexagons follow from
    the board. *width* is in pixels; without it the tiles have their natural size. *small* draws one
    digit at each point in place of three in each tile; by itself it does so where a side would be
    below 44 pixels. *turn* turns the view by steps of 60 degrees; numbers stay upright.

    >>> drawing = board_svg(Board.of([Place.parse("U(0,0)=1-3-4")]))
    >>> drawing.startswith("<svg ") and drawing.count("<text") == 3
    True
    """
    scene = _Scene(board, theme, last, tuple(bridges), _ghosts(board, ghosts), turn)
    return _document(
        [scene.part(width, small)],
        theme,
        background=background,
        title=title or _title(board),
        desc=desc or " ".join(_board_lines(scene)),
    )


def tile_svg(
    tile: Tile | None,
    *,
    theme: Theme = NIGHT,
    side: float = NATURAL_SIDE,
    background: bool = False,
    title: str | None = None,
) -> str:
    """One tile, pointing up, its first number at the lower left; ``None`` is a tile face down.

    >>> from triomino.tile import Tile
    >>> tile_svg(Tile(1, 3, 4)).count("<text")
    3
    """
    pad = 4.0
    corners = _standing(pad, pad, side)
    part = _Part(side + 2 * pad, side * ROW_HEIGHT + 2 * pad)
    part.lines = [*_row([(tile, corners)], side, theme)]
    name = title or ("a hidden tile" if tile is None else str(tile))
    return _document([part], theme, background=background, title=name)


def rack_svg(
    tiles: Sequence[Tile] | int,
    *,
    theme: Theme = NIGHT,
    width: float | None = None,
    side: float = RACK_SIDE,
    marked: Iterable[Tile] = (),
    background: bool = True,
    title: str | None = None,
) -> str:
    """A row of tiles that wraps at *width*; of a mere number of tiles, a back and how many.

    *marked* tiles get a ring: those just drawn, or the one chosen.
    """
    if width is None:
        count = 2 if isinstance(tiles, int) else max(len(tiles), 1)
        width = max(NARROWEST, 2 * MARGIN + count * _pitch(side))
    part = _rack(tiles, side, theme, width, frozenset(marked))
    said = f"{tiles} hidden tiles" if isinstance(tiles, int) else " ".join(map(str, tiles))
    return _document([part], theme, background=background, title=title or said or "no tiles")


def position_svg(
    position: Position,
    *,
    theme: Theme = NIGHT,
    names: Sequence[str] = (),
    racks: bool = True,
    last: Place | None = None,
    bridges: Iterable[Place] = (),
    ghosts: Mapping[Place, str] | Iterable[Place] = (),
    small: bool | None = None,
    width: float | None = None,
    turn: int = 0,
    background: bool = True,
    title: str | None = None,
    desc: str | None = None,
) -> str:
    """The board and, unless *racks* is off, everyone's name, score and rack under it.

    Hidden racks show a back and a number. A position has no history, so bridges are drawn only
    where they are given.
    """
    board = Board.of(position.board)
    scene = _Scene(board, theme, last, tuple(bridges), _ghosts(board, ghosts), turn)
    lines = [*_board_lines(scene)]
    called = [name for name, _ in zip(names, position.racks, strict=False)]
    called += [f"seat {seat}" for seat in range(len(called), len(position.racks))]
    if racks:
        if width is None:
            # Nine tiles in a row, as dealt to two.
            width = max(scene.natural_width(small=bool(small)), 2 * MARGIN + 9 * _pitch(RACK_SIDE))
        parts = [scene.part(width, small), _seats(position, theme, width, called)]
        lines += _seat_lines(position, called)
    else:
        parts = [scene.part(width, small)]
    return _document(
        parts,
        theme,
        background=background,
        title=title or _title(board),
        desc=desc or " ".join(lines),
    )


def game_svg(
    game: Game,
    *,
    theme: Theme = NIGHT,
    names: Sequence[str] = (),
    racks: bool = True,
    seats: Iterable[Seat] = (),
    ghosts: Mapping[Place, str] | Iterable[Place] = (),
    small: bool | None = None,
    width: float | None = None,
    turn: int = 0,
    background: bool = True,
    title: str | None = None,
    desc: str | None = None,
) -> str:
    """A game as it stands, the last tile marked and every bridge shown.

    Only the racks of *seats* are open; the others show a back.
    """
    placed = [made for made in game.turns if isinstance(made.move, Place)]
    moves = [(made.move, made.bonus) for made in placed if isinstance(made.move, Place)]
    return position_svg(
        _open_to(game, frozenset(seats)),
        theme=theme,
        names=names,
        racks=racks,
        last=moves[-1][0] if moves else None,
        bridges=[place for place, bonus in moves if bonus is Reason.BRIDGE],
        ghosts=ghosts,
        small=small,
        width=width,
        turn=turn,
        background=background,
        title=title,
        desc=desc,
    )


def _open_to(game: Game, seats: frozenset[Seat]) -> Position:
    """The moment as a position in which only the racks of *seats* are seen."""
    full = game.position
    return Position(
        rules=full.rules,
        board=full.board,
        racks=tuple(rack if seat in seats else None for seat, rack in enumerate(full.racks)),
        rack_sizes=full.rack_sizes,
        pool=None,
        pool_size=full.pool_size,
        turn=full.turn,
        drawn=full.drawn if full.turn in seats else (),
        scores=full.scores,
        latched=full.latched,
    )


# --- The board -----------------------------------------------------------------------------------


@dataclass(slots=True)
class _Part:
    """A piece of a drawing and the room it takes."""

    width: float
    height: float
    lines: list[str] = field(default_factory=list)


def _ghosts(board: Board, asked: Mapping[Place, str] | Iterable[Place]) -> dict[Place, str]:
    found = dict(asked) if isinstance(asked, dict) else dict.fromkeys(asked, "")
    cells = [place.cell for place in found]
    for place in found:
        if place.cell in board or cells.count(place.cell) > 1:
            raise PositionError(f"{place}: a place to play needs a cell of its own")
    return found


@dataclass(frozen=True, slots=True)
class _Scene:
    """All that is seen of a board, before its size is known."""

    board: Board
    theme: Theme
    last: Place | None
    bridges: tuple[Place, ...]
    ghosts: dict[Place, str]
    turn: int

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

    def part(self, width: float | None, small: bool | None) -> _Part:
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
        part = _Part(width, (bottom - top + 2 * beyond) * side + 2 * MARGIN)
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
            yield from marks.ring(frame.triangle(self.last.cell), side, theme)
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
            yield from marks.small_ring(corners, side, theme)
            yield from marks.small_tile(corners, self.last.numbers, side, theme)
        for place in self.ghosts:
            yield from marks.small_ghost(frame.triangle(place.cell), side, theme)
            numbers.update(zip(place.cell.vertices, place.numbers, strict=True))
        yield from self._flowers(frame, SMALL_FLOWER_RING)
        for vertex, value in numbers.items():
            yield f'<g data-point="{vertex}">'
            yield from marks.disc(frame.at(vertex), value, side, theme)
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
            yield from marks.span(frame.at(vertex), numbers[vertex], frame.side, radius, ends)
            yield "</g>"


def _span(board: Board, place: Place) -> tuple[Vertex, Cell, Cell] | None:
    """What a bridge joins: a point, the tile itself and the nearest tile it reached there.

    Only tiles laid before it count. Under the lenient bridge rules a tile may reach nothing but its
    neighbours; then it joins two of these.
    """
    laid = [other.cell for other in board.places]
    if place.cell not in laid:
        raise PositionError(f"{place}: a bridge that is not on the board")
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


# --- Racks ---------------------------------------------------------------------------------------


def _standing(left: float, top: float, side: float) -> Triangle:
    """A tile on a rack: lower left, top, lower right."""
    bottom = top + side * ROW_HEIGHT
    return (left, bottom), (left + side / 2, top), (left + side, bottom)


def _pitch(side: float) -> float:
    return side + 6.0


def _row(
    tiles: Sequence[tuple[Tile | None, Triangle]],
    side: float,
    theme: Theme,
    marked: frozenset[Tile] = frozenset(),
) -> Iterator[str]:
    yield marks.digits(DIGIT * side)
    yield marks.shadows([corners for _, corners in tiles], side, theme)
    for tile, corners in tiles:
        if tile is None:
            yield from marks.back(corners, side, theme)
            continue
        yield f'<g data-tile="{tile}">'
        yield from marks.tile(corners, tile.numbers, side, theme)
        if tile in marked:
            yield from marks.ring(corners, side, theme)
        yield "</g>"
    yield "</g>"


def _rack(
    tiles: Sequence[Tile] | int,
    side: float,
    theme: Theme,
    width: float,
    marked: frozenset[Tile],
) -> _Part:
    high = side * ROW_HEIGHT
    if isinstance(tiles, int):
        part = _Part(width, high + 2 * MARGIN)
        part.lines = [*_backs((MARGIN, MARGIN), tiles, side, theme)]
        return part
    fit = max(1, int((width - 2 * MARGIN + _pitch(side) - side) // _pitch(side)))
    rows = max(1, ceil(len(tiles) / fit))
    part = _Part(width, rows * high + (rows - 1) * 10 + 2 * MARGIN)
    placed = [
        (
            tile,
            _standing(
                MARGIN + index % fit * _pitch(side), MARGIN + index // fit * (high + 10), side
            ),
        )
        for index, tile in enumerate(tiles)
    ]
    part.lines = [*_row(placed, side, theme, marked)] if placed else []
    return part


def _backs(at: Point, count: int, side: float, theme: Theme) -> Iterator[str]:
    """The back of a tile and how many there are."""
    yield from _row([(None, _standing(*at, side))], side, theme)
    size = max(13.0, 0.3 * side)
    middle = at[0] + side + 6, at[1] + side * ROW_HEIGHT / 2 + BASELINE * size
    yield marks.words(middle, f"\N{MULTIPLICATION SIGN}\N{NO-BREAK SPACE}{count}", theme.muted, size=size)


def _seats(position: Position, theme: Theme, width: float, names: Sequence[str]) -> _Part:
    """A panel for every seat, and the pool."""
    part = _Part(width, 0)
    for seat, rack in enumerate(position.racks):
        line = 48.0
        opened = None
        if rack:
            marked = frozenset(position.drawn) if seat == position.turn else frozenset()
            opened = _rack(rack, RACK_SIDE, theme, width, marked)
        high = line + (opened.height - MARGIN if opened else 0)
        part.lines += [f'<g transform="translate(0 {number(part.height)})">']
        part.lines += _head(position, seat, theme, width, high, names[seat])
        if opened:
            part.lines += [f'<g transform="translate(0 {number(line - MARGIN)})">']
            part.lines += [*opened.lines, "</g>"]
        part.lines += ["</g>"]
        part.height += high + 8
    part.lines += [f'<g transform="translate(0 {number(part.height)})">']
    part.lines += [*_backs((width / 2 - 28, 8), position.pool_size, 26, theme), "</g>"]
    part.height += 26 + MARGIN
    return part


def _head(
    position: Position, seat: Seat, theme: Theme, width: float, high: float, name: str
) -> Iterator[str]:
    inner = width - MARGIN
    on_turn = seat == position.turn
    yield (
        f'<rect x="{number(MARGIN / 2)}" y="0" width="{number(inner)}" height="{number(high)}"'
        f' rx="12" fill="{theme.panel}"/>'
    )
    if on_turn:
        yield (
            f'<rect x="{number(MARGIN / 2)}" y="14" width="4" height="20" rx="2"'
            f' fill="{theme.accent}"/>'
        )
    bold = ' font-weight="700"'
    colour = theme.accent if on_turn else theme.text
    fits = max(4, int((width - 190) / 9))
    said = name if len(name) <= fits else name[: fits - 1] + "…"
    yield marks.words((MARGIN + 4, 24 + BASELINE * 16), said, colour, size=16, more=bold)
    if position.racks[seat] is None:
        yield from _backs((width - 152, 13), position.rack_sizes[seat], 26, theme)
    if position.rules.scoring:
        end = ' font-weight="700" text-anchor="end" font-variant-numeric="tabular-nums"'
        score = str(position.scores[seat]).replace("-", "\N{MINUS SIGN}")
        yield marks.words(
            (width - MARGIN - 4, 24 + BASELINE * 22), score, theme.text, size=22, more=end
        )


# --- The whole -----------------------------------------------------------------------------------


def _document(
    parts: Sequence[_Part], theme: Theme, *, background: bool, title: str, desc: str = ""
) -> str:
    width, height = ceil(max(part.width for part in parts)), ceil(sum(part.height for part in parts))
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"'
        f' width="{width}" height="{height}" role="img" font-family="{FONTS}">',
        f"<title>{marks.clean(title)}</title>",
    ]
    if desc:
        lines.append(f"<desc>{marks.clean(desc)}</desc>")
    if background:
        lines.append(f'<rect width="{width}" height="{height}" fill="{theme.ground}"/>')
    top = 0.0
    for part in parts:
        if top:
            lines += [f'<g transform="translate(0 {number(top)})">', *part.lines, "</g>"]
        else:
            lines += part.lines
        top += part.height
    return "\n".join([*lines, "</svg>", ""])


def _title(board: Board) -> str:
    count = len(board)
    return "An empty board" if not count else f"A board of {count} tile{'s' * (count > 1)}"


def _board_lines(scene: _Scene) -> Iterator[str]:
    """The board in words."""
    if scene.board.places:
        yield f"Tiles: {' '.join(map(str, scene.board.places))}."
    if scene.last:
        yield f"Last move: {scene.last}."
    if closed := scene.hexagons:
        numbers = scene.board.numbers
        yield f"Hexagons: {' '.join(f'{numbers[at]} at {at}' for at in closed)}."
    if scene.bridges:
        yield f"Bridges: {' '.join(map(str, scene.bridges))}."
    if scene.ghosts:
        said = ", ".join(f"{place} {text}".strip() for place, text in scene.ghosts.items())
        yield f"Places to play: {said}."


def _seat_lines(position: Position, names: Sequence[str]) -> Iterator[str]:
    """The racks in words."""
    for seat, rack in enumerate(position.racks):
        tiles = f"{position.rack_sizes[seat]} tiles" if rack is None else " ".join(map(str, rack))
        points = f", {position.scores[seat]} points" if position.rules.scoring else ""
        turn = ", to move" if seat == position.turn else ""
        yield f"{names[seat]}{turn}{points}: {tiles or 'no tiles'}."
    yield f"Pool: {position.pool_size} tiles."
