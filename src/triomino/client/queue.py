"""A place in the queue of Play now, over its socket."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import msgspec
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from triomino.client.player import RefusedByServer
from triomino.protocol.play_now import (
    JoinQueue,
    LeaveQueue,
    QueueLeft,
    QueuePing,
    QueueRefused,
    QueueState,
    QueueTable,
    TakeBots,
)

if TYPE_CHECKING:
    from websockets.asyncio.client import ClientConnection

    from triomino.protocol.play_now import FromSeeker

PING = 4.0
"""Seconds between two signs of life."""

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(QueueState | QueueTable | QueueLeft | QueueRefused).decode


class QueuePlace:
    """Somebody who waits for a table; comes back by itself if the connection breaks."""

    def __init__(self, url: str, secret: str, join: JoinQueue) -> None:
        parts = urlsplit(url)
        scheme = "wss" if parts.scheme == "https" else "ws"
        self._url = f"{scheme}://{parts.netloc}/ws/queue"
        self._join = msgspec.structs.replace(join, secret=secret)
        self.state: QueueState | None = None
        """How the waiting went when the server last said so."""
        self._say: asyncio.Queue[FromSeeker] = asyncio.Queue()

    def take_bots(self) -> None:
        """Begin with bots as soon as the server offers it."""
        self._say.put_nowait(TakeBots())

    def leave(self) -> None:
        """Give the place up."""
        self._say.put_nowait(LeaveQueue())

    async def table(self) -> str | None:
        """Wait for a table; ``None`` if the place was given up, here or on another device."""
        while True:
            try:
                async with connect(self._url, compression=None) as socket:
                    await socket.send(_encode(self._join).decode())
                    talking = asyncio.create_task(self._talk(socket))
                    try:
                        async for text in socket:
                            match _decode(text):
                                case QueueState() as state:
                                    self.state = state
                                case QueueTable(table):
                                    return table
                                case QueueLeft():
                                    return None
                                case QueueRefused(code, detail):
                                    raise RefusedByServer(code, detail)
                    finally:
                        talking.cancel()
            except (OSError, ConnectionClosed, InvalidHandshake, TimeoutError):
                pass
            await asyncio.sleep(0.2)

    async def _talk(self, socket: ClientConnection) -> None:
        with contextlib.suppress(ConnectionClosed):
            while True:
                message: FromSeeker = QueuePing()
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(PING):
                        message = await self._say.get()
                await socket.send(_encode(message).decode())
