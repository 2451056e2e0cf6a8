"""Saved matches: written whole after every move, found again at the next start."""

from __future__ import annotations

import json
from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING, Final

from triomino.errors import RecordError, TriominoError
from triomino.record import read_record, write_record
from triomino.store.folder import data_folder, write_atomically

if TYPE_CHECKING:
    from pathlib import Path

    from triomino.match import Match

# One file per match, so that two windows never write the same one by accident.
_PATTERN: Final = "play-*.json"
_LOOK_BACK: Final = 50
"""How many of the newest saved matches are searched for an unfinished one."""


class Save:
    """The file of one match. It always holds a whole record: the last one or the one before."""

    def __init__(self, path: Path, text: str = "") -> None:
        self.path = path
        self.text = text
        """What the file holds, unless another program has changed it."""

    @classmethod
    def new(cls) -> Save:
        """Return a new file in the data folder."""
        folder = data_folder()
        folder.mkdir(parents=True, exist_ok=True)
        name = datetime.now().astimezone().strftime("play-%Y%m%d-%H%M%S")
        return cls(_free(folder / f"{name}.json"))

    @classmethod
    def at(cls, path: Path) -> Save:
        """Return a file the user named; refuse one that holds something already."""
        if path.exists() and (path.is_dir() or path.stat().st_size):
            raise TriominoError(
                f"{path} exists already; go on with it by --resume, or name another file"
            )
        if not path.parent.is_dir():
            raise TriominoError(f"{path}: there is no folder {path.parent}")
        return cls(path)

    def keep(self, match: Match) -> None:
        """Write the match atomically, unless it has not changed."""
        text = write_record(match) + "\n"
        if text == self.text:
            return
        if _read(self.path) not in (None, "", self.text):
            # Another window writes there too: what both have played is kept.
            self.path = _free(self.path)
        write_atomically(self.path, text)
        self.text = text


def read_save(path: Path) -> tuple[Match, Save]:
    """Read an unfinished match; refuse anything else with the place and the reason."""
    data = path.read_bytes()
    try:
        match = read_record(data)
    except RecordError as error:
        place = f"{path}, {error.place}" if error.place else str(path)
        raise RecordError(place, error.reason) from error
    if match.over:
        raise TriominoError(f"{path}: this match is over; there is nothing to continue")
    return match, Save(path, data.decode())


def unfinished() -> tuple[Match, Save] | None:
    """Return the newest unfinished match in the data folder."""
    try:
        files = sorted(data_folder().glob(_PATTERN), key=_age)[:_LOOK_BACK]
    except OSError:
        return None
    for path in files:
        text = _read(path)
        # A finished match has a result; only what has none is worth a replay.
        if text and not _has_result(text):
            with suppress(TriominoError, OSError):
                return read_save(path)
    return None


def _age(path: Path) -> int:
    try:
        return -path.stat().st_mtime_ns
    except OSError:
        return 0


def _read(path: Path) -> str | None:
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        return None


def _has_result(text: str) -> bool:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return False
    return isinstance(data, dict) and "result" in data


def _free(path: Path) -> Path:
    """Return the path, with a number where something is there already."""
    number, free = 1, path
    while free.exists():
        number += 1
        free = path.with_stem(f"{path.stem}-{number}")
    return free
