"""The application in the test's own event loop, and clients that see every byte."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import hashlib
import itertools
import json
import ssl
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, ParamSpec

import httpx
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from triomino.client import RemotePlayer
from triomino.protocol.messages import PROTOCOL_VERSION
from triomino.server.app import make_app
from triomino.server.budgets import PER_MINUTE
from triomino.server.config import Config
from triomino.server.connections import LimitedServer
from triomino.server.hub import Hub
from triomino.server.listening import listen
from triomino.server.run import make_uvicorn_config
from triomino.store.log import EventLog

if TYPE_CHECKING:
    import socket
    from collections.abc import AsyncIterator, Callable, Coroutine, Iterable

    from litestar import Litestar
    from websockets.asyncio.client import ClientConnection

    from triomino.game import Game

P = ParamSpec("P")

PATIENCE = 20.0
"""Seconds after which something that should happen will not happen any more."""

UNLIMITED: dict[str, Any] = {
    **dict.fromkeys(PER_MINUTE, 1_000_000),
    "messages_per_second": 100_000,
    "messages_per_address": 1_000_000,
    "connections_per_second": 100_000,
}
"""Settings without rate limits: all clients of a test have one address."""

NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""Trusts nobody. Loading the certificates of the system takes longer than most tests."""


def in_loop(test: Callable[P, Coroutine[Any, Any, None]]) -> Callable[P, None]:
    """Run a test in an event loop of its own."""

    @functools.wraps(test)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        asyncio.run(test(*args, **kwargs))

    return run


def seed(number: int) -> str:
    """A server seed that a test can make again."""
    return hashlib.sha256(f"seed {number}".encode()).hexdigest()


@functools.cache
def _new_database() -> bytes:
    """An empty database of today; making one loads Alembic, copying one does not."""

    async def make(path: Path) -> None:
        await (await EventLog.open(path)).close()

    with TemporaryDirectory() as folder, ThreadPoolExecutor(1) as thread:
        path = Path(folder) / "new.db"
        # In a thread of its own: the caller may have a running event loop.
        thread.submit(lambda: asyncio.run(make(path))).result()
        return path.read_bytes()


def copy_new_database(path: Path) -> None:
    """Write an empty database of today."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(_new_database())


class FakeClock:
    """Time that only the test moves."""

    def __init__(self, at: float = 1_700_000_000.0) -> None:
        self.at = at
        self.set_by = 0.0
        """Seconds by which somebody has set the date."""

    def __call__(self) -> float:
        """The date."""
        return self.at + self.set_by

    def steady(self) -> float:
        """What a clock shows that cannot be set."""
        return self.at


@dataclass
class Served:
    """A running server."""

    url: str
    app: Litestar
    config: Config
    clock: FakeClock
    http: httpx.AsyncClient
    server: LimitedServer
    players: list[RemotePlayer] = field(default_factory=list)
    wires: list[Wire] = field(default_factory=list)

    @property
    def hub(self) -> Hub:
        """Its hub."""
        hub: Hub = self.app.state.hub
        return hub

    @property
    def events(self) -> EventLog:
        """Its event log."""
        return self.hub.events

    def player(self, secret: str | None = None, *, takes_part: bool = False) -> RemotePlayer:
        """A player with a device of its own; it is closed with the server.

        Unless it *takes part*, a match is dealt with its start, without a seed of its device.
        """
        player = RemotePlayer(self.url, secret, patience=PATIENCE, takes_part=takes_part)
        self.players.append(player)
        return player

    async def wire(self, secret: str | None = None, **options: Any) -> Wire:
        """A bare socket; it is closed with the server."""
        wire = await Wire.open(self.url, secret, **options)
        self.wires.append(wire)
        return wire

    async def wire_at(self, table: str, secret: str | None = None) -> Wire:
        """A bare socket that has joined a table and read its state."""
        wire = await self.wire(secret)
        await wire.say(type="hello", table=table, secret=secret)
        await wire.hear("state")
        return wire

    async def log(self, table: str) -> list[bytes]:
        """The events of a table on disk."""
        return await self.events.read(table)

    async def get(self, path: str, **options: Any) -> httpx.Response:
        """Send a request without a device."""
        return await self.http.get(path, **options)


@dataclass
class Wire:
    """A bare socket that keeps every message as it came."""

    socket: ClientConnection
    secret: str | None = None
    heard: list[bytes] = field(default_factory=list)
    closed: tuple[int, str] | None = None
    _unread: list[dict[str, Any]] = field(default_factory=list)
    _changed: asyncio.Event = field(default_factory=asyncio.Event)
    _reader: asyncio.Task[None] | None = None
    _ids: itertools.count[int] = field(default_factory=lambda: itertools.count(1))

    @classmethod
    async def open(
        cls, url: str, secret: str | None = None, path: str = "/ws", **options: Any
    ) -> Wire:
        """Connect and listen."""
        address = url.replace("http", "ws", 1) + path
        wire = cls(await connect(address, compression=None, max_size=2**24, **options), secret)
        wire._reader = asyncio.create_task(wire._read())
        return wire

    async def _read(self) -> None:
        try:
            while True:
                text = await self.socket.recv()
                data = text.encode() if isinstance(text, str) else text
                self.heard.append(data)
                self._unread.append(json.loads(data))
                self._changed.set()
        except ConnectionClosed as error:
            got = error.rcvd
            self.closed = (got.code, got.reason) if got is not None else (1006, "")
            self._changed.set()

    async def say(self, **message: Any) -> None:
        """Send a message; fields that are ``None`` are left out."""
        if message["type"] == "hello":
            message = {"protocol": PROTOCOL_VERSION, **message}
        await self.send(
            json.dumps({name: value for name, value in message.items() if value is not None})
        )

    async def send(self, data: str | bytes) -> None:
        """Send any text or bytes."""
        await self.socket.send(data)

    async def hear(self, *types: str) -> dict[str, Any]:
        """Return the next message of one of these types; skip those before it."""
        index = await self._find(lambda message: message["type"] in types)
        message = self._unread[index]
        del self._unread[: index + 1]
        return message

    async def ask(self, **message: Any) -> dict[str, Any]:
        """Send a message with a fresh id; return its ack or refusal.

        Other messages stay unread.
        """
        number = next(self._ids)
        await self.say(id=number, **message)
        return self._unread.pop(
            await self._find(
                lambda said: said["type"] in ("ack", "refused") and said["id"] == number
            )
        )

    async def settle(self) -> list[dict[str, Any]]:
        """Return all unread messages sent up to now: the answer to a ping comes last."""
        number = next(self._ids)
        await self.say(type="ping", id=number)
        index = await self._find(lambda said: said["type"] == "pong" and said["id"] == number)
        before = self._unread[:index]
        del self._unread[: index + 1]
        return before

    async def _find(self, wanted: Callable[[dict[str, Any]], bool]) -> int:
        seen = 0
        async with asyncio.timeout(PATIENCE):
            while True:
                for index in range(seen, len(self._unread)):
                    if wanted(self._unread[index]):
                        return index
                seen = len(self._unread)
                if self.closed is not None:
                    raise ConnectionError(f"closed: {self.closed}")
                self._changed.clear()
                await self._changed.wait()

    async def until_closed(self) -> tuple[int, str]:
        """Wait for the server to close the socket; return the code and the reason."""
        async with asyncio.timeout(PATIENCE):
            while self.closed is None:
                self._changed.clear()
                await self._changed.wait()
        return self.closed

    async def close(self) -> None:
        """Go away."""
        await self.socket.close()
        if self._reader is not None:
            with contextlib.suppress(asyncio.CancelledError):
                await self._reader


@asynccontextmanager
async def serving(
    folder: Path,
    *,
    seeds: Iterable[str] | None = None,
    clock: FakeClock | None = None,
    make_hub: Callable[..., Hub] = Hub,
    number: int = 0,
    **settings: Any,
) -> AsyncIterator[Served]:
    """Run a server on a free port, with a known clock, ids, secrets and seeds.

    Servers of a cluster have a *number* each, so that their secrets differ.
    """
    clock = clock or FakeClock()
    ids, secret_numbers = itertools.count(1), itertools.count(1 + 1000 * number)
    seed_texts = iter(seeds) if seeds is not None else map(seed, itertools.count(1))
    defaults: dict[str, Any] = {
        "data": str(folder / "tables.db"),
        "host": "127.0.0.1",
        "port": 0,
        "bot_pause": 0.0,
        **UNLIMITED,
        "stop_seconds": 2,
    }
    config = Config(**{**defaults, **settings})
    if "://" not in config.data and not Path(config.data).exists():
        copy_new_database(Path(config.data))

    def hub(config: Config, events: EventLog) -> Hub:
        return make_hub(
            config,
            events,
            clock=clock,
            steady=clock.steady,
            new_id=lambda: f"table{next(ids)}",
            new_secret=lambda: f"secret-of-device-{next(secret_numbers):04}",
            new_seed=lambda: next(seed_texts),
            new_key=lambda: bytes(32),  # it is part of every deal
        )

    app = make_app(config, hub)
    listener = listen(config)
    url = f"http://127.0.0.1:{listener.getsockname()[1]}"
    server = LimitedServer(make_uvicorn_config(config, app))
    # What uvicorn's own ``serve`` does, without its signals and its ticking.
    server.config.load()
    server.lifespan = server.config.lifespan_class(server.config)
    await server.startup(sockets=[listener])
    try:
        async with httpx.AsyncClient(base_url=url, timeout=PATIENCE, verify=NO_TLS) as http:
            served = Served(url, app, config, clock, http, server)
            try:
                yield served
            finally:
                for player in served.players:
                    await player.close()
                for wire in served.wires:
                    await wire.close()
    finally:
        await _stop(server, listener)


async def _stop(server: LimitedServer, listener: socket.socket) -> None:
    """Stop as uvicorn does, without its pauses; a client that stays is a fault of the test."""
    for one in server.servers:
        one.close()
    listener.close()
    state = server.server_state
    for connection in list(state.connections):
        connection.shutdown()
    await until(lambda: not state.connections and not state.tasks)
    await server.lifespan.shutdown()


@dataclass
class Two:
    """A running table of Ann and Ben, each on a device of their own."""

    served: Served
    table: str
    ann: RemotePlayer
    ben: RemotePlayer

    def secret(self, seat: int) -> str:
        """The secret of the device that has a seat."""
        secret = (self.ann if seat == 0 else self.ben).secret
        assert secret is not None
        return secret

    async def wire(self, seat: int | None = None) -> Wire:
        """A socket of a seat's device, or of a spectator, that has joined the table."""
        secret = None if seat is None else self.secret(seat)
        return await self.served.wire_at(self.table, secret)

    @property
    def game(self) -> Game:
        """The current round in the server."""
        return self.served.hub.tables[self.table].table.game

    @property
    def version(self) -> int:
        """The version of the table in the server."""
        return self.served.hub.tables[self.table].table.version

    @property
    def ply(self) -> int:
        """The number of the current position in the server."""
        return self.served.hub.tables[self.table].table.ply


async def table_of_two(served: Served, host_name: str = "Ann", **options: Any) -> Two:
    """Set up and start a table of Ann and Ben."""
    ann, ben = served.player(), served.player()
    seats = [{"kind": "here", "name": host_name}, {"kind": "link"}]
    table = await ann.create(seats, **options)
    await ben.sit(table, "Ben")
    await ann.start(table)
    return Two(served, table, ann, ben)


async def until(condition: Callable[[], bool]) -> None:
    """Wait until a condition is true; it is checked every millisecond."""
    async with asyncio.timeout(PATIENCE):
        while not condition():
            await asyncio.sleep(0.001)
