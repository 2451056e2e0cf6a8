"""The keys of a server, in the database of its tables."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

from sqlalchemy import delete, select

from triomino.store.schema import keys

if TYPE_CHECKING:
    from triomino.store.log import EventLog

SIGNING: Final = "signing"
"""Signs the openings of fair deals."""
PUSHING: Final = "pushing"
"""Known to push services."""
PHRASES: Final = "phrases"
"""Makes the ids under which recovery phrases are stored."""
HOST: Final = "host"
"""The digest of the key that opens the host's page."""


class KeyStore:
    """The keys in an open database."""

    def __init__(self, log: EventLog) -> None:
        self._log = log

    async def get(self, fresh: bytes, at: int, name: str = SIGNING) -> bytes:
        """The secret of a key; *fresh* becomes it if there is none.

        Of several servers that start at the same time on one database, all get the same.
        """
        known = await self._read(name)
        if known is None:
            async with self._log.writing() as connection:
                dialect = import_module(f"sqlalchemy.dialects.{connection.dialect.name}")
                insert = dialect.insert(keys).values(name=name, secret=fresh, made=at)
                await connection.execute(insert.on_conflict_do_nothing())
            known = await self._read(name)  # another server may have been first
        if known is None:
            raise AssertionError("a key that was written is there")
        return known

    async def put(self, secret: bytes, at: int, name: str) -> None:
        """Replace the secret of a key."""
        async with self._log.writing() as connection:
            await connection.execute(delete(keys).where(keys.c.name == name))
            await connection.execute(keys.insert().values(name=name, secret=secret, made=at))

    async def find(self, name: str) -> bytes | None:
        """The secret of a key, or ``None``."""
        return await self._read(name)

    async def _read(self, name: str) -> bytes | None:
        query = select(keys.c.secret).where(keys.c.name == name)
        async with self._log.reading() as connection:
            found = await connection.scalar(query)
        return None if found is None else bytes(found)
