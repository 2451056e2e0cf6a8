"""Slots for heavy work, shared fairly: those who wait take turns by key, not by number."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import threading
from collections import OrderedDict, deque
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

Waiter = tuple["asyncio.Future[None]", object]


NICENESS: Final = 5
"""Of the threads in which heavy work is done."""


def background_threads(count: int) -> ThreadPoolExecutor:
    """Threads that run when those that serve people have nothing to do, where that is possible."""
    return ThreadPoolExecutor(count, "background", initializer=_come_last)


def _come_last() -> None:
    if sys.platform == "linux":  # elsewhere a thread has no priority of its own
        me = threading.get_native_id()
        with contextlib.suppress(OSError):
            # A server that was started to come last stays there, whoever runs it.
            os.setpriority(os.PRIO_PROCESS, me, max(NICENESS, os.getpriority(os.PRIO_PROCESS, me)))


class FairSlots:
    """As many pieces of work at a time as there are slots.

    Every key that waits gets the next free slot in turn, whoever asked first and however often:
    one address with a hundred requests delays another by one of them.
    """

    def __init__(self, count: int) -> None:
        self._free = count
        self._waiting: OrderedDict[str, deque[Waiter]] = OrderedDict()

    def waiting(self, key: str | None = None) -> int:
        """How many wait, in all or for one key."""
        if key is not None:
            return len(self._waiting.get(key, ()))
        return sum(map(len, self._waiting.values()))

    def order(self) -> list[object]:
        """The labels of those who wait, in the order in which their turn will come."""
        queues = [list(queue) for queue in self._waiting.values()]
        longest = max(map(len, queues), default=0)
        return [queue[n][1] for n in range(longest) for queue in queues if n < len(queue)]

    @asynccontextmanager
    async def held(self, key: str, label: object = None) -> AsyncIterator[None]:
        """Hold a slot during the block."""
        await self._acquire(key, label)
        try:
            yield
        finally:
            self._release()

    async def _acquire(self, key: str, label: object) -> None:
        if self._free > 0:
            self._free -= 1
            return
        waiter: Waiter = (asyncio.get_running_loop().create_future(), label)
        self._waiting.setdefault(key, deque()).append(waiter)
        try:
            await waiter[0]
        except asyncio.CancelledError:
            if waiter[0].done() and not waiter[0].cancelled():
                self._release()  # it had just been given a slot
            else:
                self._forget(key, waiter)
            raise

    def _forget(self, key: str, waiter: Waiter) -> None:
        queue = self._waiting[key]
        queue.remove(waiter)
        if not queue:
            del self._waiting[key]

    def _release(self) -> None:
        if not self._waiting:
            self._free += 1
            return
        key, queue = self._waiting.popitem(last=False)
        future, _ = queue.popleft()
        if queue:
            self._waiting[key] = queue  # at the end: the others first
        future.set_result(None)
