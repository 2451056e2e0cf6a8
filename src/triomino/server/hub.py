"""All tables of a server: check, store, apply, tell.

Every change of a table goes through :meth:`Hub.change`: under the table's lock the command is
checked, its event is written down, applied, and told to everyone there, in this order.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import logging
import math
import secrets
import time
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

import msgspec

from triomino.bots import make_bot
from triomino.dice import Rng
from triomino.kernel import why_missing
from triomino.protocol.api import RematchOptions, SeatLink, TableOptions
from triomino.protocol.messages import Bye, Current, Presence, Reaction
from triomino.server.advice import think_of_hint
from triomino.server.events import (
    AnyEvent,
    Created,
    MovePlayed,
    Rematched,
    Seated,
    encode,
)
from triomino.server.logs import detail, note
from triomino.server.metrics import Metrics
from triomino.server.retention import DAY, clean
from triomino.server.table import RefusedError, Table, check_options
from triomino.server.telling import Eyes, Moment, Told
from triomino.store.log import TableRow
from triomino.view import View

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from triomino.protocol.messages import HintMove
    from triomino.rules import Seat
    from triomino.server.config import Config
    from triomino.store.log import EventLog

log = logging.getLogger("triomino.server")

FIRST_CLEANING = 60.0
"""Seconds after a start; then once a day."""


class Listener(Protocol):
    """A client's end of a socket."""

    device: str | None

    def tell(self, message: bytes) -> None:
        """Send a message, soon; never waits."""
        ...  # pragma: no cover


@dataclass(slots=True)
class Place:
    """A table in memory, and who is there."""

    table: Table
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    listeners: set[Listener] = field(default_factory=set)
    timer: asyncio.TimerHandle | None = None
    bot: asyncio.Task[None] | None = None
    told: Told = field(default_factory=Told)
    away: dict[Seat, int] = field(default_factory=dict)
    """Since when a person has been away, in milliseconds."""

    @property
    def is_idle(self) -> bool:
        """Whether nobody is there and nothing is under way, so that it can be forgotten."""
        busy = self.listeners or self.lock.locked() or self.timer is not None
        return not busy and self.bot is None

    @property
    def here(self) -> set[Seat]:
        """The seats whose person is connected."""
        return {seat for one in self.listeners for seat in self.table.seats_of(one.device)}

    @property
    def spectators(self) -> int:
        """How many watch."""
        return sum(not self.table.seats_of(one.device) for one in self.listeners)


def digest(secret: str) -> str:
    """What is kept of a secret."""
    return hashlib.sha256(secret.encode()).hexdigest()


class Hub:
    """The tables, and everything that happens at them."""

    def __init__(
        self,
        config: Config,
        events: EventLog,
        *,
        clock: Callable[[], float] = time.time,
        new_id: Callable[[], str] = lambda: secrets.token_urlsafe(9),
        new_secret: Callable[[], str] = lambda: secrets.token_urlsafe(24),
        new_seed: Callable[[], str] = lambda: secrets.token_hex(32),
    ) -> None:
        self.config = config
        self.events = events
        self.metrics = Metrics()
        self.new_id, self.new_secret, self.new_seed = new_id, new_secret, new_seed
        self._clock = clock
        self._places: OrderedDict[str, Place] = OrderedDict()
        self._loading: dict[str, asyncio.Lock] = {}
        self._thinking = asyncio.Semaphore(config.bots_at_once)
        self._tasks: set[asyncio.Task[None]] = set()
        self.closing = False

    def now(self) -> int:
        """Milliseconds since 1970."""
        return int(self._clock() * 1000)

    # --- Finding tables --------------------------------------------------------------------------

    async def place(self, table_id: str) -> Place:
        """A table, from memory or from the log."""
        place = self._places.get(table_id)
        if place is None:
            lock = self._loading.setdefault(table_id, asyncio.Lock())
            try:
                async with lock:
                    place = self._places.get(table_id)
                    if place is None:
                        place = await self._bring(table_id)
            finally:
                self._loading.pop(table_id, None)
        self._places.move_to_end(table_id)
        return place

    async def _bring(self, table_id: str) -> Place:
        """Load a table into memory. It has one place, although two may have been loading it."""
        table = await self._load(table_id)
        await self._mend_row(table)
        if table_id not in self._places:
            self._remember(Place(table))
        return self._places[table_id]

    async def _load(self, table_id: str) -> Table:
        data = await self.events.read(table_id)
        if not data:
            raise RefusedError("no_table", f"there is no table {table_id!r}")
        return Table.read(table_id, data)

    async def _mend_row(self, table: Table) -> None:
        """Catch up with what a crash left undone: the row is written after the event."""
        row = await self.events.row(table.id)
        if row is not None and row.state != table.state:
            await self.events.note(table.id, table.state, table.updated)

    def _remember(self, place: Place) -> None:
        most = self.config.tables_in_memory
        if len(self._places) >= most:
            for table_id, old in list(self._places.items()):
                if old.is_idle:
                    del self._places[table_id]
                if len(self._places) < most:
                    break
        self._places[place.table.id] = place
        self._watch(place)

    @property
    def open_places(self) -> int:
        """How many tables are in memory."""
        return len(self._places)

    async def lobby(self, most: int = 50) -> list[Table]:
        """The listed tables with a free seat, the newest first."""
        found = []
        for row in await self.events.rows(states=["open"], listed=True, most=most):
            with contextlib.suppress(RefusedError):  # deleted in this moment
                table = (await self.place(row.id)).table
                if any(chair.is_free for chair in table.chairs):
                    found.append(table)
        return found

    # --- Changing tables -------------------------------------------------------------------------

    async def create(self, options: TableOptions, device: str, address: str) -> Table:
        """Set up a table."""
        options = check_options(options)
        await self._check_address(address)
        created = Created(at=self.now(), options=options, server_seed=self.new_seed(), host=device)
        return await self._create(created, address)

    async def _check_address(self, address: str) -> None:
        most = self.config.tables_per_address
        rows = await self.events.rows(states=["open", "playing"], address=address, most=most)
        if len(rows) >= most:
            raise RefusedError("too_many_tables", f"at most {most} tables at a time; finish some")

    async def _create(self, created: Created, address: str) -> Table:
        while True:
            table = Table(self.new_id(), created)
            if await self.events.append(table.id, 1, encode(created), _row(table, address)):
                self.metrics.tables += 1
                self._remember(Place(table))
                _note(table, created)
                return table

    async def change(
        self, table_id: str, command: Callable[[Table], AnyEvent], version: int | None = None
    ) -> Table:
        """Check, store, apply, tell. With a *version*, only if the table still is at it."""
        place = await self.place(table_id)
        async with place.lock:
            table = place.table
            if version is not None and version != table.version:
                raise RefusedError("stale", "the table has changed since; catch up first")
            event = command(table)
            await self._happen(place, event)
        return place.table

    async def _happen(self, place: Place, event: AnyEvent) -> None:
        """Store an event that was checked, then apply and tell it."""
        table = place.table
        since, state = table.version, table.state
        if not await self.events.append(table.id, since + 1, encode(event)):
            # Somebody else wrote this version: the host, or another node.
            await self._reload(place)
            raise RefusedError("stale", "the table has changed since; catch up first")
        table.apply(event)
        self.metrics.events += 1
        _note(table, event)
        if isinstance(event, MovePlayed) and table.state == state:
            self._tell_move(place, since)
        else:
            self._tell_state(place)
        if table.state != state:
            await self.events.note(table.id, table.state, event.at)
        self._watch(place)

    async def rematch(self, table_id: str, changes: RematchOptions, device: str) -> Table:
        """Another match with the same people, at a table of its own."""
        place = await self.place(table_id)
        async with place.lock:
            old = place.table
            changed = {
                name: value
                for name, value in msgspec.structs.asdict(changes).items()
                if value is not msgspec.UNSET
            }
            options = msgspec.structs.replace(old.options, **changed)
            created = old.make_rematch(options, self.new_seed(), device, self.now())
            row = await self.events.row(table_id)
            new = await self._create(created, row.address if row else "")
            await self._happen(place, Rematched(at=self.now(), table=new.id))
        return new

    async def take_seat(
        self, table_id: str, name: str | None, device: str, seed: str, seat: Seat | None
    ) -> Seat:
        """Sit down; says at which seat."""
        taken: list[Seat] = []

        def command(table: Table) -> Seated:
            event = table.take_seat(name, device, seed, seat, self.now())
            taken.append(event.seat)
            return event

        await self.change(table_id, command)
        return taken[0]

    async def make_link(self, table_id: str, seat: Seat, device: str) -> SeatLink:
        """A secret that opens a seat on another device."""
        secret = self.new_secret()
        await self.change(
            table_id, lambda table: table.make_link(seat, device, digest(secret), self.now())
        )
        # Behind the # it stays in the browser: no log of a server or a proxy sees it.
        return SeatLink(table_id, seat, secret, f"/t/{table_id}#seat={secret}")

    # --- What others change ----------------------------------------------------------------------

    async def watch_log(self) -> None:
        """Notice soon what the host changed from the command line, or another node."""
        while self.config.look_seconds:
            await asyncio.sleep(self.config.look_seconds)
            await self._logged(self.look())

    async def look(self) -> None:
        """Bring the tables in memory in line with the log, if somebody else wrote to it."""
        if not await self.events.changed_elsewhere():
            return
        places = list(self._places.values())
        versions = await self.events.versions([place.table.id for place in places])
        for place in places:
            if place.table.version >= versions.get(place.table.id, math.inf):
                continue
            async with place.lock:
                # What was being written here meanwhile is no news.
                newest = (await self.events.versions([place.table.id])).get(place.table.id)
                if newest != place.table.version:
                    with contextlib.suppress(RefusedError):
                        await self._reload(place)

    async def _reload(self, place: Place) -> None:
        """Take a table from the log again, because it has changed there, and tell it."""
        try:
            place.table = await self._load(place.table.id)
        except RefusedError:
            self._drop(place, Bye("deleted", "this table is no longer there"))
            raise
        self._tell_state(place)
        self._watch(place)

    def _drop(self, place: Place, message: Bye) -> None:
        """Forget a table that is gone, and tell everyone there."""
        self._places.pop(place.table.id, None)
        for listener in place.listeners:
            listener.tell(_encode(message))
        place.listeners.clear()
        self._watch(place)

    async def clean_daily(self) -> None:
        """Let old tables go, once a day."""
        while True:
            await asyncio.sleep(FIRST_CLEANING)
            await self._logged(self.clean())
            await asyncio.sleep(DAY / 1000 - FIRST_CLEANING)

    async def clean(self) -> None:
        """Let old tables go, but for those where somebody is."""
        done = await clean(self.events, self.config, self.now(), self._let_go)
        self.metrics.deleted += done.deleted
        note("cleaned", deleted=done.deleted, archived=done.archived)

    def _let_go(self, table_id: str) -> bool:
        place = self._places.get(table_id)
        if place is not None and not place.is_idle:
            return False
        self._places.pop(table_id, None)
        return True

    # --- Telling ---------------------------------------------------------------------------------

    def _tell_move(self, place: Place, since: int) -> None:
        """Tell everyone the last move, each as its seats see it."""
        moment = Moment(place.table, place.told)
        told: dict[tuple[Seat, ...], bytes] = {}
        for listener in place.listeners:
            seats = tuple(place.table.seats_of(listener.device))
            if seats not in told:
                told[seats] = _encode(Eyes(place.table, seats, moment).moved(since, 1))
            listener.tell(told[seats])

    def _tell_state(self, place: Place) -> None:
        moment = Moment(place.table, place.told)
        for listener in place.listeners:
            listener.tell(self._state_for(place, listener.device, moment))

    def _state_for(self, place: Place, device: str | None, moment: Moment) -> bytes:
        """The whole state as a device may know it."""
        eyes = Eyes(place.table, place.table.seats_of(device), moment)
        return _encode(eyes.state(device, place.here, place.spectators))

    def catch_up(self, place: Place, device: str | None, version: int | None) -> bytes:
        """What a client needs that has *version*: nothing, the last moves, or everything."""
        table = place.table
        if version == table.version:
            return _encode(Current(table.version))
        if version is not None and version < table.version:
            missed = table.version - version
            # Of the last move of a match moves alone would not say that it is over.
            if table.state == "playing" and missed <= table.moves_in_a_row:
                eyes = Eyes(table, table.seats_of(device))
                return _encode(eyes.moved(version, missed))
        return self._state_for(place, device, Moment(table, place.told))

    # --- Coming and going ------------------------------------------------------------------------

    async def enter(self, table_id: str, listener: Listener, version: int | None) -> Place:
        """Come to a table: from now on the listener is told what happens there."""
        place = await self.place(table_id)
        # Between the state and the first message after it nothing may happen.
        async with place.lock:
            place.listeners.add(listener)
            listener.tell(self.catch_up(place, listener.device, version))
            self._tell_presence(place)
            self._watch(place)
        return place

    def leave(self, place: Place, listener: Listener) -> None:
        """Go away from a table."""
        place.listeners.discard(listener)
        self._tell_presence(place)
        self._watch(place)

    def _tell_presence(self, place: Place) -> None:
        message = _encode(Presence(sorted(place.here), place.spectators))
        for listener in place.listeners:
            listener.tell(message)

    def react(self, place: Place, seat: Seat, sign: str) -> None:
        """Pass a quick sign on."""
        message = _encode(Reaction(seat, sign))
        for listener in place.listeners:
            listener.tell(message)

    async def hint(self, place: Place, seat: Seat, version: int) -> list[HintMove]:
        """The best moves for a seat that is to move, from what it knows; off the event loop."""
        if version != place.table.version:
            raise RefusedError("stale", "the table has changed since; catch up first")
        if why := why_missing():
            raise RefusedError("no_kernel", f"hints need the native kernel: {why}")
        place.table.check_hint(seat)
        view = View.of(place.table.game, seat)
        async with self._thinking:
            return await asyncio.to_thread(think_of_hint, view)

    # --- What happens by itself ------------------------------------------------------------------

    def _watch(self, place: Place) -> None:
        """See to what comes next by itself: a bot's move, a clock, somebody away for too long."""
        if place.timer is not None:
            place.timer.cancel()
            place.timer = None
        table = place.table
        if table.state != "playing" or self.closing or self._places.get(table.id) is not place:
            return
        awake = bool(place.listeners) or table.options.clock_seconds is not None
        seat = table.waits_for_bot()
        if awake and (seat is not None or table.waits_for_nobody) and place.bot is None:
            place.bot = self._spawn(self._move_bot(place))
        due = self._next_deadline(place)
        if due is not None:
            delay = max(0.0, (due - self.now()) / 1000)
            loop = asyncio.get_running_loop()
            place.timer = loop.call_later(delay, lambda: self._spawn(self._time_out(place)))

    def _next_deadline(self, place: Place) -> int | None:
        """When the next person has run out of time, or was away for too long."""
        table, due = place.table, []
        seat = table.game.turn
        if table.options.clock_seconds and not table.game.over and not table.chairs[seat].bot:
            due.append(table.turn_began + 1000 * table.options.clock_seconds)
        if table.options.away_seconds:
            self._note_away(place)
            if place.listeners:
                due += [since + 1000 * table.options.away_seconds for since in place.away.values()]
        return min(due, default=None)

    def _note_away(self, place: Place) -> None:
        """Keep account of who is away; who has not come since a restart is so from then on."""
        now, here = self.now(), place.here
        away = [seat for seat in place.table.people if seat not in here]
        place.away = {seat: place.away.get(seat, now) for seat in away}

    async def _time_out(self, place: Place) -> None:
        """Let a bot play for whoever ran out of time or stays away."""
        async with place.lock:
            table, now = place.table, self.now()
            if table.state != "playing":
                return
            seat, options = table.game.turn, table.options
            late = options.clock_seconds and now >= table.turn_began + 1000 * options.clock_seconds
            if late and not table.game.over and not table.chairs[seat].bot:
                await self._happen(place, table.substitute(seat, "clock", now))
            for other, since in list(place.away.items()):
                gone = options.away_seconds and now >= since + 1000 * options.away_seconds
                if gone and place.listeners and not table.chairs[other].bot:
                    await self._happen(place, table.substitute(other, "away", now))
            self._watch(place)

    async def _move_bot(self, place: Place) -> None:
        """Let the bot that is to move think, off the event loop, and play what it chose."""
        try:
            await asyncio.sleep(self.config.bot_pause)
            table = place.table
            version, seat = table.version, table.waits_for_bot()
            if seat is None:
                if table.state == "playing" and table.waits_for_nobody:
                    await self.change(table.id, lambda t: t.next_round(self.now()), version)
                return
            name = table.chairs[seat].bot
            bot = make_bot(str(name), Rng.named("bot", table.seeds.server, version))
            view = View.of(table.game, seat)
            async with self._thinking:
                started = time.perf_counter()
                move = await asyncio.to_thread(bot.choose, view)
                self.metrics.bot_seconds += time.perf_counter() - started
            self.metrics.bot_moves += 1
            await self.change(
                table.id, lambda t: t.move(seat, str(move), self.now(), by_bot=True), version
            )
        except RefusedError:
            pass  # the table changed while the bot was thinking; it thinks again if it must
        finally:
            place.bot = None
            self._watch(place)

    def _spawn(self, work: Coroutine[None, None, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(self._logged(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _logged(self, work: Coroutine[None, None, None]) -> None:
        try:
            await work
        except asyncio.CancelledError:
            raise
        except Exception:
            self.metrics.errors += 1
            log.exception("something went wrong at a table")

    async def wake_clocks(self) -> None:
        """After a start: tables with a running clock go on by themselves, the latest first.

        Whoever comes meanwhile need not wait for that: it takes a third of the time at most.
        """
        for row in await self.events.rows(states=["playing"], clock=True, most=100_000):
            began = time.perf_counter()
            with contextlib.suppress(RefusedError):
                await self.place(row.id)
            await asyncio.sleep(2 * (time.perf_counter() - began))

    async def say_goodbye(self) -> None:
        """Before a stop: nothing begins by itself any more, and everyone is told.

        Changes that have begun are finished, and acknowledged before the goodbye.
        """
        self.closing = True
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        bye = _encode(Bye("restart", "the server stops; come back in a moment"))
        for place in list(self._places.values()):
            if place.timer is not None:
                place.timer.cancel()
            async with place.lock:
                for listener in list(place.listeners):
                    listener.tell(bye)
        await asyncio.sleep(0.05)  # every socket that is not stuck has sent it by now

    async def close(self) -> None:
        """Say goodbye, unless that was done, and finish what was begun."""
        if not self.closing:
            await self.say_goodbye()
        for place in list(self._places.values()):
            async with place.lock:  # a change that has begun is finished
                pass


def _note(table: Table, event: AnyEvent) -> None:
    """Log what happened, but not who did it with what."""
    say = detail if isinstance(event, MovePlayed) else note
    what = str(event.__struct_config__.tag)
    say("table", table=table.id, what=what, version=table.version, state=table.state)


def _row(table: Table, address: str) -> TableRow:
    return TableRow(
        id=table.id,
        state=table.state,
        listed=table.options.listed,
        address=address,
        created=table.created,
        updated=table.updated,
        clock=table.options.clock_seconds is not None,
    )


_encode = msgspec.json.Encoder().encode
