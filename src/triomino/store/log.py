"""The event log: append an event at a version, read the events of a table.

Appends that wait at the same time share one transaction; a version that is already taken fails its
own append only.
"""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from sqlalchemy import delete, func, select, text, update

from triomino.store.cells import cell_bytes, untyped
from triomino.store.database import NewEvent
from triomino.store.failure import StoreError, first_line, store_errors
from triomino.store.pace import Pace
from triomino.store.schema import analyses, events, pads, tables
from triomino.store.upgrade import upgrade

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
    from pathlib import Path

    from sqlalchemy import Connection, RowMapping
    from sqlalchemy.ext.asyncio import AsyncConnection

    from triomino.store.database import Database
    from triomino.store.files import DatabaseFile

BATCH = 500
"""Appends in one transaction, at most."""

TEND_SECONDS = 5.0
"""How often the database is tended. Checkpoints of SQLite copy a page that was written many times
once, so fewer are cheaper."""

PAGE = 250
"""Events that are read at a time: few enough for the event loop to take them without a pause."""

STATES = ("open", "opening", "playing", "finished", "closed")
"""The states that a table can be in."""


@dataclass(frozen=True, slots=True)
class TableRow:
    """What the store knows about a table without reading its events."""

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
    """Of a new table, with its first event."""
    done: asyncio.Future[bool]


class EventLog:
    """The log in a database: a SQLite file, or a PostgreSQL server."""

    def __init__(self, database: Database, file: DatabaseFile | None = None) -> None:
        self.database = database
        self.file = file
        """The file of a SQLite database."""
        self._waiting: asyncio.Queue[_Append] = asyncio.Queue()
        self._tasks: list[asyncio.Task[None]] = []
        self.transactions = 0
        """How many transactions have been made."""
        self.failure: StoreError | None = None
        """Why the last write failed; ``None`` once one has succeeded."""

    @classmethod
    async def open(cls, where: str | Path, *, new_run: bool = False) -> EventLog:
        """Open the log; a new database is created, an older one is migrated.

        With *new_run*, mark a file as that of a new run: see :mod:`triomino.store.files`.
        """
        database, file = _open_database(str(where))
        log = cls(database, file)
        try:
            with store_errors("the database cannot be opened"):
                async with database.writer.begin() as connection:
                    await database.migrating(connection)
                    await connection.run_sync(_migrate)
                await database.begin_run(new_run=new_run)
        except StoreError:
            await log.close()
            raise
        log._tasks.append(asyncio.create_task(log._write(), name="log writer"))
        log._tasks.append(asyncio.create_task(log._tend(), name="log tender"))
        return log

    async def close(self) -> None:
        """Write what is waiting, then close."""
        if self._tasks:
            await self._waiting.join()
        for task in self._tasks:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
        await self.database.close()

    @contextlib.asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncConnection]:
        """A write transaction that excludes the log's own; raise ``StoreError`` if it fails."""
        with self._noting_failures():
            async with self.database.in_turn(), self.database.writer.begin() as connection:
                yield connection

    @contextlib.asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        """A connection for reading; what fails with it raises ``StoreError``."""
        with store_errors("the database cannot be read"):
            self.database.check()
            async with self.database.reader.connect() as connection:
                yield connection

    @contextlib.contextmanager
    def _noting_failures(self) -> Iterator[None]:
        """Turn what goes wrong while writing into a ``StoreError``, and keep it in mind."""
        try:
            with store_errors("the event log failed"):
                self.database.check()
                yield
        except StoreError as error:
            self.failure = error
            raise
        self.failure = None

    async def probe(self) -> None:
        """Raise ``StoreError`` unless the database can be read and, if it failed, written."""
        await self.count()
        if self.failure is not None:
            with self._noting_failures():
                await self.database.probe()

    # --- Writing ---------------------------------------------------------------------------------

    async def append(
        self, table: str, version: int, data: bytes, row: TableRow | None = None
    ) -> bool:
        """Write an event durably; return ``False`` if that version is taken.

        The first event of a table comes with its *row*.
        """
        done: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._waiting.put_nowait(_Append(table, version, data, row, done))
        return await done

    async def _write(self) -> None:
        clock, pace = asyncio.get_running_loop().time, Pace(self.database.pause)
        while True:
            batch = [await self._waiting.get()]
            while len(batch) < BATCH and not self._waiting.empty():
                batch.append(self._waiting.get_nowait())
            began = clock()
            try:
                with self._noting_failures():
                    async with self.database.exclusive():
                        written = await self._write_batch(batch)
                self.transactions += 1
            except Exception as error:  # noqa: BLE001 - raised for everyone who waits
                for item in batch:
                    if not item.done.done():
                        # One each: an exception that is raised in many tasks keeps them all alive.
                        item.done.set_exception(
                            StoreError(str(error))
                            if isinstance(error, StoreError)
                            else StoreError(f"the event log failed: {first_line(error)}")
                        )
            else:
                for item in batch:
                    if not item.done.done():
                        item.done.set_result((item.table, item.version) in written)
            finally:
                for _ in batch:
                    self._waiting.task_done()
            if self.database.pause and (gap := pace.gap(len(batch), began)):
                await asyncio.sleep(began + gap - clock())

    async def _tend(self) -> None:
        """Let the database do what it needs every few seconds."""
        seen = 0
        while True:
            await asyncio.sleep(TEND_SECONDS)
            was_written, seen = seen != self.transactions, self.transactions
            # If this fails, the next write does it and reports its own errors.
            with contextlib.suppress(StoreError), store_errors("the database cannot be tended"):
                self.database.check()
                await self.database.tend(was_written=was_written)

    async def _write_batch(self, batch: Sequence[_Append]) -> set[tuple[str, int]]:
        """Write a batch in one transaction; return the versions that were written."""
        # Of two appends of the same version in one batch the first wins.
        values: dict[tuple[str, int], _Append] = {}
        for item in batch:
            values.setdefault((item.table, item.version), item)
        if all(item.row is None for item in batch):
            new = [NewEvent(item.table, item.version, item.data) for item in values.values()]
            written = await self.database.insert(new)
        else:
            async with self.database.writer.begin() as connection:
                written = await self._insert_all(connection, values)
        # A later append of the same version has lost.
        for item in batch:
            key = (item.table, item.version)
            if key in written and values[key] is not item and not item.done.done():
                item.done.set_result(False)
        return written

    async def _insert_all(
        self, connection: AsyncConnection, values: Mapping[tuple[str, int], _Append]
    ) -> set[tuple[str, int]]:
        insert = self._insert(events).on_conflict_do_nothing()
        result = await connection.execute(
            insert.returning(events.c.table_id, events.c.version),
            [
                {"table_id": item.table, "version": item.version, "data": item.data}
                for item in values.values()
            ],
        )
        written = {(table, version) for table, version in result.all()}
        for key in written:
            row = values[key].row
            if row is not None:
                new = {name: getattr(row, name) for name in TableRow.__slots__}
                await connection.execute(tables.insert().values(new))
        return written

    def _insert(self, table: Any) -> Any:
        # Import only the dialect in use: the others take a while to load.
        dialect = import_module(f"sqlalchemy.dialects.{self.database.writer.dialect.name}")
        return dialect.insert(table)

    # --- Reading ---------------------------------------------------------------------------------

    async def read(self, table: str, after: int = 0) -> list[bytes]:
        """The events of a table after a version, in order; empty if there is no such table."""
        return [data async for page in self.pages(table, after) for _, data in page]

    async def pages(self, table: str, after: int = 0) -> AsyncIterator[list[tuple[int, bytes]]]:
        """The events of a table after a version, each with its version, :data:`PAGE` at a time."""
        # Untyped, so that a damaged value fails where it is looked at and not the whole query.
        data = untyped(events.c.data)
        query = select(events.c.version, data).order_by(events.c.version).limit(PAGE)
        while True:
            async with self.reading() as connection:
                found = await connection.execute(
                    query.where(events.c.table_id == table, events.c.version > after)
                )
                page = [(version, cell_bytes(value)) for version, value in found]
            if page:
                yield page
                after = page[-1][0]
            if len(page) < PAGE:
                return

    async def read_new(self, known: Mapping[str, int]) -> dict[str, list[tuple[int, bytes]]]:
        """The events of tables after the versions *known* of them, each with its version."""
        found: dict[str, list[tuple[int, bytes]]] = {}
        with store_errors("the database cannot be read"):
            self.database.check()
            for table, version, data in await self.database.read_new(known):
                found.setdefault(table, []).append((version, data))
        return found

    async def row(self, table: str) -> TableRow | None:
        """The row of a table, or ``None`` if there is none, or none that can be read."""
        async with self.reading() as connection:
            found = (await connection.execute(_ROWS.where(tables.c.id == table))).first()
        return _read_row(found._mapping) if found else None

    async def rows(
        self,
        *,
        states: Sequence[str],
        listed: bool | None = None,
        clock: bool | None = None,
        address: str | None = None,
        since: int | None = None,
        before: int | None = None,
        most: int = 100,
    ) -> list[TableRow]:
        """The tables that match all filters, last updated first.

        *since* and *before* compare ``updated``. Rows that cannot be read are left out.
        """
        query = _ROWS.where(tables.c.state.in_(states))
        if listed is not None:
            query = query.where(tables.c.listed == listed)
        if clock is not None:
            query = query.where(tables.c.clock == clock)
        if address is not None:
            query = query.where(tables.c.address == address)
        if since is not None:
            query = query.where(tables.c.updated >= since)
        if before is not None:
            query = query.where(tables.c.updated < before)
        query = query.order_by(tables.c.updated.desc()).limit(most)
        async with self.reading() as connection:
            found = [_read_row(row._mapping) for row in await connection.execute(query)]
        return [row for row in found if row is not None]

    async def lobby(self, most: int) -> list[TableRow]:
        """The open tables that are listed, newest first; every address has its share of *most*."""
        newest = tables.c.updated.desc()
        turn = func.row_number().over(partition_by=tables.c.address, order_by=newest)
        listed = tables.c.state.in_(["open"]) & tables.c.listed
        shared = _ROWS.add_columns(turn.label("turn")).where(listed).subquery()
        query = select(shared).order_by(shared.c.turn, shared.c.updated.desc()).limit(most)
        async with self.reading() as connection:
            rows = [_read_row(row._mapping) for row in await connection.execute(query)]
        found = [row for row in rows if row is not None]
        return sorted(found, key=lambda row: row.updated, reverse=True)

    async def last(self, table: str) -> tuple[int, bytes] | None:
        """The version and data of a table's newest event."""
        query = (
            select(events.c.version, untyped(events.c.data))
            .where(events.c.table_id == table)
            .order_by(events.c.version.desc())
            .limit(1)
        )
        async with self.reading() as connection:
            found = (await connection.execute(query)).first()
        return (found[0], cell_bytes(found[1])) if found else None

    async def changed_elsewhere(self) -> bool:
        """Whether another connection may have written since the last call."""
        with store_errors("the database cannot be read"):
            return await self.database.changed_elsewhere()

    def assume_changes(self) -> None:
        """Let the next :meth:`changed_elsewhere` say yes: what it found could not be followed."""
        self.database.assume_changes()

    async def versions(self, ids: Sequence[str]) -> dict[str, int]:
        """The newest version of each table; those that do not exist are left out."""
        newest = (
            select(func.max(events.c.version))
            .where(events.c.table_id == tables.c.id)
            .scalar_subquery()
        )
        found: dict[str, int] = {}
        async with self.reading() as connection:
            for start in range(0, len(ids), BATCH):
                query = select(tables.c.id, newest).where(
                    tables.c.id.in_(ids[start : start + BATCH])
                )
                found |= {
                    name: version if isinstance(version, int) else 0
                    for name, version in await connection.execute(query)
                }
        return found

    async def count(self) -> int:
        """How many tables there are."""
        async with self.reading() as connection:
            return int(await connection.scalar(select(func.count()).select_from(tables)) or 0)

    async def newest(self) -> int | None:
        """The date of the newest thing stored, in milliseconds since 1970; ``None`` if empty.

        It may be behind by what happened at tables that are still in the same state.
        """
        dates = (tables.c.updated, tables.c.created, pads.c.updated, analyses.c.made)
        async with self.reading() as connection:
            found = [await connection.scalar(select(func.max(date))) for date in dates]
        return max((date for date in found if isinstance(date, int)), default=None)

    async def update_row(self, table: str, state: str, at: int, listed: bool | None = None) -> None:
        """Bring the row of a table in line with its events, so that queries find it."""
        values = {"state": state, "updated": at}
        if listed is not None:
            values["listed"] = listed
        async with self.writing() as connection:
            await connection.execute(update(tables).where(tables.c.id == table).values(values))

    async def delete(self, table: str, version: int | None = None) -> bool:
        """Delete a table and all its events; with a *version*, only if that is its newest.

        Return whether there was such a table.
        """
        query = delete(tables).where(tables.c.id == table)
        if version is not None:
            newest = select(func.max(events.c.version)).where(events.c.table_id == table)
            query = query.where(newest.scalar_subquery() == version)
        async with self.writing() as connection:
            gone = (await connection.execute(query)).rowcount > 0
            if gone or version is None:
                await connection.execute(delete(events).where(events.c.table_id == table))
                await connection.execute(delete(analyses).where(analyses.c.id == table))
        return gone

    async def backup(self, path: Path) -> None:
        """Write a consistent copy of the database, which may be in use, to a new file."""
        if path.exists():
            raise StoreError(f"{path} is there already")
        try:
            with store_errors("the database cannot be read"):
                self.database.check()
                await self.database.backup(path)
        except BaseException:
            path.unlink(missing_ok=True)
            raise

    async def pragma(self, name: str) -> Any:
        """The value of a pragma of SQLite's writing connection."""
        async with self.database.writer.connect() as connection:
            return await connection.scalar(text(f"PRAGMA {name}"))


_ROWS = select(*(untyped(column).label(column.name) for column in tables.columns))
"""Untyped, so that a damaged value makes its own row unreadable and not the whole query."""


def _read_row(found: RowMapping) -> TableRow | None:
    """A row of the database, or ``None`` if it is damaged."""
    texts = ("id", "state", "address")
    times = ("created", "updated")
    whole = (
        all(isinstance(found[name], str) for name in texts)
        and all(isinstance(found[name], int) for name in times)
        and all(found[name] in (0, 1) for name in ("listed", "clock"))
        and found["state"] in STATES
    )
    if not whole:
        return None
    values = {name: found[name] for name in TableRow.__slots__}
    return TableRow(**values | {name: bool(values[name]) for name in ("listed", "clock")})


def _open_database(where: str) -> tuple[Database, DatabaseFile | None]:
    """The database at a path or URL. Only the engine in use is imported: each takes a while."""
    kind = where.partition("://")[0].partition("+")[0] if "://" in where else "sqlite"
    if kind == "sqlite":
        from triomino.store.sqlite import SqliteDatabase  # noqa: PLC0415

        sqlite = SqliteDatabase(where)
        return sqlite, sqlite.file
    if kind not in ("postgresql", "postgres"):
        raise StoreError(f"{kind} is no database that is known here; use a file or postgresql://")
    try:
        from triomino.store.postgres import PostgresDatabase  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise missing_package(error) from error
    return PostgresDatabase(where), None


def missing_package(error: ModuleNotFoundError) -> StoreError:
    """What to tell whoever uses PostgreSQL without its packages."""
    return StoreError(f"PostgreSQL needs the package {error.name}: pip install 'triomino[cluster]'")


def _migrate(connection: Connection) -> None:
    try:
        upgrade(connection)
    except Exception as error:
        why = first_line(error)
        raise StoreError(f"the database cannot be brought up to date: {why}") from error
