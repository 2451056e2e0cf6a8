"""A database that fails: a reason for everyone, no traceback, and all is well afterwards."""

from __future__ import annotations

import asyncio
import json
import resource
import sqlite3
import sys
from contextlib import closing
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from tests.server.harness import NO_TLS, Wire
from tests.server.process import ServerProcess
from triomino.client import RemotePlayer

if TYPE_CHECKING:
    from pathlib import Path

PAD = "/api/pads"


class Clients:
    """Somebody who plays, somebody who writes a sheet, and every kind of request."""

    def __init__(self, url: str) -> None:
        self.http = httpx.AsyncClient(base_url=url, timeout=60, verify=NO_TLS)
        self.url = url

    async def begin(self) -> None:
        async with RemotePlayer(self.url) as ann:
            self.table = await ann.create([{"kind": "here"}, {"kind": "here"}])
            await ann.start(self.table)
            assert ann.secret is not None
            self.secret = ann.secret
        self.headers = {"authorization": f"Bearer {self.secret}"}
        self.pad = (await self.http.post(PAD)).json()
        self.wire = await Wire.open(self.url, self.secret)
        await self.wire.say(type="hello", table=self.table, secret=self.secret)
        self.state = await self.wire.hear("state")

    async def answers(self) -> dict[str, tuple[int, Any]]:
        """What every route says that needs the database."""
        asked: dict[str, tuple[str, str, Any]] = {
            "lobby": ("GET", "/api/tables", None),
            "other table": ("GET", "/api/tables/nowhere", None),
            "create": ("POST", "/api/tables", {"seats": [{"kind": "here"}, {"kind": "link"}]}),
            "record": ("GET", "/api/tables/nowhere/record", None),
            "pad": ("GET", f"{PAD}/{self.pad['pad']}", None),
            "new pad": ("POST", PAD, None),
            "analysis": ("GET", "/api/analyses/record:x", None),
            "link": ("POST", f"/api/tables/{self.table}/seats/0/links", None),
            "health": ("GET", "/health", None),
        }
        found = {}
        for name, (method, path, body) in asked.items():
            answer = await self.http.request(method, path, json=body, headers=self.headers)
            found[name] = (answer.status_code, answer.json())
        return found

    async def move(self) -> dict[str, Any]:
        """Play a move over the socket."""
        await self.wire.say(type="hello", table=self.table, secret=self.secret)
        state = await self.wire.hear("state")
        move = state["now"]["choices"][0]["move"]
        return await self.wire.ask(type="move", move=move, ply=state["now"]["ply"])

    async def close(self) -> None:
        await self.wire.close()
        await self.http.aclose()


async def _fails(clients: Clients, reason: str, *, reads: bool) -> None:
    answers = await clients.answers()
    for name, (status, body) in answers.items():
        assert status < 500 or status == 503, (name, body)
        if status == 503 and name != "health":
            assert body["code"] == "unavailable", (name, body)
            assert reason in body["detail"], (name, body)
    assert answers["create"][0] == 503
    assert answers["new pad"][0] == 503
    assert (answers["lobby"][0] == 503) != reads
    status, health = answers["health"]
    assert (status, health["status"]) == (503, "unavailable")
    assert reason in json.dumps(health)
    said = await clients.move()
    assert (said["type"], said["code"]) == ("refused", "unavailable"), said
    assert reason in said["detail"]


async def _works(clients: Clients) -> None:
    answers = await clients.answers()
    assert [name for name, (status, _) in answers.items() if status >= 500] == []
    assert answers["health"] == (200, {"status": "ok"})
    assert (await clients.move())["type"] == "ack"


def _is_quiet(server: ServerProcess) -> None:
    assert "Traceback" not in server.log, server.log
    assert server.log.count("the database failed") < 12, server.log


@pytest.mark.skipif(sys.platform == "win32", reason="limits are those of Unix")
def test_a_full_disk(tmp_path: Path) -> None:
    """The system lets no file grow: what is there is read, and nothing is lost."""

    async def run(server: ServerProcess) -> None:
        clients = Clients(server.url)
        await clients.begin()
        _, hard = resource.prlimit(server.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (1, hard))
        await _fails(clients, "the disk", reads=True)
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (hard, hard))
        await _works(clients)
        await clients.close()

    with ServerProcess(tmp_path) as server:
        asyncio.run(run(server))
    _is_quiet(server)


def test_a_database_that_is_gone_and_comes_back(tmp_path: Path) -> None:
    async def run(server: ServerProcess) -> None:
        clients = Clients(server.url)
        await clients.begin()
        aside = server.database.with_name("aside")
        server.database.rename(aside)
        await _fails(clients, "its file is gone", reads=False)
        assert not server.database.exists()
        # Another one in its place is no better: nothing of it is touched.
        server.database.write_bytes(aside.read_bytes())
        before = server.database.read_bytes()
        await _fails(clients, "its file was replaced", reads=False)
        assert server.database.read_bytes() == before
        server.database.unlink()
        aside.rename(server.database)
        await _works(clients)
        await clients.close()

    with ServerProcess(tmp_path) as server:
        asyncio.run(run(server))
    _is_quiet(server)


def test_a_database_that_another_program_locks(tmp_path: Path) -> None:
    async def run(server: ServerProcess) -> None:
        clients = Clients(server.url)
        await clients.begin()
        with closing(sqlite3.connect(server.database, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            answer = await clients.http.post(PAD)
            assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")
            assert "another program has locked it" in answer.json()["detail"]
            assert (await clients.http.get("/api/tables")).status_code == 200
            other.execute("ROLLBACK")
        await _works(clients)
        await clients.close()

    with ServerProcess(tmp_path) as server:
        asyncio.run(run(server))
    _is_quiet(server)
