r"""Boards and racks as text, in colour through ``rich`` or in plain characters.

A tile is a triangle of slashes with its numbers in the corners, and neighbours share their edges::

       .-----.
      /3\3 4/
     /1*4\1/
    .-----.

The last tile has a star, and a vertex with six tiles around it a ``#``. If that is too wide, the
board is drawn as a net with one number at each vertex and an ``x`` in every enclosed hole; if even
that is too wide, it is cut off, and a line below says so.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

from triomino.packages import require_packages

require_packages("triomino.render.text", "rich")

from rich.style import Style
from rich.text import Text

from triomino.errors import PositionError, TriominoError
from triomino.grid import ORIGIN, Cell, Vertex
from triomino.render.theme import PALETTE, digit_colour

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from triomino.board import Board
    from triomino.moves import Place
    from triomino.tile import Numbers, Tile

Spot: TypeAlias = tuple[int, int]
"""A row from the top and a column from the left."""
Corners: TypeAlias = tuple[Spot, Spot, Spot]


@dataclass(frozen=True, slots=True)
class Form:
    """The size of a tile. A side is twice as many columns as rows, so that slashes join up."""

    rows: int
    points: bool = False
    """Whether there is one number at each vertex instead of three in each tile."""

    @property
    def columns(self) -> int:
        """The number of columns of a side."""
        return 2 * self.rows

    def at(self, vertex: Vertex) -> Spot:
        """Return where a vertex is written; rows count downwards."""
        return -vertex.y * self.rows, (2 * vertex.x + vertex.y) * self.rows

    def corners(self, cell: Cell) -> Corners:
        """Return where the vertices of a cell are written, in order."""
        a, b, c = cell.vertices
        return self.at(a), self.at(b), self.at(c)


ROOMY: Final = Form(4)
FULL: Final = Form(3)
NET: Final = Form(2, points=True)

MAX_EXTENT: Final = 100
"""The largest picture, in sides of a tile; beyond it, each group of tiles gets its own."""
MAX_LABEL_LENGTH: Final = 3

_DIGITS: Final = tuple(
    Style(color=digit_colour(number), bgcolor=PALETTE[number], bold=True) for number in range(6)
)
_EDGE: Final = Style(dim=True)
_NOW: Final = Style(bold=True)
_MARK: Final = Style(bold=True, reverse=True)
_LABEL: Final = Style(bold=True, underline=True)
_NOTE: Final = Style(italic=True)


@dataclass(frozen=True, slots=True)
class _Signs:
    """The characters that are not numbers."""

    rise: str
    fall: str
    level: str
    point: str
    hexagon: str
    trace: str
    left: str
    right: str
    mark: str = "*"
    hole: str = "x"


_ASCII: Final = _Signs("/", "\\", "-", ".", "#", ".", "<", ">")
_LINES: Final = _Signs("╱", "╲", "─", "·", "◉", "·", "‹", "›")


def board_text(
    board: Board,
    *,
    width: int = 80,
    height: int | None = None,
    last: Place | None = None,
    wrong: Place | None = None,
    labels: Mapping[Cell, str] | None = None,
    color: bool = True,
    ascii_only: bool = False,
    form: Form | None = None,
) -> Text:
    r"""Return the board in at most *width* columns; ``.plain`` is the same without colour.

    *last* is marked. *wrong*, which is not on the board, is drawn with a cross, whether it fits or
    not. *labels*, of at most three characters, are written in empty cells; the net has
    room for one character only, so longer labels rule it out. With *height*, the form is chosen to
    fit a window, if any does. Without *color* there is no style at all.

    >>> from triomino.board import Board
    >>> from triomino.moves import Place
    >>> tiles = ["U(0,0)=1-3-4", "D(0,0)=4-3-0"]
    >>> board = Board.of(map(Place.parse, tiles))
    >>> print(board_text(board, color=False, ascii_only=True).plain)
       .-----.
      /3\3 0/
     /1 4\4/
    .-----.
    """
    signs = _ASCII if ascii_only else _LINES
    scene = _Scene(board, last, wrong, dict(labels or {}), signs, color)
    scene.check()
    out: list[Text] = []
    groups = scene.groups()
    for cells in groups:
        if len(groups) > 1:
            out.append(Text(f"{min(cells)}:", _NOTE if color else ""))
        out += scene.picture(cells, form, width, height)
    return _joined(out)


def tile_text(tile: Tile, *, color: bool = True) -> Text:
    """Return a tile in one line.

    >>> from triomino.tile import Tile
    >>> tile_text(Tile(1, 3, 4)).plain
    '1-3-4'
    """
    text = Text(no_wrap=True)
    for index, number in enumerate(tile.numbers):
        text.append("-" if index else "", _EDGE if color else None)
        text.append(str(number), _DIGITS[number] if color else None)
    return text


def rack_text(
    tiles: Sequence[Tile],
    *,
    width: int = 80,
    labels: Sequence[str] = (),
    marked: Iterable[Tile] = (),
    color: bool = True,
    ascii_only: bool = False,
    triangles: bool = False,
) -> Text:
    r"""Return the tiles of a rack side by side, as text or as triangles, wrapped at *width*.

    *labels* belong to the tiles in order, before the text or under the triangle; *marked* tiles
    have a star.

    >>> from triomino.tile import Tile
    >>> rack = [Tile(0, 0, 5), Tile(1, 3, 4)]
    >>> print(rack_text(rack, labels="12", color=False).plain)
    1:0-0-5  2:1-3-4
    >>> print(rack_text(rack, triangles=True, color=False, ascii_only=True).plain)
       .        .
      /0\      /3\
     /0 5\    /1 4\
    .-----.  .-----.
    """
    names = [*labels[: len(tiles)], *[""] * (len(tiles) - len(labels))]
    stars = frozenset(marked)
    if triangles:
        signs = _ASCII if ascii_only else _LINES
        return _standing(tiles, names, stars, width, _Sheet(FULL, signs, color=color))
    items = []
    for tile, name in zip(tiles, names, strict=True):
        item = Text(f"{name}:" if name else "")
        item += tile_text(tile, color=color)
        if tile in stars:
            item.append("*", _MARK if color else "")
        items.append(item)
    lines: list[Text] = []
    for item in items:
        if lines and lines[-1].cell_len + 2 + item.cell_len <= width:
            lines[-1].append("  ").append_text(item)
        else:
            lines.append(item.copy())
    return _joined(lines)


# --- A sheet of characters -----------------------------------------------------------------------


class _Sheet:
    """A sparse grid of styled characters."""

    def __init__(self, form: Form, signs: _Signs, *, color: bool) -> None:
        self.form, self.signs, self.color = form, signs, color
        self.spots: dict[Spot, tuple[str, Style | None]] = {}

    def put(self, spot: Spot, text: str, style: Style | None) -> None:
        """Write text from a spot to the right."""
        row, column = spot
        for offset, char in enumerate(text):
            self.spots[row, column + offset] = char, style if self.color else None

    def edges(self, corners: Corners, style: Style) -> None:
        """Draw the sides of a triangle, without its corners."""
        for start, end in _sides(corners):
            if start[0] == end[0]:
                sign = self.signs.level
            else:
                sign = self.signs.fall if start[1] < end[1] else self.signs.rise
            for spot in _between(start, end):
                self.put(spot, sign, style)

    def trace(self, corners: Corners) -> None:
        """Draw an empty cell: dots along its sides and at its corners."""
        for start, end in _sides(corners):
            between = _between(start, end)
            if start[0] == end[0]:
                between = between[1::2]
            for spot in (start, *between, end):
                self.put(spot, self.signs.trace, _EDGE)

    def tile(self, corners: Corners, numbers: Numbers, *, marked: bool) -> None:
        """Draw a tile with its numbers; those of a net are written with its vertices."""
        self.edges(corners, _NOW if marked else _EDGE)
        middle = _middle(corners)
        if not self.form.points:
            for (row, column), number in zip(corners, numbers, strict=True):
                self._corner(row, column, number, middle)
        if marked:
            self.put(middle, self.signs.mark, _MARK)

    def _corner(self, row: int, column: int, number: int, middle: Spot) -> None:
        # If there is room, the coloured field is a little wider than the number.
        wide = self.form.rows > 3
        if column == middle[1]:
            away = 2 if wide else 1
            spot = row + (away if row < middle[0] else -away), column - wide
            text = f" {number} " if wide else str(number)
        elif column < middle[1]:
            spot, text = (middle[0], column + 2), f"{number} " if wide else str(number)
        else:
            spot, text = (middle[0], column - 2 - wide), f" {number}" if wide else str(number)
        self.put(spot, text, _DIGITS[number])

    def label(self, corners: Corners, text: str) -> None:
        """Write a label in the middle of an empty cell."""
        row, column = _middle(corners)
        self.put((row, column - len(text) // 2), text, _LABEL)

    def lines(self, left: int, right: int) -> list[Text]:
        """Return all rows, from one column to another."""
        rows: dict[int, list[int]] = {}
        for row, column in self.spots:
            if left <= column <= right:
                rows.setdefault(row, []).append(column)
        if not rows:
            return []
        out = []
        for row in range(min(rows), max(rows) + 1):
            line, at = Text(no_wrap=True), left
            for column in sorted(rows.get(row, ())):
                char, style = self.spots[row, column]
                line.append(" " * (column - at))
                line.append(char, style)
                at = column + 1
            out.append(line)
        return out


def _sides(corners: Corners) -> list[tuple[Spot, Spot]]:
    """Return the three sides, each from its upper or else its left end."""
    a, b, c = sorted(corners)
    return [(a, b), (b, c), (a, c)]


def _between(start: Spot, end: Spot) -> list[Spot]:
    """Return the spots inside a side, which is level or moves one column per row."""
    (top, left), (bottom, right) = start, end
    if top == bottom:
        return [(top, column) for column in range(left + 1, right)]
    aside = 1 if right > left else -1
    return [(top + down, left + aside * down) for down in range(1, bottom - top)]


def _middle(corners: Corners) -> Spot:
    """Return the middle of the row next to the level side, the widest inside a triangle."""
    a, b, c = sorted(corners)
    if a[0] == b[0]:
        return a[0] + 1, (a[1] + b[1]) // 2
    return c[0] - 1, (b[1] + c[1]) // 2


# --- The board -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Scene:
    """Everything shown of a board."""

    board: Board
    last: Place | None
    wrong: Place | None
    labels: dict[Cell, str]
    signs: _Signs
    color: bool

    def check(self) -> None:
        """Raise if something cannot be shown."""
        if self.last and self.last not in self.board.places:
            raise PositionError(f"{self.last}: this tile is not on the board")
        if self.wrong and self.wrong.cell in self.board:
            raise PositionError(f"{self.wrong}: a wrong tile needs an empty cell")
        for cell, text in self.labels.items():
            if cell in self.board:
                raise PositionError(f"{cell}: a label needs an empty cell")
            if not 0 < len(text) <= MAX_LABEL_LENGTH or not text.isprintable():
                raise TriominoError(f"{text!r} is no label; write one to three characters")

    @property
    def _has_long_labels(self) -> bool:
        return any(len(text) > 1 for text in self.labels.values())

    def groups(self) -> list[list[Cell]]:
        """Return the cells to draw: in one group or, if they are far apart, those that touch."""
        wrong = [self.wrong.cell] if self.wrong else []
        laid = [place.cell for place in self.board.places]
        cells = [*laid, *wrong, *self.labels] or [ORIGIN]
        left, top, right, bottom = _extent(cells, Form(1))
        if max(right - left, bottom - top) <= MAX_EXTENT:
            return [cells]
        return _touching(cells)

    def picture(
        self, cells: list[Cell], form: Form | None, width: int, height: int | None
    ) -> list[Text]:
        """Draw one group, as large as fits, or cut off."""
        width = max(width, 1)
        form = form or self._form(cells, width, height)
        if form.points and self._has_long_labels:
            raise TriominoError("a net has room for labels of one character only")
        sheet = self._sheet(cells, form)
        left, _, right, _ = _extent(cells, form)
        if right - left < width:
            return sheet.lines(left, right)
        focus = self.last.cell if self.last and self.last.cell in cells else None
        middle = _middle(form.corners(focus))[1] if focus else (left + right) // 2
        start = max(left, min(middle - width // 2, right - width + 1))
        end = start + width - 1
        spans = [_extent([cell], form) for cell in cells if cell in self.board]
        before = sum(span[0] < start for span in spans)
        after = sum(span[2] > end for span in spans)
        return [*sheet.lines(start, end), self._note(before, after, width)]

    def _form(self, cells: list[Cell], width: int, height: int | None) -> Form:
        forms = [FULL, NET] if height is None else [ROOMY, FULL, NET]
        # In a net, a wrong tile would overwrite the numbers that it does not match.
        if self._has_long_labels or self.wrong:
            forms.remove(NET)
        narrow = [form for form in forms if _size(cells, form)[0] <= width]
        fit = [form for form in narrow if height is None or _size(cells, form)[1] <= height]
        return fit[0] if fit else narrow[-1] if narrow else forms[-1]

    def _sheet(self, cells: list[Cell], form: Form) -> _Sheet:
        sheet, signs = _Sheet(form, self.signs, color=self.color), self.signs
        drawn, numbers = set(cells), dict[Vertex, int]()
        tiles = [place for place in self.board.places if place.cell in drawn]
        for cell in cells:
            if cell not in self.board:
                sheet.trace(form.corners(cell))
        # The last tile is drawn last, so that its shared edges take its style.
        for place in sorted(tiles, key=lambda place: place == self.last):
            sheet.tile(form.corners(place.cell), place.numbers, marked=place == self.last)
            numbers.update(zip(place.cell.vertices, place.numbers, strict=True))
        if self.wrong and self.wrong.cell in drawn:
            corners = form.corners(self.wrong.cell)
            sheet.tile(corners, self.wrong.numbers, marked=False)
            sheet.put(_middle(corners), signs.hole, _MARK)
        for vertex, number in numbers.items():
            closed = all(cell in self.board for cell in vertex.ring)
            sign = signs.hexagon if closed else signs.point
            sheet.put(form.at(vertex), str(number) if form.points else sign, _DIGITS[number])
        if form.points:
            # An empty cell enclosed by three tiles would look like a fourth.
            for cell in self._holes(tiles):
                sheet.put(_middle(form.corners(cell)), signs.hole, _EDGE)
        for cell, text in self.labels.items():
            if cell in drawn:
                sheet.label(form.corners(cell), text)
        return sheet

    def _holes(self, tiles: Iterable[Place]) -> set[Cell]:
        beside = {cell for place in tiles for cell in place.cell.neighbours}
        return {
            cell
            for cell in beside
            if cell not in self.board and all(other in self.board for other in cell.neighbours)
        }

    def _note(self, before: int, after: int, width: int) -> Text:
        cut = [(before, "left"), (after, "right")]
        sides = [f"{count} on the {side}" for count, side in cut if count]
        text = f"tiles cut off: {', '.join(sides)}"
        if len(text) > width:
            first = f"{self.signs.left}{before}" if before else ""
            text = f"{first} {after}{self.signs.right}".strip() if after else first
        return Text(text[:width], _NOTE if self.color else "", no_wrap=True)


def _extent(cells: Iterable[Cell], form: Form) -> tuple[int, int, int, int]:
    """Return left, top, right and bottom, in characters."""
    spots = [form.at(vertex) for cell in cells for vertex in cell.vertices]
    rows, columns = zip(*spots, strict=True)
    return min(columns), min(rows), max(columns), max(rows)


def _size(cells: Iterable[Cell], form: Form) -> Spot:
    """Return the number of columns and rows."""
    left, top, right, bottom = _extent(cells, form)
    return right - left + 1, bottom - top + 1


def _touching(cells: list[Cell]) -> list[list[Cell]]:
    """Return the cells in groups connected by shared vertices, in the order laid."""
    at: dict[Vertex, list[Cell]] = {}
    for cell in cells:
        for vertex in cell.vertices:
            at.setdefault(vertex, []).append(cell)
    groups, seen = [], set[Cell]()
    for first in cells:
        if first in seen:
            continue
        group = [first]
        seen.add(first)
        for cell in group:
            for vertex in cell.vertices:
                fresh = [other for other in at[vertex] if other not in seen]
                seen.update(fresh)
                group += fresh
        groups.append(group)
    return groups


# --- Racks ---------------------------------------------------------------------------------------


def _standing(
    tiles: Sequence[Tile],
    names: Sequence[str],
    stars: frozenset[Tile],
    width: int,
    sheet: _Sheet,
) -> Text:
    """Draw triangles side by side, in as many rows as needed."""
    step, low = FULL.columns + 3, FULL.rows
    fit = max(1, (width + 2) // step)
    for index, (tile, name) in enumerate(zip(tiles, names, strict=True)):
        row, column = divmod(index, fit)
        top, left = row * (low + 1 + any(names)), column * step
        corners = (top + low, left), (top, left + low), (top + low, left + 2 * low)
        sheet.tile(corners, tile.numbers, marked=tile in stars)
        for corner, number in zip(corners, tile.numbers, strict=True):
            sheet.put(corner, sheet.signs.point, _DIGITS[number])
        sheet.put((top + low + 1, left + low - len(name) // 2), name, _LABEL)
    return _joined(sheet.lines(0, max(width, step)))


def _joined(lines: Sequence[Text]) -> Text:
    text = Text("\n", no_wrap=True, end="").join(lines)
    text.no_wrap, text.end = True, ""
    return text
