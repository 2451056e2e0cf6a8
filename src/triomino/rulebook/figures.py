"""The positions that are drawn beside the rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from triomino.moves import Place
from triomino.tile import Tile


@dataclass(frozen=True, slots=True)
class Figure:
    """A board and a placement on it, legal or not."""

    board: tuple[Place, ...]
    place: Place


@dataclass(frozen=True, slots=True)
class RackFigure:
    """A board and what a player holds."""

    board: tuple[Place, ...]
    rack: tuple[Tile, ...]
    drawn: int = 0
    """How many tiles at the end of the rack have just been drawn."""


def _figure(board: str, place: str) -> Figure:
    return Figure(tuple(map(Place.parse, board.split())), Place.parse(place))


def _rack(rack: str, drawn: int = 0) -> RackFigure:
    return RackFigure((Place.parse(_FIVES),), tuple(map(Tile.parse, rack.split())), drawn)


_FIVES: Final = "U(0,0)=5-5-5"
_BRIDGE: Final = (
    "D(0,-1)=4-4-4 U(0,-1)=5-4-4 D(-1,-1)=5-5-4 U(-1,0)=5-0-4 D(-2,0)=5-0-0 U(-2,1)=0-0-0"
    " D(-2,1)=0-0-1 U(-1,1)=0-1-3"
)
_HEXAGON: Final = "D(-1,0)=1-4-5 U(-1,0)=4-4-1 D(-1,-1)=1-4-1 U(0,-1)=1-1-0 D(0,-1)=0-1-5"


FIGURES: Final = {
    "first": _figure("", "U(0,0)=1-3-4"),
    "match": _figure("U(0,0)=1-3-4", "D(-1,0)=1-2-3"),
    "next": _figure("U(0,0)=1-3-4 D(-1,0)=1-2-3", "U(-1,1)=2-2-3"),
    "wrongSide": _figure("U(0,0)=1-3-4", "D(-1,0)=1-2-2"),
    "wrongCorner": _figure(_HEXAGON, "U(0,0)=1-5-1"),
    "wrongTouch": _figure("U(0,0)=1-3-4", "U(-1,1)=2-2-3"),
    "bridge": _figure(_BRIDGE, "U(0,0)=4-3-4"),
    "hexagon": _figure(_HEXAGON, "U(0,0)=1-5-5"),
    "double_hexagon": _figure(
        "D(0,0)=5-4-4 U(0,1)=4-1-4 D(-1,1)=4-0-1 U(-1,1)=4-0-4 D(-1,0)=3-4-4 U(-1,0)=3-4-3"
        " D(-1,-1)=3-3-3 U(0,-1)=3-3-0 D(0,-1)=0-3-5",
        "U(0,0)=3-4-5",
    ),
    "triple_hexagon": _figure(
        "D(0,0)=3-1-2 U(0,1)=1-1-2 D(-1,1)=1-0-1 U(-1,1)=5-0-1 D(-1,0)=1-5-1 U(-1,0)=5-5-1"
        " D(-1,-1)=4-5-1 U(0,-1)=4-1-3 D(0,-1)=3-1-3 U(1,-1)=3-3-3 D(1,-1)=3-3-2 U(1,0)=3-2-2",
        "U(0,0)=1-1-3",
    ),
    # What looks like a bonus and is none, or is not even allowed.
    "missTip": _figure(_BRIDGE, "U(0,0)=4-5-4"),
    "missEnd": _figure("U(0,0)=1-3-4 D(-1,0)=1-2-3", "U(-1,1)=2-2-3"),
    "missSides": _figure(
        "D(0,-1)=2-4-5 D(-1,0)=4-4-5 U(-1,0)=0-4-4 D(-2,0)=0-3-4 U(-2,0)=1-3-0 D(-2,-1)=0-1-0"
        " U(-1,-1)=0-0-2 U(0,-1)=2-4-2 D(0,-2)=2-2-2 D(-1,-2)=3-0-2 U(0,-2)=3-2-2",
        "U(0,0)=4-5-5",
    ),
    "missFive": _figure(" ".join(_HEXAGON.split()[1:]), "U(0,0)=1-5-5"),
    # Openings and going out.
    "triple": _figure("", "U(0,0)=4-4-4"),
    "zero": _figure("", "U(0,0)=0-0-0"),
    "out": _figure(_FIVES, "D(-1,0)=5-1-5"),
}
"""The figures of the rule book: the examples of the printed rules, which score 8, 6 and 7, three
illegal placements, the printed bonuses, which score 51, 61, 72 and 75, and those of the guide."""

RACK_FIGURES: Final = {
    "drawOne": _rack("0-0-1 0-0-2 2-2-2", 1),
    "drawMost": _rack("0-0-1 0-0-2 2-2-2 2-2-3 2-2-4", 3),
    "drawAble": _rack("1-5-5 0-0-1"),
    "drawnAble": _rack("1-5-5 0-0-1 2-2-2", 1),
    "drawnFits": _rack("0-0-1 1-5-5", 1),
    "unable": _rack("0-0-1 0-0-2"),
}
"""The figures of draws and passes: the tiles with two fives fit, the others do not."""

FIGURED: Final[dict[str, tuple[str, ...]]] = {
    "lay": ("first", "match", "next", "wrongSide", "wrongCorner", "wrongTouch"),
    "bridge": ("bridge",),
    "hexagon": ("hexagon", "double_hexagon", "triple_hexagon"),
}
"""The names of the figures in each chapter of the rules."""
