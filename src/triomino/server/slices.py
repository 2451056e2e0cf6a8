"""Long work in the event loop, cut into pieces so short that nobody has to wait for it."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

SLICE = 0.001
"""Seconds after which others get their turn."""


class Slices:
    """Runs one piece of long work per round of the event loop, in turn for all who wait.

    A thread would not do better: it takes the interpreter's lock from the loop.
    """

    def __init__(self) -> None:
        self._turn = asyncio.Lock()
        self.run_so_far = 0
        """How many pieces have been run."""

    async def run(self, steps: Iterable[object]) -> None:
        """Take all *steps*, each of which should be short."""
        rest = iter(steps)
        while True:
            # The lock is fair: with long work of two tables, each gets every second piece.
            async with self._turn:
                self.run_so_far += 1
                until = time.perf_counter() + SLICE
                for _ in rest:
                    if time.perf_counter() >= until:
                        break
                else:
                    return
                await asyncio.sleep(0)
