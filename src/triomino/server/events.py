"""The events of a table as the log stores them. The log is the only state there is."""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import Struct

from triomino.fair import ALGORITHM
from triomino.protocol.api import TableOptions


class Event(Struct, frozen=True, tag_field="type", omit_defaults=True, kw_only=True):
    """Something that happened, at a time in milliseconds since 1970."""

    at: int


class Created(Event, frozen=True, tag="created"):
    """A table was set up. Of secrets only hashes are stored; the server's seed is stored whole."""

    options: TableOptions
    """With every rule written out, so that a later change of an edition has no effect."""
    server_seed: str
    host: str
    """The hash of the device that set the table up."""
    owners: list[list[str]] = []
    """For a rematch, or at a club evening: the hashes of the devices of each seat."""
    names: list[str | None] = []
    player_seeds: list[str] = []
    """Of ``fair/1`` only: what a rematch took over from the match before it."""
    algorithm: str = ALGORITHM
    """How the deals are made; an event without it is of the time before ``fair/2``."""
    public_key: str = ""
    """Of ``fair/2``: the key that signs what happens at this table."""
    club: str = ""
    """The club evening that the table belongs to."""
    rounds: int | None = None
    """After so many rounds the match ends, although nobody has met the target."""
    strangers: bool = False
    """Whether the server brought people together who may not know each other."""
    people: list[str] = []
    """Of Play now: the profile of each seat, empty for a bot."""


class Seated(Event, frozen=True, tag="seated"):
    """A person took a seat."""

    seat: int
    name: str
    owner: str
    seed: str = ""
    """Of ``fair/1`` only."""


class Linked(Event, frozen=True, tag="linked"):
    """A secret link to a seat was made; only its hash is stored."""

    seat: int
    link: str


class Unlinked(Event, frozen=True, tag="unlinked"):
    """The link to a seat was withdrawn."""

    seat: int


class Claimed(Event, frozen=True, tag="claimed"):
    """A device joined a seat by its link."""

    seat: int
    owner: str
    link: str = ""
    """The link, which is used up. Logs of earlier versions do not name it: there it stays."""
    hosts: bool = False
    """Whether it belongs to the person who set up the table, and may start it."""


class Left(Event, frozen=True, tag="left"):
    """A person left a seat before the start."""

    seat: int


class Committed(Event, frozen=True, tag="committed"):
    """A device committed to its seed."""

    device: str
    commitment: str


class Opened(Event, frozen=True, tag="opening"):
    """Seats, rules and commitments were settled and signed; devices reveal their seeds."""

    signature: str
    until: int
    """When the deal is made without the seeds that are missing."""


class Revealed(Event, frozen=True, tag="revealed"):
    """A device revealed its seed, which is secret until the deal."""

    device: str
    seed: str


class Started(Event, frozen=True, tag="started"):
    """The first round was dealt."""

    signature: str = ""
    """Of ``fair/2``: of the transcript with the seeds."""
    opening_signature: str = ""
    """Of ``fair/2``, if no device committed, so that nobody had to be waited for."""


class RatingAgreed(Event, frozen=True, tag="rating"):
    """A person agreed that the match is rated, or no longer does."""

    seat: int
    person: str
    """The profile that is rated; empty if the person does not agree any more."""


class MovePlayed(Event, frozen=True, tag="moved"):
    """A move."""

    seat: int
    move: str
    by_bot: bool = False
    spent: int | None = None
    """Where turns are timed: milliseconds of the turn that had passed, measured by a clock that
    cannot be set, unlike that of *at*."""


class RoundBegun(Event, frozen=True, tag="round"):
    """The next round was dealt."""


class UndoAsked(Event, frozen=True, tag="undo_asked"):
    """A seat asked the others to take back its last moves."""

    seat: int
    moves: int


class UndoAnswered(Event, frozen=True, tag="undo_answered"):
    """A seat agreed to the undo, or declined it."""

    seat: int
    agree: bool


class Undone(Event, frozen=True, tag="undone"):
    """The last moves were taken back."""

    moves: int


class GaveUp(Event, frozen=True, tag="gave_up"):
    """A seat gave up; with two players that ends the match."""

    seat: int


class BotTook(Event, frozen=True, tag="bot_took"):
    """A bot plays for a person from now on."""

    seat: int
    bot: str
    reason: Literal["clock", "away", "gave_up", "left", "asked"]
    by: int | None = None
    """The seat that asked for it."""


class Returned(Event, frozen=True, tag="returned"):
    """The person plays again."""

    seat: int


class Reminded(Event, frozen=True, tag="reminded"):
    """A seat reminded another one that it waits."""

    seat: int
    by: int


class Paused(Event, frozen=True, tag="paused"):
    """A seat paused the match."""

    seat: int
    spent: int | None = None
    """As of a move: milliseconds of the turn that had passed."""


class Resumed(Event, frozen=True, tag="resumed"):
    """A seat ended the pause."""

    seat: int


class Renamed(Event, frozen=True, tag="renamed"):
    """The host of the server changed a name."""

    seat: int
    name: str


class Rematched(Event, frozen=True, tag="rematched"):
    """The same people began another match at another table, or the host replaced an open one."""

    table: str


class Closed(Event, frozen=True, tag="closed"):
    """The table was closed for good."""

    reason: str = "closed"


AnyEvent = (
    Created
    | Seated
    | Linked
    | Unlinked
    | Claimed
    | Left
    | Committed
    | Opened
    | Revealed
    | Started
    | RatingAgreed
    | MovePlayed
    | RoundBegun
    | UndoAsked
    | UndoAnswered
    | Undone
    | GaveUp
    | BotTook
    | Returned
    | Reminded
    | Paused
    | Resumed
    | Renamed
    | Rematched
    | Closed
)

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(AnyEvent)


def encode(event: AnyEvent) -> bytes:
    """The stored form of an event."""
    return _encoder.encode(event)


def decode(data: bytes) -> AnyEvent:
    """The event of a stored form; raise ``msgspec.MsgspecError`` if it is damaged."""
    event: AnyEvent = _decoder.decode(data)
    return event
