"""Racks, and a panel for every seat."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, Final

from triomino.render import marks
from triomino.render.scene import MARGIN, Part
from triomino.render.shapes import BASELINE, DIGIT, ROW_HEIGHT, Point, Triangle, number

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from triomino.position import Position
    from triomino.render.theme import Theme
    from triomino.rules import Seat
    from triomino.tile import Tile

# In pixels.
RACK_SIDE: Final = 60.0
ROW_GAP: Final = 10.0
PANEL_GAP: Final = 8.0
HEAD: Final = 44.0
"""The height of a seat's panel without its rack."""
BACK_SIDE: Final = 26.0

_BOLD: Final = ' font-weight="700"'
_TO_THE_END: Final = ' text-anchor="end" font-variant-numeric="tabular-nums"'


def standing(left: float, top: float, side: float) -> Triangle:
    """Return the corners of a tile on a rack: lower left, top, lower right."""
    bottom = top + side * ROW_HEIGHT
    return (left, bottom), (left + side / 2, top), (left + side, bottom)


def pitch(side: float) -> float:
    """Return the distance from one tile of a row to the next."""
    return side + 6.0


def row_lines(
    tiles: Sequence[tuple[Tile | None, Triangle]],
    side: float,
    theme: Theme,
    marked: frozenset[Tile] = frozenset(),
) -> Iterator[str]:
    """Draw tiles side by side; ``None`` is a tile face down."""
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


def rack_part(
    tiles: Sequence[Tile] | int,
    side: float,
    theme: Theme,
    width: float,
    marked: frozenset[Tile],
) -> Part:
    """Return tiles in rows or, for a number of hidden tiles, a back and the number."""
    step, high = pitch(side), side * ROW_HEIGHT
    if isinstance(tiles, int):
        part = Part(width, high + 2 * MARGIN)
        part.lines = [*_backs((MARGIN, MARGIN), tiles, side, theme)]
        return part
    fit = max(1, int((width - 2 * MARGIN + step - side) // step))
    rows = max(1, ceil(len(tiles) / fit))
    part = Part(width, rows * high + (rows - 1) * ROW_GAP + 2 * MARGIN)
    placed: list[tuple[Tile | None, Triangle]] = []
    for index, tile in enumerate(tiles):
        row, column = divmod(index, fit)
        at = MARGIN + column * step, MARGIN + row * (high + ROW_GAP)
        placed.append((tile, standing(*at, side)))
    if placed:
        part.lines = [*row_lines(placed, side, theme, marked)]
    return part


def _backs(at: Point, count: int, side: float, theme: Theme) -> Iterator[str]:
    """Draw the back of a tile and how many there are."""
    yield from row_lines([(None, standing(*at, side))], side, theme)
    size = max(14.0, 0.3 * side)
    beside = at[0] + side + 6, at[1] + side * ROW_HEIGHT / 2 + BASELINE * size
    text = f"\N{MULTIPLICATION SIGN}\N{NO-BREAK SPACE}{count}"
    yield marks.label_text(beside, text, theme.muted, size=size)


def seats_part(
    position: Position, theme: Theme, width: float, names: Sequence[str], to_move: Seat | None
) -> Part:
    """Return a panel for every seat, and the pool."""
    part = Part(width, 0)

    def put(lines: Iterable[str], top: float) -> None:
        part.lines.extend((f'<g transform="translate(0 {number(top)})">', *lines, "</g>"))

    for seat, rack in enumerate(position.racks):
        high, opened = HEAD, None
        if rack:
            opened = rack_part(rack, RACK_SIDE, theme, width, frozenset(position.drawn))
            high = HEAD + opened.height - 1.5 * MARGIN
        head = _head(position, seat, theme, (width, high), names[seat], now=seat == to_move)
        put(head, part.height)
        if opened:
            put(opened.lines, part.height + HEAD - MARGIN)
        part.height += high + PANEL_GAP
    put(_backs((width / 2 - 30, 0), position.pool_size, BACK_SIDE, theme), part.height + 4)
    part.height += BACK_SIDE + MARGIN
    return part


def _head(
    position: Position, seat: Seat, theme: Theme, size: Point, name: str, *, now: bool
) -> Iterator[str]:
    """Draw the panel of a seat: its name, its number of hidden tiles, its score."""
    width, high = size
    edge, left, right = MARGIN / 2, MARGIN + 2, width - MARGIN - 2
    yield (
        f'<rect x="{number(edge)}" width="{number(width - 2 * edge)}" height="{number(high)}"'
        f' rx="12" fill="{theme.panel}"/>'
    )
    colour = theme.text
    if now:
        colour = theme.accent
        yield f'<circle cx="{number(left + 4)}" cy="{number(HEAD / 2)}" r="4" fill="{colour}"/>'
        left += 16
    if position.rules.scoring:
        score = str(position.scores[seat]).replace("-", "\N{MINUS SIGN}")
        at = right, HEAD / 2 + BASELINE * 22
        yield marks.label_text(at, score, theme.text, size=22, more=_BOLD + _TO_THE_END)
        right -= 76
    if position.racks[seat] is None:
        right -= 68
        at = right, (HEAD - BACK_SIDE * ROW_HEIGHT) / 2
        yield from _backs(at, position.rack_sizes[seat], BACK_SIDE, theme)
    # No font metrics are available, so a letter is taken to be 0.6 em wide.
    fits = max(3, int((right - left - 8) / (0.6 * 16)))
    shown = name if len(name) <= fits else name[: fits - 1] + "…"
    yield marks.label_text((left, HEAD / 2 + BASELINE * 16), shown, colour, size=16, more=_BOLD)
