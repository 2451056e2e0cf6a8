"""Rated matches in the database, and the ratings that they add up to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import msgspec
from sqlalchemy import delete, func, select, update
from sqlalchemy.exc import IntegrityError

from triomino.ratings import MATCHES_ON_BOARD, RatedMatch, Rating, Ratings, Seat
from triomino.store.schema import off_board, rated_matches, rating_changes, ratings
from triomino.store.upsert import insert_or_nothing

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from sqlalchemy.ext.asyncio import AsyncConnection

    from triomino.store.log import EventLog

TRIES: Final = 20
"""How often a result is stored again because another server was faster."""


class StoredSeat(msgspec.Struct, frozen=True, omit_defaults=True):
    """A seat of a rated match as the database has it."""

    person: str
    rank: int
    left: bool = False
    bot_moves: bool = False


_decode = msgspec.json.Decoder(list[StoredSeat]).decode


@dataclass(frozen=True, slots=True)
class RatingChange:
    """What a match made of the rating of a person."""

    person: str
    number: int
    edition: str
    table_id: str
    at: int
    mu: float
    sigma: float
    before: float
    """The mean before the match."""


@dataclass(frozen=True, slots=True)
class BoardRow:
    """A line of a leaderboard."""

    person: str
    rating: Rating


class RatingStore:
    """The ratings in an open database."""

    def __init__(self, log: EventLog) -> None:
        self._log = log

    # --- Matches ---------------------------------------------------------------------------------

    async def begin(self, table: str, edition: str, at: int) -> None:
        """Note that a rated match is played at a table; once more changes nothing."""
        row = {"table_id": table, "edition": edition, "at": at}
        async with self._log.writing() as connection:
            await connection.execute(insert_or_nothing(connection, rated_matches), [row])

    async def pending(self) -> list[str]:
        """The tables of rated matches whose result is not stored yet."""
        query = select(rated_matches.c.table_id).where(rated_matches.c.number.is_(None))
        async with self._log.reading() as connection:
            return [str(table) for (table,) in await connection.execute(query)]

    async def forget(self, table: str) -> None:
        """A match came to no result that counts."""
        async with self._log.writing() as connection:
            await connection.execute(
                delete(rated_matches).where(
                    rated_matches.c.table_id == table, rated_matches.c.number.is_(None)
                )
            )

    async def settle(self, match: RatedMatch) -> bool:
        """Store the result of a match and rate its people; ``False`` if that was done before."""
        for _ in range(TRIES):
            try:
                async with self._log.writing() as connection:
                    return await self._settle(connection, match)
            except IntegrityError:
                continue  # another server has taken this number
        raise RuntimeError("the results of other matches come too fast")

    async def _settle(self, connection: AsyncConnection, match: RatedMatch) -> bool:
        last = await connection.scalar(select(func.max(rated_matches.c.number)))
        number = int(last or 0) + 1
        seats = [StoredSeat(one.person, one.rank, one.left, one.bot_moves) for one in match.seats]
        done = await connection.execute(
            update(rated_matches)
            .where(rated_matches.c.table_id == match.table, rated_matches.c.number.is_(None))
            .values(number=number, at=match.at, data=msgspec.json.encode(seats))
        )
        if not done.rowcount:
            return False
        people = [one.person for one in match.seats]
        known = await _known(connection, match.edition, people)
        before = [known.get(person, Rating()) for person in people]
        after = Ratings({(match.edition, who): one for who, one in known.items()}).add(match)
        for person, old, new in zip(people, before, after, strict=True):
            if new != old:
                await _put(connection, match.edition, person, new)
                change = RatingChange(
                    person, number, match.edition, match.table, match.at, new.mu, new.sigma, old.mu
                )
                await connection.execute(rating_changes.insert().values(_values(change)))
        return True

    async def matches(self) -> list[RatedMatch]:
        """All results, in the order in which they count."""
        query = select(rated_matches).where(rated_matches.c.number.is_not(None))
        async with self._log.reading() as connection:
            rows = await connection.execute(query.order_by(rated_matches.c.number))
            return [
                RatedMatch(row.table_id, row.edition, row.at, tuple(_seats(row.data)))
                for row in rows
            ]

    # --- Ratings ---------------------------------------------------------------------------------

    async def all(self) -> dict[tuple[str, str], Rating]:
        """Every rating, by edition and person."""
        async with self._log.reading() as connection:
            rows = await connection.execute(select(ratings))
            return {
                (row.edition, row.person): Rating(row.mu, row.sigma, row.matches) for row in rows
            }

    async def of(self, edition: str, people: Collection[str]) -> dict[str, Rating]:
        """The ratings of people who have one."""
        async with self._log.reading() as connection:
            return await _known(connection, edition, people)

    async def of_person(self, person: str) -> dict[str, Rating]:
        """The ratings of a person, by edition."""
        query = select(ratings).where(ratings.c.person == person).order_by(ratings.c.edition)
        async with self._log.reading() as connection:
            rows = await connection.execute(query)
            return {row.edition: Rating(row.mu, row.sigma, row.matches) for row in rows}

    async def course(self, person: str, most: int) -> list[RatingChange]:
        """The latest changes of a person's ratings, the oldest of them first."""
        query = (
            select(rating_changes)
            .where(rating_changes.c.person == person)
            .order_by(rating_changes.c.number.desc())
            .limit(most)
        )
        async with self._log.reading() as connection:
            found = [RatingChange(**row._mapping) for row in await connection.execute(query)]
        return found[::-1]

    async def changes_at(self, table: str) -> list[RatingChange]:
        """What the match of a table changed."""
        query = select(rating_changes).where(rating_changes.c.table_id == table)
        async with self._log.reading() as connection:
            return [RatingChange(**row._mapping) for row in await connection.execute(query)]

    async def replace_all(self, computed: dict[tuple[str, str], Rating]) -> None:
        """Put computed ratings in place of the stored ones."""
        async with self._log.writing() as connection:
            await connection.execute(delete(ratings))
            for (edition, person), rating in computed.items():
                await _put(connection, edition, person, rating)

    # --- The leaderboard -------------------------------------------------------------------------

    async def board(self, edition: str, most: int) -> list[BoardRow]:
        """The best of an edition who have played enough and want to be seen."""
        query = (
            select(ratings)
            .where(ratings.c.edition == edition, ratings.c.matches >= MATCHES_ON_BOARD)
            .where(ratings.c.person.not_in(select(off_board.c.person)))
            .order_by(ratings.c.mu.desc(), ratings.c.person)
            .limit(most)
        )
        async with self._log.reading() as connection:
            rows = await connection.execute(query)
            return [BoardRow(row.person, Rating(row.mu, row.sigma, row.matches)) for row in rows]

    async def is_on_board(self, person: str) -> bool:
        """Whether a person wants to be on leaderboards."""
        query = select(func.count()).select_from(off_board).where(off_board.c.person == person)
        async with self._log.reading() as connection:
            return not await connection.scalar(query)

    async def show_on_board(self, person: str, wanted: bool) -> None:
        """Show a person on leaderboards, or not."""
        async with self._log.writing() as connection:
            await connection.execute(delete(off_board).where(off_board.c.person == person))
            if not wanted:
                await connection.execute(off_board.insert().values(person=person))


def _seats(data: bytes) -> Iterable[Seat]:
    return (Seat(one.person, one.rank, one.left, one.bot_moves) for one in _decode(data))


async def _known(
    connection: AsyncConnection, edition: str, people: Collection[str]
) -> dict[str, Rating]:
    query = select(ratings).where(ratings.c.edition == edition, ratings.c.person.in_(people))
    rows = await connection.execute(query)
    return {row.person: Rating(row.mu, row.sigma, row.matches) for row in rows}


async def _put(connection: AsyncConnection, edition: str, person: str, rating: Rating) -> None:
    same = (ratings.c.edition == edition) & (ratings.c.person == person)
    await connection.execute(delete(ratings).where(same))
    await connection.execute(
        ratings.insert().values(
            edition=edition,
            person=person,
            mu=rating.mu,
            sigma=rating.sigma,
            matches=rating.matches,
        )
    )


def _values(change: RatingChange) -> dict[str, object]:
    return {name: getattr(change, name) for name in RatingChange.__slots__}
