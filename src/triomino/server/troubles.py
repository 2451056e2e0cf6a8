"""What is wrong with a running server: logged once in a line, and told by ``/health``."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import TYPE_CHECKING

from triomino.store.failure import StoreError, public_reason

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from triomino.server.metrics import Metrics

log = logging.getLogger("triomino.server")

AGAIN_SECONDS = 60.0
"""After which the same failure of the database is logged once more."""

TICK_SECONDS = 0.25
"""How often the delay of the event loop is measured."""

WINDOW_SECONDS = 60.0
"""How long the longest delay is remembered."""


def unavailable(error: StoreError) -> str:
    """What clients are told when the database fails."""
    return f"the database cannot be used now: {public_reason(error)}"


class Troubles:
    """Failures of the database, the delay of the event loop, and what else a host should know."""

    def __init__(self) -> None:
        self.noted: dict[str, str] = {}
        """Other problems by their code, such as a cleaning that was refused; for ``/health``."""
        self._logged: tuple[str, float] = ("", 0.0)
        self._delays: list[tuple[float, float]] = []

    def log_failure(self, error: StoreError) -> None:
        """Log in one line that the database failed; the same reason at most once a minute."""
        reason, now = str(error), time.monotonic()
        known, at = self._logged
        if reason != known or now - at >= AGAIN_SECONDS:
            self._logged = reason, now
            log.error("the database failed: %s", reason)

    async def watch(self, work: Coroutine[None, None, None], metrics: Metrics) -> None:
        """Await *work*; an exception is logged and counted instead of raised."""
        try:
            await work
        except asyncio.CancelledError:
            raise
        except StoreError as error:
            metrics.errors += 1
            self.log_failure(error)
        except Exception:
            metrics.errors += 1
            log.exception("something went wrong at a table")

    # --- The event loop --------------------------------------------------------------------------

    async def measure_delay(self) -> None:
        """Measure how late the event loop is, for ever."""
        clock = time.monotonic
        while True:
            due = clock() + TICK_SECONDS
            await asyncio.sleep(TICK_SECONDS)
            self.add_delay(max(0.0, clock() - due), clock())

    def add_delay(self, seconds: float, now: float) -> None:
        """Remember a delay, unless a longer one has come since the last minute began."""
        while self._delays and self._delays[-1][1] <= seconds:
            self._delays.pop()
        self._delays.append((now, seconds))
        while self._delays[0][0] < now - WINDOW_SECONDS:
            self._delays.pop(0)

    @property
    def delay(self) -> float:
        """The longest delay of the last minute, in seconds."""
        return self._delays[0][1] if self._delays else 0.0
