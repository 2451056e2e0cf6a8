"""The settings of a server; every one has a sensible default."""

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
"""Listen on every network this machine is in."""


PARTS = ("play", "friend", "new", "pad", "club", "learn", "rules", "puzzle", "push")
"""What the page can leave out."""


class ConfigError(TriominoError):
    """A setting that does not exist or has an impossible value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """The settings of one server."""

    data: str
    """The database: a path, or a URL."""
    bus: str | None = None
    """Valkey or Redis, ``redis://host:6379``: several servers on one PostgreSQL database."""
    host: str = "127.0.0.1"
    """Where to listen. ``triomino serve`` uses :data:`EVERYWHERE` unless told otherwise."""
    port: int = 8020
    public_url: str | None = None
    """How browsers reach the server, if that is another address: ``https://game.example``."""
    allowed_hosts: str | None = None
    """More names of this server, separated by commas; ``*.club.example`` is all below one.

    Addresses and names that nobody can register, such as ``laptop.local``, need not be named.
    """
    proxy: str | None = None
    """The addresses of trusted proxies, separated by commas."""
    without: str | None = None
    """What the page does not offer, separated by commas; see :data:`PARTS`."""
    open: bool = False
    """Whether people who do not know each other meet here: profiles, and playing with strangers."""
    refused_words: Path | None = None
    """A file with words that names of profiles must not contain, one in a line."""
    tls_cert: Path | None = None
    tls_key: Path | None = None

    # Guard rails
    message_bytes: int = 4096
    body_bytes: int = 16_384
    http_per_minute: int = 1200
    """Requests from one address, but for files of the page; half of them at once."""
    files_per_minute: int = 6000
    """Files of the page; one that is not there counts as ten more."""
    hellos_per_minute: int = 600
    """Tables entered, or states asked for, on sockets from one address; then they wait."""
    reactions_per_minute: int = 120
    """Reactions from one address, and as many at one table."""
    hints_per_minute: int = 60
    seats_per_minute: int = 120
    """Seats taken, left and linked from one address."""
    tables_per_minute: int = 60
    pad_steps_per_minute: int = 600
    """Writing on live sheets; on a long one each time counts once more per hundred lines."""
    club_acts_per_minute: int = 240
    """What people and hosts do at club evenings; opening one counts five."""
    people_per_minute: int = 120
    """What people do with profiles, whom they mute, block and report; a download counts ten."""
    sign_ins_per_minute: int = 20
    """Links, recovery phrases, passkeys and host's keys that are tried from one address."""
    all_sign_ins_per_minute: int = 300
    """The same from everywhere."""
    messages_per_second: float = 20
    """Socket messages of one client; bursts of four times as many are allowed."""
    messages_per_address: float = 200
    """Socket messages per second of all clients of one address; then they wait."""
    sockets_per_address: int = 100
    listeners_per_table: int = 300
    """Clients at one table; who has a seat there always gets in."""
    connections: int = 10_000
    """Of all kinds, from everywhere; fewer if the system has fewer file handles."""
    connections_per_address: int = 400
    connections_per_second: float = 50
    """New ones from one address; bursts of four times as many are allowed."""
    request_seconds: float = 10
    """A request must have come in this time, but for a body that keeps coming."""
    tables_per_address: int = 100
    """Open or running tables that were set up from one address within a day."""
    record_bytes: int = 262_144
    """The size of a record to analyse; a match to 400 points has about 20,000."""
    analyses_per_hour: int = 30
    """Started from one address, half of them at once. Reading a stored one costs nothing."""
    pads_per_address: int = 200
    """Live sheets made from one address."""
    clubs_per_address: int = 20
    """Club evenings from one address at which something happened within a day."""
    idle_seconds: float = 90
    """After this silence a socket is closed; clients ping."""

    presence_seconds: float = 0.7
    """Between two messages to a table about who is connected."""
    reveal_seconds: float = 10
    """How long the deal waits for the seeds that devices committed to."""

    # Playing now with strangers
    play_turn_seconds: int = 45
    """For each turn of a match that the server arranges."""
    play_reserve_seconds: int = 120
    """What each person may spend beyond that in the whole match."""
    play_away_seconds: int = 60
    """After so long without a connection a bot plays on, and the match is lost."""
    come_seconds: float = 15
    """How long a new table waits for its people before the others wait for somebody else."""
    bots_after_seconds: float = 20
    """How long people wait before they are offered a bot."""
    waiting_per_address: int = 40
    """People of one address that wait at the same time."""

    # Telling people whose page is closed
    push_services: str = (
        "fcm.googleapis.com, updates.push.services.mozilla.com, *.push.apple.com,"
        " *.notify.windows.com"
    )
    """The services that messages are sent to, separated by commas; empty tells nobody."""
    push_contact: str | None = None
    """How a push service reaches the host: ``mailto:`` or an https address, as ``public_url`` is.
    """
    pushes_per_address: int = 200
    """Devices of one address that are told."""

    # Bots
    bots_at_once: int = 2
    hints_at_once: int = 1
    """Hints that are searched at the same time, beside the bots."""
    bot_pause: float = 0.6
    """Seconds that a bot takes for a move at the pace ``quick``; the others are multiples of it. At
    0 it moves as soon as it has chosen, which tells whether it had a choice."""

    # Analyses
    analyses_at_once: int = 1
    """Each is a process of its own at low priority; 0 disables analyses."""

    # Retention, in days since the last event of a table
    keep_open: float = 2
    """Tables that were never started; ``inf`` is for ever."""
    keep_unfinished: float = 60
    keep_finished: float = 365
    keep_pads: float = 30
    """Live sheets; the phone that writes keeps its own copy."""
    keep_clubs: float = 365
    """Club evenings, with their standings."""
    keep_analyses: float = 30
    """Analyses of records; those of tables are kept as long as the table."""
    keep_pushes: float = 90
    """Devices that are told although their page was not opened since."""
    archive: Path | None = None
    """A folder for the records of deleted matches."""

    # Running
    tables_in_memory: int = 2000
    """Tables that stay in memory although nobody is connected."""
    look_seconds: float = 2
    """How often to look for changes made from the command line; 0 is never."""
    stop_seconds: int = 10
    """How long to wait for running requests when the server stops."""

    def __post_init__(self) -> None:
        for item in fields(self):
            value = getattr(self, item.name)
            most = math.inf if item.name.startswith("keep_") else sys.float_info.max
            if isinstance(value, int | float) and not 0 <= value <= most:
                raise ConfigError(f"{item.name}: {value} is no number from 0 on")
            least = _LEAST.get(item.name, 0)
            if least and value < least:
                raise ConfigError(f"{item.name}: {value} is too little; {least} is the least")
        if self.port > 65535:
            raise ConfigError(f"port: {self.port} is no port; they go up to 65535")
        if (self.tls_cert is None) != (self.tls_key is None):
            raise ConfigError("tls_cert and tls_key go together; one of them is missing")
        if self.public_url is not None:
            _check_url(self.public_url)
        if self.bus is not None:
            _check_bus(self.bus, self.data)
        if self.push_contact is not None and not self.push_contact.startswith(_CONTACTS):
            raise ConfigError("push_contact: it begins with mailto: or https://")
        for part in self.parts_left_out:
            if part not in PARTS:
                raise ConfigError(f"without: unknown part {part!r}; {nearest(part, PARTS)}")

    @property
    def parts_left_out(self) -> list[str]:
        """What the page does not offer."""
        return [part.strip() for part in (self.without or "").split(",") if part.strip()]

    @property
    def is_https(self) -> bool:
        """Whether browsers use https."""
        return self.tls_cert is not None or (self.public_url or "").startswith("https://")


_CONTACTS = ("mailto:", "https://")

_AT_LEAST_ONE = {
    "message_bytes",
    "body_bytes",
    "bots_at_once",
    "http_per_minute",
    "tables_in_memory",
    "hints_at_once",
    "connections",
}

_LEAST = {
    **dict.fromkeys(_AT_LEAST_ONE, 1),
    "play_turn_seconds": 5,
    "play_away_seconds": 5,
}


def _check_url(url: str) -> None:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.netloc or parts.path not in ("", "/"):
        raise ConfigError(f"public_url: {url!r} is no address like https://game.example")


def _check_bus(bus: str, data: str) -> None:
    if urlsplit(bus).scheme not in ("redis", "rediss", "valkey", "valkeys", "unix"):
        raise ConfigError(f"bus: {bus!r} is no address like redis://host:6379")
    if not data.startswith("postgres"):
        raise ConfigError("bus: several servers need one database: data=postgresql://host/name")


def read_config(
    file: Path | None = None,
    settings: Iterable[str] = (),
    options: Mapping[str, object] | None = None,
) -> Config:
    """Read settings from a TOML file, then ``name=value`` texts, then options by name.

    Later ones replace earlier ones; unknown names and wrong values raise ``ConfigError``.

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
    """The database that *data* names: a URL, a file, or a folder; ``None`` is the default."""
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


def _read_values(table: Mapping[str, object], source: str) -> dict[str, Any]:
    return {name: _read_value(name, value, source) for name, value in table.items()}


def _read_value(name: str, value: object, source: str) -> Any:
    if name not in _TYPES:
        raise ConfigError(f"{source}unknown setting {name!r}; {nearest(name, _TYPES)}")
    try:
        return msgspec.convert(value, type=_TYPES[name], dec_hook=_read_path)
    except msgspec.ValidationError as error:
        raise ConfigError(f"{source}{name}: {str(error).replace('`', '')}") from error


_TYPES = get_type_hints(Config)


def _read_path(kind: type, value: object) -> Path:
    if kind is Path and isinstance(value, str) and value:
        return Path(value).expanduser()
    raise TypeError("Expected a path")


def _value(text: str) -> object:
    """A value from the command line: parsed as TOML, or else the text itself."""
    try:
        table = tomllib.loads(f"value = {text}")
    except (tomllib.TOMLDecodeError, RecursionError):
        return text
    return table["value"] if len(table) == 1 else text
