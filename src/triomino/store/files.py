"""The file of a SQLite database, and the files that belong to it.

SQLite cannot tell whether a write-ahead log belongs to the database it lies beside: if somebody
puts a copy of the database in the place of one that was not closed, the pages of the old log are
written into the copy and ruin it. Therefore every run of a server puts a mark, a random number,
into the header of the database, and the same mark into a file beside it. A database with another
mark than the one its log was written for is not opened.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import sqlite3
from pathlib import Path
from typing import Final
from urllib.parse import quote

from triomino.store.failure import StoreError, store_errors
from triomino.store.folder import write_atomically

BESIDE: Final = ("-wal", "-shm", "-run")
"""How the names of the files end that belong to a database."""
_LOG_HEADER: Final = 32


class DatabaseFile:
    """Where a database is, and whether it is still the one that was opened."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._opened: tuple[int, int] | None = None

    @property
    def log(self) -> Path:
        """The write-ahead log."""
        return Path(f"{self.path}-wal")

    @property
    def url(self) -> str:
        """For SQLAlchemy; the file is never created by a connection."""
        return f"sqlite+aiosqlite:///file:{quote(str(self.path))}?mode=rw&uri=true"

    def prepare(self) -> None:
        """Make the file and its folder if they are missing, and refuse a log of another one."""
        path = self.path
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with store_errors("the database cannot be opened"):
            self.refuse_foreign_log()
        make_private(path)
        self._opened = _identity(path)

    def check(self) -> None:
        """Raise unless the file is still there, and the one that was opened."""
        if self._opened is None:
            return
        now = _identity(self.path)
        if now is None:
            raise StoreError(f"the database {self.path} is gone; put it back")
        if now != self._opened:
            raise StoreError(f"the database {self.path} was replaced; restart the server")

    # --- The mark --------------------------------------------------------------------------------

    def mark(self) -> int:
        """The mark in the file itself, without what its log would change; 0 is none."""
        return _header(self.path, "user_version")

    def remember(self, *marks: int) -> None:
        """Write beside the file which marks it may have."""
        # The file is written anew, for its owner only.
        write_atomically(Path(f"{self.path}-run"), "".join(f"{mark}\n" for mark in marks))

    def _remembered(self) -> set[int]:
        beside = Path(f"{self.path}-run")
        try:
            return {int(line) for line in beside.read_text("ascii").split()}
        except (OSError, ValueError):
            return set()

    def refuse_foreign_log(self) -> None:
        """Raise if the write-ahead log belongs to another database than the one beside it."""
        if not self.log.is_file() or self.log.stat().st_size <= _LOG_HEADER:
            return
        advice = (
            f"put the database back that was there, or move {self.log.name} and "
            f"{self.path.name}-shm away if the file is whole without them; "
            "triomino host restore does it safely"
        )
        if not self.path.is_file() or not self.path.stat().st_size:
            raise StoreError(f"there is {self.log} but not the database it belongs to; {advice}")
        known = self._remembered()
        if _header(self.path, "page_size") != _log_page_size(self.log) or (
            known and self.mark() not in known
        ):
            raise StoreError(f"{self.log} belongs to another database than {self.path}; {advice}")


def new_mark() -> int:
    """A mark that no other run has."""
    return secrets.randbelow(2**31 - 1) + 1


def mark_copy(path: Path) -> None:
    """Give the copy of a database a mark of its own."""
    copying = store_errors(f"{path} cannot be written")
    with copying, contextlib.closing(sqlite3.connect(path)) as copy:
        copy.execute(f"PRAGMA user_version = {new_mark()}")


def make_private(path: Path) -> None:
    """Let only its owner read *path*, an empty file if there is none yet.

    SQLite gives the files beside a database the permissions of the database. What cannot be
    opened is left to SQLite, which says why.
    """
    with contextlib.suppress(OSError):
        path.touch(mode=0o600)
        for file in (path, *(Path(f"{path}{end}") for end in ("-wal", "-shm"))):
            if file.is_file():
                file.chmod(0o600)


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = os.stat(path)  # half the time of the method, and often needed
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _header(path: Path, pragma: str) -> int:
    """A number in the header of a database, without what its log would change; 0 if it is none.

    By SQLite: if this process opened and closed the file itself, the system would take away the
    locks that SQLite has on it.
    """
    try:
        url = f"file:{quote(str(path))}?mode=ro&immutable=1"
        with contextlib.closing(sqlite3.connect(url, uri=True)) as database:
            return int(database.execute(f"PRAGMA {pragma}").fetchone()[0])
    except (sqlite3.Error, ValueError):
        return 0


def _log_page_size(path: Path) -> int:
    with path.open("rb") as file:
        size = int.from_bytes(file.read(_LOG_HEADER)[8:12], "big")
    return 65536 if size == 1 else size
