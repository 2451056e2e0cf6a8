"""The bus between the servers of a cluster: short notices over Valkey or Redis.

Nothing of a game is sent, only that a table has grown and to which version, who is connected
where, and what is gone the next moment anyhow. A notice that is lost costs time and nothing else:
the truth is the event log, which is looked at again and again.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import time
from collections import deque
from typing import TYPE_CHECKING, Final, TypeAlias

import msgspec
from msgspec import Struct

from triomino.server.logs import log

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from valkey.asyncio import Valkey

CHANNEL: Final = "triomino:notices"
"""Channels are common to all databases of a Valkey; those but the first have their number in it."""

BEAT_SECONDS: Final = 1.0
"""How often a server says that it is alive."""

SILENCE_SECONDS: Final = 3.5
"""After which a silent server counts as gone, and all who are connected to it as away."""

ANSWER_SECONDS: Final = 2.0
"""A bus that does not answer by then counts as gone."""

RETRY_SECONDS: Final = 0.5

GATHER_SECONDS: Final = 0.01
"""Between two parcels. What is said meanwhile goes together: nobody sees so short a wait, and
hearing a parcel costs a server as much as a quarter of a move."""

BACKLOG: Final = 10_000
"""Notices that wait to be sent; the oldest are forgotten first."""


class Grown(Struct, frozen=True, array_like=True, tag="g"):
    """A table has grown to a version."""

    table: str
    version: int


class Here(Struct, frozen=True, array_like=True, tag="h"):
    """How many clients of each device are connected to a table at the server that says so."""

    table: str
    devices: list[tuple[str | None, int]]


class Who(Struct, frozen=True, array_like=True, tag="w"):
    """Who is at these tables? Servers with somebody there answer with :class:`Here`."""

    tables: list[str]


class Reacted(Struct, frozen=True, array_like=True, tag="r"):
    """A seat or a spectator has reacted."""

    table: str
    seat: int | None
    sign: str


class SheetGrown(Struct, frozen=True, array_like=True, tag="s"):
    """Something was written on a live sheet."""

    pad: str


class ClubGrown(Struct, frozen=True, array_like=True, tag="c"):
    """Something happened at a club evening."""

    club: str


class QueueChanged(Struct, frozen=True, array_like=True, tag="n"):
    """Somebody has come to the queue of Play now, or got a table."""


class PeopleChanged(Struct, frozen=True, array_like=True, tag="p"):
    """Devices were removed, a profile was deleted, or the host has banned somebody."""


class Spent(Struct, frozen=True, array_like=True, tag="b"):
    """What networks have spent of a budget in the last moment."""

    budget: str
    costs: dict[str, float]


class Which(Struct, frozen=True, array_like=True, tag="q"):
    """Which tables are in use? All servers answer with :class:`InUse`."""


class InUse(Struct, frozen=True, array_like=True, tag="u"):
    """Tables with somebody there, or with something under way, at the server that says so."""

    tables: list[str]


class Leaving(Struct, frozen=True, array_like=True, tag="l"):
    """The server that says so stops."""


Notice: TypeAlias = (
    Grown
    | Here
    | Who
    | Reacted
    | SheetGrown
    | ClubGrown
    | QueueChanged
    | PeopleChanged
    | Spent
    | Which
    | InUse
    | Leaving
)


class _Parcel(Struct, array_like=True):
    """What a server has to say at a time; with nothing in it, that it is alive."""

    node: str
    notices: list[msgspec.Raw]


_encode = msgspec.msgpack.Encoder().encode
_decode_parcel = msgspec.msgpack.Decoder(_Parcel).decode
_decode_notice = msgspec.msgpack.Decoder(Notice).decode


def pack(node: str, notices: Iterable[Notice]) -> bytes:
    """What a server sends at a time."""
    return _encode(_Parcel(node, [msgspec.Raw(_encode(notice)) for notice in notices]))


def unpack(data: bytes, own: str = "") -> tuple[str, list[Notice]]:
    """Who says what. Notices of a kind that only a newer version knows are left out.

    What *own* says comes back, too, and is not looked at.

    >>> unpack(pack("a", [Grown("t", 7)]))
    ('a', [Grown(table='t', version=7)])
    """
    parcel, notices = _decode_parcel(data), []
    if parcel.node == own:
        return own, []
    for one in parcel.notices:
        with contextlib.suppress(msgspec.ValidationError):
            notices.append(_decode_notice(one))
    return parcel.node, notices


class Bus:
    """This server's end of the bus. Sending never waits and never fails."""

    def __init__(
        self,
        url: str,
        receive: Callable[[str, Notice], None],
        *,
        on_up: Callable[[], None] = lambda: None,
        on_gone: Callable[[str], None] = lambda _: None,
    ) -> None:
        from valkey.asyncio import Valkey  # noqa: PLC0415 - takes a while, and few need it

        self.node = secrets.token_hex(8)
        """What the others know this server by."""
        self.client: Valkey = Valkey.from_url(
            url,
            socket_timeout=ANSWER_SECONDS,
            socket_connect_timeout=ANSWER_SECONDS,
            single_connection_client=False,
        )
        number = self.client.get_connection_kwargs().get("db") or 0
        self._channel = f"{CHANNEL}:{number}" if number else CHANNEL
        self._receive, self._on_up, self._on_gone = receive, on_up, on_gone
        self._outbox: deque[Notice] = deque(maxlen=BACKLOG)
        self._wake = asyncio.Event()
        self._seen: dict[str, float] = {}
        self._heard = 0.0  # when anything came last
        self.is_up = False
        """Whether notices are sent and received now."""
        self.sent = self.received = self.bytes_sent = self.failures = 0

    @property
    def peers(self) -> list[str]:
        """The other servers that were heard lately."""
        return sorted(self._seen)

    def tell(self, notice: Notice) -> None:
        """Send a notice to all other servers; while the bus is gone it is forgotten."""
        if self.is_up:
            self._outbox.append(notice)
            self._wake.set()

    async def run(self) -> None:
        """Connect, send and receive, for ever."""
        while True:
            check_cancelled()
            try:
                await self._run()
            except Exception as error:  # noqa: BLE001 - a server goes on without a bus
                if not is_of_bus(error):
                    log.exception("the bus failed")
                self._down(error)
            await asyncio.sleep(RETRY_SECONDS)

    def _down(self, error: Exception) -> None:
        self.failures += 1
        if self.is_up or self.failures == 1:
            log.error("the bus is gone: %s", str(error).partition("\n")[0] or type(error).__name__)
        self.is_up = False
        self._outbox.clear()

    async def _run(self) -> None:
        async with self.client.pubsub(ignore_subscribe_messages=True) as channel:
            await channel.subscribe(self._channel)
            # Whoever was here before the bus went may still be; it has time to say so.
            self._heard = now = time.monotonic()
            self._seen = dict.fromkeys(self._seen, now)
            self.is_up = True
            log.info("the bus is here")
            self._on_up()
            # No group of tasks: in Python 3.11 one that failed leaves its task marked as cancelled.
            tasks = [asyncio.create_task(work) for work in (self._send(), self._listen(channel))]
            try:
                ended, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
                for task in ended:
                    task.result()  # raises: neither ends by itself
            finally:
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)

    async def _send(self) -> None:
        while True:
            check_cancelled()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(BEAT_SECONDS):
                    await self._wake.wait()
            self._wake.clear()
            notices, outbox = [], self._outbox
            while outbox:
                notices.append(outbox.popleft())
            data = pack(self.node, notices)
            async with asyncio.timeout(ANSWER_SECONDS):
                await self.client.publish(self._channel, data)
            self.sent += len(notices)
            self.bytes_sent += len(data)
            self._forget_silent()
            await asyncio.sleep(GATHER_SECONDS)

    async def _listen(self, channel: object) -> None:
        while True:
            check_cancelled()
            # Own beats come back: a channel that is silent for so long is not one any more. One
            # limit for all that comes in a second: it costs as much as a message.
            async with asyncio.timeout(ANSWER_SECONDS + BEAT_SECONDS):
                end = time.monotonic() + BEAT_SECONDS
                while self._heard < end:
                    check_cancelled()
                    message = await channel.get_message(timeout=None)  # type: ignore[attr-defined]
                    self._heard = time.monotonic()
                    if message is not None:
                        self._take(message["data"])

    def _take(self, data: bytes) -> None:
        """Do what a parcel says, unless it is this server's own."""
        node, notices = unpack(data, self.node)
        if node == self.node:
            return
        if node not in self._seen:
            log.info("another server is here", extra={"facts": {"node": node}})
        self._seen[node] = self._heard
        for notice in notices:
            self.received += 1
            if isinstance(notice, Leaving):
                self._forget(node)
            else:
                self._receive(node, notice)

    def _forget_silent(self) -> None:
        limit = time.monotonic() - SILENCE_SECONDS
        for node in [node for node, at in self._seen.items() if at < limit]:
            self._forget(node)

    def _forget(self, node: str) -> None:
        if self._seen.pop(node, None) is not None:
            log.info("another server is gone", extra={"facts": {"node": node}})
            self._on_gone(node)

    async def close(self) -> None:
        """Tell the others that this server leaves, and give up the connections."""
        if self.is_up:
            with contextlib.suppress(Exception):
                async with asyncio.timeout(ANSWER_SECONDS):
                    await self.client.publish(self._channel, pack(self.node, [Leaving()]))
        with contextlib.suppress(Exception):
            await self.client.aclose()


def check_cancelled() -> None:
    """Raise if this task is to end.

    The client of Valkey may turn a cancellation into an error of its own, which is caught; without
    this a server that is asked to stop would go on for ever.
    """
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError


def is_of_bus(error: BaseException) -> bool:
    """Whether an error means that the bus is gone; a group of tasks raises a group of them."""
    if isinstance(error, BaseExceptionGroup):
        return all(is_of_bus(one) for one in error.exceptions)
    return isinstance(error, OSError) or type(error).__module__.startswith("valkey")
