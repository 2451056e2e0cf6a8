"""uvicorn's protocols, with an end to everything that takes too long.

A request has to be complete after a few seconds, an answer has to be read, and a socket's input is
taken in small pieces, no faster than its messages may come. Otherwise half a request would keep its
connection for ever, and one large packet of tiny frames would stop everybody.
"""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidState

from triomino.server.budgets import Bucket

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable

    from uvicorn._types import ASGIReceiveEvent
    from websockets.frames import Frame
    from websockets.http11 import Request

    from triomino.server.config import Config

LEAST_BYTES: Final = 1024
"""Bytes per second of a body that may go on beyond the time for a request."""

MOST_IGNORED: Final = 131_072
"""Bytes of a body that are read after its request was answered, so that the answer arrives."""

WRITE_SECONDS: Final = 30.0
"""A client that takes nothing for this long, although there is something, is disconnected."""

LINGER_SECONDS: Final = 2.0
"""Until a connection that was closed is cut, if its last bytes are not taken."""

SLICE: Final = 512
"""Bytes of a socket's input that are handled at once; messages of honest clients are shorter."""

WRITE: Final = "triomino.write"
"""An extension of ASGI. Its ``now`` is a function that sends a text message without waiting.

Messages of one turn of the event loop go out together. It returns ``False``, and sends nothing, if
the client has gone or does not keep up: then ``send`` waits for it, or says so.
"""

AHEAD: Final = 4
"""Messages that may wait for the application before a socket is no longer read. To stop and start
reading for every message would take two system calls."""

_WHY_CLOSED: Final = b'{"code":"too_slow","detail":"the request did not come in time"}'
_TOO_SLOW: Final = (
    b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-type: application/json\r\n"
    b"content-length: %d\r\n\r\n%s" % (len(_WHY_CLOSED), _WHY_CLOSED)
)


class ServerConfig(uvicorn.Config):
    """uvicorn's settings together with ours."""

    def __init__(self, limits: Config, app: Any, **settings: Any) -> None:
        super().__init__(app, http=HttpProtocol, ws=SocketProtocol, **settings)
        self.limits = limits


class HttpProtocol(H11Protocol):
    """A connection on which requests come in time."""

    config: ServerConfig
    release: Callable[[], None] = staticmethod(lambda: None)
    """Called when the connection has ended."""

    _timer: asyncio.TimerHandle | None = None
    _stuck: asyncio.TimerHandle | None = None
    _received = _seen = _ignored = 0
    _upgraded = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Expect a request soon."""
        super().connection_made(transport)
        self._start_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        """Clean up; the connection no longer counts."""
        super().connection_lost(exc)
        self._unset_keepalive_if_required()
        self._stop_timer()
        self._stop_stuck()
        self.release()

    def data_received(self, data: bytes) -> None:
        """Take a part of a request."""
        self._received += len(data)
        super().data_received(data)
        if self._upgraded or self.transport.is_closing():
            return
        state = self.conn.their_state
        if state is h11.SEND_BODY or (state is h11.IDLE and self.conn.trailing_data[0]):
            if self._timer is None:
                self._start_timer()
            if state is h11.SEND_BODY and self.cycle.response_complete:
                self._ignored += len(data)
                if self._ignored > MOST_IGNORED:
                    self._end()
        else:
            self._stop_timer()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Hand the connection over to a socket."""
        self._upgraded = True
        self._stop_timer()
        super().handle_websocket_upgrade(event)
        successor = self.transport.get_protocol()
        if isinstance(successor, SocketProtocol):
            successor.release = self.release

    def _start_timer(self) -> None:
        self._seen = self._received
        self._timer = self.loop.call_later(self.config.limits.request_seconds, self._look)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _look(self) -> None:
        """The time is up: go on only for a body that keeps coming and is still wanted."""
        self._timer = None
        if self.transport.is_closing():
            return
        in_body = self.conn.their_state is h11.SEND_BODY
        enough = LEAST_BYTES * self.config.limits.request_seconds
        wanted = in_body and not self.cycle.response_complete
        if wanted and self._received - self._seen >= enough:
            self._start_timer()
            return
        # A connection that a browser opened in advance is closed without a word.
        half = in_body or bool(self.conn.trailing_data[0])
        if half and (not in_body or not self.cycle.response_started):
            self.transport.write(_TOO_SLOW)
        self._end()

    def _end(self) -> None:
        """Close the connection, also if its client takes nothing any more."""
        self.transport.close()
        self._stop_stuck()
        self._stuck = self.loop.call_later(LINGER_SECONDS, self.transport.abort)

    def pause_writing(self) -> None:
        """Give the client a while to take what was sent."""
        super().pause_writing()
        if self._stuck is None:
            self._stuck = self.loop.call_later(WRITE_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        """Go on: the client took it."""
        super().resume_writing()
        self._stop_stuck()

    def _stop_stuck(self) -> None:
        if self._stuck is not None:
            self._stuck.cancel()
            self._stuck = None


class SocketProtocol(WebSocketsSansIOProtocol):
    """A socket whose input is handled in small pieces, no faster than messages may come."""

    config: ServerConfig
    release: Callable[[], None] = staticmethod(lambda: None)
    """Called when the connection has ended."""

    _stuck: asyncio.TimerHandle | None = None
    _flushing: asyncio.Handle | None = None

    def __init__(self, config: ServerConfig, *args: Any, **kwargs: Any) -> None:
        super().__init__(config, *args, **kwargs)
        rate = config.limits.messages_per_second
        # More than messages: pings and parts of messages count too.
        self._frames = Bucket.full(2 * rate, max(1.0, 8 * rate), self.loop.time())
        self._unread = bytearray()
        self._next: asyncio.Handle | None = None

    def connection_lost(self, exc: Exception | None) -> None:
        """Clean up; the connection no longer counts."""
        super().connection_lost(exc)
        self._unread.clear()
        for handle in (self._next, self._stuck, self._flushing):
            if handle is not None:
                handle.cancel()
        self.release()

    def data_received(self, data: bytes) -> None:
        """Handle the data at once if it is short, or else piece by piece."""
        short = len(data) <= SLICE and not self._unread and self._next is None
        if not self.handshake_initiated or short:
            self._feed(data)
            return
        self._unread += data
        self.transport.pause_reading()
        self._go_on_soon()

    def _feed(self, data: bytes) -> None:
        super().data_received(data)
        if self._frames.tokens >= 0:
            return
        self._frames.take(self.loop.time(), 0)  # counts the time
        debt = -self._frames.tokens
        if debt > 0 and not self.transport.is_closing():
            self.transport.pause_reading()
            delay = debt / self._frames.rate if self._frames.rate else 1.0
            self._next = self.loop.call_later(min(delay, 5.0), self._go_on)

    def _go_on_soon(self) -> None:
        if self._next is None:
            self._next = self.loop.call_soon(self._go_on)

    def _go_on(self) -> None:
        self._next = None
        if self.transport.is_closing():
            self._unread.clear()
        elif self._unread:
            if self.read_paused:
                return  # until the application has taken what it has: see receive
            piece = bytes(self._unread[:SLICE])
            del self._unread[:SLICE]
            self._feed(piece)
            self._go_on_soon()
        elif not self.read_paused:
            self.transport.resume_reading()

    async def receive(self) -> ASGIReceiveEvent:
        """The next message for the application."""
        message = await self.queue.get()
        if self.read_paused and self.queue.empty():
            self.read_paused = False
            if self._unread or self._next is not None:
                self._go_on_soon()
            else:
                self.transport.resume_reading()
        return message

    def send_receive_event_to_app(self) -> None:
        """Count a message and queue it; stop reading while several are waiting."""
        self._frames.tokens -= 1
        was_paused, self.read_paused = self.read_paused, True  # the base class must not pause
        super().send_receive_event_to_app()
        self.read_paused = was_paused
        if not was_paused and self.queue.qsize() >= AHEAD:
            self.read_paused = True
            self.transport.pause_reading()

    def handle_connect(self, event: Request) -> None:
        """Begin with the application, which may write by :data:`WRITE`."""
        super().handle_connect(event)
        if self.response.status_code == HTTPStatus.SWITCHING_PROTOCOLS:
            self.scope["extensions"] = {
                **(self.scope["extensions"] or {}),
                WRITE: {"now": self._write},
            }

    def _write(self, message: bytes) -> bool:
        if self.disconnected or self.close_sent or not self.writable.is_set():
            return False
        try:
            self.conn.send_text(message)
        except InvalidState:
            return False
        if self._flushing is None:
            self._flushing = self.loop.call_soon(self._flush)
        return True

    def _flush(self) -> None:
        self._flushing = None
        output = self.conn.data_to_send()
        if output and not self.transport.is_closing():
            self.transport.write(b"".join(output))

    def handle_cont(self, event: Frame) -> None:
        """Count a part of a message."""
        self._frames.tokens -= 1
        super().handle_cont(event)

    def handle_ping(self) -> None:
        """Count a ping."""
        self._frames.tokens -= 1
        super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        """Count a pong."""
        self._frames.tokens -= 1
        super().handle_pong(event)

    def pause_writing(self) -> None:
        """Give the client a while to take what was sent."""
        super().pause_writing()
        if self._stuck is None:
            self._stuck = self.loop.call_later(WRITE_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        """Go on: the client took it."""
        super().resume_writing()
        if self._stuck is not None:
            self._stuck.cancel()
            self._stuck = None
