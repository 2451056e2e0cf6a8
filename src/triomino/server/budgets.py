"""How much of each kind of work an address may ask for: token buckets, by network.

A classroom shares one address, so the defaults leave room for thirty people who all begin at once.
Whoever goes beyond is refused, or has to wait, for that kind of work only.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv6Address, ip_address
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

    from triomino.server.config import Config

KNOWN_ADDRESSES = 20_000
"""Networks whose buckets are kept."""

PER_MINUTE: Final = (
    "http_per_minute",
    "files_per_minute",
    "hellos_per_minute",
    "reactions_per_minute",
    "hints_per_minute",
    "seats_per_minute",
    "tables_per_minute",
    "pad_steps_per_minute",
    "club_acts_per_minute",
    "people_per_minute",
    "sign_ins_per_minute",
    "all_sign_ins_per_minute",
)
"""The settings that are budgets by the minute, with bursts of half as much."""


@lru_cache(maxsize=4096)
def network_of(address: str) -> str:
    """The network that an address counts for: itself, or the /64 of an IPv6 address.

    >>> network_of("2001:db8::7:1"), network_of("::ffff:192.0.2.1")
    ('2001:db8::/64', '192.0.2.1')
    """
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if not isinstance(found, IPv6Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return f"{IPv6Address(int(found) >> 64 << 64)}/64"


@dataclass(slots=True)
class Bucket:
    """A token bucket: tokens are used up by requests and come back with time."""

    rate: float
    size: float
    tokens: float
    at: float

    @classmethod
    def full(cls, rate: float, size: float, at: float) -> Bucket:
        """A bucket with all its tokens."""
        return cls(rate, size, size, at)

    def take(self, at: float, cost: float = 1.0) -> bool:
        """Take tokens; return ``False`` if there are too few.

        What costs more than a full bucket is granted by a full one, which is then in debt.
        """
        self.tokens = min(self.size, self.tokens + (at - self.at) * self.rate)
        self.at = at
        if self.tokens < min(cost, self.size):
            return False
        self.tokens -= cost
        return True


class Buckets:
    """A bucket per network; those of the least recently seen ones are dropped."""

    def __init__(
        self, rate: float, size: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._rate, self._size, self._clock = rate, max(1.0, size), clock
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()
        self._spent: dict[str, float] | None = None

    def share(self) -> Buckets:
        """Keep in mind what is spent, for :meth:`collect_spent`."""
        self._spent = {}
        return self

    def collect_spent(self) -> dict[str, float]:
        """What each address has spent here since the last call."""
        spent, self._spent = self._spent, {}
        return spent or {}

    def charge_elsewhere(self, address: str, cost: float) -> None:
        """Take tokens that were spent at another server, into debt if need be."""
        bucket = self._bucket(address)
        bucket.tokens = max(-self._size, bucket.tokens - cost)

    def _note(self, address: str, cost: float) -> None:
        if self._spent is not None:
            self._spent[address] = self._spent.get(address, 0.0) + cost

    def take(self, address: str, cost: float = 1.0) -> bool:
        """Take tokens of an address; return ``False`` if there are too few."""
        if not self._bucket(address).take(self._clock(), cost):
            return False
        self._note(address, cost)
        return True

    def wait(self, address: str, cost: float = 1.0) -> float:
        """Take tokens of an address, later ones if need be; return the seconds to wait for them."""
        bucket = self._bucket(address)
        self._note(address, cost)
        if bucket.take(self._clock(), cost):
            return 0.0
        bucket.tokens -= cost
        return -bucket.tokens / self._rate if self._rate else 1.0

    def charge(self, address: str, cost: float) -> None:
        """Take tokens for work that is done already, down to an empty bucket."""
        bucket = self._bucket(address)
        bucket.tokens = max(0.0, bucket.tokens - cost)
        self._note(address, cost)

    def _bucket(self, address: str) -> Bucket:
        bucket = self._buckets.get(address)
        if bucket is None:
            bucket = Bucket.full(self._rate, self._size, self._clock())
            self._buckets[address] = bucket
            if len(self._buckets) > KNOWN_ADDRESSES:
                self._buckets.popitem(last=False)
        else:
            self._buckets.move_to_end(address)
        return bucket


class Budgets:
    """The budgets of all addresses, as the settings have them."""

    def __init__(self, config: Config) -> None:
        def by_minute(most: int) -> Buckets:
            return Buckets(most / 60, most / 2)

        self.requests = by_minute(config.http_per_minute)
        self.files = by_minute(config.files_per_minute)
        self.hellos = by_minute(config.hellos_per_minute)
        self.reactions = by_minute(config.reactions_per_minute)
        self.hints = by_minute(config.hints_per_minute)
        self.seats = by_minute(config.seats_per_minute)
        self.tables = by_minute(config.tables_per_minute)
        self.pad_steps = by_minute(config.pad_steps_per_minute)
        self.club_acts = by_minute(config.club_acts_per_minute)
        self.people = by_minute(config.people_per_minute)
        self.sign_ins = by_minute(config.sign_ins_per_minute)
        self.all_sign_ins = by_minute(config.all_sign_ins_per_minute)
        self.messages = Buckets(config.messages_per_address, 4 * config.messages_per_address)

    def share(self) -> dict[str, Buckets]:
        """The budgets by name, from now on with what is spent of them."""
        return {name: buckets.share() for name, buckets in vars(self).items()}
