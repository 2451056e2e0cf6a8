"""One client's socket: what it says is done at its table, what happens there is told to it."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from typing import TYPE_CHECKING

import msgspec

from triomino.errors import IllegalMove, TriominoError
from triomino.protocol.messages import (
    PROTOCOL_VERSION,
    Ack,
    AnswerUndo,
    AskHint,
    ClientMessage,
    GiveUpMessage,
    Hello,
    Hint,
    MoveMessage,
    NextRoundMessage,
    Ping,
    Pong,
    React,
    Refused,
    ReturnMessage,
    UndoMessage,
)
from triomino.server.guard import Bucket
from triomino.server.hub import digest
from triomino.server.logs import log
from triomino.server.table import RefusedError
from triomino.store.log import StoreError

if TYPE_CHECKING:
    from collections.abc import Callable

    from litestar import WebSocket

    from triomino.rules import Seat
    from triomino.server.events import AnyEvent
    from triomino.server.hub import Hub, Place
    from triomino.server.table import Table

BACKLOG = 400
"""Messages that may wait for a slow client before it is let go."""

_decode = msgspec.json.Decoder(ClientMessage).decode
_encode = msgspec.json.Encoder().encode

Command = MoveMessage | NextRoundMessage | UndoMessage | AnswerUndo | GiveUpMessage | ReturnMessage


class Session:
    """A listener at one table at a time."""

    def __init__(self, hub: Hub, socket: WebSocket, device: str | None) -> None:  # type: ignore[type-arg]
        self.device = device
        self._hub = hub
        self._socket = socket
        self._place: Place | None = None
        self._outbox: deque[bytes] = deque()
        self._wake = asyncio.Event()
        self._too_slow = False
        config, now = hub.config, asyncio.get_running_loop().time()
        rate = config.messages_per_second
        self._bucket = Bucket.full(rate, 4 * rate, now)

    def tell(self, message: bytes) -> None:
        """Send a message, soon; a client that does not keep up is let go."""
        if len(self._outbox) >= BACKLOG:
            # The sender may be stuck; whoever comes first to look lets the client go.
            self._too_slow = True
            self._outbox.clear()
        if not self._too_slow:
            self._outbox.append(message)
        self._wake.set()

    async def run(self) -> None:
        """Serve the socket until one side goes."""
        sender = asyncio.create_task(self._send())
        try:
            await self._receive()
        finally:
            sender.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await sender
            if self._place is not None:
                self._hub.leave(self._place, self)

    async def _send(self) -> None:
        try:
            while True:
                await self._wake.wait()
                self._wake.clear()
                if self._too_slow:
                    await self._close(4008, "too slow")
                    return
                while self._outbox:
                    text = self._outbox.popleft().decode()
                    await self._socket.send({"type": "websocket.send", "text": text, "bytes": None})
        except (OSError, RuntimeError):
            pass  # the other side has gone; the receiving end sees it too

    async def _receive(self) -> None:
        loop = asyncio.get_running_loop()
        idle = self._hub.config.idle_seconds
        while True:
            try:
                async with asyncio.timeout(idle):
                    message = await self._socket.receive()
            except TimeoutError:
                await self._close(4001, "idle")
                return
            if message["type"] == "websocket.disconnect":
                return
            if message["type"] != "websocket.receive":
                continue
            self._hub.metrics.messages += 1
            if self._too_slow:
                await self._close(4008, "too slow")
                return
            if not self._bucket.take(loop.time()):
                self._hub.metrics.limited += 1
                self._bucket.tokens -= 1  # who goes on all the same gets into debt
                if self._bucket.tokens <= -self._bucket.size:
                    await self._close(4029, "too fast")
                    return
                self._refuse(None, "too_fast", "too many messages; wait a little")
                continue
            text = message.get("text")
            await self._hear(text if text is not None else message.get("bytes") or b"")

    async def _close(self, code: int, reason: str) -> None:
        # A client that does not read may not be able to hear it: a timeout is an OSError too.
        with contextlib.suppress(OSError, RuntimeError):
            async with asyncio.timeout(1):
                await self._socket.send({"type": "websocket.close", "code": code, "reason": reason})

    def _refuse(self, message_id: int | None, code: str, detail: str) -> None:
        self._hub.metrics.refused += 1
        version = None if self._place is None else self._place.table.version
        self.tell(_encode(Refused(message_id, code, detail, version)))

    async def _hear(self, text: str | bytes) -> None:
        """Read a message and do what it says, or say why not."""
        try:
            message = _decode(text)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            self._refuse(None, "malformed", f"this is no message: {error}")
            return
        message_id = getattr(message, "id", None)
        try:
            await self._do(message)
        except IllegalMove as error:
            self._refuse(message_id, error.why.value, str(error))
        except RefusedError as error:
            self._refuse(message_id, error.code, str(error))
            if error.code == "stale" and self._place is not None:
                version = getattr(message, "version", None)
                self.tell(self._hub.catch_up(self._place, self.device, version))
        except StoreError as error:
            log.error("the event log failed: %s", error)
            self._refuse(message_id, "unavailable", "the table cannot be kept now")
        except TriominoError as error:
            self._refuse(message_id, "malformed", str(error))

    async def _do(self, message: ClientMessage) -> None:
        if isinstance(message, Hello):
            await self._enter(message)
        elif isinstance(message, Ping):
            self.tell(_encode(Pong(message.id, self._hub.now())))
        elif self._place is None:
            raise RefusedError("no_hello", "say hello to a table first")
        elif isinstance(message, React):
            self._hub.react(self._place, self._seat(self._place.table, message.seat), message.sign)
        elif isinstance(message, AskHint):
            seat = self._seat(self._place.table, message.seat)
            moves = await self._hub.hint(self._place, seat, message.version)
            self.tell(_encode(Hint(message.id, message.version, moves)))
        else:
            table = self._place.table
            await self._hub.change(table.id, self._command(message), message.version)
            self.tell(_encode(Ack(message.id, self._place.table.version)))

    async def _enter(self, hello: Hello) -> None:
        if hello.protocol != PROTOCOL_VERSION:
            raise RefusedError("protocol", f"this server speaks protocol {PROTOCOL_VERSION}")
        if hello.secret is not None:
            self.device = digest(hello.secret)
        if self._place is not None:
            self._hub.leave(self._place, self)
            self._place = None
        self._place = await self._hub.enter(hello.table, self, hello.version)

    def _command(self, message: Command) -> Callable[[Table], AnyEvent]:
        """What a message asks of a table."""
        now = self._hub.now()

        def command(table: Table) -> AnyEvent:
            seat = self._seat(table, getattr(message, "seat", None))
            match message:
                case MoveMessage():
                    return table.move(seat, message.move, now)
                case NextRoundMessage():
                    return table.next_round(now)
                case UndoMessage():
                    return table.ask_undo(seat, now)
                case AnswerUndo():
                    return table.answer_undo(seat, message.agree, now)
                case GiveUpMessage():
                    return table.give_up(seat, now)
                case ReturnMessage():
                    return table.come_back(seat, now)

        return command

    def _seat(self, table: Table, wanted: Seat | None) -> Seat:
        """The seat a message speaks for: the one it names, or the one that can be meant."""
        own = table.seats_of(self.device)
        if wanted is not None:
            if wanted not in own:
                raise RefusedError("not_yours", f"seat {wanted} is not yours")
            return wanted
        if not own:
            raise RefusedError("spectator", "you watch this table; take a seat to play")
        if table.match is not None and table.game.turn in own:
            return table.game.turn
        return own[0]
