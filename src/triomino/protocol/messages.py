"""What is said over a socket. Every message is an object whose ``type`` names it.

A client opens one socket, says ``hello`` and gets a ``state``. From then on every change of the
table is a message with the version it leads to. A client that misses one says ``hello`` again with
the version it has.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from msgspec import Meta, Struct

from triomino.protocol.api import HintReason, SeatNumber, SeatSummary

PROTOCOL_VERSION: Final = 1

TableId = Annotated[str, Meta(min_length=1, max_length=40)]
MessageId = Annotated[int, Meta(ge=0, le=2**53)]
Version = Annotated[int, Meta(ge=0, le=2**53)]


# --- From client to server -----------------------------------------------------------------------


class FromClient(Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """What a client may say."""


class Hello(FromClient, frozen=True, tag="hello"):
    """Come to a table, or come back to it with the version one has."""

    table: TableId
    version: Version | None = None
    secret: Annotated[str, Meta(max_length=100)] | None = None
    """The device's secret, for clients that keep no cookies."""
    protocol: int = PROTOCOL_VERSION


class MoveMessage(FromClient, frozen=True, tag="move"):
    """Play a move for a seat of one's own, on the table as of *version*."""

    move: Annotated[str, Meta(max_length=60)]
    version: Version
    id: MessageId
    seat: SeatNumber | None = None


class NextRoundMessage(FromClient, frozen=True, tag="next_round"):
    """Go on to the next round."""

    version: Version
    id: MessageId


class UndoMessage(FromClient, frozen=True, tag="undo"):
    """Take one's last decision back; people at the table have to agree."""

    version: Version
    id: MessageId
    seat: SeatNumber | None = None


class AnswerUndo(FromClient, frozen=True, tag="answer_undo"):
    """Agree that a decision is taken back, or not."""

    agree: bool
    version: Version
    id: MessageId
    seat: SeatNumber | None = None


class GiveUpMessage(FromClient, frozen=True, tag="give_up"):
    """Give the match up: with two players it is over, with more a bot goes on."""

    version: Version
    id: MessageId
    seat: SeatNumber | None = None


class ReturnMessage(FromClient, frozen=True, tag="return"):
    """Take one's seat back from the bot that played for one."""

    version: Version
    id: MessageId
    seat: SeatNumber | None = None


class AskHint(FromClient, frozen=True, tag="ask_hint"):
    """Ask what would be best now; only where the table allows hints. Nothing is kept of it."""

    version: Version
    id: MessageId
    seat: SeatNumber | None = None


class React(FromClient, frozen=True, tag="react"):
    """A quick sign to the others; it is not kept."""

    sign: Literal["hello", "well_played", "wow", "oops", "thinking", "thanks"]
    seat: SeatNumber | None = None


class Ping(FromClient, frozen=True, tag="ping"):
    """Ask whether the server is there."""

    id: MessageId = 0


ClientMessage = (
    Hello
    | MoveMessage
    | NextRoundMessage
    | UndoMessage
    | AnswerUndo
    | GiveUpMessage
    | ReturnMessage
    | AskHint
    | React
    | Ping
)


# --- Parts of a state ----------------------------------------------------------------------------


class ScoreInfo(Struct, frozen=True, omit_defaults=True):
    """Points, and why."""

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
    """The tile drawn; only its owner is told."""
    bonus: str | None = None
    by_bot: bool = False
    """Played by a bot for a person."""


class EndInfo(Struct, frozen=True):
    """How a round ended, and what was left on the racks, which are open now."""

    reason: str
    seats: list[int]
    points: list[int]
    scores: list[ScoreInfo]
    racks: list[list[str]]


class Choice(Struct, frozen=True, omit_defaults=True):
    """A legal move and what it gives or costs by itself."""

    move: str
    points: int | None = None
    bonus: str | None = None


class Now(Struct, frozen=True, omit_defaults=True):
    """What changes with every move."""

    turn: int
    totals: list[int]
    rack_sizes: list[int]
    pool_size: int
    draws: int
    """Tiles drawn in the running turn."""
    is_last_round: bool
    deadline: int | None = None
    """When the clock of this turn runs out, in milliseconds since 1970."""
    choices: list[Choice] | None = None
    """What the receiver can do, if one of its seats is to move."""
    why_not_draw: str | None = None
    """Why the receiver, who is to move, cannot draw now."""
    end: EndInfo | None = None


class RoundInfo(Struct, frozen=True):
    """The running round, or the last one."""

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


class Fairness(Struct, frozen=True, omit_defaults=True):
    """The commitment before the deal; the seeds once the match is over."""

    algorithm: str
    commitment: str
    server_seed: str | None = None
    player_seeds: list[str] | None = None


class Result(Struct, frozen=True):
    """How the match ended."""

    scores: list[int]
    winners: list[int]


class UndoRequest(Struct, frozen=True):
    """Somebody asks to take back so many moves."""

    seat: int
    moves: int
    agreed: list[int]


# --- From server to client -----------------------------------------------------------------------


class FromServer(Struct, frozen=True, tag_field="type", omit_defaults=True):
    """What the server says."""


class State(FromServer, frozen=True, tag="state"):
    """Everything the receiver may know of a table."""

    version: int
    table: str
    state: Literal["open", "playing", "finished", "closed"]
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
    protocol: int = PROTOCOL_VERSION


class Moved(FromServer, frozen=True, tag="moved"):
    """Moves since the version before; apply them in order."""

    version: int
    since: int
    turns: list[TurnInfo]
    now: Now


class Current(FromServer, frozen=True, tag="current"):
    """You have the newest version."""

    version: int


class Ack(FromServer, frozen=True, tag="ack"):
    """What you sent as *id* is on disk as of *version*."""

    id: int
    version: int


class Refused(FromServer, frozen=True, tag="refused"):
    """What you sent as *id* changed nothing, and why."""

    id: int | None
    code: str
    detail: str
    version: int | None = None


class Presence(FromServer, frozen=True, tag="presence"):
    """Who is connected now."""

    here: list[int]
    spectators: int


class Reaction(FromServer, frozen=True, tag="reaction"):
    """Somebody made a sign."""

    seat: int
    sign: str


class HintMove(Struct, frozen=True):
    """A move that was thought about."""

    move: str
    win: float
    """The chance to win the round."""
    margin: float
    """Points more than the others at its end, on average."""
    why: list[HintReason]


class Hint(FromServer, frozen=True, tag="hint"):
    """The best moves found for what you asked as *id*, the best first."""

    id: int
    version: int
    moves: list[HintMove]


class Pong(FromServer, frozen=True, tag="pong"):
    """I am here."""

    id: int
    at: int


class Bye(FromServer, frozen=True, tag="bye"):
    """The server closes this socket: come back later, or not."""

    code: str
    detail: str


ServerMessage = State | Moved | Current | Ack | Refused | Presence | Reaction | Hint | Pong | Bye
