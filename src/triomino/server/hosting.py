"""What the host of a server can do from the command line, while it runs or not.

A change is one more event in the log; a running server notices it within seconds.
"""

from __future__ import annotations

import time
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from triomino.server.events import encode
from triomino.server.replay import DamagedError, Replay
from triomino.server.snapshot import summary
from triomino.server.table import RefusedError, Table
from triomino.store.failure import StoreError
from triomino.store.log import EventLog
from triomino.store.people import PeopleStore

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence

    from triomino.protocol.api import TableSummary
    from triomino.rules import Seat
    from triomino.server.events import AnyEvent
    from triomino.server.table import Change

TRIES = 50
"""How often to try again if players change the table at the same moment."""


def now() -> int:
    """Milliseconds since 1970."""
    return int(time.time() * 1000)


@asynccontextmanager
async def opened(data: str) -> AsyncIterator[EventLog]:
    """Open the log of an existing database; raise if there is none."""
    if "://" not in data and not Path(data).is_file():
        raise StoreError(f"there is no database {data}; name the server's own with --data")
    events = await EventLog.open(data)
    try:
        yield events
    finally:
        await events.close()


async def list_tables(
    events: EventLog, states: Sequence[str], most: int
) -> tuple[list[tuple[TableSummary, int]], list[DamagedError]]:
    """The tables in some states with their versions, the last changed first; and damaged ones."""
    found, damaged = [], []
    former = await PeopleStore(events, now).former_devices()
    for row in await events.rows(states=states, most=most):
        try:
            table = await _load(events, row.id)
        except DamagedError as error:
            damaged.append(error)
        except RefusedError:
            pass  # deleted a moment ago
        else:
            table.forget_names(former)
            found.append((summary(table), table.version))
    return found, damaged


async def close_table(events: EventLog, table_id: str) -> Table:
    """Close a table for good, so that nobody can go on playing."""
    return await _change(events, table_id, lambda table: table.close("by the host", now()))


async def rename(events: EventLog, table_id: str, seat: Seat, name: str) -> Table:
    """Change the name of the person or bot at a seat."""
    return await _change(events, table_id, lambda table: table.rename(seat, name, now()))


async def _load(events: EventLog, table_id: str) -> Table:
    replay = Replay(table_id)
    async for page in events.pages(table_id):
        for _ in replay.steps(page):
            pass
    if replay.table is None:
        raise RefusedError("no_table", f"there is no table {table_id!r}; see triomino host tables")
    return replay.table


async def _change(
    events: EventLog, table_id: str, command: Callable[[Table], Change[AnyEvent]]
) -> Table:
    for _ in range(TRIES):
        table = await _load(events, table_id)
        change = command(table)
        if await events.append(table_id, table.version + 1, encode(change.event)):
            table.apply(change)
            await events.update_row(table_id, table.state, change.event.at)
            return table
    raise StoreError(f"table {table_id} changes all the time; try again")
