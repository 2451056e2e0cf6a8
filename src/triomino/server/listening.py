"""Where a server listens, and the addresses at which people reach it."""

from __future__ import annotations

import errno
import socket
import ssl
from dataclasses import dataclass
from ipaddress import ip_address
from typing import TYPE_CHECKING

from triomino.errors import TriominoError

if TYPE_CHECKING:
    from triomino.server.config import Config


class ServeError(TriominoError):
    """The server cannot be started."""


@dataclass(frozen=True, slots=True)
class Listening:
    """The addresses of a running server."""

    here: str
    """The address on this machine."""
    others: str | None
    """The address for phones and other machines; ``None`` if they cannot reach it."""
    port: int
    host_key: str | None = None
    """The key of the host's page, if it was just made."""


def listen(config: Config) -> socket.socket:
    """Open the listening socket; a port that is taken is an error that says what to do."""
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
    # Send small messages at once. asyncio sets this only for sockets whose protocol is named;
    # connections inherit it from their listener.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener


def addresses(config: Config, port: int) -> Listening:
    """The addresses of a server on *port*, for this machine and for others."""
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
    """Whether a host name or address is this machine's loopback."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def own_address() -> str | None:
    """The address of this machine in its network, or ``None`` if it is in none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # No packet is sent: the system only chooses a route.
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        host: str = probe.getsockname()[0]
    return None if is_loopback(host) or host == "0.0.0.0" else host  # noqa: S104


def check_tls(config: Config) -> None:
    """Raise for a certificate or key that cannot be used, before anything is opened."""
    if config.tls_cert is None or config.tls_key is None:
        return
    for path in (config.tls_cert, config.tls_key):
        path.open("rb").close()  # an error that names the file
    try:
        # With a password given, OpenSSL does not ask for one at the terminal.
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(
            config.tls_cert, config.tls_key, password=""
        )
    except (ssl.SSLError, OSError) as error:
        raise ServeError(
            f"{config.tls_cert} and {config.tls_key} are no certificate and its key: {error}"
        ) from error
