"""The server's log: events with facts, and never a secret.

A fact is a number or a short public text: a route, a status, a table's id. No device or seat
secret, no seed, no rack and no move may be passed to :func:`note`.
"""

from __future__ import annotations

import json
import logging
import sys
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import TextIO

log = logging.getLogger("triomino.server")

Fact = str | int | float | None


def note(event: str, /, **facts: Fact) -> None:
    """Log an event that the host may want to know."""
    if log.isEnabledFor(logging.INFO):
        log.info(event, extra={"facts": facts})


def detail(event: str, /, **facts: Fact) -> None:
    """Log an event that only matters when searching for a fault."""
    if log.isEnabledFor(logging.DEBUG):
        log.debug(event, extra={"facts": facts})


_last: dict[str, float] = {}


def seldom(what: str, seconds: float = 60.0) -> bool:
    """Whether to log *what*: the last time is long ago. For what a client can cause at will."""
    now = time.monotonic()
    if what in _last and now - _last[what] < seconds:
        return False
    _last[what] = now
    return True


def _facts(record: logging.LogRecord) -> dict[str, Fact]:
    facts: dict[str, Fact] = getattr(record, "facts", {})
    return {name: value for name, value in facts.items() if value is not None}


class JsonLines(logging.Formatter):
    """One JSON object per line."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line for a record."""
        at = datetime.fromtimestamp(record.created, UTC)
        line: dict[str, Fact] = {
            "at": at.isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "event": record.getMessage(),
            **_facts(record),
        }
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)


class Readable(logging.Formatter):
    """A line for people: the time, the event and its facts."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line for a record, with the traceback of an error below it."""
        at = datetime.fromtimestamp(record.created).astimezone()
        level = "" if record.levelno <= logging.INFO else f"{record.levelname.lower()}: "
        facts = "".join(f" {name}={_word(value)}" for name, value in _facts(record).items())
        text = f"{at:%Y-%m-%d %H:%M:%S} {level}{record.getMessage()}{facts}"
        return f"{text}\n{self.formatException(record.exc_info)}" if record.exc_info else text


def _word(value: Fact) -> Fact:
    """A fact in a form that cannot be mistaken for another one, whoever wrote it."""
    plain = not isinstance(value, str) or (value.isprintable() and " " not in value)
    return value if plain else repr(value)


_CAUSED_BY_CLIENTS = frozenset(
    {
        "Invalid UTF-8 sequence received from client.",
        "Invalid HTTP request received.",
        "Unsupported upgrade request.",
    }
)


class _NoTraceback(logging.Filter):
    """Drops tracebacks of mistakes that are the client's, and logs them as warnings, seldom."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.msg in _CAUSED_BY_CLIENTS and not seldom(str(record.msg), 10.0):
            return False
        if record.msg == "Invalid UTF-8 sequence received from client.":
            record.exc_info = record.exc_text = None
            record.levelno, record.levelname = logging.WARNING, "WARNING"
        return True


def set_up(
    *,
    as_json: bool = False,
    verbose: bool = False,
    quiet: bool = False,
    stream: TextIO | None = None,
) -> None:
    """Send all logs to one stream, standard error by default, in one format.

    Other libraries log from warnings on, and so does the server if *quiet*.
    """
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonLines() if as_json else Readable())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    log.setLevel(logging.DEBUG if verbose else logging.WARNING if quiet else logging.INFO)
    for name in ("uvicorn", "uvicorn.error", "alembic", "litestar", "sqlalchemy"):
        other = logging.getLogger(name)
        other.handlers.clear()
        other.propagate = True
        other.setLevel(logging.WARNING)
    logging.getLogger("uvicorn.error").addFilter(_NoTraceback())
