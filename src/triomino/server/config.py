"""How a server is set up; every value has a sensible default."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """The settings of one server."""

    data: str
    """The database: a path, or a URL."""
    host: str = "127.0.0.1"
    port: int = 8020
    public_url: str | None = None
    """How browsers reach the server, where that differs: ``https://game.example``."""
    proxy: str | None = None
    """The addresses of proxies whose forwarded headers are believed."""
    tls_cert: Path | None = None
    tls_key: Path | None = None

    # Guard rails
    message_bytes: int = 4096
    body_bytes: int = 16_384
    http_per_minute: int = 240
    """Requests of one address."""
    messages_per_second: float = 20
    """Socket messages of one client, in the long run; short bursts of four times as many pass."""
    sockets_per_address: int = 100
    tables_per_address: int = 40
    """Tables that are open or playing, set up from one address."""
    idle_seconds: float = 90
    """A socket that says nothing for so long is closed; clients ping."""

    # Bots
    bots_at_once: int = 2
    bot_pause: float = 0.6
    """Seconds a bot waits before it moves, so that people can follow."""

    # Retention, in days
    keep_open: float = 2
    """Tables that nobody started."""
    keep_unfinished: float = 60
    keep_finished: float = 365

    @property
    def is_https(self) -> bool:
        """Whether browsers reach the server by https."""
        return self.tls_cert is not None or (self.public_url or "").startswith("https://")


def data_folder() -> Path:
    """Where a user's data lies: ``TRIOMINO_DATA``, or the place this system keeps such things."""
    if chosen := os.environ.get("TRIOMINO_DATA"):
        return Path(chosen)
    if sys.platform == "win32":
        return Path(os.environ.get("APPDATA", Path.home())) / "triomino"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "triomino"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "triomino"
