"""Tables in memory: a cache of what the event log says, with the clients that are connected."""

from __future__ import annotations

import asyncio
import contextlib
import math
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from triomino.server.snapshot import EncodedTurns
from triomino.server.table import RefusedError, Table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from triomino.rules import Seat
    from triomino.store.log import EventLog


class Listener(Protocol):
    """A client's end of a socket."""

    device: str | None

    def tell(self, message: bytes) -> None:
        """Queue a message to be sent. Never blocks."""
        ...  # pragma: no cover


@dataclass(slots=True, eq=False)
class OpenTable:
    """A table in memory with its listeners, its lock and what is scheduled for it."""

    table: Table
    address: str = ""
    """Who set it up, as a digest."""
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held while the table changes."""
    listeners: set[Listener] = field(default_factory=set)
    encoded: EncodedTurns = field(default_factory=EncodedTurns)
    is_open: bool = True
    """``False`` once it is no longer in memory."""
    timer: asyncio.TimerHandle | None = None
    """Fires at the next deadline."""
    bot_task: asyncio.Task[None] | None = None
    away_since: dict[Seat, int] = field(default_factory=dict)
    """Since when a person has been away, in milliseconds since 1970."""

    @property
    def is_idle(self) -> bool:
        """Whether nobody is connected and nothing is under way, so that it can be dropped."""
        busy = self.listeners or self.lock.locked() or self.timer is not None
        return not busy and self.bot_task is None

    @property
    def here(self) -> set[Seat]:
        """The seats whose person is connected."""
        return {seat for one in self.listeners for seat in self.table.seats_of(one.device)}

    @property
    def spectators(self) -> int:
        """How many clients watch without a seat."""
        return sum(not self.table.seats_of(one.device) for one in self.listeners)


class OpenTables:
    """The tables in memory, the least recently used first."""

    def __init__(
        self, events: EventLog, most: int, on_open: Callable[[OpenTable], None] = lambda _: None
    ) -> None:
        self._events, self._most, self._on_open = events, most, on_open
        self._tables: OrderedDict[str, OpenTable] = OrderedDict()
        self._loading: dict[str, asyncio.Lock] = {}

    def __len__(self) -> int:
        return len(self._tables)

    def __iter__(self) -> Iterator[OpenTable]:
        return iter(list(self._tables.values()))

    def __contains__(self, table_id: str) -> bool:
        return table_id in self._tables

    def __getitem__(self, table_id: str) -> OpenTable:
        return self._tables[table_id]

    # --- Finding and loading ---------------------------------------------------------------------

    async def open(self, table_id: str) -> OpenTable:
        """A table from memory, or else from the log."""
        opened = self._tables.get(table_id)
        if opened is None:
            lock = self._loading.setdefault(table_id, asyncio.Lock())
            try:
                async with lock:
                    opened = self._tables.get(table_id) or await self._open(table_id)
            finally:
                self._loading.pop(table_id, None)
        self._tables.move_to_end(table_id)
        return opened

    async def _open(self, table_id: str) -> OpenTable:
        table = await self._load(table_id)
        address = await self._repair_row(table)
        # Another task may have loaded it meanwhile; a table is in memory once.
        return self._tables.get(table_id) or self.add(table, address)

    async def _load(self, table_id: str) -> Table:
        data = await self._events.read(table_id)
        if not data:
            raise RefusedError("no_table", f"there is no table {table_id!r}")
        return Table.read(table_id, data)

    async def _repair_row(self, table: Table) -> str:
        """Bring the row in line with the events: it is written after them, or not at a crash.

        Return the address that set the table up.
        """
        row = await self._events.row(table.id)
        if row is None:
            return ""
        if (row.state, row.listed) != (table.state, table.is_listed):
            await self._events.update_row(table.id, table.state, row.updated, table.is_listed)
        return row.address

    async def lobby(self, most: int = 50) -> list[Table]:
        """The listed tables with a free seat, newest first.

        If there are more than *most*, every address has its share.
        """
        found = []
        for row in await self._events.lobby(most):
            with contextlib.suppress(RefusedError):  # deleted a moment ago
                table = (await self.open(row.id)).table
                if table.is_listed:
                    found.append(table)
        return found

    async def with_running_clocks(self) -> list[str]:
        """The ids of all tables with a running clock, the latest first."""
        rows = await self._events.rows(states=["playing"], clock=True, most=100_000)
        return [row.id for row in rows]

    # --- Keeping and dropping --------------------------------------------------------------------

    def add(self, table: Table, address: str = "") -> OpenTable:
        """Keep a table in memory, and make room for it if there are too many."""
        if len(self._tables) >= self._most:
            for old in self:
                if old.is_idle:
                    self.drop(old)
                if len(self._tables) < self._most:
                    break
        opened = self._tables[table.id] = OpenTable(table, address)
        self._on_open(opened)
        return opened

    def drop(self, opened: OpenTable) -> None:
        """Remove a table from memory."""
        opened.is_open = False
        if self._tables.get(opened.table.id) is opened:
            del self._tables[opened.table.id]

    def drop_if_idle(self, table_id: str) -> bool:
        """Remove a table from memory unless it is in use; return whether it is gone."""
        opened = self._tables.get(table_id)
        if opened is None:
            return True
        if opened.is_idle:
            self.drop(opened)
        return not opened.is_open

    # --- Following the log -----------------------------------------------------------------------

    async def outdated(self) -> list[OpenTable]:
        """The tables whose log has grown elsewhere or is gone."""
        if not await self._events.changed_elsewhere():
            return []
        opened = list(self)
        versions = await self._events.versions([one.table.id for one in opened])
        return [one for one in opened if one.table.version < versions.get(one.table.id, math.inf)]

    async def is_current(self, opened: OpenTable) -> bool:
        """Whether a table is at the newest version in the log."""
        versions = await self._events.versions([opened.table.id])
        return versions.get(opened.table.id) == opened.table.version

    async def reload(self, opened: OpenTable) -> None:
        """Read a table from the log again; if that fails, drop it and raise."""
        try:
            opened.table = await self._load(opened.table.id)
        except RefusedError:
            self.drop(opened)
            raise
