"""Browsers that are told when they are closed, and what is still to be told, in the database."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from sqlalchemy import delete, func, select, update

from triomino.store.schema import push_notes, push_subscriptions
from triomino.store.upsert import insert_or_nothing

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sqlalchemy import ColumnElement

    from triomino.store.log import EventLog


@dataclass(frozen=True, slots=True)
class Subscription:
    """Where the browser of a device can be told something, and what it wishes to be told."""

    device: str
    endpoint: str
    """The address of the push service, which is a secret: whoever has it can push."""
    p256dh: str
    auth: str
    language: str
    wishes: str
    """The kinds of wishes, separated by commas."""
    quiet: str
    """The quiet hours, or empty; see :mod:`triomino.server.quiet_hours`."""
    address: str
    made: int


@dataclass(frozen=True, slots=True)
class Note:
    """Something that a device is to be told once."""

    device: str
    table_id: str
    kind: str
    number: int
    """The version of the table at which it became true."""
    due: int
    tries: int = 0


class PushStore:
    """The subscriptions and notes in an open database."""

    def __init__(self, log: EventLog) -> None:
        self._log = log

    async def put(self, new: Subscription) -> None:
        """Store the subscription of a device, in place of the one that it had."""
        async with self._log.writing() as connection:
            await connection.execute(
                delete(push_subscriptions).where(push_subscriptions.c.device == new.device)
            )
            await connection.execute(push_subscriptions.insert().values(asdict(new)))

    async def get(self, devices: Iterable[str]) -> dict[str, Subscription]:
        """The subscriptions of those devices that have one."""
        query = select(push_subscriptions).where(push_subscriptions.c.device.in_(list(devices)))
        async with self._log.reading() as connection:
            rows = await connection.execute(query)
            return {row.device: Subscription(**row._mapping) for row in rows}

    async def count(self, address: str) -> int:
        """How many subscriptions were made from an address."""
        query = (
            select(func.count())
            .select_from(push_subscriptions)
            .where(push_subscriptions.c.address == address)
        )
        async with self._log.reading() as connection:
            return int(await connection.scalar(query) or 0)

    async def forget(self, device: str, endpoint: str | None = None) -> None:
        """Delete the subscription of a device with all its notes.

        With an *endpoint* only if it still has that one: it may have come back with another.
        """
        condition = push_subscriptions.c.device == device
        if endpoint is not None:
            condition &= push_subscriptions.c.endpoint == endpoint
        async with self._log.writing() as connection:
            gone = await connection.execute(delete(push_subscriptions).where(condition))
            if gone.rowcount:
                await connection.execute(delete(push_notes).where(push_notes.c.device == device))

    async def forget_old(self, before: int) -> int:
        """Delete the subscriptions that were not renewed since a time; return how many."""
        old = select(push_subscriptions.c.device).where(push_subscriptions.c.made < before)
        async with self._log.writing() as connection:
            await connection.execute(delete(push_notes).where(push_notes.c.device.in_(old)))
            gone = delete(push_subscriptions).where(push_subscriptions.c.made < before)
            return (await connection.execute(gone)).rowcount

    async def add(self, notes: Iterable[Note]) -> None:
        """Store notes; one that is there already stays as it is."""
        async with self._log.writing() as connection:
            rows = [asdict(note) for note in notes]
            await connection.execute(insert_or_nothing(connection, push_notes), rows)

    async def due(self, now: int, most: int) -> list[Note]:
        """The notes that are due, the oldest first."""
        query = (
            select(push_notes).where(push_notes.c.due <= now).order_by(push_notes.c.due).limit(most)
        )
        async with self._log.reading() as connection:
            return [Note(**row._mapping) for row in await connection.execute(query)]

    async def next_due(self) -> int | None:
        """When the next note is due."""
        async with self._log.reading() as connection:
            found = await connection.scalar(select(func.min(push_notes.c.due)))
        return None if found is None else int(found)

    async def claim(self, note: Note, until: int) -> bool:
        """Let nobody else send a note before a time; return whether nobody else has done so."""
        mine = update(push_notes).where(_same(note) & (push_notes.c.due == note.due))
        async with self._log.writing() as connection:
            return (await connection.execute(mine.values(due=until))).rowcount > 0

    async def done(self, note: Note) -> None:
        """Delete a note: it was told, or there is no need to any more."""
        async with self._log.writing() as connection:
            await connection.execute(delete(push_notes).where(_same(note)))

    async def postpone(self, note: Note, due: int) -> None:
        """Try a note again later."""
        async with self._log.writing() as connection:
            later = update(push_notes).where(_same(note))
            await connection.execute(later.values(due=due, tries=note.tries + 1))


def _same(note: Note) -> ColumnElement[bool]:
    columns = push_notes.c
    return (
        (columns.device == note.device)
        & (columns.table_id == note.table_id)
        & (columns.kind == note.kind)
        & (columns.number == note.number)
    )
