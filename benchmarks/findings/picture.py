"""Bars with their intervals, as SVG."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final, NamedTuple

from triomino.render.svg import FONTS
from triomino.render.theme import DAY, PALETTE

if TYPE_CHECKING:
    from collections.abc import Sequence

WIDE, HIGH = 520, 26
LEFT, TOP, RIGHT = 190, 52, 90
_COLOUR: Final = PALETTE[5]


class Bar(NamedTuple):
    """A value with its interval of 95 %."""

    label: str
    value: float
    low: float
    high: float


def bars(title: str, rows: Sequence[Bar], *, most: float, percent: bool = True) -> str:
    """Draw a bar for every row, from 0 to *most*."""
    width, height = LEFT + WIDE + RIGHT, TOP + HIGH * len(rows) + 16

    def x(value: float) -> float:
        return LEFT + WIDE * min(most, max(0.0, value)) / most

    frame = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" font-family="{FONTS}" font-size="13" '
        f'fill="{DAY.text}" role="img" aria-label="{escape(title)}">'
    )
    parts = [
        frame,
        f'<rect width="{width}" height="{height}" fill="{DAY.panel}"/>',
        f'<text x="16" y="30" font-weight="700">{escape(title)}</text>',
    ]
    for number, row in enumerate(rows):
        y = TOP + HIGH * number
        value = f"{row.value:.0%}" if percent else f"{row.value:.0f}"
        parts.append(
            f'<text x="{LEFT - 10}" y="{y + 14}" text-anchor="end">{escape(row.label)}</text>'
            f'<rect x="{LEFT}" y="{y + 2}" width="{x(row.value) - LEFT:.1f}" height="16" '
            f'fill="{_COLOUR}" fill-opacity=".75"/>'
            f'<path d="M{x(row.low):.1f} {y + 10}H{x(row.high):.1f}" stroke="{DAY.text}" '
            f'stroke-width="2"/>'
            f'<text x="{x(row.high) + 8:.1f}" y="{y + 14}">{value}</text>'
        )
    return "\n".join([*parts, "</svg>\n"])
