"""Accepting connections: how many there may be, in all and by address.

A connection over the limits is closed before anything is read or set up for it. A proxy that the
host trusts is exempt from the limits by address: all its clients come from there, and are counted
by the address that it names, as sockets and requests.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections import Counter
from functools import partial
from ipaddress import ip_address, ip_network
from typing import TYPE_CHECKING, Any, cast

import uvicorn

from triomino.server.budgets import Buckets, network_of
from triomino.server.logs import log, note, seldom
from triomino.server.protocols import HttpProtocol, ServerConfig

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable

    from triomino.server.config import Config

AT_ONCE = 16
"""Connections accepted before others get their turn."""

RETRY_SECONDS = 1.0
"""Until the next attempt, after the system had no handle left for a connection."""

SPARE_HANDLES = 64
"""File handles that are kept for the database, analyses and the page."""

_STARTUP_FAILURE = 3


class Connections:
    """The open connections, in all and by network."""

    def __init__(self, config: Config, handles: int | None = None) -> None:
        most = config.connections
        self._most = most if handles is None else max(1, min(most, handles - SPARE_HANDLES))
        self._per_address = config.connections_per_address
        self._new = Buckets(config.connections_per_second, 4 * config.connections_per_second)
        self._is_proxy = trusted(config.proxy)
        self._by_network: Counter[str] = Counter()
        self.open = 0
        """How many are open."""

    def admit(self, address: str) -> Callable[[], None] | None:
        """Count a new connection; return what to call at its end, or ``None`` if it is refused."""
        network = "" if self._is_proxy(address) else network_of(address)
        if why := self._why_not(network):
            if seldom(why):
                note("connections refused", why=why, client=address, open=self.open)
            return None
        self.open += 1
        self._by_network[network] += 1
        return partial(self._release, network)

    def _why_not(self, network: str) -> str | None:
        if self.open >= self._most:
            return "there are too many in all"
        if network and self._by_network[network] >= self._per_address:
            return "there are too many from one address"
        if network and not self._new.take(network):
            return "they come too fast from one address"
        return None

    def _release(self, network: str) -> None:
        self.open -= 1
        self._by_network[network] -= 1
        if not self._by_network[network]:
            del self._by_network[network]


def trusted(proxies: str | None) -> Callable[[str], bool]:
    """Whether an address is one of the trusted proxies, given as in the settings."""
    names = {name.strip() for name in (proxies or "").split(",")} - {""}
    networks = []
    for name in names:
        with contextlib.suppress(ValueError):
            networks.append(ip_network(name, strict=False))

    def is_trusted(address: str) -> bool:
        if "*" in names or address in names:
            return True
        if not networks:
            return False
        try:
            found = ip_address(address)
        except ValueError:
            return False
        return any(found in network for network in networks)

    return is_trusted


class Acceptor:
    """Accepts the connections of one listening socket; what uvicorn needs of a server."""

    def __init__(
        self,
        listener: socket.socket,
        connections: Connections,
        make_protocol: Callable[[Callable[[], None]], asyncio.Protocol],
        ssl: Any = None,
        handshake_seconds: float = 10.0,
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._listener, self._connections = listener, connections
        self._make_protocol = make_protocol
        self._ssl, self._handshake = ssl, handshake_seconds if ssl else None
        self._tasks: set[asyncio.Task[None]] = set()
        self._retry: asyncio.TimerHandle | None = None
        self._is_closed = False
        listener.setblocking(False)
        self._loop.add_reader(listener, self._accept)

    def _accept(self) -> None:
        for _ in range(AT_ONCE):
            try:
                connection, address = self._listener.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return
            except OSError as error:
                self._pause(error)
                return
            release = self._connections.admit(str(address[0]))
            if release is None:
                connection.close()
                continue
            connection.setblocking(False)
            task = self._loop.create_task(self._connect(connection, release))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def _pause(self, error: OSError) -> None:
        """Wait a little when the system has no handle left: it would fail again at once."""
        if seldom("accept"):
            log.error("no connection can be accepted: %s", error.strerror)
        self._loop.remove_reader(self._listener)
        self._retry = self._loop.call_later(RETRY_SECONDS, self._resume)

    def _resume(self) -> None:
        if not self._is_closed:
            self._loop.add_reader(self._listener, self._accept)

    async def _connect(self, connection: socket.socket, release: Callable[[], None]) -> None:
        protocol = None

        def made() -> asyncio.Protocol:
            nonlocal protocol
            protocol = self._make_protocol(release)
            return protocol

        try:
            await self._loop.connect_accepted_socket(
                made, connection, ssl=self._ssl, ssl_handshake_timeout=self._handshake
            )
        except (OSError, asyncio.CancelledError):
            # The client has gone, or does not speak TLS. A protocol that was told of its
            # connection releases it by itself.
            if getattr(protocol, "transport", None) is None:
                release()
            connection.close()

    def close(self) -> None:
        """Accept no more connections."""
        if not self._is_closed:
            self._is_closed = True
            if self._retry is not None:
                self._retry.cancel()
            self._loop.remove_reader(self._listener)

    async def wait_closed(self) -> None:
        """Wait until nothing is under way."""
        await asyncio.gather(*self._tasks, return_exceptions=True)


class LimitedServer(uvicorn.Server):
    """A server that accepts connections within the limits of its :class:`ServerConfig`."""

    config: ServerConfig

    def __init__(self, config: ServerConfig, handles: int | None = None) -> None:
        super().__init__(config)
        self.open_connections = Connections(config.limits, handles)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start the application, then accept connections."""
        if sockets is None or sys.platform == "win32":  # the loop there cannot watch a socket
            await super().startup(sockets)
            return
        await self.lifespan.startup()
        if self.lifespan.should_exit:
            sys.exit(_STARTUP_FAILURE)
        acceptors = [
            Acceptor(
                one,
                self.open_connections,
                self._make_protocol,
                self.config.ssl,
                self.config.limits.request_seconds,
            )
            for one in sockets
        ]
        self.servers = cast("list[asyncio.base_events.Server]", acceptors)
        self.started = True

    def _make_protocol(self, release: Callable[[], None]) -> asyncio.Protocol:
        protocol = HttpProtocol(self.config, self.server_state, self.lifespan.state)
        protocol.release = release
        return protocol
