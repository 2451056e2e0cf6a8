"""The score pad for a table with real tiles: a ledger, a journal, and their file formats."""

from triomino.pad.acts import (
    Abandoned,
    Act,
    Blocked,
    Correct,
    Entry,
    Extra,
    How,
    Out,
    PadError,
    Person,
    Players,
    Redo,
    Setup,
    Turn,
    Undo,
)
from triomino.pad.csvfile import pad_from_csv, pad_to_csv
from triomino.pad.jsonfile import (
    PAD_FORMAT,
    act_from_json,
    act_to_json,
    pad_from_json,
    pad_to_json,
    read_pad,
    write_pad,
)
from triomino.pad.scorepad import ScorePad
from triomino.pad.sheet import Caution, Line, Sheet

__all__ = [
    "PAD_FORMAT",
    "Abandoned",
    "Act",
    "Blocked",
    "Caution",
    "Correct",
    "Entry",
    "Extra",
    "How",
    "Line",
    "Out",
    "PadError",
    "Person",
    "Players",
    "Redo",
    "ScorePad",
    "Setup",
    "Sheet",
    "Turn",
    "Undo",
    "act_from_json",
    "act_to_json",
    "pad_from_csv",
    "pad_from_json",
    "pad_to_csv",
    "pad_to_json",
    "read_pad",
    "write_pad",
]
