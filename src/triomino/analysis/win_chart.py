"""The chance to win over a match, as an SVG image."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final

from triomino.render.svg import FONTS
from triomino.render.theme import DAY, PALETTE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from triomino.analysis import Review
    from triomino.rules import Seat

WIDE, HIGH = 860, 260
LEFT, TOP = 52, 56
BOTTOM: Final = 44
_COLOURS: Final = (PALETTE[5], PALETTE[1], PALETTE[3], PALETTE[4], PALETTE[2], PALETTE[0])
_DASHES: Final = ("", "7 4", "2 4", "10 3 2 3", "4 2", "1 3")
SIGNS: Final = {"inaccuracy": "?!", "mistake": "?", "blunder": "??"}
"""How a mark is written beside a move."""


def win_chart(review: Review) -> str:
    """Draw a review as SVG: a line for each player, with marks where a decision was bad."""
    players = review.match.players
    steps = sum(len(one.after) for one in review.chances)
    width, height = LEFT + WIDE + 20, TOP + HIGH + BOTTOM
    frame = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" font-family="{FONTS}" font-size="13" '
        f'fill="{DAY.text}" role="img" aria-label="The chance to win over the match">'
    )
    parts = [
        frame,
        f'<rect width="{width}" height="{height}" fill="{DAY.panel}"/>',
    ]
    for share in (0, 25, 50, 75, 100):
        y = TOP + HIGH * (1 - share / 100)
        parts.append(
            f'<path d="M{LEFT} {y:g}H{LEFT + WIDE}" stroke="{DAY.muted}" stroke-opacity=".35"/>'
            f'<text x="{LEFT - 8}" y="{y + 4:g}" text-anchor="end">{share}%</text>'
        )
    parts += _rounds(review, steps)
    for seat, player in enumerate(players):
        parts += _line(review, seat, steps)
        x = LEFT + seat * (WIDE / len(players))
        parts.append(
            f'<path d="M{x:g} 26h28" {_stroke(seat)}/>'
            f'<text x="{x + 36:g}" y="30">{escape(player.name)}</text>'
        )
    return "\n".join([*parts, "</svg>\n"])


def _stroke(seat: Seat) -> str:
    dash = f' stroke-dasharray="{_DASHES[seat]}"' if _DASHES[seat] else ""
    return f'fill="none" stroke="{_COLOURS[seat]}" stroke-width="2.5"{dash}'


def _x(step: int, steps: int) -> float:
    return LEFT + WIDE * step / max(1, steps - 1)


def _rounds(review: Review, steps: int) -> Iterator[str]:
    """Yield a thin line where a round begins, and its number."""
    step = 0
    for number, one in enumerate(review.chances, 1):
        x, end = _x(step, steps), _x(step + len(one.after) - 1, steps)
        if number > 1:
            yield f'<path d="M{x:.1f} {TOP}V{TOP + HIGH}" stroke="{DAY.muted}"/>'
        yield (
            f'<text x="{(x + end) / 2:.1f}" y="{TOP + HIGH + 28}" text-anchor="middle">'
            f"round {number}</text>"
        )
        step += len(one.after)


def _line(review: Review, seat: Seat, steps: int) -> Iterator[str]:
    marks = {(one.round, one.turn): one for one in review.decisions if one.seat == seat}
    step = 0
    for number, one in enumerate(review.chances):
        points = [
            (_x(step + index, steps), TOP + HIGH * (1 - now[seat]))
            for index, now in enumerate(one.after)
        ]
        yield f'<path d="M{" ".join(f"{x:.1f} {y:.1f}" for x, y in points)}" {_stroke(seat)}/>'
        for turn, (x, y) in enumerate(points[1:]):
            decision = marks.get((number, turn))
            if decision is not None and decision.mark is not None:
                sign = SIGNS[decision.mark.value]
                yield (
                    f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{_COLOURS[seat]}"/>'
                    f'<text x="{x:.1f}" y="{y - 8:.1f}" text-anchor="middle" '
                    f'font-weight="700">{sign}</text>'
                )
        step += len(one.after)
