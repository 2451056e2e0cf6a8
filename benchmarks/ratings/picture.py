"""The picture of ratings: where players of each level came to, and how soon the order was right."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from benchmarks.ratings.outcomes import PEOPLE
from triomino.render.svg import FONTS
from triomino.render.theme import DAY, PALETTE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from benchmarks.ratings.simulation import Course

WIDE, HIGH, EDGE, LEFT = 360, 220, 44, 90
LOW, TOP_POINTS = 700, 2300
_COLOUR: Final = PALETTE[5]


def picture(courses: Mapping[int, Course]) -> str:
    """Draw the courses beside each other, by the number of players at a table, as SVG."""
    width = len(courses) * (LEFT + WIDE) + 24
    height = 2 * HIGH + 4 * EDGE
    frame = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" font-family="{FONTS}" font-size="13" '
        f'fill="{DAY.text}" role="img" aria-label="Ratings of simulated players by their level">'
    )
    parts = [frame, f'<rect width="{width}" height="{height}" fill="{DAY.panel}"/>']
    for number, (players, course) in enumerate(courses.items()):
        left = LEFT + number * (LEFT + WIDE)
        parts += _levels(left, players, course)
        parts += _correlation(left, HIGH + 3 * EDGE - 10, course)
    return "\n".join([*parts, "</svg>\n"])


def _levels(left: int, players: int, course: Course) -> list[str]:
    def x(points: float) -> float:
        return left + WIDE * (min(TOP_POINTS, max(LOW, points)) - LOW) / (TOP_POINTS - LOW)

    parts = [f'<text x="{left}" y="{EDGE - 18}" font-weight="700">{players} at a table</text>']
    parts += [
        f'<path d="M{x(points):g} {EDGE}V{EDGE + HIGH}" stroke="{DAY.muted}" '
        f'stroke-opacity=".3"/><text x="{x(points):g}" y="{EDGE + HIGH + 18}" '
        f'text-anchor="middle">{points}</text>'
        for points in range(800, TOP_POINTS, 400)
    ]
    step = HIGH / len(PEOPLE)
    for level, name in enumerate(PEOPLE):
        middle = EDGE + step * (level + 0.5)
        own = [
            rating for of, rating in zip(course.levels, course.ratings, strict=True) if of == level
        ]
        parts.append(f'<text x="{left - 8}" y="{middle + 4:g}" text-anchor="end">{name}</text>')
        for number, rating in enumerate(own):
            y = middle + (number % 9 - 4) * step / 14
            parts.append(
                f'<circle cx="{x(rating.points):.1f}" cy="{y:.1f}" r="3" fill="{_COLOUR}" '
                f'fill-opacity=".55"/>'
            )
    return parts


def _correlation(left: int, top: int, course: Course) -> list[str]:
    count = len(course.correlations)

    def at(match: int, value: float) -> str:
        return f"{left + WIDE * (match + 1) / count:.1f} {top + HIGH * (1 - value):.1f}"

    parts = [
        f'<path d="M{left} {top + HIGH * (1 - value):g}h{WIDE}" stroke="{DAY.muted}" '
        f'stroke-opacity="{0.9 if value == 0.9 else 0.3}"/>'
        f'<text x="{left - 8}" y="{top + HIGH * (1 - value) + 4:g}" text-anchor="end">'
        f"{value}</text>"
        for value in (0, 0.5, 0.9)
    ]
    line = "L".join(at(match, value) for match, value in enumerate(course.correlations))
    parts.append(f'<path d="M{line}" fill="none" stroke="{_COLOUR}" stroke-width="2.5"/>')
    parts.append(
        f'<text x="{left + WIDE}" y="{top + HIGH + 20}" text-anchor="end">rank correlation after '
        f"1 to {count} matches: {course.correlations[-1]:.2f}</text>"
    )
    return parts
