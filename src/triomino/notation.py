"""Reading and writing positions as plain data: ``triomino-position/2``; version 1 is read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from triomino.legacy import rules_1
from triomino.moves import Place
from triomino.position import Position
from triomino.reading import Node, read_version
from triomino.rules import CLASSIC, Json, Rules
from triomino.tile import Tile

if TYPE_CHECKING:
    from collections.abc import Callable

POSITION_FORMAT: Final = "triomino-position/2"
POSITION_FORMAT_1: Final = "triomino-position/1"


def position_to_json(position: Position) -> Json:
    """Return plain data from which :func:`position_from_json` makes an equal position."""
    return {
        "format": POSITION_FORMAT,
        "rules": position.rules.to_json(),
        "board": [str(place) for place in position.board],
        "racks": [None if rack is None else texts(rack) for rack in position.racks],
        "rack_sizes": list(position.rack_sizes),
        "pool": None if position.pool is None else texts(position.pool),
        "pool_size": position.pool_size,
        "turn": position.turn,
        "drawn": texts(position.drawn),
        "scores": list(position.scores),
        "latched": position.latched,
    }


def position_from_json(data: object) -> Position:
    """Read a position; sizes may be omitted where the tiles are given.

    Raises :class:`RecordError` with the place and the reason.
    """
    node = data if isinstance(data, Node) else Node(data)
    table = node.table(
        "format board racks", "rules rack_sizes pool pool_size turn drawn scores latched"
    )
    version_1 = read_version(table["format"], POSITION_FORMAT, POSITION_FORMAT_1)
    given = table.get("rules", Node(CLASSIC.edition, "rules"))
    rules = read_rules(given, rules_1 if version_1 else Rules.read)
    racks = tuple(None if item.value is None else tiles(item) for item in table["racks"].items())
    pool_hidden = "pool" not in table or table["pool"].value is None
    pool = None if pool_hidden else tiles(table["pool"])
    if "rack_sizes" in table:
        sizes = tuple(item.number(0, 76) for item in table["rack_sizes"].items())
    else:
        sizes = tuple(len(rack or ()) for rack in racks)
    pool_size = table["pool_size"].number(0, 76) if "pool_size" in table else len(pool or ())
    return node.read(
        Position,
        rules=rules,
        board=tuple(item.parsed(Place.parse) for item in table["board"].items()),
        racks=racks,
        rack_sizes=sizes,
        pool=pool,
        pool_size=pool_size,
        turn=table["turn"].number(0, 5) if "turn" in table else 0,
        drawn=tiles(table["drawn"]) if "drawn" in table else (),
        scores=tuple(item.number() for item in table["scores"].items())
        if "scores" in table
        else (),
        latched=table["latched"].flag() if "latched" in table else False,
    )


def read_rules(node: Node, read: Callable[[object], Rules] = Rules.read) -> Rules:
    """Read rules: the name of an edition, or a table with what differs from it."""
    if not isinstance(node.value, str | dict):
        raise node.error("an edition's name or an object with 'edition' is needed")
    if isinstance(node.value, dict) and "edition" not in node.value:
        raise node.error("'edition' is missing")
    return node.read(read, node.value)


def tiles(node: Node) -> tuple[Tile, ...]:
    """Read a list of tiles."""
    return tuple(item.parsed(Tile.parse) for item in node.items())


def texts(items: tuple[Tile, ...] | list[Tile]) -> list[str]:
    """Return the notation of each tile."""
    return [str(tile) for tile in items]
