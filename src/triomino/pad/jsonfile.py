"""Reading and writing score pads as JSON: ``triomino-pad/2``; version 1 is read."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final, assert_never

from triomino.legacy import rules_1
from triomino.notation import texts, tiles
from triomino.pad.acts import (
    Abandoned,
    Act,
    Blocked,
    Correct,
    Entry,
    Extra,
    How,
    Out,
    Players,
    Redo,
    Setup,
    Turn,
    Undo,
)
from triomino.pad.scorepad import ScorePad
from triomino.reading import Node, load_json, read_version
from triomino.rules import Rules
from triomino.scoring import BONUSES, Left, Rack, Reason, Sum
from triomino.tile import Tile

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from triomino.rules import Json

PAD_FORMAT: Final = "triomino-pad/2"
PAD_FORMAT_1: Final = "triomino-pad/1"
MOST_ACTS: Final = 20_000
MOST_ROUNDS: Final = 99
"""After which a match may be set to end."""


def pad_to_json(pad: ScorePad) -> Json:
    """Return the pad as plain data, including every undone step."""
    return {"format": PAD_FORMAT, "log": [act_to_json(act) for act in pad.log]}


def act_to_json(act: Act) -> Json:
    """Return one act as plain data."""
    match act:
        case Setup(rules, names, rounds):
            limit = {} if rounds is None else {"rounds": rounds}
            return {"do": "setup", "rules": rules.to_json(), "names": list(names), **limit}
        case Players(names, seats):
            return {"do": "players", "names": list(names), "seats": list(seats)}
        case Turn():
            return _turn_to_json(act)
        case Out(person, left):
            return {"do": "out", "person": person, "left": [_rack_to_json(rack) for rack in left]}
        case Blocked(left):
            return {"do": "blocked", "left": [_rack_to_json(rack) for rack in left]}
        case Abandoned(person):
            return {"do": "abandoned", "person": person}
        case Extra(person, points):
            return {"do": "extra", "person": person, "points": points}
        case Correct(line, entries):
            return {"do": "correct", "line": line, "with": [act_to_json(one) for one in entries]}
        case Undo():
            return {"do": "undo"}
        case Redo():
            return {"do": "redo"}
        case _:
            assert_never(act)


def _turn_to_json(turn: Turn) -> Json:
    out: Json = {"do": "turn", "person": turn.person}
    if isinstance(turn.laid, Tile):
        out["tile"] = str(turn.laid)
    elif turn.laid is not None:
        out["sum"] = turn.laid.points
        if turn.laid.is_triple:
            out["triple"] = True
    if turn.bonus is not None:
        out["bonus"] = turn.bonus.value
    if turn.draws:
        out["draws"] = turn.draws
    if turn.how is not None:
        out["how"] = turn.how.value
    return out


def _rack_to_json(rack: Rack) -> list[str] | Json:
    if not isinstance(rack, Left):
        return texts(tuple(rack))
    return {"points": rack.points} | ({} if rack.count is None else {"count": rack.count})


def pad_from_json(data: object) -> ScorePad:
    """Read a pad from plain data; raises :class:`RecordError` with the place and the reason."""
    node = data if isinstance(data, Node) else Node(data)
    table = node.table("format log")
    version_1 = read_version(table["format"], PAD_FORMAT, PAD_FORMAT_1)
    read_rules = rules_1 if version_1 else Rules.from_json
    log = tuple(act_from_json(item, read_rules) for item in table["log"].items())
    if len(log) > MOST_ACTS:
        raise table["log"].error(f"a pad has at most {MOST_ACTS} steps")
    return table["log"].read(ScorePad, log)


def read_pad(text: str | bytes) -> ScorePad:
    """Read a pad from JSON text."""
    return pad_from_json(load_json(text))


def write_pad(pad: ScorePad) -> str:
    """Return the pad as JSON text; equal pads give equal text."""
    return json.dumps(pad_to_json(pad), ensure_ascii=False)


_KEYS: Final = {
    "setup": ("do rules names", "rounds"),
    "players": ("do names seats", ""),
    "turn": ("do person", "tile sum triple bonus draws how"),
    "out": ("do person left", ""),
    "blocked": ("do left", ""),
    "abandoned": ("do", "person"),
    "extra": ("do person points", ""),
    "correct": ("do line with", ""),
    "undo": ("do", ""),
    "redo": ("do", ""),
}


def act_from_json(node: Node, read_rules: Callable[[object], Rules] = Rules.from_json) -> Act:
    """Read one act from plain data; *read_rules* reads the rules of its version."""
    do = node.value.get("do") if isinstance(node.value, dict) else None
    if not isinstance(do, str) or do not in _KEYS:
        raise node.error(f"an act has 'do' with one of {', '.join(_KEYS)}")
    table = node.table(*_KEYS[do])
    match do:
        case "correct":
            entries = tuple(_entry(item, read_rules) for item in table["with"].items())
            return Correct(table["line"].number(0), entries)
        case "undo":
            return Undo()
        case "redo":
            return Redo()
        case _:
            return _entry(node, read_rules)


def _entry(node: Node, read_rules: Callable[[object], Rules]) -> Entry:
    do = node.value.get("do") if isinstance(node.value, dict) else None
    if not isinstance(do, str) or do not in _KEYS or do in {"correct", "undo", "redo"}:
        raise node.error("a line of the sheet is needed")
    table = node.table(*_KEYS[do])
    match do:
        case "setup":
            rules = table["rules"].read(read_rules, table["rules"].value)
            rounds = table["rounds"].number(1, MOST_ROUNDS) if "rounds" in table else None
            return Setup(rules, _names(table["names"]), rounds)
        case "players":
            seats = tuple(item.number(0, 99) for item in table["seats"].items())
            return Players(_names(table["names"]), seats)
        case "turn":
            return _turn(table, node)
        case "out":
            return Out(_person(table), _racks(table["left"]))
        case "blocked":
            return Blocked(_racks(table["left"]))
        case "abandoned":
            nobody = "person" not in table or table["person"].value is None
            return Abandoned(None if nobody else _person(table))
        case _:
            return Extra(_person(table), table["points"].number())


def _turn(table: Mapping[str, Node], node: Node) -> Turn:
    if "tile" in table and "sum" in table:
        raise node.error("a turn has a tile or a sum, not both")
    laid: Tile | Sum | None = None
    if "tile" in table:
        laid = table["tile"].parsed(Tile.parse)
    elif "sum" in table:
        triple = table["triple"].flag() if "triple" in table else False
        laid = Sum(table["sum"].number(0, 15), triple)
    bonus = _one_of(table["bonus"], BONUSES) if "bonus" in table else None
    return Turn(
        _person(table),
        laid,
        None if bonus is None else Reason(bonus),
        table["draws"].number(0) if "draws" in table else 0,
        How(_one_of(table["how"], How)) if "how" in table else None,
    )


def _one_of(node: Node, known: frozenset[Reason] | type[How]) -> str:
    names = sorted(one.value for one in known)
    if node.text() not in names:
        raise node.error(f"one of {', '.join(names)} is needed")
    return node.text()


def _person(table: Mapping[str, Node]) -> int:
    return table["person"].number(0, 99)


def _names(node: Node) -> tuple[str, ...]:
    return tuple(item.text() for item in node.items())


def _racks(node: Node) -> tuple[Rack, ...]:
    return tuple(_rack(item) for item in node.items())


def _rack(node: Node) -> Rack:
    if isinstance(node.value, list):
        return tiles(node)
    table = node.table("points", "count")
    return Left(table["points"].number(0), table["count"].number(0) if "count" in table else None)
