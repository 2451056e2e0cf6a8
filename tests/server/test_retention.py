"""Old tables go, after the times that are set, and nothing else does."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from tests.server.harness import FakeClock, in_loop, serving, table_of_two, until
from triomino.dice import Rng
from triomino.protocol.api import SeatPlan, TableOptions
from triomino.record import read_record
from triomino.server import hub as hubs
from triomino.server.config import Config
from triomino.server.dates import ImplausibleDate, check_date
from triomino.server.events import AnyEvent, Created, encode
from triomino.server.retention import DAY, clean
from triomino.server.table import Change, Table, check_options
from triomino.store.log import EventLog, TableRow
from triomino.store.people import PeopleStore

if TYPE_CHECKING:
    from pathlib import Path

    from tests.server.harness import Served

NOW = 1_700_000_000_000


class Kept:
    """A log with tables of known age."""

    def __init__(self, log: EventLog) -> None:
        self.log = log

    async def put(self, name: str, state: str, days: float, *, noted: float | None = None) -> Table:
        """A table whose last event is *days* old; its row says *noted*."""
        at, rng = NOW - int(days * DAY), Rng.named(name)
        seats = (SeatPlan("here", name="Ann"), SeatPlan("here", name="Ben"))
        made = Created(
            at=at, options=check_options(TableOptions(seats)), server_seed="ab" * 32, host="h"
        )
        table, happened = Table(name, made), [encode(made)]

        def happen(change: Change[AnyEvent]) -> None:
            table.apply(change)
            happened.append(encode(change.event))

        if state != "open":
            happen(table.start("h", at))
            for _ in range(10_000 if state == "finished" else 5):
                if table.state != "playing":
                    break
                moves = table.game.legal_moves()
                happen(table.move(table.game.turn, str(moves[rng.randrange(len(moves))]), at))
        if state == "closed":
            happen(table.close("x", at))
        assert table.state == state
        updated = at if noted is None else NOW - int(noted * DAY)
        row = TableRow(name, state, False, "", at, updated, False)
        for version, data in enumerate(happened, 1):
            assert await self.log.append(name, version, data, row if version == 1 else None)
        return table

    async def left(self) -> set[str]:
        states = ["open", "playing", "finished", "closed"]
        return {row.id for row in await self.log.rows(states=states)}


@pytest.fixture
def config(tmp_path: Path) -> Config:
    return Config(data=str(tmp_path / "a.db"), keep_open=2, keep_unfinished=60, keep_finished=365)


@in_loop
async def test_each_state_has_its_time(config: Config) -> None:
    log = await EventLog.open(config.data)
    kept = Kept(log)
    for state, days in ("open", 2), ("playing", 60), ("finished", 365), ("closed", 365):
        await kept.put(f"{state}-young", state, days - 0.001)
        await kept.put(f"{state}-old", state, days + 0.001)
    would = await clean(log, config, NOW, dry_run=True)
    assert (would.deleted, would.archived) == (4, 0)
    assert len(await kept.left()) == 8
    done = await clean(log, config, NOW)
    assert (done.deleted, done.archived) == (4, 0)
    assert await kept.left() == {f"{s}-young" for s in ("open", "playing", "finished", "closed")}
    for state in ("open", "playing", "finished", "closed"):
        assert await log.read(f"{state}-old") == []
        assert await log.read(f"{state}-young") != []
    assert (await clean(log, config, NOW)).deleted == 0
    await log.close()


@in_loop
async def test_the_last_move_counts_and_not_the_row(config: Config) -> None:
    """A row is written when a match begins and ends; between the two people may play for months."""
    log = await EventLog.open(config.data)
    kept = Kept(log)
    await kept.put("slow", "playing", 1, noted=100)
    assert (await clean(log, config, NOW)).deleted == 0
    assert await kept.left() == {"slow"}
    row = await log.row("slow")
    assert row is not None
    assert row.updated == NOW - DAY
    await log.close()


@in_loop
async def test_for_ever(config: Config) -> None:
    log = await EventLog.open(config.data)
    kept = Kept(log)
    await kept.put("old", "finished", 10_000)
    lasting = Config(data=config.data, keep_finished=float("inf"))
    assert (await clean(log, lasting, NOW)).deleted == 0
    await log.close()


@in_loop
async def test_matches_are_kept_as_records(config: Config, tmp_path: Path) -> None:
    log = await EventLog.open(config.data)
    kept, folder = Kept(log), tmp_path / "deep" / "records"
    finished = await kept.put("done", "finished", 400)
    broken_off = await kept.put("half", "playing", 400)
    await kept.put("none", "open", 400)
    archiving = Config(data=config.data, archive=folder)
    done = await clean(log, archiving, NOW)
    assert (done.deleted, done.archived) == (3, 2)
    assert len(list(folder.iterdir())) == 2
    for table in (finished, broken_off):
        (path,) = [path for path in folder.iterdir() if path.stem.endswith(f"-{table.id}")]
        match = read_record(path.read_bytes())
        assert table.match is not None
        assert match.over == table.match.over
        assert match.game.plies == table.match.game.plies
    await log.close()


@in_loop
async def test_records_have_no_names_of_deleted_profiles(config: Config, tmp_path: Path) -> None:
    log = await EventLog.open(config.data)
    people = PeopleStore(log, lambda: NOW)
    await Kept(log).put("done", "playing", 400)
    person = await people.ensure("h", "Ann", "tile1")
    archiving = Config(data=config.data, archive=tmp_path / "records")
    await people.erase(person.id)
    assert (await clean(log, archiving, NOW)).archived == 1
    (path,) = archiving.archive.iterdir() if archiving.archive else []
    names = [player.name for player in read_record(path.read_bytes()).players]
    assert names == ["Former player 1", "Former player 2"]
    assert "Ann" not in path.read_text("utf-8")
    await log.close()


@in_loop
async def test_a_table_that_lives_again_meanwhile_stays(config: Config) -> None:
    log = await EventLog.open(config.data)
    table = await Kept(log).put("t", "playing", 100)
    move = encode(table.move(table.game.turn, str(table.game.legal_moves()[0]), NOW).event)

    moved: list[asyncio.Task[bool]] = []

    def may_go(_: str) -> bool:
        moved.append(asyncio.create_task(log.append("t", table.version + 1, move)))
        return True

    # The move comes after the look at its age, and before the deletion.
    real = log.delete

    async def late(name: str, version: int | None = None) -> bool:
        assert await moved[0]
        return await real(name, version)

    log.delete = late  # type: ignore[assignment, method-assign]
    assert (await clean(log, config, NOW, may_go)).deleted == 0
    assert len(await log.read("t")) == table.version + 1
    await log.close()


@in_loop
async def test_the_server_keeps_what_somebody_looks_at(tmp_path: Path) -> None:
    clock = FakeClock()
    async with serving(tmp_path, clock=clock) as served:
        old, watched = await table_of_two(served), await table_of_two(served)
        await watched.ann.enter(watched.table)
        clock.at += 61 * 24 * 3600
        await served.hub.clean()
        assert await served.log(old.table) == []
        assert old.table not in served.hub.tables
        assert await served.log(watched.table) != []
        answer = await served.get(f"/api/tables/{old.table}")
        assert answer.status_code == 404
        assert "triomino_deleted_total 1" in (await served.get("/metrics")).text


@in_loop
async def test_the_server_cleans_by_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = FakeClock()
    async with serving(tmp_path, clock=clock) as served:
        old = await table_of_two(served)
    monkeypatch.setattr(hubs, "FIRST_CLEANING", 0.2)
    async with serving(tmp_path, clock=clock) as served:
        clock.at += 61 * 24 * 3600
        await until(lambda: served.hub.metrics.deleted == 1)
        assert await served.log(old.table) == []


YEAR = 365 * 24 * 3600.0


async def problems(served: Served) -> list[str]:
    """What a server says is wrong with it, but for a machine that is busy with other tests."""
    found = (await served.get("/health")).json().get("problems", [])
    return [one["code"] for one in found if one["code"] != "slow"]


@in_loop
@pytest.mark.parametrize("jump", [-2 * YEAR, -5 * 3600.0, 5 * 3600.0, 2 * YEAR])
async def test_a_date_that_is_set_deletes_nothing(tmp_path: Path, jump: float) -> None:
    clock = FakeClock()
    async with serving(tmp_path, clock=clock, keep_open=0.1) as served:
        two = await table_of_two(served)
        table = await two.ann.create([{"kind": "here"}, {"kind": "link"}])
        await served.hub.clean()
        clock.set_by = jump
        await served.hub.clean()
        assert await served.log(two.table) != []
        assert await served.log(table) != []
        assert await problems(served) == ["cleaning"]
        assert "triomino_cleanings_refused_total 1" in (await served.get("/metrics")).text
        # Once it is right again, what is old goes.
        clock.set_by = 0.0
        clock.at += 5 * 3600
        await served.hub.clean()
        assert await served.log(table) == []
        assert await problems(served) == []


@in_loop
@pytest.mark.parametrize("jump", [-2 * YEAR, 5 * 3600.0, 2 * YEAR])
async def test_a_date_that_is_set_during_a_restart_deletes_nothing(
    tmp_path: Path, jump: float
) -> None:
    clock = FakeClock()
    async with serving(tmp_path, clock=clock, keep_open=0.1) as served:
        two = await table_of_two(served)
        table = await two.ann.create([{"kind": "here"}, {"kind": "link"}])
    clock.set_by = jump
    async with serving(tmp_path, clock=clock, keep_open=0.1) as again:
        # Also if people play meanwhile, with the wrong date.
        new = await table_of_two(again)
        await again.hub.clean()
        for one in (two.table, table, new.table):
            assert await again.log(one) != []
        # What the server has seen pass does count.
        clock.at += 3 * 3600
        await again.hub.clean()
        assert (await again.log(table) == []) == (jump > 0)


@in_loop
async def test_the_command_refuses_a_date_that_cannot_be(tmp_path: Path) -> None:
    log = await EventLog.open(tmp_path / "a.db")
    kept = Kept(log)
    await check_date(log, NOW)  # nothing is stored
    await kept.put("t", "open", 0)
    await check_date(log, NOW + 29 * DAY)
    for date in (NOW + 31 * DAY, NOW - DAY, -(10**17), 10**17):
        with pytest.raises(ImplausibleDate):
            await check_date(log, date)
    await log.close()


@in_loop
async def test_a_cleaning_that_fails_does_not_stop_the_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hubs, "FIRST_CLEANING", 0.01)
    called = asyncio.Event()

    async def broken(*_: Any, **__: Any) -> None:
        called.set()
        raise OSError("the archive is full")

    monkeypatch.setattr(hubs, "clean", broken)
    async with serving(tmp_path) as served:
        await called.wait()
        await until(lambda: served.hub.metrics.errors == 1)
        assert (await served.get("/health")).status_code == 200
