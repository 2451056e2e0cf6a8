"""Work spread over the machines of a Ray cluster, with the results in order.

Every machine of the cluster needs the same version of triomino. A task that is lost with its
worker is done again. Ray is needed only here: ``pip install triomino[ray]``.
"""

from __future__ import annotations

from collections import deque
from contextlib import contextmanager, suppress
from importlib import import_module
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final, TypeVar

from triomino.errors import TriominoError

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator

Task = TypeVar("Task")
Done = TypeVar("Done")

SECONDS: Final = 2.0
"""How long a task of the cluster should take: long enough that its own cost, some milliseconds,
does not count."""
_AHEAD: Final = 2
"""Tasks waiting or running, for each processor of the cluster."""


def in_order(
    work: Callable[[Task, int], Done], task: Task, numbers: range, address: str
) -> Generator[Done, None, None]:
    """Yield ``work(task, number)`` for every number, in order, computed by a cluster.

    *address* is that of a running cluster, or ``auto`` for the one that this machine is part of.
    """
    with connected(address) as ray:
        run = ray.remote(max_retries=-1, num_cpus=1)(_run)
        # Once in the store of each machine, not in every task.
        shared = ray.put(task)
        most = _AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)))
        waiting: deque[Any] = deque()
        left, size = deque(numbers), 1
        try:
            while left or waiting:
                while left and len(waiting) < most:
                    part = [left.popleft() for _ in range(min(size, len(left)))]
                    waiting.append(run.remote(work, shared, part))
                results, seconds = ray.get(waiting[0])
                waiting.popleft()
                size = _next_size(size, seconds / len(results))
                yield from results
        except ray.exceptions.RayTaskError as error:
            cause = error.cause if isinstance(error.cause, TriominoError) else None
            raise cause or TriominoError(f"a task of the cluster failed: {error}") from None
        finally:
            for reference in waiting:
                with suppress(ray.exceptions.RayError):
                    ray.cancel(reference, force=True)


def _run(
    work: Callable[[Task, int], Done], task: Task, numbers: list[int]
) -> tuple[list[Done], float]:
    """Do some of the work, on a machine of the cluster."""
    start = perf_counter()
    return [work(task, number) for number in numbers], perf_counter() - start


def _next_size(size: int, seconds: float) -> int:
    """Return how many numbers make a task last, growing at most fourfold at a time."""
    return max(1, min(4 * size, round(SECONDS / max(seconds, 1e-9))))


@contextmanager
def connected(address: str) -> Iterator[Any]:
    """Connect to a cluster and leave it in the end; within another such block, use that one."""
    try:
        ray = import_module("ray")
    except ImportError:
        raise TriominoError("--cluster needs Ray: pip install triomino[ray]") from None
    if ray.is_initialized():
        yield ray
        return
    try:
        ray.init(address=address, log_to_driver=False, logging_level="ERROR")
    except (ConnectionError, ValueError, RuntimeError) as error:
        why = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise TriominoError(
            f"--cluster: no Ray cluster at {address} ({why}); start one with ray start --head"
        ) from None
    try:
        yield ray
    finally:
        ray.shutdown()
