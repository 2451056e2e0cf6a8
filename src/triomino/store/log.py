"""The event log: append one event at a version, read a table's events.

Appends that wait for the disk at the same time share one transaction; a version that is already
there fails its own append only.
"""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from alembic import command
from alembic.config import Config
from sqlalchemy import delete, event, func, select, text, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import NullPool, StaticPool

from triomino.errors import TriominoError
from triomino.store.schema import events, tables

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection
    from sqlalchemy.ext.asyncio import AsyncConnection

BATCH = 500
"""Appends in one transaction, at most."""


class StoreError(TriominoError):
    """The database cannot be used."""


@dataclass(frozen=True, slots=True)
class TableRow:
    """What the store knows of a table without its events."""

    id: str
    state: str
    listed: bool
    address: str
    created: int
    updated: int
    clock: bool


@dataclass(slots=True)
class _Append:
    table: str
    version: int
    data: bytes
    row: TableRow | None
    """The row of a new table."""
    done: asyncio.Future[bool]


class EventLog:
    """The log in a database. SQLite by default: a path; or any URL that SQLAlchemy knows."""

    def __init__(self, engine: AsyncEngine, writer: AsyncEngine) -> None:
        self._engine = engine
        self._writer_engine = writer
        self._waiting: asyncio.Queue[_Append] = asyncio.Queue()
        self._writer: asyncio.Task[None] | None = None
        self._writing = asyncio.Lock()  # there is one connection to write with
        self.transactions = 0
        """How many transactions were made."""

    @classmethod
    async def open(cls, where: str | Path) -> EventLog:
        """Open the log, bringing an older database up to date."""
        url = str(where)
        if "://" not in url:
            path = Path(url)
            path.parent.mkdir(parents=True, exist_ok=True)
            url = f"sqlite+aiosqlite:///{path}"
        if url.startswith("sqlite"):
            reader = create_async_engine(url)
            writer = create_async_engine(url, poolclass=StaticPool)
            for engine in (reader, writer):
                event.listen(engine.sync_engine, "connect", _set_pragmas)
        else:
            reader = writer = create_async_engine(url, poolclass=NullPool)
        log = cls(reader, writer)
        try:
            async with writer.begin() as connection:
                await connection.run_sync(_migrate)
        except StoreError:
            await log.close()
            raise
        log._writer = asyncio.create_task(log._write(), name="log writer")
        return log

    async def close(self) -> None:
        """Finish what waits, then close."""
        if self._writer is not None:
            await self._waiting.join()
            self._writer.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._writer
        await self._engine.dispose()
        await self._writer_engine.dispose()

    # --- Writing ---------------------------------------------------------------------------------

    async def append(
        self, table: str, version: int, data: bytes, row: TableRow | None = None
    ) -> bool:
        """Write an event durably; ``False`` if that version is there already.

        The first event of a table brings its *row*.
        """
        done: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._waiting.put_nowait(_Append(table, version, data, row, done))
        return await done

    async def _write(self) -> None:
        while True:
            batch = [await self._waiting.get()]
            while len(batch) < BATCH and not self._waiting.empty():
                batch.append(self._waiting.get_nowait())
            try:
                async with self._writing, self._writer_engine.begin() as connection:
                    written = await self._write_batch(connection, batch)
                self.transactions += 1
            except Exception as error:  # noqa: BLE001 - told to everyone who waits
                for item in batch:
                    if not item.done.done():
                        item.done.set_exception(StoreError(f"the event log failed: {error}"))
            else:
                for item in batch:
                    if not item.done.done():
                        item.done.set_result((item.table, item.version) in written)
            finally:
                for _ in batch:
                    self._waiting.task_done()

    async def _write_batch(
        self, connection: AsyncConnection, batch: Sequence[_Append]
    ) -> set[tuple[str, int]]:
        # One row for each version: of two appends in one batch the first wins.
        values: dict[tuple[str, int], _Append] = {}
        for item in batch:
            values.setdefault((item.table, item.version), item)
        insert = self._insert(events).on_conflict_do_nothing()
        result = await connection.execute(
            insert.returning(events.c.table_id, events.c.version),
            [
                {"table_id": item.table, "version": item.version, "data": item.data}
                for item in values.values()
            ],
        )
        written = {(table, version) for table, version in result.all()}
        written = {key for key in written if key in values}
        for key in written:
            row = values[key].row
            if row is not None:
                new = {name: getattr(row, name) for name in TableRow.__slots__}
                await connection.execute(tables.insert().values(new))
        # A later append of the same version in this batch has lost.
        for item in batch:
            key = (item.table, item.version)
            if key in written and values[key] is not item and not item.done.done():
                item.done.set_result(False)
        return written

    def _insert(self, table: Any) -> Any:
        dialect = sqlite if self._writer_engine.dialect.name == "sqlite" else postgresql
        return dialect.insert(table)

    # --- Reading ---------------------------------------------------------------------------------

    async def read(self, table: str, after: int = 0) -> list[bytes]:
        """The events of a table after a version, in order."""
        query = (
            select(events.c.data)
            .where(events.c.table_id == table, events.c.version > after)
            .order_by(events.c.version)
        )
        async with self._engine.connect() as connection:
            return [bytes(data) for (data,) in await connection.execute(query)]

    async def row(self, table: str) -> TableRow | None:
        """What is known of a table without its events."""
        async with self._engine.connect() as connection:
            found = (await connection.execute(select(tables).where(tables.c.id == table))).first()
        return TableRow(**found._mapping) if found else None

    async def rows(
        self,
        *,
        states: Sequence[str],
        listed: bool | None = None,
        clock: bool | None = None,
        address: str | None = None,
        before: int | None = None,
        most: int = 100,
    ) -> list[TableRow]:
        """Tables in some states, the latest first; *before* a time of their last change."""
        query = select(tables).where(tables.c.state.in_(states))
        if listed is not None:
            query = query.where(tables.c.listed == listed)
        if clock is not None:
            query = query.where(tables.c.clock == clock)
        if address is not None:
            query = query.where(tables.c.address == address)
        if before is not None:
            query = query.where(tables.c.updated < before)
        query = query.order_by(tables.c.updated.desc()).limit(most)
        async with self._engine.connect() as connection:
            return [TableRow(**row._mapping) for row in await connection.execute(query)]

    async def count(self) -> int:
        """How many tables there are."""
        async with self._engine.connect() as connection:
            return int(await connection.scalar(select(func.count()).select_from(tables)) or 0)

    async def note(self, table: str, state: str, at: int) -> None:
        """Bring a table's row in line with its events, so that it is found."""
        values = {"state": state, "updated": at}
        async with self._writing, self._writer_engine.begin() as connection:
            await connection.execute(update(tables).where(tables.c.id == table).values(values))

    async def delete(self, table: str) -> None:
        """Forget a table and all its events."""
        async with self._writing, self._writer_engine.begin() as connection:
            await connection.execute(delete(events).where(events.c.table_id == table))
            await connection.execute(delete(tables).where(tables.c.id == table))

    async def backup(self, path: Path) -> None:
        """A consistent copy of a running SQLite database."""
        if self._engine.dialect.name != "sqlite":
            raise StoreError("use pg_dump to back up a PostgreSQL database")
        if path.exists():
            raise StoreError(f"{path} is there already")
        async with self._engine.connect() as connection:
            await connection.execute(text("VACUUM INTO :path"), {"path": str(path)})

    async def pragma(self, name: str) -> Any:
        """A setting of the live writing connection of SQLite."""
        async with self._writer_engine.connect() as connection:
            return await connection.scalar(text(f"PRAGMA {name}"))


def _set_pragmas(connection: Any, _: object) -> None:
    """Durable and concurrent: a write-ahead log, on disk before we say so."""
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=5000"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _migrate(connection: Connection) -> None:
    config = Config()
    config.set_main_option("script_location", "triomino.store:migrations")
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, "head")
    except Exception as error:
        raise StoreError(f"the database cannot be brought up to date: {error}") from error
