"""The log of a training run as an SVG image."""

from __future__ import annotations

import json
from html import escape
from typing import TYPE_CHECKING, Any, Final

from triomino.render.svg import FONTS
from triomino.render.theme import DAY, PALETTE

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

WIDTH, HEIGHT = 900, 420
LEFT, TOP, WIDE, HIGH = 60, 60, 620, 310
GAMES: Final = ("classic/2", "classic/4", "six-player/2", "six-player/6", "card/2", "casual/2")


def read_log(path: Path) -> list[dict[str, Any]]:
    """Return the lines of a log after its head."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()[1:]]


def curves(lines: Sequence[dict[str, Any]]) -> str:
    """Draw how the network alone does against greedy, in times the fair share, by step."""
    last = max((line["step"] for line in lines), default=1)
    size = f'viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}"'
    font = f'font-family="{FONTS}" font-size="12" fill="{DAY.text}"'
    title = "The network without a search against greedy, in times the fair share"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" {font}>',
        f"<title>{escape(title)}</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{DAY.panel}"/>',
        f'<text x="{LEFT}" y="32" font-size="16">{escape(title)}</text>',
        f'<text x="{LEFT + WIDE}" y="{TOP + HIGH + 24}" text-anchor="end">step {last}</text>',
    ]
    for tenths in range(10, 21, 2):
        y = _height(tenths / 10)
        parts.append(
            f'<path d="M{LEFT} {y:.0f}h{WIDE}" stroke="{DAY.muted}" stroke-opacity=".3"/>'
            f'<text x="{LEFT - 8}" y="{y + 4:.0f}" text-anchor="end">{tenths / 10:.1f}</text>'
        )
    for number, game in enumerate(GAMES):
        players = int(game.rpartition("/")[2])
        times = 2 if players == 2 else 1
        points = " ".join(
            f"{LEFT + WIDE * line['step'] / last:.1f},{_height(times * line['won'][game]):.1f}"
            for line in lines
        )
        colour, y = PALETTE[number % len(PALETTE)], TOP + 18 + 22 * number
        parts += [
            f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>',
            f'<text x="{LEFT + WIDE + 20}" y="{y}" fill="{colour}">{escape(game)}</text>',
        ]
    return "\n".join([*parts, "</svg>\n"])


def _height(share: float) -> float:
    return TOP + HIGH * (2.0 - share) / 1.1
