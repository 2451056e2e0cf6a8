"""What attackers have: connections from an address of their own, as many as they are told."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections import Counter
from typing import TYPE_CHECKING, Any, Self

from benchmarks.server.wire import Client
from triomino.protocol.messages import PROTOCOL_VERSION

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

GONE = (OSError, EOFError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError)
"""What goes wrong with a connection that the server refused or closed."""

REST = 0.01
"""Seconds an attacker waits after its connection was closed, so as to spare this machine."""


class Attack:
    """A flood under way: what it may use, and what it has seen."""

    def __init__(
        self, port: int, address: str, seconds: float, tables: list[str], secrets: list[str]
    ) -> None:
        self.port, self._address = port, address
        self.tables, self.secrets = tables, secrets
        self._ends = time.monotonic() + seconds
        self.seen: Counter[str] = Counter()
        self._clients: set[Client] = set()

    @property
    def goes_on(self) -> bool:
        """Whether there is time left."""
        return time.monotonic() < self._ends

    async def by(self, count: int, work: Callable[[int], Awaitable[None]]) -> None:
        """Do *work* again and again by so many attackers, however often it fails."""

        async def one(number: int) -> None:
            while self.goes_on:
                try:
                    left = self._ends - time.monotonic()
                    await asyncio.wait_for(work(number), max(0.1, left))
                except (*GONE, TimeoutError):
                    self.seen["closed"] += 1
                    await asyncio.sleep(REST)

        await asyncio.gather(*[one(number) for number in range(count)])

    async def dial(self) -> Line:
        """A connection."""
        reader, writer = await asyncio.open_connection(
            "127.0.0.1", self.port, local_addr=(self._address, 0)
        )
        return Line(self, reader, writer)

    async def socket(
        self, path: str = "/ws", told: Callable[[dict[str, Any]], None] | None = None
    ) -> Client:
        """A socket; *told* is called with what is heard on it."""

        def heard(data: bytes) -> None:
            self.seen[data[9:12].decode("latin-1")] += 1
            if told is not None:
                told(json.loads(data))

        client = await Client.connect(self.port, heard, self._address, path)
        self._clients = {one for one in self._clients if not one.is_closed} | {client}
        return client

    async def close(self) -> None:
        """Close all sockets."""
        for client in self._clients:
            client.close()
        await asyncio.sleep(0.02)

    async def guest(self, table: str, secret: str | None = None) -> Client:
        """A socket at a table."""
        client = await self.socket()
        client.send(hello(table, secret))
        return client


def hello(table: str, secret: str | None = None) -> bytes:
    """The message that enters a table."""
    message: dict[str, Any] = {"type": "hello", "table": table, "protocol": PROTOCOL_VERSION}
    if secret is not None:
        message["secret"] = secret
    return json.dumps(message, separators=(",", ":")).encode()


async def pour(client: Client, data: bytes) -> None:
    """Send bytes as fast as the server takes them."""
    if client.is_closed:
        raise ConnectionError("closed")
    client.write(data)
    await asyncio.sleep(0)
    while client.unsent > 65_536 and not client.is_closed:
        await asyncio.sleep(0.001)


class Line:
    """A connection for requests."""

    def __init__(
        self, attack: Attack, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self._attack, self.reader, self.writer = attack, reader, writer

    async def ask(
        self, method: str, path: str, body: Any = None, secret: str | None = None
    ) -> tuple[int, bytes]:
        """Send a request; return the status and the body of its answer."""
        content = b"" if body is None else json.dumps(body).encode()
        head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self._attack.port}\r\n"
        if secret is not None:
            head += f"Authorization: Bearer {secret}\r\n"
        if body is not None:
            head += f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n"
        self.writer.write(head.encode() + b"\r\n" + content)
        return await self.answer()

    async def answer(self) -> tuple[int, bytes]:
        """Read an answer."""
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
        status = int(head[9:12])
        self._attack.seen[str(status)] += 1
        if "transfer-encoding: chunked" in head:
            parts = []
            while size := int((await self.reader.readline()).strip() or b"0", 16):
                parts.append(await self.reader.readexactly(size))
                await self.reader.readexactly(2)
            await self.reader.readline()
            body = b"".join(parts)
        else:
            length = head.partition("content-length: ")[2].partition("\r")[0]
            body = await self.reader.readexactly(int(length or 0))
        if "connection: close" in head:
            raise ConnectionError("closed")
        return status, body

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.writer.close()
        with contextlib.suppress(OSError):
            await self.writer.wait_closed()
