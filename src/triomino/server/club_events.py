"""The events of a club evening as its log stores them."""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import Struct

from triomino.protocol.api import ClubOptions, ClubSource, ClubTiles


class ClubEvent(Struct, frozen=True, tag_field="type", omit_defaults=True, kw_only=True):
    """Something that happened, at a time in milliseconds since 1970."""

    at: int


class ClubOpened(ClubEvent, frozen=True, tag="opened"):
    """The evening was opened."""

    options: ClubOptions
    """With every rule written out."""
    host: str
    """The hash of the host's secret."""


class PlayerJoined(ClubEvent, frozen=True, tag="joined"):
    """Somebody came."""

    name: str
    device: str | None = None
    """The hash of the device that came by the link; the host writes down people without one."""
    points: int = 0
    """What a late comer begins with."""


class PlayerLeft(ClubEvent, frozen=True, tag="left"):
    """Somebody left; they are not paired any more."""

    player: int


class PlayerBack(ClubEvent, frozen=True, tag="back"):
    """Somebody who had left is there again."""

    player: int


class PointsGranted(ClubEvent, frozen=True, tag="granted"):
    """The host decided with how many points a player began."""

    player: int
    points: int


class PairedTable(Struct, frozen=True, omit_defaults=True):
    """A table of a round: who plays there, and the table or live sheet where they do."""

    players: tuple[int, ...]
    tiles: ClubTiles
    id: str
    secret: str = ""
    """What lets one write on the live sheet; it is shown to the host and the table's players."""


class RoundPaired(ClubEvent, frozen=True, tag="paired"):
    """A round began."""

    tables: list[PairedTable]
    byes: list[int] = []


class TableSwitched(ClubEvent, frozen=True, tag="switched"):
    """A table is played with real tiles instead of on screens, or the other way."""

    round: int
    table: int
    to: PairedTable


class ResultEntered(ClubEvent, frozen=True, tag="result"):
    """A table ended, its sheet was finished, or the host wrote its result down."""

    round: int
    table: int
    totals: list[int]
    winners: list[int]
    source: ClubSource


class ResultConfirmed(ClubEvent, frozen=True, tag="confirmed"):
    """The host confirmed what the sheet of a table says."""

    round: int
    table: int


class ClubClosed(ClubEvent, frozen=True, tag="closed"):
    """The evening is over."""

    reason: Literal["host"] = "host"


AnyClubEvent = (
    ClubOpened
    | PlayerJoined
    | PlayerLeft
    | PlayerBack
    | PointsGranted
    | RoundPaired
    | TableSwitched
    | ResultEntered
    | ResultConfirmed
    | ClubClosed
)

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(AnyClubEvent)


def encode_club(event: AnyClubEvent) -> bytes:
    """The stored form of an event."""
    return _encoder.encode(event)


def decode_club(data: bytes) -> AnyClubEvent:
    """The event of a stored form; raise ``msgspec.MsgspecError`` if it is damaged."""
    event: AnyClubEvent = _decoder.decode(data)
    return event
