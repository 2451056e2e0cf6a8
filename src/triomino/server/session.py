"""One client's socket: reads its messages, and sends it what happens at its table."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import msgspec

from triomino.errors import IllegalMove, TriominoError
from triomino.protocol.messages import (
    PROTOCOL_VERSION,
    Ack,
    AskHint,
    ClientMessage,
    Hello,
    Hint,
    Ping,
    Pong,
    React,
    Refused,
    RemindMessage,
    RevealMessage,
)
from triomino.server import commands
from triomino.server.budgets import Bucket
from triomino.server.client_socket import ClientSocket
from triomino.server.commands import AboutAbsence
from triomino.server.credentials import digest
from triomino.server.table import RefusedError
from triomino.server.troubles import unavailable
from triomino.store.failure import StoreError

if TYPE_CHECKING:
    from litestar import WebSocket
    from litestar.datastructures import State

    from triomino.server.budgets import Buckets, Budgets
    from triomino.server.hub import Hub
    from triomino.server.open_tables import OpenTable

MOST_WAIT = 1.0
"""Seconds that a message waits for the budget of its address, at most.

Short enough for what a client has sent to be dealt with while the server stops.
"""

_decode = msgspec.json.Decoder(ClientMessage).decode
_encode = msgspec.json.Encoder().encode


class Session(ClientSocket):
    """A listener at one table at a time."""

    def __init__(
        self,
        hub: Hub,
        socket: WebSocket[Any, Any, State],
        device: str | None,
        address: str,
        budgets: Budgets,
    ) -> None:
        super().__init__(socket)
        self.device = device
        self._address, self._budgets = address, budgets
        self._hub = hub
        self._opened: OpenTable | None = None
        config, now = hub.config, asyncio.get_running_loop().time()
        rate = config.messages_per_second
        self._bucket = Bucket.full(rate, 4 * rate, now)

    def tell(self, message: bytes) -> None:
        """Send a message, or queue it."""
        self.send(message)

    async def _end(self) -> None:
        if self._opened is not None:
            self._hub.leave(self._opened, self)

    async def _serve(self) -> None:
        loop = asyncio.get_running_loop()
        # Who opens a socket has something to say.
        idle = self._hub.config.request_seconds
        while (message := await self._receive(idle)) is not None:
            idle = self._hub.config.idle_seconds
            self._hub.metrics.messages += 1
            if not self._bucket.take(loop.time()):
                self._hub.metrics.limited += 1
                self._bucket.tokens -= 1  # a client that goes on regardless gets into debt
                if self._bucket.tokens <= -self._bucket.size:
                    await self._close(4029, "too fast")
                    return
                self._refuse(None, "too_fast", "too many messages; wait a little")
                continue
            if wait := self._budgets.messages.wait(self._address):
                await asyncio.sleep(min(wait, MOST_WAIT))
            await self._handle(message)

    def _refuse(self, message_id: int | None, code: str, detail: str) -> None:
        self._hub.metrics.refused += 1
        version = None if self._opened is None else self._opened.table.version
        self.tell(_encode(Refused(message_id, code, detail, version)))

    async def _handle(self, text: str | bytes) -> None:
        """Decode a message and carry it out, or tell the client why not."""
        try:
            message = _decode(text)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            self._refuse(None, "malformed", f"this is no message: {error}")
            return
        message_id = getattr(message, "id", None)
        try:
            await self._dispatch(message)
        except IllegalMove as error:
            self._refuse(message_id, error.why.value, str(error))
        except RefusedError as error:
            self._refuse(message_id, error.code, str(error))
        except StoreError as error:
            self._hub.troubles.log_failure(error)
            self._refuse(message_id, "unavailable", unavailable(error))
            if isinstance(message, Hello):
                # It would wait for a state that nobody sends; who comes back says hello again.
                await self._close(4503, unavailable(error))
        except TriominoError as error:
            self._refuse(message_id, "malformed", str(error))

    async def _dispatch(self, message: ClientMessage) -> None:
        if not isinstance(message, Hello):
            self._check_device()
        if isinstance(message, Hello):
            await self._enter(message)
        elif isinstance(message, Ping):
            self.tell(_encode(Pong(message.id, self._hub.now())))
        elif self._opened is None:
            raise RefusedError("no_hello", "say hello to a table first")
        elif isinstance(message, React):
            seat = commands.reacting_seat(self._opened.table, self.device, message.seat)
            self._spend(self._budgets.reactions)
            self._hub.react(self._opened, seat, message.sign)
        elif isinstance(message, AskHint):
            seat = commands.seat_of(self._opened.table, self.device, message.seat)
            commands.check_basis(self._opened.table, message)
            self._spend(self._budgets.hints)
            moves = await self._hub.hint(self._opened, seat, self._address)
            self.tell(_encode(Hint(message.id, message.ply, moves)))
        elif isinstance(message, RevealMessage):
            if self.device is None:
                raise RefusedError("spectator", "you watch this table; take a seat to play")
            opened = await self._hub.reveal(self._opened.table.id, self.device, message.seed)
            self.tell(_encode(Ack(message.id, opened.table.version)))
        else:
            opened = self._opened
            if isinstance(message, RemindMessage):
                self._spend(self._budgets.reactions)
            absence = opened.absence if isinstance(message, AboutAbsence) else {}
            await self._hub.change(
                opened.table.id,
                lambda table: commands.check(
                    table,
                    message,
                    self.device,
                    self._hub.now(),
                    time_is_up=opened.clock.is_up(table),
                    absence=absence,
                ),
            )
            self.tell(_encode(Ack(message.id, self._opened.table.version)))

    def _check_device(self) -> None:
        """Raise if this device was removed or banned meanwhile."""
        self._hub.people.check_device(self.device, digest(self._address))

    def _spend(self, budget: Buckets) -> None:
        if not budget.take(self._address):
            self._hub.metrics.limited += 1
            raise RefusedError("too_fast", "too many from here; wait a little")

    async def _enter(self, hello: Hello) -> None:
        if hello.protocol != PROTOCOL_VERSION:
            raise RefusedError("protocol", f"this server speaks protocol {PROTOCOL_VERSION}")
        if wait := self._budgets.hellos.wait(self._address):
            await asyncio.sleep(min(wait, MOST_WAIT))
        if self._opened is not None:
            self._hub.leave(self._opened, self)
            self._opened = None
        if hello.secret is not None:
            self.device = digest(hello.secret)
        self._check_device()
        self._opened = await self._hub.enter(hello.table, self, hello.version)
