"""Files of records: reading matches, and writing whole lines."""

from __future__ import annotations

import json
import sys
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Self

from triomino.errors import RecordError, TriominoError
from triomino.record import read_record, read_records

if TYPE_CHECKING:
    from collections.abc import Iterator

    from triomino.match import Match

DASH = Path("-")
"""Standard input or output."""


@contextmanager
def opened(path: Path) -> Iterator[IO[bytes]]:
    """Open a file, or standard input, for reading."""
    if path == DASH:
        yield sys.stdin.buffer
    else:
        with path.open("rb") as file:
            yield file


def named(path: Path) -> str:
    """Return the name of a file for a message."""
    return "standard input" if path == DASH else str(path)


def matches_in(path: Path) -> Iterator[Match]:
    """Yield every match of a file, replayed; :class:`RecordError` names the first error.

    A file is JSON Lines, or one record over several lines.
    """
    found = False
    try:
        with opened(path) as file:
            for match in _matches(file):
                found = True
                yield match
    except RecordError as error:
        place = f"{named(path)}, {error.place}" if error.place else named(path)
        raise RecordError(place, error.reason) from error
    if not found:
        raise TriominoError(f"{named(path)}: there is no record in it")


def _matches(file: IO[bytes]) -> Iterator[Match]:
    first = file.readline()
    if first.strip() and not _is_json(first):
        # One record, formatted over several lines, or a damaged first line of many.
        rest = file.read()
        if _is_json(first + rest):
            yield read_record(first + rest)
            return
        yield from read_records([first])
    yield from read_records(_lines(first, file))


def _lines(first: bytes, file: IO[bytes]) -> Iterator[bytes]:
    yield first
    yield from file


def _is_json(text: bytes) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


class LineWriter:
    """Writes whole lines or nothing, so that a file never ends in the middle of one."""

    def __init__(self, path: Path) -> None:
        self._is_ours = path != DASH
        # Unbuffered: a line that is counted is written.
        self._file = path.open("wb", buffering=0) if self._is_ours else _raw_stdout()
        self._length = 0
        self.count = 0
        """How many lines have been written."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._is_ours:
            self._file.close()

    def write(self, line: str) -> None:
        """Write one line; if that fails, as on a full disk, remove the part that was written."""
        data = line.encode() + b"\n"
        try:
            left = memoryview(data)
            while left:
                left = left[self._file.write(left) :]
            self._length += len(data)
            self.count += 1
        except BaseException:
            if self._is_ours and self._file.seekable():
                with suppress(OSError):
                    self._file.truncate(self._length)
            raise


def _raw_stdout() -> IO[bytes]:
    sys.stdout.flush()
    return open(sys.stdout.fileno(), "wb", buffering=0, closefd=False)
