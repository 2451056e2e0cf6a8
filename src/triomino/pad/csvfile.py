"""Reading and writing score pads as CSV: the lines that stand, with points and totals."""

from __future__ import annotations

import csv
import io
import json
import re
from typing import TYPE_CHECKING, Final

from triomino.errors import RecordError
from triomino.legacy import rules_1
from triomino.pad.acts import Act, PadError, Players, Setup
from triomino.pad.jsonfile import MOST_ACTS, act_from_json, act_to_json
from triomino.pad.scorepad import ScorePad
from triomino.reading import Node, load_json
from triomino.rules import Rules

if TYPE_CHECKING:
    from triomino.pad.sheet import Line, Sheet
    from triomino.rules import Json

# A column for each part of a line, then one for each person's total. Tiles are written with spaces:
# a spreadsheet would read 1-3-4 as a date.

COLUMNS: Final = (
    *("round", "line", "entry", "player", "tile", "sum", "triple", "bonus", "draws", "how"),
    *("left", "points", "note"),
)

_FORMULA: Final = re.compile(r"['=+\-@\t\r\n＝＋－＠]")


def escape_formula(text: str) -> str:
    """Return text that no spreadsheet takes for a formula.

    >>> escape_formula("=1+1"), escape_formula("Ann"), escape_formula("'x")
    ("'=1+1", 'Ann', "''x")
    """
    return f"'{text}" if _FORMULA.match(text) else text


def _unescape(text: str) -> str:
    return text.removeprefix("'")


def pad_to_csv(pad: ScorePad) -> str:
    """Return the lines that stand, with points and totals; undone steps are left out."""
    sheet = pad.sheet
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow([*COLUMNS, *map(escape_formula, sheet.names)])
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
        cells["player"] = escape_formula(sheet.names[person])
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
    """Read what :func:`pad_to_csv` wrote; points and totals are worked out again."""
    try:
        rows = list(csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=""), strict=True))
    except csv.Error as error:
        raise RecordError("", f"this is not CSV: {error}") from error
    if not rows or rows[0][: len(COLUMNS)] != list(COLUMNS):
        raise RecordError("line 1", f"the columns {','.join(COLUMNS)} are needed")
    names = [_unescape(name) for name in rows[0][len(COLUMNS) :]]
    log: list[Act] = []
    for number, row in enumerate(rows[1:], 2):
        if any(row):
            cells = dict(zip(COLUMNS, row, strict=False))
            node = Node(_from_cells(cells, names, number), f"line {number}")
            log.append(act_from_json(node, _read_rules))
    if len(log) > MOST_ACTS:
        raise RecordError("", f"a pad has at most {MOST_ACTS} steps")
    try:
        return ScorePad(tuple(log))
    except PadError as error:
        raise RecordError("", str(error)) from error


def _read_rules(data: object) -> Rules:
    """Read rules of either version: CSV names none, but only version 1 omitted fields."""
    is_whole = isinstance(data, dict) and data.keys() >= Rules().to_json().keys()
    return Rules.from_json(data) if is_whole else rules_1(data)


def _from_cells(cells: dict[str, str], names: list[str], number: int) -> Json:
    place = f"line {number}"
    out: Json = {"do": cells.get("entry", "")}
    if cells.get("note"):
        note = load_json(cells["note"]).table("", "rules names seats rounds")
        out |= {key: part.value for key, part in note.items()}
    if cells.get("player"):
        out["person"] = _index(_unescape(cells["player"]), names, place)
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
