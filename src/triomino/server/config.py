"""How a server is set up; every value has a sensible default."""

from __future__ import annotations

import math
import sys
import tomllib
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_type_hints
from urllib.parse import urlsplit

import msgspec

from triomino.errors import TriominoError, nearest
from triomino.store.folder import data_folder

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

DATABASE = "tables.db"
"""The file in the data folder."""

EVERYWHERE = "0.0.0.0"  # noqa: S104 - the phones of a family are to reach it
"""On every network this machine is in."""


class ConfigError(TriominoError):
    """A setting that does not exist or cannot be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """The settings of one server."""

    data: str
    """The database: a path, or a URL."""
    host: str = "127.0.0.1"
    """Where to listen. ``triomino serve`` says :data:`EVERYWHERE` where nothing else is said."""
    port: int = 8020
    public_url: str | None = None
    """How browsers reach the server, where that differs: ``https://game.example``."""
    proxy: str | None = None
    """The addresses of proxies whose forwarded headers are believed, separated by commas."""
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
    record_bytes: int = 262_144
    """Of a record that is sent to be analysed; a match to 400 points has about 20,000."""
    analyses_per_hour: int = 30
    """Begun from one address; half of it at once. Asking for one that is there costs nothing."""
    pads_per_address: int = 200
    """Live sheets that were begun from one address."""
    idle_seconds: float = 90
    """A socket that says nothing for so long is closed; clients ping."""

    # Bots
    bots_at_once: int = 2
    bot_pause: float = 0.6
    """Seconds a bot waits before it moves, so that people can follow."""

    # Analyses
    analyses_at_once: int = 1
    """Each is a process of its own that lets all others go first; 0: there are none."""

    # Retention, in days since something last happened at a table
    keep_open: float = 2
    """Tables that nobody started; ``inf`` is for ever."""
    keep_unfinished: float = 60
    keep_finished: float = 365
    keep_pads: float = 30
    """Live sheets; the phone that writes has its own."""
    keep_analyses: float = 30
    """What was found of records from elsewhere; that of a table stays as long as the table."""
    archive: Path | None = None
    """A folder for the records of matches that are deleted."""

    # Running
    tables_in_memory: int = 2000
    """Tables that stay in memory although nobody is there."""
    look_seconds: float = 2
    """How often to look for what the host changed from the command line; 0 is never."""
    stop_seconds: int = 10
    """How long requests may take to finish when the server stops."""

    def __post_init__(self) -> None:
        for item in fields(self):
            value = getattr(self, item.name)
            most = math.inf if item.name.startswith("keep_") else sys.float_info.max
            if isinstance(value, int | float) and not 0 <= value <= most:
                raise ConfigError(f"{item.name}: {value} is no number from 0 on")
            if item.name in _AT_LEAST_ONE and value < 1:
                raise ConfigError(f"{item.name}: {value} is too little; 1 is the least")
        if self.port > 65535:
            raise ConfigError(f"port: {self.port} is no port; they go up to 65535")
        if (self.tls_cert is None) != (self.tls_key is None):
            raise ConfigError("tls_cert and tls_key go together; one of them is missing")
        if self.public_url is not None:
            _check_url(self.public_url)

    @property
    def is_https(self) -> bool:
        """Whether browsers reach the server by https."""
        return self.tls_cert is not None or (self.public_url or "").startswith("https://")


_AT_LEAST_ONE = {
    "message_bytes",
    "body_bytes",
    "bots_at_once",
    "http_per_minute",
    "tables_in_memory",
}


def _check_url(url: str) -> None:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.netloc or parts.path not in ("", "/"):
        raise ConfigError(f"public_url: {url!r} is no address like https://game.example")


def read_config(
    file: Path | None = None,
    settings: Iterable[str] = (),
    options: Mapping[str, object] | None = None,
) -> Config:
    """A server's settings: from a TOML file, then ``name=value`` texts, then options by name.

    A later one changes an earlier one; unknown names and wrong values are refused.

    >>> read_config(settings=["port=9000"], options={"data": "x.db"}).port
    9000
    """
    values: dict[str, Any] = {}
    if file is not None:
        values |= _read_toml(file)
    for setting in settings:
        name, equals, text = setting.partition("=")
        if not equals:
            raise ConfigError(f"{setting!r} is no setting; write one like http_per_minute=600")
        values |= _read_values({name.strip(): _value(text.strip())}, "")
    values |= _read_values(options or {}, "")
    values["data"] = locate(values.get("data"))
    values.setdefault("host", EVERYWHERE)
    return Config(**values)


def locate(data: str | None = None) -> str:
    """The database: a URL as it is, a file, the file in a folder; ``None`` is the user's own."""
    if data is None:
        return str(data_folder() / DATABASE)
    if "://" in data:
        return data
    path = Path(data).expanduser()
    return str(path / DATABASE if path.is_dir() else path)


def _read_toml(file: Path) -> dict[str, Any]:
    try:
        table = tomllib.loads(file.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ConfigError(f"{file} is no TOML: {error}") from error
    return _read_values(table, f"{file}: ")


def _read_values(table: Mapping[str, object], place: str) -> dict[str, Any]:
    return {name: _read_value(name, value, place) for name, value in table.items()}


def _read_value(name: str, value: object, place: str) -> Any:
    if name not in _TYPES:
        raise ConfigError(f"{place}unknown setting {name!r}; {nearest(name, _TYPES)}")
    try:
        return msgspec.convert(value, type=_TYPES[name], dec_hook=_read_path)
    except msgspec.ValidationError as error:
        raise ConfigError(f"{place}{name}: {str(error).replace('`', '')}") from error


_TYPES = get_type_hints(Config)


def _read_path(kind: type, value: object) -> Path:
    if kind is Path and isinstance(value, str) and value:
        return Path(value).expanduser()
    raise TypeError("Expected a path")


def _value(text: str) -> object:
    """A value of the command line: as TOML where it is TOML, else as it stands."""
    try:
        table = tomllib.loads(f"value = {text}")
    except (tomllib.TOMLDecodeError, RecursionError):
        return text
    return table["value"] if len(table) == 1 else text
