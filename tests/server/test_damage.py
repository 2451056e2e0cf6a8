"""A damaged table is set aside and named; everything else works."""

from __future__ import annotations

import asyncio
import json
import logging
import sqlite3
from contextlib import closing
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from tests.effort import count
from tests.server.harness import FakeClock, Served, in_loop, serving, table_of_two, until
from tests.server.process import ServerProcess
from tests.server.program import run_here
from triomino.client import RemotePlayer
from triomino.server.replay import DamagedError, read_table

if TYPE_CHECKING:
    from pathlib import Path

DAY = 24 * 3600.0
EXPLODED = b'{"type":"exploded","at":1}'

# --- Every kind of damage ------------------------------------------------------------------------

SEATS = [{"kind": "here", "name": "Ann"}, {"kind": "link"}]


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, dict[str, list[str]]]:
    """A database with open, listed tables, running clocks and finished ones; and their ids."""
    folder = tmp_path_factory.mktemp("filled")
    ids = asyncio.run(_fill(folder))
    return (folder / "tables.db").read_bytes(), ids


async def _fill(folder: Path) -> dict[str, list[str]]:
    async with serving(folder) as served:
        ann = served.player()
        opened = [await ann.create(SEATS, listed=True) for _ in range(3)]
        playing = [(await table_of_two(served, clock_seconds=600)).table for _ in range(3)]
        finished = []
        for _ in range(2):
            two = await table_of_two(served)
            await two.ann.enter(two.table)
            await two.ann.give_up(0)
            finished.append(two.table)
    return {"open": opened, "playing": playing, "finished": finished}


def execute(path: Path, statement: str, *values: object) -> None:
    with closing(sqlite3.connect(path)) as database, database:
        # Events may only be added in order; damage does not ask.
        for (name,) in list(
            database.execute("SELECT name FROM sqlite_master WHERE type='trigger'")
        ):
            database.execute(f"DROP TRIGGER {name}")
        database.execute(statement, values)


def replace(data: bytes) -> Any:
    """Damage that puts *data* in the place of the last event of a table."""

    def damage(path: Path, table: str) -> None:
        execute(
            path,
            "UPDATE events SET data = ? WHERE table_id = ? AND version ="
            " (SELECT max(version) FROM events WHERE table_id = ?)",
            data,
            table,
            table,
        )

    return damage


def gap(path: Path, table: str) -> None:
    execute(path, "DELETE FROM events WHERE table_id = ? AND version = 1", table)
    execute(path, "INSERT INTO events VALUES (?, 9, ?)", table, b'{"type":"started","at":1}')


def append(data: bytes) -> Any:
    def damage(path: Path, table: str) -> None:
        execute(
            path,
            "INSERT INTO events SELECT ?, max(version) + 1, ? FROM events WHERE table_id = ?",
            table,
            data,
            table,
        )

    return damage


def of_type(kind: str) -> Any:
    def damage(path: Path, table: str) -> None:
        execute(path, f"UPDATE events SET data = {kind} WHERE table_id = ?", table)  # noqa: S608

    return damage


def wrong_rules(path: Path, table: str) -> None:
    with closing(sqlite3.connect(path)) as database:
        [data] = database.execute(
            "SELECT data FROM events WHERE table_id = ? AND version = 1", (table,)
        ).fetchone()
    created = json.loads(data)
    created["options"]["rules"]["bridge_bonus"] = "forty"
    execute(
        path,
        "UPDATE events SET data = ? WHERE table_id = ? AND version = 1",
        json.dumps(created).encode(),
        table,
    )


NESTED = b'{"a":' * 5000 + b"1" + b"}" * 5000

DAMAGE = {
    "no JSON": replace(b"{"),
    "empty": replace(b""),
    "unknown": replace(b'{"type":"exploded","at":1}'),
    "wrong type": replace(b'{"type":"started","at":"now"}'),
    "no UTF-8": replace(b'{"type":"renamed","at":1,"seat":0,"name":"\xff\xfe"}'),
    "nested": replace(
        b'{"type":"created","at":1,"options":' + b'{"a":' * 5000 + b"1" + b"}" * 5001
    ),
    "no such seat": append(b'{"type":"renamed","at":1,"seat":77,"name":"X"}'),
    "a negative seat": append(b'{"type":"renamed","at":1,"seat":-1,"name":"X"}'),
    "impossible time": append(b'{"type":"closed","at":9999999999999999}'),
    "started again": append(b'{"type":"started","at":1}'),
    "impossible move": append(b'{"type":"moved","at":1,"seat":0,"move":"D(0,0)=9-9-9"}'),
    "impossible undo": append(b'{"type":"undone","at":1,"moves":100}'),
    "gap": gap,
    "a number": of_type("5"),
    "a large number": of_type("99999999999"),
    "text": of_type("'x'"),
    "wrong rules": wrong_rules,
}
"""What may have happened to the log of a table."""


@pytest.mark.parametrize("kind", DAMAGE)
@in_loop
async def test_damage_of_any_kind_stays_where_it_is(
    tmp_path: Path,
    kind: str,
    caplog: pytest.LogCaptureFixture,
    filled: tuple[bytes, dict[str, list[str]]],
) -> None:
    data, ids = filled
    (tmp_path / "tables.db").write_bytes(data)
    damaged = [ids[state][0] for state in ids]
    for table in damaged:
        DAMAGE[kind](tmp_path / "tables.db", table)
    await _everything_else_works(tmp_path, ids, set(damaged), caplog)


def in_memory(served: Served) -> set[str]:
    return {opened.table.id for opened in served.hub.tables}


async def _everything_else_works(
    folder: Path, ids: dict[str, list[str]], damaged: set[str], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.ERROR)
    clock = FakeClock()
    async with serving(folder, clock=clock, look_seconds=0.02) as served:
        # The lobby shows the others, and the clocks of the others run.
        dora = served.player()
        for _ in range(2):
            listed = {table["id"] for table in await dora.lobby()}
            assert listed == set(ids["open"]) - damaged
        await until(lambda: set(ids["playing"]) - damaged <= in_memory(served))
        for table in damaged:
            answer = await served.get(f"/api/tables/{table}")
            assert (answer.status_code, answer.json()["code"]) == (409, "damaged")
            wire = await served.wire()
            await wire.say(type="hello", table=table)
            assert (await wire.hear("refused"))["code"] == "damaged"
        health = (await served.get("/health")).json()
        assert health["status"] == "degraded"
        # A busy machine is slow as well.
        problems = {one["code"] for one in health["problems"]} - {"slow"}
        assert problems == {"damaged_tables"}
        assert f"triomino_tables_damaged {len(damaged)}" in (await served.get("/metrics")).text
        # The host is told, too.
        told = await asyncio.to_thread(run_here, "host", "tables", "--data", served.config.data)
        assert told.code == 0, told
        for table in damaged:
            assert f"Table {table} is damaged" in told.out
        # Cleaning deletes what is old, and keeps what somebody has to look at.
        clock.at += 400 * DAY
        await served.hub.clean()
        for table in [*ids["open"], *ids["finished"]]:
            assert bool(await served.log(table)) == (table in damaged), table
        assert served.hub.metrics.errors == 0
    said = [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert len(said) == len(damaged), [record.getMessage() for record in said]
    assert not any(record.exc_info for record in said)


@pytest.mark.parametrize(
    "change",
    [
        "state = 'exploded'",
        "listed = 'perhaps'",
        "clock = x'00'",
        "updated = 'yesterday'",
        "created = NULL",
        "address = 7.5",
        "id = CAST(x'fffe41' AS TEXT) || id",
    ],
)
@in_loop
async def test_a_damaged_row_hides_no_other(
    tmp_path: Path, change: str, filled: tuple[bytes, dict[str, list[str]]]
) -> None:
    data, ids = filled
    path = tmp_path / "tables.db"
    path.write_bytes(data)
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("PRAGMA writable_schema = ON")
        database.execute("UPDATE sqlite_master SET sql = replace(sql, 'NOT NULL', '')")
    for state in ids:
        execute(path, f"UPDATE tables SET {change} WHERE id = ?", ids[state][0])  # noqa: S608
    async with serving(tmp_path, look_seconds=0.02) as served:
        listed = {table["id"] for table in await served.player().lobby()}
        assert set(ids["open"][1:]) <= listed
        await until(lambda: set(ids["playing"][1:]) <= in_memory(served))
        await served.hub.clean()
        await served.hub.reload_outdated()
        assert (await served.get("/health")).status_code == 200
        assert served.hub.metrics.errors == 0
    assert (await asyncio.to_thread(run_here, "host", "tables", "--data", path)).code == 0


@in_loop
async def test_a_table_that_is_damaged_while_people_play_is_closed_to_them_alone(
    tmp_path: Path,
) -> None:
    async with serving(tmp_path, look_seconds=0.02) as served:
        two, other = await table_of_two(served), await table_of_two(served)
        wire, beside = await two.wire(0), await other.wire(0)
        append(EXPLODED)(tmp_path / "tables.db", two.table)
        assert (await wire.hear("bye"))["code"] == "damaged"
        assert not [said for said in await beside.settle() if said["type"] == "bye"]
        assert two.table not in served.hub.tables
        # Once it is mended it is there again.
        execute(
            tmp_path / "tables.db",
            "DELETE FROM events WHERE data = ?",
            b'{"type":"exploded","at":1}',
        )
        async with asyncio.timeout(20):
            while (await served.get(f"/api/tables/{two.table}")).status_code != 200:
                await asyncio.sleep(0.02)
        assert served.hub.tables.damaged == {}


# --- Pads and analyses ---------------------------------------------------------------------------


@in_loop
async def test_a_damaged_sheet_or_analysis_is_no_error_of_the_server(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        made = [(await served.http.post("/api/pads")).json() for _ in range(2)]
        two = await table_of_two(served)
        await two.ann.enter(two.table)
        await two.ann.give_up(0)
        path = tmp_path / "tables.db"
        execute(path, "INSERT INTO pad_acts VALUES (?, 0, ?)", made[0]["pad"], b"{")
        execute(path, "INSERT INTO analyses VALUES (?, 1, 1, ?)", two.table, b'{"players":7}')
        answer = await served.get(f"/api/pads/{made[0]['pad']}")
        assert (answer.status_code, answer.json()["code"]) == (409, "damaged")
        answer = await served.http.post(
            f"/api/pads/{made[0]['pad']}/acts",
            json={"secret": made[0]["secret"], "since": 1, "acts": [{"do": "undo"}]},
        )
        assert (answer.status_code, answer.json()["code"]) == (409, "damaged")
        assert (await served.get(f"/api/pads/{made[1]['pad']}")).status_code == 200
        answer = await served.get(f"/api/tables/{two.table}/analysis")
        assert (answer.status_code, answer.json()["state"]) == (200, "none")


# --- At random -----------------------------------------------------------------------------------


def _spoil(data: bytes, dice: Random) -> bytes:
    """Change, remove or add bytes."""
    spoilt = bytearray(data)
    for _ in range(dice.randint(1, 4)):
        at = dice.randrange(len(spoilt) + 1)
        match dice.randrange(3):
            case 0:
                spoilt[at:at] = dice.randbytes(dice.randint(1, 3))
            case 1:
                del spoilt[at : at + dice.randint(1, 8)]
            case _:
                spoilt[at : at + 1] = bytes([dice.randrange(256)])
    return bytes(spoilt)


@pytest.mark.parametrize("seed", range(count(10)))
def test_a_log_that_is_spoilt_at_random_is_read_or_refused(seed: int, tmp_path: Path) -> None:
    """Whatever happens to the bytes of a log, it is a table or damaged, and nothing else."""
    dice = Random(f"spoilt {seed}")

    async def logs() -> list[list[bytes]]:
        async with serving(tmp_path) as served:
            tables = [await _played(served, moves) for moves in (0, 3, 12)]
            return [await served.log(table) for table in tables]

    good = asyncio.run(logs())
    refused = 0
    for _ in range(150):
        events = list(dice.choice(good))
        match dice.randrange(4):
            case 0:
                at = dice.randrange(len(events))
                events[at] = _spoil(events[at], dice)
            case 1:
                dice.shuffle(events)
            case 2:
                events.insert(dice.randrange(len(events) + 1), dice.choice(dice.choice(good)))
            case _:
                del events[dice.randrange(len(events))]
        try:
            read_table("table", events)
        except DamagedError:
            refused += 1
    assert refused > 50


async def _played(served: Served, moves: int) -> str:
    two = await table_of_two(served)
    for player in (two.ann, two.ben):
        await player.enter(two.table)
    for _ in range(moves):
        player = two.ann if two.ann.choices else two.ben
        await player.move(player.choices[0].move)
        await until(lambda: two.ann.version == two.ben.version)
    return two.table


def test_a_spoilt_database_is_served_where_it_is_whole(tmp_path: Path) -> None:
    """Rows of a real database are spoilt at random; a real server serves every other table."""
    dice = Random("a spoilt database")
    with ServerProcess(tmp_path) as server:
        ids, secret = asyncio.run(_many_tables(server.url))
    with closing(sqlite3.connect(server.database)) as database, database:
        for (name,) in list(
            database.execute("SELECT name FROM sqlite_master WHERE type='trigger'")
        ):
            database.execute(f"DROP TRIGGER {name}")
        spoilt = set(dice.sample(ids, 15))
        for table in spoilt:
            rows = database.execute(
                "SELECT version, data FROM events WHERE table_id = ?", (table,)
            ).fetchall()
            version, data = dice.choice(rows)
            database.execute(
                "UPDATE events SET data = ? WHERE table_id = ? AND version = ?",
                (b"\xff" + _spoil(data, dice), table, version),
            )
    with server:
        asyncio.run(_others_work(server.url, secret, set(ids) - spoilt))
        assert server.counters()["triomino_errors_total"] == 0
    assert "Traceback" not in server.log
    for table in spoilt:
        assert server.log.count(f"damaged and set aside table={table}") <= 1, server.log
    assert run_here("host", "tables", "--most", "100", "--data", server.database).code == 0


async def _many_tables(url: str) -> tuple[list[str], str]:
    async with RemotePlayer(url) as ann:
        ids = []
        for number in range(40):
            bot = {"kind": "bot", "bot": "greedy"} if number % 2 else {"kind": "link"}
            clock = 900 if number % 4 else None
            ids.append(await ann.create([SEATS[0], bot], listed=True, clock_seconds=clock))
            if number % 2:
                await ann.start(ids[-1])
        assert ann.secret is not None
        return ids, ann.secret


async def _others_work(url: str, secret: str, whole: set[str]) -> None:
    async with RemotePlayer(url, secret) as ann:
        opened = set()
        for table in sorted(whole):
            state = await ann.enter(table)
            if state.state == "open":
                opened.add(table)
            else:
                await ann.until(lambda: bool(ann.choices))
                await ann.move(ann.choices[0].move)
        assert {table["id"] for table in await ann.lobby()} == opened
