"""Copying a database into another one, of the same kind or not: SQLite to PostgreSQL and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import func, select, tuple_

from triomino.store.failure import StoreError
from triomino.store.schema import metadata

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from sqlalchemy import Table
    from sqlalchemy.ext.asyncio import AsyncConnection

    from triomino.store.log import EventLog

ROWS: Final = 500
"""Rows that are copied at a time."""


async def copy_database(
    source: EventLog, target: EventLog, progress: Callable[[int, int], None] = lambda *_: None
) -> int:
    """Copy everything into an empty database, all of it or nothing; return how many rows.

    No server may run on either: what is written meanwhile is not copied. *progress* is told how
    many rows are copied, and how many there are.
    """
    async with source.reading() as old, target.writing() as new:
        for table in metadata.sorted_tables:
            if await new.scalar(select(func.count()).select_from(table)):
                raise StoreError("there is something in it already; name an empty database")
        counts = [
            int(await old.scalar(select(func.count()).select_from(table)) or 0)
            for table in metadata.sorted_tables
        ]
        done, total = 0, sum(counts)
        for table in metadata.sorted_tables:
            async for rows in _pages(old, table):
                await new.execute(table.insert(), rows)
                done += len(rows)
                progress(done, total)
        if done != total:
            raise StoreError("the database changes while it is copied; stop its server first")
    return done


async def _pages(connection: AsyncConnection, table: Table) -> AsyncIterator[list[dict[str, Any]]]:
    """All rows in the order of their key, some at a time."""
    key = list(table.primary_key.columns)
    query = select(table).order_by(*key).limit(ROWS)
    last: list[Any] | None = None
    while True:
        page = query if last is None else query.where(tuple_(*key) > tuple_(*last))
        rows = [dict(row._mapping) for row in await connection.execute(page)]
        if rows:
            yield rows
            last = [rows[-1][column.name] for column in key]
        if len(rows) < ROWS:
            return
