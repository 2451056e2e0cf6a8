"""Profiles in the database: who they are, their devices, and whom they wish not to meet."""

from __future__ import annotations

import secrets
from dataclasses import asdict, dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Final, Literal

from sqlalchemy import and_, delete, func, select, update
from sqlalchemy.exc import IntegrityError

from triomino.store.failure import StoreError
from triomino.store.schema import (
    people,
    person_devices,
    person_games,
    person_keys,
    person_marks,
    person_secrets,
    reports,
    waiting,
    waits,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from sqlalchemy import RowMapping
    from sqlalchemy.ext.asyncio import AsyncConnection

    from triomino.store.log import EventLog

MOST_DEVICES: Final = 20
"""Devices that a profile may have."""

MOST_MARKS: Final = 500
"""People that somebody may mute, and as many to block."""

Mark = Literal["mute", "block"]


@dataclass(frozen=True, slots=True)
class Person:
    """A profile. Its id is random and public; it says nothing about devices."""

    id: str
    name: str
    face: str
    """The name of a face, or of a colour behind the first letter of the name."""
    made: int
    deleted: int | None = None
    """When it was deleted; then it has no name."""


@dataclass(frozen=True, slots=True)
class PersonDevice:
    """A device of a profile, by its digest."""

    device: str
    person: str
    label: str
    address: str
    """The digest of the network that it was last seen in, so that a host can ban that."""
    joined: int
    removed: int | None = None


def new_person_id() -> str:
    """A random id for a profile."""
    return secrets.token_urlsafe(12)


class PeopleStore:
    """The profiles in an open database."""

    def __init__(self, log: EventLog, now: Callable[[], int]) -> None:
        self._log, self._now = log, now

    # --- Reading ---------------------------------------------------------------------------------

    async def person_of(self, device: str) -> Person | None:
        """The profile of a device; ``None`` if it has none, or was removed from it."""
        return (await self.people_of([device])).get(device)

    async def people_of(self, devices: Collection[str]) -> dict[str, Person]:
        """The profiles of those devices that have one."""
        if not devices:
            return {}
        query = (
            select(people, person_devices.c.device)
            .join(person_devices, person_devices.c.person == people.c.id)
            .where(
                person_devices.c.device.in_(list(devices)),
                person_devices.c.removed.is_(None),
                people.c.deleted.is_(None),
            )
        )
        async with self._log.reading() as connection:
            rows = (await connection.execute(query)).mappings()
            return {str(row["device"]): _person(row) for row in rows}

    async def get(self, person: str) -> Person | None:
        """A profile by its id, also if it was deleted."""
        return (await self.get_all([person])).get(person)

    async def get_all(self, persons: Collection[str]) -> dict[str, Person]:
        """Profiles by their ids, also deleted ones; unknown ids are left out."""
        query = select(people).where(people.c.id.in_(list(persons)))
        async with self._log.reading() as connection:
            rows = (await connection.execute(query)).mappings()
            return {str(row["id"]): _person(row) for row in rows}

    async def latest(self, most: int) -> list[Person]:
        """Profiles that were not deleted, the newest first."""
        query = select(people).where(people.c.deleted.is_(None))
        query = query.order_by(people.c.made.desc(), people.c.id).limit(most)
        async with self._log.reading() as connection:
            return [_person(row) for row in (await connection.execute(query)).mappings()]

    async def devices_of(self, person: str) -> list[PersonDevice]:
        """The devices of a profile, the first one first; without those that were removed."""
        query = select(person_devices).where(
            person_devices.c.person == person, person_devices.c.removed.is_(None)
        )
        query = query.order_by(person_devices.c.joined, person_devices.c.device)
        async with self._log.reading() as connection:
            return [PersonDevice(**row) for row in (await connection.execute(query)).mappings()]

    async def siblings(self, device: str) -> frozenset[str]:
        """All devices of the person whose device this is, with itself."""
        person = await self.person_of(device)
        if person is None:
            return frozenset({device})
        return frozenset(one.device for one in await self.devices_of(person.id))

    async def removed_devices(self, since: int = 0) -> dict[str, bool]:
        """The devices removed since a time, each with whether its whole profile was deleted."""
        query = (
            select(person_devices.c.device, people.c.deleted)
            .outerjoin(people, people.c.id == person_devices.c.person)
            .where(person_devices.c.removed >= since)
        )
        async with self._log.reading() as connection:
            rows = await connection.execute(query)
            return {str(device): deleted is not None for device, deleted in rows}

    async def former_devices(self) -> set[str]:
        """The devices of deleted profiles."""
        return {device for device, deleted in (await self.removed_devices()).items() if deleted}

    # --- Making and changing ---------------------------------------------------------------------

    async def ensure(
        self, device: str, name: str, face: str, label: str = "", address: str = ""
    ) -> Person:
        """The profile of a device; it is made if there is none."""
        known = await self.person_of(device)
        if known is None:
            made = Person(new_person_id(), name, face, self._now())
            try:
                async with self._log.writing() as connection:
                    await connection.execute(
                        people.insert().values(
                            id=made.id, name=made.name, face=made.face, made=made.made
                        )
                    )
                    await _add_device(
                        connection, PersonDevice(device, made.id, label, address, made.made)
                    )
            except IntegrityError:
                pass  # the same device asked twice
            known = await self.person_of(device)
        if known is None:
            raise StoreError("this device was removed from its profile")
        return known

    async def change(self, person: str, name: str, face: str) -> None:
        """Give a profile another name and face."""
        which = and_(people.c.id == person, people.c.deleted.is_(None))
        async with self._log.writing() as connection:
            await connection.execute(update(people).where(which).values(name=name, face=face))

    async def note_address(self, device: str, address: str) -> None:
        """Remember in which network a device is, if that has changed."""
        which = and_(person_devices.c.device == device, person_devices.c.address != address)
        async with self._log.reading() as connection:
            if await connection.scalar(select(person_devices.c.device).where(which)) is None:
                return
        async with self._log.writing() as connection:
            await connection.execute(update(person_devices).where(which).values(address=address))

    async def join(self, person: str, device: str, label: str = "", address: str = "") -> bool:
        """Add a device to a profile; return ``False`` if the profile is gone or has too many.

        A device of another profile leaves that one, which is deleted if it was the last.
        """
        async with self._log.writing() as connection:
            there = select(people.c.id).where(people.c.id == person, people.c.deleted.is_(None))
            if await connection.scalar(there.with_for_update()) is None:
                return False
            count = select(func.count()).select_from(person_devices)
            count = count.where(
                person_devices.c.person == person, person_devices.c.removed.is_(None)
            )
            if int(await connection.scalar(count) or 0) >= MOST_DEVICES:
                return False
            row = select(person_devices.c.person).where(person_devices.c.device == device)
            before = await connection.scalar(row)
            if before == person:
                return True
            await connection.execute(
                delete(person_devices).where(person_devices.c.device == device)
            )
            await _add_device(connection, PersonDevice(device, person, label, address, self._now()))
            if before is not None:
                left = select(person_devices.c.device).where(person_devices.c.person == before)
                if await connection.scalar(left.limit(1)) is None:
                    await _erase(connection, str(before), self._now())
        return True

    async def remove_device(self, person: str, device: str) -> bool:
        """Remove a device from a profile for good; return whether it was there."""
        which = and_(
            person_devices.c.person == person,
            person_devices.c.device == device,
            person_devices.c.removed.is_(None),
        )
        async with self._log.writing() as connection:
            done = await connection.execute(
                update(person_devices)
                .where(which)
                .values(removed=self._now(), label="", address="")
            )
            return done.rowcount > 0

    async def erase(self, person: str) -> None:
        """Delete a profile and all that belongs to it; its devices are refused from now on.

        What stays are its id and the digests of its devices: by them its seats lose their names.
        """
        async with self._log.writing() as connection:
            await _erase(connection, person, self._now())

    # --- Marks -----------------------------------------------------------------------------------

    async def mark(self, person: str, other: str, kind: Mark) -> bool:
        """Mute or block somebody; return ``False`` if there are too many marks already."""
        async with self._log.writing() as connection:
            count = select(func.count()).select_from(person_marks)
            count = count.where(person_marks.c.person == person, person_marks.c.kind == kind)
            if int(await connection.scalar(count) or 0) >= MOST_MARKS:
                return False
            dialect = import_module(f"sqlalchemy.dialects.{connection.dialect.name}")
            new = {"person": person, "other": other, "kind": kind, "made": self._now()}
            insert = dialect.insert(person_marks).values(new)
            await connection.execute(insert.on_conflict_do_nothing())
            return True

    async def unmark(self, person: str, other: str, kind: Mark) -> None:
        """Take a mark back."""
        which = and_(
            person_marks.c.person == person,
            person_marks.c.other == other,
            person_marks.c.kind == kind,
        )
        async with self._log.writing() as connection:
            await connection.execute(delete(person_marks).where(which))

    async def marks_of(self, person: str) -> list[tuple[str, str]]:
        """Whom a person has marked, and how, in the order of the ids."""
        query = select(person_marks.c.other, person_marks.c.kind)
        query = query.where(person_marks.c.person == person)
        async with self._log.reading() as connection:
            rows = await connection.execute(query.order_by("other", "kind"))
            return [(str(other), str(kind)) for other, kind in rows]

    async def blocked_pairs(self, persons: Collection[str]) -> set[frozenset[str]]:
        """The pairs among these people of whom one has blocked the other."""
        among = list(persons)
        query = select(person_marks.c.person, person_marks.c.other).where(
            person_marks.c.kind == "block",
            person_marks.c.person.in_(among),
            person_marks.c.other.in_(among),
        )
        async with self._log.reading() as connection:
            rows = await connection.execute(query)
            return {frozenset((str(one), str(other))) for one, other in rows}


async def _add_device(connection: AsyncConnection, new: PersonDevice) -> None:
    await connection.execute(person_devices.insert().values(asdict(new)))


async def _erase(connection: AsyncConnection, person: str, at: int) -> None:
    values = {"name": "", "face": "", "deleted": at}
    await connection.execute(update(people).where(people.c.id == person).values(values))
    gone: Iterable[object] = (
        delete(person_keys).where(person_keys.c.person == person),
        delete(person_secrets).where(person_secrets.c.person == person),
        delete(person_marks).where(person_marks.c.person == person),
        delete(person_marks).where(person_marks.c.other == person),
        delete(person_games).where(person_games.c.person == person),
        delete(waiting).where(waiting.c.person == person),
        delete(waits).where(waits.c.person == person),
        update(reports).where(reports.c.reporter == person).values(reporter=""),
        # Those that were removed before, too: whoever looks for news is to find them again.
        update(person_devices)
        .where(person_devices.c.person == person)
        .values(removed=at, label="", address=""),
    )
    for statement in gone:
        await connection.execute(statement)  # type: ignore[call-overload]


def _person(row: RowMapping) -> Person:
    return Person(*(row[name] for name in ("id", "name", "face", "made", "deleted")))
