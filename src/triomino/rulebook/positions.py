"""The positions in which the questions and sums of the guide are worked out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from triomino.game import Game
from triomino.moves import Place
from triomino.position import Position
from triomino.tile import Tile

if TYPE_CHECKING:
    from collections.abc import Iterable

    from triomino.rules import Rules

FIVES: Final = "U(0,0)=5-5-5"
"""A board on which exactly the tiles with two fives fit."""
FITS: Final = Place.parse("D(-1,0)=5-1-5")
ME, OTHER = 0, 1
_SETS: Final[dict[bool, str]] = {False: "56", True: "76"}


def tiles(text: str) -> list[Tile]:
    """Return the tiles of a text, separated by spaces."""
    return [Tile.parse(one) for one in text.split()]


def misfits(count: int, without: Iterable[str]) -> list[Tile]:
    """Return that many tiles that do not fit on ``FIVES``, none of them in *without*."""
    used = {tile for text in without for tile in tiles(text)}
    found = [Tile(a, b, c) for a in range(5) for b in range(a, 5) for c in range(b, 6) if a < 2]
    return [tile for tile in found if tile not in used][:count]


def game_at(
    rules: Rules,
    *,
    board: str = FIVES,
    racks: tuple[str, str],
    pool: Iterable[Tile] = (),
    scores: tuple[int, int] = (0, 0),
) -> Game:
    """Return a round of two in which seat 0 is to move.

    The positions need numbers up to five and two players, so other sets and counts are replaced;
    no answer depends on them.
    """
    known = rules.with_changes({"racks": {2: 9}, "tile_set": _SETS[rules.has_mirror_images]})
    return Game.at(
        Position.of(
            map(tiles, racks),
            pool,
            rules=known,
            board=map(Place.parse, board.split()),
            scores=scores,
        )
    )
