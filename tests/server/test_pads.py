"""Live sheets: written by one phone, seen by others, sent again without doubling."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from contextlib import closing, suppress
from typing import TYPE_CHECKING, Any

from websockets.asyncio.client import connect

from tests.server.harness import PATIENCE, Wire, in_loop, serving
from triomino.pad import pad_from_json
from triomino.rules import CLASSIC
from triomino.server.retention import DAY
from triomino.store.log import EventLog
from triomino.store.pads import PadRow, PadStore
from triomino.store.schema import metadata

if TYPE_CHECKING:
    from pathlib import Path

    import httpx

SETUP = {"do": "setup", "rules": CLASSIC.to_json(), "names": ["Ann", "Zoë"]}
FIRST = {"do": "turn", "person": 0, "sum": 9}
SECOND = {"do": "turn", "person": 1, "tile": "1-3-4", "draws": 2}


async def begin(http: httpx.AsyncClient) -> tuple[str, str]:
    answer = (await http.post("/api/pads")).json()
    assert answer["path"] == f"/sheet/{answer['pad']}"
    return answer["pad"], answer["secret"]


async def send(
    http: httpx.AsyncClient, pad: str, secret: str, since: int, *acts: Any
) -> tuple[int, Any]:
    body = {"secret": secret, "since": since, "acts": acts}
    answer = await http.post(f"/api/pads/{pad}/acts", json=body)
    return answer.status_code, answer.json()


@in_loop
async def test_what_is_sent_twice_is_there_once(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        pad, secret = await begin(served.http)
        assert await send(served.http, pad, secret, 0, SETUP, FIRST) == (
            201,
            {"pad": pad, "version": 2},
        )
        # The answer was lost: all of it again, with what came meanwhile.
        for _ in range(2):
            status, answer = await send(served.http, pad, secret, 0, SETUP, FIRST, SECOND)
            assert (status, answer["version"]) == (201, 3)
        status, answer = await send(served.http, pad, secret, 1, FIRST)
        assert (status, answer["version"]) == (201, 3)
        written = (await served.http.get(f"/api/pads/{pad}")).json()
        assert written == {"pad": pad, "since": 0, "acts": [SETUP, FIRST, SECOND]}
        sheet = pad_from_json({"format": "triomino-pad/2", "log": written["acts"]}).sheet
        assert sheet.ledger.totals == (9, -2)


@in_loop
async def test_two_phones_that_send_at_once_write_one_line(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        pad, secret = await begin(served.http)
        await send(served.http, pad, secret, 0, SETUP)
        answers = await asyncio.gather(
            *(send(served.http, pad, secret, 1, {**FIRST, "sum": value}) for value in range(8))
        )
        assert sorted(status for status, _ in answers) == [201] + [409] * 7
        assert {answer["code"] for status, answer in answers if status == 409} == {"conflict"}
        assert len((await served.http.get(f"/api/pads/{pad}")).json()["acts"]) == 2


@in_loop
async def test_only_the_secret_writes_and_only_pads_are_written(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        http = served.http
        pad, secret = await begin(http)
        await send(http, pad, secret, 0, SETUP)
        other = "x" * 24
        for since, act, key, status, code in (
            (1, FIRST, other, 403, "not_yours"),
            (5, FIRST, secret, 409, "gap"),
            (0, FIRST, secret, 409, "conflict"),
            (1, SETUP, secret, 400, "wrong"),
            (1, {"do": "dance"}, secret, 400, "wrong"),
            (1, {"do": "turn", "person": 7, "sum": 1}, secret, 400, "wrong"),
            (1, {"do": "undo"}, secret, 400, "wrong"),
        ):
            given, answer = await send(http, pad, key, since, act)
            assert (given, answer["code"]) == (status, code), act
        assert (await send(http, "nothing", secret, 0, SETUP))[0] == 404
        assert (await http.get("/api/pads/nothing")).status_code == 404
        assert (await send(http, pad, secret, 1, *[FIRST] * 201))[0] == 400
        assert (await http.get(f"/api/pads/{pad}")).json()["acts"] == [SETUP]


@in_loop
async def test_pads_from_one_address_have_a_limit(tmp_path: Path) -> None:
    async with serving(tmp_path, pads_per_address=2) as served:
        for _ in range(2):
            await begin(served.http)
        answer = await served.http.post("/api/pads")
        assert (answer.status_code, answer.json()["code"]) == (429, "too_many_pads")


@in_loop
async def test_others_see_it_as_it_is_written(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        pad, secret = await begin(served.http)
        await send(served.http, pad, secret, 0, SETUP)
        url = served.url.replace("http", "ws", 1) + f"/ws/pads/{pad}"
        async with connect(url) as one, connect(url) as two, asyncio.timeout(PATIENCE):
            for socket in (one, two):
                assert json.loads(await socket.recv())["acts"] == [SETUP]
            await send(served.http, pad, secret, 1, FIRST, SECOND)
            for socket in (one, two):
                news = json.loads(await socket.recv())
                assert news == {"pad": pad, "since": 1, "acts": [FIRST, SECOND]}
        async with connect(served.url.replace("http", "ws", 1) + "/ws/pads/nothing") as lost:
            await lost.wait_closed()
            assert lost.close_code == 4404


@in_loop
async def test_a_phone_that_was_forgotten_is_let_go(tmp_path: Path) -> None:
    async with serving(tmp_path, idle_seconds=1) as served:
        pad, secret = await begin(served.http)
        await send(served.http, pad, secret, 0, SETUP)
        url = served.url.replace("http", "ws", 1) + f"/ws/pads/{pad}"
        async with connect(url) as forgotten, connect(url) as seen, asyncio.timeout(PATIENCE):
            while forgotten.close_code is None:
                await seen.send("{}")
                with suppress(TimeoutError):
                    await asyncio.wait_for(forgotten.wait_closed(), 0.1)
            assert forgotten.close_code == 4001
            await send(served.http, pad, secret, 1, FIRST)
            assert json.loads(await seen.recv())["acts"] == [SETUP]
            assert json.loads(await seen.recv())["acts"] == [FIRST]
        metrics = (await served.http.get("/metrics")).text
        assert "triomino_sockets_open 0" in metrics


def test_pads_are_kept_over_a_restart_and_not_for_ever(tmp_path: Path) -> None:
    async def main() -> None:
        async with serving(tmp_path) as served:
            pad, secret = await begin(served.http)
            await send(served.http, pad, secret, 0, SETUP)
        async with serving(tmp_path) as served:
            assert (await send(served.http, pad, secret, 1, FIRST))[0] == 201
            served.clock.at += 29 * DAY / 1000
            await served.hub.clean()
            assert (await served.http.get(f"/api/pads/{pad}")).status_code == 200
            served.clock.at += 2 * DAY / 1000
            await served.hub.clean()
            assert (await served.http.get(f"/api/pads/{pad}")).status_code == 404

    asyncio.run(main())


def test_a_database_from_before_pads_gets_them(tmp_path: Path) -> None:
    """What the step before left is opened, keeps its tables, and takes pads."""
    path = tmp_path / "old.db"

    async def main() -> None:
        log = await EventLog.open(path)
        await log.close()
        with closing(sqlite3.connect(path)) as database:
            newest = database.execute("SELECT version_num FROM alembic_version").fetchone()
            newer = set(metadata.tables) - {"tables", "events"}
            database.executescript("".join(f"DROP TABLE {name};" for name in newer))
            database.executescript("UPDATE alembic_version SET version_num = '0003';")
        log = await EventLog.open(path)
        store = PadStore(log)
        await store.add(PadRow("p", "s", "here", 1))
        await store.append("p", 0, [b"one", b"two"], 2)
        assert await store.acts("p", 1) == [b"two"]
        assert await store.row("p") == PadRow("p", "s", "here", 2)
        assert await store.forget(3) == 1
        assert await store.acts("p") == []
        await log.close()
        with closing(sqlite3.connect(path)) as database:
            now = database.execute("SELECT version_num FROM alembic_version").fetchone()
        assert now == newest

    asyncio.run(main())


@in_loop
async def test_who_watches_and_speaks_too_much_is_closed(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        pad = (await served.http.post("/api/pads")).json()["pad"]
        wire = await Wire.open(served.url, path=f"/ws/pads/{pad}")
        for _ in range(40):
            await wire.send("{}")
        code, _ = await wire.until_closed()
        assert code == 4029
