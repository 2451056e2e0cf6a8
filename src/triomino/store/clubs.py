"""The logs of club evenings: append an event at a version, read the events of an evening."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import delete, func, select, update
from sqlalchemy.exc import IntegrityError

from triomino.store.cells import cell_bytes, untyped
from triomino.store.schema import club_events, clubs

if TYPE_CHECKING:
    from triomino.store.log import EventLog


class ClubStore:
    """The evenings in an open database."""

    def __init__(self, log: EventLog) -> None:
        self._log = log

    async def add(self, club: str, address: str, data: bytes, at: int) -> None:
        """Store a new evening with its first event."""
        async with self._log.writing() as connection:
            await connection.execute(clubs.insert().values(id=club, address=address, updated=at))
            await connection.execute(
                club_events.insert().values(club_id=club, version=1, data=data)
            )

    async def append(self, club: str, version: int, data: bytes, at: int) -> bool:
        """Write an event durably; return ``False`` if that version is taken."""
        try:
            async with self._log.writing() as connection:
                await connection.execute(
                    club_events.insert().values(club_id=club, version=version, data=data)
                )
                await connection.execute(update(clubs).where(clubs.c.id == club).values(updated=at))
        except IntegrityError:
            return False
        return True

    async def events(self, club: str, after: int = 0) -> list[bytes]:
        """The events of an evening after a version, in order; empty if there is none."""
        query = (
            select(untyped(club_events.c.data))
            .where(club_events.c.club_id == club, club_events.c.version > after)
            .order_by(club_events.c.version)
        )
        async with self._log.reading() as connection:
            return [cell_bytes(data) for (data,) in await connection.execute(query)]

    async def count(self, address: str, since: int) -> int:
        """How many evenings from an address have changed since a time."""
        query = select(func.count()).select_from(clubs)
        query = query.where(clubs.c.address == address, clubs.c.updated >= since)
        async with self._log.reading() as connection:
            return int(await connection.scalar(query) or 0)

    async def forget(self, before: int) -> int:
        """Delete the evenings at which nothing has happened since a time; return how many."""
        old = select(clubs.c.id).where(clubs.c.updated < before)
        async with self._log.writing() as connection:
            await connection.execute(delete(club_events).where(club_events.c.club_id.in_(old)))
            gone = await connection.execute(delete(clubs).where(clubs.c.updated < before))
            return gone.rowcount
