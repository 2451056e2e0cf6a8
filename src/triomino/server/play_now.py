"""Play now: people who wait are brought together, wherever they are connected.

The queue is in the database, one place for each person; see :mod:`triomino.store.waiting`. One
server, the one with the lease of it, makes tables of those who wait. A place is kept alive by its
sockets. If two servers believe that they hold the lease nobody gets two seats: people are given a
table all together, in one transaction, or not at all.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import defaultdict
from random import SystemRandom
from typing import TYPE_CHECKING, Final, Protocol

import msgspec

from triomino.bots import why_not_bot
from triomino.protocol.api import SeatPlan, TableOptions
from triomino.protocol.play_now import QueueLeft, QueueState, QueueTable
from triomino.ratings import Place, Rating, Seeker, may_join, pair_up, with_bots
from triomino.rules import EDITIONS
from triomino.server.cluster import QUEUE_LEASE
from triomino.server.leases import SHORT_SECONDS
from triomino.server.names import told_apart
from triomino.server.table import RefusedError
from triomino.store.failure import StoreError
from triomino.store.waiting import WaitingRow, WaitingStore

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Coroutine, Mapping, Sequence

    from triomino.protocol.play_now import JoinQueue, QueueNews
    from triomino.server.events import Closed
    from triomino.server.hub import Hub
    from triomino.server.rated import RatedMatches
    from triomino.server.table import Change, Table

TICK: Final = 0.5
"""Seconds between two looks at the queue while somebody waits."""

LOOK: Final = 3.0
"""Seconds between two looks while nobody does, but matches are played."""

GATHER: Final = 0.05
"""Seconds for those who come together to be taken together."""

SEEN: Final = 2.0
"""Seconds after which the database is told again who is connected."""

GRACE: Final = 6000
"""Milliseconds without a connection after which nobody is given a table."""

RELOAD: Final = 2500
"""Milliseconds that are left of it when a page is closed: it may be loaded again."""

KEEP: Final = 60_000
"""Milliseconds without a connection after which a place is lost, as after a restart."""

COMMITS: Final = 3.0
"""Seconds for devices that are there to commit to a seed, before the match begins without."""

FACE: Final = "tile0"
"""Of a profile that is made for somebody who has none."""

LEVELS: Final = ("medium", "easy")
"""Who plays with people that do not want to wait; the first that can."""


class Waiter(Protocol):
    """A client's end of the queue."""

    person: str
    device: str | None
    address: str

    def tell(self, news: QueueNews) -> None:
        """Queue a message to be sent. Never blocks."""
        ...  # pragma: no cover


class PlayNow:
    """The queue of this server, and with the lease of it, that of all servers."""

    def __init__(self, hub: Hub, rated: RatedMatches) -> None:
        self._hub, self._people, self._rated = hub, hub.people.store, rated
        self.store = WaitingStore(hub.events)
        self._here: defaultdict[str, set[Waiter]] = defaultdict(set)
        # Who came since the queue was read last: it says nothing about them.
        self._newcomers: set[Waiter] = set()
        self._wakes = (asyncio.Event(), asyncio.Event())  # of looking and of attending
        self._has_rows = True  # until that is known
        self._open_since: dict[str, float] = {}
        self._look_at: dict[str, float] = {}
        self._usual: dict[Place, tuple[float, int | None]] = {}
        self._told: dict[Waiter, QueueNews] = {}
        self._dice = SystemRandom()
        self._yielding: list[tuple[Table, list[WaitingRow]]] = []  # when last attended
        hub.cluster.on_queue = self._wake_here

    @property
    def waiting_here(self) -> int:
        """How many people wait who are connected to this server."""
        return len(self._here)

    # --- Coming and going ------------------------------------------------------------------------

    def check(self, waiter: Waiter) -> None:
        """Raise if the device of somebody was removed or banned meanwhile, or their network."""
        self._hub.people.check_device(waiter.device, waiter.address)

    async def join(self, waiter: Waiter, request: JoinQueue, device: str) -> None:
        """Take a place for the person of a device, or join the one that there is."""
        self._hub.people.check_device(device, waiter.address)
        rules = EDITIONS.get(request.edition)
        if rules is None:
            raise RefusedError("no_edition", f"there is no edition {request.edition!r}")
        rules.check_players(request.players)
        person = await self._people.person_of(device)
        if person is None:
            if request.name is None:
                raise RefusedError("no_name", "say under which name you want to play")
            name = await self._hub.people.decent_name(request.name)
            person = await self._people.ensure(device, name, FACE, address=waiter.address)
        now = self._hub.now()
        row = WaitingRow(
            person.id, device, person.name, request.edition, request.players, since=now, seen=now
        )
        found = await self.store.add(row, KEEP)
        if found.table_id is not None and not await self._is_on(found):
            await self._take_back(found, now)
            found = await self.store.add(row, KEEP)
        self.leave_socket(waiter)
        waiter.person = person.id
        self._here[person.id].add(waiter)
        self._newcomers.add(waiter)
        if found.table_id is not None:
            waiter.tell(QueueTable(found.table_id, is_running=True))
        self.wake()

    async def _is_on(self, row: WaitingRow) -> bool:
        """Whether a person is expected at the table that they have."""
        try:
            table = await self._hub.look(str(row.table_id))
        except RefusedError:
            return False
        return table.state in ("open", "opening", "playing") and not _has_left(table, row.person)

    async def _take_back(self, row: WaitingRow, now: int) -> None:
        """Let a person have nothing more to do with a table; who waited there in vain waits on."""
        table_id = str(row.table_id)
        with contextlib.suppress(RefusedError):
            table = await self._hub.look(table_id)
            if table.closed_why == "no_show" and not _has_left(table, row.person):
                await self.store.wait_on(row.person, table_id, now)
        await self.store.drop(row.person, table_id)

    async def take_bots(self, waiter: Waiter) -> None:
        """Begin with bots, once that is offered."""
        row = await self.store.get(waiter.person) if waiter.person else None
        if row is None:
            raise RefusedError("not_waiting", "you do not wait")
        if not self._offers_bots(row):
            raise RefusedError("not_yet", "wait a little; somebody may come")
        await self.store.take_bots(waiter.person)
        self.wake()

    async def leave(self, waiter: Waiter) -> None:
        """Give a place up, on all pages and devices of the person."""
        # Who has none, or left it a moment ago, costs no write: that is not limited as joining is.
        if not waiter.person:
            waiter.tell(QueueLeft())
            return
        person = waiter.person
        self.leave_socket(waiter)
        waiter.person = ""
        await self.store.leave(person)
        waiter.tell(await self._news(await self.store.get(person), (), self._hub.now()))
        self.wake()

    def leave_socket(self, waiter: Waiter) -> None:
        """A socket is closed, or asks for another place."""
        self._told.pop(waiter, None)
        self._newcomers.discard(waiter)
        own = self._here.get(waiter.person)
        if own is not None:
            own.discard(waiter)
            if not own:
                del self._here[waiter.person]

    async def gone(self, waiter: Waiter) -> None:
        """A socket is closed. The place is kept for a moment, if no other one keeps it."""
        person = waiter.person
        self.leave_socket(waiter)
        if person and person not in self._here:
            with contextlib.suppress(StoreError):
                await self.store.see([person], self._hub.now() - GRACE + RELOAD)

    def wake(self) -> None:
        """Look at the queue now, here and at the other servers."""
        self._wake_here()
        self._hub.cluster.announce_queue()

    # --- The queue -------------------------------------------------------------------------------

    async def run(self) -> None:
        """Bring people together and see after their tables, for ever.

        Side by side: a server that has taken the queue over has many tables to load, and when many
        people come there are many to start. Nobody is to wait for a table meanwhile, nor for a
        busy database to be told who is connected.
        """
        looking, attending = self._wakes
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._repeat(self.look, looking))
            tasks.create_task(self._repeat(self.attend, attending))
            tasks.create_task(self._keep_places())

    async def _keep_places(self) -> None:
        while True:
            await self._hub.troubles.watch(self._see(), self._hub.metrics)
            await asyncio.sleep(SEEN)

    async def _see(self) -> None:
        """Tell the database who is connected here."""
        if self._here:
            await self.store.see(list(self._here), self._hub.now())

    async def _repeat(
        self, work: Callable[[], Coroutine[None, None, None]], wake: asyncio.Event
    ) -> None:
        while True:
            wake.clear()
            await self._hub.troubles.watch(work(), self._hub.metrics)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._pause):
                    await wake.wait()
            await asyncio.sleep(GATHER)

    @property
    def _pause(self) -> float | None:
        """Seconds until the next look, unless something happens before."""
        if self._here or self._open_since:
            return TICK
        return LOOK if self._has_rows or self._hub.cluster.bus is not None else None

    def _wake_here(self) -> None:
        for wake in self._wakes:
            wake.set()

    @property
    def _is_mine(self) -> bool:
        """Whether this server brings people together."""
        return self._hub.cluster.leases.holds(QUEUE_LEASE, SHORT_SECONDS)

    async def look(self) -> None:
        """Give tables to those who can play, and tell everybody here how it goes."""
        now, self._has_rows = self._hub.now(), True
        self._newcomers.clear()
        rows = await self.store.all()
        if self._is_mine and await self._seat(rows, now):
            rows = await self.store.all()
            self._wakes[1].set()
            self._hub.cluster.announce_queue()
        self._has_rows = bool(rows)
        await self._tell(rows, now)

    async def attend(self) -> None:
        """Start the tables whose people are there, and see which have ended or have room."""
        if not self._is_mine:
            return
        rows, now = await self.store.all(), self._hub.now()
        changed = False
        if any(row.table_id is None and row.seen < now - KEEP for row in rows):
            changed = bool(await self.store.forget(now - KEEP))
        tables: defaultdict[str, list[WaitingRow]] = defaultdict(list)
        for row in rows:
            if row.table_id is not None:
                tables[row.table_id].append(row)
        for memory in (self._open_since, self._look_at):
            for table_id in memory.keys() - tables.keys():
                del memory[table_id]
        yielding: list[tuple[Table, list[WaitingRow]]] = []
        for table_id, theirs in tables.items():
            changed |= await self._attend(table_id, theirs, now, yielding)
        found, self._yielding = yielding != self._yielding, yielding
        if changed or found:
            self._wakes[0].set()
        if changed:
            self._hub.cluster.announce_queue()

    async def _seat(self, rows: Sequence[WaitingRow], now: int) -> bool:
        """Give tables to those who wait; return whether there was one."""
        free = {
            row.person: row
            for row in rows
            if row.table_id is None and row.seen >= now - GRACE and not self._is_refused(row)
        }
        if not free:
            return False
        waiting = {one.person: one for one in await self._seekers(free.values())}
        changed = await self._pair(waiting, free, now)
        return await self._fill_up(waiting, free, now) or changed

    def _is_refused(self, row: WaitingRow) -> bool:
        """Whether the host has banned somebody who waits, or the profile was deleted."""
        try:
            self._hub.people.check_device(row.device)
        except RefusedError:
            return True
        return False

    async def _attend(
        self,
        table_id: str,
        theirs: list[WaitingRow],
        now: int,
        yielding: list[tuple[Table, list[WaitingRow]]],
    ) -> bool:
        """See how a table is; return whether that changed the queue."""
        time = asyncio.get_running_loop().time()
        if self._look_at.get(table_id, 0.0) > time:
            return False
        try:
            table = await self._hub.look(table_id)
        except RefusedError:  # deleted, or damaged
            await self.store.release(table_id, [], now)
            return True
        if table.state in ("finished", "closed"):
            await self.store.release(table_id, [], now)
            return True
        if table.state == "open":
            return await self._launch(table, theirs, now)
        self._open_since.pop(table_id, None)
        left = [row.person for row in theirs if _has_left(table, row.person)]
        for person in left:
            await self.store.drop(person, table_id)
        if _may_yield(table):
            yielding.append((table, theirs))
        else:
            self._look_at[table_id] = time + LOOK
        return bool(left)

    async def _launch(self, table: Table, theirs: Sequence[WaitingRow], now: int) -> bool:
        """Start a match once everybody is there; if somebody does not come, the others wait on."""
        time = asyncio.get_running_loop().time()
        waited = time - self._open_since.setdefault(table.id, time)
        opened = await self._hub.tables.open(table.id)
        committed = {row.person for row in theirs if row.device in table.exchange.commitments}
        here = committed | {table.chairs[seat].person for seat in opened.here}
        people = {chair.person for chair in table.chairs if chair.person}
        has_gone = any(chair.is_free for chair in table.chairs)
        if not has_gone and (committed >= people or (here >= people and waited >= COMMITS)):
            with contextlib.suppress(RefusedError):  # it was started a moment ago
                await self._hub.start(table.id, "")
            return True
        if not has_gone and waited < self._hub.config.come_seconds:
            return False
        # Closed first: another server may have started the match, or this one may be killed now.
        # Whoever is free and still sits there would get a second seat, or wait there for ever.
        if await self._close(table.id, "no_show"):
            await self.store.release(table.id, here, now)
        return True

    # --- Tables ----------------------------------------------------------------------------------

    async def _pair(
        self, waiting: dict[str, Seeker], rows: Mapping[str, WaitingRow], now: int
    ) -> bool:
        """Give tables to those who fill one, who wait no longer; return whether there was one."""
        blocked = await self._people.blocked_pairs(waiting)
        groups = pair_up(waiting.values(), now, blocked)
        for one in (one for group in groups for one in group):
            del waiting[one.person]
        return await self._give_tables(groups, rows, now)

    async def _fill_up(
        self,
        waiting: dict[str, Seeker],
        rows: Mapping[str, WaitingRow],
        now: int,
    ) -> bool:
        """Give people the seats of bots, or bots beside them; return whether there was a table."""
        if not waiting:
            return False
        there = {row.person for _, theirs in self._yielding for row in theirs}
        blocked = await self._people.blocked_pairs({*waiting, *there})
        changed = False
        for table, theirs in self._yielding:
            coming = _coming(table, theirs, waiting.values(), blocked)
            if coming:
                for one in coming:
                    del waiting[one.person]
                new = [rows[one.person] for one in coming]
                changed |= await self._yield_seats(table, theirs, new, now)
        groups = with_bots(waiting.values(), now, blocked)
        return await self._give_tables(groups, rows, now) or changed

    async def _seekers(self, free: Collection[WaitingRow]) -> list[Seeker]:
        ratings = {
            edition: await self._rated.store.of(
                edition, [row.person for row in free if row.edition == edition]
            )
            for edition in {row.edition for row in free}
        }
        return [
            Seeker(
                row.person,
                Place(row.edition, row.players),
                row.since,
                ratings[row.edition].get(row.person, Rating()),
                takes_bots=row.bots,
            )
            for row in free
        ]

    async def _give_tables(
        self, groups: Sequence[Sequence[Seeker]], rows: Mapping[str, WaitingRow], now: int
    ) -> bool:
        """Give every group a table, all at once; return whether one of them got it."""
        people = [[rows[one.person] for one in group] for group in groups]
        made = await asyncio.gather(*(self._make(theirs, now) for theirs in people))
        return any(table is not None for table in made)

    async def _make(
        self, people: Sequence[WaitingRow], now: int, old: str | None = None
    ) -> Table | None:
        """Set a table up for people; ``None`` if one of them has gone meanwhile."""
        table = await self._set_up(people)
        persons = [row.person for row in people]
        if await self.store.pair(persons, table.id, now, fresh=now - GRACE, old=old):
            return table
        await self._close(table.id, "unpaired")
        return None

    async def _set_up(self, people: Sequence[WaitingRow]) -> Table:
        """A table for people; what they do not fill has bots. Who sits where is chance."""
        edition, players = people[0].edition, people[0].players
        seats: list[WaitingRow | None] = [*people, *[None] * (players - len(people))]
        self._dice.shuffle(seats)
        names = told_apart([None if row is None else row.name for row in seats])
        level = next((one for one in LEVELS if why_not_bot(one) is None), LEVELS[-1])
        plans = tuple(
            SeatPlan("bot", bot=level) if row is None else SeatPlan("link", name)
            for row, name in zip(seats, names, strict=True)
        )
        config = self._hub.config
        options = TableOptions(
            seats=plans,
            rules={"edition": edition},
            clock_seconds=config.play_turn_seconds,
            reserve_seconds=config.play_reserve_seconds,
            away_seconds=config.play_away_seconds,
            undo=False,
            hints=False,
        )
        table = await self._hub.create_for_strangers(
            options,
            ["" if row is None else row.device for row in seats],
            "",
            people=["" if row is None else row.person for row in seats],
        )
        if table.is_rated:
            await self._rated.begin(table)
        return table

    async def _yield_seats(
        self, table: Table, theirs: Sequence[WaitingRow], new: Sequence[WaitingRow], now: int
    ) -> bool:
        """Let people have the seats of bots: at a new table, to which the old one leads."""
        made: list[Table] = []

        async def make() -> Table:
            found = await self._make([*theirs, *new], now, old=table.id)
            if found is None:
                raise RefusedError("gone", "somebody has gone")
            made.append(found)
            return found

        try:
            await self._hub.lead_on(table.id, _check_yields, make)
        except RefusedError:
            for one in made:  # somebody has moved at the old table meanwhile
                await self.store.go_back(one.id, table.id, [row.person for row in theirs])
                await self._close(one.id, "unpaired")
            return False
        return True

    async def _close(self, table_id: str, why: str) -> bool:
        """Close a table unless its match has begun; return whether that was done."""
        try:
            await self._hub.change(table_id, lambda table: _closed(table, why, self._hub.now()))
        except RefusedError:
            return False
        return True

    # --- Telling ---------------------------------------------------------------------------------

    def _offers_bots(self, row: WaitingRow) -> bool:
        return self._hub.now() - row.since >= 1000 * self._hub.config.bots_after_seconds

    async def _tell(self, rows: Sequence[WaitingRow], now: int) -> None:
        """Tell everybody who is connected here how it goes, if that has changed."""
        places = {row.person: row for row in rows}
        for person, waiters in list(self._here.items()):
            news = await self._news(places.get(person), rows, now)
            for waiter in waiters - self._newcomers:
                known = self._told.get(waiter)
                if _without_time(known) != _without_time(news):
                    waiter.tell(news)
                    self._told[waiter] = news
                if not isinstance(news, QueueState):
                    self.leave_socket(waiter)

    async def _news(
        self, row: WaitingRow | None, rows: Collection[WaitingRow], now: int
    ) -> QueueNews:
        if row is None:
            return QueueLeft()
        if row.table_id is not None:
            return QueueTable(row.table_id)
        place = Place(row.edition, row.players)
        others = sum(
            other.table_id is None
            and other.seen >= now - GRACE
            and place == Place(other.edition, other.players)
            for other in rows
            if other.person != row.person
        )
        usual = await self._usual_wait(place, now)
        return QueueState(
            edition=row.edition,
            players=row.players,
            waited=max(0, now - row.since) // 1000,
            others=others,
            usual=None if usual is None else round(usual / 1000),
            bots_offered=self._offers_bots(row),
            takes_bots=row.bots,
        )

    async def _usual_wait(self, place: Place, now: int) -> int | None:
        time = asyncio.get_running_loop().time()
        asked, usual = self._usual.get(place, (-10.0, None))
        if time - asked >= 5.0:
            usual = await self.store.usual(place.edition, place.players, now)
            self._usual[place] = (time, usual)
        return usual


def _without_time(news: QueueNews | None) -> QueueNews | None:
    if isinstance(news, QueueState):
        return msgspec.structs.replace(news, waited=0)
    return news


def _has_left(table: Table, person: str) -> bool:
    """Whether a person has left a match for good."""
    return all(chair.has_left for chair in table.chairs if chair.person == person)


def _may_yield(table: Table) -> bool:
    """Whether bots of a table still yield to people: nobody has moved but bots."""
    if table.state not in ("opening", "playing") or not any(one.is_bot for one in table.chairs):
        return False
    if table.match is None:
        return True
    moved = {ply.seat for game in table.match.rounds for ply in game.plies}
    return all(table.chairs[seat].is_bot for seat in moved)


def _closed(table: Table, why: str, now: int) -> Change[Closed]:
    if table.state != "open":
        raise RefusedError("stale", "the match has begun")
    return table.close(why, now)


def _check_yields(table: Table) -> None:
    if not _may_yield(table):
        raise RefusedError("stale", "somebody has moved")


def _coming(
    table: Table,
    theirs: Sequence[WaitingRow],
    waiting: Collection[Seeker],
    blocked: Collection[frozenset[str]],
) -> list[Seeker]:
    """Who takes the seats of bots at a table; where some stay, only those who want bots."""
    place = Place(theirs[0].edition, theirs[0].players)
    bots = sum(chair.is_bot for chair in table.chairs)
    people = [row.person for row in theirs]
    coming: list[Seeker] = []
    for one in sorted(waiting, key=lambda one: one.since):
        there = [*people, *(other.person for other in coming)]
        if one.place == place and len(coming) < bots and may_join(one, there, blocked):
            coming.append(one)
    return coming if len(coming) == bots else [one for one in coming if one.takes_bots]
