"""What a record proves about its deals: the one place that judges, for programs and for people.

The page judges alike; the cases are those of docs/fair.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from triomino.errors import RecordError
from triomino.fair2 import SharedSeeds, check_hex
from triomino.reading import load_json
from triomino.record import verify_deals
from triomino.signatures import is_signed

if TYPE_CHECKING:
    from triomino.match import Match
    from triomino.rules import Json

RECEIPT_FORMAT: Final = "triomino-receipt/1"


class Case(StrEnum):
    """Who took part in the deals of a match."""

    ALL = "all"
    """Every device of a person committed to a seed and revealed it."""
    SOME = "some"
    NOBODY = "nobody"
    """Only the server: it could have chosen the deals."""
    OLD = "old"
    """``fair/1``, which proves less; see :data:`UNPROVEN`."""


class Part(StrEnum):
    """What a seat has to do with the deals."""

    TOOK_PART = "took_part"
    WITHHELD = "withheld"
    """Its devices committed, and then revealed nothing in time."""
    NO_COMMITMENT = "no_commitment"
    """No device of it committed."""
    BOT = "bot"


class Own(StrEnum):
    """What the device with a receipt has to do with the deals."""

    TOOK_PART = "took_part"
    WITHHELD = "withheld"
    """It committed, and then revealed nothing."""
    DROPPED = "dropped"
    """It revealed its seed, and the server dealt without it."""
    LEFT_OUT = "left_out"
    """It committed, and the server did not list its commitment."""


@dataclass(frozen=True, slots=True)
class Claims:
    """What a record that was verified proves about its deals."""

    case: Case
    seats: tuple[Part, ...]
    withheld: int = 0
    """Devices that committed and revealed nothing."""
    own: Own | None = None
    """``None`` without a receipt."""

    choices: int = 1
    """Among how many deals a server in league with all devices but one could choose.

    Whether a device withholds its seed or not is its choice: one that revealed may have seen both.
    """


UNPROVEN: Final = (
    "the server could have tried seeds until it liked the deals, if it knew those of the players",
    "nothing is signed, and rules and seats are not part of the deals",
)
"""What a record of ``fair/1`` does not prove."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """What a device noted down about its part in a match, to hold against the record."""

    table: str
    server: str
    """The commitment of the server, as it was shown before the device committed."""
    public_key: str
    commitment: str
    seed: str
    revealed: bool = False
    opening: str | None = None
    opening_signature: str | None = None
    transcript: str | None = None
    signature: str | None = None

    @classmethod
    def read(cls, text: str | bytes) -> Receipt:
        """Read a receipt from JSON; raise :class:`RecordError` with the place of an error."""
        node = load_json(text)
        table = node.table(
            "format table server public_key commitment seed revealed",
            "opening opening_signature transcript signature",
        )
        if table["format"].value != RECEIPT_FORMAT:
            raise table["format"].error(f"{RECEIPT_FORMAT!r} is needed")
        hexes = {
            name: table[name].read(check_hex, table[name].text(), 64, "it")
            for name in ("server", "public_key", "commitment", "seed")
        }
        texts = {
            name: table[name].text()
            for name in ("opening", "opening_signature", "transcript", "signature")
            if name in table and table[name].value is not None
        }
        return cls(table=table["table"].text(), revealed=table["revealed"].flag(), **hexes, **texts)

    def to_json(self) -> Json:
        """Return the receipt as plain data."""
        names = [name for name in self.__slots__ if getattr(self, name) is not None]
        return {"format": RECEIPT_FORMAT} | {name: getattr(self, name) for name in names}


def judge_deals(match: Match, receipt: Receipt | None = None) -> Claims:
    """Verify the deals of a match, and return what they prove.

    Deals every round again, checks the signatures of the server, and holds the *receipt* of a
    device against the record. Raises :class:`RecordError` at the first thing that is wrong.
    """
    seeds = match.seeds
    if not isinstance(seeds, SharedSeeds):
        verify_deals(match)
        if receipt is not None:
            raise RecordError("fair.algorithm", "a receipt is for fair/2; this is fair/1")
        bots = [player.bot is not None for player in match.players]
        return Claims(Case.OLD, tuple(Part.BOT if bot else Part.NO_COMMITMENT for bot in bots))
    key = seeds.opening.key
    if not is_signed(seeds.opening.text, seeds.opening_signature, key):
        raise RecordError("fair.opening_signature", "the server's key did not sign this opening")
    if not is_signed(seeds.transcript, seeds.signature, key):
        raise RecordError("fair.signature", "the server's key did not sign these seeds")
    verify_deals(match)
    own = None if receipt is None else _judge_receipt(seeds, receipt)
    return _claims(seeds, own)


def _claims(seeds: SharedSeeds, own: Own | None) -> Claims:
    parts = []
    for seat in seeds.opening.seats:
        if seat.bot is not None:
            parts.append(Part.BOT)
        elif not seat.devices:
            parts.append(Part.NO_COMMITMENT)
        elif any(seeds.seeds[number] is not None for number in seat.devices):
            parts.append(Part.TOOK_PART)
        else:
            parts.append(Part.WITHHELD)
    withheld = sum(seed is None for seed in seeds.seeds)
    if withheld == len(seeds.seeds):
        case = Case.NOBODY
    elif withheld or Part.NO_COMMITMENT in parts:
        case = Case.SOME
    else:
        case = Case.ALL
    return Claims(case, tuple(parts), withheld, own, 1 << max(0, len(seeds.seeds) - 1))


def _judge_receipt(seeds: SharedSeeds, receipt: Receipt) -> Own:
    """Hold what a device saw against the record; raise if the server said something else to it."""
    opening = seeds.opening
    for name, mine, theirs in (
        ("table", receipt.table, opening.table),
        ("commitment", receipt.server, opening.server),
        ("public_key", receipt.public_key, opening.key),
    ):
        if mine != theirs:
            raise RecordError(f"fair.{name}", "your device was shown another one")
    signed = (
        ("opening", receipt.opening, receipt.opening_signature, opening.text),
        ("transcript", receipt.transcript, receipt.signature, seeds.transcript),
    )
    for name, text, signature, written in signed:
        if text is None or text == written:
            continue
        if signature is not None and is_signed(text, signature, opening.key):
            raise RecordError(
                "fair", f"the server signed two {name}s for one table: the receipt proves it"
            )
        raise RecordError("fair", f"your device was shown another {name}, which is not signed")
    if receipt.commitment not in opening.devices:
        return Own.LEFT_OUT
    seed = seeds.seeds[opening.devices.index(receipt.commitment)]
    if seed is None:
        return Own.DROPPED if receipt.revealed else Own.WITHHELD
    if seed != receipt.seed:
        raise RecordError("fair.devices", "the seed of your device is another one")
    return Own.TOOK_PART
