"""The bodies of HTTP requests and answers."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, field

Name = Annotated[str, Meta(min_length=1, max_length=40)]
Seconds = Annotated[int, Meta(ge=5, le=7 * 24 * 3600)]
ReserveSeconds = Annotated[int, Meta(ge=0, le=3600)]
Pace = Literal["calm", "quick", "at_once"]
Help = Literal["points", "places", "none"]
HeadStart = Annotated[int, Meta(ge=0, le=500)]
LEAST_SECRET: Final = 16
"""Characters of the secret of a device, a link or a sheet, at least."""
SeatNumber = Annotated[int, Meta(ge=0, le=5)]
ClubTiles = Literal["screen", "real"]
ClubSource = Literal["table", "sheet", "host"]
ClubPoints = Annotated[int, Meta(ge=0, le=480)]
ClubNumber = Annotated[int, Meta(ge=0, le=200)]
MatchRounds = Annotated[int, Meta(ge=1, le=20)]
ClubTotal = Annotated[int, Meta(ge=-100_000, le=100_000)]
Hex64 = Annotated[str, Meta(pattern="^[0-9a-f]{64}$", max_length=64)]


class SeatPlan(Struct, frozen=True, forbid_unknown_fields=True):
    """Who plays at a seat: somebody at the device that sets up the table, a guest, or a bot."""

    kind: Literal["here", "link", "bot"]
    name: Name | None = None
    bot: Annotated[str, Meta(max_length=40)] | None = None
    help: Help | None = None
    """How much this seat is shown of its legal placements; ``None`` is as much as the others."""
    head_start: HeadStart = 0
    """Points that are added to the seat's score at the end of the match."""


class TableOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """The options of a table."""

    seats: Annotated[tuple[SeatPlan, ...], Meta(min_length=2, max_length=6)]
    rules: dict[str, Any] = field(default_factory=lambda: {"edition": "classic"})
    clock_seconds: Seconds | None = None
    """For each turn; when it runs out, a bot takes over."""
    reserve_seconds: ReserveSeconds | UnsetType = UNSET
    """What each person may spend in the whole match beyond the clock of single turns. Left out if
    there is none: older servers, which may run beside this one, refuse what they do not know."""
    away_seconds: Seconds | None = 300
    """How long a person may be away, while another one waits, before a bot takes over; with
    ``None`` it does so only if somebody asks for it."""
    undo: bool = True
    help: Help = "points"
    """How much is shown of the legal placements to every seat that has no help of its own."""
    hints: bool = True
    listed: bool = False
    """Whether the table is in the lobby, or open by link only."""
    pace: Pace = "quick"
    """How long bots take for a move; each pace is a fixed time, the same for every move."""
    spectators_react: bool = False
    """Whether those who watch may send reactions, too."""


class ArrivingTable(Struct, frozen=True, forbid_unknown_fields=True):
    """A match that began in a browser, to be played on here: its options, its deal, its moves."""

    options: TableOptions
    server_seed: Hex64
    """Of ``fair/1``, without seeds of players."""
    names: Annotated[list[Name], Meta(min_length=2, max_length=6)]
    rounds: Annotated[
        list[Annotated[list[Annotated[str, Meta(max_length=40)]], Meta(max_length=500)]],
        Meta(min_length=1, max_length=100),
    ]
    """The moves of every round."""
    friend: SeatNumber | None = None
    """The seat that is for somebody else from now on; whoever opens its link plays there."""


class ArrivedTable(Struct, frozen=True):
    """Where a match from a browser is played on."""

    id: str
    path: str | None
    """The secret link to the friend's seat; it is shown once."""


class RematchOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """The options that change for a rematch."""

    rules: dict[str, Any] | UnsetType = UNSET
    clock_seconds: Seconds | UnsetType | None = UNSET
    away_seconds: Seconds | UnsetType | None = UNSET
    undo: bool | UnsetType = UNSET
    help: Help | UnsetType = UNSET
    hints: bool | UnsetType = UNSET
    listed: bool | UnsetType = UNSET
    pace: Pace | UnsetType = UNSET
    spectators_react: bool | UnsetType = UNSET


class TakeSeat(Struct, frozen=True, forbid_unknown_fields=True):
    """Take a seat under a name."""

    name: Name | None = None
    """``None`` lets the server choose one, which it marks as made up."""
    seat: SeatNumber | None = None
    """``None`` is the first free seat."""
    seed: Annotated[str, Meta(pattern="^([0-9a-f]{2}){0,32}$")] = ""
    """For tables set up before ``fair/2``; otherwise it is ignored, and the device commits."""
    commitment: Hex64 | None = None
    """Commit the device to its seed in the same request; as by a request of its own."""
    start: bool = False
    """Start the match in the same request, after the commitment; as by a request of its own."""


class Commitment(Struct, frozen=True, forbid_unknown_fields=True):
    """Commit the device to a seed that it reveals once the match is started."""

    commitment: Hex64


class Seed(Struct, frozen=True, forbid_unknown_fields=True):
    """Reveal the seed that the device committed to."""

    seed: Hex64


class Claim(Struct, frozen=True, forbid_unknown_fields=True):
    """Take over a seat on another device by its secret link, which works once."""

    secret: Annotated[str, Meta(min_length=LEAST_SECRET, max_length=100)]


class PadActs(Struct, frozen=True, forbid_unknown_fields=True):
    """Steps of a score pad from number *since* on."""

    secret: Annotated[str, Meta(min_length=16, max_length=100)]
    since: Annotated[int, Meta(ge=0, le=100_000)]
    acts: Annotated[list[dict[str, Any]], Meta(max_length=200)]


class PadMade(Struct, frozen=True):
    """A new live sheet: its id is for reading, its secret for writing. The secret is shown once."""

    pad: str
    secret: str
    path: str


class PadVersion(Struct, frozen=True):
    """How many steps of a sheet the server has."""

    pad: str
    version: int


class PadNews(Struct, frozen=True):
    """Steps of a sheet from number *since* on."""

    pad: str
    since: int
    acts: list[dict[str, Any]]


class ClubOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """How a club evening is played."""

    name: Name
    system: Literal["swiss", "round_robin"] = "swiss"
    seats: Annotated[int, Meta(ge=2, le=4)] = 2
    """Players at a table; where the number of people wants it, one fewer."""
    rounds: Annotated[int, Meta(ge=1, le=40)] | None = None
    """How many rounds are planned; the host may end sooner or go on."""
    rules: dict[str, Any] = field(default_factory=lambda: {"edition": "classic"})
    """Of every match, its target included; without a target a match is one round."""
    match_rounds: MatchRounds | None = None
    """After so many rounds a match ends; without a target it has no other end."""
    tiles: ClubTiles = "screen"
    """How tables are played unless the host says otherwise: on screens, or with real tiles."""


class ClubAct(Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """What somebody does at a club evening."""


class ClubJoin(ClubAct, frozen=True, tag="join"):
    """Come to the evening with this device; the host writes down people without one."""

    name: Name
    points: ClubPoints = 0
    """What a late comer begins with; only the host gives any."""
    here: bool = True
    """Whether this device is the player's; the host says no."""


class ClubLeave(ClubAct, frozen=True, tag="leave"):
    """Leave; the host may say so of anybody."""

    player: ClubNumber


class ClubReturn(ClubAct, frozen=True, tag="return"):
    """Be there again."""

    player: ClubNumber


class ClubGrant(ClubAct, frozen=True, tag="grant"):
    """Decide with how many points a player began; for the host."""

    player: ClubNumber
    points: ClubPoints


class ClubNextRound(ClubAct, frozen=True, tag="next_round"):
    """Begin the next round; for the host."""

    number: Annotated[int, Meta(ge=1, le=40)]
    """Of the round to begin, so that asking twice begins one."""


class ClubSwitch(ClubAct, frozen=True, tag="switch"):
    """Play a table of the current round with real tiles, or on screens; for the host."""

    table: ClubNumber
    tiles: ClubTiles


class ClubResult(ClubAct, frozen=True, tag="result"):
    """Write down or correct the result of a table; for the host."""

    round: Annotated[int, Meta(ge=1, le=40)]
    table: ClubNumber
    totals: Annotated[list[ClubTotal], Meta(min_length=2, max_length=4)]
    winners: Annotated[list[SeatNumber], Meta(max_length=4)] = []
    """The seats that won, if not simply the highest totals."""


class ClubConfirm(ClubAct, frozen=True, tag="confirm"):
    """Confirm what the sheet of a table says; for the host."""

    round: Annotated[int, Meta(ge=1, le=40)]
    table: ClubNumber


class ClubClose(ClubAct, frozen=True, tag="close"):
    """End the evening; for the host."""


class ClubRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Something to do at a club evening; the host sends the secret along."""

    act: (
        ClubJoin
        | ClubLeave
        | ClubReturn
        | ClubGrant
        | ClubNextRound
        | ClubSwitch
        | ClubResult
        | ClubConfirm
        | ClubClose
    )
    secret: Annotated[str, Meta(min_length=LEAST_SECRET, max_length=100)] | None = None


class ClubMade(Struct, frozen=True):
    """A new club evening. The secret makes one its host, and is shown once."""

    club: str
    secret: str
    path: str


class ClubPlayer(Struct, frozen=True):
    """Somebody who came; players are numbered in the order in which they did."""

    name: str
    present: bool
    points: int
    """What the player began with."""
    has_device: bool
    """Whether the player came by the link, and can play on a screen."""


class ClubTable(Struct, frozen=True):
    """A table of a round."""

    players: list[int]
    tiles: ClubTiles
    id: str
    """Of the table, or of the live sheet."""
    totals: list[int] | None = None
    winners: list[int] = []
    """Seats, that is places in ``players``."""
    source: ClubSource | None = None
    """Where the result comes from."""
    confirmed: bool = False
    path: str | None = None
    """What opens the score pad for writing: for the host and those who play there."""


class ClubRound(Struct, frozen=True):
    """A round."""

    tables: list[ClubTable]
    byes: list[int]


class ClubRow(Struct, frozen=True):
    """A line of the standings."""

    rank: int
    player: int
    points: int
    buchholz: float
    direct: int
    difference: float
    tables: int
    wins: int
    byes: int


class ClubState(Struct, frozen=True):
    """A club evening as the one who asks may see it."""

    club: str
    version: int
    options: ClubOptions
    closed: bool
    players: list[ClubPlayer]
    rounds: list[ClubRound]
    standings: list[ClubRow]
    you: int | None = None
    """The player of the device that asks."""
    is_host: bool = False


class ClubNews(Struct, frozen=True):
    """On the socket of a club evening: something has happened, and up to which version."""

    club: str
    version: int


class QuietHours(Struct, frozen=True, forbid_unknown_fields=True):
    """Hours of the day in which nothing is told."""

    begin: Annotated[int, Meta(ge=0, lt=1440)]
    """The minute of the day."""
    end: Annotated[int, Meta(ge=0, lt=1440)]
    offset: Annotated[int, Meta(ge=-900, le=900)]
    """Minutes that the clock of the device is ahead of UTC."""


class PushSubscription(Struct, frozen=True, forbid_unknown_fields=True):
    """Where and when this device is told something while its page is closed, as a browser says."""

    endpoint: Annotated[str, Meta(min_length=1, max_length=800)]
    p256dh: Annotated[str, Meta(min_length=80, max_length=100)]
    auth: Annotated[str, Meta(min_length=20, max_length=40)]
    language: Annotated[str, Meta(min_length=1, max_length=10)]
    wishes: Annotated[list[Literal["turns", "invitations", "reminders"]], Meta(max_length=3)]
    quiet: QuietHours | None = None


class PushState(Struct, frozen=True):
    """What this server knows about telling this device."""

    key: str | None
    """What to subscribe with; ``None`` if nobody is told here."""
    is_subscribed: bool


class RecordToAnalyse(Struct, frozen=True, forbid_unknown_fields=True):
    """The record of a match that is over."""

    record: dict[str, Any]


class HintReason(Struct, frozen=True, omit_defaults=True):
    """A reason for or against a move.

    What it gains, what may follow and how likely that is, which tiles it keeps, or which other move
    is as good.
    """

    kind: Literal[
        "points", "bonus", "out", "draw", "danger", "stuck", "keeps", "fits", "hopes", "tie"
    ]
    points: int
    chance: float = 1.0
    """Of a danger, that the next player scores so many points; of ``stuck``, that they place
    nothing; of ``fits`` and ``hopes``, the part of the unseen tiles that fit, or score."""
    bonus: str | None = None
    count: int = 0
    """How many tiles are kept that fit at ``number``."""
    number: int | None = None
    move: str | None = None
    """The move that is as good."""


class MarkedMove(Struct, frozen=True, omit_defaults=True):
    """A decision: what the played move was worth, and the best one."""

    turn: int
    """The index of the move in the turns of the round."""
    seat: int
    win: float
    """The probability of winning the round after the played move."""
    margin: float
    """The expected lead in points at the end of the round."""
    best: str
    best_win: float
    best_margin: float
    lost: float
    """The probability of winning the round that was given away. Below zero if the move played looks
    better than the best, which is chance or an error of the search."""
    noise: float = 0.0
    """The standard error of ``lost``."""
    mark: Literal["inaccuracy", "mistake", "blunder"] | None = None
    why: list[HintReason] = []
    """Reasons for the best move, if the played one has a mark."""


class AnalysedRound(Struct, frozen=True):
    """The analysis of a round."""

    chances: list[list[float]]
    """The probability of each seat to win: before the first move, and after every one."""
    moves: list[MarkedMove]
    """The moves where there was a choice."""


class AnalysedPlayer(Struct, frozen=True):
    """A player's match, with luck and skill separated."""

    seat: int
    decisions: int
    luck: float
    """What the deals and everybody's draws were worth, in rounds won; over the players it sums to
    zero."""
    lost: float
    """What the player's decisions gave away, in rounds won."""
    lost_points: float
    inaccuracies: int
    mistakes: int
    blunders: int
    noise: float = 0.0
    """The standard error of ``lost``."""


class Analysis(Struct, frozen=True):
    """The analysis of a match."""

    players: list[AnalysedPlayer]
    rounds: list[AnalysedRound]


class AnalysisState(Struct, frozen=True):
    """The progress of an analysis, and its result."""

    id: str
    state: Literal["none", "waiting", "running", "done", "failed"]
    done: int = 0
    """Moves that have been analysed."""
    total: int = 0
    ahead: int = 0
    """Analyses that are before this one in the queue."""
    why: str | None = None
    """Why it failed."""
    result: Analysis | None = None


class BotInfo(Struct, frozen=True):
    """A level of bot."""

    name: str
    why_not: str | None
    """Why it cannot play on this server; ``None`` if it can."""


class RuleLine(Struct, frozen=True):
    """A statement of the rule book: the key of its text and the values to fill in."""

    key: str
    values: dict[str, int | str]
    changed: bool
    """Whether it differs from the edition."""


class RuleChapter(Struct, frozen=True):
    """A chapter of the rule book."""

    name: str
    title: str
    """The key of the heading."""
    lines: list[RuleLine]
    figures: list[str]
    """The names of its figures."""


class RuleDeal(Struct, frozen=True):
    """How many tiles are dealt to so many players."""

    players: int
    each: int
    pool: int
    changed: bool
    """Whether it differs from the edition."""


class RuleScore(Struct, frozen=True):
    """A row of the table of points."""

    key: str
    values: dict[str, int | str]
    points: int | None
    """What it scores; ``None`` where a text says what it is worth."""
    worth: str
    """The key of that text, or empty."""
    figure: str
    changed: bool
    """Whether it differs from the edition."""


class RuleTry(Struct, frozen=True):
    """A move that can be tried in the position of a question."""

    move: str
    why: str | None
    """Why it is not legal, or ``None`` if it is."""
    points: int


class RuleAnswer(Struct, frozen=True):
    """A question about the rules and its answer."""

    name: str
    question: str
    """The key of the question."""
    key: str
    """The key of the answer."""
    values: dict[str, int | str]
    yes: bool
    source: str
    """``printed``, ``reading`` or ``house``."""
    figure: str
    tries: list[RuleTry]
    """What can be tried; the move that the question asks about comes first."""


class RuleSum(Struct, frozen=True):
    """A worked sum: a score, what is added or taken away, and the result."""

    key: str
    values: dict[str, int | str]
    start: int
    parts: list[int]
    total: int


class RuleBook(Struct, frozen=True):
    """The rules of a game, as keys of texts and numbers."""

    rules: dict[str, Any]
    """The edition and every field that differs from it."""
    cards: bool
    """Whether it speaks of cards, hand and stack, by texts with keys of their own."""
    chapters: list[RuleChapter]
    deals: list[RuleDeal]
    minute: list[RuleLine]
    """The game in a few lines."""
    scores: list[RuleScore]
    """The table of points; empty without points."""
    answers: list[RuleAnswer]
    sums: list[RuleSum]
    misses: list[str]
    """The names of the figures of near misses."""
    advice: list[RuleLine]
    leaflet: list[RuleLine]
    """What the printed rules say besides, and what they leave open."""
    paragraphs: dict[str, str]
    """The key of the line that explains a refusal, by its code."""


class Device(Struct, frozen=True):
    """The secret that names a device; browsers get it as a cookie, too."""

    secret: str


class SeatTaken(Struct, frozen=True):
    """The seat that was taken."""

    table: str
    seat: int


class SeatLink(Struct, frozen=True):
    """A secret that opens a seat on another device. It is shown once and works once."""

    table: str
    seat: int
    secret: str
    path: str


class SeatSummary(Struct, frozen=True):
    """A seat as everybody sees it."""

    kind: Literal["person", "bot"]
    name: str | None
    """``None`` while the seat is free."""
    bot: str | None = None
    """The bot that the table was set up with."""
    substitute: str | None = None
    """The bot that plays for a person who is away."""
    is_free: bool = False
    is_made_up: bool = False
    """Whether the server chose the name; show it in the reader's language."""
    help: Help | None = None
    """The help of this seat, if it is not that of the table."""
    head_start: int = 0


class Standing(Struct, frozen=True):
    """How a match stands, as everybody may see it."""

    round: int
    turn: int | None
    """The seat to move; ``None`` between rounds and at the end."""
    totals: list[int]
    winners: list[int]
    """Empty until the match is over."""
    places: list[str]
    """The tiles on the board, in the order they were laid."""


class FairSeat(Struct, frozen=True, omit_defaults=True):
    """A seat in the opening: the devices that committed for it, by number, or its bot."""

    devices: list[int] | None = None
    bot: str | None = None


class FairDevice(Struct, frozen=True, omit_defaults=True):
    """A device that committed to a seed."""

    commitment: str
    revealed: bool = False
    """Whether it revealed the seed in time."""
    seed: str | None = None
    """Known to all from the first deal on."""


class Fairness(Struct, frozen=True, omit_defaults=True):
    """What was promised about the deals, and from the end of the match on, the server's seed."""

    algorithm: str
    commitment: str
    """Of the server, from the moment the table is set up."""
    server_seed: str | None = None
    """Once the match is over, or the table is closed."""
    player_seeds: list[str] | None = None
    """Of ``fair/1`` only, together with the server's seed."""
    public_key: str | None = None
    """The key that signs what follows."""
    seats: list[FairSeat] = []
    devices: list[FairDevice] = []
    opening: str | None = None
    """What was settled with the start, as it was signed."""
    opening_signature: str | None = None
    rules: dict[str, Any] | None = None
    """Every rule, as hashed in the opening; while seeds are being revealed."""
    reveal_until: int | None = None
    """When the deal is made without the seeds that are missing, in milliseconds since 1970."""
    signature: str | None = None
    """Of the transcript, which is the opening with the seeds of the devices."""


class TableSummary(Struct, frozen=True):
    """A table in a list."""

    id: str
    state: Literal["open", "opening", "playing", "finished", "closed"]
    edition: str
    rules: dict[str, Any]
    target: int | None
    seats: list[SeatSummary]
    listed: bool
    created: int
    updated: int
    fair: Fairness
    you: list[int] = []
    """The seats of the device that sent the request."""
    standing: Standing | None = None
    """Of a match that has begun; left out of the lobby."""
    rounds: int | None = None
    """After so many rounds the match ends, although nobody has met the target."""


class Problem(Struct, frozen=True):
    """Why a request was refused."""

    code: str
    detail: str
