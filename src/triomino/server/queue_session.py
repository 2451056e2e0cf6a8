"""One client of the queue of Play now, on a socket."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final

import msgspec

from triomino.errors import TriominoError
from triomino.protocol.play_now import (
    FromSeeker,
    JoinQueue,
    LeaveQueue,
    QueuePing,
    QueueRefused,
    TakeBots,
)
from triomino.server.budgets import Bucket
from triomino.server.client_socket import ClientSocket
from triomino.server.credentials import address_of, device_of, digest
from triomino.server.table import RefusedError
from triomino.server.troubles import unavailable
from triomino.store.failure import StoreError

if TYPE_CHECKING:
    from litestar import WebSocket
    from litestar.datastructures import State

    from triomino.protocol.play_now import QueueNews
    from triomino.server.budgets import Buckets
    from triomino.server.play_now import PlayNow

SILENCE: Final = 15.0
"""Seconds after which a page that says nothing counts as closed; pages ping every 5."""

MESSAGES_PER_SECOND: Final = 2.0
"""Of one client; bursts of ten times as many are allowed."""

_decode = msgspec.json.Decoder(FromSeeker).decode


class QueueSession(ClientSocket):
    """One client of the queue."""

    def __init__(
        self, play_now: PlayNow, socket: WebSocket[Any, Any, State], seats: Buckets, network: str
    ) -> None:
        super().__init__(socket)
        self.person = ""
        self._play_now, self._seats, self._network = play_now, seats, network
        self.device = device_of(socket)
        self.address = address_of(socket)

    def tell(self, news: QueueNews) -> None:
        """Queue a message; a client that does not read is disconnected."""
        self.send(msgspec.json.encode(news))

    async def _end(self) -> None:
        await self._play_now.gone(self)

    async def _serve(self) -> None:
        clock = asyncio.get_running_loop().time
        bucket = Bucket.full(MESSAGES_PER_SECOND, 10 * MESSAGES_PER_SECOND, clock())
        while (message := await self._receive(SILENCE)) is not None:
            if not bucket.take(clock()):
                await self._close(4029, "too fast")
                return
            await self._handle(message)

    async def _handle(self, text: str | bytes) -> None:
        """Decode a message and carry it out, or tell the client why not."""
        try:
            message = _decode(text)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            self.tell(QueueRefused("malformed", f"this is no message: {error}"))
            return
        try:
            await self._dispatch(message)
        except RefusedError as error:
            self.tell(QueueRefused(error.code, str(error)))
            if error.code in ("banned", "no_device"):
                await self._play_now.leave(self)
        except StoreError as error:
            self.tell(QueueRefused("unavailable", unavailable(error)))
        except TriominoError as error:
            self.tell(QueueRefused("wrong", str(error)))

    async def _dispatch(self, message: FromSeeker) -> None:
        self._play_now.check(self)
        match message:
            case JoinQueue():
                if message.secret is not None:
                    self.device = digest(message.secret)
                if self.device is None:
                    raise RefusedError("no_device", "ask for a device secret first")
                if not self._seats.take(self._network):
                    raise RefusedError("too_fast", "too many from here; wait a little")
                await self._play_now.join(self, message, self.device)
            case TakeBots():
                await self._play_now.take_bots(self)
            case LeaveQueue():
                await self._play_now.leave(self)
            case QueuePing():
                pass
