"""Playing now with strangers, and ratings: bodies, and the messages of the queue's socket."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from triomino.protocol.api import LEAST_SECRET, Name

Edition = Annotated[str, Meta(min_length=1, max_length=40)]
Players = Annotated[int, Meta(ge=2, le=6)]


class QueueMessage(Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """What a client says on the socket of the queue."""


class JoinQueue(QueueMessage, frozen=True, tag="join"):
    """Take a place in the queue, or the one that this person has."""

    edition: Edition
    players: Players
    name: Name | None = None
    """For a device without a profile: the name of the one that is made for it."""
    secret: Annotated[str, Meta(min_length=LEAST_SECRET, max_length=100)] | None = None
    """Of the device, where there are neither cookies nor headers."""


class TakeBots(QueueMessage, frozen=True, tag="bots"):
    """Begin now, with bots at the seats that nobody has."""


class LeaveQueue(QueueMessage, frozen=True, tag="leave"):
    """Give the place up."""


class QueuePing(QueueMessage, frozen=True, tag="ping"):
    """Still here."""


FromSeeker: TypeAlias = JoinQueue | TakeBots | LeaveQueue | QueuePing


class QueueNews(Struct, frozen=True, tag_field="type", omit_defaults=True):
    """What a client is told on the socket of the queue."""


class QueueState(QueueNews, frozen=True, tag="waiting"):
    """How the waiting goes."""

    edition: str
    players: int
    waited: int
    """Seconds since this person came."""
    others: int
    """How many others wait for the same."""
    usual: int | None = None
    """How many seconds others waited for the same lately; absent if that is not known."""
    bots_offered: bool = False
    """Whether the match may begin now with bots, which yield to people who come."""
    takes_bots: bool = False


class QueueTable(QueueNews, frozen=True, tag="table"):
    """There is a table: enter it within a few seconds, or the place is lost."""

    table: str
    is_running: bool = False
    """Whether the match has begun before: nobody plays two at a time."""


class QueueLeft(QueueNews, frozen=True, tag="left"):
    """The place was given up, here or on another page."""


class QueueRefused(QueueNews, frozen=True, tag="refused"):
    """Why there is no place."""

    code: str
    detail: str


class RatingAgreement(Struct, frozen=True, forbid_unknown_fields=True):
    """Whether this seat wants the match to be rated."""

    agree: bool


class BoardWish(Struct, frozen=True, forbid_unknown_fields=True):
    """Whether to be on leaderboards."""

    shown: bool


class RatingInfo(Struct, frozen=True):
    """A rating as people read it."""

    points: int
    uncertainty: int
    """How far the points may be off either way."""
    matches: int
    provisional: bool


class SeatRating(Struct, frozen=True):
    """What a match made of the rating of a seat."""

    seat: int
    before: int
    points: int
    uncertainty: int


class TableRatings(Struct, frozen=True):
    """What the match of a table made of ratings."""

    settled: bool
    """Whether the result has been counted; it is a moment after the match."""
    changes: list[SeatRating]
    """Empty if nobody was rated."""


class RatingStep(Struct, frozen=True):
    """A rated match in the course of a rating."""

    at: int
    table: str
    before: int
    points: int
    uncertainty: int


class EditionRating(Struct, frozen=True):
    """The rating of a person in an edition, and how it came about."""

    edition: str
    rating: RatingInfo
    course: list[RatingStep]
    """The latest matches, the oldest of them first."""


class PersonRatings(Struct, frozen=True):
    """The ratings of the person who asks."""

    editions: list[EditionRating]
    on_board: bool


class BoardLine(Struct, frozen=True):
    """A line of a leaderboard."""

    rank: int
    person: str
    name: str
    face: str
    rating: RatingInfo
    you: bool = False


class Leaderboard(Struct, frozen=True):
    """The best of an edition."""

    edition: str
    lines: list[BoardLine]
    needed: int
    """Rated matches that it takes to be on it."""
    you: RatingInfo | None = None
    """The rating of the person who asks."""
    on_board: bool = True
    """Whether that person wants to be on it."""
