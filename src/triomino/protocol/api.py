"""What is said over HTTP: setting up tables and taking seats."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, field

Name = Annotated[str, Meta(min_length=1, max_length=40)]
Seconds = Annotated[int, Meta(ge=5, le=7 * 24 * 3600)]
SeatNumber = Annotated[int, Meta(ge=0, le=5)]


class SeatPlan(Struct, frozen=True, forbid_unknown_fields=True):
    """Who is meant to sit at a seat: the maker's own device, whoever follows the link, or a bot."""

    kind: Literal["here", "link", "bot"]
    name: Name | None = None
    bot: Annotated[str, Meta(max_length=40)] | None = None


class TableOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """What a table is set up with."""

    seats: Annotated[tuple[SeatPlan, ...], Meta(min_length=2, max_length=6)]
    rules: dict[str, Any] = field(default_factory=lambda: {"edition": "classic"})
    clock_seconds: Seconds | None = None
    """For each turn; when it runs out, a bot takes over."""
    away_seconds: Seconds | None = None
    """How long a person may be away before a bot takes over; ``None``: for ever."""
    undo: bool = True
    help: Literal["points", "places", "none"] = "points"
    """What is shown of the legal places, equal for all."""
    hints: bool = True
    listed: bool = False
    """In the lobby for everybody, or by link only."""


class RematchOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """What changes for another match with the same people."""

    rules: dict[str, Any] | UnsetType = UNSET
    clock_seconds: Seconds | UnsetType | None = UNSET
    away_seconds: Seconds | UnsetType | None = UNSET
    undo: bool | UnsetType = UNSET
    help: Literal["points", "places", "none"] | UnsetType = UNSET
    hints: bool | UnsetType = UNSET
    listed: bool | UnsetType = UNSET


class TakeSeat(Struct, frozen=True, forbid_unknown_fields=True):
    """Sit down under a name, and add a seed to the deal."""

    name: Name | None = None
    """``None``: the server makes one up, and says so."""
    seat: SeatNumber | None = None
    """A certain seat, or the first free one."""
    seed: Annotated[str, Meta(pattern="^([0-9a-f]{2}){0,32}$")] = ""


class Claim(Struct, frozen=True, forbid_unknown_fields=True):
    """Come to one's seat from another device, by its secret link."""

    secret: Annotated[str, Meta(min_length=16, max_length=100)]


class PadActs(Struct, frozen=True, forbid_unknown_fields=True):
    """Steps of a score pad, beginning with the one that has the number *since*."""

    secret: Annotated[str, Meta(min_length=16, max_length=100)]
    since: Annotated[int, Meta(ge=0, le=100_000)]
    acts: Annotated[list[dict[str, Any]], Meta(max_length=200)]


class PadMade(Struct, frozen=True):
    """A live sheet: its id lets one look, its secret write. The secret is shown once."""

    pad: str
    secret: str
    path: str


class PadVersion(Struct, frozen=True):
    """How many steps the server has of a sheet."""

    pad: str
    version: int


class PadNews(Struct, frozen=True):
    """What is written on a sheet, beginning with the step that has the number *since*."""

    pad: str
    since: int
    acts: list[dict[str, Any]]


class RecordToAnalyse(Struct, frozen=True, forbid_unknown_fields=True):
    """A match that is over, as its record has it."""

    record: dict[str, Any]


class HintReason(Struct, frozen=True, omit_defaults=True):
    """Why a move is good or bad, for words: what it brings, or a danger and how likely it is."""

    kind: Literal["points", "bonus", "out", "draw", "danger"]
    points: int
    chance: float = 1.0
    bonus: str | None = None


class MarkedMove(Struct, frozen=True, omit_defaults=True):
    """A decision: what the move was worth, and what would have been best."""

    turn: int
    """Its place in the turns of the round."""
    seat: int
    win: float
    """The chance to win the round with the move that was played."""
    margin: float
    """Points more than the others at the end of the round, on average."""
    best: str
    best_win: float
    best_margin: float
    lost: float
    """The chance to win the round that was given away."""
    mark: Literal["inaccuracy", "mistake", "blunder"] | None = None
    why: list[HintReason] = []
    """What is to be said of the best move, where the one played has a mark."""


class AnalysedRound(Struct, frozen=True):
    """A round, looked at move by move."""

    chances: list[list[float]]
    """The chance of each seat to win it: before the first turn, and after every one."""
    moves: list[MarkedMove]
    """The turns in which there was something to choose."""


class AnalysedPlayer(Struct, frozen=True):
    """One player's match: luck and skill apart."""

    seat: int
    decisions: int
    luck: float
    """What dealing and drawing gave, in rounds won."""
    lost: float
    """What the player's own decisions gave away, in rounds won."""
    lost_points: float
    inaccuracies: int
    mistakes: int
    blunders: int


class Analysis(Struct, frozen=True):
    """What was found of a match."""

    players: list[AnalysedPlayer]
    rounds: list[AnalysedRound]


class AnalysisState(Struct, frozen=True):
    """How far an analysis is."""

    id: str
    state: Literal["none", "waiting", "running", "done", "failed"]
    done: int = 0
    """Turns that were looked at."""
    total: int = 0
    ahead: int = 0
    """Analyses that come first."""
    why: str | None = None
    """Why it failed."""
    result: Analysis | None = None


class BotInfo(Struct, frozen=True):
    """An opponent."""

    name: str
    why_not: str | None
    """Why it cannot play on this server; ``None``: it can."""


class RuleLine(Struct, frozen=True):
    """A statement of the rule book: the key of its text and what is filled in."""

    key: str
    values: dict[str, int | str]
    changed: bool
    """It differs from the edition."""


class RuleChapter(Struct, frozen=True):
    """A chapter of the rule book."""

    name: str
    title: str
    """The key of the heading."""
    lines: list[RuleLine]
    figures: list[str]
    """The names of what is drawn there."""


class RuleDeal(Struct, frozen=True):
    """A line of the table of how many tiles each gets."""

    players: int
    each: int
    pool: int
    changed: bool
    """It differs from the edition."""


class RuleBook(Struct, frozen=True):
    """The whole rules of a game, as keys of texts and numbers."""

    rules: dict[str, Any]
    """The edition and what differs from it."""
    cards: bool
    """It speaks of cards, hand and stack; texts that differ for that have keys of their own."""
    chapters: list[RuleChapter]
    deals: list[RuleDeal]


class Device(Struct, frozen=True):
    """The secret that is this device's name; browsers get it as a cookie."""

    secret: str


class SeatTaken(Struct, frozen=True):
    """Which seat one has now."""

    table: str
    seat: int


class SeatLink(Struct, frozen=True):
    """A secret that opens a seat on another device. It is shown once."""

    table: str
    seat: int
    secret: str
    path: str


class SeatSummary(Struct, frozen=True):
    """A seat as everybody sees it."""

    kind: Literal["person", "bot"]
    name: str | None
    """``None`` while nobody sits there."""
    bot: str | None = None
    """The bot that plays here by plan."""
    substitute: str | None = None
    """The bot that plays for a person who is away."""
    is_free: bool = False
    is_made_up: bool = False
    """Nobody gave this name: say it in the reader's words."""


class TableSummary(Struct, frozen=True):
    """A table in a list."""

    id: str
    state: Literal["open", "playing", "finished", "closed"]
    edition: str
    rules: dict[str, Any]
    target: int | None
    seats: list[SeatSummary]
    listed: bool
    created: int
    updated: int
    you: list[int] = []
    """The seats of the device that asks."""


class Problem(Struct, frozen=True):
    """Why a request was refused."""

    code: str
    detail: str
