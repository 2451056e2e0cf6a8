"""``fair/2``: commit, then reveal, signed; as specified in docs/fair.md.

The server commits to its seed, every device commits to one, and only when all commitments are
signed are the seeds revealed. Table, rules, seats and round are part of every deal.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

from triomino.errors import TriominoError
from triomino.fair import Seeds, Stream

if TYPE_CHECKING:
    from collections.abc import Mapping

ALGORITHM_2: Final = "fair/2"

MOST_DEVICES: Final = 24
"""Devices that can commit at one table. Each that withholds its seed doubles the deals that a
server in league with it can choose from, so their number is bounded."""

_WORD = re.compile(r"[!-~]{1,40}")
_HEX = re.compile(r"[0-9a-f]*")


def server_commitment(table: str, seed: str) -> str:
    """Return the commitment to a server seed, which is published when the table is set up."""
    return _sha256(f"triomino fair/2 server\n{table}\n{check_hex(seed, 64, 'a server seed')}\n")


def device_commitment(table: str, server: str, seed: str) -> str:
    """Return the commitment to a device's seed; *server* is the commitment of the server."""
    seed = check_hex(seed, 64, "a seed")
    return _sha256(f"triomino fair/2 device\n{table}\n{server}\n{seed}\n")


def rules_digest(rules: Mapping[str, object]) -> str:
    """Return the SHA-256 of rules as canonical JSON: every field, keys sorted, no spaces, ASCII."""
    return _sha256(json.dumps(rules, sort_keys=True, separators=(",", ":"), ensure_ascii=True))


@dataclass(frozen=True, slots=True)
class FairSeat:
    """A seat in an opening: the devices that committed for it by number, or the bot there."""

    devices: tuple[int, ...] = ()
    bot: str | None = None

    def __post_init__(self) -> None:
        if self.bot is not None and self.devices:
            raise TriominoError("the seat of a bot has no devices")
        if self.bot is not None and not _WORD.fullmatch(self.bot):
            raise TriominoError("the name of a bot is 1 to 40 ASCII characters without spaces")
        if list(self.devices) != sorted(set(self.devices)):
            raise TriominoError("the devices of a seat are named once each, in ascending order")

    def __str__(self) -> str:
        if self.bot is not None:
            return f"bot {self.bot}"
        return f"devices {','.join(map(str, self.devices)) or '-'}"


@dataclass(frozen=True, slots=True)
class Opening:
    """Everything that is settled before a seed is revealed; its text is what the server signs."""

    table: str
    key: str
    """The public key of the server."""
    server: str
    """The commitment of the server."""
    rules: str
    """The digest of the rules."""
    seats: tuple[FairSeat, ...]
    devices: tuple[str, ...]
    """The commitments of the devices, in the order of their numbers."""

    def __post_init__(self) -> None:
        if not _WORD.fullmatch(self.table):
            raise TriominoError("the id of a table is 1 to 40 ASCII characters without spaces")
        check_hex(self.key, 64, "a public key")
        check_hex(self.server, 64, "a commitment")
        check_hex(self.rules, 64, "the digest of rules")
        if not 2 <= len(self.seats) <= 6:
            raise TriominoError(f"{len(self.seats)} seats; a match has 2 to 6")
        if len(self.devices) > MOST_DEVICES:
            raise TriominoError(f"{len(self.devices)} devices; at most {MOST_DEVICES} commit")
        for commitment in self.devices:
            check_hex(commitment, 64, "a commitment")
        if len(set(self.devices)) < len(self.devices):
            raise TriominoError("two devices have the same commitment")
        seen: list[int] = []
        for seat in self.seats:
            seen += [number for number in seat.devices if number not in seen]
        if seen != list(range(len(self.devices))):
            raise TriominoError("the devices are not numbered by their first seats")

    @property
    def text(self) -> str:
        """The text that the server signs before any seed is revealed."""
        return f"triomino fair/2 opening\n{self._settled}"

    @property
    def _settled(self) -> str:
        lines = [f"table {self.table}", f"key {self.key}"]
        lines += [f"server {self.server}", f"rules {self.rules}"]
        lines += [f"seat {number} {seat}" for number, seat in enumerate(self.seats)]
        lines += [f"device {number} {one}" for number, one in enumerate(self.devices)]
        return "".join(f"{line}\n" for line in lines)

    def transcript(self, seeds: tuple[str | None, ...]) -> str:
        """Return the text that the server signs with the deal; ``None`` is a withheld seed."""
        lines = "".join(f"seed {number} {seed or '-'}\n" for number, seed in enumerate(seeds))
        return f"triomino fair/2 transcript\n{self._settled}{lines}"

    def why_not_seed(self, number: int, seed: str) -> str | None:
        """Return why a seed is not the one that a device committed to, or ``None`` if it is."""
        if device_commitment(self.table, self.server, seed) != self.devices[number]:
            return f"the seed of device {number} is not the one it committed to"
        return None


@dataclass(frozen=True, slots=True)
class SharedSeeds:
    """The seeds of a match under ``fair/2``, and what the server signed about them.

    Every seed fits its commitment. Whether the signatures are right is for
    :func:`triomino.signatures.is_signed`.
    """

    opening: Opening
    server: str
    """The seed of the server, secret until the match is over."""
    seeds: tuple[str | None, ...]
    """The seeds of the devices; ``None`` for one that revealed nothing in time."""
    opening_signature: str
    signature: str

    def __post_init__(self) -> None:
        opening = self.opening
        if server_commitment(opening.table, self.server) != opening.server:
            raise TriominoError("it is not the commitment of this server seed")
        if len(self.seeds) != len(opening.devices):
            raise TriominoError(f"{len(self.seeds)} seeds for {len(opening.devices)} devices")
        for number, seed in enumerate(self.seeds):
            if seed is not None and (why := opening.why_not_seed(number, seed)):
                raise TriominoError(why)
        check_hex(self.opening_signature, 128, "a signature")
        check_hex(self.signature, 128, "a signature")

    @property
    def commitment(self) -> str:
        """The commitment of the server, which it published when the table was set up."""
        return self.opening.server

    @property
    def transcript(self) -> str:
        """The text that the server signed with the deal."""
        return self.opening.transcript(self.seeds)

    def round(self, number: int) -> Stream:
        """Return the stream that deals round *number*, counted from 1."""
        message = f"triomino fair/2 round\n{_sha256(self.transcript)}\n{number}\n"
        return Stream(hmac.digest(bytes.fromhex(self.server), message.encode("ascii"), "sha256"))


AnySeeds: TypeAlias = Seeds | SharedSeeds
"""What deals a match: both have a ``commitment``, a ``server`` seed and a stream per ``round``."""


def check_hex(text: str, digits: int, what: str) -> str:
    """Return *text* if it is so many hexadecimal digits in lower case; raise if it is not."""
    if len(text) != digits or not _HEX.fullmatch(text):
        raise TriominoError(f"{what} is {digits} hexadecimal digits in lower case")
    return text


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("ascii")).hexdigest()
