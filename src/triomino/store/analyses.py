"""What was found of matches, beside the tables in the same database."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlalchemy import delete, select

from triomino.store.schema import analyses

if TYPE_CHECKING:
    from triomino.store.log import EventLog

RECORD: Final = "record:"
"""How the id begins where a match came as a record and not from a table."""


class AnalysisStore:
    """The analyses of a database that is open."""

    def __init__(self, log: EventLog) -> None:
        self._log = log

    async def read(self, match: str, form: int) -> bytes | None:
        """What was found of a match, if it was written down in this form."""
        query = select(analyses.c.data).where(analyses.c.id == match, analyses.c.form == form)
        async with self._log.reading() as connection:
            found = (await connection.execute(query)).scalar()
        return None if found is None else bytes(found)

    async def write(self, match: str, form: int, data: bytes, at: int) -> None:
        """Keep what was found, in place of what was there."""
        async with self._log.writing() as connection:
            await connection.execute(delete(analyses).where(analyses.c.id == match))
            values = {"id": match, "form": form, "made": at, "data": data}
            await connection.execute(analyses.insert().values(values))

    async def forget(self, before: int) -> int:
        """Delete those of records from before a time; says how many."""
        old = delete(analyses).where(analyses.c.id.startswith(RECORD), analyses.c.made < before)
        async with self._log.writing() as connection:
            return (await connection.execute(old)).rowcount
