"""The list of open tables as it is sent: encoded once for everybody who has no seat there."""

from __future__ import annotations

import gzip
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

from triomino.server.snapshot import summary

if TYPE_CHECKING:
    from triomino.server.open_tables import OpenTables
    from triomino.server.table import Table

KEPT_SECONDS = 1.0
"""How long a list is used for which only somebody else may have changed something."""

_encode = msgspec.json.Encoder().encode


@dataclass(frozen=True, slots=True)
class _Listed:
    tables: list[Table]
    plain: bytes
    zipped: bytes
    owners: frozenset[str]
    number: int
    until: float


class Lobby:
    """The list, kept until a table of it changes here, or else for a second."""

    def __init__(self, tables: OpenTables) -> None:
        self._tables = tables
        self._listed: _Listed | None = None

    async def encoded(self, device: str | None, zipped: bool) -> bytes:
        """The list as JSON for a device, compressed if *zipped*."""
        listed = self._listed
        fresh = listed is not None and listed.number == self._tables.lobby_number
        if listed is None or not fresh or time.monotonic() >= listed.until:
            listed = self._listed = await self._read()
        if device not in listed.owners:
            return listed.zipped if zipped else listed.plain
        own = _encode([summary(table, device) for table in listed.tables])
        return gzip.compress(own, 1) if zipped else own

    async def _read(self) -> _Listed:
        number = self._tables.lobby_number
        tables = [table for table in await self._tables.lobby() if table.state == "open"]
        plain = _encode([summary(table) for table in tables])
        owners = (owner for table in tables for chair in table.chairs for owner in chair.owners)
        return _Listed(
            tables,
            plain,
            gzip.compress(plain, 6),
            frozenset(owners),
            number,
            time.monotonic() + KEPT_SECONDS,
        )
