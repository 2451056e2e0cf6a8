"""How long people wait for somebody who is away, and what they may do then."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from triomino.protocol.api import TableOptions

STAND_IN_AFTER: Final = 60
"""Seconds of absence after which anybody who waits may let a bot play."""
END_AFTER: Final = 600
"""Seconds of absence after which those who wait may end the match, at least."""
SLOW: Final = 3600
"""From this away time on, people have agreed to play slowly: nothing happens before it."""
REMIND_AGAIN: Final = 20_000
"""Milliseconds between two reminders of the same person."""


def stand_in_after(options: TableOptions) -> int:
    """Seconds of absence after which a bot may be asked to play for somebody."""
    away = options.away_seconds
    if away is None:
        return STAND_IN_AFTER
    return away if away >= SLOW else min(STAND_IN_AFTER, away)


def end_after(options: TableOptions) -> int:
    """Seconds of absence after which a match may be ended without a winner."""
    return max(END_AFTER, options.away_seconds or 0)
