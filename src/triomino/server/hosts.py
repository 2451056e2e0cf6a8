"""Under which names the server may be asked, and from which pages.

A page of somebody else can have its own name lead to this machine ("DNS rebinding"); the browser
then believes that it talks to that page's server. The ``Host`` header still has the foreign name,
so only names are served that nobody else can own, and those that the host has configured.
"""

from __future__ import annotations

import socket
from functools import lru_cache
from ipaddress import ip_address
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from triomino.server.config import Config

PRIVATE: Final = tuple(
    f".{ending}"
    for ending in ("local", "localhost", "lan", "home", "home.arpa", "internal", "localdomain")
)
"""Endings that nobody can register: names under them belong to the network at hand."""


def split_host(host: str) -> tuple[str, str] | None:
    """A ``Host`` header as name and port, both in lower case; ``None`` if it is no host.

    >>> split_host("Game.Example:8020"), split_host("[::1]:80"), split_host("a/b")
    (('game.example', '8020'), ('::1', '80'), None)
    """
    name, port = host.lower(), ""
    if name.startswith("["):
        name, bracket, rest = name[1:].partition("]")
        if not bracket or (rest and not rest.startswith(":")):
            return None
        port = rest[1:]
    elif ":" in name:
        name, _, port = name.partition(":")
    odd = not name or len(name) > 253 or (port and not (port.isascii() and port.isdigit()))
    if odd or not all(c.isascii() and (c.isalnum() or c in "-._:%") for c in name):
        return None
    return name.rstrip("."), port


class Hosts:
    """The names under which this server may be asked."""

    def __init__(self, config: Config) -> None:
        configured = {name.strip().lower() for name in (config.allowed_hosts or "").split(",")}
        if config.public_url is not None:
            configured.add(urlsplit(config.public_url).hostname or "")
        self._names = configured - {""}
        self._own = socket.gethostname().lower()
        self._public = urlsplit(config.public_url or "")
        self.allows = lru_cache(maxsize=1024)(self._allows)
        """Whether requests with this ``Host`` header are served."""

    def _is_configured(self, name: str) -> bool:
        if name in self._names:
            return True
        _, _, parent = name.partition(".")
        return f"*.{parent}" in self._names

    def _allows(self, host: str | None) -> bool:
        if host is None:  # not from a browser
            return True
        found = split_host(host)
        if found is None:
            return False
        name = found[0]
        if self._is_configured(name) or name == self._own or "." not in name:
            return True
        try:
            ip_address(name)
        except ValueError:
            return name.endswith(PRIVATE)
        return True

    def allows_origin(self, origin: str | None, host: str | None) -> bool:
        """Whether a page from *origin* may ask: our own, at *host* or as configured, or none."""
        if origin is None:
            return True
        try:
            parts = urlsplit(origin)
            name = parts.hostname
        except ValueError:
            return False
        if parts.scheme not in ("http", "https") or not parts.netloc or "@" in parts.netloc:
            return False
        if parts.path or parts.query or parts.fragment:
            return False
        if self._public.netloc and parts.netloc == self._public.netloc:
            return True
        # A proxy may ask us under another name than the browser asked it.
        return parts.netloc == host or (name is not None and self._is_listed(name))

    def _is_listed(self, name: str) -> bool:
        return name != self._public.hostname and self._is_configured(name)

    def socket_origin(self, host: str | None, scheme: str) -> str | None:
        """The origin of the socket of a page at *host*, for its content security policy."""
        if host is None or split_host(host) is None:
            return None
        secure = scheme in ("https", "wss")
        if self._public.netloc == host:
            secure = self._public.scheme == "https"
        return f"{'wss' if secure else 'ws'}://{host}"
