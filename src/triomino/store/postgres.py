"""PostgreSQL as the database of the log, for any number of servers beside each other."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any, Final

import asyncpg  # type: ignore[import-untyped]
from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine

from triomino.store.failure import StoreError, first_line
from triomino.store.postgres_copies import dump, for_sqlalchemy, plain

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping, Sequence
    from pathlib import Path

    from sqlalchemy import URL
    from sqlalchemy.ext.asyncio import AsyncConnection

    from triomino.store.database import NewEvent

CONNECTIONS: Final = 10
"""Of one server at most, beside the one that appends."""

CONNECT_SECONDS: Final = 5.0
"""A database that does not answer by then is called unreachable."""

ANSWER_SECONDS: Final = 10.0
"""For one statement. A database that hangs must not keep everybody waiting for ever."""

MIGRATION_LOCK: Final = 0x7472696F
"""Servers that start together migrate one after another."""

APPEND: Final = (
    "INSERT INTO events (table_id, version, data)"
    " SELECT * FROM unnest($1::varchar[], $2::bigint[], $3::bytea[])"
    " ON CONFLICT DO NOTHING RETURNING table_id, version"
)


READ_NEW: Final = (
    "SELECT new.table_id, new.version, new.data"
    " FROM unnest($1::varchar[], $2::bigint[]) AS known (id, version),"
    " LATERAL (SELECT table_id, version, data FROM events"
    "  WHERE table_id = known.id AND version > known.version ORDER BY version LIMIT 5000) AS new"
    " LIMIT 5000"
)
"""Table by table, each by the index: as a join it may be planned as a scan of the whole log."""


_FAILURES: Final = (
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,  # of a connection that broke while it was used
)


class _Line:
    """A connection without SQLAlchemy, for statements that are run often; one at a time."""

    def __init__(self, url: URL) -> None:
        self._url = url
        self._busy = asyncio.Lock()
        self._connection: asyncpg.Connection | None = None

    async def fetch(self, statement: str, *values: object) -> list[Any]:
        """Run a statement, which is a transaction by itself; connect first if need be."""
        async with self._busy:
            try:
                if self._connection is None or self._connection.is_closed():
                    async with asyncio.timeout(CONNECT_SECONDS):
                        self._connection = await asyncpg.connect(
                            plain(self._url), command_timeout=ANSWER_SECONDS
                        )
                found: list[Any] = await self._connection.fetch(statement, *values)
                return found
            except BaseException as error:
                # Nobody knows how far it came: the next one gets a connection of its own.
                self.close()
                if isinstance(error, _FAILURES):
                    raise StoreError(f"the event log failed: {first_line(error)}") from error
                raise

    def close(self) -> None:
        """Give up the connection at once."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.terminate()


class PostgresDatabase:
    """A database at a URL such as ``postgresql+asyncpg://user@host/name``."""

    file = None
    pause = 0.005

    def __init__(self, where: str) -> None:
        self._url = url = for_sqlalchemy(where)
        self.reader = self.writer = create_async_engine(
            url,
            hide_parameters=True,
            pool_size=CONNECTIONS,
            max_overflow=0,
            pool_recycle=1800,
            connect_args={"timeout": CONNECT_SECONDS, "command_timeout": ANSWER_SECONDS},
        )
        # Moves are written and read often, and all alike.
        self._appending, self._following = _Line(url), _Line(url)

    async def migrating(self, connection: AsyncConnection) -> None:
        """Wait for another server that migrates."""
        await connection.execute(text(f"SELECT pg_advisory_xact_lock({MIGRATION_LOCK})"))

    async def begin_run(self, *, new_run: bool) -> None:
        """Nothing: many servers may run."""

    def check(self) -> None:
        """Nothing is known without asking."""

    @contextlib.asynccontextmanager
    async def exclusive(self) -> AsyncIterator[None]:
        """Nothing: transactions do not wait for each other here."""
        yield

    def in_turn(self) -> contextlib.AbstractAsyncContextManager[None]:
        """Nothing either."""
        return self.exclusive()

    async def insert(self, new: Sequence[NewEvent]) -> set[tuple[str, int]]:
        """Write events by one statement, which is a transaction by itself."""
        columns = [list(column) for column in zip(*new, strict=True)]
        written = await self._appending.fetch(APPEND, *columns)
        return {(table, version) for table, version in written}

    async def read_new(self, known: Mapping[str, int]) -> list[tuple[str, int, bytes]]:
        """Read what is new at many tables by one statement; at most 5,000 events."""
        found = await self._following.fetch(READ_NEW, list(known), list(known.values()))
        return [(table, version, data) for table, version, data in found]

    async def changed_elsewhere(self) -> bool:
        """Other servers write all the time."""
        return True

    def assume_changes(self) -> None:
        """Nothing: they are always assumed."""

    async def probe(self) -> None:
        """Ask for a number of a transaction, which only a database that can be written gives."""
        async with self.writer.begin() as connection:
            await connection.execute(text("SELECT pg_current_xact_id()"))

    async def tend(self, *, was_written: bool) -> None:
        """Nothing: the database looks after itself."""

    async def backup(self, path: Path) -> None:
        """Write a dump in the format of ``pg_restore``, by the program ``pg_dump``."""
        await asyncio.to_thread(dump, self._url, path)

    async def close(self) -> None:
        """Close all connections."""
        self._appending.close()
        self._following.close()
        await self.reader.dispose()
