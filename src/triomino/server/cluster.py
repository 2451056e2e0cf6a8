"""A server among others on the same log: it follows what they do, and shares the work with them.

Any client may be connected to any server. The truth about a table is its log; what servers tell
each other over the bus only makes them look there at once instead of within a second.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Final, Protocol

from triomino.server import broadcast
from triomino.server.bus import (
    Bus,
    ClubGrown,
    Grown,
    Here,
    InUse,
    Notice,
    PeopleChanged,
    QueueChanged,
    Reacted,
    SheetGrown,
    Spent,
    Which,
    Who,
    check_cancelled,
    is_of_bus,
)
from triomino.server.leases import Leases
from triomino.server.logs import log
from triomino.server.table import RefusedError
from triomino.store.failure import StoreError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Coroutine

    from triomino.rules import Seat
    from triomino.server.budgets import Buckets
    from triomino.server.config import Config
    from triomino.server.open_tables import OpenTable, OpenTables
    from triomino.server.scheduler import Scheduler
    from triomino.server.troubles import Troubles

LOOK_SECONDS_ALONE: Final = 1.0
"""While the bus is gone, how often to look for changes that nobody can announce."""

ANSWER_SECONDS: Final = 2.0
"""For all servers to say which tables are in use."""

READ_SECONDS: Final = 0.002
"""Between two readings of what was announced: several servers announce at about the same time."""

AGAIN_SECONDS: Final = 1.0
"""Until a part that has failed is begun again."""

QUEUE_LEASE: Final = "queue"
"""Of the server that brings people together who want to play now."""

SWEEP_SECONDS: Final = 2.0
"""Between two looks for tables whose clock runs and which no server has."""


class FollowTable(Protocol):
    """Read what is new at tables in memory, and tell it."""

    async def __call__(self, tables: Collection[str]) -> None:
        """Raise ``RefusedError`` if one is damaged."""
        ...  # pragma: no cover


class Cluster:
    """The other servers, as seen from this one; without a bus there are none."""

    def __init__(
        self,
        config: Config,
        tables: OpenTables,
        scheduler: Scheduler,
        troubles: Troubles,
        follow: FollowTable,
    ) -> None:
        self._config, self._tables, self._scheduler = config, tables, scheduler
        self._troubles, self._follow = troubles, follow
        self.bus: Bus | None = None
        if config.bus is not None:
            self.bus = Bus(config.bus, self._receive, on_up=self._meet, on_gone=self._forget)
        self.leases = Leases(self.bus, self._gained)
        self._behind: set[str] = set()  # tables of which something new was announced
        self._news = asyncio.Event()
        self._used: set[str] = set()  # tables in use elsewhere, when last asked
        self.on_people: Callable[[], None] = lambda: None
        self.on_sheet: Callable[[str], None] = lambda _: None
        """Called with the id of a live sheet that was written on at another server."""
        self.on_club: Callable[[str], None] = lambda _: None
        """Called with the id of a club evening at which something happened at another server."""
        self.on_queue: Callable[[], None] = lambda: None
        """Called when somebody has come to the queue, or got a table, at another server, and when
        this one has to look after it from now on."""
        self.budgets: dict[str, Buckets] = {}
        """The budgets that all servers share, by name."""

    @property
    def look_seconds(self) -> float:
        """How long to wait until the log is looked at for changes that were not announced.

        There are such while all seems well: those of the host, and those of a server that is cut
        off from the bus only.
        """
        most = self._config.look_seconds
        return min(most, LOOK_SECONDS_ALONE) if self.is_cut_off else most

    @property
    def is_cut_off(self) -> bool:
        """Whether there should be a bus and is none."""
        return self.bus is not None and not self.bus.is_up

    def gauges(self) -> dict[str, float]:
        """For ``/metrics``; nothing without a bus."""
        bus = self.bus
        if bus is None:
            return {}
        return {
            "bus_up": float(bus.is_up),
            "bus_peers": len(bus.peers),
            "bus_failures": bus.failures,
            "bus_notices_sent": bus.sent,
            "bus_notices_received": bus.received,
            "bus_bytes_sent": bus.bytes_sent,
            "leases_held": self.leases.held,
        }

    # --- Telling ---------------------------------------------------------------------------------

    def announce(self, opened: OpenTable) -> None:
        """Tell the others that a table has grown."""
        if self.bus is not None:
            self.bus.tell(Grown(opened.table.id, opened.table.version))

    def announce_reaction(self, opened: OpenTable, seat: Seat | None, sign: str) -> None:
        """Tell the others a reaction."""
        if self.bus is not None:
            self.bus.tell(Reacted(opened.table.id, seat, sign))

    def announce_sheet(self, pad: str) -> None:
        """Tell the others that something was written on a live sheet."""
        if self.bus is not None:
            self.bus.tell(SheetGrown(pad))

    def announce_club(self, club: str) -> None:
        """Tell the others that something happened at a club evening."""
        if self.bus is not None:
            self.bus.tell(ClubGrown(club))

    def announce_queue(self) -> None:
        """Tell the others to look at the queue."""
        if self.bus is not None:
            self.bus.tell(QueueChanged())

    def announce_people(self) -> None:
        """Tell the others that somebody is refused from now on, or has another name."""
        if self.bus is not None:
            self.bus.tell(PeopleChanged())

    def announce_presence(self, opened: OpenTable) -> None:
        """Tell the others who is connected here."""
        if self.bus is not None:
            self.bus.tell(Here(opened.table.id, list(opened.listeners.devices.items())))

    def opened(self, opened: OpenTable) -> None:
        """A table has come into memory: ask who is there elsewhere."""
        if self.bus is not None:
            self.bus.tell(Who([opened.table.id]))

    async def used_elsewhere(self) -> set[str]:
        """The tables that are in use at other servers; asks all of them, and waits a little."""
        self._used = set()
        if self.bus is not None:
            self.bus.tell(Which())
            await asyncio.sleep(ANSWER_SECONDS)
        return self._used

    # --- Listening -------------------------------------------------------------------------------

    def _receive(self, node: str, notice: Notice) -> None:
        match notice:
            case Grown():
                self._catch_up(notice.table, notice.version)
            case Here() if notice.table in self._tables:
                self._note_presence(self._tables[notice.table], node, dict(notice.devices))
            case Reacted() if notice.table in self._tables:
                broadcast.tell_reaction(self._tables[notice.table], notice.seat, notice.sign)
            case SheetGrown():
                self.on_sheet(notice.pad)
            case ClubGrown():
                self.on_club(notice.club)
            case QueueChanged():
                self.on_queue()
            case PeopleChanged():
                self.on_people()
            case Spent():
                self._note_spending(notice)
            case InUse():
                self._used.update(notice.tables)
            case Who() | Which():
                self._answer(notice)
            case _:
                pass

    def _answer(self, asked: Who | Which) -> None:
        """Say who is at some tables, or which tables are in use here."""
        if isinstance(asked, Which):
            used = [opened.table.id for opened in self._tables if not opened.is_idle]
            if self.bus is not None:
                self.bus.tell(InUse(used))
            return
        for table in asked.tables:
            if table in self._tables and self._tables[table].listeners:
                self.announce_presence(self._tables[table])

    def _catch_up(self, table: str, version: int) -> None:
        if table in self._tables:
            opened = self._tables[table]
            opened.announced = max(opened.announced, version)
            self.follow(opened)

    def follow(self, opened: OpenTable) -> None:
        """Read soon what is new at a table, if there is anything and it matters here."""
        if opened.is_behind and self.matters(opened):
            self._behind.add(opened.table.id)
            self._news.set()

    def matters(self, opened: OpenTable) -> bool:
        """Whether somebody here has to be told at once what happens at a table, or has to act.

        If not, it is read when somebody asks for it: most servers that a table was opened at are
        not those where it is played.
        """
        table = opened.table
        plays_alone = table.state == "playing" and table.options.clock_seconds is None
        return bool(opened.listeners) or not plays_alone or self.leases.wants(table.id)

    async def _read(self) -> None:
        """Read what is announced, for ever; what comes together is read together."""
        while True:
            await self._news.wait()
            self._news.clear()
            behind, self._behind = self._behind, set()
            try:
                await self._follow(behind)
            except RefusedError:
                pass  # gone, or damaged and set aside
            except StoreError as error:  # the next look at the log finds it
                self._troubles.log_failure(error)
            await asyncio.sleep(READ_SECONDS)

    def _note_presence(self, opened: OpenTable, node: str, devices: dict[str | None, int]) -> None:
        if devices:
            opened.elsewhere[node] = devices
        else:
            opened.elsewhere.pop(node, None)
        self._presence_changed(opened)

    def _presence_changed(self, opened: OpenTable) -> None:
        opened.update_absence()
        broadcast.presence_changed(opened, self._config.presence_seconds)
        self._scheduler.schedule(opened)

    def _meet(self) -> None:
        """The bus is here: say who is connected, and ask for the others."""
        for opened in self._tables:
            if opened.listeners:
                self.announce_presence(opened)
        if self.bus is not None:
            self.bus.tell(Who([opened.table.id for opened in self._tables]))

    def _forget(self, node: str) -> None:
        """A server is gone; who was connected to it will come back elsewhere."""
        for opened in self._tables:
            if opened.elsewhere.pop(node, None) is not None:
                self._presence_changed(opened)

    def _gained(self, name: str) -> None:
        if name == QUEUE_LEASE:
            self.on_queue()
        elif name in self._tables:
            self._scheduler.schedule(self._tables[name])

    # --- Budgets ---------------------------------------------------------------------------------

    def _note_spending(self, notice: Spent) -> None:
        buckets = self.budgets.get(notice.budget)
        if buckets is not None:
            for network, cost in notice.costs.items():
                buckets.charge_elsewhere(network, cost)

    async def _share_spending(self) -> None:
        """Tell every second what was spent here."""
        while True:
            await asyncio.sleep(1.0)
            for name, buckets in self.budgets.items():
                costs = buckets.collect_spent()
                if costs and self.bus is not None:
                    self.bus.tell(Spent(name, costs))

    # --- Running ---------------------------------------------------------------------------------

    async def run(self) -> None:
        """Take part, for ever."""
        if self.bus is None:
            return
        async with asyncio.TaskGroup() as tasks:
            for part in (
                self.bus.run,
                self.leases.run,
                self._read,
                self._share_spending,
                self._adopt_clocks,
            ):
                tasks.create_task(self._keep_running(part))

    async def _keep_running(self, part: Callable[[], Coroutine[None, None, None]]) -> None:
        """Run a part for ever; one that fails in a way that nobody thought of is begun again."""
        while True:
            check_cancelled()
            try:
                await part()
            except Exception:  # noqa: BLE001 - a server that is deaf does not know it
                log.exception("a part of the cluster failed")
            await asyncio.sleep(AGAIN_SECONDS)

    async def _adopt_clocks(self) -> None:
        """Open the tables whose clock runs and which no server has, because theirs has died."""
        while True:
            check_cancelled()
            await asyncio.sleep(SWEEP_SECONDS)
            if not self.leases.holds("clocks"):
                continue
            try:
                running = await self._tables.with_running_clocks()
                await self._tables.repair_rows(running)
                missing = [table for table in running if table not in self._tables]
                for table in await self.leases.free(missing):
                    with contextlib.suppress(RefusedError):
                        await self._tables.open(table)
            except StoreError as error:
                self._troubles.log_failure(error)
            except Exception as error:
                if not is_of_bus(error):
                    raise

    async def close(self) -> None:
        """Leave: release the leases, and tell the others."""
        await self.leases.close()
        if self.bus is not None:
            await self.bus.close()
