"""Stored live sheets, in the database of the tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import delete, func, select, update

from triomino.store.cells import cell_bytes, untyped
from triomino.store.schema import pad_acts, pads

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triomino.store.log import EventLog


@dataclass(frozen=True, slots=True)
class PadRow:
    """What the store knows about a pad without reading its steps."""

    id: str
    secret: str
    """The digest of the secret that lets one write."""
    address: str
    updated: int


class PadStore:
    """The pads in an open database."""

    def __init__(self, log: EventLog) -> None:
        self._log = log

    async def add(self, row: PadRow) -> None:
        """Store a new pad without steps."""
        async with self._log.writing() as connection:
            await connection.execute(
                pads.insert().values(
                    id=row.id, secret=row.secret, address=row.address, updated=row.updated
                )
            )

    async def row(self, pad: str) -> PadRow | None:
        """The row of a pad, or ``None`` if there is no such pad."""
        async with self._log.reading() as connection:
            found = (await connection.execute(select(pads).where(pads.c.id == pad))).first()
        return PadRow(**found._mapping) if found else None

    async def count(self, address: str) -> int:
        """How many pads were made from an address."""
        query = select(func.count()).select_from(pads).where(pads.c.address == address)
        async with self._log.reading() as connection:
            return int(await connection.scalar(query) or 0)

    async def acts(self, pad: str, after: int = 0) -> list[bytes]:
        """The steps of a pad after the first *after*, in order."""
        query = (
            select(untyped(pad_acts.c.data))
            .where(pad_acts.c.pad_id == pad, pad_acts.c.number >= after)
            .order_by(pad_acts.c.number)
        )
        async with self._log.reading() as connection:
            return [cell_bytes(data) for (data,) in await connection.execute(query)]

    async def append(self, pad: str, since: int, acts: Sequence[bytes], at: int) -> None:
        """Write steps from number *since* on, all of them or none."""
        rows = [
            {"pad_id": pad, "number": since + index, "data": data}
            for index, data in enumerate(acts)
        ]
        async with self._log.writing() as connection:
            await connection.execute(pad_acts.insert(), rows)
            await connection.execute(update(pads).where(pads.c.id == pad).values(updated=at))

    async def forget(self, before: int) -> int:
        """Delete the pads last written before a time; return how many."""
        old = select(pads.c.id).where(pads.c.updated < before)
        async with self._log.writing() as connection:
            await connection.execute(delete(pad_acts).where(pad_acts.c.pad_id.in_(old)))
            return (await connection.execute(delete(pads).where(pads.c.updated < before))).rowcount
