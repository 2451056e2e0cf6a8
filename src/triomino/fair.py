"""The verifiable shuffle ``fair/1``, as specified in docs/fair.md.

The server commits to its seed, the players add theirs, and every deal is derived from them all.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from dataclasses import dataclass
from struct import Struct
from typing import Final

from triomino.errors import TriominoError

ALGORITHM: Final = "fair/1"

_SERVER_SEED = re.compile(r"[0-9a-f]{64}")
_WORDS = Struct(">8I")
_PLAYER_SEED = re.compile(r"(?:[0-9a-f]{2}){0,32}")


@dataclass(frozen=True, slots=True)
class Seeds:
    """The seeds that determine every deal of a match, as lower-case hexadecimal text.

    The server seed has 32 bytes; a player seed has up to 32 and may be empty.
    """

    server: str
    players: tuple[str, ...]

    def __post_init__(self) -> None:
        if not _SERVER_SEED.fullmatch(self.server):
            raise TriominoError("a server seed is 64 hexadecimal digits in lower case")
        for seat, seed in enumerate(self.players):
            if not _PLAYER_SEED.fullmatch(seed):
                raise TriominoError(
                    f"the seed of seat {seat} is not an even number of at most 64"
                    " hexadecimal digits in lower case"
                )

    @classmethod
    def fresh(cls, players: int) -> Seeds:
        """Return new secret seeds from the operating system."""
        return cls(secrets.token_hex(32), tuple(secrets.token_hex(16) for _ in range(players)))

    @classmethod
    def named(cls, players: int, *parts: object) -> Seeds:
        """Return seeds that can be reproduced from a name: for simulations and tests, not for play.

        The server seed is the SHA-256 of the parts joined by spaces; player seeds are empty.
        """
        text = " ".join(map(str, parts))
        return cls(hashlib.sha256(text.encode()).hexdigest(), ("",) * players)

    @property
    def commitment(self) -> str:
        """The SHA-256 of the server seed's 32 bytes, which the server publishes before the deal."""
        return hashlib.sha256(bytes.fromhex(self.server)).hexdigest()

    def round(self, number: int) -> Stream:
        """Return the stream that deals round *number*, counted from 1."""
        message = f"{ALGORITHM}|{number}|{','.join(self.players)}"
        return Stream(hmac.digest(bytes.fromhex(self.server), message.encode(), "sha256"))


class Stream:
    """HMAC-SHA-256 in counter mode, read as 32-bit words: the randomness of a deal."""

    __slots__ = ("_block", "_key", "_words")

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._block = 0
        self._words: list[int] = []

    def word(self) -> int:
        """Return the next 32 bits, big-endian."""
        if not self._words:
            block = hmac.digest(self._key, self._block.to_bytes(8, "big"), "sha256")
            self._block += 1
            self._words = [*_WORDS.unpack(block)]
            self._words.reverse()
        return self._words.pop()

    def randrange(self, stop: int, /) -> int:
        """Return a number from 0 to *stop* - 1, all equally likely."""
        if not 0 < stop <= 1 << 32:
            raise ValueError(f"cannot choose below {stop}")
        while True:
            word = self._words.pop() if self._words else self.word()
            # Words from the limit up are rejected: they would favour small numbers. The limit is at
            # most *stop* below 2**32, so the second test is rarely needed.
            if word < (1 << 32) - stop or word < (1 << 32) - (1 << 32) % stop:
                return word % stop
