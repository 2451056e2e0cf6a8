"""The picture of calibration: what was won beside what was called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from benchmarks.analysis.checks import CLOSE, SIGNIFICANT
from triomino.render.svg import FONTS
from triomino.render.theme import DAY, PALETTE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from benchmarks.analysis.checks import Bin

SIZE, EDGE = 320, 52
_COLOURS: Final = (PALETTE[5], PALETTE[1], PALETTE[3])


def picture(groups: Mapping[str, Sequence[Bin]]) -> str:
    """Draw the bins of each group as points with bars, beside each other, as SVG."""
    width, height = len(groups) * (SIZE + EDGE) + 24, SIZE + 2 * EDGE
    frame = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" font-family="{FONTS}" font-size="13" '
        f'fill="{DAY.text}" role="img" aria-label="How often positions were won, '
        f'by the chance that was called">'
    )
    parts = [frame, f'<rect width="{width}" height="{height}" fill="{DAY.panel}"/>']
    for number, (name, bins) in enumerate(groups.items()):
        parts += _plot(EDGE + number * (SIZE + EDGE), name, bins, _COLOURS[number])
    return "\n".join([*parts, "</svg>\n"])


def _plot(left: int, name: str, bins: Sequence[Bin], colour: str) -> list[str]:
    top = EDGE

    def x(share: float) -> float:
        return left + SIZE * share

    def y(share: float) -> float:
        return top + SIZE * (1 - share)

    parts = [f'<text x="{left}" y="{top - 16}" font-weight="700">{name}</text>']
    parts += [
        f'<path d="M{x(0):g} {y(part):g}H{x(1):g}M{x(part):g} {y(0):g}V{y(1):g}" '
        f'stroke="{DAY.muted}" stroke-opacity=".3"/>'
        f'<text x="{x(part):g}" y="{y(0) + 18:g}" text-anchor="middle">{part:.0%}</text>'
        f'<text x="{left - 6}" y="{y(part) + 4:g}" text-anchor="end">{part:.0%}</text>'
        for part in (0, 0.25, 0.5, 0.75, 1)
    ]
    parts.append(
        f'<path d="M{x(0):g} {y(CLOSE):g}L{x(1 - CLOSE):g} {y(1):g}L{x(1):g} {y(1):g}'
        f'L{x(1):g} {y(1 - CLOSE):g}L{x(CLOSE):g} {y(0):g}L{x(0):g} {y(0):g}Z" '
        f'fill="{DAY.muted}" fill-opacity=".25"/>'
    )
    parts += [
        f'<path d="M{x(one.called):.1f} {y(one.won - SIGNIFICANT * one.error):.1f}'
        f'V{y(one.won + SIGNIFICANT * one.error):.1f}" stroke="{colour}" stroke-width="2"/>'
        f'<circle cx="{x(one.called):.1f}" cy="{y(one.won):.1f}" r="4.5" fill="{colour}"/>'
        for one in bins
    ]
    parts.append(
        f'<text x="{x(0.5):g}" y="{y(0) + 38:g}" text-anchor="middle">chance that was called</text>'
    )
    return parts
