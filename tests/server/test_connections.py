"""Connections over real sockets: half requests, slow ones, too many, and no handles left."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import os
import resource
import socket
import ssl
import sys
from typing import TYPE_CHECKING, Any, Self

import httpx
import pytest

from tests.server.harness import in_loop, serving, table_of_two, until
from tests.server.process import ServerProcess
from triomino.server.config import Config
from triomino.server.connections import Connections, trusted
from triomino.server.protocols import SocketProtocol

if TYPE_CHECKING:
    from pathlib import Path

    from tests.server.harness import Served

HALF = b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Half: "
HANDSHAKE = b"GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
BODY = (
    b"POST /api/pads/x/acts HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    b"Content-Length: 8000\r\n\r\n"
)
KEY = base64.b64encode(b"0123456789abcdef")


class Lines:
    """Bare connections; all are closed in the end."""

    def __init__(self, served: Served) -> None:
        self._port = int(served.url.rpartition(":")[2])
        self._writers: list[asyncio.StreamWriter] = []

    async def dial(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
        self._writers.append(writer)
        return reader, writer

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        for writer in self._writers:
            writer.transport.abort()
            with contextlib.suppress(OSError):
                await writer.wait_closed()


async def rest_of(reader: asyncio.StreamReader) -> bytes:
    """Everything that comes until the server closes the connection."""
    async with asyncio.timeout(20):
        try:
            return await reader.read()
        except ConnectionResetError:
            return b""


# --- Too slow ------------------------------------------------------------------------------------


@in_loop
@pytest.mark.parametrize(
    ("sent", "answer"),
    [(b"", b""), (HALF, b"408"), (HANDSHAKE, b"408"), (BODY + b"{", b"408")],
    ids=["nothing", "half a header", "half a handshake", "half a body"],
)
async def test_half_a_request_is_closed(
    tmp_path: Path, sent: bytes, answer: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "triomino.server")
    async with serving(tmp_path, request_seconds=0.2) as served, Lines(served) as lines:
        reader, writer = await lines.dial()
        writer.write(sent)
        got = await rest_of(reader)
        assert got[9:12] == answer
        await until(lambda: served.server.open_connections.open == 0)
        await asyncio.sleep(0.05)
        assert [one for one in caplog.records if one.levelname == "ERROR"] == []
        logged = [getattr(one, "facts", {}).get("status") or 0 for one in caplog.records]
        assert max(logged, default=0) < 500


@in_loop
@pytest.mark.parametrize("start", [HALF, BODY], ids=["header", "body"])
async def test_a_request_that_trickles_is_closed(tmp_path: Path, start: bytes) -> None:
    """Every byte would start the time anew if it were counted from the last one."""
    async with serving(tmp_path, request_seconds=0.3) as served, Lines(served) as lines:
        reader, writer = await lines.dial()
        writer.write(start)
        closed = asyncio.create_task(rest_of(reader))
        for _ in range(200):
            if closed.done():
                break
            writer.write(b" ")
            await asyncio.sleep(0.02)
        # A byte that meets the closed socket resets it, and the answer may be lost with it.
        assert (await closed)[9:12] in (b"408", b"")


@in_loop
async def test_the_second_request_of_a_connection_has_to_come_in_time_too(tmp_path: Path) -> None:
    async with serving(tmp_path, request_seconds=0.2) as served, Lines(served) as lines:
        reader, writer = await lines.dial()
        for _ in range(2):
            writer.write(b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            head = await reader.readuntil(b"\r\n\r\n")
            assert b" 200 " in head
            await reader.readexactly(len('{"status":"ok"}'))
            await asyncio.sleep(0.4)  # between requests there is no hurry
        writer.write(HALF)
        assert (await rest_of(reader))[9:12] == b"408"


@in_loop
async def test_a_body_that_keeps_coming_may_take_longer(tmp_path: Path) -> None:
    async with serving(tmp_path, request_seconds=0.2) as served, Lines(served) as lines:
        reader, writer = await lines.dial()
        head = BODY.replace(b"8000", b"12000")
        writer.write(head)
        for _ in range(12):
            writer.write(b" " * 1000)
            await asyncio.sleep(0.05)
        status = await reader.readuntil(b"\r\n")
        assert b" 400 " in status  # what is wrong is its content


@in_loop
async def test_a_body_without_an_end_is_cut_off(tmp_path: Path) -> None:
    async with serving(tmp_path, body_bytes=2000) as served, Lines(served) as lines:
        _, writer = await lines.dial()
        writer.write(BODY.replace(b"Content-Length: 8000", b"Transfer-Encoding: chunked"))
        chunk = b"1000\r\n" + b" " * 0x1000 + b"\r\n"

        async def send_for_ever() -> None:
            for _ in range(5000):  # 20 MB
                writer.write(chunk)
                await writer.drain()

        with pytest.raises(ConnectionError):
            await asyncio.wait_for(send_for_ever(), 20)
        await until(lambda: served.server.open_connections.open <= 1)


@in_loop
async def test_who_does_not_say_anything_on_a_socket_is_closed(tmp_path: Path) -> None:
    async with serving(tmp_path, request_seconds=0.2) as served:
        silent = await served.wire()
        assert await silent.until_closed() == (4001, "idle")
        wire = await served.wire()
        await wire.settle()
        await asyncio.sleep(0.4)  # now it has the time of a socket in use
        await wire.settle()


# --- Too many frames -----------------------------------------------------------------------------


def masked(opcode: int, data: bytes, fin: bool = True) -> bytes:
    """A frame of a client, with a mask of zeros."""
    return bytes([(128 if fin else 0) | opcode, 128 | len(data), 0, 0, 0, 0]) + data


@in_loop
@pytest.mark.parametrize(
    "frame",
    [masked(9, b""), masked(0, b"", fin=False), masked(1, b"{}"), masked(10, b"x")],
    ids=["pings", "parts of a message", "messages", "pongs"],
)
async def test_a_packet_of_tiny_frames_stops_nobody(tmp_path: Path, frame: bytes) -> None:
    """The frames of one client are taken no faster than its messages may come."""
    async with serving(tmp_path, messages_per_second=20) as served, Lines(served) as lines:
        two = await table_of_two(served)
        wire = await two.wire(0)
        reader, writer = await lines.dial()
        writer.write(
            HANDSHAKE + b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: " + KEY + b"\r\n\r\n"
        )
        assert b" 101 " in await reader.readuntil(b"\r\n\r\n")
        if frame[0] == 0:
            writer.write(masked(1, b"{", fin=False))
        bucket = next(
            one._frames
            for one in served.server.server_state.connections
            if isinstance(one, SocketProtocol)
            and one.transport.get_extra_info("peername") == writer.get_extra_info("sockname")
        )
        writer.write(frame * 20_000)  # more than 120 kB
        await asyncio.sleep(0.3)
        handled = bucket.size - bucket.tokens
        assert 0 < handled < 500
        began = asyncio.get_running_loop().time()
        await wire.settle()
        assert asyncio.get_running_loop().time() - began < 5


@in_loop
async def test_long_messages_come_whole_although_they_are_taken_in_pieces(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        wire = await served.wire()
        for number in range(1, 40):
            await wire.send(f'{{"type":"ping","id":{number}}}'.ljust(4000 if number % 2 else 20))
        for number in range(1, 40):
            assert (await wire.hear("pong"))["id"] == number


# --- Too many connections ------------------------------------------------------------------------


def test_connections_are_counted_in_all_and_by_network() -> None:
    config = Config(data="", connections=4, connections_per_address=2)
    counted = Connections(config)
    ends = [counted.admit("192.0.2.1"), counted.admit("192.0.2.1")]
    assert counted.admit("192.0.2.1") is None
    assert counted.admit("2001:db8::1") is not None
    assert counted.admit("2001:db8::2") is not None
    assert counted.admit("2001:db8::3") is None
    assert counted.admit("192.0.2.9") is None  # too many in all
    for end in ends:
        assert end is not None
        end()
    assert counted.open == 2
    assert counted.admit("192.0.2.1") is not None


def test_connections_that_come_too_fast_are_refused() -> None:
    counted = Connections(Config(data="", connections_per_second=1))
    for _ in range(4):
        end = counted.admit("192.0.2.1")
        assert end is not None
        end()
    assert counted.admit("192.0.2.1") is None
    assert counted.admit("192.0.2.2") is not None


def test_a_trusted_proxy_has_many_connections() -> None:
    """All its clients come from there; they are counted by the address that it names."""
    config = Config(data="", connections_per_address=1, proxy="192.0.2.1, 10.0.0.0/8")
    counted = Connections(config)
    for address in ("192.0.2.1", "10.1.2.3"):
        assert all(counted.admit(address) for _ in range(20))
    assert counted.admit("192.0.2.2") is not None
    assert counted.admit("192.0.2.2") is None
    assert trusted("*")("192.0.2.77")
    assert not trusted(None)("192.0.2.77")
    assert not trusted("10.0.0.0/8")("testclient")


def test_some_handles_are_kept_for_other_things() -> None:
    counted = Connections(Config(data="", connections_per_address=1000), handles=164)
    assert sum(counted.admit("192.0.2.1") is not None for _ in range(150)) == 100


@in_loop
async def test_plain_connections_have_a_limit_too(tmp_path: Path) -> None:
    async with serving(tmp_path, connections_per_address=5) as served, Lines(served) as lines:
        five = [await lines.dial() for _ in range(5)]
        assert await rest_of((await lines.dial())[0]) == b""
        five[0][1].close()
        await until(lambda: served.server.open_connections.open == 4)
        reader, writer = await lines.dial()
        writer.write(b"GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        assert b" 200 " in await rest_of(reader)


@in_loop
async def test_every_connection_is_counted_once_and_let_go(tmp_path: Path) -> None:
    async with serving(tmp_path) as served, Lines(served) as lines:
        counted = served.server.open_connections
        two = await table_of_two(served)
        wires = [await two.wire() for _ in range(5)]
        for wire in wires:
            await wire.close()
        reader, writer = await lines.dial()
        writer.write(b"nonsense\r\n\r\n")
        assert b" 400 " in await rest_of(reader)
        await two.ann.close()
        await two.ben.close()
        await until(lambda: counted.open == len(served.server.server_state.connections))


@in_loop
async def test_a_handshake_for_tls_has_to_come_in_time(
    tmp_path: Path, certificate: tuple[Path, Path]
) -> None:
    cert, key = certificate
    async with (
        serving(tmp_path, request_seconds=0.2, tls_cert=cert, tls_key=key) as served,
        Lines(served) as lines,
    ):
        reader, writer = await lines.dial()
        writer.write(b"\x16\x03\x01")
        assert await rest_of(reader) == b""
        await until(lambda: served.server.open_connections.open == 0)
        trusting: Any = ssl.create_default_context(cafile=str(cert))
        trusting.check_hostname = False
        async with httpx.AsyncClient(verify=trusting) as http:
            port = served.url.rpartition(":")[2]
            assert (await http.get(f"https://127.0.0.1:{port}/health")).status_code == 200


@pytest.mark.skipif(sys.platform != "linux", reason="sets the limit of another process")
def test_running_out_of_handles_neither_fills_the_log_nor_stops_the_server(tmp_path: Path) -> None:
    with ServerProcess(tmp_path) as server:
        few = len(os.listdir(f"/proc/{server.pid}/fd")) + 5
        usual = resource.prlimit(server.pid, resource.RLIMIT_NOFILE)
        resource.prlimit(server.pid, resource.RLIMIT_NOFILE, (few, usual[1]))
        lines = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(60)]
        for line in lines:
            line.settimeout(2.5)
        with pytest.raises(TimeoutError):
            lines[-1].recv(1)  # nobody answers, for more than two attempts
        said = server.log.count("no connection can be accepted")
        assert said == 1
        assert "Traceback" not in server.log
        assert len(server.log) < 20_000
        for line in lines:
            line.close()
        resource.prlimit(server.pid, resource.RLIMIT_NOFILE, usual)
        answer = httpx.get(f"{server.url}/health", timeout=30)
        assert answer.status_code == 200
