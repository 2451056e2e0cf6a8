"""Who does what has to be done once: the server with the lease of it.

A lease is a key in Valkey that expires. If two servers believe that they hold one, because the bus
was away or a server was stopped for a while, nothing is lost: what either does is an event at a
version of the log, and a version is written once. Without a bus everybody may do everything.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from typing import TYPE_CHECKING, Final

from triomino.server.bus import ANSWER_SECONDS, check_cancelled, is_of_bus

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from triomino.server.bus import Bus

LEASE_SECONDS: Final = 4.0
"""A lease that is not renewed for so long is free."""

SHORT_SECONDS: Final = 1.6
"""The same of a lease for which people wait: its work goes on within two seconds of a kill."""

RENEWALS: Final = 4
"""How often a lease is renewed, or asked for, in the time that it lasts."""

PREFIX: Final = "triomino:lease:"

_RENEW: Final = (
    "local holder = redis.call('GET', KEYS[1]) "
    "if holder == ARGV[1] or not holder then "
    "redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2]) return 1 end return 0"
)
_RELEASE: Final = (
    "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0"
)


class Leases:
    """The leases that this server wants, and those that it holds."""

    def __init__(self, bus: Bus | None, on_gained: Callable[[str], None] = lambda _: None) -> None:
        self._bus, self._on_gained = bus, on_gained
        self._wanted: dict[str, float] = {}  # how many seconds each lasts
        self._until: dict[str, float] = {}
        self._wake = asyncio.Event()

    def holds(self, name: str, seconds: float = LEASE_SECONDS) -> bool:
        """Whether this server may do what *name* stands for; if not, it is from now on wanted.

        The lease is free if it is not renewed for so many *seconds*.
        """
        bus = self._bus
        if bus is None:
            return True
        if name not in self._wanted:
            self._wanted[name] = seconds
            self._wake.set()
        return not bus.is_up or self._until.get(name, 0.0) > time.monotonic()

    def wants(self, name: str) -> bool:
        """Whether this server has asked for a lease, held or not."""
        return name in self._wanted

    @property
    def held(self) -> int:
        """How many this server holds."""
        return len(self._until)

    def give_up(self, name: str) -> None:
        """Want it no longer."""
        if name in self._wanted:
            del self._wanted[name]
            self._wake.set()

    async def run(self) -> None:
        """Ask for what is wanted, renew what is held and release what is not wanted, for ever."""
        all_at = 0.0
        while self._bus is not None:
            check_cancelled()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._pause):
                    await self._wake.wait()
            names = [name for name, seconds in self._wanted.items() if seconds < LEASE_SECONDS]
            if self._wake.is_set() or time.monotonic() >= all_at:
                names = list(self._wanted)
                all_at = time.monotonic() + LEASE_SECONDS / RENEWALS
            self._wake.clear()
            if self._bus.is_up:
                try:
                    await self._ask(self._bus, names)
                except Exception as error:
                    # The bus itself notices that it is gone; leases end by themselves.
                    if not is_of_bus(error):
                        raise
            await asyncio.sleep(0.02)  # what is wanted at the same time is asked for together

    @property
    def _pause(self) -> float:
        return min(self._wanted.values(), default=LEASE_SECONDS) / RENEWALS

    async def _ask(self, bus: Bus, names: Iterable[str]) -> None:
        """Ask for leases or renew them, and release those that are not wanted any more."""
        wanted = [(name, self._wanted[name]) for name in sorted(names)]
        asked = time.monotonic()
        unwanted = [name for name in self._until if name not in self._wanted]
        async with asyncio.timeout(ANSWER_SECONDS), bus.client.pipeline(transaction=False) as pipe:
            for name, seconds in wanted:
                pipe.eval(_RENEW, 1, PREFIX + name, bus.node, str(int(1000 * seconds)))
            for name in unwanted:
                pipe.eval(_RELEASE, 1, PREFIX + name, bus.node)
            answers = await pipe.execute()
        for name in unwanted:
            self._until.pop(name, None)
        for (name, seconds), granted in zip(wanted, answers, strict=False):
            was_held = self._until.get(name, 0.0) > asked
            if granted:
                self._until[name] = asked + seconds - seconds / RENEWALS / 2
                if not was_held and name in self._wanted:
                    self._on_gained(name)
            else:
                self._until.pop(name, None)

    async def free(self, names: list[str]) -> list[str]:
        """Those of *names* that nobody holds now; all while the bus is gone."""
        if self._bus is None or not self._bus.is_up or not names:
            return names
        async with asyncio.timeout(ANSWER_SECONDS):
            holders = await self._bus.client.mget([PREFIX + name for name in names])
        return [name for name, holder in zip(names, holders, strict=True) if holder is None]

    async def close(self) -> None:
        """Release everything, so that others go on at once."""
        self._wanted.clear()
        if self._bus is not None and self._bus.is_up and self._until:
            try:
                await self._ask(self._bus, ())
            except Exception as error:
                if not is_of_bus(error):
                    raise
