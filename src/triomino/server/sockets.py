"""The open sockets of a server, counted in all and by address."""

from __future__ import annotations

from collections import Counter
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from triomino.server.metrics import Metrics


class Sockets:
    """Counts every socket, whatever it is for."""

    def __init__(self, most_per_address: int, metrics: Metrics) -> None:
        self._most, self._metrics = most_per_address, metrics
        self._by_address: Counter[str] = Counter()
        self.open = 0
        """How many are open."""

    @property
    def closed(self) -> int:
        """How many have been closed since the start."""
        return self._metrics.sockets - self.open

    def is_full(self, address: str) -> bool:
        """Whether an address has as many sockets as it may have."""
        return self._by_address[address] >= self._most

    @contextmanager
    def counted(self, address: str) -> Iterator[None]:
        """Count a socket of an address while it is open."""
        self._metrics.sockets += 1
        self.open += 1
        self._by_address[address] += 1
        try:
            yield
        finally:
            self.open -= 1
            self._by_address[address] -= 1
            if not self._by_address[address]:
                del self._by_address[address]
