"""Boards as PNG, for places that show no SVG, such as the previews of messengers.

The drawing is that of :func:`board_svg`, with every digit drawn as a line of our own: a server may
have no font, and the same board gives the same picture on every machine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from xml.etree import ElementTree as ET

from triomino.board import Board
from triomino.moves import Place
from triomino.packages import require_packages
from triomino.render.svg import board_svg
from triomino.render.theme import NIGHT, Theme

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

EMBLEM: Final = Board.of(
    Place.parse(text)
    for text in (
        "U(0,0)=4-0-1",
        "D(-1,0)=4-5-0",
        "U(-1,0)=4-5-4",
        "D(-1,-1)=3-4-4",
        "U(0,-1)=3-4-2",
        "D(0,-1)=2-4-1",
    )
)
"""A flower of six tiles, for a table where nothing has been laid yet."""

_SVG: Final = "{http://www.w3.org/2000/svg}"
_MARGIN: Final = 12
"""In pixels; the drawing of a board has a margin of its own."""
_MOST_SCALE: Final = 2.4
"""So that a single tile does not fill the picture."""
_CAP_HEIGHT: Final = 0.72
"""Of the size of a font."""
_STROKE: Final = 0.19
"""Of the height of a digit."""
_DIGITS: Final = (
    "M0-.91C.33-.91.33-.09 0-.09C-.33-.09-.33-.91 0-.91Z",
    "M-.2-.74L.07-.91V-.09",
    "M-.26-.68C-.25-1 .27-1.01.27-.66C.27-.42-.04-.33-.28-.09H.29",
    "M-.25-.78C-.13-.98.25-.97.25-.7C.25-.54.09-.5-.05-.5C.11-.5.28-.45.28-.28C.28-.01-.16.01-.28-.2",
    "M.14-.09V-.91L-.29-.3H.31",
    "M.24-.91H-.17L-.22-.51C-.08-.62.28-.62.28-.33C.28-.02-.14.01-.27-.18",
)
"""The digits as lines: one unit high from the baseline at 0 up, centred round 0."""


def board_png(
    board: Board,
    width: int,
    height: int,
    *,
    theme: Theme = NIGHT,
    last: Place | None = None,
    bridges: Collection[Place] = (),
) -> bytes:
    """Return a picture of exactly that size with the board as large as it fits, turned if need be.

    An empty board shows an emblem. Raise ``MissingPackage`` where ``resvg_py`` is not installed.
    """
    require_packages("triomino.render.png", "resvg_py")
    import resvg_py  # noqa: PLC0415 - only pictures need it

    tiles = board if len(board) else EMBLEM
    drawings = [
        board_svg(
            tiles,
            theme=theme,
            last=last,
            bridges=bridges,
            small=False,
            turn=turn,
            background=False,
        )
        for turn in range(3)
    ]
    root = ET.Element(f"{_SVG}svg", viewBox=f"0 0 {width} {height}")
    ET.SubElement(root, f"{_SVG}rect", width=str(width), height=str(height), fill=theme.ground)
    root.append(_largest(map(ET.fromstring, drawings), width, height))
    text = ET.tostring(root, encoding="unicode")
    return bytes(resvg_py.svg_to_bytes(svg_string=text, width=width, skip_system_fonts=True))


def _largest(drawings: Iterable[ET.Element], width: int, height: int) -> ET.Element:
    """Return the drawing that becomes largest in that room, placed in its middle."""

    def size(drawing: ET.Element) -> tuple[float, float, float]:
        wide, high = float(drawing.attrib["width"]), float(drawing.attrib["height"])
        room = min((width - 2 * _MARGIN) / wide, (height - 2 * _MARGIN) / high)
        return min(room, _MOST_SCALE), wide, high

    drawing = max(drawings, key=lambda one: size(one)[0])
    scale, wide, high = size(drawing)
    drawing.set("width", f"{scale * wide:.1f}")
    drawing.set("height", f"{scale * high:.1f}")
    drawing.set("x", f"{(width - scale * wide) / 2:.1f}")
    drawing.set("y", f"{(height - scale * high) / 2:.1f}")
    _outline_digits(drawing, 0.0)
    return drawing


def _outline_digits(element: ET.Element, size: float) -> None:
    """Replace every digit below *element* by its line; *size* is the font size there."""
    size = float(element.get("font-size", size))
    for index, child in enumerate(list(element)):
        if child.tag != _SVG + "text":
            _outline_digits(child, size)
            continue
        height = _CAP_HEIGHT * float(child.get("font-size", size))
        element[index] = ET.Element(
            _SVG + "path",
            {
                "d": _DIGITS[int(child.text or 0)],
                "transform": f"translate({child.get('x')} {child.get('y')}) scale({height:.2f})",
                "fill": "none",
                "stroke": child.get("fill", ""),
                "stroke-width": str(_STROKE),
                "stroke-linecap": "round",
                "stroke-linejoin": "round",
            },
        )
