"""The games of people in the database: tables they played at, and what they uploaded."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import delete, func, select

from triomino.store.schema import person_games

if TYPE_CHECKING:
    from triomino.store.log import EventLog

MOST_GAMES: Final = 2000
"""Games of a person, tables included; the oldest tables make room."""

MOST_BYTES: Final = 20_000_000
"""What a person may upload altogether."""


@dataclass(frozen=True, slots=True)
class PersonGame:
    """A game of a person."""

    id: str
    kind: str
    at: int
    data: bytes | None


class PersonGameStore:
    """The games of people in an open database."""

    def __init__(self, log: EventLog) -> None:
        self._log = log

    async def note_table(self, person: str, table: str, at: int) -> None:
        """Remember that a person plays at a table."""
        new = {"person": person, "id": table, "kind": "table", "at": at}
        async with self._log.writing() as connection:
            dialect = import_module(f"sqlalchemy.dialects.{connection.dialect.name}")
            insert = dialect.insert(person_games).values(new)
            await connection.execute(insert.on_conflict_do_nothing())

    async def put(self, person: str, game: PersonGame) -> bool:
        """Store an upload, in place of an earlier one; return ``False`` if there is no room."""
        mine = person_games.c.person == person
        new: dict[str, Any] = {"id": game.id, "kind": game.kind, "at": game.at, "data": game.data}
        async with self._log.writing() as connection:
            await connection.execute(
                delete(person_games).where(
                    mine, person_games.c.id == game.id, person_games.c.kind == game.kind
                )
            )
            size = func.coalesce(func.sum(func.length(person_games.c.data)), 0)
            count, used = (await connection.execute(select(func.count(), size).where(mine))).one()
            if count >= MOST_GAMES or used + len(game.data or b"") > MOST_BYTES:
                return False
            await connection.execute(person_games.insert().values(new | {"person": person}))
            return True

    async def list(self, person: str) -> list[PersonGame]:
        """The games of a person without their data, the latest first."""
        columns = person_games.c
        query = select(columns.id, columns.kind, columns.at)
        query = query.where(columns.person == person).order_by(columns.at.desc(), columns.id)
        async with self._log.reading() as connection:
            rows = (await connection.execute(query.limit(MOST_GAMES))).mappings()
            return [PersonGame(**row, data=None) for row in rows]

    async def get(self, person: str, kind: str, game: str) -> bytes | None:
        """An upload, or ``None``."""
        columns = person_games.c
        query = select(columns.data)
        query = query.where(columns.person == person, columns.kind == kind, columns.id == game)
        async with self._log.reading() as connection:
            found = await connection.scalar(query)
        return None if found is None else bytes(found)

    async def remove(self, person: str, kind: str, game: str) -> bool:
        """Delete an upload, or forget a table; return whether it was there."""
        columns = person_games.c
        which = (columns.person == person, columns.kind == kind, columns.id == game)
        async with self._log.writing() as connection:
            return (await connection.execute(delete(person_games).where(*which))).rowcount > 0
