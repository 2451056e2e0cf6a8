"""Killed at any moment, the server keeps what it acknowledged, and everyone comes back."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import msgspec
import pytest
from alembic import op

from tests.effort import count
from tests.server.crash import Auditor, Promise, crash
from triomino.protocol.api import SeatPlan, TableOptions
from triomino.protocol.messages import Moved, ServerMessage, State
from triomino.server import broadcast
from triomino.server.config import Config
from triomino.server.events import MovePlayed, Started
from triomino.server.hub import Hub
from triomino.store.failure import StoreError
from triomino.store.log import EventLog

if TYPE_CHECKING:
    from pathlib import Path

    from triomino.server.table import Change, Table

TWO_HERE = TableOptions(
    seats=(SeatPlan("here", "Ann"), SeatPlan("here", "Ben")),
    rules={"edition": "classic", "target": None},
)


def test_kill_nine_under_load(tmp_path: Path) -> None:
    kills, pairs = count(10), count(20, least=3)
    report = asyncio.run(crash(tmp_path, kills=kills, pairs=pairs, seed=7))
    assert report.lost == []
    assert report.kills == len(report.back) == kills
    assert report.finished >= pairs
    assert report.acknowledged > pairs * (3 + 20)
    assert report.reconnects >= kills * 2 * pairs


def _first_move(table: Table) -> Change[MovePlayed]:
    return table.move(table.game.turn, str(table.game.legal_moves()[0]), table.updated)


async def play(hub: Hub, table: str, moves: int | None = None) -> Table:
    """Start a match and play the first legal move again and again."""
    await hub.start(table, "ann")
    played = 0
    while played != moves:
        if (await hub.tables.open(table)).table.game.over:
            break
        await hub.change(table, _first_move)
        played += 1
    return (await hub.tables.open(table)).table


async def two_moves(path: Path) -> tuple[str, list[Promise]]:
    """A table with two moves in a database, and what was acknowledged of it."""
    events = await EventLog.open(path)
    hub = Hub(Config(data=str(path)), events)
    table = await hub.create(TWO_HERE, "ann", "")
    await play(hub, table.id, moves=2)
    moves = [str(ply.move) for ply in table.game.plies]
    await hub.close()
    await events.close()
    kept = [Promise(table.id, 2, Started)]
    kept += [Promise(table.id, 3 + number, MovePlayed, move) for number, move in enumerate(moves)]
    return table.id, kept


def test_the_auditor_notices_what_is_lost(tmp_path: Path) -> None:
    path = tmp_path / "tables.sqlite"
    table, promises = asyncio.run(two_moves(path))
    auditor = Auditor(path)
    assert auditor.check(promises) == []
    assert auditor.tables() == {table: "playing"}
    foreign = Promise("nowhere", 3, MovePlayed, "draw")
    other = Promise(table, 3, MovePlayed, "draw")
    assert auditor.check([*promises, foreign, other]) == [foreign, other]
    with closing(sqlite3.connect(path)) as base, base:
        base.execute("DELETE FROM events WHERE version = 4")
    assert auditor.check(promises) == promises[2:]
    with closing(sqlite3.connect(path)) as base, base:
        base.execute("DELETE FROM events WHERE version = 2")
    with pytest.raises(AssertionError, match="gaps"):
        auditor.check(promises)


def test_who_missed_the_last_move_learns_that_the_match_is_over(tmp_path: Path) -> None:
    async def miss() -> None:
        path = str(tmp_path / "tables.sqlite")
        events = await EventLog.open(path)
        hub = Hub(Config(data=path), events)
        first = await hub.create(TWO_HERE, "ann", "")
        await play(hub, first.id, moves=3)
        opened = await hub.tables.open(first.id)
        behind = broadcast.catch_up(opened, "ann", opened.table.version - 1)
        assert isinstance(msgspec.json.decode(behind, type=ServerMessage), Moved)
        second = await hub.create(TWO_HERE, "ann", "")
        await play(hub, second.id)
        opened = await hub.tables.open(second.id)
        behind = broadcast.catch_up(opened, "ann", opened.table.version - 1)
        told = msgspec.json.decode(behind, type=ServerMessage)
        assert isinstance(told, State)
        assert told.state == "finished"
        await hub.close()
        await events.close()

    asyncio.run(miss())


def test_a_row_that_a_crash_left_behind_is_mended(tmp_path: Path) -> None:
    async def mend() -> None:
        path = str(tmp_path / "tables.sqlite")
        events = await EventLog.open(path)
        hub = Hub(Config(data=path), events)
        table = await hub.create(TWO_HERE, "ann", "")
        await play(hub, table.id)
        await events.update_row(table.id, "playing", 0)  # as if killed before the row was written
        row = await events.row(table.id)
        assert row is not None
        assert row.state == "playing"
        restarted = Hub(Config(data=path), events)
        await restarted.tables.open(table.id)
        row = await events.row(table.id)
        assert row is not None
        assert row.state == "finished"
        await events.close()

    asyncio.run(mend())


def test_a_migration_happens_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "tables.sqlite"

    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("the power went off")

    with monkeypatch.context() as patch:
        patch.setattr(op, "create_index", broken)
        with pytest.raises(StoreError, match="the power went off"):
            asyncio.run(open_and_close(path))
    with closing(sqlite3.connect(path)) as base:
        assert base.execute("SELECT name FROM sqlite_master").fetchall() == []
    asyncio.run(open_and_close(path))


async def open_and_close(path: Path) -> None:
    await (await EventLog.open(path)).close()
