"""Guard rails: who may ask, how often, how much, and what nobody is told."""

from __future__ import annotations

import asyncio
import json
import logging
import socket
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from websockets.exceptions import InvalidStatus

from tests.server.harness import in_loop, serving, table_of_two, until
from triomino.client import RefusedByServer
from triomino.server.config import Config
from triomino.server.credentials import digest
from triomino.server.guard import HEADERS
from triomino.server.hosts import Hosts
from triomino.server.listening import listen

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SEATS = {"seats": [{"kind": "here"}, {"kind": "link"}]}


# --- Headers and cookies -------------------------------------------------------------------------


@in_loop
@pytest.mark.parametrize("url", [None, "http://game.example", "https://game.example"])
async def test_every_answer_tells_browsers_what_to_allow(tmp_path: Path, url: str | None) -> None:
    async with serving(tmp_path, public_url=url, http_per_minute=60) as served:
        answers = [
            await served.get("/health"),
            await served.get("/schema/openapi.json"),
            await served.get("/api/nothing"),
            await served.http.put("/health"),
            await served.http.post("/api/tables", json={}),
            await served.http.post("/api/devices", headers={"origin": "http://evil.example"}),
        ]
        while answers[-1].status_code != 429:
            answers.append(await served.get("/health"))
        seen = {answer.status_code for answer in answers}
        assert {200, 400, 403, 404, 405, 429} <= seen
        for answer in answers:
            scheme = "wss" if url == "https://game.example" else "ws"
            sources = f"connect-src 'self' {served.url.replace('http', scheme, 1)}"
            for name, value in HEADERS.items():
                expected = value.replace("connect-src 'self'", sources)
                assert answer.headers.get_list(name) == [expected], (answer.url, name)
            secure = answer.headers.get("strict-transport-security")
            assert (secure is not None) == (url == "https://game.example")
            assert "server" not in answer.headers
        policy = answers[0].headers["content-security-policy"]
        assert "default-src 'self'" in policy
        assert "script-src 'self' 'wasm-unsafe-eval';" in policy
        assert "frame-ancestors 'none'" in policy
        assert "'unsafe-" not in policy


@in_loop
@pytest.mark.parametrize("https", [False, True])
async def test_the_cookie_of_a_device(tmp_path: Path, https: bool) -> None:
    url = "https://game.example" if https else None
    async with serving(tmp_path, public_url=url) as served:
        answer = await served.http.post("/api/devices")
        cookie = answer.headers["set-cookie"]
        parts = {part.strip().lower() for part in cookie.split(";")}
        assert {"httponly", "samesite=lax", "path=/"} <= parts
        assert ("secure" in parts) == https
        assert "domain" not in cookie.lower()
        secret = answer.json()["secret"]
        assert f"triomino_device={secret}" in cookie
        # It is the device: on HTTP and on the socket, and asking again gives no other.
        own = {"cookie": f"triomino_device={secret}"}
        table = (await served.http.post("/api/tables", json=SEATS, headers=own)).json()
        assert table["you"] == [0]
        again = await served.http.post("/api/devices", headers=own)
        assert again.json()["secret"] == secret
        wire = await served.wire(additional_headers=own)
        await wire.say(type="hello", table=table["id"])
        assert (await wire.hear("state"))["you"] == [0]


@in_loop
async def test_without_a_device_one_can_look_but_not_touch(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        two = await table_of_two(served)
        assert (await served.get(f"/api/tables/{two.table}")).json()["you"] == []
        for path, body in (
            ("/api/tables", SEATS),
            (f"/api/tables/{two.table}/seats", {"name": "Eve"}),
            (f"/api/tables/{two.table}/start", {}),
            (f"/api/tables/{two.table}/seats/0/links", {}),
            (f"/api/tables/{two.table}/claims", {"secret": "x" * 20}),
            (f"/api/tables/{two.table}/rematch", {}),
        ):
            answer = await served.http.post(path, json=body)
            assert (answer.status_code, answer.json()["code"]) == (401, "no_device"), path
        answer = await served.http.delete(f"/api/tables/{two.table}/seats/0")
        assert answer.status_code == 401


@in_loop
async def test_refusals_over_http_have_a_code_and_a_status(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        two = await table_of_two(served)
        eve = {"authorization": "Bearer the secret of eve"}
        for path, body, status, code in (
            (f"/api/tables/{two.table}/start", {}, 409, "is_playing"),
            (f"/api/tables/{two.table}/seats", {"name": "Eve"}, 409, "is_playing"),
            (f"/api/tables/{two.table}/seats", {"name": "Eve", "seed": "ab\n"}, 409, "is_playing"),
            (f"/api/tables/{two.table}/seats", {"name": ""}, 400, "http"),
            (f"/api/tables/{two.table}/seats", {"name": "Eve", "seed": "xx"}, 400, "http"),
            (f"/api/tables/{two.table}/seats/0/links", {}, 403, "not_yours"),
            (f"/api/tables/{two.table}/seats/7/links", {}, 403, "not_yours"),
            (f"/api/tables/{two.table}/claims", {"secret": "x" * 20}, 403, "wrong_link"),
            (f"/api/tables/{two.table}/claims", {"secret": "short"}, 400, "http"),
            ("/api/tables/nowhere/start", {}, 404, "no_table"),
            ("/api/tables", {"seats": [], "more": 1}, 400, "http"),
            ("/api/tables", {**SEATS, "rules": {"edition": "x"}}, 400, "wrong"),
            ("/api/tables", {**SEATS, "rules": {"racks": {"2": 38}}}, 400, "wrong"),
        ):
            answer = await served.http.post(path, json=body, headers=eve)
            assert (answer.status_code, answer.json()["code"]) == (status, code), (path, body)
            assert "\n" not in answer.json()["detail"]
        answer = await served.http.delete(f"/api/tables/{two.table}/seats/0", headers=eve)
        assert (answer.status_code, answer.json()["code"]) == (403, "not_yours")
        answer = await served.http.post("/api/tables", content=b"{", headers=eve)
        assert answer.status_code == 400


# --- Origin --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("origin", "allowed"),
    [
        (None, True),
        ("http://192.168.0.7:8020", True),
        ("https://192.168.0.7:8020", True),  # a proxy may speak https for us
        ("https://game.example", True),
        ("http://192.168.0.7", False),
        ("http://192.168.0.7:80", False),
        ("https://game.example.evil.example", False),
        ("https://evil.example", False),
        ("https://evil.example/game.example", False),
        ("https://user@game.example", False),
        ("file://game.example", False),
        ("null", False),
        ("", False),
        ("http://", False),
        ("http://[", False),
        ("game.example", False),
    ],
)
def test_which_pages_may_talk_to_the_server(origin: str | None, allowed: bool) -> None:
    config = Config(data="", public_url="https://game.example")
    assert Hosts(config).allows_origin(origin, "192.168.0.7:8020") is allowed


@in_loop
async def test_a_page_of_somebody_else_changes_nothing(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        two = await table_of_two(served)
        own = {"authorization": "Bearer " + two.secret(0)}
        for origin in ("http://evil.example", "null", "http://["):
            headers = {**own, "origin": origin}
            answer = await served.http.post("/api/tables", json=SEATS, headers=headers)
            assert (answer.status_code, answer.json()["code"]) == (403, "origin")
            answer = await served.http.delete(f"/api/tables/{two.table}/seats/0", headers=headers)
            assert answer.status_code == 403
            assert "access-control-allow-origin" not in answer.headers
            with pytest.raises(InvalidStatus) as caught:
                await served.wire(origin=origin)
            assert caught.value.response.status_code == 403
        assert await served.events.count() == 1
        headers = {**own, "origin": served.url}
        assert (await served.http.post("/api/tables", json=SEATS, headers=headers)).is_success
        wire = await served.wire(origin=served.url)
        await wire.settle()


# --- Size ----------------------------------------------------------------------------------------


@in_loop
async def test_what_is_too_large_is_refused(tmp_path: Path) -> None:
    async with serving(tmp_path, body_bytes=2000, message_bytes=500) as served:
        two = await table_of_two(served)
        own = {"authorization": "Bearer " + two.secret(0)}
        big = {**SEATS, "rules": {"edition": "x" * 3000}}
        answer = await served.http.post("/api/tables", json=big, headers=own)
        assert answer.status_code == 413

        async def trickle() -> Any:
            for _ in range(30):
                yield b" " * 100

        answer = await served.http.post("/api/tables", content=trickle(), headers=own)
        assert answer.status_code == 413  # also where no length was announced
        wire = await two.wire(0)
        await wire.send('{"type":"ping"}'.ljust(500))
        await wire.hear("pong")
        await wire.send('{"type":"ping"}'.ljust(501))
        code, _ = await wire.until_closed()
        assert code == 1009


# --- Rate ----------------------------------------------------------------------------------------


@in_loop
async def test_too_many_requests_of_one_address(tmp_path: Path) -> None:
    """All routes count together, those that do not exist and those that open a socket too."""
    async with serving(tmp_path, http_per_minute=2) as served:  # one, and another in half a minute
        assert (await served.get("/health")).status_code == 200
        for path in ("/health", "/metrics", "/api/nothing", "/api/tables"):
            answer = await served.get(path)
            assert answer.status_code == 429, path
            assert answer.json()["code"] == "too_fast"
            assert answer.headers["retry-after"]
        # But for the files of the page, of which one look needs dozens; they have their own budget.
        assert (await served.get("/assets/nothing.js")).status_code != 429
        with pytest.raises(InvalidStatus) as caught:
            await served.wire()
        assert caught.value.response.status_code == 403


@in_loop
async def test_too_many_messages_of_one_client(tmp_path: Path) -> None:
    async with serving(tmp_path, messages_per_second=1) as served:  # a burst of four
        two = await table_of_two(served)
        wire, other = await two.wire(0), await two.wire(1)
        for number in range(1, 8):
            await wire.say(type="ping", id=number)
        refusal = await wire.hear("refused")
        assert (refusal["code"], refusal["id"]) == ("too_fast", None)
        pongs = [m["id"] for m in map(json.loads, wire.heard) if m["type"] == "pong"]
        assert pongs[:3] == [1, 2, 3]  # with the hello that is four
        await other.settle()  # another client is not touched by it
        assert served.hub.metrics.limited >= 1
        assert wire.closed is None


@in_loop
async def test_who_goes_on_too_fast_is_let_go(tmp_path: Path) -> None:
    async with serving(tmp_path, messages_per_second=5) as served:
        two = await table_of_two(served)
        wire = await two.wire(0)

        async def flood() -> None:
            while wire.closed is None:
                await wire.say(type="ping", id=1)
                await asyncio.sleep(0)

        flooding = asyncio.create_task(flood())
        assert await wire.until_closed() == (4029, "too fast")
        flooding.cancel()
        await asyncio.gather(flooding, return_exceptions=True)
        assert len(wire.heard) < 100


@in_loop
async def test_too_many_sockets_of_one_address(tmp_path: Path) -> None:
    async with serving(tmp_path, sockets_per_address=3) as served:
        wires = [await served.wire() for _ in range(3)]
        with pytest.raises(InvalidStatus) as caught:
            await served.wire()
        assert caught.value.response.status_code == 403
        for wire in wires:
            await wire.settle()
        await wires[0].close()
        await until(lambda: served.app.state.sockets.open == 2)
        await (await served.wire()).settle()


@in_loop
async def test_too_many_tables_of_one_address(tmp_path: Path) -> None:
    async with serving(tmp_path, tables_per_address=2) as served:
        ann, ben = served.player(), served.player()
        first = await ann.create([{"kind": "here"}, {"kind": "here"}])
        await ben.create(SEATS["seats"])
        with pytest.raises(RefusedByServer) as caught:
            await ann.create(SEATS["seats"])
        assert caught.value.code == "too_many_tables"
        await ann.start(first)  # it counts on while it is played at
        with pytest.raises(RefusedByServer):
            await ann.create(SEATS["seats"])
        await ann.enter(first)
        await ann.give_up()
        await ann.create(SEATS["seats"])  # what is over does not count
        assert (await served.http.post("/api/devices")).is_success


# --- For the host --------------------------------------------------------------------------------


@in_loop
async def test_health_and_metrics(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        assert (await served.get("/health")).json() == {"status": "ok"}
        two = await table_of_two(served)
        wire = await two.wire(two.game.turn)
        move = str(two.game.legal_moves()[0])
        await wire.ask(type="move", move=move, ply=two.ply)
        await wire.ask(type="move", move=move, ply=1)
        answer = await served.get("/metrics")
        assert answer.headers["content-type"].startswith("text/plain")
        values = dict(
            line.split(" ") for line in answer.text.splitlines() if not line.startswith("#")
        )
        assert values["triomino_tables_total"] == "1"
        assert values["triomino_events_total"] == "3"
        assert values["triomino_messages_total"] == "3"
        assert values["triomino_refused_total"] == "1"
        assert values["triomino_sockets_open"] == "1"
        assert values["triomino_tables_in_memory"] == "1"
        assert values["triomino_errors_total"] == "0"
        typed = [line.split(" ")[2] for line in answer.text.splitlines() if line[0] == "#"]
        assert typed == list(values)
        await wire.close()
        async with served.events.database.writer.begin() as connection:
            await connection.exec_driver_sql("ALTER TABLE tables RENAME TO gone")
        answer = await served.get("/health")
        assert answer.status_code == 503
        problems = [{"code": "database", "detail": "it fails"}]
        assert answer.json() == {"status": "unavailable", "problems": problems}


@in_loop
async def test_the_paths_are_described(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        paths = (await served.get("/schema/openapi.json")).json()["paths"]
        assert {"/api/tables", "/api/devices", "/health", "/metrics"} <= set(paths)


def test_small_messages_leave_at_once() -> None:
    """Without it, an answer of two small pieces waits for the other side: 40 ms a move."""
    with (
        listen(Config(data="", host="127.0.0.1", port=0)) as listener,
        socket.create_connection(listener.getsockname()),
        listener.accept()[0] as accepted,
    ):
        assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


# --- Logs ----------------------------------------------------------------------------------------


@pytest.fixture
def logged() -> Iterator[list[str]]:
    """Everything that anything of the server writes to its logs, in full."""
    lines: list[str] = []

    class Keep(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(f"{self.format(record)} {record.__dict__}")

    names = ["triomino", "uvicorn", "litestar", "sqlalchemy", "alembic", "aiosqlite"]
    loggers = [logging.getLogger(name) for name in names]
    handler, levels = Keep(), [logger.level for logger in loggers]
    for logger in loggers:
        logger.addHandler(handler)
        logger.setLevel(logging.DEBUG if logger.name == "triomino" else logging.INFO)
    yield lines
    for logger, level in zip(loggers, levels, strict=True):
        logger.removeHandler(handler)
        logger.setLevel(level)


@in_loop
async def test_no_secret_is_ever_logged(tmp_path: Path, logged: list[str]) -> None:
    seed = "5eed" * 16
    async with serving(tmp_path, seeds=[seed]) as served:
        two = await table_of_two(served)
        path = (await two.ben.request("POST", f"/api/tables/{two.table}/seats/1/links"))["path"]
        link = await two.ben.link(two.table, 1)
        await served.get(path)  # as a browser asks for it, without what is behind the #
        phone = served.player()
        await phone.claim(two.table, link)
        wire = await two.wire(two.game.turn)
        await wire.ask(type="move", move=str(two.game.legal_moves()[0]), ply=two.ply)
        # Also when things go wrong.
        await wire.send(json.dumps({"type": "hello", "secret": two.secret(0), "x": 1}))
        await wire.hear("refused")
        for wrong in ("wrong-secret-of-nobody", link):
            with pytest.raises(RefusedByServer):
                await served.player(wrong).start(two.table)
        async with served.events.database.writer.begin() as connection:
            await connection.exec_driver_sql(
                "CREATE TRIGGER broken BEFORE INSERT ON events"
                " BEGIN SELECT RAISE(ABORT, 'the disk is full'); END"
            )
        with pytest.raises(RefusedByServer):
            await two.ben.link(two.table, 1)
        with pytest.raises(RefusedByServer):
            await two.ann.create(SEATS["seats"])
        await wire.ask(type="give_up")
        secrets = [two.ann.secret, two.ben.secret, phone.secret, link, "wrong-secret-of-nobody"]
        secrets += [opened.table.exchange.server_seed for opened in served.hub.tables]
    text = "\n".join(logged)
    assert "the disk is full" in text  # what went wrong is there
    assert "table1" in text
    assert seed in secrets
    for secret in secrets:
        assert secret is not None
        assert secret not in text
        assert digest(secret) not in text


@in_loop
async def test_what_goes_wrong_inside_is_logged_and_not_told(
    tmp_path: Path, logged: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serving(tmp_path) as served:
        two = await table_of_two(served)

        def broken(*_: object) -> None:
            raise ZeroDivisionError("inside")

        monkeypatch.setattr("triomino.server.app.summary", broken)
        async with httpx.AsyncClient(base_url=served.url) as http:
            answer = await http.get(f"/api/tables/{two.table}")
        assert answer.status_code == 500
        assert answer.json() == {"code": "internal", "detail": "something went wrong here"}
        assert any("ZeroDivisionError" in line for line in logged)
