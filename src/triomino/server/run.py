"""Running a server: starting it, collecting garbage in small steps, and stopping it."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import sys
import time
from dataclasses import replace
from typing import TYPE_CHECKING

from triomino.server.app import make_app
from triomino.server.connections import LimitedServer
from triomino.server.host_key import first_host_key
from triomino.server.listening import addresses, check_tls, listen
from triomino.server.logs import note
from triomino.server.protocols import ServerConfig
from triomino.store.log import EventLog

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable, Mapping
    from types import FrameType

    from litestar import Litestar

    from triomino.server.config import Config
    from triomino.server.listening import Listening
    from triomino.server.logs import Fact
    from triomino.server.sockets import Sockets

OPEN_FILES = 65_536
"""The limit of open files, and so of sockets, that is asked for."""

SWEEP_SECONDS = 30.0
"""How often to check whether enough sockets were closed for a collection."""

SWEEP_SOCKETS = 500
"""Closed sockets between two collections, at least: about 10 MB."""

HOUR = 3600.0


def serve(
    config: Config, when_ready: Callable[[Listening], None], about: Mapping[str, Fact]
) -> None:
    """Serve until SIGTERM or SIGINT, then finish what is under way and return.

    *about* goes into the first line of the log; *when_ready* is called once the server accepts
    connections.
    """
    check_tls(config)
    _allow_many_files()
    # While a bot written in Python thinks, moves of people are served ten times sooner.
    sys.setswitchinterval(0.0005)
    with listen(config) as listener:
        uvicorn_config = make_uvicorn_config(config)
        try:
            with asyncio.Runner(loop_factory=uvicorn_config.get_loop_factory()) as runner:
                runner.run(_serve(config, uvicorn_config, listener, when_ready, about))
        finally:
            # Frozen objects outlive the interpreter, and the kernel reports its own as leaked.
            gc.unfreeze()


async def _serve(
    config: Config,
    uvicorn_config: ServerConfig,
    listener: socket.socket,
    when_ready: Callable[[Listening], None],
    about: Mapping[str, Fact],
) -> None:
    events = await EventLog.open(config.data, new_run=True)
    note("starting", **about)
    app = make_app(config, events=events)
    uvicorn_config.app = app
    listening = addresses(config, listener.getsockname()[1])
    if config.open:
        key = await first_host_key(events, int(1000 * time.time()))
        listening = replace(listening, host_key=key)
    server = _Server(uvicorn_config, app, lambda: when_ready(listening))
    sweeper = asyncio.create_task(sweep(app))
    try:
        await server.serve(sockets=[listener])
    finally:
        sweeper.cancel()


def make_uvicorn_config(config: Config, app: Litestar | None = None) -> ServerConfig:
    """The settings of uvicorn: lean sockets, our own logs, no ``server`` header."""
    return ServerConfig(
        config,
        app or "",
        ws_max_size=config.message_bytes,
        ws_per_message_deflate=False,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=config.proxy is not None,
        forwarded_allow_ips=config.proxy or "",
        # Longer than proxies keep their connections open, which is about a minute.
        timeout_keep_alive=75,
        timeout_graceful_shutdown=config.stop_seconds,
        ssl_certfile=config.tls_cert,
        ssl_keyfile=config.tls_key,
    )


class _Server(LimitedServer):
    """Reports when it is ready, says goodbye, and counts being stopped as success."""

    def __init__(self, config: ServerConfig, app: Litestar, when_ready: Callable[[], None]):
        super().__init__(config, _open_files())
        self._app, self._when_ready = app, when_ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        _collect_young()
        self._when_ready()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002
        # On a second signal, do not wait for slow clients.
        self.force_exit = self.should_exit
        self.should_exit = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        note("stopping")
        await self._app.state.hub.say_goodbye()
        await super().shutdown(sockets)
        note("stopped")


def _collect_young() -> None:
    """Let the garbage collector run on young objects only.

    All clients wait while it runs, and a full collection visits every table. Playing leaves no
    reference cycles; closed sockets do, and :func:`sweep` collects those.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(500, 1_000_000, 1_000_000)


async def sweep(app: Litestar) -> None:
    """Collect garbage once as many sockets were closed as are open, or else every hour."""
    clock = asyncio.get_running_loop().time
    swept, closed_then = clock(), 0
    while True:
        await asyncio.sleep(SWEEP_SECONDS)
        sockets: Sockets = app.state.sockets
        enough = sockets.closed - closed_then >= max(SWEEP_SOCKETS, sockets.open)
        if enough or clock() - swept >= HOUR:
            swept, closed_then = clock(), sockets.closed
            gc.collect()


def _allow_many_files() -> None:
    """Raise the limit of open files as far as the system permits."""
    if sys.platform != "win32":
        import resource  # noqa: PLC0415 - not on every system

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        most = OPEN_FILES if hard == resource.RLIM_INFINITY else min(hard, OPEN_FILES)
        if soft != resource.RLIM_INFINITY and soft < most:
            with contextlib.suppress(ValueError, OSError):
                resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def _open_files() -> int | None:
    """How many files may be open, if the system says so."""
    if sys.platform == "win32":
        return None
    import resource  # noqa: PLC0415 - not on every system

    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return None if soft == resource.RLIM_INFINITY else soft
