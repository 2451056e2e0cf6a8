"""``triomino serve``: what it says, what it refuses, and how it stops."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import socket
import sqlite3
import ssl
from contextlib import closing
from typing import TYPE_CHECKING

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from tests.cli.program import triomino
from tests.server.harness import in_loop
from tests.server.program import PATIENCE, Program, run_here
from triomino.cli.serve import greeting, shown
from triomino.client import RemotePlayer
from triomino.kernel import kernel_in_use
from triomino.server.config import Config, ConfigError, locate, read_config
from triomino.server.listening import Listening, addresses, own_address

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

# --- Starting and stopping -----------------------------------------------------------------------


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_it_says_where_it_is_and_stops_when_asked(tmp_path: Path, how: signal.Signals) -> None:
    with Program(tmp_path, new_database=True) as program:
        assert re.fullmatch(r"Tables are served at http://127\.0\.0\.1:[0-9]+", program.greeting[0])
        assert program.greeting[1:] == [
            "Only this machine can reach it.",
            f"Data lies in {program.data}",
            "Ctrl-C stops it; nothing is lost.",
        ]
        assert program.get("/health").json() == {"status": "ok"}
        assert program.stop(how) == 0
    lines = program.log.splitlines()
    assert " starting triomino=" in lines[0]
    assert "kernel='native" in lines[0] or "kernel='not built: " in lines[0]
    assert "python=" in lines[0]
    assert lines[-1].endswith(" stopped")
    # What libraries say of their own start is not for the host.
    assert "alembic" not in program.log.lower()
    assert "uvicorn running" not in program.log.lower()


def test_stopping_after_a_game_with_a_bot_reports_no_leak(tmp_path: Path) -> None:
    async def play(url: str) -> None:
        async with RemotePlayer(url, patience=PATIENCE, takes_part=False) as ann:
            table = await ann.create([{"kind": "here"}, {"kind": "bot", "bot": "expert"}])
            await ann.start(table)
            await ann.enter(table)
            await ann.until(lambda: bool(ann.choices))
            await ann.move(ann.choices[0].move)
            await ann.until(lambda: any(turn.seat == 1 for turn in ann.turns))

    with Program(tmp_path) as program:
        asyncio.run(play(program.url))
        assert program.stop(signal.SIGINT) == 0
    assert "leaked" not in program.log
    assert program.log.splitlines()[-1].endswith(" stopped")


def test_clients_hear_goodbye_and_what_was_acknowledged_is_there_again(tmp_path: Path) -> None:
    async def play(program: Program) -> tuple[str, str, int]:
        ann = RemotePlayer(program.url, patience=PATIENCE, takes_part=False)
        table = await ann.create([{"kind": "here"}, {"kind": "here"}])
        await ann.start(table)
        state = await ann.enter(table)
        version = await ann.move(ann.choices[0].move)
        assert version == state.version + 1
        ann.heard = []
        stopping = asyncio.create_task(asyncio.to_thread(program.stop))
        await ann.until(lambda: any(b'"bye"' in data for data in ann.heard or []))
        assert await stopping == 0
        bye = next(json.loads(data) for data in ann.heard if b'"bye"' in data)
        assert (bye["type"], bye["code"]) == ("bye", "restart")
        await ann.close()
        return table, str(ann.secret), version

    async def come_back(program: Program, table: str, secret: str, version: int) -> None:
        async with RemotePlayer(program.url, secret, patience=PATIENCE, takes_part=False) as ann:
            state = await ann.enter(table)
            assert state.version == version
            assert len(ann.turns) == 1

    with Program(tmp_path) as program:
        kept = asyncio.run(play(program))
    with Program(tmp_path) as program:
        asyncio.run(come_back(program, *kept))


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Program]:
    """A program without any option, for all tests that leave it as it is."""
    with Program(tmp_path_factory.mktemp("plain")) as program:
        yield program


def test_the_page_at_the_door(plain: Program) -> None:
    page = plain.get("/")
    assert page.status_code == 200
    assert page.headers["content-type"].startswith("text/html")
    assert "triomino" in page.text
    assert "object-src 'none'" in page.headers["content-security-policy"] or (
        "default-src 'none'" in page.headers["content-security-policy"]
    )
    assert "openapi" in plain.get("/schema/openapi.json").text
    # Unknown paths are guarded as well.
    nothing = plain.get("/api/nothing")
    assert nothing.status_code == 404
    assert nothing.headers["x-content-type-options"] == "nosniff"
    assert "server" not in nothing.headers


# --- What it refuses -----------------------------------------------------------------------------


def test_a_port_that_is_taken(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        result = triomino("serve", "--local", "--port", str(port), "--data", tmp_path / "x.db")
    assert result.complaint.startswith(f"port {port} is taken")
    assert f"--port {port + 1}" in result.complaint
    assert not (tmp_path / "x.db").exists()


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("prt = 1", "unknown setting 'prt'; did you mean 'port'?"),
        ("port = 'x'", "port: Expected int, got str"),
        ("port = 65536", "port: 65536 is no port; they go up to 65535"),
        ("http_per_minute = -1", "http_per_minute: -1 is no number from 0 on"),
        ("bots_at_once = 0", "bots_at_once: 0 is too little; 1 is the least"),
        ("archive = 3", "archive: Expected a path"),
        ("public_url = 'game.example'", "public_url: 'game.example' is no address like"),
        ("tls_cert = 'a.pem'", "tls_cert and tls_key go together; one of them is missing"),
        ("without = 'pads'", "without: unknown part 'pads'; did you mean 'pad'?"),
        ("port = ", "is no TOML: "),
    ],
)
def test_a_wrong_config_file(tmp_path: Path, text: str, complaint: str) -> None:
    file = tmp_path / "club.toml"
    file.write_text(text)
    with pytest.raises(ConfigError) as caught:
        read_config(file)
    assert complaint in str(caught.value)


def test_complaints_are_one_line(tmp_path: Path) -> None:
    file = tmp_path / "club.toml"
    file.write_text("prt = 1")
    assert run_here("serve", "--config", file).complaint == (
        f"{file}: unknown setting 'prt'; did you mean 'port'?"
    )
    assert run_here("serve", "--config", tmp_path / "none.toml").complaint == (
        f"{tmp_path / 'none.toml'}: No such file or directory"
    )
    assert "contradict" in run_here("serve", "--local", "--host", "::1").complaint
    local = ("serve", "--local", "--port", "0", "--data")
    assert run_here(*local, tmp_path / "x.db", "--set", "nonsense").complaint == (
        "'nonsense' is no setting; write one like http_per_minute=600"
    )
    (tmp_path / "no.db").write_text("this is no database, although somebody says it is one")
    assert "cannot be opened" in triomino(*local, tmp_path / "no.db").complaint
    tls = ("--tls-cert", tmp_path / "none.pem", "--tls-key", tmp_path / "none.pem")
    assert triomino(*local, tmp_path / "x.db", *tls).complaint == (
        f"{tmp_path / 'none.pem'}: No such file or directory"
    )


# --- Settings ------------------------------------------------------------------------------------


def test_a_later_setting_changes_an_earlier_one(tmp_path: Path) -> None:
    file = tmp_path / "club.toml"
    file.write_text('port = 1\nbots_at_once = 3\nhost = "::1"\nkeep_finished = inf\n')
    config = read_config(file, ["port=2", "archive=old"], {"port": 3, "data": "x.db"})
    assert (config.port, config.bots_at_once, config.host, config.data) == (3, 3, "::1", "x.db")
    assert str(config.archive) == "old"
    assert config.keep_finished == float("inf")
    assert read_config(file, ["port=2"]).port == 2


def test_every_setting_can_be_in_the_file(tmp_path: Path) -> None:
    from dataclasses import fields  # noqa: PLC0415

    file = tmp_path / "club.toml"
    values = {"tls_cert": '"a"', "tls_key": '"b"', "archive": '"c"', "public_url": '"http://x"'}
    values |= {
        "data": '"postgresql://x/y"',
        "bus": '"redis://x"',
        "host": '"::1"',
        "proxy": '"::1"',
        "allowed_hosts": '"x"',
        "without": '"pad"',
        "open": "true",
        "refused_words": '"d"',
        "push_services": '"push.example"',
        "push_contact": '"mailto:me@x"',
        "play_turn_seconds": "5",
        "play_away_seconds": "5",
    }
    names = [item.name for item in fields(Config)]
    file.write_text("\n".join(f"{name} = {values.get(name, 1)}" for name in names))
    config = read_config(file)
    assert config.look_seconds == 1
    assert config.proxy == "::1"


def test_where_the_database_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRIOMINO_DATA", str(tmp_path / "own"))
    assert locate() == str(tmp_path / "own" / "tables.db")
    assert locate(str(tmp_path)) == str(tmp_path / "tables.db")
    assert locate(str(tmp_path / "x.db")) == str(tmp_path / "x.db")
    assert locate("postgresql+asyncpg://me:secret@there/x").startswith("postgresql+asyncpg://me")
    assert shown("postgresql+asyncpg://me:secret@there/x") == "postgresql+asyncpg://there/x"


def test_settings_reach_the_server(tmp_path: Path) -> None:
    with Program(tmp_path, "--set", "http_per_minute=4") as program:
        codes = [program.get("/health").status_code for _ in range(5)]
    assert codes == [200, 200, 429, 429, 429]


def test_a_proxy_is_believed_only_if_it_is_named(tmp_path: Path, plain: Program) -> None:
    forwarded = {"x-forwarded-for": "203.0.113.7", "x-forwarded-proto": "https"}

    def lines(program: Program) -> list[str]:
        program.get("/api/bots", headers=forwarded)
        program.until_logged("path=/api/bots ")
        return [line for line in program.log.splitlines() if "path=/api/bots " in line]

    assert all("client=127.0.0.1" in line for line in lines(plain))
    with Program(tmp_path, "--proxy-headers") as program:
        assert all("client=203.0.113.7" in line for line in lines(program))


# --- Under https ---------------------------------------------------------------------------------


def test_https(tmp_path: Path, certificate: tuple[Path, Path]) -> None:
    cert, key = certificate
    trusted = ssl.create_default_context(cafile=str(cert))
    with Program(tmp_path, "--tls-cert", str(cert), "--tls-key", str(key)) as program:
        assert program.url.startswith("https://127.0.0.1:")
        with httpx.Client(base_url=program.url, verify=trusted, timeout=PATIENCE) as http:
            answer = http.post("/api/devices")
            assert answer.status_code == 201
            assert "secure" in answer.headers["set-cookie"].lower()
            assert answer.headers["strict-transport-security"] == "max-age=31536000"
        asyncio.run(_ping(program.url.replace("https", "wss"), trusted))


async def _ping(url: str, trusted: ssl.SSLContext) -> None:
    async with connect(f"{url}/ws", ssl=trusted) as wire:
        await wire.send('{"type":"ping","id":7}')
        assert json.loads(await wire.recv())["id"] == 7


def test_a_key_that_is_not_the_certificates(tmp_path: Path, certificate: tuple[Path, Path]) -> None:
    cert, _ = certificate
    local = ("serve", "--local", "--port", "0", "--data", tmp_path / "x.db")
    result = triomino(*local, "--tls-cert", cert, "--tls-key", cert)
    assert "are no certificate and its key" in result.complaint


def test_no_promise_of_https_without_it(tmp_path: Path, plain: Program) -> None:
    answer = plain.post("/api/devices")
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "secure" not in cookie.replace(answer.json()["secret"].lower(), "")
    assert "strict-transport-security" not in answer.headers
    with Program(tmp_path, "--public-url", "https://game.example") as program:
        answer = program.post("/api/devices")
        assert "; secure" in answer.headers["set-cookie"].lower()
        assert "strict-transport-security" in answer.headers


# --- Logs ----------------------------------------------------------------------------------------


def test_logs_are_json_and_hold_no_secret(tmp_path: Path) -> None:
    async def evening(url: str) -> list[str]:
        async with (
            RemotePlayer(url, patience=PATIENCE, takes_part=False) as ann,
            RemotePlayer(url, patience=PATIENCE, takes_part=False) as ben,
        ):
            table = await ann.create([{"kind": "here", "name": "Ann"}, {"kind": "link"}])
            await ann.sit(table, "Bea")
            link = await ann.link(table, 1)
            assert await ben.claim(table, link) == 1
            await ann.start(table)
            await ann.enter(table)
            await ben.enter(table)
            for _ in range(6):
                player = ann if ann.choices else ben
                await player.move(player.choices[0].move)
            # A secret where none belongs must not come to light either.
            await ann.request("GET", f"/health?secret={link}")
            for path in (f"/t/{table}/seat/{link}", f"/api/tables/{table}/seats/{link}"):
                with pytest.raises(Exception, match=r"http: |405"):
                    await ann.request("POST", path)
            return [str(ann.secret), str(ben.secret), link, "0badcafe", table]

    with Program(tmp_path, "--log-json", "--verbose") as program:
        *secrets, table = asyncio.run(evening(program.url))
        assert program.stop() == 0
    with closing(sqlite3.connect(program.data)) as database:
        (created,) = database.execute("SELECT data FROM events WHERE version = 1").fetchone()
    secrets.append(json.loads(created)["server_seed"])
    lines = [json.loads(line) for line in program.log.splitlines()]
    events = {line["event"] for line in lines}
    assert {"starting", "listening", "request", "table", "socket opened", "stopped"} <= events
    assert {line["what"] for line in lines if line["event"] == "table"} >= {"created", "moved"}
    assert any(line.get("table") == table for line in lines if line["event"] == "request")
    assert all(line["at"].endswith("+00:00") and line["level"] for line in lines)
    assert (lines[0]["event"], lines[0]["kernel"]) == ("starting", kernel_in_use())
    for secret in secrets:
        assert secret not in program.log
    # No tile, on a rack or anywhere.
    assert not re.search(r"(?<![0-9])[0-5]-[0-5]-[0-5](?![0-9])", program.log)


@in_loop
async def test_what_a_client_sends_wrongly_is_no_error_of_ours(plain: Program) -> None:
    async with connect(f"{plain.url.replace('http', 'ws')}/ws") as wire:
        await wire.send(b"\xff\xfe", text=True)
        with pytest.raises(ConnectionClosed):
            await wire.recv()
    assert (await asyncio.to_thread(plain.get, "/health")).status_code == 200
    assert "Traceback" not in plain.log


# --- The greeting --------------------------------------------------------------------------------


def test_the_greeting_has_a_code_for_phones() -> None:
    config = Config(data="/data/tables.db", host="0.0.0.0")  # noqa: S104
    there = Listening("http://127.0.0.1:8020", "http://192.168.1.20:8020", 8020)
    lines = greeting(config, there, qr=True).splitlines()
    assert lines[1] == "Phones and others on the network: http://192.168.1.20:8020"
    assert sum(set(line) <= set(" █▀▄") for line in lines) >= 12
    assert greeting(config, there, qr=False).count("\n") == 3


def test_addresses(monkeypatch: pytest.MonkeyPatch) -> None:
    def others(**settings: str) -> str | None:
        return addresses(Config(data="", **settings), 8020).others  # type: ignore[arg-type]

    monkeypatch.setattr("triomino.server.listening.own_address", lambda: "192.168.1.20")
    assert others(host="0.0.0.0") == "http://192.168.1.20:8020"  # noqa: S104
    assert others(host="::") == "http://192.168.1.20:8020"
    assert others(host="127.0.0.1") is None
    assert others(host="::1") is None
    assert others(host="localhost") is None
    assert others(host="10.0.0.7") == "http://10.0.0.7:8020"
    assert others(host="127.0.0.1", public_url="https://game.example/") == "https://game.example"
    assert addresses(Config(data="", host="::1"), 80).here == "http://[::1]"
    monkeypatch.setattr("triomino.server.listening.own_address", lambda: None)
    assert others(host="0.0.0.0") is None  # noqa: S104


def test_the_own_address_is_none_of_this_machine_alone() -> None:
    assert own_address() is None or not str(own_address()).startswith("127.")
