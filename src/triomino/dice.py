"""Sources of randomness, passed explicitly, and what is drawn from them."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Mapping

T = TypeVar("T")

_MASK = (1 << 64) - 1


class Dice(Protocol):
    """A source of randomness, such as :class:`Rng` or ``random.Random``."""

    def randrange(self, stop: int, /) -> int:
        """Return a number from 0 to *stop* - 1, all equally likely; *stop* is at most 2**32."""
        ...  # pragma: no cover


class Rng:
    """SplitMix64, the generator for bots and samples; it is the same on every machine.

    A step adds 0x9E3779B97F4A7C15 to the state (mod 2**64); the output is the state mixed by
    ``z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9``, ``z = (z ^ z >> 27) * 0x94D049BB133111EB``,
    ``z ^ z >> 31``. A number below n takes the upper 32 bits w of an output: it is ``w * n >> 32``,
    unless ``w * n mod 2**32`` is below ``2**32 mod n``, when the next output is tried.

    >>> rng = Rng(0)
    >>> [rng.randrange(6) for _ in range(8)]
    [5, 2, 0, 5, 0, 1, 1, 4]
    """

    __slots__ = ("state",)

    def __init__(self, seed: int) -> None:
        self.state = seed & _MASK

    @classmethod
    def named(cls, *parts: object) -> Rng:
        """Return a separate generator for each tuple of parts.

        The state is the first 8 bytes, big-endian, of the SHA-256 of the parts joined by spaces.
        """
        digest = hashlib.sha256(" ".join(map(str, parts)).encode()).digest()
        return cls(int.from_bytes(digest[:8], "big"))

    def bits(self) -> int:
        """Return the next 64 bits."""
        self.state = z = (self.state + 0x9E3779B97F4A7C15) & _MASK
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & _MASK
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB & _MASK
        return z ^ (z >> 31)

    def randrange(self, stop: int, /) -> int:
        """Return a number from 0 to *stop* - 1, all equally likely; *stop* is at most 2**32."""
        if not 0 < stop <= 1 << 32:
            raise ValueError(f"cannot choose below {stop}")
        while True:
            # bits(), inlined for speed.
            self.state = z = (self.state + 0x9E3779B97F4A7C15) & _MASK
            z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & _MASK
            z = (z ^ (z >> 27)) * 0x94D049BB133111EB & _MASK
            product = ((z ^ (z >> 31)) >> 32) * stop
            low = product & 0xFFFFFFFF
            if low >= stop or low >= (1 << 32) % stop:  # the first implies the second
                return product >> 32


def shuffle(items: list[T], dice: Dice) -> None:
    """Shuffle in place (Fisher-Yates, from the last item down to the second)."""
    randrange = dice.randrange
    for i in range(len(items) - 1, 0, -1):
        j = randrange(i + 1)
        items[i], items[j] = items[j], items[i]


def choose(weights: Mapping[T, int], dice: Dice) -> T:
    """Return a key with probability proportional to its weight, which may exceed 64 bits.

    At least one weight must be positive.
    """
    total = sum(weights.values())
    digits = -(-total.bit_length() // 32)
    while True:
        number = 0
        for _ in range(digits):
            number = number << 32 | dice.randrange(1 << 32)
        number &= (1 << total.bit_length()) - 1
        if number < total:
            break
    for key, weight in weights.items():
        number -= weight
        if number < 0:
            return key
    raise AssertionError("the weights did not add up")
