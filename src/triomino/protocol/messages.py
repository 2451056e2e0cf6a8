"""The messages on a socket. Every message is an object whose ``type`` names it.

A client opens one socket, sends ``hello`` and gets a ``state``. From then on every change of the
table is a message with the version it leads to. A client that misses one sends ``hello`` again with
the version it has.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from msgspec import Meta, Struct

from triomino.protocol.api import (
    LEAST_SECRET,
    Fairness,
    Hex64,
    HintReason,
    SeatNumber,
    SeatSummary,
)

PROTOCOL_VERSION: Final = 2
OLDEST_PROTOCOL: Final = 1
"""What a client speaks that does not name a protocol."""

TableId = Annotated[str, Meta(min_length=1, max_length=40)]
MessageId = Annotated[int, Meta(ge=0, le=2**53)]
Version = Annotated[int, Meta(ge=0, le=2**53)]
PlyNumber = Annotated[int, Meta(ge=0, le=2**53)]
"""The ``ply`` of a position: a number that no other position of the table has."""


# --- From client to server -----------------------------------------------------------------------


class FromClient(Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """A message from a client."""


class Hello(FromClient, frozen=True, tag="hello"):
    """Join a table, or rejoin it with the last version that is known."""

    table: TableId
    version: Version | None = None
    secret: Annotated[str, Meta(min_length=LEAST_SECRET, max_length=100)] | None = None
    """The device's secret, for clients without cookies."""
    protocol: int = OLDEST_PROTOCOL


class MoveMessage(FromClient, frozen=True, tag="move"):
    """Play a move for one of the device's seats, in the position *ply*."""

    move: Annotated[str, Meta(max_length=60)]
    ply: PlyNumber
    id: MessageId
    seat: SeatNumber | None = None


class NextRoundMessage(FromClient, frozen=True, tag="next_round"):
    """Begin the next round after the one that ended with *ply*."""

    ply: PlyNumber
    id: MessageId


class UndoMessage(FromClient, frozen=True, tag="undo"):
    """Take the last move back; other people at the table have to agree."""

    ply: PlyNumber
    id: MessageId
    seat: SeatNumber | None = None


class AnswerUndo(FromClient, frozen=True, tag="answer_undo"):
    """Agree to the undo *request*, or decline it."""

    agree: bool
    request: Version
    id: MessageId
    seat: SeatNumber | None = None


class GiveUpMessage(FromClient, frozen=True, tag="give_up"):
    """Give up the match: with two players it is over, with more a bot goes on."""

    id: MessageId
    seat: SeatNumber | None = None


class ReturnMessage(FromClient, frozen=True, tag="return"):
    """Take the seat back from the bot that stood in."""

    id: MessageId
    seat: SeatNumber | None = None


class RemindMessage(FromClient, frozen=True, tag="remind"):
    """Remind the person at seat *whom*, who is away or to move, that others wait."""

    whom: SeatNumber
    id: MessageId
    seat: SeatNumber | None = None


class StandInMessage(FromClient, frozen=True, tag="stand_in"):
    """Let a bot play for the person at seat *whom*, who has been away for a while."""

    whom: SeatNumber
    id: MessageId
    seat: SeatNumber | None = None


class PauseMessage(FromClient, frozen=True, tag="pause"):
    """Pause the match: nobody moves, and clocks stand still."""

    id: MessageId
    seat: SeatNumber | None = None


class ResumeMessage(FromClient, frozen=True, tag="resume"):
    """End the pause, whoever made it."""

    id: MessageId
    seat: SeatNumber | None = None


class EndMatchMessage(FromClient, frozen=True, tag="end_match"):
    """End the match without a winner, once everybody else has been away for long."""

    id: MessageId
    seat: SeatNumber | None = None


class RevealMessage(FromClient, frozen=True, tag="reveal"):
    """Reveal the seed that the device committed to, once the match is started."""

    seed: Hex64
    id: MessageId


class AskHint(FromClient, frozen=True, tag="ask_hint"):
    """Ask for the best moves, where the table allows hints. Not stored."""

    ply: PlyNumber
    id: MessageId
    seat: SeatNumber | None = None


class React(FromClient, frozen=True, tag="react"):
    """A reaction for the others to see, also of spectators if the table allows it. Not stored."""

    sign: Literal["hello", "well_played", "wow", "oops", "thinking", "thanks"]
    seat: SeatNumber | None = None


class Ping(FromClient, frozen=True, tag="ping"):
    """Ask for a ``pong``; a socket that is silent for too long is closed."""

    id: MessageId = 0


ClientMessage = (
    Hello
    | MoveMessage
    | NextRoundMessage
    | UndoMessage
    | AnswerUndo
    | GiveUpMessage
    | ReturnMessage
    | RemindMessage
    | StandInMessage
    | PauseMessage
    | ResumeMessage
    | EndMatchMessage
    | RevealMessage
    | AskHint
    | React
    | Ping
)


# --- Parts of a state ----------------------------------------------------------------------------


class ScoreInfo(Struct, frozen=True, omit_defaults=True):
    """Points and their reason."""

    seat: int
    reason: str
    points: int


class TurnInfo(Struct, frozen=True, omit_defaults=True):
    """A move as its receiver may see it."""

    seat: int
    move: str
    points: int
    scores: list[ScoreInfo]
    tile: str | None = None
    """The drawn tile; only its owner sees it."""
    bonus: str | None = None
    by_bot: bool = False
    """Whether a bot played it for a person."""


class EndInfo(Struct, frozen=True):
    """How a round ended, and the racks, which everybody may see now."""

    reason: str
    seats: list[int]
    points: list[int]
    scores: list[ScoreInfo]
    racks: list[list[str]]


class Choice(Struct, frozen=True, omit_defaults=True):
    """A legal move and the points it scores or costs."""

    move: str
    points: int | None = None
    bonus: str | None = None


class Now(Struct, frozen=True, omit_defaults=True):
    """What changes with every move."""

    ply: int
    """The number of this position; no other position of the table has it."""
    turn: int
    totals: list[int]
    rack_sizes: list[int]
    pool_size: int
    draws: int
    """Tiles drawn in the current turn."""
    is_last_round: bool
    remaining: int | None = None
    """Milliseconds left of the turn when this was sent; absent if its time does not count."""
    reserve: int | None = None
    """How many of these come from the reserve of the person to move; they are used last."""
    choices: list[Choice] | None = None
    """The legal moves, if a seat of the receiver is to move."""
    why_not_draw: str | None = None
    """Why the receiver, who is to move, cannot draw."""
    end: EndInfo | None = None


class RoundInfo(Struct, frozen=True):
    """The current round, or the last one."""

    number: int
    starter: int
    start_draws: list[tuple[int, str]]
    turns: list[TurnInfo]


class PastRound(Struct, frozen=True):
    """A round that is over."""

    number: int
    starter: int
    turns: list[TurnInfo]
    end: EndInfo | None
    totals: list[int]


class Result(Struct, frozen=True):
    """How the match ended; head starts are added to the scores, and decide with them."""

    scores: list[int]
    winners: list[int]


class Reminder(Struct, frozen=True):
    """Somebody waits for the person at a seat, who has not moved since."""

    id: int
    """No other reminder of the table has it."""
    seat: int
    by: int


class UndoRequest(Struct, frozen=True):
    """A request to take back the last *moves*."""

    id: int
    """An answer names it."""
    seat: int
    moves: int
    agreed: list[int]


# --- From server to client -----------------------------------------------------------------------


class FromServer(Struct, frozen=True, tag_field="type", omit_defaults=True):
    """A message from the server."""


class State(FromServer, frozen=True, tag="state"):
    """Everything the receiver may know about a table."""

    version: int
    table: str
    state: Literal["open", "opening", "playing", "finished", "closed"]
    rules: dict[str, Any]
    """The edition and every field that differs from it."""
    options: dict[str, Any]
    seats: list[SeatSummary]
    you: list[int]
    is_host: bool
    fair: Fairness
    here: list[int]
    """The seats whose person is connected."""
    spectators: int = 0
    racks: dict[str, list[str]] = {}
    """The tiles of the receiver's own seats."""
    round: RoundInfo | None = None
    past: list[PastRound] = []
    now: Now | None = None
    result: Result | None = None
    undo: UndoRequest | None = None
    rematch: str | None = None
    host: int | None = None
    """The seat of the device that set up the table, if it has one."""
    nearly_full: bool = False
    """Whether only a few more rounds fit on the table."""
    away: dict[str, int] = {}
    """How many seconds each person who is not connected had been away when this was sent."""
    reminders: list[Reminder] = []
    paused: int | None = None
    """The seat that paused the match."""
    closed_why: str | None = None
    """Why the table was closed; ``absent`` is a match that ended because people stayed away."""
    club: str | None = None
    """The club evening that the table belongs to."""
    rounds: int | None = None
    """After so many rounds the match ends, although nobody has met the target."""
    strangers: bool = False
    """Whether the server brought people together who may not know each other."""
    is_rated: bool = False
    """Whether the result counts for the ratings of everybody here."""
    rating_agreed: list[int] = []
    """The seats that agreed to a rated match."""
    protocol: int = PROTOCOL_VERSION


class Moved(FromServer, frozen=True, tag="moved"):
    """The moves since a version, to be applied in order."""

    version: int
    since: int
    turns: list[TurnInfo]
    now: Now


class Current(FromServer, frozen=True, tag="current"):
    """The receiver has the newest version."""

    version: int


class Ack(FromServer, frozen=True, tag="ack"):
    """The message *id* was carried out, and is on disk as of *version*."""

    id: int
    version: int


class Refused(FromServer, frozen=True, tag="refused"):
    """The message *id* was refused and changed nothing."""

    id: int | None
    code: str
    detail: str
    version: int | None = None


class Presence(FromServer, frozen=True, tag="presence"):
    """Who is connected now."""

    here: list[int]
    spectators: int
    away: dict[str, int] = {}
    """As in a state."""


class Reaction(FromServer, frozen=True, tag="reaction"):
    """The reaction of a seat, or of somebody who watches."""

    seat: int | None
    sign: str


class HintMove(Struct, frozen=True):
    """A move of a hint."""

    move: str
    win: float
    """The probability of winning the round."""
    margin: float
    """The expected lead in points at its end."""
    why: list[HintReason]


class Hint(FromServer, frozen=True, tag="hint"):
    """The answer to the question *id*: the best moves, best first."""

    id: int
    ply: int
    moves: list[HintMove]


class Pong(FromServer, frozen=True, tag="pong"):
    """The answer to a ping."""

    id: int
    at: int


class Bye(FromServer, frozen=True, tag="bye"):
    """The server closes this socket; *code* says whether to come back."""

    code: str
    detail: str


ServerMessage = State | Moved | Current | Ack | Refused | Presence | Reaction | Hint | Pong | Bye
