"""Telling people whose page is closed: their turn, an invitation, a reminder.

What has to be told is a note in the database, written when it becomes true and deleted when it was
told, or when there is no need to any more: the person has come back, or the turn is over. A note is
written once, so nobody is told twice; after a restart, what is left is told.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import logging
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from triomino.server.events import Claimed, Rematched, Reminded, Seated
from triomino.server.push_messages import PushKey, check_keys, encrypt, is_service
from triomino.server.quiet_hours import QuietHours
from triomino.server.table import RefusedError
from triomino.server.turn_clock import runs
from triomino.store.failure import StoreError
from triomino.store.keys import PUSHING, KeyStore
from triomino.store.pushes import Note, PushStore, Subscription
from triomino.words import ENGLISH, LanguageError, Words, language_named

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from triomino.protocol.api import PushSubscription
    from triomino.rules import Seat
    from triomino.server.cluster import Cluster
    from triomino.server.config import Config
    from triomino.server.events import AnyEvent
    from triomino.server.metrics import Metrics
    from triomino.server.open_tables import OpenTable, OpenTables
    from triomino.server.push_line import Answer, PushLine
    from triomino.server.table import Table
    from triomino.server.troubles import Troubles
    from triomino.store.log import EventLog

log = logging.getLogger("triomino.server")

WISHES: Final = ("turns", "invitations", "reminders")
WISH_OF: Final = {
    "turn": "turns",
    "round": "turns",
    "over": "turns",
    "came": "invitations",
    "rematch": "invitations",
    "reminded": "reminders",
    "soon": "reminders",
}
"""Which wish each kind of note belongs to."""

SLOW: Final = 3600
"""From so many seconds for a turn on, people are reminded before their time is over."""
SOON: Final = 0.75
"""The part of the time after which they are."""

BATCH: Final = 100
KEPT_SECONDS: Final = 24 * 3600
"""How long a push service keeps a message for a browser that it cannot reach."""
TRIES: Final = 6
FIRST_DELAY: Final = 15_000
"""Milliseconds until a message is tried again; twice as long after every failure."""
MOST_DELAY: Final = 3_600_000
CLAIMED: Final = 300_000
"""Milliseconds for which nobody else sends a note that a server sends; if it dies, others do later.

Longer than servers' clocks differ: without the bus all of them send what is due.
"""
LEAST_SECONDS: Final = 0.5
"""Between two looks."""
LOOK_SECONDS: Final = 30.0
"""How often to look for notes at least: another server may have written some."""
LOOK_BESIDE: Final = 2.0
"""The same where there are other servers."""


class Moment(NamedTuple):
    """What decides whether somebody has to be told something."""

    turn: tuple[int, Seat] | None
    """The turn that a person has to play, and the seat."""
    is_over: bool
    """Whether the round is over, or the match."""


def moment_of(table: Table) -> Moment:
    """The present moment of a table."""
    turn = (table.turn_id, table.game.turn) if runs(table) else None
    return Moment(turn, table.match is not None and table.game.over)


class Pushes:
    """Writes the notes of a server's tables, and sends them."""

    def __init__(
        self,
        config: Config,
        events: EventLog,
        tables: OpenTables,
        cluster: Cluster,
        metrics: Metrics,
        *,
        troubles: Troubles,
        now: Callable[[], int],
    ) -> None:
        self.store, self._keys = PushStore(events), KeyStore(events)
        self._config, self._tables, self._cluster = config, tables, cluster
        self._metrics, self._troubles, self._now = metrics, troubles, now
        listed = (one.strip() for one in config.push_services.split(","))
        self.services = [one for one in listed if one]
        """The push services that this server sends to."""
        self._key: PushKey | None = None
        self._line: PushLine | None = None
        self._wake = asyncio.Event()
        self._writing: set[asyncio.Task[None]] = set()
        self._is_sending = False

    async def key(self) -> PushKey:
        """The key of this server; it is made once and kept in the database."""
        if self._key is None:
            fresh = PushKey.new_secret()
            secret = await self._keys.get(fresh, self._now(), PUSHING)
            self._key = PushKey(secret)
        return self._key

    # --- Subscriptions ---------------------------------------------------------------------------

    async def subscribe(self, device: str, body: PushSubscription, address: str) -> None:
        """Tell a device from now on; what it said before is forgotten."""
        if not is_service(body.endpoint, self.services):
            raise RefusedError("no_push_service", "this server does not know that push service")
        check_keys(body.p256dh, body.auth)
        known = device in await self.store.get([device])
        most = self._config.pushes_per_address
        if not known and await self.store.count(address) >= most:
            raise RefusedError("too_many_pushes", f"at most {most} devices of one address are told")
        hours = body.quiet
        quiet = "" if hours is None else str(QuietHours(hours.begin, hours.end, hours.offset))
        new = Subscription(
            device=device,
            endpoint=body.endpoint,
            p256dh=body.p256dh,
            auth=body.auth,
            language=body.language,
            wishes=",".join(wish for wish in WISHES if wish in body.wishes),
            quiet=quiet,
            address=address,
            made=self._now(),
        )
        await self.store.put(new)

    # --- Notes -----------------------------------------------------------------------------------

    def changed(self, opened: OpenTable, before: Moment, event: AnyEvent) -> None:
        """Note what those who are not connected have to be told after a change of their table."""
        notes = list(self._notes(opened, before, event))
        if notes:
            work = self._troubles.watch(self._write(notes), self._metrics)
            task = asyncio.create_task(work)
            self._writing.add(task)
            task.add_done_callback(self._writing.discard)

    def _notes(self, opened: OpenTable, before: Moment, event: AnyEvent) -> Iterator[Note]:
        table, now = opened.table, self._now()
        after = moment_of(table)
        if after.turn is not None and after.turn != before.turn:
            (number, seat), limit = after.turn, table.options.clock_seconds
            yield from self._to_absent(opened, [seat], "turn", number, now)
            if limit is not None and limit >= SLOW:
                due = now + int(1000 * SOON * limit) - table.turn_spent
                yield from self._to_absent(opened, [seat], "soon", number, due)
        elif after.is_over and not before.is_over:
            kind = "over" if table.state == "finished" else "round"
            yield from self._to_absent(opened, table.people, kind, table.ply, now)
        if isinstance(event, Reminded):
            yield from self._to_absent(opened, [event.seat], "reminded", table.version, now)
        elif isinstance(event, Rematched):
            yield from self._to_absent(opened, table.people, "rematch", table.version, now)
        elif isinstance(event, Seated | Claimed) and table.state == "open":
            others = [seat for seat in table.people if seat != event.seat]
            yield from self._to_absent(opened, others, "came", table.version, now)

    def _to_absent(
        self, opened: OpenTable, seats: Iterable[Seat], kind: str, number: int, due: int
    ) -> Iterator[Note]:
        """A note for every device of those seats, unless its person is connected."""
        for seat in seats:
            if not opened.is_here(seat):
                for device in opened.table.chairs[seat].owners:
                    yield Note(device, opened.table.id, kind, number, due)

    async def _write(self, notes: list[Note]) -> None:
        """Store the notes that somebody wishes, to be told after that person's quiet hours."""
        known = await self.store.get({note.device for note in notes})
        wished = []
        for note in notes:
            found = known.get(note.device)
            if found is not None and WISH_OF[note.kind] in found.wishes.split(","):
                quiet = QuietHours.parse(found.quiet)
                due = note.due if quiet is None else quiet.after(note.due)
                wished.append(Note(note.device, note.table_id, note.kind, note.number, due))
        if wished:
            await self.store.add(wished)
            self.look()

    # --- Sending ---------------------------------------------------------------------------------

    @property
    def is_busy(self) -> bool:
        """Whether notes are being written, looked for or sent now."""
        return bool(self._writing) or self._wake.is_set() or self._is_sending

    def look(self) -> None:
        """Look now for what is due."""
        self._wake.set()

    async def run(self) -> None:
        """Send what is due, for ever."""
        try:
            while True:
                delay = LOOK_BESIDE if self._cluster.bus is not None else LOOK_SECONDS
                # Of several servers one sends.
                if self._cluster.leases.holds("pushes"):
                    self._is_sending = True
                    try:
                        delay = min(delay, await self._send_due())
                    except StoreError as error:
                        self._troubles.log_failure(error)
                    finally:
                        self._is_sending = False
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._wake.wait(), delay)
                self._wake.clear()
        finally:
            if self._line is not None:
                await self._line.close()

    async def _send_due(self) -> float:
        """Send what is due now; return the seconds until the next is."""
        notes = await self.store.due(self._now(), BATCH)
        if notes and self._line is None:
            self._line = await asyncio.to_thread(_open_line)
        known = await self.store.get({note.device for note in notes})
        watch, metrics = self._troubles.watch, self._metrics
        await asyncio.gather(
            *(watch(self._tell(note, known.get(note.device)), metrics) for note in notes)
        )
        following = await self.store.next_due()
        if following is None:
            return LOOK_SECONDS
        # What could not be settled is due still.
        return max(LEAST_SECONDS, (following - self._now()) / 1000)

    async def _tell(self, note: Note, to: Subscription | None) -> None:
        """Send one note; one that cannot be sent at all is not tried for ever."""
        try:
            await self._send(note, to)
        except StoreError:
            raise
        except Exception:
            await self.store.done(note)
            raise

    async def _send(self, note: Note, to: Subscription | None) -> None:
        """Send one note, if its person still has to be told."""
        if not await self.store.claim(note, self._now() + CLAIMED):
            return  # another server sends it
        text = None if to is None else await self._text(note, to)
        if to is None or text is None or self._line is None:
            await self.store.done(note)
            return
        until = self._now() // 1000 + 12 * 3600
        headers = {
            "authorization": (await self.key()).authorization(to.endpoint, self._contact, until),
            "content-encoding": "aes128gcm",
            "content-type": "application/octet-stream",
            "ttl": str(KEPT_SECONDS),
            # What could not be delivered yet is replaced by what is new at the same table.
            "topic": hashlib.sha256(note.table_id.encode()).hexdigest()[:32],
            "urgency": "normal",
        }
        content = encrypt(text, to.p256dh, to.auth)
        await self._settle(note, to, await self._line.send(to.endpoint, headers, content))

    async def _settle(self, note: Note, to: Subscription, answer: Answer) -> None:
        """Do what the answer of a push service asks for."""
        status, metrics = answer.status, self._metrics
        if 200 <= status < 300:
            metrics.pushes += 1
            await self.store.done(note)
        elif status in (401, 403, 404, 410):
            # The browser has ended it, or it was made for another key.
            metrics.pushes_gone += 1
            await self.store.forget(to.device, to.endpoint)
        elif (status == 429 or status >= 500) and note.tries + 1 < TRIES:
            delay = max(FIRST_DELAY * 2**note.tries, 1000 * answer.retry_after)
            await self.store.postpone(note, self._now() + min(delay, MOST_DELAY))
        else:
            metrics.pushes_failed += 1
            log.warning("a push service did not take a message: %d", status)
            await self.store.done(note)

    @property
    def _contact(self) -> str:
        """How a push service reaches the host: by mail, or at an https address."""
        url = self._config.public_url or ""
        known = self._config.push_contact or (url if url.startswith("https://") else "")
        return known or "mailto:host@triomino.invalid"

    async def _text(self, note: Note, to: Subscription) -> bytes | None:
        """What to show, in the language of the device; ``None`` if there is no need any more."""
        try:
            # Another server may have written what the note is about a moment ago.
            opened = await self._tables.open(note.table_id, note.number)
        except RefusedError:
            return None
        table = opened.table
        seats = table.seats_of(to.device)
        if not seats or to.device in opened.devices or not _is_true(table, note, seats):
            return None
        try:
            words = Words(language_named(to.language))
        except LanguageError:
            words = Words(ENGLISH)
        others = [chair.name for seat, chair in enumerate(table.chairs) if seat not in seats]
        where = table.rematch if note.kind == "rematch" and table.rematch else table.id
        shown = {
            "title": words.say("app"),
            "body": words.say(f"push.{note.kind}", names=", ".join(filter(None, others))),
            "off": words.say("push.off"),
            "path": f"t/{where}",
            "tag": table.id,
            "language": words.language,
        }
        return msgspec.json.encode(shown)


def _open_line() -> PushLine:
    """Open a line in a thread: loading all certificates takes a moment."""
    from triomino.server.push_line import PushLine  # noqa: PLC0415

    return PushLine()


def _is_true(table: Table, note: Note, seats: list[Seat]) -> bool:
    """Whether what a note says still holds."""
    if note.kind in ("turn", "soon"):
        turn = moment_of(table).turn
        return turn is not None and turn[0] == note.number and turn[1] in seats
    if note.kind == "round":
        return table.state == "playing" and table.ply == note.number
    if note.kind == "reminded":
        return any(table.chairs[seat].reminder is not None for seat in seats)
    return table.state == "open" if note.kind == "came" else True
