"""Whether the date can be believed, before anything is deleted because of it.

A machine may start with a wrong date, and a date may be set. So retention counts only time that was
witnessed: up to the newest thing that was stored when the server started, and since then by a clock
that cannot be set.
"""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from triomino.errors import TriominoError

if TYPE_CHECKING:
    from collections.abc import Callable

    from triomino.store.log import EventLog

HOUR: Final = 3600 * 1000
"""Milliseconds; a date that is off by less is believed."""

DAY: Final = 24 * HOUR
"""Milliseconds."""

MOST_IDLE: Final = 30 * DAY
"""How long nothing may have been stored for the date to be believed without a running server."""


class ImplausibleDate(TriominoError):  # noqa: N818 - it names what was found
    """Nothing may be deleted because of this date."""


class Calendar:
    """The date of a running server, as far as it was witnessed."""

    def __init__(
        self, date: Callable[[], int], steady: Callable[[], float] = time.monotonic
    ) -> None:
        self._date, self._steady = date, steady
        self._began, self._started = date(), steady()
        self._newest: int | None = None
        self._has_looked = False

    async def look(self, events: EventLog) -> None:
        """Note what is the newest thing stored; done once, before the server stores anything."""
        if not self._has_looked:
            self._newest, self._has_looked = await events.newest(), True

    def today(self) -> int:
        """The witnessed date, which may be behind; raise :class:`ImplausibleDate`."""
        now, elapsed = self._date(), int((self._steady() - self._started) * 1000)
        if abs(now - self._began - elapsed) > HOUR:
            raise ImplausibleDate(
                f"the date was set from {_day(self._began + elapsed)} to {_day(now)} while the "
                "server was running; if it is right now, restart the server"
            )
        _check_behind(self._newest, now)
        return now if self._newest is None else min(now, self._newest + elapsed)


async def check_date(events: EventLog, now: int) -> None:
    """Raise :class:`ImplausibleDate` if *now* is before or long after all that is stored."""
    newest = await events.newest()
    _check_behind(newest, now)
    if newest is not None and now > newest + MOST_IDLE:
        raise ImplausibleDate(
            f"the newest thing in this database is of {_day(newest)}, and today is said to be "
            f"{_day(now)}; if that is right, say so with --date-is-right"
        )


def _check_behind(newest: int | None, now: int) -> None:
    if newest is not None and now < newest - HOUR:
        raise ImplausibleDate(
            f"today is said to be {_day(now)}, but something was stored on {_day(newest)}"
        )


def _day(at: int) -> str:
    try:
        return f"{datetime.fromtimestamp(at / 1000, UTC):%Y-%m-%d %H:%M}"
    except (ValueError, OverflowError, OSError):
        return f"{at} ms"
