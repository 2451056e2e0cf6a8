"""How often to write while much comes: a transaction costs as much as several events in it."""

from __future__ import annotations

from typing import Final

TOGETHER: Final = 10
"""Events that a transaction should have while there is much to write."""

BUSY: Final = 300.0
"""Events per second from which on it is worth waiting for more; below, nobody waits. From twice as
many on the wait is as long as it may be."""

SMOOTH_SECONDS: Final = 0.1
"""Over which the rate of events is measured."""


class Pace:
    """Measures how fast events come, and says when to write next.

    >>> pace = Pace(0.01)
    >>> [pace.gap(2, step / 100) for step in range(1, 100)][-1]  # 200 events a second
    0.0
    >>> [pace.gap(8, 1 + step / 100) for step in range(100)][-1]  # 800
    0.01
    >>> round([pace.gap(40, 2 + step / 100) for step in range(100)][-1], 4)  # 4,000
    0.0025
    """

    def __init__(self, most: float) -> None:
        self._most = most
        """Seconds between the beginnings of two transactions, at most."""
        self._rate = self._since = 0.0

    def gap(self, count: int, now: float) -> float:
        """Seconds to leave from *now*, when *count* events are taken, until more are taken."""
        passed = max(now - self._since, 0.0001)
        self._since = now
        share = min(1.0, passed / SMOOTH_SECONDS)
        self._rate += share * (count / passed - self._rate)
        if self._rate <= BUSY:
            return 0.0
        return min(self._most, self._most * (self._rate / BUSY - 1), TOGETHER / self._rate)
