"""Profiles on three servers: what one decides holds for all, at once."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from sqlalchemy import select

from tests.nodes.test_nodes import nodes
from tests.server.harness import in_loop, until
from tests.server.test_people import new, profile, refused
from tests.server.test_play_now import come
from triomino.server.cluster import QUEUE_LEASE
from triomino.server.credentials import digest
from triomino.server.leases import PREFIX, RENEWALS, SHORT_SECONDS
from triomino.store.log import EventLog
from triomino.store.schema import waiting
from triomino.store.waiting import WaitingRow, WaitingStore

if TYPE_CHECKING:
    from pathlib import Path

    from tools.services import Valkey


@in_loop
async def test_a_person_on_three_servers(tmp_path: Path, database: str, valkey: Valkey) -> None:
    async with nodes(3, database, valkey.url, tmp_path, open=True) as those:
        ann, ben = await new(those[0]), await new(those[1])
        await profile(ann, "Zebedee")
        seats = [{"kind": "here", "name": "Zebedee"}, {"kind": "link"}]
        table = await ann.create(seats)
        await ben.sit(table, "Ben")
        await ann.start(table)

        # A link made at one server is used up at another.
        link = {"secret": (await ann.request("POST", "/api/me/links"))["secret"]}
        phone, thief = await new(those[2]), await new(those[1])
        await phone.request("POST", "/api/me/joins", link)
        assert await refused(thief.request("POST", "/api/me/joins", link)) == "wrong_secret"
        assert (await phone.enter(table)).you == [0]

        # What is removed here is refused there, and its name is gone everywhere.
        watching = await those[1].wire_at(table, ben.secret)
        sitting = await those[2].wire_at(table, phone.secret)
        await ann.request("DELETE", "/api/me")
        assert (await sitting.hear("bye"))["code"] == "removed"
        while (await watching.hear("state"))["seats"][0]["name"] != "Former player 1":
            pass
        gone = digest(str(phone.secret))
        await until(lambda: all(one.hub.people.is_removed(gone) for one in those.servers))
        assert await refused(phone.request("GET", "/api/me")) == "no_device"
        for server in those.servers:
            assert "Zebedee" not in (await server.get(f"/api/tables/{table}")).text


@in_loop
async def test_people_are_brought_together_soon_after_a_server_was_killed(
    tmp_path: Path, database: str, valkey: Valkey
) -> None:
    """Somebody waits beside another for two seconds at most if nobody is busy."""
    assert SHORT_SECONDS + SHORT_SECONDS / RENEWALS <= 2
    async with nodes(2, database, valkey.url, tmp_path, open=True) as those:
        leases = [one.hub.cluster.leases for one in those.servers]
        bus = those[0].hub.cluster.bus
        assert bus is not None
        # As if a third server held the lease and was killed a moment ago.
        await bus.client.set(PREFIX + QUEUE_LEASE, "killed", px=int(1000 * SHORT_SECONDS))
        await until(lambda: not any(one._until.get(QUEUE_LEASE) for one in leases))
        waits = [(await come(one, "Kim"))[1] for one in those.servers]
        tables = {(await wire.hear("table"))["table"] for wire in waits}
        assert len(tables) == 1
        assert sum(bool(one._until.get(QUEUE_LEASE)) for one in leases) == 1
        assert 0 < await bus.client.pttl(PREFIX + QUEUE_LEASE) <= 1000 * SHORT_SECONDS


@in_loop
async def test_who_is_seen_does_not_wait_for_who_is_being_paired(database: str) -> None:
    """Two servers that wait for each other's rows stand still for a second, and one fails."""
    log = await EventLog.open(database)
    try:
        store = WaitingStore(log)
        for name in ("ann", "ben"):
            row = WaitingRow(name, name, name, "classic", 2, since=1, seen=1)
            await store.add(row, 60_000)
        async with log.writing() as connection, asyncio.timeout(5):
            await connection.execute(
                select(waiting).where(waiting.c.person == "ann").with_for_update()
            )
            await store.see(["ann", "ben"], 2)
        assert [(row.person, row.seen) for row in await store.all()] == [("ann", 1), ("ben", 2)]
    finally:
        await log.close()
