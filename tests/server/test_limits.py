"""Limits hold although requests come together, and one address does not fill the lobby."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from tests.server.harness import in_loop, serving
from triomino.client import RefusedByServer
from triomino.protocol.api import SeatPlan, TableOptions
from triomino.server.credentials import digest
from triomino.server.locks import Locks
from triomino.server.retention import DAY

if TYPE_CHECKING:
    from pathlib import Path

    from tests.server.harness import Served

OPEN: list[dict[str, Any]] = [{"kind": "here"}, {"kind": "link"}]


@in_loop
async def test_tables_made_at_the_same_time_are_counted(tmp_path: Path) -> None:
    async with serving(tmp_path, tables_per_address=5) as served:
        own = {"authorization": "Bearer the-secret-of-this-device"}
        asked = [
            served.http.post("/api/tables", json={"seats": OPEN}, headers=own) for _ in range(50)
        ]
        codes = Counter([answer.status_code for answer in await asyncio.gather(*asked)])
        assert codes == {201: 5, 429: 45}
        assert await served.events.count() == 5
        assert len(served.hub._creating) == 0


@in_loop
async def test_sheets_made_at_the_same_time_are_counted(tmp_path: Path) -> None:
    async with serving(tmp_path, pads_per_address=5) as served:
        asked = [served.http.post("/api/pads") for _ in range(50)]
        codes = Counter([answer.status_code for answer in await asyncio.gather(*asked)])
        assert codes == {201: 5, 429: 45}


@in_loop
async def test_a_rematch_counts_as_a_table(tmp_path: Path) -> None:
    async with serving(tmp_path, tables_per_address=2) as served:
        ann = served.player()
        played = []
        for _ in range(2):
            table = await ann.create([{"kind": "here"}, {"kind": "here"}])
            await ann.start(table)
            await ann.enter(table)
            await ann.give_up()
            played.append(table)
        await ann.create(OPEN)
        await ann.rematch(played[0])
        with pytest.raises(RefusedByServer) as caught:
            await ann.rematch(played[1])
        assert caught.value.code == "too_many_tables"


@in_loop
async def test_tables_of_yesterday_do_not_count(tmp_path: Path) -> None:
    """A class leaves unfinished matches behind, and comes again next week."""
    async with serving(tmp_path, tables_per_address=1) as served:
        ann = served.player()
        table = await ann.create([{"kind": "here"}, {"kind": "here"}])
        await ann.start(table)
        with pytest.raises(RefusedByServer):
            await ann.create(OPEN)
        served.clock.at += DAY / 1000 + 1
        await ann.create(OPEN)


async def create(served: Served, address: str, *kinds: str) -> str:
    """Set up a listed table as if from an address."""
    served.clock.at += 1
    seats = tuple(SeatPlan(kind) for kind in kinds)  # type: ignore[arg-type]
    options = TableOptions(seats=seats, listed=True)
    return (await served.hub.create(options, digest("device"), address)).id


@in_loop
async def test_full_tables_leave_the_lobby_to_others(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        honest = await create(served, "honest", "here", "link")
        for number in range(60):
            await create(served, f"other {number}", "here", "here")
        assert [table.id for table in await served.hub.tables.lobby()] == [honest]
        ben = served.player()
        await ben.sit(honest, "Ben")
        assert await served.hub.tables.lobby() == []
        await ben.request("DELETE", f"/api/tables/{honest}/seats/1")
        assert [table.id for table in await served.hub.tables.lobby()] == [honest]


@in_loop
async def test_every_address_has_its_share_of_the_lobby(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        honest = [await create(served, name, "here", "link") for name in ("ann", "ben")]
        many = [await create(served, "mallory", "here", "link") for _ in range(60)]
        shown = [table.id for table in await served.hub.tables.lobby()]
        assert len(shown) == 50
        assert shown == [*reversed(many[-48:]), *reversed(honest)]


@in_loop
async def test_an_old_row_of_a_full_table_is_put_right(tmp_path: Path) -> None:
    """Before, a row said only whether the table was meant for the lobby."""
    async with serving(tmp_path) as served:
        full = await create(served, "ann", "here", "here")
        await served.events.update_row(full, "open", served.hub.now(), listed=True)
        served.hub.tables.drop(served.hub.tables[full])
        assert await served.hub.tables.lobby() == []
        row = await served.events.row(full)
        assert row is not None
        assert not row.listed


@in_loop
async def test_locks_are_kept_no_longer_than_needed() -> None:
    locks, inside, order = Locks(), Counter[str](), []

    async def work(key: str) -> None:
        async with locks.held(key):
            inside[key] += 1
            assert inside[key] == 1
            await asyncio.sleep(0.001)
            order.append(key)
            inside[key] -= 1

    tasks = [asyncio.create_task(work(key)) for key in "aabba"]
    await asyncio.sleep(0)
    tasks[1].cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert Counter(order) == {"a": 2, "b": 2}
    assert len(locks) == 0


@in_loop
async def test_the_lobby_is_encoded_once_and_never_old(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        ann, ben = served.player(), served.player()
        table = await ann.create([{"kind": "here", "name": "Ann"}, {"kind": "link"}], listed=True)
        lobby = served.app.state.lobby
        stranger = (await served.get("/api/tables")).json()
        kept = lobby._listed
        assert [(one["id"], one["you"]) for one in stranger] == [(table, [])]
        assert [one["you"] for one in await ann.lobby()] == [[0]]  # who sits there sees it
        plain = await served.get("/api/tables", headers={"accept-encoding": "identity"})
        assert plain.json() == stranger
        assert lobby._listed is kept
        await ben.sit(table, "Ben")
        assert await ann.lobby() == []
