"""Work for several processes, with the results in their order."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections import deque
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from triomino.errors import TriominoError

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator

Task = TypeVar("Task")
Done = TypeVar("Done")


def default_jobs() -> int:
    """The cores this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def in_order(
    work: Callable[[Task, int], Done], task: Task, numbers: range, processes: int
) -> Generator[Done, None, None]:
    """``work(task, number)`` for every number, in order, whatever the number of processes."""
    if processes < 2:
        yield from (work(task, number) for number in numbers)
        return
    # Not a fork: a bar may be drawn by a thread of ours.
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(processes, context, initializer=_leave_interrupts_to_the_parent)
    waiting: deque[Future[Done]] = deque()
    try:
        for number in numbers:
            with _interrupts_wait():
                waiting.append(pool.submit(work, task, number))
            if len(waiting) > 8 * processes:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    except BrokenExecutor:
        raise TriominoError("a process that played matches has died; try --jobs 1") from None
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


@contextmanager
def _interrupts_wait() -> Iterator[None]:
    """A process begun here hears no interrupt before it can say that it leaves them to us."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _leave_interrupts_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
