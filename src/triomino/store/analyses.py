"""Stored analyses of matches, in the database of the tables."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

from sqlalchemy import delete, select

from triomino.store.cells import cell_bytes, untyped
from triomino.store.schema import analyses

if TYPE_CHECKING:
    from triomino.store.log import EventLog

RECORD: Final = "record:"
"""The prefix of the id of a match that came as a record, not from a table."""


class AnalysisStore:
    """The analyses in an open database."""

    def __init__(self, log: EventLog) -> None:
        self._log = log

    async def read(self, match: str, form: int) -> bytes | None:
        """The stored analysis of a match, or ``None`` if its format is another one."""
        query = select(untyped(analyses.c.data)).where(
            analyses.c.id == match, analyses.c.form == form
        )
        async with self._log.reading() as connection:
            found = (await connection.execute(query)).scalar()
        return None if found is None else cell_bytes(found)

    async def write(self, match: str, form: int, data: bytes, at: int) -> None:
        """Store an analysis in place of an older one."""
        async with self._log.writing() as connection:
            values = {"form": form, "made": at, "data": data}
            dialect = import_module(f"sqlalchemy.dialects.{connection.dialect.name}")
            insert = dialect.insert(analyses).values(id=match, **values)
            await connection.execute(
                insert.on_conflict_do_update(index_elements=["id"], set_=values)
            )

    async def forget(self, before: int) -> int:
        """Delete analyses of records made before a time; return how many."""
        old = delete(analyses).where(analyses.c.id.startswith(RECORD), analyses.c.made < before)
        async with self._log.writing() as connection:
            return (await connection.execute(old)).rowcount
