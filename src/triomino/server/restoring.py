"""Putting a backup in the place of the database."""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy.engine import make_url

from triomino.server.checking import check_database, copies_of_postgres, open_read_only
from triomino.store.failure import StoreError, store_errors
from triomino.store.files import BESIDE, DatabaseFile, make_private, mark_copy

if TYPE_CHECKING:
    from triomino.server.checking import Progress


@dataclass(frozen=True, slots=True)
class Restored:
    """What was done."""

    kept: Path | str | None
    """Where the database is that was there; ``None`` if there was none."""
    with_log: bool
    """Whether a write-ahead log that could not be used was kept with it."""


def restore(backup: Path, path: Path, progress: Progress, *, anyway: bool = False) -> Restored:
    """Put a copy of *backup* in the place of the database *path*, which nobody may be using.

    The database that was there is kept beside it. A backup with faults is refused; with *anyway*,
    only one whose file is damaged or of a newer version.
    """
    _check_backup(backup, path, progress, anyway=anyway)
    file = DatabaseFile(path)
    if is_in_use(path):
        raise StoreError(f"{path} is in use; stop the server first")
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    new = path.with_name(f".{path.name}.restoring")
    try:
        with store_errors(f"{backup} cannot be copied"):
            _copy(backup, new)
        with store_errors(f"{path} cannot be replaced"):
            return _replace(new, file)
    finally:
        new.unlink(missing_ok=True)


def restore_postgres(
    backup: Path, where: str, progress: Progress, *, anyway: bool = False
) -> Restored:
    """Put a dump in the place of the PostgreSQL database *where*, which nobody may be using.

    It becomes a database of its own first, and is checked there. The database that was there is
    kept under another name. The user must be allowed to create databases.
    """
    copies = copies_of_postgres()
    own = make_url(where).database
    now = f"{datetime.now().astimezone():%Y%m%d-%H%M%S}"
    new, kept = f"{own}-restoring-{now}", f"{own}-replaced-{now}"
    url = copies.load(backup, where, new)
    try:
        _refuse_faults(backup, url, progress, anyway=anyway)
        there = copies.swap(where, new, kept)
    except BaseException:
        copies.drop(where, new)
        raise
    return Restored(kept if there else None, with_log=False)


def _check_backup(backup: Path, path: Path, progress: Progress, *, anyway: bool) -> None:
    if not backup.is_file():
        raise StoreError(f"there is no backup {backup}")
    if path.exists() and backup.samefile(path):
        raise StoreError(f"{backup} is the database itself")
    _refuse_faults(backup, backup, progress, anyway=anyway)


def _refuse_faults(backup: Path, where: Path | str, progress: Progress, *, anyway: bool) -> None:
    """Raise if there are faults in a backup, which can be read at *where*."""
    found = [one for one in check_database(where, progress) if not one.harmless]
    grave = [one for one in found if one.what in ("file", "version")]
    if grave:
        raise StoreError(f"{backup} cannot be used: {grave[0].why}")
    if found and not anyway:
        what = found[0]
        raise StoreError(
            f"{backup} has {len(found)} faults, such as {what.what} {what.id}: {what.why}; "
            "see triomino host check, or restore it with --anyway"
        )


def is_in_use(path: Path) -> bool:
    """Whether another process has a database open; its write-ahead log is left as it is.

    This process must not have it open: its own locks would be lost.
    """
    try:
        import fcntl  # noqa: PLC0415 - not on every system
    except ImportError:
        return _is_locked(path)
    with contextlib.suppress(FileNotFoundError), path.open("r+b") as file:
        try:
            # Where SQLite has its locks: whoever has opened the database holds one of them.
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 512, 0x40000000)
        except OSError:
            return True
    return False


def _is_locked(path: Path) -> bool:
    """The same, asked of SQLite."""
    if not path.is_file():
        return False
    try:
        with contextlib.closing(sqlite3.connect(path, timeout=0.1)) as database:
            database.execute("PRAGMA locking_mode=EXCLUSIVE")
            database.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        return "locked" in str(error)
    except sqlite3.DatabaseError:
        return False
    return False


def _copy(backup: Path, new: Path) -> None:
    """Copy a backup, with what is in its write-ahead log, as a file of its own."""
    new.unlink(missing_ok=True)
    make_private(new)
    with (
        contextlib.closing(open_read_only(backup)) as old,
        contextlib.closing(sqlite3.connect(new)) as copy,
    ):
        old.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE")
    mark_copy(new)
    with new.open("rb") as file:
        os.fsync(file.fileno())


def _replace(new: Path, file: DatabaseFile) -> Restored:
    """Replace the database; at any moment there is either the old or the new one."""
    path = file.path
    kept = path.with_name(f"{path.name}.replaced-{datetime.now().astimezone():%Y%m%d-%H%M%S}")
    with_log = not _fold_log(file)
    there = path.exists()
    for end in BESIDE:
        beside = Path(f"{path}{end}")
        if beside.exists():
            beside.replace(f"{kept}{end}")
    if there:
        try:
            os.link(path, kept)
        except OSError:  # a file system without links
            shutil.copyfile(path, kept)
        make_private(kept)
    new.replace(path)
    _sync(path.parent)
    return Restored(kept if there or with_log else None, with_log)


def _fold_log(file: DatabaseFile) -> bool:
    """Write what is in the log into the database it belongs to; return whether that was done."""
    if not file.log.is_file() or not file.log.stat().st_size:
        return True
    try:
        file.refuse_foreign_log()
        with contextlib.closing(sqlite3.connect(file.path, timeout=1)) as database:
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            database.execute("PRAGMA journal_mode=DELETE").fetchall()
    except (StoreError, sqlite3.Error):
        return False
    return True


def _sync(folder: Path) -> None:
    """Make sure that a replaced file stays replaced if the power fails."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
