from __future__ import annotations

import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from math import atan2, cos, hypot, pi, sin, sqrt
from typing import TYPE_CHECKING

import pytest

from tests.render.boards import (
    BEFORE_BRIDGE,
    BRIDGE,
    TRIPLE_HEXAGON,
    TWO_EDGES,
    A,
    B,
    C,
    grown,
    played,
)
from triomino import (
    CASUAL,
    CLASSIC,
    SIX_PLAYER,
    Board,
    Cell,
    Game,
    Place,
    Position,
    PositionError,
    Tile,
    Vertex,
)
from triomino.render import (
    DAY,
    NIGHT,
    PALETTE,
    THEMES,
    Theme,
    board_svg,
    game_svg,
    position_svg,
    rack_svg,
    tile_svg,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

SVG = "{http://www.w3.org/2000/svg}"
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")

# What a digit covers, in sizes of type: wider and higher than in any face of the list.
DIGIT_WIDE, DIGIT_HIGH, ABOVE_BASELINE = 0.62, 0.76, 0.74


@dataclass(frozen=True)
class Digit:
    text: str
    x: float
    y: float
    size: float
    fill: str

    @property
    def middle(self) -> tuple[float, float]:
        return self.x, self.y - 0.36 * self.size

    @property
    def box(self) -> tuple[float, float, float, float]:
        half = DIGIT_WIDE * len(self.text) * self.size / 2
        top = self.y - ABOVE_BASELINE * self.size
        return self.x - half, top, self.x + half, top + DIGIT_HIGH * self.size

    @property
    def outline(self) -> Iterator[tuple[float, float]]:
        left, top, right, bottom = self.box
        for i in range(21):
            share = i / 20
            x, y = left + share * (right - left), top + share * (bottom - top)
            yield from ((x, top), (x, bottom), (left, y), (right, y))


def parsed(text: str) -> ET.Element:
    return ET.fromstring(text)  # noqa: S314 - our own text


def size_of(root: ET.Element, element: ET.Element) -> float:
    """The size of the type, from the element or the nearest group round it."""
    parents = {child: parent for parent in root.iter() for child in parent}
    at: ET.Element | None = element
    while at is not None:
        if size := at.get("font-size"):
            return float(size)
        at = parents.get(at)
    raise AssertionError("text without a size")


def digits_in(root: ET.Element, element: ET.Element) -> list[Digit]:
    return [
        Digit(
            text.text or "",
            float(text.attrib["x"]),
            float(text.attrib["y"]),
            size_of(root, text),
            text.attrib["fill"],
        )
        for text in element.iter(f"{SVG}text")
    ]


def groups(root: ET.Element, kind: str) -> dict[str, ET.Element]:
    found = [g for g in root.iter(f"{SVG}g") if f"data-{kind}" in g.attrib]
    named = {g.attrib[f"data-{kind}"]: g for g in found}
    assert len(named) == len(found)
    return named


def size(root: ET.Element) -> tuple[float, float]:
    left, top, width, height = map(float, root.attrib["viewBox"].split())
    assert (left, top) == (0, 0)
    return width, height


def side_of(root: ET.Element) -> float:
    """The side of a tile, from the digits: three in a tile are a triangle of their own."""
    group = next(iter(groups(root, "place").values()))
    a, b, _ = (digit.middle for digit in digits_in(root, group))
    # The digits stand 0.318 of a side from their points, the middle is 1/sqrt(3) away.
    return hypot(a[0] - b[0], a[1] - b[1]) / (1 - 0.318 * sqrt(3))


def walked(path: str) -> list[tuple[float, float]]:
    """Points along a path of lines and arcs of less than half a circle."""
    out: list[tuple[float, float]] = []
    at = first = (0.0, 0.0)
    for letter, rest in re.findall("([MLAZ])([^MLAZ]*)", path):
        numbers = [float(found) for found in NUMBER.findall(rest)]
        to = first if letter == "Z" else (numbers[-2], numbers[-1])
        if letter == "M":
            first = to
        elif letter == "A":
            out += bent(at, to, numbers[0], clockwise=numbers[4] == 1)
        else:
            out += [
                (at[0] + (to[0] - at[0]) * i / 40, at[1] + (to[1] - at[1]) * i / 40)
                for i in range(40)
            ]
        at = to
    return [*out, at]


def bent(
    start: tuple[float, float], end: tuple[float, float], radius: float, *, clockwise: bool
) -> list[tuple[float, float]]:
    x, y = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
    dx, dy = (end[0] - start[0]) / 2, (end[1] - start[1]) / 2
    half = hypot(dx, dy)
    away = sqrt(max(radius * radius - half * half, 0)) / half * (1 if clockwise else -1)
    cx, cy = x - dy * away, y + dx * away
    first, last = atan2(start[1] - cy, start[0] - cx), atan2(end[1] - cy, end[0] - cx)
    turn = (last - first) % (2 * pi) if clockwise else -((first - last) % (2 * pi))
    assert abs(turn) <= pi + 1e-3
    return [
        (cx + radius * cos(first + turn * i / 40), cy + radius * sin(first + turn * i / 40))
        for i in range(41)
    ]


def clearance(digit: Digit, points: list[tuple[float, float]]) -> float:
    """How far a line stays from the box of a digit."""
    left, top, right, bottom = digit.box
    return min(hypot(max(left - x, 0, x - right), max(top - y, 0, y - bottom)) for x, y in points)


ALL = [
    pytest.param(board, theme, width, id=f"{len(board)}-{theme.name}-{width}")
    for board in (Board(), grown(1), grown(5), grown(30), grown(76))
    for theme in (NIGHT, DAY)
    for width in (None, 320, 1000)
]


# --- The document --------------------------------------------------------------------------------


@pytest.mark.parametrize(("board", "theme", "width"), ALL)
def test_a_drawing_stands_alone(board: Board, theme: Theme, width: float | None) -> None:
    places = board.places
    text = board_svg(board, theme=theme, width=width, last=places[-1] if places else None)
    root = parsed(text)
    assert root.tag == f"{SVG}svg"
    assert root.attrib["role"] == "img"
    assert [child.tag for child in root][:1] == [f"{SVG}title"]
    assert root[0].text
    assert "sans-serif" in root.attrib["font-family"]
    # Nothing to fetch, nothing that could clash with a second drawing on the page.
    for element in root.iter():
        assert element.tag.removeprefix(SVG) in {
            *("svg", "title", "desc", "g", "rect", "path", "circle", "text")
        }
        for name, value in element.attrib.items():
            assert name not in {"id", "class", "style", "href"}
            assert "url(" not in value
    if width is not None:
        assert size(root)[0] == width == float(root.attrib["width"])


@pytest.mark.parametrize(("board", "theme", "width"), ALL)
def test_nothing_is_cut_off(board: Board, theme: Theme, width: float | None) -> None:
    root = parsed(board_svg(board, theme=theme, width=width))
    wide, high = size(root)
    for element in root.iter():
        if path := element.get("d"):
            numbers = [
                float(found) for found in NUMBER.findall(re.sub(r"A\S+ \S+ 0 0 1", "", path))
            ]
            assert numbers
            assert min(numbers) >= 2
            assert max(numbers[0::2]) <= wide - 2
            assert max(numbers[1::2]) <= high - 2
    for digit in digits_in(root, root):
        left, top, right, bottom = digit.box
        assert 0 < left < right < wide
        assert 0 < top < bottom < high


def test_the_board_fills_the_width() -> None:
    root = parsed(board_svg(grown(30), width=500))
    bodies = [walked(group[0].attrib["d"]) for group in groups(root, "place").values()]
    xs = [x for body in bodies for x, _ in body]
    # The rounded corners and half a gap lie between the tiles and the margin.
    assert 16 < min(xs) < 16 + 0.15 * side_of(root)
    assert 500 - 16 - 0.15 * side_of(root) < max(xs) < 500 - 16


def test_a_lone_tile_does_not_fill_the_page() -> None:
    root = parsed(board_svg(Board.of([A]), width=1000))
    assert side_of(root) == pytest.approx(120, rel=0.01)
    top = digits_in(root, root)[1]
    assert top.x == 500


def test_the_same_input_gives_the_same_bytes() -> None:
    code = (
        "from tests.render.boards import played; from triomino.render import game_svg;"
        "import sys; sys.stdout.write(game_svg(played(60, 3), seats=[0]))"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert outputs == {game_svg(played(60, 3), seats=[0]).encode()}


def test_numbers_are_short_and_never_minus_nothing() -> None:
    root = parsed(board_svg(grown(30), width=777, last=grown(30).places[-1]))
    names = ("d", "x", "y", "cx", "cy", "r", "width", "height", "stroke-width", "font-size")
    seen = 0
    for element in root.iter():
        for text in (element.attrib[name] for name in names if name in element.attrib):
            numbers = re.sub("[MLAQZ]", " ", text).split()
            seen += len(numbers)
            for number in numbers:
                assert re.fullmatch(r"0|-?(?!0$)(0|[1-9]\d*)(\.\d?[1-9])?", number), text
    assert seen > 1000


def test_words_for_those_who_cannot_see() -> None:
    board = Board.of([*BEFORE_BRIDGE, BRIDGE])
    root = parsed(board_svg(board, last=BRIDGE, bridges=[BRIDGE]))
    assert root[0].text == "A board of 9 tiles"
    assert root[1].tag == f"{SVG}desc"
    said = root[1].text or ""
    assert all(str(place) in said for place in board.places)
    assert f"Last move: {BRIDGE}." in said
    assert f"Bridges: {BRIDGE}." in said
    own = parsed(board_svg(board, title="Ein <Brett>", desc="& mehr"))
    assert [own[0].text, own[1].text] == ["Ein <Brett>", "& mehr"]


def test_the_ground_can_be_left_out() -> None:
    assert f'fill="{NIGHT.ground}"' in board_svg(Board.of([A]))
    assert "<rect" not in board_svg(Board.of([A]), background=False)


def test_the_room_needs_nothing_but_the_rules() -> None:
    code = "import sys, triomino.render; print('rich' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert done.stdout == "False\n"


# --- Where the numbers stand ---------------------------------------------------------------------


def test_a_tile_that_points_up_reads_clockwise() -> None:
    one, three, four = digits_in(
        root := parsed(board_svg(Board.of([A]))), groups(root, "place")["U(0,0)=1-3-4"]
    )
    assert [one.text, three.text, four.text] == ["1", "3", "4"]
    assert one.x < three.x < four.x
    assert three.y < one.y == four.y


def test_a_tile_that_points_down_reads_clockwise() -> None:
    root = parsed(board_svg(Board.of([A, B])))
    one, two, three = digits_in(root, groups(root, "place")["D(-1,0)=1-2-3"])
    assert [one.text, two.text, three.text] == ["1", "2", "3"]
    assert two.x < one.x < three.x
    assert two.y == three.y < one.y


def test_up_is_up() -> None:
    root = parsed(board_svg(Board.of([A, B, C])))
    low, high = (groups(root, "place")[str(place)] for place in (A, C))
    assert max(d.y for d in digits_in(root, high)) < min(d.y for d in digits_in(root, low))


def looked_at(vertex: Vertex, turn: int) -> tuple[float, float]:
    """Where a person sees a point: RULES section 2, turned, y downwards."""
    x, y = vertex.x + vertex.y / 2, vertex.y * sqrt(3) / 2
    angle = turn * pi / 3
    return x * cos(angle) - y * sin(angle), -(x * sin(angle) + y * cos(angle))


@pytest.mark.parametrize("turn", range(-1, 6))
@pytest.mark.parametrize("count", [1, 5, 30, 76])
def test_every_number_stands_at_its_corner(count: int, turn: int) -> None:
    board = grown(count)
    root = parsed(board_svg(board, turn=turn))
    drawn = groups(root, "place")
    assert list(drawn) == [str(place) for place in board.places]
    pairs = []
    for place in board.places:
        corners = [looked_at(vertex, turn) for vertex in place.cell.vertices]
        middle = sum(x for x, _ in corners) / 3, sum(y for _, y in corners) / 3
        digits = digits_in(root, drawn[str(place)])
        assert [int(digit.text) for digit in digits] == list(place.numbers)
        for (x, y), digit in zip(corners, digits, strict=True):
            share = 0.318 * sqrt(3)
            wanted = x + (middle[0] - x) * share, y + (middle[1] - y) * share
            pairs.append((wanted, digit.middle))
    # One shift and one positive scale for all; a mirrored board has no such pair.
    side = 72
    (wx, wy), (dx, dy) = pairs[0]
    for (x, y), (at_x, at_y) in pairs:
        assert at_x == pytest.approx(dx + (x - wx) * side, abs=0.05)
        assert at_y == pytest.approx(dy + (y - wy) * side, abs=0.05)


def test_numbers_stay_upright() -> None:
    for text in (
        board_svg(grown(30), turn=1),
        board_svg(grown(30), turn=2, small=True),
        game_svg(played(40), seats=[0, 1]),
    ):
        for element in parsed(text).iter():
            moved = element.get("transform", "translate(0 0)")
            assert re.fullmatch(r"translate\(0 [\d.]+\)", moved)
            assert element.get("rotate") is None


def test_a_number_stands_on_its_own_colour() -> None:
    board = grown(76)
    root = parsed(board_svg(board))
    for place, group in zip(board.places, groups(root, "place").values(), strict=True):
        body, *kites = group.findall(f"{SVG}path")
        assert body.attrib["fill"] == NIGHT.ivory
        assert [kite.attrib["fill"] for kite in kites] == [PALETTE[n] for n in place.numbers]
        for digit, kite in zip(digits_in(root, group), kites, strict=True):
            assert digit.fill == ("#10181f" if int(digit.text) < 3 else "#ffffff")
            # The digit is where its kite is.
            numbers = [float(found) for found in NUMBER.findall(kite.attrib["d"])]
            start = numbers[0], numbers[1]
            assert hypot(start[0] - digit.middle[0], start[1] - digit.middle[1]) < 0.3 * 72


def test_neighbours_leave_a_gap() -> None:
    root = parsed(board_svg(Board.of([A, B])))
    up, down = (groups(root, "place")[str(place)] for place in (A, B))
    # They share the edge from (0,0) to (0,1): seen from it, one lies right, one left.
    low, high = (
        shared
        for shared in (
            tuple(
                (p + q) / 2
                for p, q in zip(
                    digits_in(root, up)[i].middle, digits_in(root, down)[j].middle, strict=True
                )
            )
            for i, j in ((0, 0), (1, 2))
        )
    )
    along = high[0] - low[0], high[1] - low[1]

    def distance(x: float, y: float) -> float:
        cross = along[0] * (y - low[1]) - along[1] * (x - low[0])
        return cross / hypot(*along)

    def corners(group: ET.Element) -> list[float]:
        path = re.sub(r"A\S+ \S+ 0 0 1", " ", group[0].attrib["d"])
        numbers = [float(found) for found in NUMBER.findall(path)]
        return [distance(x, y) for x, y in zip(numbers[0::2], numbers[1::2], strict=True)]

    right, left = corners(up), corners(down)
    assert min(right) > 1
    assert max(left) < -1
    assert min(right) - max(left) == pytest.approx(0.048 * 72, abs=0.1)


# --- Small boards --------------------------------------------------------------------------------


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
@pytest.mark.parametrize("count", [1, 30, 76])
def test_a_small_board_has_one_digit_per_point(count: int, theme: Theme) -> None:
    board = grown(count)
    root = parsed(board_svg(board, theme=theme, small=True, last=board.places[0]))
    assert not groups(root, "place")
    numbers = {str(vertex): number for vertex, number in board.numbers.items()}
    drawn = {at: digits_in(root, group) for at, group in groups(root, "point").items()}
    assert {at: [int(d.text) for d in digits] for at, digits in drawn.items()} == {
        at: [number] for at, number in numbers.items()
    }
    assert len(digits_in(root, root)) == len(numbers)


def test_a_small_board_is_not_mirrored() -> None:
    board = grown(30)
    root = parsed(board_svg(board, small=True))
    side = 40
    at = {where: digits_in(root, group)[0].middle for where, group in groups(root, "point").items()}
    zero = at[str(Vertex(0, 0))]
    for vertex in board.numbers:
        x, y = looked_at(vertex, 0)
        assert at[str(vertex)] == pytest.approx((zero[0] + x * side, zero[1] + y * side), abs=0.05)


def test_disc_and_digit_have_their_sizes() -> None:
    root = parsed(board_svg(Board.of([A]), small=True, width=32 + 60))
    group = groups(root, "point")["(0,0)"]
    disc = group.find(f"{SVG}circle")
    assert disc is not None
    # A side and half a disc at each end are 60, so the side is 40.
    assert float(disc.attrib["r"]) * 2 == 20
    assert digits_in(root, group)[0].size == 16
    assert disc.attrib["fill"] == PALETTE[1]


def test_small_below_44_pixels() -> None:
    board = Board.of([A])
    assert groups(parsed(board_svg(board, width=32 + 44)), "place")
    assert not groups(parsed(board_svg(board, width=32 + 43.9)), "place")
    assert groups(parsed(board_svg(board, width=32 + 43.9, small=False)), "place")
    assert not groups(parsed(board_svg(board, width=900, small=True)), "place")


# --- Marks ---------------------------------------------------------------------------------------


def test_an_empty_board_shows_where_to_begin() -> None:
    for theme in THEMES.values():
        root = parsed(board_svg(Board(), theme=theme))
        assert root[0].text == "An empty board"
        (path,) = root.iter(f"{SVG}path")
        assert path.attrib["stroke"] == theme.ring
        assert path.get("stroke-dasharray")
    assert parsed(board_svg(Board(), small=True)) is not None


def ring_of(root: ET.Element, theme: Theme) -> ET.Element:
    (group,) = groups(root, "last").values()
    (ring,) = (p for p in group if p.get("stroke") == theme.ring)
    return ring


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
@pytest.mark.parametrize("width", [167, 220, 1200])
def test_the_last_tile_has_a_ring_outside(theme: Theme, width: float) -> None:
    board = Board.of(TRIPLE_HEXAGON)
    last = TRIPLE_HEXAGON[-1]
    root = parsed(board_svg(board, theme=theme, last=last, width=width))
    ring = ring_of(root, theme)
    line = walked(ring.attrib["d"])
    assert width > 167 or 44 <= side_of(root) < 46
    # Outside its own tile ...
    body = walked(groups(root, "place")[str(last)][0].attrib["d"])
    half = float(ring.attrib["stroke-width"]) / 2
    away = min(hypot(x - u, y - v) for x, y in line for u, v in body) - half
    assert away > 0.7
    # ... which it goes round ...
    for pick in (min, max):
        for axis in (0, 1):
            outer, inner = pick(p[axis] for p in line), pick(p[axis] for p in body)
            assert (outer < inner) if pick is min else (outer > inner)
    # ... and short of every number.
    widest = max(float(path.attrib["stroke-width"]) for path in groups(root, "last")[str(last)])
    for digit in digits_in(root, root):
        assert clearance(digit, line) > widest / 2, digit


def test_nothing_is_marked_unless_asked_for() -> None:
    board = Board.of(TRIPLE_HEXAGON)
    for small in (False, True):
        assert not groups(parsed(board_svg(board, small=small)), "last")
        last = parsed(board_svg(board, small=small, last=TRIPLE_HEXAGON[-1]))
        assert list(groups(last, "last")) == [str(TRIPLE_HEXAGON[-1])]


def assert_clear_of_digits(
    root: ET.Element, centre: tuple[float, float], radius: float, half: float
) -> None:
    """No digit has a point inside the line of a circle, and none crosses it."""
    for digit in digits_in(root, root):
        distances = [hypot(x - centre[0], y - centre[1]) for x, y in digit.outline]
        inside = max(distances) < radius - half
        outside = min(distances) > radius + half
        assert inside or outside, digit


@pytest.mark.parametrize("small", [False, True])
@pytest.mark.parametrize("turn", range(6))
def test_hexagons_are_ringed_round_their_numbers(turn: int, small: bool) -> None:
    board = Board.of(TRIPLE_HEXAGON)
    root = parsed(board_svg(board, turn=turn, small=small, width=600))
    drawn = groups(root, "hexagon")
    assert set(drawn) == {str(vertex) for vertex in Cell(0, 0).vertices}
    for at, group in drawn.items():
        x, y = map(int, at.strip("()").split(","))
        colours = [circle.attrib["stroke"] for circle in group]
        assert colours[-1] == PALETTE[board.numbers[Vertex(x, y)]]
        widest = max(float(circle.attrib["stroke-width"]) for circle in group)
        circle = group[0]
        centre = float(circle.attrib["cx"]), float(circle.attrib["cy"])
        radius = float(circle.attrib["r"])
        assert_clear_of_digits(root, centre, radius, widest / 2)
        within = [
            digit
            for digit in digits_in(root, root)
            if hypot(digit.middle[0] - centre[0], digit.middle[1] - centre[1]) < radius
        ]
        assert len(within) == (1 if small else 6)
        assert {int(digit.text) for digit in within} == {board.numbers[Vertex(x, y)]}


def test_rings_of_neighbouring_hexagons_do_not_cross() -> None:
    root = parsed(board_svg(Board.of(TRIPLE_HEXAGON), width=600))
    rings = [
        (float(c.attrib["cx"]), float(c.attrib["cy"]), float(c.attrib["r"]))
        for group in groups(root, "hexagon").values()
        for c in group
    ]
    for x, y, r in rings:
        for u, v, s in rings:
            if (x, y) != (u, v):
                assert hypot(x - u, y - v) > r + s


def test_five_tiles_are_no_hexagon() -> None:
    board = Board.of(TRIPLE_HEXAGON[:-1])
    assert not groups(parsed(board_svg(board)), "hexagon")


def arc_of(group: ET.Element) -> tuple[list[float], float]:
    path = group[0].attrib["d"]
    found = re.fullmatch(r"M(\S+) (\S+)A(\S+) \3 0 0 [01] (\S+) (\S+)", path)
    assert found
    x, y, r, to_x, to_y = map(float, found.groups())
    return [x, y, to_x, to_y], r


@pytest.mark.parametrize("small", [False, True])
@pytest.mark.parametrize("turn", range(6))
def test_a_bridge_is_an_arc_at_the_point_it_reached(turn: int, small: bool) -> None:
    board = Board.of([*BEFORE_BRIDGE, BRIDGE])
    root = parsed(board_svg(board, bridges=[BRIDGE], turn=turn, small=small, width=500))
    (group,) = groups(root, "bridge").values()
    (x, y, to_x, to_y), radius = arc_of(group)
    if small:
        centre = digits_in(root, groups(root, "point")["(0,1)"])[0].middle
    else:
        # The tile at the apex, and the new one: their numbers there stand opposite each other.
        threes = [
            digits_in(root, groups(root, "place")[name])[index].middle
            for name, index in (("U(-1,1)=0-1-3", 2), ("U(0,0)=4-3-4", 1))
        ]
        side = side_of(root)
        apex = looked_at(Vertex(0, 1), turn)
        corners = [looked_at(vertex, turn) for vertex in BRIDGE.cell.vertices]
        middle = sum(p for p, _ in corners) / 3, sum(q for _, q in corners) / 3
        share = 0.318 * sqrt(3) * side
        centre = (
            threes[1][0] - (middle[0] - apex[0]) * share,
            threes[1][1] - (middle[1] - apex[1]) * share,
        )
        assert hypot(threes[0][0] - centre[0], threes[0][1] - centre[1]) < 0.4 * side
    for px, py in ((x, y), (to_x, to_y)):
        assert hypot(px - centre[0], py - centre[1]) == pytest.approx(radius, abs=0.1)
    assert [p.attrib["stroke"] for p in group.findall(f"{SVG}path")][-1] == PALETTE[3]
    widest = max(float(p.attrib["stroke-width"]) for p in group.findall(f"{SVG}path"))
    for digit in digits_in(root, root):
        assert clearance(digit, walked(group[0].attrib["d"])) > widest / 2
    for knob in group.findall(f"{SVG}circle"):
        at = float(knob.attrib["cx"]), float(knob.attrib["cy"])
        for digit in digits_in(root, root):
            assert clearance(digit, [at]) > float(knob.attrib["r"])


def test_a_bridge_spans_the_gap_it_closed() -> None:
    board = Board.of([*BEFORE_BRIDGE, BRIDGE])
    root = parsed(board_svg(board, bridges=[BRIDGE]))
    (x, y, to_x, to_y), _ = arc_of(groups(root, "bridge")[str(BRIDGE)])

    def middle(place: str) -> tuple[float, float]:
        digits = digits_in(root, groups(root, "place")[place])
        return sum(d.middle[0] for d in digits) / 3, sum(d.middle[1] for d in digits) / 3

    own, reached = middle(str(BRIDGE)), middle("U(-1,1)=0-1-3")
    assert hypot(x - own[0], y - own[1]) < 0.3 * 72
    assert hypot(to_x - reached[0], to_y - reached[1]) < 0.3 * 72


def test_bridges_are_drawn_only_where_given() -> None:
    board = Board.of([*BEFORE_BRIDGE, BRIDGE])
    assert not groups(parsed(board_svg(board)), "bridge")
    position = Position.of([[], []], rules=SIX_PLAYER, board=board.places)
    assert not groups(parsed(position_svg(position)), "bridge")
    assert groups(parsed(position_svg(position, bridges=[BRIDGE])), "bridge")


def test_a_hexagon_takes_the_place_of_an_arc() -> None:
    # Fill what is open round the apex of the bridge: the ring says it all.
    board = Board.of([*BEFORE_BRIDGE, BRIDGE], repeats=True)
    apex = Vertex(0, 1)
    for cell in apex.ring:
        if cell not in board:
            numbers = [board.numbers.get(vertex, 0) for vertex in cell.vertices]
            board.lay(Place(cell, (numbers[0], numbers[1], numbers[2])))
    root = parsed(board_svg(board, bridges=[BRIDGE]))
    assert str(apex) in groups(root, "hexagon")
    assert not groups(root, "bridge")


def test_a_bridge_of_the_lenient_rules_joins_two_neighbours_at_least() -> None:
    place = Place.parse("U(0,0)=4-5-5")
    board = Board.of([*TWO_EDGES, place], repeats=True)
    assert list(groups(parsed(board_svg(board, bridges=[place])), "bridge")) == [str(place)]
    # Nothing but its neighbours: the arc goes round the point they share with it.
    near = Board.of([B, A, Place.parse("D(0,-1)=0-1-4")], repeats=True)
    lone = Board.of([B, Place.parse("D(0,-1)=0-1-4"), A], repeats=True)
    assert list(groups(parsed(board_svg(lone, bridges=[A])), "bridge")) == [str(A)]
    assert not groups(parsed(board_svg(near, bridges=[A])), "bridge")


# --- Places to play ------------------------------------------------------------------------------


@pytest.mark.parametrize("turn", range(6))
def test_a_ghost_shows_its_numbers_and_what_it_gives(turn: int) -> None:
    ghost = Place.parse("D(-1,0)=1-2-3")
    root = parsed(board_svg(Board.of([A]), ghosts={ghost: "+61"}, turn=turn))
    group = groups(root, "ghost")[str(ghost)]
    *digits, label = digits_in(root, group)
    assert [digit.text for digit in digits] == ["1", "2", "3"]
    assert label.text == "+61"
    (pill,) = group.iter(f"{SVG}rect")
    left, top = float(pill.attrib["x"]), float(pill.attrib["y"])
    right, bottom = left + float(pill.attrib["width"]), top + float(pill.attrib["height"])
    assert pill.attrib["fill"] == NIGHT.ring
    for digit in digits:
        # The label stands between the numbers, never over one; the box is a little generous.
        x, y, to_x, to_y = digit.box
        slack = 0.03 * digit.size
        assert (
            to_x - slack <= left or x + slack >= right or to_y - slack <= top or y + slack >= bottom
        )
    assert any(path.get("stroke-dasharray") for path in group.iter(f"{SVG}path"))


def test_a_ghost_without_words() -> None:
    root = parsed(board_svg(Board.of([A]), ghosts=[B]))
    assert len(digits_in(root, groups(root, "ghost")[str(B)])) == 3
    assert not list(groups(root, "ghost")[str(B)].iter(f"{SVG}rect"))


def test_ghosts_on_a_small_board() -> None:
    root = parsed(board_svg(Board.of([A]), ghosts={B: "+6"}, small=True))
    drawn = groups(root, "point")
    numbers = {at: digits_in(root, group)[0].text for at, group in drawn.items()}
    assert numbers == {"(0,0)": "1", "(0,1)": "3", "(1,0)": "4", "(-1,1)": "2"}
    dashed = [at for at, group in drawn.items() if group[0].get("stroke-dasharray")]
    assert dashed == ["(-1,1)"]
    assert "+6" in [digit.text for digit in digits_in(root, root)]


def test_a_ghost_that_disagrees_is_shown_large() -> None:
    wrong = Place.parse("D(-1,0)=1-2-2")
    assert groups(parsed(board_svg(Board.of([A]), ghosts=[wrong], width=90)), "ghost")
    with pytest.raises(PositionError, match="one number per point"):
        board_svg(Board.of([A]), ghosts=[wrong], small=True)


def test_what_cannot_be_drawn_is_refused() -> None:
    board = Board.of([A])
    with pytest.raises(PositionError, match="not on the board"):
        board_svg(board, last=B)
    with pytest.raises(PositionError, match="not on the board"):
        board_svg(board, bridges=[B])
    with pytest.raises(PositionError, match="cell of its own"):
        board_svg(board, ghosts=[Place.parse("U(0,0)=2-2-2")])
    with pytest.raises(PositionError, match="cell of its own"):
        board_svg(board, ghosts=[B, Place.parse("D(-1,0)=1-3-3")])
    far = Board.of([A, Place.parse("U(999999999,-999999999)=0-0-0")])
    with pytest.raises(PositionError, match="too far apart"):
        board_svg(far)


# --- Tiles, racks, positions, games --------------------------------------------------------------


def test_a_tile_alone() -> None:
    root = parsed(tile_svg(Tile(1, 3, 4)))
    one, three, four = digits_in(root, root)
    assert [one.text, three.text, four.text] == ["1", "3", "4"]
    assert one.x < three.x < four.x
    assert three.y < one.y
    assert root[0].text == "1-3-4"
    back = parsed(tile_svg(None))
    assert not digits_in(back, back)


def test_a_rack_wraps() -> None:
    tiles = [Tile(0, 0, n) for n in range(6)] + [Tile(1, 1, n) for n in range(6)]
    root = parsed(rack_svg(tiles, width=300, marked=[tiles[3]]))
    drawn = groups(root, "tile")
    assert list(drawn) == [str(tile) for tile in tiles]
    rows = {round(digits_in(root, group)[1].y) for group in drawn.values()}
    assert len(rows) == 3
    width, height = size(root)
    for digit in digits_in(root, root):
        assert 0 < digit.box[0] < digit.box[2] < width
        assert digit.box[3] < height
    rung = [name for name, g in drawn.items() if any(p.get("stroke") == NIGHT.ring for p in g)]
    assert rung == [str(tiles[3])]


def test_a_hidden_rack_is_a_back_and_a_number() -> None:
    root = parsed(rack_svg(7))
    assert [digit.text for digit in digits_in(root, root)] == ["×\N{NO-BREAK SPACE}7"]
    assert any(path.get("fill") == NIGHT.back for path in root.iter(f"{SVG}path"))
    assert parsed(rack_svg([])) is not None


def words_in(root: ET.Element) -> list[str]:
    return [text.text or "" for text in root.iter(f"{SVG}text")]


def test_a_position_shows_open_racks_and_hides_the_others() -> None:
    position = Position(
        rules=CLASSIC,
        board=(A,),
        racks=((Tile(0, 0, 1), Tile(1, 5, 5)), None, None),
        rack_sizes=(2, 7, 6),
        pool=None,
        pool_size=33,
        turn=1,
        scores=(12, -5, 107),
    )
    root = parsed(position_svg(position, names=["Ann", "<Bob> & \x00Eve"]))
    assert list(groups(root, "tile")) == ["0-0-1", "1-5-5"]
    words = words_in(root)
    for word in ("Ann", "<Bob> & \N{REPLACEMENT CHARACTER}Eve", "seat 2", "12", "−5", "107"):
        assert word in words
    for count in (7, 6, 33):
        assert f"×\N{NO-BREAK SPACE}{count}" in words
    assert "×\N{NO-BREAK SPACE}2" not in words
    (now,) = (t for t in root.iter(f"{SVG}text") if t.get("fill") == NIGHT.accent)
    assert (now.text or "").startswith("<Bob>")
    said = root[1].text or ""
    assert "Ann, 12 points: 0-0-1 1-5-5." in said
    assert "Eve, to move, -5 points: 7 tiles." in said
    assert "Pool: 33 tiles." in said
    bare = parsed(position_svg(position, racks=False))
    assert len(words_in(bare)) == 3
    assert "points" not in (bare[1].text or "")


def test_long_names_are_cut_before_they_meet_the_score() -> None:
    position = Position.of([[], []], rules=CLASSIC)
    root = parsed(position_svg(position, names=["x" * 200], width=320))
    (name,) = (word for word in words_in(root) if word.startswith("x"))
    assert name.endswith("…")
    assert len(name) * 9.6 < 320 - 76


def test_no_scores_where_none_are_kept() -> None:
    racks = [[Tile(0, 0, 1)], [Tile(0, 0, 2)]]
    scored = words_in(parsed(position_svg(Position.of(racks, rules=CLASSIC, scores=(31, 32)))))
    assert {"31", "32"} <= set(scored)
    casual = words_in(parsed(position_svg(Position.of(racks, rules=CASUAL, scores=(31, 32)))))
    assert not {"31", "32"} & set(casual)


def test_the_drawn_tiles_are_marked() -> None:
    rack = [Tile(0, 0, 1), Tile(0, 0, 2)]
    position = Position.of([rack, []], rules=CLASSIC, board=[A], drawn=[rack[1]])
    root = parsed(position_svg(position))
    rung = [
        name
        for name, group in groups(root, "tile").items()
        if any(p.get("stroke") == NIGHT.ring for p in group)
    ]
    assert rung == ["0-0-2"]


@pytest.mark.parametrize("seed", range(6))
def test_a_game_shows_its_last_tile_and_no_hidden_rack(seed: int) -> None:
    game = played(25 + 5 * seed, seed)
    hidden = parsed(game_svg(game))
    assert not groups(hidden, "tile")
    opened = parsed(game_svg(game, seats=[0]))
    assert list(groups(opened, "tile")) == [str(tile) for tile in game.racks[0]]
    said = (opened[1].text or "").partition("seat 0")[2]
    assert not [tile for tile in (*game.racks[1], *game.pool) if f" {tile}" in said]
    last = [ply.move for ply in game.plies if isinstance(ply.move, Place)][-1]
    assert f"Last move: {last}." in (opened[1].text or "")
    corners = digits_in(hidden, groups(hidden, "place")[str(last)])
    ring = ring_of(hidden, NIGHT)
    xs = [x for x, _ in walked(ring.attrib["d"])]
    assert min(xs) < min(d.x for d in corners) < max(d.x for d in corners) < max(xs)
    assert max(xs) - min(xs) < 1.2 * side_of(hidden)


def test_a_game_knows_its_bridges() -> None:
    position = Position.of(
        [[BRIDGE.tile, Tile(1, 1, 1)], [Tile(2, 2, 2)]],
        [Tile(0, 2, 2)],
        rules=SIX_PLAYER,
        board=BEFORE_BRIDGE,
    )
    game = Game.at(position)
    before = parsed(game_svg(game))
    assert not groups(before, "bridge")
    assert not groups(before, "last")
    game.play(BRIDGE)
    root = parsed(game_svg(game, theme=DAY, names=["Ann", "Bob"]))
    assert list(groups(root, "bridge")) == [str(BRIDGE)]
    assert str(game.totals[0]) in words_in(root)
    (now,) = (t.text for t in root.iter(f"{SVG}text") if t.get("fill") == DAY.accent)
    assert now == "Bob"


def test_nobody_is_to_move_when_the_round_is_over() -> None:
    game = played(10_000, 1)
    assert game.over
    root = parsed(game_svg(game, seats=[0, 1]))
    assert not [t for t in root.iter(f"{SVG}text") if t.get("fill") == NIGHT.accent]
    assert "to move" not in (root[1].text or "")


def test_a_game_before_the_first_tile() -> None:
    assert parsed(game_svg(played(0)))[0].text == "An empty board"
