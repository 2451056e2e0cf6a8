"""The elements of a drawing as SVG: tiles, backs, rings, arcs, labels."""

from __future__ import annotations

import re
from html import escape
from math import radians
from typing import TYPE_CHECKING, Final

from triomino.render.shapes import (
    BASELINE,
    DIGIT,
    DIGIT_FROM_POINT,
    DISC,
    DISC_DIGIT,
    GAP,
    HEXAGON_LINE,
    KITE_EDGE,
    KITE_TIP,
    ROUNDING,
    SMALL_KITE,
    Point,
    Triangle,
    arc,
    centre,
    kite,
    number,
    outline,
    sector,
    towards,
)
from triomino.render.theme import INK, PALETTE, Theme, digit_colour

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from triomino.tile import Numbers

RING: Final = 2.0
"""The width of the ring around the last move on a small board, in pixels."""
DASHED: Final = 1.6
"""The width of the dashes around a possible placement, in pixels."""

_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def clean(text: str) -> str:
    """Return text escaped for XML, without the characters that XML cannot hold."""
    return escape(_NO_XML.sub("\N{REPLACEMENT CHARACTER}", text))


def label_text(
    at: Point, text: str, fill: str, *, size: float | None = None, more: str = ""
) -> str:
    """Return text with its baseline at a point; without *size* it takes that of its group."""
    x, y = number(at[0]), number(at[1])
    sized = "" if size is None else f' font-size="{number(size)}"'
    return f'<text x="{x}" y="{y}" fill="{fill}"{sized}{more}>{clean(text)}</text>'


def digit(at: Point, value: int, size: float) -> str:
    """Return an upright number centred on a point, in the size of its group."""
    return label_text((at[0], at[1] + BASELINE * size), str(value), digit_colour(value))


def digits(size: float) -> str:
    """Return the opening tag of a group of numbers."""
    return f'<g font-size="{number(size)}" font-weight="700" text-anchor="middle">'


def shadows(tiles: Iterable[Triangle], side: float, theme: Theme) -> str:
    """Return the thin shadow under some tiles, as one shape."""
    drop = 0.022 * side
    path = "".join(
        outline(
            ((ax, ay + drop), (bx, by + drop), (cx, cy + drop)), GAP / 2 * side, ROUNDING * side
        )
        for (ax, ay), (bx, by), (cx, cy) in tiles
    )
    return f'<path d="{path}" fill="#000000" fill-opacity="{number(theme.shadow)}"/>'


def body(corners: Triangle, side: float, theme: Theme, fill: str | None = None) -> str:
    """Return the blank face of a tile."""
    path = outline(corners, GAP / 2 * side, ROUNDING * side)
    edge = f'stroke="{theme.rim}" stroke-width="{number(max(0.6, 0.01 * side))}"'
    return f'<path d="{path}" fill="{fill or theme.ivory}" {edge}/>'


def tile(corners: Triangle, numbers: Numbers, side: float, theme: Theme) -> Iterator[str]:
    """Draw a tile with its three coloured corners and numbers."""
    yield body(corners, side, theme)
    middle = centre(corners)
    for index, value in enumerate(numbers):
        path = kite(corners, index, side, edge=KITE_EDGE, tip=KITE_TIP)
        yield f'<path d="{path}" fill="{PALETTE[value]}"/>'
    for corner, value in zip(corners, numbers, strict=True):
        yield digit(towards(corner, middle, DIGIT_FROM_POINT * side), value, DIGIT * side)


def small_tile(corners: Triangle, numbers: Numbers, side: float, theme: Theme) -> Iterator[str]:
    """Draw a tile without numbers; those of a small board are on discs at the vertices."""
    yield body(corners, side, theme)
    for index, value in enumerate(numbers):
        yield f'<path d="{sector(corners, index, side, SMALL_KITE)}" fill="{PALETTE[value]}"/>'


def disc(at: Point, value: int, side: float, theme: Theme, *, laid: bool = True) -> Iterator[str]:
    """Draw the number of a vertex of a small board, with a dashed edge if no tile lies there."""
    x, y, dash = number(at[0]), number(at[1]), number(0.07 * side)
    edge = (
        f'stroke="{theme.ivory}" stroke-width="{number(0.035 * side)}"'
        if laid
        else f'stroke="{theme.ring}" stroke-width="{number(DASHED)}" stroke-dasharray="{dash}"'
    )
    r = number(DISC * side)
    yield f'<circle cx="{x}" cy="{y}" r="{r}" fill="{PALETTE[value]}" {edge}/>'
    yield digit(at, value, DISC_DIGIT * side)


def back(corners: Triangle, side: float, theme: Theme) -> Iterator[str]:
    """Draw a tile face down."""
    yield body(corners, side, theme, theme.back)
    inner = outline(corners, 0.13 * side, ROUNDING * side)
    yield (
        f'<path d="{inner}" fill="none" stroke="{theme.ivory}" stroke-opacity="0.5"'
        f' stroke-width="{number(0.02 * side)}"/>'
    )


def ring(corners: Triangle, side: float, theme: Theme) -> Iterator[str]:
    """Draw the ring of the last move, just outside its tile but clear of other numbers."""
    line = max(1.5, 0.03 * side)
    away = 0.018 * side + line / 2
    path = outline(corners, GAP / 2 * side - away, ROUNDING * side + away)
    # A thin line of background separates it from the neighbours, which are as bright.
    for colour, wide in ((theme.ground, line + 0.02 * side), (theme.ring, line)):
        yield f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{number(wide)}"/>'


def small_ring(corners: Triangle, side: float, theme: Theme) -> Iterator[str]:
    """Draw the same ring around a tile and its discs; the tile itself is drawn over it."""
    for colour, away in (
        (theme.ground, 2 * RING + 1.2),
        (theme.ring, 2 * RING),
        (theme.ground, RING),
    ):
        yield f'<g fill="{colour}">'
        yield f'<path d="{outline(corners, GAP / 2 * side - away, ROUNDING * side + away)}"/>'
        for x, y in corners:
            r = number((DISC + 0.0175) * side + away)
            yield f'<circle cx="{number(x)}" cy="{number(y)}" r="{r}"/>'
        yield "</g>"


def hexagon_ring(at: Point, value: int, side: float, radius: float) -> Iterator[str]:
    """Draw the ring around the six numbers of a hexagon."""
    x, y, r = number(at[0]), number(at[1]), number(radius * side)
    # Ink below, so that a pale colour is visible on a tile.
    for colour, line in ((INK, HEXAGON_LINE * 1.6), (PALETTE[value], HEXAGON_LINE)):
        yield (
            f'<circle cx="{x}" cy="{y}" r="{r}" fill="none" stroke="{colour}"'
            f' stroke-width="{number(line * side)}"/>'
        )


def bridge_arc(
    at: Point, value: int, side: float, theme: Theme, *, radius: float, ends: tuple[Point, Point]
) -> Iterator[str]:
    """Draw the arc of a bridge around the vertex it reached, from one part to the other."""
    path, *knobs = arc(at, radius * side, *ends, trim=radians(16))
    edge = max(0.009, 0.6 / side)
    # The arc crosses tiles and background: ink is visible on one, the ring's colour on the other.
    for colour, line in (
        (INK, 0.038 + 4 * edge),
        (theme.ring, 0.038 + 2 * edge),
        (PALETTE[value], 0.038),
    ):
        yield (
            f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{number(line * side)}"/>'
        )
        for x, y in knobs:
            r = number((0.022 + line / 2) * side)
            yield f'<circle cx="{number(x)}" cy="{number(y)}" r="{r}" fill="{colour}"/>'


def ghost(corners: Triangle, numbers: Numbers, side: float, theme: Theme) -> Iterator[str]:
    """Draw a possible placement: a translucent tile in a dashed ring."""
    yield (
        f'<path d="{outline(corners, GAP / 2 * side, ROUNDING * side)}" fill="{theme.ivory}"'
        f' fill-opacity="{number(theme.ghost)}"/>'
    )
    middle = centre(corners)
    for index, value in enumerate(numbers):
        path = kite(corners, index, side, edge=KITE_EDGE, tip=KITE_TIP)
        yield f'<path d="{path}" fill="{PALETTE[value]}"/>'
    for corner, value in zip(corners, numbers, strict=True):
        yield digit(towards(corner, middle, DIGIT_FROM_POINT * side), value, DIGIT * side)
    yield dashed_ring(corners, side, theme)


def dashed_ring(corners: Triangle, side: float, theme: Theme) -> str:
    """Return the dashed outline of a possible placement."""
    path = outline(corners, GAP / 2 * side, ROUNDING * side)
    dash = number(0.07 * side)
    return (
        f'<path d="{path}" fill="none" stroke="{theme.ring}" stroke-width="{number(DASHED)}"'
        f' stroke-dasharray="{dash}"/>'
    )


def label(corners: Triangle, text: str, side: float, theme: Theme) -> Iterator[str]:
    """Draw the label of a possible placement, between its numbers and never over them."""
    x, y = centre(corners)
    # Two numbers are side by side at the base: the free strip is towards the apex.
    ups = sum(corner[1] < y for corner in corners)
    y += 0.065 * side * (1 if ups == 2 else -1)
    size = 0.155 * side
    wide, high = size * (0.6 * len(text) + 0.6), 0.175 * side
    yield (
        f'<rect x="{number(x - wide / 2)}" y="{number(y - high / 2)}" width="{number(wide)}"'
        f' height="{number(high)}" rx="{number(high / 2)}" fill="{theme.ring}"/>'
    )
    yield label_text((x, y + BASELINE * size), text, theme.ground, size=size)


def small_ghost(corners: Triangle, side: float, theme: Theme) -> Iterator[str]:
    """Draw a possible placement on a small board."""
    yield (
        f'<path d="{outline(corners, GAP / 2 * side, ROUNDING * side)}" fill="{theme.ivory}"'
        f' fill-opacity="{number(theme.ghost)}"/>'
    )
    yield dashed_ring(corners, side, theme)


def small_label(corners: Triangle, text: str, side: float, theme: Theme) -> Iterator[str]:
    """Draw the label of a possible placement on a small board, between the discs."""
    x, y = centre(corners)
    size = 0.25 * side
    wide, high = size * (0.6 * len(text) + 0.3), 0.27 * side
    yield (
        f'<rect x="{number(x - wide / 2)}" y="{number(y - high / 2)}" width="{number(wide)}"'
        f' height="{number(high)}" rx="{number(high / 2)}" fill="{theme.ring}"/>'
    )
    yield label_text((x, y + BASELINE * size), text, theme.ground, size=size)
