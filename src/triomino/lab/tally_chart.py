"""Tallies as an SVG image: four small charts for each edition, a colour for each player count."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Final

import numpy as np

from triomino.lab.tally import LOWEST
from triomino.render.svg import FONTS
from triomino.render.theme import DAY, PALETTE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from triomino.lab.tally import Tally

WIDTH: Final = 1200
LEFT: Final = 24
WIDE, HIGH = 258, 120  # of a chart
STEP_X, STEP_Y = 292, 208
TOP: Final = 96
TITLES: Final = (
    "points of a seat",
    "turns of a round",
    "bridges and hexagons a round",
    "the starter wins more often by",
)


@dataclass(frozen=True, slots=True)
class Panel:
    """The place and the scales of one chart."""

    x: float
    y: float
    low: float
    high: float
    top: float
    bottom: float = 0.0

    def at(self, value: float, height: float) -> tuple[float, float]:
        """Return where a value and a height are drawn."""
        across = (value - self.low) / (self.high - self.low or 1)
        up = (height - self.bottom) / (self.top - self.bottom or 1)
        return self.x + WIDE * across, self.y + HIGH * (1 - up)


def tally_chart(tallies: Sequence[Tally], about: str) -> str:
    """Draw all tallies as one SVG image."""
    names = list(dict.fromkeys(tally.name for tally in tallies))
    height = TOP + STEP_Y * len(names) + 8
    rounds = sum(tally.rounds for tally in tallies)
    title = f"{rounds:,} rounds of Triominos, {about}"
    size = f'viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}"'
    font = f'font-family="{FONTS}" font-size="12" fill="{DAY.text}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" {font}>',
        f"<title>{escape(title)}</title>",
        f'<rect width="{WIDTH}" height="{height}" fill="{DAY.panel}"/>',
        _text(LEFT, 36, title, size=20, bold=True),
        *_legend(sorted({tally.players for tally in tallies})),
    ]
    for row, name in enumerate(names):
        own = [tally for tally in tallies if tally.name == name]
        y = TOP + STEP_Y * row
        parts.append(_text(LEFT, y, name, size=15, bold=True))
        charts = (_scores, _turns, _bonuses, _advantage)
        for column, (chart, said) in enumerate(zip(charts, TITLES, strict=True)):
            x = LEFT + STEP_X * column
            parts.append(_text(x, y + 20, said, colour=DAY.muted))
            parts += chart(own, x, y + 30)
    return "\n".join([*parts, "</svg>\n"])


def _colour(players: int) -> str:
    return PALETTE[players - 1]


def _legend(counts: Sequence[int]) -> Iterator[str]:
    for place, players in enumerate(counts):
        x = LEFT + 104 * place
        yield f'<rect x="{x}" y="52" width="14" height="14" rx="3" fill="{_colour(players)}"/>'
        yield _text(x + 20, 64, f"{players} players")


def _text(
    x: float,
    y: float,
    said: str,
    *,
    size: int = 12,
    bold: bool = False,
    colour: str = DAY.text,
    anchor: str = "start",
) -> str:
    weight = ' font-weight="700"' if bold else ""
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size}"{weight} fill="{colour}"'
        f' text-anchor="{anchor}">{escape(said)}</text>'
    )


# --- Curves --------------------------------------------------------------------------------------


def _scores(tallies: Sequence[Tally], x: float, y: float) -> Iterator[str]:
    if not tallies[0].rules.scoring:
        yield _text(x, y + HIGH / 2, "no points are kept", colour=DAY.muted)
        return
    yield from _curves([(tally, tally.scores, LOWEST) for tally in tallies], x, y, width=5)


def _turns(tallies: Sequence[Tally], x: float, y: float) -> Iterator[str]:
    yield from _curves([(tally, tally.turns, 0) for tally in tallies], x, y, width=1)


def _curves(
    rows: Sequence[tuple[Tally, NDArray[np.int64], int]], x: float, y: float, width: int
) -> Iterator[str]:
    """Draw relative frequencies; each point of a curve covers *width* values."""
    curves, low, high = [], 10**9, -(10**9)
    for tally, counts, first in rows:
        parts = counts.reshape(-1, width).sum(axis=1) / counts.sum()
        ends = np.searchsorted(np.cumsum(parts), [0.001, 0.999])
        low, high = min(low, first + width * int(ends[0])), max(high, first + width * int(ends[1]))
        curves.append((tally.players, parts, first))
    panel = Panel(x, y, low, high, top=max(float(parts.max()) for _, parts, _ in curves) * 1.05)
    yield from _axis(panel, _ticks(low, high))
    for players, parts, first in curves:
        points = [
            "{:.1f},{:.1f}".format(*panel.at(value, float(parts[(value - first) // width])))
            for value in range(low, high + 1, width)
        ]
        yield (
            f'<polyline points="{" ".join(points)}" fill="none" stroke="{_colour(players)}"'
            ' stroke-width="2" stroke-linejoin="round"/>'
        )


def _ticks(low: float, high: float) -> list[float]:
    step = next(
        s for s in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 5000) if (high - low) / s <= 6
    )
    return list(range(-(-int(low) // step) * step, int(high) + 1, step))


def _axis(panel: Panel, ticks: Sequence[float]) -> Iterator[str]:
    y = panel.y + HIGH
    yield f'<path d="M{panel.x:g} {y:g}h{WIDE}" stroke="{DAY.muted}" fill="none"/>'
    for tick in ticks:
        x = panel.at(tick, 0)[0]
        yield f'<path d="M{x:.1f} {y:g}v4" stroke="{DAY.muted}" fill="none"/>'
        yield _text(round(x, 1), y + 17, f"{tick:g}", size=11, colour=DAY.muted, anchor="middle")


# --- Bars ----------------------------------------------------------------------------------------


def _bonuses(tallies: Sequence[Tally], x: float, y: float) -> Iterator[str]:
    """Draw two bars for each player count: bridges filled, hexagons hollow."""
    if not tallies[0].rules.scoring:
        yield _text(x, y + HIGH / 2, "no points are kept", colour=DAY.muted)
        return
    values = [(t.players, t.bridges / t.rounds, t.hexagons / t.rounds) for t in tallies]
    panel = Panel(x, y, 0, len(values), top=max(max(b, h) for _, b, h in values) * 1.2)
    yield from _axis(panel, [])
    for place, (players, bridges, hexagons) in enumerate(values):
        yield from _bar(panel, place + 0.28, bridges, players, f"{bridges:.2f}")
        yield from _bar(panel, place + 0.68, hexagons, players, f"{hexagons:.2f}", hollow=True)
    yield _text(x, y + HIGH + 17, "full: bridges, hollow: hexagons", size=11, colour=DAY.muted)


def _advantage(tallies: Sequence[Tally], x: float, y: float) -> Iterator[str]:
    values = [(tally.players, 100 * tally.advantage) for tally in tallies]
    top = max(1.0, *(value for _, value in values)) * 1.25
    bottom = min(0.0, *(value for _, value in values)) * 1.25
    panel = Panel(x, y, 0, len(values), top=top, bottom=bottom)
    base = panel.at(0, 0)[1]
    yield f'<path d="M{x:g} {base:.1f}h{WIDE}" stroke="{DAY.muted}" fill="none"/>'
    for place, (players, value) in enumerate(values):
        yield from _bar(panel, place + 0.5, value, players, f"{value:+.1f}")
    yield _text(
        x, y + HIGH + 17, "percentage points above an equal share", size=11, colour=DAY.muted
    )


def _bar(
    panel: Panel, place: float, value: float, players: int, said: str, *, hollow: bool = False
) -> Iterator[str]:
    (x, end), base = panel.at(place, value), panel.at(place, 0)[1]
    wide = min(22.0, WIDE / (panel.high * 3.2))
    fill = "none" if hollow else _colour(players)
    yield (
        f'<rect x="{x - wide / 2:.1f}" y="{min(end, base):.1f}" width="{wide:.1f}"'
        f' height="{abs(base - end):.1f}" fill="{fill}" stroke="{_colour(players)}"'
        ' stroke-width="1.5"/>'
    )
    yield _text(
        round(x, 1), round(min(end, base) - 4, 1), said, size=10, colour=DAY.text, anchor="middle"
    )
