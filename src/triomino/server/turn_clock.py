"""The clock of a turn. It cannot be set, so that a wrong or corrected date ends nobody's turn."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from triomino.server.table import Table

GRACE = 10_000
"""Milliseconds that a turn has left at least when its table is loaded: how long the server was
down is known from the date only, which may be wrong."""


def runs(table: Table) -> bool:
    """Whether a person is to move and the match not paused, so that time counts."""
    if table.state != "playing" or table.paused is not None or table.game.over:
        return False
    return not table.chairs[table.game.turn].bot


@dataclass(slots=True)
class TurnClock:
    """Measures the current turn of a table. It belongs to the turn, whoever sits there."""

    steady: Callable[[], float] = time.monotonic
    """Seconds since some moment; never set, never going back."""
    _turn: int = -1
    _began: int = 0
    _held: int | None = None
    """What had passed of the turn when the match was paused."""

    def now(self) -> int:
        """Milliseconds on this clock."""
        return int(self.steady() * 1000)

    def resume(self, table: Table, date: int) -> None:
        """Go on with the turn of a table that was loaded at a *date*, as far as its log tells."""
        spent = table.turn_spent + max(0, date - table.turn_began)
        if table.options.clock_seconds is not None:
            most = self._limit(table) - GRACE
            spent = max(table.turn_spent, min(spent, most))
        self._turn, self._began = table.turn_id, self.now() - spent
        self._held = None if table.paused is None else table.turn_spent

    def follow(self, table: Table) -> None:
        """Begin anew if the table has come to another turn, and stand still in a pause."""
        was_held = self._held is not None
        self._held = None if table.paused is None else table.turn_spent
        if self._turn != table.turn_id or (was_held and self._held is None):
            self._turn, self._began = table.turn_id, self.now() - table.turn_spent

    def spent(self) -> int:
        """Milliseconds since the turn began, without pauses."""
        return self.now() - self._began if self._held is None else self._held

    def remaining(self, table: Table) -> int | None:
        """Milliseconds that the person to move has left; ``None`` if time does not count."""
        if table.options.clock_seconds is None or not runs(table):
            return None
        return max(0, self._limit(table) - self.spent())

    def is_up(self, table: Table) -> bool:
        """Whether the time of the current turn has run out, whoever plays it."""
        return table.options.clock_seconds is not None and self.spent() >= self._limit(table)

    @staticmethod
    def _limit(table: Table) -> int:
        limit = None if table.match is None else table.turn_limit()
        return 1000 * (table.options.clock_seconds or 0) if limit is None else limit
