"""What people report to the host, and whom the host refuses, in the database."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from sqlalchemy import and_, delete, func, select, update

from triomino.store.schema import bans, reports

if TYPE_CHECKING:
    from collections.abc import Callable

    from triomino.store.log import EventLog

REPORTS_A_DAY: Final = 20
"""Of one person; further ones are refused."""

DAY: Final = 24 * 3600 * 1000


@dataclass(frozen=True, slots=True)
class Report:
    """Something that somebody told the host."""

    id: str
    reporter: str
    about: str
    table_id: str
    seat: int
    reason: str
    at: int
    handled: int | None


@dataclass(frozen=True, slots=True)
class Ban:
    """Who is refused until a time."""

    kind: str
    subject: str
    until: int


class DecencyStore:
    """The reports and bans in an open database."""

    def __init__(self, log: EventLog, now: Callable[[], int]) -> None:
        self._log, self._now = log, now

    async def report(self, reporter: str, about: str, table: str, seat: int, reason: str) -> bool:
        """Store a report; return ``False`` if this person has made too many today.

        The same once more, while nobody has looked at it, changes nothing.
        """
        columns, now = reports.c, self._now()
        mine = columns.reporter == reporter
        async with self._log.writing() as connection:
            today = select(func.count()).select_from(reports).where(mine, columns.at > now - DAY)
            if int(await connection.scalar(today) or 0) >= REPORTS_A_DAY:
                return False
            same = select(columns.id).where(
                mine,
                columns.table_id == table,
                columns.seat == seat,
                columns.reason == reason,
                columns.handled.is_(None),
            )
            if await connection.scalar(same.limit(1)) is None:
                await connection.execute(
                    reports.insert().values(
                        id=secrets.token_urlsafe(12),
                        reporter=reporter,
                        about=about,
                        table_id=table,
                        seat=seat,
                        reason=reason,
                        at=now,
                    )
                )
        return True

    async def reports(self, most: int = 200) -> list[Report]:
        """The reports, those that nobody has looked at first, then the latest."""
        query = select(reports).order_by(reports.c.handled.is_not(None), reports.c.at.desc())
        async with self._log.reading() as connection:
            rows = (await connection.execute(query.limit(most))).mappings()
            return [Report(**row) for row in rows]

    async def reports_by(self, person: str) -> list[Report]:
        """What a person has reported."""
        query = select(reports).where(reports.c.reporter == person).order_by(reports.c.at)
        async with self._log.reading() as connection:
            return [Report(**row) for row in (await connection.execute(query)).mappings()]

    async def handle(self, report: str) -> bool:
        """Mark a report as looked at; return whether it is there."""
        change = update(reports).where(reports.c.id == report).values(handled=self._now())
        async with self._log.writing() as connection:
            return (await connection.execute(change)).rowcount > 0

    async def ban(self, kind: str, subject: str, until: int) -> None:
        """Refuse somebody until a time."""
        which = and_(bans.c.kind == kind, bans.c.subject == subject)
        new = {"kind": kind, "subject": subject, "until": until, "made": self._now()}
        async with self._log.writing() as connection:
            await connection.execute(delete(bans).where(which))
            await connection.execute(bans.insert().values(new))

    async def lift(self, kind: str, subject: str) -> bool:
        """End a ban; return whether there was one."""
        which = and_(bans.c.kind == kind, bans.c.subject == subject)
        async with self._log.writing() as connection:
            return (await connection.execute(delete(bans).where(which))).rowcount > 0

    async def bans(self) -> list[Ban]:
        """The bans that have not ended."""
        query = select(bans.c.kind, bans.c.subject, bans.c.until).where(bans.c.until > self._now())
        async with self._log.reading() as connection:
            rows = (await connection.execute(query.order_by(bans.c.until))).mappings()
            return [Ban(**row) for row in rows]
