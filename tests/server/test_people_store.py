"""Profiles in the database, on both engines."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from tests.server.harness import in_loop
from triomino.store.log import EventLog
from triomino.store.people import MOST_DEVICES, PeopleStore
from triomino.store.person_secrets import MOST_KEYS, Passkey, PersonSecretStore

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


@asynccontextmanager
async def stored(data: str) -> AsyncIterator[PeopleStore]:
    log = await EventLog.open(data)
    try:
        yield PeopleStore(log, lambda: 1000)
    finally:
        await log.close()


@in_loop
async def test_a_device_has_one_profile_even_if_it_asks_twice_at_once(data: str) -> None:
    async with stored(data) as store:
        assert await store.person_of("a" * 64) is None
        made = await asyncio.gather(*(store.ensure("a" * 64, "Ann", "sun") for _ in range(4)))
        assert len({person.id for person in made}) == 1
        assert (made[0].name, made[0].face) == ("Ann", "sun")
        assert "a" * 64 not in made[0].id
        assert [one.device for one in await store.devices_of(made[0].id)] == ["a" * 64]


@in_loop
async def test_a_device_that_joins_leaves_its_own_profile_which_is_gone_then(data: str) -> None:
    async with stored(data) as store:
        ann, ben = await store.ensure("a" * 64, "Ann", ""), await store.ensure("b" * 64, "Ben", "")
        assert await store.join(ann.id, "b" * 64, "phone")
        assert await store.siblings("b" * 64) == {"a" * 64, "b" * 64}
        assert (await store.person_of("b" * 64)) == ann
        gone = await store.get(ben.id)
        assert gone is not None
        assert (gone.name, gone.deleted) == ("", 1000)
        assert not await store.join(ben.id, "c" * 64)
        assert await store.removed_devices() == {}


@in_loop
async def test_a_removed_device_is_refused_and_so_are_those_of_a_deleted_profile(data: str) -> None:
    async with stored(data) as store:
        ann = await store.ensure("a" * 64, "Ann", "")
        await store.join(ann.id, "b" * 64)
        assert await store.remove_device(ann.id, "b" * 64)
        assert not await store.remove_device(ann.id, "b" * 64)
        assert await store.person_of("b" * 64) is None
        assert await store.removed_devices() == {"b" * 64: False}
        await store.erase(ann.id)
        assert await store.removed_devices() == {"a" * 64: True, "b" * 64: True}
        assert await store.removed_devices(since=1001) == {}
        assert await store.person_of("a" * 64) is None
        assert await store.devices_of(ann.id) == []


@in_loop
async def test_blocked_pairs_are_found_whoever_blocked(data: str) -> None:
    async with stored(data) as store:
        ids = [(await store.ensure(name * 64, name, "")).id for name in "abc"]
        assert await store.mark(ids[0], ids[1], "block")
        assert await store.mark(ids[0], ids[1], "block")
        assert await store.mark(ids[2], ids[0], "mute")
        assert await store.blocked_pairs(ids) == {frozenset(ids[:2])}
        assert await store.blocked_pairs(ids[1:]) == set()
        await store.unmark(ids[0], ids[1], "block")
        assert await store.blocked_pairs(ids) == set()


@in_loop
async def test_a_profile_has_only_so_many_passkeys(data: str) -> None:
    async with stored(data) as people:
        store = PersonSecretStore(people._log, lambda: 1)
        keys = [Passkey(f"key {n}", "ann", b"id", b"public", 0, n) for n in range(MOST_KEYS + 1)]
        assert [await store.add_key(one) for one in keys] == [True] * MOST_KEYS + [False]
        assert await store.add_key(keys[0])  # the same once more
        assert await store.add_key(replace(keys[-1], person="ben"))


@in_loop
async def test_a_profile_has_only_so_many_devices(data: str) -> None:
    async with stored(data) as store:
        ann = await store.ensure("a" * 64, "Ann", "")
        joined = [await store.join(ann.id, f"{number:064}") for number in range(MOST_DEVICES)]
        assert joined == [True] * (MOST_DEVICES - 1) + [False]
