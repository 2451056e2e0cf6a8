"""Long tables: read in pieces, so that nobody waits for them, and not without end."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any

import pytest

from tests.server.harness import Served, in_loop, serving, table_of_two, until
from tests.server.long_tables import long_log, store_log
from triomino.client.player import RefusedByServer
from triomino.server import bounds, slices
from triomino.server.credentials import digest
from triomino.server.slices import Slices

if TYPE_CHECKING:
    from collections.abc import Coroutine, Iterator
    from pathlib import Path

SECRET = "secret-of-device-of-ann"  # noqa: S105
LOG = long_log(600, digest(SECRET))
"""Nine rounds of Ann and Ben."""


async def turns_of_others(work: Coroutine[Any, Any, object]) -> int:
    """How often another task gets its turn while some work is done."""
    turns = 0

    async def others() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    beside = asyncio.create_task(others())
    await work
    beside.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await beside
    return turns


# --- In pieces -----------------------------------------------------------------------------------


@in_loop
async def test_a_long_table_is_read_in_pieces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As many as there are events, if every piece may take no time at all."""
    monkeypatch.setattr(slices, "SLICE", 0)
    async with serving(tmp_path) as served:
        await store_log(served.events, "long", LOG)
        hub = served.hub
        for work in (
            hub.tables.open("long"),
            _reload(served, "long"),
        ):
            before = hub.tables.slices.run_so_far
            assert await turns_of_others(work) >= hub.tables.slices.run_so_far - before
            assert hub.tables.slices.run_so_far - before >= len(LOG)
        # A client gets everything, and the rounds that are over are encoded one by one.
        before, rounds = hub.tables.slices.run_so_far, len(hub.tables["long"].table.by_bot)
        assert rounds > 5
        wire = await served.wire_at("long", SECRET)
        assert hub.tables.slices.run_so_far - before >= rounds - 1
        # They are encoded once; a spectator gets its own.
        before = hub.tables.slices.run_so_far
        await served.wire_at("long", SECRET)
        assert hub.tables.slices.run_so_far == before
        assert not await wire.settle() or hub.tables.slices.run_so_far == before
        await served.wire_at("long")
        assert hub.tables.slices.run_so_far - before >= rounds - 1


async def _reload(served: Served, table: str) -> None:
    """Forget a table, and read it again for somebody who comes back."""
    served.hub.tables.drop(served.hub.tables[table])
    assert (await served.get(f"/api/tables/{table}")).status_code == 200


@in_loop
async def test_what_the_host_adds_to_a_long_table_is_read_alone(tmp_path: Path) -> None:
    async with serving(tmp_path, look_seconds=0.02) as served:
        await store_log(served.events, "long", LOG)
        opened = await served.hub.tables.open("long")
        table = opened.table
        await served.events.append(
            "long", table.version + 1, b'{"type":"renamed","at":4,"seat":1,"name":"Bea"}'
        )
        served.events.assume_changes()
        await until(lambda: opened.table.chairs[1].name == "Bea")
        assert opened.table is table


@in_loop
async def test_long_work_takes_turns() -> None:
    """What is short is done before what is long, although that came first."""
    done = []

    def steps(name: str, count: int) -> Iterator[None]:
        for _ in range(count):
            end = asyncio.get_running_loop().time() + slices.SLICE
            while asyncio.get_running_loop().time() < end:
                pass
            yield
        done.append(name)

    shared = Slices()
    await asyncio.gather(shared.run(steps("long", 40)), shared.run(steps("short", 3)))
    assert done == ["short", "long"]


@in_loop
async def test_long_tables_leave_memory_first(tmp_path: Path) -> None:
    """What is in memory is bounded by events and not by tables alone."""
    async with serving(tmp_path, tables_in_memory=4) as served:
        for name in "abc":
            await store_log(served.events, name, LOG)
            await served.hub.tables.open(name)
        assert len(served.hub.tables) == 1
        two = await table_of_two(served)
        assert two.table in served.hub.tables


# --- An end --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("edition", "most"), [("classic", bounds.MOST_TARGET), ("casual", bounds.MOST_ROUNDS_WON)]
)
@in_loop
async def test_a_target_that_nobody_reaches_is_refused(
    tmp_path: Path, edition: str, most: int
) -> None:
    async with serving(tmp_path) as served:
        ann = served.player()
        seats = [{"kind": "here"}, {"kind": "link"}]
        with pytest.raises(RefusedByServer, match="target_too_high"):
            await ann.create(seats, rules={"edition": edition, "target": most + 1})
        assert await ann.create(seats, rules={"edition": edition, "target": most})


@in_loop
async def test_a_table_that_is_full_is_played_to_the_end_of_its_round(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """People are told in time, no further round begins, and the match can be given up."""
    monkeypatch.setattr(bounds, "MOST_EVENTS", len(LOG) + 4)
    monkeypatch.setattr(bounds, "NEARLY", len(LOG) + 2)
    async with serving(tmp_path) as served:
        await store_log(served.events, "long", LOG)
        ann = served.player(SECRET)
        assert not (await ann.enter("long")).nearly_full
        await ann.move(ann.choices[0].move)
        link = await ann.link("long", 0)
        assert link
        assert (await served.player(SECRET).enter("long")).nearly_full
        while ann.version < bounds.MOST_EVENTS:
            await ann.until(lambda: bool(ann.choices))
            await ann.move(ann.choices[0].move)
        with pytest.raises(RefusedByServer, match="table_full"):
            await ann.undo()
        with pytest.raises(RefusedByServer, match="table_full"):
            await ann.link("long", 0)
        while ann.now is not None and ann.now.end is None:
            await ann.move(ann.choices[0].move)
        with pytest.raises(RefusedByServer, match="table_full"):
            await ann.next_round()
        await ann.give_up(0)
        await ann.until(lambda: ann.finished)
        record = await ann.record("long")
        assert record["rounds"][-1]["turns"] == []


@in_loop
async def test_undo_does_not_use_up_a_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who takes back again and again uses up what is theirs, and the others play on."""
    monkeypatch.setattr(bounds, "MOST_EXTRAS", 5)
    async with serving(tmp_path) as served:
        ann = served.player()
        table = await ann.create([{"kind": "here"}, {"kind": "here"}])
        await ann.start(table)
        await ann.enter(table)
        assert ann.now is not None
        first = ann.now.turn
        for _ in range(5):
            await ann.move(ann.choices[0].move, first)
            await ann.undo(first)
        await ann.move(ann.choices[0].move, first)
        with pytest.raises(RefusedByServer, match="table_full"):
            await ann.undo(first)
        # The other one has a share of their own.
        while ann.now.turn == first:
            await ann.move(ann.choices[0].move, first)
        await ann.move(ann.choices[0].move, 1 - first)
        await ann.undo(1 - first)


@in_loop
async def test_sitting_down_again_and_again_has_an_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounds, "MOST_EVENTS_OPEN", 10)
    async with serving(tmp_path) as served:
        ann, ben = served.player(), served.player()
        table = await ann.create([{"kind": "here"}, {"kind": "link"}])
        for _ in range(5):
            await ben.sit(table, "Ben")
            await ben.leave(table, 1)
        with pytest.raises(RefusedByServer, match="table_full"):
            await ben.sit(table, "Ben")
        assert len(await served.log(table)) == 11
