"""Tables in memory: a cache of what the event log says, with the clients that are connected."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections import Counter, OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol
from weakref import WeakValueDictionary

from triomino.server.replay import DamagedError, Replay
from triomino.server.slices import Slices
from triomino.server.snapshot import EncodedTurns
from triomino.server.table import RefusedError, Table
from triomino.server.turn_clock import TurnClock
from triomino.store.failure import StoreError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Container, Iterable, Iterator, Sequence

    from triomino.rules import Seat
    from triomino.server.budgets import Bucket
    from triomino.store.log import EventLog

log = logging.getLogger("triomino.server")

EVENTS_PER_TABLE = 250
"""What a table in memory may have on average; a match to 400 points has about as many."""

FEW = 5
"""Events that are applied at once when another server has written them."""

LOADING_AT_ONCE = 8
"""Tables that are read from the log at the same time."""


class Listener(Protocol):
    """A client's end of a socket."""

    device: str | None

    def tell(self, message: bytes) -> None:
        """Queue a message to be sent. Never blocks."""
        ...  # pragma: no cover


class Listeners:
    """The clients at a table: a set that also knows how many have the same device."""

    def __init__(self) -> None:
        self._device_of: dict[Listener, str | None] = {}
        self.devices: Counter[str | None] = Counter()
        """How many clients each device has here."""

    def __len__(self) -> int:
        return len(self._device_of)

    def __iter__(self) -> Iterator[Listener]:
        return iter(self._device_of)

    def add(self, listener: Listener) -> None:
        """Add a client, as the device that it is now."""
        if listener not in self._device_of:
            self._device_of[listener] = listener.device
            self.devices[listener.device] += 1

    def discard(self, listener: Listener) -> None:
        """Remove a client, if it is there."""
        if listener in self._device_of:
            device = self._device_of.pop(listener)
            self.devices[device] -= 1
            if not self.devices[device]:
                del self.devices[device]

    def clear(self) -> None:
        """Remove all."""
        self._device_of.clear()
        self.devices.clear()


@dataclass(slots=True, eq=False)
class OpenTable:
    """A table in memory with its listeners, its lock and what is scheduled for it."""

    table: Table
    address: str = ""
    """Who set it up, as a digest."""
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held while the table changes."""
    listeners: Listeners = field(default_factory=Listeners)
    encoded: EncodedTurns = field(default_factory=EncodedTurns)
    is_open: bool = True
    """``False`` once it is no longer in memory."""
    timer: asyncio.TimerHandle | None = None
    """Fires at the next deadline."""
    clock: TurnClock = field(default_factory=TurnClock)
    bot_task: asyncio.Task[None] | None = None
    bot_ply: int = -1
    """The last position in which a bot was to move."""
    bot_due: float = 0.0
    """When that began, in seconds of a clock that cannot be set."""
    told_presence: tuple[list[Seat], int] | None = None
    """Who everybody was last told is connected, and how many watch."""
    presence_timer: asyncio.TimerHandle | None = None
    """Runs while presence is not told again."""
    reactions: Bucket | None = None
    """What is left for reactions here."""
    deal_at: float | None = None
    """When to deal without the missing seeds, by the clock of the event loop."""
    elsewhere: dict[str, dict[str | None, int]] = field(default_factory=dict)
    """How many clients of each device other servers have here."""
    away_since: dict[Seat, int] = field(default_factory=dict)
    """Since when a person has been away, in milliseconds of *clock*; see `update_absence`."""
    announced: int = 0
    """The newest version that this server has heard of."""

    @property
    def is_idle(self) -> bool:
        """Whether nobody is connected and nothing is under way, so that it can be dropped."""
        busy = self.listeners or self.lock.locked() or self.timer is not None
        return not busy and self.bot_task is None

    @property
    def is_behind(self) -> bool:
        """Whether other servers have written what was not read yet."""
        return self.announced > self.table.version

    @property
    def is_followed(self) -> bool:
        """Whether somebody is connected, here or at another server."""
        return bool(self.listeners or self.elsewhere)

    @property
    def devices(self) -> Counter[str | None]:
        """How many clients each device has, here and at other servers."""
        devices = self.listeners.devices
        if self.elsewhere:
            devices = sum((Counter(one) for one in self.elsewhere.values()), devices.copy())
        return devices

    @property
    def here(self) -> set[Seat]:
        """The seats whose person is connected."""
        return {seat for seat in range(len(self.table.chairs)) if self.is_here(seat)}

    def is_here(self, seat: Seat) -> bool:
        """Whether the person of a seat is connected, here or at another server."""
        owners = self.table.chairs[seat].owners
        if not owners.isdisjoint(self.listeners.devices):
            return True  # found without a generator: this is asked for every move
        return any(not owners.isdisjoint(devices) for devices in self.elsewhere.values())

    def update_absence(self) -> None:
        """Note who is away, and since when; after a restart that is since the restart.

        To be called when somebody comes, goes, or takes a seat.
        """
        now, here = self.clock.now(), self.here
        self.away_since = {
            seat: self.away_since.get(seat, now)
            for seat, chair in enumerate(self.table.chairs)
            if chair.owners and seat not in here
        }

    @property
    def absence(self) -> dict[Seat, int]:
        """How many milliseconds each person who is not connected has been away."""
        self.update_absence()
        now = self.clock.now()
        return {seat: now - since for seat, since in self.away_since.items()}

    @property
    def spectators(self) -> int:
        """How many clients watch without a seat."""
        owners = {owner for chair in self.table.chairs for owner in chair.owners}
        devices = self.devices
        return devices.total() - sum(devices[one] for one in owners if one in devices)


class OpenTables:
    """The tables in memory, the least recently used first."""

    def __init__(
        self,
        events: EventLog,
        most: int,
        on_open: Callable[[OpenTable], None] = lambda _: None,
        steady: Callable[[], float] = time.monotonic,
    ) -> None:
        self._events, self._most, self._on_open, self._steady = events, most, on_open, steady
        self.catch_up: Callable[[OpenTable], Awaitable[None]] | None = None
        """Reads what is new at a table that is behind, before anybody gets it."""
        self._tables: OrderedDict[str, OpenTable] = OrderedDict()
        self.lobby_number = 0
        """Grows whenever the lobby may have changed."""
        self._loading: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._loaders = asyncio.Semaphore(LOADING_AT_ONCE)
        self.slices = Slices()
        self.damaged: dict[str, DamagedError] = {}
        """The tables that are set aside because their log cannot be read."""
        self.former: Container[str] = frozenset()
        """The devices of deleted profiles, whose names are not shown."""
        self._look_again: set[str] = set()  # of those, the ones that somebody may have mended

    def __len__(self) -> int:
        return len(self._tables)

    def __iter__(self) -> Iterator[OpenTable]:
        return iter(list(self._tables.values()))

    def __contains__(self, table_id: str) -> bool:
        return table_id in self._tables

    def __getitem__(self, table_id: str) -> OpenTable:
        return self._tables[table_id]

    # --- Finding and loading ---------------------------------------------------------------------

    async def open(self, table_id: str, least: int = 0) -> OpenTable:
        """A table from memory, or else from the log; raise ``DamagedError`` if that is damaged.

        It is read on if it is known to be at *least* at a version that this server has not seen.
        """
        opened = self._tables.get(table_id)
        if opened is not None:
            opened.announced = max(opened.announced, least)
            if opened.is_behind and self.catch_up is not None:
                await self.catch_up(opened)
                opened = self._tables.get(table_id)
        if opened is None:
            lock = self._loading.setdefault(table_id, asyncio.Lock())
            async with lock:
                opened = self._tables.get(table_id) or await self._open(table_id)
        self._tables.move_to_end(table_id)
        return opened

    async def _open(self, table_id: str) -> OpenTable:
        if table_id in self.damaged and table_id not in self._look_again:
            raise self.damaged[table_id]
        async with self._loaders:
            table = await self._load(table_id)
        address = ""
        with contextlib.suppress(StoreError):  # the next one who opens it tries again
            address = await self._repair_row(table)
        # Another task may have loaded it meanwhile; a table is in memory once.
        return self._tables.get(table_id) or self.add(table, address)

    async def _load(self, table_id: str, table: Table | None = None) -> Table:
        """Read a table, or what is new at one, in pieces."""
        replay = Replay(table_id, table)
        try:
            async for page in self._events.pages(table_id, table.version if table else 0):
                await self.slices.run(replay.steps(page))
        except DamagedError as error:
            self._set_aside(error)
            raise
        if replay.table is None:
            raise RefusedError("no_table", f"there is no table {table_id!r}")
        self.damaged.pop(table_id, None)
        replay.table.forget_names(self.former)
        return replay.table

    def _set_aside(self, error: DamagedError) -> None:
        """Remember a damaged table, and name it in the log once."""
        self._look_again.discard(error.table)
        if error.table not in self.damaged:
            # A version can be anything that was found in the database.
            facts = {"table": error.table, "event": repr(error.version)[:40], "why": error.why}
            log.error("a table is damaged and set aside", extra={"facts": facts})
        self.damaged[error.table] = error

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

    async def repair_rows(self, ids: Iterable[str]) -> None:
        """Mend the rows of tables in memory that are over, and which their rows call running.

        A server that was killed has left them so; loading a table mends its row anyway.
        """
        for table_id in ids:
            opened = self._tables.get(table_id)
            if opened is not None and opened.table.state not in ("opening", "playing"):
                await self._repair_row(opened.table)

    async def lobby(self, most: int = 50) -> list[Table]:
        """The listed tables with a free seat, newest first.

        If there are more than *most*, every address has its share.
        """
        found = []
        for row in await self._events.lobby(most):
            with contextlib.suppress(RefusedError):  # damaged, or deleted a moment ago
                table = (await self.open(row.id)).table
                if table.is_listed:
                    found.append(table)
        return found

    async def with_running_clocks(self) -> list[str]:
        """The ids of all tables with a running clock, the latest first.

        First come those that wait for seeds: they are dealt without the missing ones in time.
        """
        rows = await self._events.rows(states=["opening"], most=100_000)
        rows += await self._events.rows(states=["playing"], clock=True, most=100_000)
        return [row.id for row in rows]

    # --- Keeping and dropping --------------------------------------------------------------------

    def add(self, table: Table, address: str = "") -> OpenTable:
        """Keep a table in memory, and make room for it if there are too many or too long ones."""
        room = self._most * EVENTS_PER_TABLE - table.version
        events = sum(one.table.version for one in self._tables.values())
        for old in self if len(self._tables) >= self._most or events > room else ():
            if old.is_idle:
                events -= old.table.version
                self.drop(old)
            if len(self._tables) < self._most and events <= room:
                break
        table.forget_names(self.former)
        clock = TurnClock(self._steady)
        opened = self._tables[table.id] = OpenTable(table, address, clock=clock)
        self._on_open(opened)
        return opened

    def drop(self, opened: OpenTable) -> None:
        """Remove a table from memory."""
        opened.is_open = False
        if self._tables.get(opened.table.id) is opened:
            del self._tables[opened.table.id]

    def drop_if_idle(self, table_id: str) -> bool:
        """Remove a table from memory unless it is in use; return whether it may be deleted.

        Not a damaged one: somebody has to look at it first.
        """
        opened = self._tables.get(table_id)
        if opened is None:
            return table_id not in self.damaged
        if opened.is_idle:
            self.drop(opened)
        return not opened.is_open

    # --- Following the log -----------------------------------------------------------------------

    async def outdated(self) -> list[OpenTable]:
        """The tables whose log has grown elsewhere or is gone."""
        if not await self._events.changed_elsewhere():
            return []
        self._look_again.update(self.damaged)
        opened = list(self)
        try:
            versions = await self._events.versions([one.table.id for one in opened])
        except StoreError:
            self._events.assume_changes()
            raise
        for one in opened:
            one.announced = max(one.announced, versions.get(one.table.id, 0))
        return [one for one in opened if one.is_behind or one.table.id not in versions]

    async def is_current(self, opened: OpenTable) -> bool:
        """Whether a table is at the newest version in the log."""
        versions = await self._events.versions([opened.table.id])
        return versions.get(opened.table.id) == opened.table.version

    async def extend(self, opened: OpenTable, page: Sequence[tuple[int, bytes]]) -> None:
        """Apply events that follow what a table knows; if they are damaged, drop it and raise."""
        replay = Replay(opened.table.id, opened.table)
        try:
            if len(page) <= FEW:
                for _ in replay.steps(page):
                    pass
            else:
                await self.slices.run(replay.steps(page))
        except DamagedError as error:
            self._set_aside(error)
            self.drop(opened)
            raise
        opened.table.forget_names(self.former)

    async def reload(self, opened: OpenTable) -> None:
        """Read what is new at a table; if it is gone or damaged, drop it and raise."""
        try:
            if not await self._events.versions([opened.table.id]):
                raise RefusedError("no_table", f"there is no table {opened.table.id!r}")
            await self._load(opened.table.id, opened.table)
        except RefusedError:
            self.drop(opened)
            raise
