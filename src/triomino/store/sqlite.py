"""SQLite as the database of the log: one file, one writer, every write synced to the disk."""

from __future__ import annotations

import asyncio
import contextlib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from sqlalchemy import event, text
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import StaticPool

from triomino.store.failure import StoreError
from triomino.store.files import DatabaseFile, make_private, mark_copy, new_mark

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping, Sequence

    import aiosqlite
    from sqlalchemy import Connection
    from sqlalchemy.ext.asyncio import AsyncConnection

    from triomino.store.database import NewEvent

CHECKPOINT_PAGES = 10_000
"""The size of the write-ahead log at which a writer makes a checkpoint itself: 40 MB."""


class SqliteDatabase:
    """A database in a file, or at a URL of SQLAlchemy."""

    pause = 0.0  # one server writes, so that what waits is all there is

    def __init__(self, where: str) -> None:
        self.file = None if "://" in where else DatabaseFile(Path(where))
        """``None`` for a URL."""
        if self.file is not None:
            self.file.prepare()
        url = where if self.file is None else self.file.url
        # Events hold seeds, which must not appear in error messages.
        self.reader = create_async_engine(url, hide_parameters=True)
        self.writer = create_async_engine(url, hide_parameters=True, poolclass=StaticPool)
        for engine in (self.reader, self.writer):
            event.listen(engine.sync_engine, "connect", _set_pragmas)
        event.listen(self.reader.sync_engine, "connect", _read_any_text)
        event.listen(self.writer.sync_engine, "connect", _set_autocommit)
        event.listen(self.writer.sync_engine, "begin", _begin)
        self._writing = asyncio.Lock()  # there is one connection to write with
        self._others = asyncio.Lock()
        # That connection without SQLAlchemy: moves are written often and all alike.
        self._direct: aiosqlite.Connection | None = None
        self._data_version: object = None  # of the database, when last asked

    @property
    def _connection(self) -> aiosqlite.Connection:
        if self._direct is None:
            raise StoreError("the database is not open")
        return self._direct

    async def migrating(self, connection: AsyncConnection) -> None:
        """Nothing: the transaction has locked the file."""
        raw = await connection.get_raw_connection()
        self._direct = cast("aiosqlite.Connection", raw.driver_connection)

    async def begin_run(self, *, new_run: bool) -> None:
        """Give the file of a new run a mark of its own: see :mod:`triomino.store.files`."""
        if self.file is None or not new_run:
            return
        mark = new_mark()
        self.file.remember(self.file.mark(), mark)
        await self._connection.execute_fetchall(f"PRAGMA user_version = {mark}")
        emptied = await self._connection.execute_fetchall("PRAGMA wal_checkpoint(TRUNCATE)")
        [[busy, *_]] = list(emptied)
        if not busy and self.file.mark() == mark:
            self.file.remember(mark)

    def check(self) -> None:
        """Raise if the file is gone, or another one."""
        if self.file is not None:
            self.file.check()

    def exclusive(self) -> asyncio.Lock:
        """The lock of the one connection that writes."""
        return self._writing

    @contextlib.asynccontextmanager
    async def in_turn(self) -> AsyncIterator[None]:
        """That lock, after all others who want to write what is no move.

        A lock is given in the order in which it is asked for: a move would wait for all of them.
        """
        async with self._others, self._writing:
            yield

    async def insert(self, new: Sequence[NewEvent]) -> set[tuple[str, int]]:
        """Write events; a single statement is a transaction by itself and asks the thread once."""
        values = [value for item in new for value in item]
        statement = _insert_statement(len(new))
        written = await self._connection.execute_fetchall(statement, values)
        return {(table, version) for table, version in written}

    async def read_new(self, known: Mapping[str, int]) -> list[tuple[str, int, bytes]]:
        """Read what is new at each table."""
        query = (
            "SELECT version, data FROM events WHERE table_id = ? AND version > ? ORDER BY version"
        )
        return [
            (table, version, data)
            for table, after in known.items()
            for version, data in await self._connection.execute_fetchall(query, (table, after))
        ]

    async def changed_elsewhere(self) -> bool:
        """Whether the file was changed by another connection since the last call."""
        self.check()
        now = list(await self._connection.execute_fetchall("PRAGMA data_version"))
        before, self._data_version = self._data_version, now
        return before != now

    def assume_changes(self) -> None:
        """Forget what was seen last."""
        self._data_version = None

    async def probe(self) -> None:
        """Write a page although nothing changes."""
        async with self._writing:
            [[mark]] = list(await self._connection.execute_fetchall("PRAGMA user_version"))
            await self._connection.execute_fetchall(f"PRAGMA user_version = {int(mark)}")

    async def tend(self, *, was_written: bool) -> None:
        """Make a checkpoint: the writer would make it while a move waits ten times as long."""
        if was_written:
            async with self.reader.connect() as connection:
                await connection.execute(text("PRAGMA wal_checkpoint(PASSIVE)"))

    async def backup(self, path: Path) -> None:
        """Write a copy with a mark of its own."""
        make_private(path)
        async with self.reader.connect() as connection:
            await connection.execute(text("VACUUM INTO :path"), {"path": str(path)})
        await asyncio.to_thread(mark_copy, path)

    async def close(self) -> None:
        """Close both engines."""
        await self.reader.dispose()
        await self.writer.dispose()


@cache
def _insert_statement(count: int) -> str:
    rows = ", ".join(["(?, ?, ?)"] * count)
    return (
        f"INSERT INTO events (table_id, version, data) VALUES {rows}"  # noqa: S608 - no value in it
        " ON CONFLICT DO NOTHING RETURNING table_id, version"
    )


def _set_pragmas(connection: Any, _: object) -> None:
    """Make writes durable and concurrent with reads: a write-ahead log that is synced."""
    try:
        cursor = connection.cursor()
        for pragma in (
            "journal_mode=WAL",
            "synchronous=FULL",
            "busy_timeout=5000",
            f"wal_autocheckpoint={CHECKPOINT_PAGES}",
        ):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()
    except Exception:
        connection.close()  # or its thread would keep the process alive
        raise


def _read_any_text(connection: Any, _: object) -> None:
    """Read text that is not UTF-8 too: one damaged row must not fail a query for all."""
    connection.driver_connection.text_factory = _decode


def _decode(data: bytes) -> str:
    return data.decode(errors="replace")


def _set_autocommit(connection: Any, _: object) -> None:
    """Let only :func:`_begin` begin transactions; a single statement is one by itself."""
    connection.isolation_level = None


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")
