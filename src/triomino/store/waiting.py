"""Who waits to play now, in the database: one place for each person, on all servers."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from statistics import median
from typing import TYPE_CHECKING, Final

from sqlalchemy import delete, select, update

from triomino.store.schema import waiting, waits
from triomino.store.upsert import insert_or_nothing

if TYPE_CHECKING:
    from collections.abc import Collection

    from triomino.store.log import EventLog

LATELY: Final = 3_600_000
"""Milliseconds after which nobody is told any more how long others waited."""

ENOUGH: Final = 3
"""Waits of others that it takes to tell how long it may be."""


@dataclass(frozen=True, slots=True)
class WaitingRow:
    """Somebody who waits, or plays at the table that came of it."""

    person: str
    device: str
    name: str
    edition: str
    players: int
    since: int
    seen: int
    """When this person was last connected."""
    bots: bool = False
    table_id: str | None = None
    paired: int | None = None
    """When the table was found."""


class WaitingStore:
    """The queue in an open database."""

    def __init__(self, log: EventLog) -> None:
        self._log = log

    async def add(self, row: WaitingRow, grace: int) -> WaitingRow:
        """Take a place in the queue, or return the one that this person has.

        Who waits for something else now, or was gone for longer than *grace*, begins anew.
        """
        own = waiting.c.person == row.person
        async with self._log.writing() as connection:
            other = (waiting.c.edition != row.edition) | (waiting.c.players != row.players)
            old = waiting.c.seen < row.seen - grace
            await connection.execute(
                delete(waiting).where(own, waiting.c.table_id.is_(None), other | old)
            )
            await connection.execute(insert_or_nothing(connection, waiting), [asdict(row)])
            await connection.execute(
                update(waiting)
                .where(own, waiting.c.table_id.is_(None))
                .values(seen=row.seen, device=row.device)
            )
            found = (await connection.execute(select(waiting).where(own))).one()
        return WaitingRow(**found._mapping)

    async def all(self) -> list[WaitingRow]:
        """Everybody, those who came first in front."""
        query = select(waiting).order_by(waiting.c.since, waiting.c.person)
        async with self._log.reading() as connection:
            return [WaitingRow(**row._mapping) for row in await connection.execute(query)]

    async def get(self, person: str) -> WaitingRow | None:
        """The place of a person."""
        async with self._log.reading() as connection:
            rows = await connection.execute(select(waiting).where(waiting.c.person == person))
            row = rows.first()
        return None if row is None else WaitingRow(**row._mapping)

    async def see(self, people: Collection[str], at: int) -> None:
        """These people are still connected."""
        # Whoever is being given a table meanwhile need not be seen. Waiting for that, a server
        # could hold the rows that others wait for, in another order.
        here = select(waiting.c.person).where(waiting.c.person.in_(people))
        async with self._log.writing() as connection:
            await connection.execute(
                update(waiting)
                .where(waiting.c.person.in_(here.with_for_update(skip_locked=True)))
                .values(seen=at)
            )

    async def take_bots(self, person: str) -> None:
        """This person does not want to wait for others any longer."""
        async with self._log.writing() as connection:
            own = (waiting.c.person == person) & waiting.c.table_id.is_(None)
            await connection.execute(update(waiting).where(own).values(bots=True))

    async def leave(self, person: str) -> None:
        """Give a place up; who has a table already keeps that."""
        async with self._log.writing() as connection:
            own = (waiting.c.person == person) & waiting.c.table_id.is_(None)
            await connection.execute(delete(waiting).where(own))

    async def pair(
        self, people: Collection[str], table: str, at: int, *, fresh: int, old: str | None = None
    ) -> bool:
        """Give people a table, all of them or nobody.

        ``False`` if one has gone, has not been seen since *fresh*, or has another table already.
        With *old* those who had that one are given the new table.
        """
        free = waiting.c.table_id.is_(None) & (waiting.c.seen >= fresh)
        if old is not None:
            free |= waiting.c.table_id == old
        chosen = waiting.c.person.in_(people) & free
        async with self._log.writing() as connection:
            query = select(waiting).where(chosen).order_by(waiting.c.person).with_for_update()
            rows = (await connection.execute(query)).all()
            if len(rows) < len(people):
                return False
            await connection.execute(
                update(waiting).where(chosen).values(table_id=table, paired=at)
            )
            waited = [
                {
                    "person": row.person,
                    "at": at,
                    "edition": row.edition,
                    "players": row.players,
                    "waited": at - row.since,
                }
                for row in rows
                if row.table_id is None and not row.bots
            ]
            await connection.execute(delete(waits).where(waits.c.at < at - LATELY))
            if waited:
                await connection.execute(insert_or_nothing(connection, waits), waited)
        return True

    async def release(self, table: str, back: Collection[str], at: int) -> None:
        """A table comes to nothing, or is over: the people in *back* wait again as before."""
        there = waiting.c.table_id == table
        async with self._log.writing() as connection:
            if back:
                await connection.execute(
                    update(waiting)
                    .where(there, waiting.c.person.in_(back))
                    .values(table_id=None, paired=None, seen=at)
                )
            await connection.execute(delete(waiting).where(there))

    async def wait_on(self, person: str, table: str, at: int) -> None:
        """The table of a person came to nothing: this one waits again as before."""
        async with self._log.writing() as connection:
            own = (waiting.c.person == person) & (waiting.c.table_id == table)
            await connection.execute(
                update(waiting).where(own).values(table_id=None, paired=None, seen=at)
            )

    async def go_back(self, new: str, old: str, people: Collection[str]) -> None:
        """Undo a pairing at a *new* table: these *people* play on at the *old* one."""
        there = waiting.c.table_id == new
        async with self._log.writing() as connection:
            back = update(waiting).where(there, waiting.c.person.in_(people))
            await connection.execute(back.values(table_id=old))
            await connection.execute(
                update(waiting).where(there).values(table_id=None, paired=None)
            )

    async def drop(self, person: str, table: str) -> None:
        """A person has nothing to do with a table any more."""
        async with self._log.writing() as connection:
            own = (waiting.c.person == person) & (waiting.c.table_id == table)
            await connection.execute(delete(waiting).where(own))

    async def forget(self, before: int) -> int:
        """Delete those who wait and were not seen since; return how many."""
        async with self._log.writing() as connection:
            gone = await connection.execute(
                delete(waiting).where(waiting.c.table_id.is_(None), waiting.c.seen < before)
            )
            return gone.rowcount

    async def usual(self, edition: str, players: int, now: int) -> int | None:
        """The median of how long others waited for the same lately, in milliseconds."""
        query = select(waits.c.waited).where(
            waits.c.edition == edition, waits.c.players == players, waits.c.at >= now - LATELY
        )
        async with self._log.reading() as connection:
            known = [int(waited) for (waited,) in await connection.execute(query)]
        return int(median(known)) if len(known) >= ENOUGH else None
