"""What opens a profile on another device, in the database: links, recovery phrases, passkeys."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from sqlalchemy import and_, delete, func, or_, select, update

from triomino.store.schema import person_keys, person_secrets

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy import ColumnElement

    from triomino.store.log import EventLog

MOST_KEYS: Final = 20
"""Passkeys that a profile may have."""

Kind = Literal["link", "phrase", "ticket"]


@dataclass(frozen=True, slots=True)
class StoredSecret:
    """A secret by what is stored of it."""

    id: str
    person: str
    hash: bytes | None
    made: int


@dataclass(frozen=True, slots=True)
class Passkey:
    """The public half of a passkey."""

    id: str
    """The digest of the credential's id."""
    person: str
    credential: bytes
    public_key: bytes
    sign_count: int
    made: int


class PersonSecretStore:
    """The secrets and passkeys in an open database."""

    def __init__(self, log: EventLog, now: Callable[[], int]) -> None:
        self._log, self._now = log, now

    async def put(
        self,
        secret_id: str,
        person: str,
        kind: Kind,
        *,
        content: bytes | None = None,
        expires: int | None = None,
    ) -> None:
        """Store a secret; a person's earlier ones of that kind open nothing any more."""
        row = {"id": secret_id, "person": person, "kind": kind, "hash": content}
        async with self._log.writing() as connection:
            if person:
                which = and_(person_secrets.c.person == person, person_secrets.c.kind == kind)
                await connection.execute(delete(person_secrets).where(which))
            late = and_(person_secrets.c.kind != "phrase", person_secrets.c.expires < self._now())
            await connection.execute(delete(person_secrets).where(late))
            new = row | {"made": self._now(), "expires": expires}
            await connection.execute(person_secrets.insert().values(new))

    async def find(self, secret_id: str, kind: Kind) -> StoredSecret | None:
        """A secret that can still be used."""
        columns = person_secrets.c
        query = select(columns.id, columns.person, columns.hash, columns.made)
        query = query.where(columns.id == secret_id, self._usable(kind))
        async with self._log.reading() as connection:
            row = (await connection.execute(query)).mappings().first()
        return None if row is None else StoredSecret(**row)

    async def use(self, secret_id: str, kind: Kind) -> bool:
        """Use a secret up; of several who try at the same time, only one is told ``True``."""
        which = and_(person_secrets.c.id == secret_id, self._usable(kind))
        async with self._log.writing() as connection:
            done = await connection.execute(
                update(person_secrets).where(which).values(used=self._now())
            )
            return done.rowcount == 1

    async def phrase_of(self, person: str) -> int | None:
        """When the unused recovery phrase of a person was made."""
        query = select(person_secrets.c.made)
        query = query.where(person_secrets.c.person == person, self._usable("phrase"))
        async with self._log.reading() as connection:
            made = await connection.scalar(query)
        return None if made is None else int(made)

    def _usable(self, kind: Kind) -> ColumnElement[bool]:
        columns = person_secrets.c
        in_time = or_(columns.expires.is_(None), columns.expires > self._now())
        return and_(columns.kind == kind, columns.used.is_(None), in_time)

    # --- Passkeys --------------------------------------------------------------------------------

    async def add_key(self, key: Passkey) -> bool:
        """Store a passkey; one with the same id is replaced. ``False`` if there are too many."""
        others = and_(person_keys.c.person == key.person, person_keys.c.id != key.id)
        async with self._log.writing() as connection:
            count = select(func.count()).select_from(person_keys).where(others)
            if int(await connection.scalar(count) or 0) >= MOST_KEYS:
                return False
            await connection.execute(delete(person_keys).where(person_keys.c.id == key.id))
            await connection.execute(
                person_keys.insert().values(
                    id=key.id,
                    person=key.person,
                    credential=key.credential,
                    public_key=key.public_key,
                    sign_count=key.sign_count,
                    made=key.made,
                )
            )
        return True

    async def key(self, key_id: str) -> Passkey | None:
        """A passkey by the digest of its id."""
        query = select(person_keys).where(person_keys.c.id == key_id)
        async with self._log.reading() as connection:
            row = (await connection.execute(query)).mappings().first()
        return None if row is None else Passkey(**row)

    async def keys_of(self, person: str) -> list[Passkey]:
        """The passkeys of a person, the oldest first."""
        query = select(person_keys).where(person_keys.c.person == person)
        query = query.order_by(person_keys.c.made, person_keys.c.id)
        async with self._log.reading() as connection:
            return [Passkey(**row) for row in (await connection.execute(query)).mappings()]

    async def count_use(self, key_id: str, sign_count: int) -> None:
        """Remember the counter of an authenticator."""
        change = update(person_keys).where(person_keys.c.id == key_id)
        async with self._log.writing() as connection:
            await connection.execute(change.values(sign_count=sign_count))

    async def remove_key(self, person: str, key_id: str) -> bool:
        """Remove a passkey; return whether it was there."""
        which = and_(person_keys.c.person == person, person_keys.c.id == key_id)
        async with self._log.writing() as connection:
            return (await connection.execute(delete(person_keys).where(which))).rowcount > 0
