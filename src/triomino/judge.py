"""The referee: whether a placement is legal, and what it scores."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from triomino.board import Board
from triomino.errors import Why
from triomino.moves import Place
from triomino.notation import read_rules
from triomino.notation import tiles as read_tiles
from triomino.reading import Node
from triomino.rules import CLASSIC, EDITIONS, Json, Rules
from triomino.scoring import BONUSES, placement_scores
from triomino.tile import MASKS, mask_of

if TYPE_CHECKING:
    from triomino.tile import Tile


# Consecutive cases repeat the same cells and tiles.
_place = lru_cache(maxsize=1 << 15)(Place.parse)


def why_not(board: Board, place: Place, rules: Rules, *, strict: bool = True) -> Why | None:
    """Return the first reason against *place*; unless *strict*, tiles may appear twice."""
    if not place.tile.bit & MASKS[rules.tile_set]:
        return Why.NOT_IN_SET
    if strict and place.tile.bit & board.laid:
        return Why.ALREADY_LAID
    return board.why_not(place)


def placements(
    board: Board, tiles: tuple[Tile, ...], rules: Rules, *, strict: bool = True
) -> list[Place]:
    """Return every legal placement of *tiles*."""
    mask = mask_of(tiles) & MASKS[rules.tile_set]
    return board.placements(mask & ~board.laid if strict else mask)


def judge(case: object) -> Json:
    """Judge one case, given as plain data; raises :class:`RecordError` if it is malformed.

    >>> judge({"rules": "classic", "board": ["U(0,0)=1-3-4"], "place": "D(-1,0)=1-2-3"})
    {'legal': True, 'why': None, 'value': 6, 'bonus': None, 'points': 6}
    >>> judge({"rules": "classic", "board": ["U(0,0)=1-3-4"], "place": "U(0,0)=1-2-3"})
    {'legal': False, 'why': 'occupied'}
    >>> judge({"rules": "classic", "board": ["U(0,0)=1-3-4"], "tiles": ["1-2-3"]})
    {'placements': ['D(-1,0)=1-2-3']}
    """
    node = case if isinstance(case, Node) else Node(case)
    table = node.table("board", "rules place tiles strict")
    if ("place" in table) == ("tiles" in table):
        raise node.error("one of 'place' and 'tiles' is needed")
    rules = _rules(table["rules"]) if "rules" in table else CLASSIC
    strict = table["strict"].flag() if "strict" in table else True
    laid = [item.parsed(_place) for item in table["board"].items()]
    board = table["board"].read(Board.of, laid, repeats=not strict)
    if "tiles" in table:
        found = placements(board, read_tiles(table["tiles"]), rules, strict=strict)
        return {"placements": sorted(map(str, found))}
    place = table["place"].parsed(_place)
    why = why_not(board, place, rules, strict=strict)
    if why is not None:
        return {"legal": False, "why": why.value}
    scores = [*placement_scores(board, 0, place, rules)]
    bonus = next((score.reason.value for score in scores if score.reason in BONUSES), None)
    return {
        "legal": True,
        "why": None,
        "value": place.tile.points,
        "bonus": bonus,
        "points": sum(score.points for score in scores),
    }


def _rules(node: Node) -> Rules:
    name = node.value
    return EDITIONS[name] if isinstance(name, str) and name in EDITIONS else read_rules(node)
