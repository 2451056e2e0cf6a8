"""What the host of a server does from the command line, while it runs or not.

A change is one more event in the log; a running server notices it within seconds.
"""

from __future__ import annotations

import time
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from triomino.server.events import encode
from triomino.server.table import RefusedError, Table
from triomino.server.telling import summary
from triomino.store.log import EventLog, StoreError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence

    from triomino.protocol.api import TableSummary
    from triomino.rules import Seat
    from triomino.server.events import AnyEvent

TRIES = 50
"""How often to try again when players change the table at the same moment."""


def now() -> int:
    """Milliseconds since 1970."""
    return int(time.time() * 1000)


@asynccontextmanager
async def opened(data: str) -> AsyncIterator[EventLog]:
    """The log of a server that has run; refuses a database that is not there."""
    if "://" not in data and not Path(data).is_file():
        raise StoreError(f"there is no database {data}; name the server's own with --data")
    events = await EventLog.open(data)
    try:
        yield events
    finally:
        await events.close()


async def list_tables(
    events: EventLog, states: Sequence[str], most: int
) -> list[tuple[TableSummary, int]]:
    """The tables in some states with their versions, the latest first."""
    found = []
    for row in await events.rows(states=states, most=most):
        with suppress(RefusedError):  # damaged, or deleted in this moment
            table = await _load(events, row.id)
            found.append((summary(table), table.version))
    return found


async def close_table(events: EventLog, table_id: str) -> Table:
    """Close a table for good; nobody can play on at it."""
    return await _change(events, table_id, lambda table: table.close("by the host", now()))


async def rename(events: EventLog, table_id: str, seat: Seat, name: str) -> Table:
    """Give whoever sits at a seat another name."""
    return await _change(events, table_id, lambda table: table.rename(seat, name, now()))


async def _load(events: EventLog, table_id: str) -> Table:
    data = await events.read(table_id)
    if not data:
        raise RefusedError("no_table", f"there is no table {table_id!r}; see triomino host tables")
    return Table.read(table_id, data)


async def _change(events: EventLog, table_id: str, command: Callable[[Table], AnyEvent]) -> Table:
    for _ in range(TRIES):
        table = await _load(events, table_id)
        event = command(table)
        if await events.append(table_id, table.version + 1, encode(event)):
            table.apply(event)
            await events.note(table_id, table.state, event.at)
            return table
    raise StoreError(f"table {table_id} changes all the time; try again")
