"""A client's socket, from its start to its end, whatever is said on it."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from typing import TYPE_CHECKING, Any, Final

from triomino.server.protocols import WRITE

if TYPE_CHECKING:
    from collections.abc import Callable

    from litestar import WebSocket
    from litestar.datastructures import State

BACKLOG: Final = 400
"""Messages that may queue up for a slow client before it is disconnected."""


class ClientSocket:
    """Sends in order without ever blocking, and receives one message after another."""

    def __init__(self, socket: WebSocket[Any, Any, State]) -> None:
        self._socket = socket
        self._outbox: deque[bytes] = deque()
        extensions: dict[str, Any] = socket.scope["extensions"] or {}
        self._write: Callable[[bytes], bool] = extensions[WRITE]["now"]
        self._wake = asyncio.Event()
        self._too_slow = False

    def send(self, message: bytes) -> None:
        """Send a message, or queue it; a client that does not keep up is disconnected."""
        if not self._outbox and not self._too_slow and self._write(message):
            return
        if len(self._outbox) >= BACKLOG:
            # The sender may be stuck: whichever of both tasks runs first closes the socket.
            self._too_slow = True
            self._outbox.clear()
        if not self._too_slow:
            self._outbox.append(message)
        self._wake.set()

    async def run(self) -> None:
        """Serve the socket until either side closes it."""
        sender = asyncio.create_task(self._send())
        try:
            await self._serve()
        finally:
            sender.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await sender
            await self._end()

    async def _serve(self) -> None:
        """Deal with every message of :meth:`_receive`, until there are no more."""
        raise NotImplementedError

    async def _end(self) -> None:
        """Leave whatever the client was at."""
        raise NotImplementedError

    async def _send(self) -> None:
        try:
            while True:
                await self._wake.wait()
                self._wake.clear()
                if self._too_slow:
                    await self._close(4008, "too slow")
                    return
                while self._outbox:
                    text = self._outbox[0].decode()
                    await self._socket.send({"type": "websocket.send", "text": text, "bytes": None})
                    # Not before it is sent: nothing may overtake it.
                    if self._outbox:
                        self._outbox.popleft()
        except (OSError, RuntimeError):
            pass  # the client has gone; the receiving task notices too

    async def _receive(self, idle: float) -> str | bytes | None:
        """The next message; ``None`` at the end, also after so many seconds of silence."""
        while True:
            try:
                async with asyncio.timeout(idle):
                    message = await self._socket.receive()
            except TimeoutError:
                await self._close(4001, "idle")
                return None
            if message["type"] == "websocket.disconnect":
                return None
            if self._too_slow:
                await self._close(4008, "too slow")
                return None
            if message["type"] == "websocket.receive":
                text = message.get("text")
                return text if text is not None else message.get("bytes") or b""

    async def _close(self, code: int, reason: str) -> None:
        # A client that does not read blocks this; a timeout is an OSError too.
        with contextlib.suppress(OSError, RuntimeError):
            async with asyncio.timeout(1):
                await self._socket.send({"type": "websocket.close", "code": code, "reason": reason})
