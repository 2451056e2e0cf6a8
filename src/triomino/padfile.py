"""Score pads as text: ``triomino-pad/1`` in JSON with every step, and CSV for spreadsheets."""

from __future__ import annotations

import csv
import io
import json
import re
from typing import TYPE_CHECKING, Final, assert_never

from triomino.errors import RecordError
from triomino.notation import read_rules, texts, tiles
from triomino.pad import (
    Abandoned,
    Act,
    Blocked,
    Correct,
    Entry,
    Extra,
    How,
    Line,
    Out,
    PadError,
    Players,
    Redo,
    ScorePad,
    Setup,
    Sheet,
    Turn,
    Undo,
)
from triomino.reading import Node, load_json
from triomino.scoring import BONUSES, Left, Rack, Reason, Sum
from triomino.tile import Tile

if TYPE_CHECKING:
    from collections.abc import Mapping

    from triomino.rules import Json

PAD_FORMAT: Final = "triomino-pad/1"
MOST_ACTS: Final = 20_000


# --- JSON ----------------------------------------------------------------------------------------


def pad_to_json(pad: ScorePad) -> Json:
    """The pad as plain data, every step of it."""
    return {"format": PAD_FORMAT, "log": [act_to_json(act) for act in pad.log]}


def act_to_json(act: Act) -> Json:
    """One act as plain data."""
    match act:
        case Setup(rules, names):
            return {"do": "setup", "rules": rules.changes, "names": list(names)}
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
    """A pad from plain data; :class:`RecordError` says where and why it is none."""
    node = data if isinstance(data, Node) else Node(data)
    table = node.table("format log")
    if table["format"].value != PAD_FORMAT:
        raise table["format"].wrong(f"{PAD_FORMAT!r} is needed")
    log = tuple(act_from_json(item) for item in table["log"].items())
    if len(log) > MOST_ACTS:
        raise table["log"].wrong(f"a pad has at most {MOST_ACTS} steps")
    return table["log"].read(ScorePad, log)


def read_pad(text: str | bytes) -> ScorePad:
    """A pad from its JSON text."""
    return pad_from_json(load_json(text))


def write_pad(pad: ScorePad) -> str:
    """The pad as JSON text, the same bytes every time."""
    return json.dumps(pad_to_json(pad), ensure_ascii=False)


_KEYS: Final = {
    "setup": ("do rules names", ""),
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


def act_from_json(node: Node) -> Act:
    """One act from plain data."""
    do = node.value.get("do") if isinstance(node.value, dict) else None
    if not isinstance(do, str) or do not in _KEYS:
        raise node.wrong(f"an act has 'do' with one of {', '.join(_KEYS)}")
    table = node.table(*_KEYS[do])
    match do:
        case "correct":
            entries = tuple(_entry(item) for item in table["with"].items())
            return Correct(table["line"].number(0), entries)
        case "undo":
            return Undo()
        case "redo":
            return Redo()
        case _:
            return _entry(node)


def _entry(node: Node) -> Entry:
    do = node.value.get("do") if isinstance(node.value, dict) else None
    if not isinstance(do, str) or do not in _KEYS or do in {"correct", "undo", "redo"}:
        raise node.wrong("a line of the sheet is needed")
    table = node.table(*_KEYS[do])
    match do:
        case "setup":
            return Setup(read_rules(table["rules"]), _names(table["names"]))
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
        raise node.wrong("a turn has a tile or a sum, not both")
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
        raise node.wrong(f"one of {', '.join(names)} is needed")
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


# --- CSV -----------------------------------------------------------------------------------------
#
# A column for each thing of a line, then one for everybody's total. Tiles are written with spaces:
# a spreadsheet takes 1-3-4 for a day in March.

COLUMNS: Final = (
    *("round", "line", "entry", "player", "tile", "sum", "triple", "bonus", "draws", "how"),
    *("left", "points", "note"),
)

_FORMULA: Final = re.compile(r"['=+\-@\t\r\n＝＋－＠]")


def defused(text: str) -> str:
    """Text that no spreadsheet takes for a formula.

    >>> defused("=1+1"), defused("Ann"), defused("'x")
    ("'=1+1", 'Ann', "''x")
    """
    return f"'{text}" if _FORMULA.match(text) else text


def _undefused(text: str) -> str:
    return text.removeprefix("'")


def pad_to_csv(pad: ScorePad) -> str:
    """The lines that stand, with points and totals; steps taken back are left out."""
    sheet = pad.sheet
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow([*COLUMNS, *map(defused, sheet.names)])
    before: tuple[int, ...] = ()
    for number, line in enumerate(sheet.lines):
        cells = _cells(sheet, line, before)
        cells |= {"round": str(line.round), "line": str(number)}
        totals = [*line.totals, *[""] * (len(sheet.names) - len(line.totals))]
        writer.writerow([*(cells.get(name, "") for name in COLUMNS), *totals])
        before = line.totals
    return out.getvalue()


def _cells(sheet: Sheet, line: Line, before: tuple[int, ...]) -> dict[str, str]:
    data = act_to_json(line.entry)
    cells = {"entry": str(data["do"])}
    person = data.get("person")
    if person is not None:
        cells["player"] = defused(sheet.names[person])
        cells["points"] = str(line.totals[person] - before[person])
    if "tile" in data:
        cells["tile"] = data["tile"].replace("-", " ")
    for name in ("sum", "bonus", "draws", "how"):
        if name in data:
            cells[name] = str(data[name])
    if data.get("triple"):
        cells["triple"] = "yes"
    if "left" in data:
        cells["left"] = " | ".join(map(_rack_cell, data["left"]))
    if isinstance(line.entry, Setup | Players):
        note = {key: value for key, value in data.items() if key != "do"}
        cells["note"] = json.dumps(note, ensure_ascii=False, separators=(",", ":"))
    return cells


def _rack_cell(rack: list[str] | Json) -> str:
    if isinstance(rack, list):
        return ", ".join(tile.replace("-", " ") for tile in rack) or "none"
    count = f" in {rack['count']}" if "count" in rack else ""
    return f"{rack['points']}{count}"


def pad_from_csv(text: str) -> ScorePad:
    """A pad from what :func:`pad_to_csv` wrote; points and totals are worked out anew."""
    try:
        rows = list(csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=""), strict=True))
    except csv.Error as error:
        raise RecordError("", f"this is not CSV: {error}") from error
    if not rows or rows[0][: len(COLUMNS)] != list(COLUMNS):
        raise RecordError("line 1", f"the columns {','.join(COLUMNS)} are needed")
    names = [_undefused(name) for name in rows[0][len(COLUMNS) :]]
    log: list[Act] = []
    for number, row in enumerate(rows[1:], 2):
        if any(row):
            cells = dict(zip(COLUMNS, row, strict=False))
            log.append(act_from_json(Node(_from_cells(cells, names, number), f"line {number}")))
    if len(log) > MOST_ACTS:
        raise RecordError("", f"a pad has at most {MOST_ACTS} steps")
    try:
        return ScorePad(tuple(log))
    except PadError as error:
        raise RecordError("", str(error)) from error


def _from_cells(cells: dict[str, str], names: list[str], number: int) -> Json:
    place = f"line {number}"
    out: Json = {"do": cells.get("entry", "")}
    if cells.get("note"):
        note = load_json(cells["note"]).table("", "rules names seats")
        out |= {key: part.value for key, part in note.items()}
    if cells.get("player"):
        out["person"] = _index(_undefused(cells["player"]), names, place)
    if cells.get("tile"):
        out["tile"] = cells["tile"].strip().replace(" ", "-")
    for key in ("bonus", "how"):
        if cells.get(key):
            out[key] = cells[key]
    for key in ("sum", "draws"):
        if cells.get(key):
            out[key] = _number(cells[key], place)
    if cells.get("triple"):
        out["triple"] = True
    if cells.get("left"):
        out["left"] = [_rack_from_cell(part.strip(), place) for part in cells["left"].split("|")]
    if out["do"] == "extra":
        out["points"] = _number(cells.get("points", ""), place)
    return out


def _index(name: str, names: list[str], place: str) -> int:
    if name not in names:
        raise RecordError(place, f"{name!r} has no column")
    return names.index(name)


def _rack_from_cell(text: str, place: str) -> list[str] | Json:
    if text == "none":
        return []
    if re.fullmatch(r"[0-5] [0-5] [0-5](, [0-5] [0-5] [0-5])*", text):
        return [tile.replace(" ", "-") for tile in text.split(", ")]
    points, word, count = text.partition(" in ")
    return {"points": _number(points, place)} | ({"count": _number(count, place)} if word else {})


def _number(text: str, place: str) -> int:
    if not re.fullmatch(r"-?[0-9]{1,6}", text.strip()):
        raise RecordError(place, f"{text!r} is no whole number")
    return int(text)
