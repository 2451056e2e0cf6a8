"""Work that is done once among several servers: who does it, what is left of it, how it went.

A job is known to all by a key in Valkey, which holds what is needed to do it. Whoever has its lease
does it; the others that were asked for it watch, and take over when that server is gone. Without a
bus there are no others.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Final

import msgspec
from msgspec import Struct

from triomino.server.bus import check_cancelled, is_of_bus
from triomino.server.leases import Leases

if TYPE_CHECKING:
    from collections.abc import Iterator

    from triomino.server.bus import Bus

JOB: Final = "triomino:job:"
PROGRESS: Final = "triomino:progress:"


class Progress(Struct, array_like=True):
    """How far a job is."""

    done: int = 0
    total: int = 0
    why: str | None = None
    """Why it cannot be done."""


_decode = msgspec.msgpack.Decoder(Progress).decode


class SharedJobs:
    """The jobs of all servers. What the bus cannot do now is left undone: nothing hangs on it."""

    def __init__(self, bus: Bus | None = None, leases: Leases | None = None) -> None:
        self._bus, self._leases = bus, leases or Leases(None)

    @property
    def are_shared(self) -> bool:
        """Whether there may be other servers."""
        return self._bus is not None

    def is_mine(self, job: str) -> bool:
        """Whether this server is to do a job; if not, it is asked again when that changes."""
        return self._leases.holds(job)

    async def offer(self, job: str, data: bytes, seconds: float) -> None:
        """Tell all servers of a job, for some time."""
        with self._bus_errors():
            if self._bus is not None:
                await self._bus.client.delete(PROGRESS + job)  # of the last time
                await self._bus.client.set(JOB + job, data, ex=int(seconds))

    async def find(self, job: str) -> bytes | None:
        """What is needed for a job that somebody does or did not finish."""
        with self._bus_errors():
            if self._bus is not None and self._bus.is_up:
                found: bytes | None = await self._bus.client.get(JOB + job)
                return found
        return None

    async def tell(self, job: str, progress: Progress, seconds: float = 10.0) -> None:
        """Tell how far a job is."""
        with self._bus_errors():
            if self._bus is not None:
                data = msgspec.msgpack.encode(progress)
                await self._bus.client.set(PROGRESS + job, data, ex=int(seconds))

    async def progress(self, job: str) -> Progress | None:
        """How far another server is with a job."""
        with self._bus_errors(), contextlib.suppress(msgspec.MsgspecError):
            if self._bus is not None and self._bus.is_up:
                found = await self._bus.client.get(PROGRESS + job)
                return None if found is None else _decode(found)
        return None

    async def end(self, job: str) -> None:
        """A job is done, or cannot be done: nobody takes it over any more."""
        with self._bus_errors():
            if self._bus is not None:
                await self._bus.client.delete(JOB + job)
        self._leases.give_up(job)

    @contextlib.contextmanager
    def _bus_errors(self) -> Iterator[None]:
        try:
            yield
        except Exception as error:
            if not is_of_bus(error):
                raise
            check_cancelled()
