"""What the event log needs of a database beyond SQL: how it is opened, and its fastest append."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from contextlib import AbstractAsyncContextManager
    from pathlib import Path

    from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine


class NewEvent(NamedTuple):
    """An event of a table that exists."""

    table: str
    version: int
    data: bytes


class Database(Protocol):
    """An engine: :mod:`triomino.store.sqlite` or :mod:`triomino.store.postgres`.

    What goes wrong may be raised as it comes; the log turns it into ``StoreError``.
    """

    reader: AsyncEngine
    writer: AsyncEngine
    """The same as the reader where an engine has many writers."""

    pause: float
    """Seconds between two transactions at most, while there is much to write: see `store.pace`."""

    async def migrating(self, connection: AsyncConnection) -> None:
        """Called in the transaction that migrates, before it does: let no other do it as well."""
        ...  # pragma: no cover

    async def begin_run(self, *, new_run: bool) -> None:
        """Called once the schema is up to date; a server begins a *new_run*."""
        ...  # pragma: no cover

    def check(self) -> None:
        """Raise ``StoreError`` if it is known without asking that the database is gone."""
        ...  # pragma: no cover

    def exclusive(self) -> AbstractAsyncContextManager[object]:
        """Held by every writer: a lock where only one can write, else nothing."""
        ...  # pragma: no cover

    def in_turn(self) -> AbstractAsyncContextManager[object]:
        """The same for all but the log itself: of those who wait, one stands before a move."""
        ...  # pragma: no cover

    async def insert(self, new: Sequence[NewEvent]) -> set[tuple[str, int]]:
        """Write events in one transaction; return the versions that were not taken."""
        ...  # pragma: no cover

    async def read_new(self, known: Mapping[str, int]) -> list[tuple[str, int, bytes]]:
        """The events of tables after the versions that are known of them, in order."""
        ...  # pragma: no cover

    async def changed_elsewhere(self) -> bool:
        """Whether another connection may have written since the last call."""
        ...  # pragma: no cover

    def assume_changes(self) -> None:
        """Let the next :meth:`changed_elsewhere` say yes."""
        ...  # pragma: no cover

    async def probe(self) -> None:
        """Raise unless the database can be written; it failed before."""
        ...  # pragma: no cover

    async def tend(self, *, was_written: bool) -> None:
        """Do what has to be done every few seconds."""
        ...  # pragma: no cover

    async def backup(self, path: Path) -> None:
        """Write a consistent copy of the database, which may be in use, to a new file."""
        ...  # pragma: no cover

    async def close(self) -> None:
        """Give up all connections."""
        ...  # pragma: no cover
