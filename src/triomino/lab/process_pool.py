"""Work spread over processes, with the results in order."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections import deque
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from triomino.errors import TriominoError
from triomino.lab.cluster import in_order as on_cluster

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator

Task = TypeVar("Task")
Done = TypeVar("Done")


def default_jobs() -> int:
    """Return the number of cores this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def in_order(
    work: Callable[[Task, int], Done],
    task: Task,
    numbers: range,
    processes: int,
    cluster: str | None = None,
) -> Generator[Done, None, None]:
    """Yield ``work(task, number)`` for every number, in order; one process means this one.

    With *cluster*, the address of a Ray cluster, its machines do the work instead.
    """
    if cluster is not None:
        yield from on_cluster(work, task, numbers, cluster)
        return
    if processes < 2:
        yield from (work(task, number) for number in numbers)
        return
    # Spawn, not fork: a thread of ours may be drawing a progress bar.
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(processes, context, initializer=_ignore_interrupts)
    waiting: deque[Future[Done]] = deque()
    try:
        for number in numbers:
            with _interrupts_blocked():
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
def _interrupts_blocked() -> Iterator[None]:
    """Block interrupts, so that a process started here gets none before it ignores them."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _ignore_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
