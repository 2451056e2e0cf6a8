"""From the lattice to the screen, and the outlines of a tile.

The y axis of the screen points down and that of the lattice up, so a vertex (x, y) is drawn at
(x + y/2, -y * sqrt(3)/2) sides from the origin. Anything else would mirror the tiles.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import atan2, cos, hypot, pi, sin, sqrt
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable

    from triomino.grid import Cell, Vertex

Point: TypeAlias = tuple[float, float]
Triangle: TypeAlias = tuple[Point, Point, Point]
"""Three corners, clockwise on the screen."""

# All in units of a tile's side.
ROW_HEIGHT: Final = sqrt(3) / 2
GAP: Final = 0.048
"""The gap between two neighbours."""
RIM: Final = 0.025
"""The width of the rim outside the coloured corners."""
ROUNDING: Final = 0.052
DIGIT: Final = 0.262
"""The font size."""
DIGIT_FROM_POINT: Final = 0.318
KITE_EDGE: Final = 0.345
KITE_TIP: Final = 0.456
HEXAGON_RING: Final = 0.4775
"""Outside the numbers of its own vertex, inside those of the six around; two never touch."""
HEXAGON_LINE: Final = 0.026
DISC: Final = 0.25
"""The radius of the disc at a vertex of a small board."""
DISC_DIGIT: Final = 0.4
SMALL_KITE: Final = 0.36
SMALL_HEXAGON_RING: Final = 0.42

BASELINE: Final = 0.36
"""Half the height of a digit, in em: the offset that centres it vertically in any renderer."""


def number(value: float) -> str:
    """Format a number with at most two decimals, the same on every machine."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def point(at: Point) -> str:
    """Format a point for a path."""
    return f"{number(at[0])} {number(at[1])}"


def turned(vertex: Vertex, turn: int) -> tuple[int, int]:
    """Return the vertex after *turn* steps of 60 degrees counter-clockwise around the origin."""
    x, y = vertex.x, vertex.y
    for _ in range(turn % 6):
        x, y = -y, x + y
    return x, y


def screen(vertex: Vertex, turn: int = 0) -> Point:
    """Return the screen position of a vertex, in sides of a tile from the origin."""
    x, y = turned(vertex, turn)
    return x + y / 2, -y * ROW_HEIGHT


@dataclass(frozen=True, slots=True)
class Frame:
    """The mapping from the lattice to a drawing."""

    side: float
    left: float
    top: float
    turn: int = 0

    def at(self, vertex: Vertex) -> Point:
        """Return where a vertex is drawn."""
        x, y = screen(vertex, self.turn)
        return self.left + x * self.side, self.top + y * self.side

    def triangle(self, cell: Cell) -> Triangle:
        """Return the corners of a cell, in the order of its vertices."""
        a, b, c = cell.vertices
        return self.at(a), self.at(b), self.at(c)


def extent(points: Iterable[Point]) -> tuple[float, float, float, float]:
    """Return left, top, right and bottom of some points."""
    xs, ys = zip(*points, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def centre(corners: Triangle) -> Point:
    """Return the centre of a triangle."""
    return sum(x for x, _ in corners) / 3, sum(y for _, y in corners) / 3


def towards(start: Point, end: Point, distance: float) -> Point:
    """Return the point at this distance from *start* towards *end*."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    share = distance / hypot(dx, dy)
    return start[0] + dx * share, start[1] + dy * share


def outline(corners: Triangle, inset: float, radius: float) -> str:
    """Return the path of a rounded triangle, *inset* from its cell; below 0 it is outside."""
    middle = centre(corners)
    # A 60 degree corner moves by twice the inset, and its arc begins sqrt(3) radii away.
    inner = [towards(corner, middle, 2 * inset) for corner in corners]
    path = []
    for i, corner in enumerate(inner):
        arrive = towards(corner, inner[i - 1], sqrt(3) * radius)
        leave = towards(corner, inner[(i + 1) % 3], sqrt(3) * radius)
        r = number(radius)
        path.append(f"{'L' if i else 'M'}{point(arrive)}A{r} {r} 0 0 1 {point(leave)}")
    return "".join(path) + "Z"


def kite(corners: Triangle, index: int, side: float, *, edge: float, tip: float) -> str:
    """Return the path of a coloured corner: straight along the rim, curved towards the centre."""
    corner, after, before = corners[index], corners[(index + 1) % 3], corners[index - 1]
    inset, length = (GAP / 2 + RIM) * side, edge * side
    root = towards(corner, centre(corners), 2 * inset)
    bulge = tip * side - 2 * inset - length * ROW_HEIGHT
    radius = number((length * length / 4 + bulge * bulge) / (2 * bulge))
    soft = max(ROUNDING - RIM, 0) * side * sqrt(3)

    def along(way: Point, distance: float) -> str:
        dx, dy = way[0] - corner[0], way[1] - corner[1]
        return point((root[0] + dx / side * distance, root[1] + dy / side * distance))

    return (
        f"M{along(after, soft)}L{along(after, length)}"
        f"A{radius} {radius} 0 0 1 {along(before, length)}"
        f"L{along(before, soft)}Q{point(root)} {along(after, soft)}Z"
    )


def arc(
    middle: Point, radius: float, start: Point, end: Point, trim: float
) -> tuple[str, Point, Point]:
    """Return the shorter arc around *middle* from the direction of *start* to that of *end*.

    Both ends are shortened by *trim*, an angle. The result is the path and its two ends.
    """
    first = atan2(start[1] - middle[1], start[0] - middle[0])
    last = atan2(end[1] - middle[1], end[0] - middle[0])
    # Of two equal halves, take the clockwise one.
    clockwise = (last - first) % (2 * pi) < pi + 1e-6
    cut = trim if clockwise else -trim
    ends = [
        (middle[0] + radius * cos(angle), middle[1] + radius * sin(angle))
        for angle in (first + cut, last - cut)
    ]
    r = number(radius)
    path = f"M{point(ends[0])}A{r} {r} 0 0 {int(clockwise)} {point(ends[1])}"
    return path, ends[0], ends[1]


def sector(corners: Triangle, index: int, side: float, radius: float) -> str:
    """Return the path of the part of a tile within *radius* of a corner, inside the rim."""
    inset = GAP / 2 + RIM
    # Where the inset edge meets the circle, measured from the inset corner.
    edge = sqrt(radius * radius - inset * inset) - sqrt(3) * inset
    return kite(corners, index, side, edge=edge, tip=radius)
