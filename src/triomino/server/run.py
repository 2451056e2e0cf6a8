"""Running a server: where it listens, what it says to its host, and how it stops."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import gc
import socket
import ssl
import sys
from dataclasses import dataclass
from ipaddress import ip_address
from typing import TYPE_CHECKING

import uvicorn

from triomino.errors import TriominoError
from triomino.server.app import make_app
from triomino.server.logs import note
from triomino.store.log import EventLog

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from types import FrameType

    from litestar import Litestar

    from triomino.server.config import Config
    from triomino.server.logs import Fact

OPEN_FILES = 65_536
"""As many sockets as the system lets us have, up to this."""

SWEEP_SECONDS = 30.0
"""Between two looks whether enough sockets were closed to collect what they left."""

SWEEP_SOCKETS = 500
"""So many at least: about 10 MB."""

HOUR = 3600.0


class ServeError(TriominoError):
    """The server cannot be started."""


@dataclass(frozen=True, slots=True)
class Listening:
    """Where people find the server."""

    here: str
    """The address on this machine."""
    others: str | None
    """The address for other machines and phones; ``None`` if they cannot reach it."""
    port: int


def serve(
    config: Config, when_ready: Callable[[Listening], None], about: Mapping[str, Fact]
) -> None:
    """Serve until SIGTERM or SIGINT, then finish what was begun and return.

    *about* is what the first line of the log says; *when_ready* is called once, when the first
    client can come.
    """
    check_tls(config)
    _allow_many_files()
    # While a bot thinks in Python, people's moves get their turn ten times sooner.
    sys.setswitchinterval(0.0005)
    with listen(config) as listener:
        uvicorn_config = make_uvicorn_config(config)
        with asyncio.Runner(loop_factory=uvicorn_config.get_loop_factory()) as runner:
            runner.run(_serve(config, uvicorn_config, listener, when_ready, about))


async def _serve(
    config: Config,
    uvicorn_config: uvicorn.Config,
    listener: socket.socket,
    when_ready: Callable[[Listening], None],
    about: Mapping[str, Fact],
) -> None:
    events = await EventLog.open(config.data)
    note("starting", **about)
    app = make_app(config, events=events)
    uvicorn_config.app = app
    listening = addresses(config, listener.getsockname()[1])
    server = _Server(uvicorn_config, app, lambda: when_ready(listening))
    sweeper = asyncio.create_task(sweep(app))
    try:
        await server.serve(sockets=[listener])
    finally:
        sweeper.cancel()


def make_uvicorn_config(config: Config, app: Litestar | None = None) -> uvicorn.Config:
    """How uvicorn serves: lean sockets, our own logs, no header that names it."""
    return uvicorn.Config(
        app or "",
        ws="websockets-sansio",
        ws_max_size=config.message_bytes,
        ws_per_message_deflate=False,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=config.proxy is not None,
        forwarded_allow_ips=config.proxy or "",
        # A proxy in front keeps its connections open for about a minute.
        timeout_keep_alive=75,
        timeout_graceful_shutdown=config.stop_seconds,
        ssl_certfile=config.tls_cert,
        ssl_keyfile=config.tls_key,
    )


class _Server(uvicorn.Server):
    """Says when it is ready, says goodbye, and counts being stopped as success."""

    def __init__(self, config: uvicorn.Config, app: Litestar, when_ready: Callable[[], None]):
        super().__init__(config)
        self._app, self._when_ready = app, when_ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        _collect_young()
        self._when_ready()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002
        # A second signal does not wait for slow clients.
        self.force_exit = self.should_exit
        self.should_exit = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        note("stopping")
        await self._app.state.hub.say_goodbye()
        await super().shutdown(sockets)
        note("stopped")


# --- Where it listens ----------------------------------------------------------------------------


def listen(config: Config) -> socket.socket:
    """The socket that clients knock at; refuses a port that is taken, with what to do."""
    host, port = config.host, config.port
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except OSError as error:
        raise ServeError(f"no such host {host!r} on this machine: {error.strerror}") from error
    family, *_, address = found[0]
    both = family == socket.AF_INET6 and host == "::" and socket.has_dualstack_ipv6()
    try:
        listener = socket.create_server(
            address[:2], family=family, backlog=2048, dualstack_ipv6=both
        )
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise ServeError(
                f"port {port} is taken, perhaps by another triomino; "
                f"choose another one: --port {port + 1 if port < 65535 else 8020}"
            ) from error
        if error.errno == errno.EACCES:
            raise ServeError(
                f"port {port} is not for everybody; choose one from 1024 on: --port 8020"
            ) from error
        raise ServeError(f"cannot listen on {host}, port {port}: {error.strerror}") from error
    # A small message leaves at once and does not wait for the next. asyncio sees to that by itself
    # only where the protocol of a socket is named; connections have it from their listener.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener


def addresses(config: Config, port: int) -> Listening:
    """How the server is reached from here and from elsewhere."""
    scheme = "https" if config.tls_cert is not None else "http"
    host = config.host
    everywhere = host in ("", "0.0.0.0", "::")  # noqa: S104
    here = _url(scheme, "127.0.0.1" if everywhere else host, port)
    if config.public_url is not None:
        return Listening(here, config.public_url.rstrip("/"), port)
    if everywhere:
        own = own_address()
        return Listening(here, None if own is None else _url(scheme, own, port), port)
    return Listening(here, None if is_loopback(host) else here, port)


def _url(scheme: str, host: str, port: int) -> str:
    name = f"[{host}]" if ":" in host else host
    usual = {"http": 80, "https": 443}[scheme]
    return f"{scheme}://{name}" + ("" if port == usual else f":{port}")


def is_loopback(host: str) -> bool:
    """Whether only this machine itself can be meant."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def own_address() -> str | None:
    """The address of this machine in its network, if it is in one."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # No packet is sent: the system only says by which way it would go.
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        host: str = probe.getsockname()[0]
    return None if is_loopback(host) or host == "0.0.0.0" else host  # noqa: S104


def check_tls(config: Config) -> None:
    """Refuse a certificate or key that cannot be used, before anything is opened."""
    if config.tls_cert is None or config.tls_key is None:
        return
    for path in (config.tls_cert, config.tls_key):
        path.open("rb").close()  # an error that names the file
    try:
        # A password given here keeps the system from asking for one.
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(
            config.tls_cert, config.tls_key, password=""
        )
    except (ssl.SSLError, OSError) as error:
        raise ServeError(
            f"{config.tls_cert} and {config.tls_key} are no certificate and its key: {error}"
        ) from error


def _collect_young() -> None:
    """Let the garbage collector look at what is new only, once and a little at a time.

    All clients wait while it looks, and it would look at every table for long. What becomes
    garbage in play is freed at once, without it; what sockets leave is :func:`sweep`'s.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(500, 1_000_000, 1_000_000)


async def sweep(app: Litestar) -> None:
    """Collect what closed sockets leave behind, once as many were closed as are open.

    What else there may be is collected every hour.
    """
    clock = asyncio.get_running_loop().time
    swept, closed_then = clock(), 0
    while True:
        await asyncio.sleep(SWEEP_SECONDS)
        is_open = app.state.sockets["open"]
        closed = app.state.hub.metrics.sockets - is_open
        enough = closed - closed_then >= max(SWEEP_SOCKETS, is_open)
        if enough or clock() - swept >= HOUR:
            swept, closed_then = clock(), closed
            gc.collect()


def _allow_many_files() -> None:
    """Let the process have as many sockets as the system permits."""
    if sys.platform != "win32":
        import resource  # noqa: PLC0415 - not on every system

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        most = OPEN_FILES if hard == resource.RLIM_INFINITY else min(hard, OPEN_FILES)
        if soft != resource.RLIM_INFINITY and soft < most:
            with contextlib.suppress(ValueError, OSError):
                resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
