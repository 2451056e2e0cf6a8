"""How a table changes: check, store, apply, tell.

A change goes through :meth:`Hub.change`: under the table's lock the command is checked, its event
is stored, applied, and sent to everyone there, in this order.
"""

from __future__ import annotations

import asyncio
import random
import secrets
import time
from typing import TYPE_CHECKING, TypeVar

import msgspec

from triomino.errors import IllegalMove, TriominoError
from triomino.fair2 import ALGORITHM_2
from triomino.kernel import why_missing
from triomino.protocol.api import (
    ArrivedTable,
    ArrivingTable,
    RematchOptions,
    SeatLink,
    TableOptions,
)
from triomino.server import arrivals, broadcast
from triomino.server.bounds import why_full
from triomino.server.budgets import Bucket
from triomino.server.cluster import Cluster
from triomino.server.credentials import digest
from triomino.server.dates import Calendar, ImplausibleDate
from triomino.server.events import AnyEvent, Created, MovePlayed, Paused, Rematched, encode
from triomino.server.hints import best_moves
from triomino.server.locks import Locks
from triomino.server.logs import detail, log, note
from triomino.server.metrics import Metrics
from triomino.server.open_tables import OpenTables
from triomino.server.people import People
from triomino.server.pushes import Pushes, moment_of
from triomino.server.retention import DAY, clean
from triomino.server.scheduler import Scheduler
from triomino.server.table import Change, RefusedError, Table, check_options, name_bots
from triomino.server.troubles import Troubles
from triomino.signatures import SigningKey
from triomino.store.failure import StoreError
from triomino.store.keys import KeyStore
from triomino.store.log import TableRow
from triomino.view import View

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection, Sequence

    from triomino.protocol.messages import HintMove
    from triomino.rules import Seat
    from triomino.server.config import Config
    from triomino.server.open_tables import Listener, OpenTable
    from triomino.store.log import EventLog

FIRST_CLEANING = 60.0
"""Seconds from the start to the first cleaning; then it happens once a day."""

TRIES = 10
"""How often a change is checked again because another server was faster."""

E = TypeVar("E", bound=AnyEvent)
T = TypeVar("T")


class Hub:
    """The tables of a server and everything that changes them."""

    def __init__(
        self,
        config: Config,
        events: EventLog,
        *,
        clock: Callable[[], float] = time.time,
        steady: Callable[[], float] = time.monotonic,
        new_id: Callable[[], str] = lambda: secrets.token_urlsafe(9),
        new_secret: Callable[[], str] = lambda: secrets.token_urlsafe(24),
        new_seed: Callable[[], str] = lambda: secrets.token_hex(32),
        new_key: Callable[[], bytes] = SigningKey.new_secret,
    ) -> None:
        self.config = config
        self.events = events
        self.metrics = Metrics()
        self.troubles = Troubles()
        self.new_id, self.new_secret, self.new_seed = new_id, new_secret, new_seed
        self._new_key, self._clock = new_key, clock
        self.calendar = Calendar(self.now, steady)
        self._key: SigningKey | None = None
        self.scheduler = Scheduler(
            config, self.metrics, self.troubles, self.now, self.change, deal=self.deal
        )
        self._creating = Locks()
        self.tables = OpenTables(events, config.tables_in_memory, self._opened, steady)
        self.tables.catch_up = self._read_on
        self.cluster = Cluster(config, self.tables, self.scheduler, self.troubles, self.follow)
        self.scheduler.leases = self.cluster.leases
        self.people = People(
            config,
            events,
            self.tables,
            self.cluster,
            now=self.now,
            turn_away=self._turn_away,
        )
        self.on_club_result: Callable[[str], None] = lambda _: None
        """Called with the id of a club evening at one of whose tables a match is over."""
        self.on_rated_over: Callable[[str], None] = lambda _: None
        """Called with the id of a table whose rated match is over."""
        self.pushes = Pushes(
            config,
            events,
            self.tables,
            self.cluster,
            self.metrics,
            troubles=self.troubles,
            now=self.now,
        )
        self._late_rows: dict[str, tuple[str, int, bool]] = {}
        """What belongs into rows that could not be updated with the last event of their table."""

    def now(self) -> int:
        """The date in milliseconds since 1970; it may be set, so it measures nothing."""
        return int(self._clock() * 1000)

    def _opened(self, opened: OpenTable) -> None:
        """Start what a table that has come into memory needs."""
        opened.clock.resume(opened.table, self.now())
        opened.update_absence()
        self.cluster.opened(opened)
        self.scheduler.schedule(opened)

    async def signing_key(self) -> SigningKey:
        """The key of this server; it is made once and kept in the database."""
        if self._key is None:
            secret = await KeyStore(self.events).get(self._new_key(), self.now())
            self._key = SigningKey(secret)
        return self._key

    # --- Check, store, apply, tell ---------------------------------------------------------------

    async def change(self, table_id: str, command: Callable[[Table], Change[E]]) -> Change[E]:
        """Check, store, apply and tell a change; return it.

        *command* checks only, and must not wait. If another server changes the table at the same
        time it checks again; a move for a position that is no longer there is refused then.
        """

        async def check_and_commit(opened: OpenTable) -> Change[E]:
            change = command(opened.table)
            if why := why_full(opened.table, change.event):
                raise RefusedError("table_full", why)
            await self._commit(opened, change)
            return change

        return await self._with(table_id, check_and_commit)

    async def _with(self, table_id: str, work: Callable[[OpenTable], Awaitable[T]]) -> T:
        """Do *work* under the lock of a table; again if another server has been faster.

        What is refused is checked once more if this server had not heard of the latest changes.
        """
        for _ in range(TRIES):
            opened = await self.tables.open(table_id)
            async with opened.lock:
                try:
                    return await work(opened)
                except _OvertakenError:
                    pass
                except TriominoError as error:
                    is_answer = isinstance(error, RefusedError | IllegalMove)
                    if not is_answer or not await self._catch_up(opened):
                        raise
        raise _OvertakenError

    async def _catch_up(self, opened: OpenTable) -> bool:
        """Read what other servers have written; return whether that was anything."""
        if self.cluster.bus is None or await self.tables.is_current(opened):
            return False
        await self._reload(opened)
        return True

    async def look(self, table_id: str) -> Table:
        """A table as the log has it now."""
        opened = await self.tables.open(table_id)
        if self.cluster.bus is not None:
            async with opened.lock:
                await self._catch_up(opened)
        return opened.table

    async def _commit(self, opened: OpenTable, change: Change[AnyEvent]) -> None:
        """Store a checked change, then apply and tell it. The caller holds the table's lock."""
        table = opened.table
        has_clock = table.options.clock_seconds is not None
        if isinstance(change.event, MovePlayed | Paused) and has_clock:
            timed = msgspec.structs.replace(change.event, spent=opened.clock.spent())
            change = Change(timed, change.ply)
        event = change.event
        since, state, before = table.version, table.state, moment_of(table)
        listed = state == "open" and table.is_listed
        if not await self.events.append(table.id, since + 1, encode(event)):
            # Somebody else wrote this version: the host, or another node.
            await self._reload(opened)
            raise _OvertakenError
        table.apply(change)
        self.cluster.announce(opened)
        opened.clock.follow(table)
        self.pushes.changed(opened, before, event)
        self.metrics.events += 1
        _log_event(table, event)
        if isinstance(event, MovePlayed) and table.state == state:
            broadcast.tell_moves(opened, since)
        else:
            opened.update_absence()
            await self._tell_state(opened)
        self.scheduler.schedule(opened)
        if table.club and table.state != state:
            self.on_club_result(table.club)
        if table.is_rated and table.state != state and table.state in ("finished", "closed"):
            self.on_rated_over(table.id)
        now_listed = table.state == "open" and table.is_listed
        if listed or now_listed:
            self.tables.lobby_number += 1
        if (table.state, now_listed) != (state, listed):
            await self._update_row(table.id, table.state, event.at, listed=now_listed)

    async def _tell_state(self, opened: OpenTable) -> None:
        """Tell everyone the state; long matches are encoded in pieces. Under the table's lock."""
        for listener in list(opened.listeners):
            await self._encode_past(opened, listener.device)
        broadcast.tell_state(opened)

    async def _encode_past(self, opened: OpenTable, device: str | None) -> None:
        """Encode the rounds that are over for a device, so that its state is quickly made."""
        steps = broadcast.past_rounds(opened, device)
        if steps:
            await self.tables.slices.run(step() for step in steps)

    async def _update_row(self, table_id: str, state: str, at: int, *, listed: bool) -> None:
        """Bring a row in line with its events, now or, if the database fails, as soon as it works.

        The event itself is stored and told; nobody is refused for the row.
        """
        try:
            await self.events.update_row(table_id, state, at, listed)
            self._late_rows.pop(table_id, None)
        except StoreError as error:
            self._late_rows[table_id] = (state, at, listed)
            self.troubles.log_failure(error)

    # --- Commands of more than one step ----------------------------------------------------------

    async def create(self, options: TableOptions, device: str, address: str) -> Table:
        """Set up a table whose host is *device*."""
        await self.people.check_listed(options)
        created = await self._created(options, device)
        # Requests that come together must not all count the tables before the first is stored.
        async with self._creating.held(address):
            await self._check_address(address)
            return await self._create(created, address)

    async def _created(self, options: TableOptions, device: str) -> Created:
        """The first event of a new table."""
        return Created(
            at=self.now(),
            options=name_bots(check_options(options), random.SystemRandom()),
            server_seed=self.new_seed(),
            host=device,
            algorithm=ALGORITHM_2,
            public_key=(await self.signing_key()).public,
        )

    async def create_for_club(
        self,
        club: str,
        options: TableOptions,
        owners: Sequence[str],
        address: str,
        rounds: int | None = None,
    ) -> Table:
        """Set up a table of a club evening, where every seat belongs to one of *owners*."""
        created = Created(
            at=self.now(),
            options=check_options(options),
            server_seed=self.new_seed(),
            host="",
            owners=[[owner] for owner in owners],
            names=[plan.name for plan in options.seats],
            algorithm=ALGORITHM_2,
            public_key=(await self.signing_key()).public,
            club=club,
            rounds=rounds,
        )
        return await self._create(created, address)

    async def create_for_strangers(
        self,
        options: TableOptions,
        owners: Sequence[str],
        address: str,
        people: Sequence[str] = (),
    ) -> Table:
        """Set up a table for people who were brought together; bots have no owner.

        *owners* has a device for every seat of a person, and an empty text for that of a bot. The
        names are those of the seats. With *people*, the profile of each seat, the match is rated if
        there are no bots, and nobody but the server starts it.
        """
        created = msgspec.structs.replace(
            await self._created(options, ""),
            owners=[[owner] if owner else [] for owner in owners],
            names=[None if plan.kind == "bot" else plan.name for plan in options.seats],
            strangers=True,
            people=list(people),
        )
        return await self._create(created, address)

    async def check_room(self, address: str, new: int) -> None:
        """Raise unless so many more tables may be set up from an address."""
        await self._check_address(address, new)

    async def replace(
        self, table_id: str, options: TableOptions, device: str, address: str
    ) -> Table:
        """Set up a table in place of one that nobody else has come to; its link leads on."""
        opened = await self.tables.open(table_id)
        await self.people.check_listed(options)
        created = await self._created(options, device)
        async with opened.lock:
            opened.table.check_replaceable(device)
            # The number of tables stays the same.
            new = await self._create(created, address)
            await self._commit(opened, Change(Rematched(at=self.now(), table=new.id)))
            await self._commit(opened, opened.table.close("replaced", self.now()))
        return new

    async def lead_on(
        self, table_id: str, check: Callable[[Table], None], make: Callable[[], Awaitable[Table]]
    ) -> Table:
        """Set up a table in place of one that *check* does not refuse; its link leads on."""
        opened = await self.tables.open(table_id)
        async with opened.lock:
            check(opened.table)
            new = await make()
            await self._commit(opened, Change(Rematched(at=self.now(), table=new.id)))
            await self._commit(opened, opened.table.close("replaced", self.now()))
        return new

    async def _check_address(self, address: str, new: int = 1) -> None:
        most, since = self.config.tables_per_address, self.now() - DAY
        states = ["open", "opening", "playing"]
        rows = await self.events.rows(states=states, address=address, since=since, most=most)
        if len(rows) + new > most:
            raise RefusedError("too_many_tables", f"at most {most} tables at a time; finish some")

    async def _create(self, created: Created, address: str) -> Table:
        while True:
            table = Table(self.new_id(), created)
            if await self.events.append(table.id, 1, encode(created), _row(table, address)):
                self.metrics.tables += 1
                self.tables.add(table, address)
                self.tables.lobby_number += 1
                _log_event(table, created)
                return table

    async def take_in(self, arriving: ArrivingTable, device: str, address: str) -> ArrivedTable:
        """Play a match on that began in a browser; *device* has the seats of its people.

        It is there once everything is stored. Until the browser is told so, the match is its own:
        nobody knows the way to what is stored here.
        """
        secret = self.new_secret()
        link, at = digest(secret), self.now()
        created = arrivals.created_by(arriving, device, link, at)
        async with self._creating.held(address):
            await self._check_address(address)
            table = Table(self.new_id(), created)
            events: list[AnyEvent] = []

            def carry_out(change: Change[AnyEvent]) -> None:
                table.apply(change)
                events.append(change.event)

            steps = arrivals.changes(table, arriving, device, link, at)
            await self.tables.slices.run(map(carry_out, steps))
            if not await self.events.append(table.id, 1, encode(created), _row(table, address)):
                raise _OvertakenError
            append = self.events.append
            await asyncio.gather(
                *(append(table.id, number, encode(event)) for number, event in enumerate(events, 2))
            )
        self.metrics.tables += 1
        self.scheduler.schedule(self.tables.add(table, address))
        _log_event(table, created)
        path = None if arriving.friend is None else f"/t/{table.id}#seat={secret}"
        return ArrivedTable(table.id, path)

    async def rematch(
        self, table_id: str, changes: RematchOptions, device: str, address: str
    ) -> Table:
        """Set up a new table for another match of the same people."""
        opened = await self.tables.open(table_id)
        async with self._creating.held(address), opened.lock:
            old = opened.table
            changed = {
                name: value
                for name, value in msgspec.structs.asdict(changes).items()
                if value is not msgspec.UNSET
            }
            options = msgspec.structs.replace(old.options, **changed)
            await self.people.check_listed(options, *(chair.name for chair in old.chairs))
            created = old.make_rematch(
                options,
                self.new_seed(),
                device,
                self.now(),
                public_key=(await self.signing_key()).public,
            )
            await self._check_address(address)
            new = await self._create(created, address)
            await self._commit(opened, Change(Rematched(at=self.now(), table=new.id)))
        return new

    # --- Commit, then reveal ---------------------------------------------------------------------

    async def commit(self, table_id: str, device: str, commitment: str) -> None:
        """Commit a device to its seed; once more the same commitment changes nothing."""

        async def work(opened: OpenTable) -> None:
            table = opened.table
            if table.exchange.commitments.get(device) != commitment:
                await self._commit(opened, table.commit(device, commitment, self.now()))

        await self._with(table_id, work)

    async def start(self, table_id: str, device: str) -> None:
        """Start a match: ask for the seeds that devices committed to, or deal at once."""
        key, now = await self.signing_key(), self.now()
        until = now + int(1000 * self.config.reveal_seconds)
        await self.change(table_id, lambda table: table.start(device, now, key, until))

    async def reveal(self, table_id: str, device: str, seed: str) -> OpenTable:
        """Take the seed of a device, and deal once none is missing; return the table."""
        key = await self.signing_key()

        async def work(opened: OpenTable) -> OpenTable:
            table = opened.table
            if table.exchange.revealed.get(device) != seed:  # it may have been sent before
                await self._commit(opened, table.reveal(device, seed, self.now()))
            if table.state == "opening" and table.exchange.is_complete:
                await self._commit(opened, table.deal(self.now(), key))
            return opened

        return await self._with(table_id, work)

    async def deal(self, table_id: str) -> None:
        """Deal without the seeds that are missing, unless that was done meanwhile."""
        key = await self.signing_key()

        async def work(opened: OpenTable) -> None:
            if opened.table.state == "opening":
                await self._commit(opened, opened.table.deal(self.now(), key))

        await self._with(table_id, work)

    async def make_link(self, table_id: str, seat: Seat, device: str) -> SeatLink:
        """Make a secret that opens a seat on another device."""
        secret = self.new_secret()
        await self.change(
            table_id, lambda table: table.make_link(seat, device, digest(secret), self.now())
        )
        # Behind the # it stays in the browser: no log of a server or a proxy sees it.
        return SeatLink(table_id, seat, secret, f"/t/{table_id}#seat={secret}")

    async def claim(self, table_id: str, secret: str, device: str) -> Seat:
        """Let a device take the seat that a link opens; asking twice is as good as asking once."""
        link = digest(secret)
        opened = await self.tables.open(table_id)
        seat = opened.table.has_claimed(link, device)
        if seat is None:
            done = await self.change(table_id, lambda table: table.claim(link, device, self.now()))
            seat = done.event.seat
        return seat

    async def hint(self, opened: OpenTable, seat: Seat, address: str = "") -> list[HintMove]:
        """The best moves of the seat to move, from what it may know."""
        if why := why_missing():
            raise RefusedError("no_kernel", f"hints need the native kernel: {why}")
        opened.table.check_hint(seat)
        return await self.scheduler.search_hint(
            address, best_moves, View.of(opened.table.game, seat)
        )

    def react(self, opened: OpenTable, seat: Seat | None, sign: str) -> None:
        """Tell everyone the reaction of a seat or a spectator; each client costs a message."""
        now, most = asyncio.get_running_loop().time(), self.config.reactions_per_minute
        if opened.reactions is None:
            opened.reactions = Bucket.full(most / 60, max(1.0, most / 2), now)
        if not opened.reactions.take(now):
            raise RefusedError("too_fast", "too many reactions at this table; wait a little")
        broadcast.tell_reaction(opened, seat, sign)
        self.cluster.announce_reaction(opened, seat, sign)

    # --- Coming and going ------------------------------------------------------------------------

    async def enter(self, table_id: str, listener: Listener, version: int | None) -> OpenTable:
        """Bring a listener at *version* up to date; from now on it gets every change."""
        opened = await self.tables.open(table_id)
        await self._join_seats(opened, listener.device)
        if version is not None and version > opened.table.version:
            await self.follow([table_id])  # another server has told it more already
        await self._encode_past(opened, listener.device)
        # Nothing may happen between the state and the first message after it.
        async with opened.lock:
            self._check_room(opened, listener)
            await self._encode_past(opened, listener.device)  # a round may have ended meanwhile
            opened.listeners.add(listener)
            self.cluster.follow(opened)  # what was announced while nobody was here
            opened.update_absence()
            listener.tell(broadcast.catch_up(opened, listener.device, version))
            broadcast.presence_changed(opened, self.config.presence_seconds)
            self.cluster.announce_presence(opened)
            self.scheduler.schedule(opened)
        return opened

    async def _join_seats(self, opened: OpenTable, device: str | None) -> None:
        """Give a device the seats of its person's other devices, as if it came by their links."""
        siblings = await self.people.siblings(device)
        if device is not None and siblings:

            async def work(found: OpenTable) -> bool:
                change = found.table.join_seat(device, siblings, self.now())
                if change is not None and why_full(found.table, change.event) is None:
                    await self._commit(found, change)
                    return True
                return False

            while await self._with(opened.table.id, work):
                pass
        await self.people.note_game(opened.table, device)

    async def _turn_away(self, devices: Collection[str], renamed: Collection[OpenTable]) -> None:
        """Stop telling *devices* anything, and tell the others whose name is gone."""
        for opened in self.tables:
            gone = [one for one in opened.listeners if one.device in devices]
            for listener in gone:
                listener.tell(broadcast.encode_bye("removed", "this device is not let in any more"))
                self.leave(opened, listener)
        for opened in renamed:
            async with opened.lock:
                await self._tell_state(opened)

    def _check_room(self, opened: OpenTable, listener: Listener) -> None:
        most = self.config.listeners_per_table
        if len(opened.listeners) >= most and not opened.table.seats_of(listener.device):
            raise RefusedError("crowded", f"{most} are here already; come back later")

    def leave(self, opened: OpenTable, listener: Listener) -> None:
        """Stop telling a listener what happens at a table."""
        opened.listeners.discard(listener)
        opened.update_absence()
        broadcast.presence_changed(opened, self.config.presence_seconds)
        self.cluster.announce_presence(opened)
        self.scheduler.schedule(opened)

    # --- Changes made elsewhere ------------------------------------------------------------------

    async def watch_log(self) -> None:
        """Notice what the host changes from the command line, or another node, for ever."""
        while self.config.look_seconds:
            await asyncio.sleep(self.cluster.look_seconds)
            await self.troubles.watch(self.reload_outdated(), self.metrics)
            await self.troubles.watch(self._update_late_rows(), self.metrics)

    async def _update_late_rows(self) -> None:
        for table_id, late in list(self._late_rows.items()):
            await self.events.update_row(table_id, *late)
            if self._late_rows.get(table_id) == late:
                del self._late_rows[table_id]

    async def reload_outdated(self) -> None:
        """Reload the tables in memory that somebody else has changed in the log."""
        outdated = await self.tables.outdated()
        if self.cluster.bus is not None:
            for opened in outdated:
                self.cluster.follow(opened)
            outdated = [opened for opened in outdated if not opened.is_behind]  # these are gone
        for opened in outdated:
            async with opened.lock:
                try:
                    # It may only have been a change of our own that was being stored.
                    if not await self.tables.is_current(opened):
                        await self._reload(opened)
                except RefusedError:
                    pass  # it is gone, or damaged and set aside
                except StoreError:
                    self.events.assume_changes()
                    raise

    async def follow(self, tables: Collection[str]) -> None:
        """Read what other servers have written at tables in memory, and tell it."""
        known = {one: self.tables[one].table.version for one in tables if one in self.tables}
        damaged: RefusedError | None = None
        for table_id, page in (await self.events.read_new(known)).items():
            if table_id in self.tables:
                opened = self.tables[table_id]
                async with opened.lock:
                    try:
                        await self._extend(opened, page)
                    except RefusedError as error:
                        damaged = error  # the others go on
        if damaged is not None:
            raise damaged

    async def _read_on(self, opened: OpenTable) -> None:
        """Read what is new at a table; if the database fails, go on with what is known."""
        try:
            await self.follow([opened.table.id])
        except StoreError as error:
            self.troubles.log_failure(error)

    async def _extend(self, opened: OpenTable, page: Sequence[tuple[int, bytes]]) -> None:
        """Apply and tell what was read of a table. Under its lock."""
        since, state = opened.table.version, opened.table.state
        fresh = [one for one in page if one[0] > since]
        if fresh and opened.is_open:
            try:
                await self.tables.extend(opened, fresh)
            except RefusedError as error:
                self._tell_end(opened, error)
                raise
            await self._tell_news(opened, since, state)

    async def _reload(self, opened: OpenTable) -> None:
        """Read what is new at a table and tell everyone; a table that is gone is dropped."""
        since, state = opened.table.version, opened.table.state
        try:
            await self.tables.reload(opened)
        except RefusedError as error:
            self._tell_end(opened, error)
            raise
        await self._tell_news(opened, since, state)

    def _tell_end(self, opened: OpenTable, error: RefusedError) -> None:
        """Tell everyone that a table is no longer there, or damaged."""
        if error.code == "damaged":
            broadcast.say_goodbye(opened, "damaged", str(error))
        else:
            broadcast.say_goodbye(opened, "deleted", "this table is no longer there")
        opened.listeners.clear()
        self.scheduler.schedule(opened)

    async def _tell_news(self, opened: OpenTable, since: int, state: str) -> None:
        """Tell everyone what others have written since a version."""
        table = opened.table
        opened.clock.follow(table)
        if table.state == state and 0 < table.version - since <= table.moves_in_a_row:
            broadcast.tell_moves(opened, since)
        else:
            opened.update_absence()
            await self._tell_state(opened)
        if table.state != state or table.state == "open":
            self.tables.lobby_number += 1
        self.scheduler.schedule(opened)

    async def clean_daily(self) -> None:
        """Delete old tables once a day, for ever."""
        await self.calendar.look(self.events)
        while True:
            await asyncio.sleep(FIRST_CLEANING)
            # Another server does it; this one if that is gone. Without the bus nobody knows
            # which tables are in use.
            if self.cluster.is_cut_off or not self.cluster.leases.holds("cleaning"):
                continue
            await self.troubles.watch(self.clean(), self.metrics)
            await asyncio.sleep(DAY / 1000 - FIRST_CLEANING)

    async def clean(self) -> None:
        """Delete old tables, except those in use; nothing if the date cannot be believed."""
        try:
            await self.calendar.look(self.events)
            today, used = self.calendar.today(), await self.cluster.used_elsewhere()
            done = await clean(
                self.events,
                self.config,
                today,
                lambda table: table not in used and self.tables.drop_if_idle(table),
                slices=self.tables.slices,
            )
        except ImplausibleDate as error:
            self.troubles.noted["cleaning"] = f"old tables are kept: {error}"
            self.metrics.cleanings_refused += 1
            log.error("old tables are kept: %s", error)
            return
        except OSError as error:  # of the archive
            self.troubles.noted["cleaning"] = "the archive cannot be written"
            self.metrics.errors += 1
            log.error("old tables are kept: %s", error)
            return
        self.troubles.noted.pop("cleaning", None)
        self.metrics.deleted += done.deleted
        note("cleaned", deleted=done.deleted, archived=done.archived)

    # --- Stopping --------------------------------------------------------------------------------

    async def say_goodbye(self) -> None:
        """Stop the scheduler, and tell everyone that the server stops.

        Changes under way are finished, and acknowledged before the goodbye.
        """
        await self.scheduler.stop()
        for opened in self.tables:
            self.scheduler.schedule(opened)  # it is stopped: this cancels the timer
            async with opened.lock:
                broadcast.say_goodbye(opened, "restart", "the server stops; come back in a moment")
        await asyncio.sleep(0.05)  # every socket that is not stuck has sent it by now

    async def close(self) -> None:
        """Say goodbye unless that was done, and finish the changes under way."""
        if not self.scheduler.is_stopped:
            await self.say_goodbye()
        for opened in self.tables:
            async with opened.lock:
                pass
        await self.cluster.close()


class _OvertakenError(RefusedError):
    """Somebody else wrote the version that a change was checked for."""

    def __init__(self) -> None:
        super().__init__("stale", "the table has changed since; catch up first")


def _log_event(table: Table, event: AnyEvent) -> None:
    """Log what happened, but neither who did it nor a move."""
    say = detail if isinstance(event, MovePlayed) else note
    what = str(event.__struct_config__.tag)
    say("table", table=table.id, what=what, version=table.version, state=table.state)


def _row(table: Table, address: str) -> TableRow:
    return TableRow(
        id=table.id,
        state=table.state,
        listed=table.is_listed,
        address=address,
        created=table.created,
        updated=table.updated,
        clock=table.options.clock_seconds is not None,
    )
