"""A WebSocket client of almost no cost, so that the server is what is measured.

It reads whole text frames of a well-behaved server, and no more.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Callable

_TEXT, _CLOSE, _PING = 0x1, 0x8, 0x9


class Client(asyncio.Protocol):
    """One socket; *heard* is called with every text message as it comes."""

    def __init__(self, heard: Callable[[bytes], None]) -> None:
        self._heard = heard
        self._buffer = b""
        self._is_open = False
        self._transport: asyncio.Transport | None = None
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.is_closed = False

    @classmethod
    async def connect(
        cls, port: int, heard: Callable[[bytes], None], own: str = "127.0.0.1", path: str = "/ws"
    ) -> Client:
        """Open a socket, from the address *own* of this machine."""
        loop = asyncio.get_running_loop()
        transport, client = await loop.create_connection(
            lambda: cls(heard), "127.0.0.1", port, local_addr=(own, 0)
        )
        transport.write(
            b"GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nUpgrade: websocket\r\n"
            b"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n" % (path.encode(), port)
        )
        try:
            await client.opened
        except BaseException:
            transport.abort()
            raise
        return client

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)

    def connection_lost(self, _: Exception | None) -> None:
        self.is_closed = True
        if not self.opened.done():
            self.opened.set_exception(ConnectionError("the server refused the socket"))

    def close(self) -> None:
        if self._transport is not None:
            self._transport.abort() if self.unsent else self._transport.close()

    def write(self, data: bytes) -> None:
        """Send bytes as they are."""
        if self._transport is not None and not self.is_closed:
            self._transport.write(data)

    @property
    def unsent(self) -> int:
        """Bytes that the server has not taken yet."""
        return 0 if self._transport is None else self._transport.get_write_buffer_size()

    def send(self, text: bytes) -> None:
        """Send a text message. Its mask is zero, which costs nothing and is valid."""
        if self._transport is None:
            raise ConnectionError("not connected")
        size = len(text)
        head = bytes([0x81, 0x80 | size]) if size < 126 else b"\x81\xfe" + size.to_bytes(2, "big")
        self._transport.write(head + b"\0\0\0\0" + text)

    def data_received(self, data: bytes) -> None:
        data = self._buffer + data if self._buffer else data
        if not self._is_open:
            head, end, data = data.partition(b"\r\n\r\n")
            if not end:
                self._buffer = head
                return
            if not head.startswith(b"HTTP/1.1 101"):
                self.opened.set_exception(ConnectionError(head.decode("latin-1")))
                return
            self._is_open = True
            if not self.opened.done():  # whoever opened it may have given up
                self.opened.set_result(None)
        start, have = 0, len(data)
        while have - start >= 2:
            size, begin = data[start + 1], start + 2
            if size == 126:
                size, begin = int.from_bytes(data[start + 2 : start + 4], "big"), start + 4
            elif size == 127:
                size, begin = int.from_bytes(data[start + 2 : start + 10], "big"), start + 10
            if have < begin + size:
                break
            opcode, body = data[start] & 0x0F, data[begin : begin + size]
            start = begin + size
            if opcode == _TEXT:
                self._heard(body)
            elif opcode == _PING and self._transport is not None:
                self._transport.write(bytes([0x8A, 0x80 | size]) + b"\0\0\0\0" + body)
            elif opcode == _CLOSE:
                self.close()
        self._buffer = data[start:]
