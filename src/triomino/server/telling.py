"""Everything a client is told, made from the views of its seats, in this one place."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, cast

import msgspec

from triomino.fair import ALGORITHM
from triomino.ledger import EndReason
from triomino.moves import Draw, Place
from triomino.protocol.api import TableSummary
from triomino.protocol.messages import (
    Choice,
    EndInfo,
    Fairness,
    Moved,
    Now,
    PastRound,
    Result,
    RoundInfo,
    ScoreInfo,
    State,
    TurnInfo,
    UndoRequest,
)
from triomino.record import record_of
from triomino.scoring import BONUSES
from triomino.view import View

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from triomino.choices import Choices
    from triomino.game import Game, Ply
    from triomino.match import Match
    from triomino.rules import Json, Seat
    from triomino.scoring import Score
    from triomino.server.table import Table


class Told:
    """What of a table was put into words before: nothing of it changes, and a match is long."""

    def __init__(self) -> None:
        self._past: dict[tuple[int, tuple[Seat, ...]], tuple[Game, msgspec.Raw]] = {}
        self._turns: deque[tuple[Game, list[tuple[Ply, TurnInfo]]]] = deque(maxlen=2)
        self._settings: tuple[Json, Json] | None = None

    def turns(self, game: Game, by_bot: Sequence[bool]) -> list[tuple[Ply, TurnInfo]]:
        """The turns of a round, and how everybody sees them; quick for the last two rounds."""
        told = next((turns for known, turns in self._turns if known is game), None)
        if told is None:
            told = []
            self._turns.append((game, told))
        # What was taken back since may have been played otherwise.
        while told and (
            len(told) > len(game.plies) or told[-1][0] is not game.plies[len(told) - 1]
        ):
            told.pop()
        for number in range(len(told), len(game.plies)):
            turn = game.plies[number]
            told.append((turn, _turn(turn, by_bot[number])))
        return told

    def settings(self, table: Table) -> tuple[Json, Json]:
        """The rules of a table, and its other options."""
        if self._settings is None:
            options = msgspec.to_builtins(table.options)
            del options["rules"], options["seats"]
            self._settings = (table.rules.changes, options)
        return self._settings

    def past_round(self, match: Match, number: int, eyes: Eyes) -> PastRound:
        """Round *number* of a match, to be encoded: done once for those who have the same seats."""
        game = match.rounds[number - 1]
        key = (number, tuple(eyes.seats))
        known, told = self._past.get(key, (None, None))
        if known is not game or told is None:
            told = msgspec.Raw(msgspec.json.encode(eyes.past_round(match, number)))
            self._past[key] = (game, told)
        return cast("PastRound", told)


class Moment:
    """A table as it is now: what all receivers are told alike, made once for all of them."""

    def __init__(self, table: Table, told: Told | None = None) -> None:
        self.table = table
        self.told = told or Told()
        self._public: Now | None = None
        self._own: Now | None = None

    @property
    def public(self) -> Now:
        """What everybody may know."""
        if self._public is None:
            self._public = self._now()
        return self._public

    @property
    def own(self) -> Now:
        """The same for whoever has the seat to move, with what that seat can do."""
        if self._own is None:
            table, game = self.table, self.table.game
            # Where a bot plays, its person can do nothing until the seat is taken back.
            waits = not game.over and table.state == "playing" and not table.chairs[game.turn].bot
            if waits:
                own = View.choices_of(game, game.turn)
                choices, why = self._choices(own), own.why_not(Draw())
                self._own = msgspec.structs.replace(
                    self.public, choices=choices, why_not_draw=None if why is None else why.value
                )
            else:
                self._own = self.public
        return self._own

    def _now(self) -> Now:
        table, game = self.table, self.table.game
        deadline = None
        if table.options.clock_seconds and table.state == "playing" and not game.over:
            deadline = table.turn_began + 1000 * table.options.clock_seconds
        return Now(
            turn=game.turn,
            totals=list(game.totals),
            rack_sizes=[len(rack) for rack in game.racks],
            pool_size=len(game.pool),
            draws=len(game.drawn),
            is_last_round=bool(table.match and table.rules.target and table.match.is_last_round),
            deadline=deadline,
            end=_end(game),
        )

    def _choices(self, own: Choices) -> list[Choice]:
        """What the seat to move can do, with as much help as the table allows."""
        help_ = self.table.options.help
        choices = []
        for move in own.legal_moves():
            placed = isinstance(move, Place)
            if placed and help_ == "none":
                continue
            if placed and help_ == "places":
                choices.append(Choice(str(move)))
                continue
            scores = own.scores(move)
            bonus = next((s.reason.value for s in scores if s.reason in BONUSES), None)
            choices.append(Choice(str(move), sum(score.points for score in scores), bonus))
        return choices


class Eyes:
    """The views that one receiver has of a table: of each of its seats, or of a spectator."""

    def __init__(self, table: Table, seats: Sequence[Seat], moment: Moment | None = None) -> None:
        self.table = table
        self.seats = list(seats)
        self._moment = moment or Moment(table)

    def views(self, game: Game) -> list[View]:
        """What the receiver may know of a round."""
        seats: list[Seat | None] = [*self.seats] or [None]
        return [View.of(game, seat) for seat in seats]

    def turn(self, turn: Ply, told: TurnInfo) -> TurnInfo:
        """A turn as the receiver sees it, from what everybody is *told* of it."""
        if turn.tile is None or turn.seat not in self.seats:
            return told
        return msgspec.structs.replace(told, tile=str(turn.tile))

    def turns(self, game: Game, by_bot: Sequence[bool], start: int = 0) -> list[TurnInfo]:
        """The turns of a round from one on."""
        told = self._moment.told.turns(game, by_bot)
        return [self.turn(*told[number]) for number in range(start, len(told))]

    def now(self) -> Now:
        """What changes with every move."""
        moment = self._moment
        return moment.own if self.table.game.turn in self.seats else moment.public

    def racks(self) -> dict[str, list[str]]:
        """The tiles of the receiver's own seats."""
        if self.table.match is None:
            return {}
        return {
            str(view.seat): [str(tile) for tile in view.rack]
            for view in self.views(self.table.game)
            if view.seat is not None
        }

    def state(self, device: str | None, here: Iterable[Seat], spectators: int) -> State:
        """Everything the receiver may know."""
        table, match = self.table, self.table.match
        rules, options = self._moment.told.settings(table)
        round_info, past, now, result = None, [], None, None
        if match is not None:
            game = match.game
            round_info = RoundInfo(
                number=len(match.rounds),
                starter=game.starter,
                start_draws=[(draw.seat, str(draw.tile)) for draw in game.start.start_draws],
                turns=self.turns(game, table.by_bot[-1]),
            )
            past = [
                self._moment.told.past_round(match, number, self)
                for number in range(1, len(match.rounds))
            ]
            now = self.now()
            if match.over:
                result = Result(list(match.scores), list(match.winners))
        undo = table.undo
        return State(
            version=table.version,
            table=table.id,
            state=table.state,
            rules=rules,
            options=options,
            seats=[chair.summary for chair in table.chairs],
            you=self.seats,
            is_host=device == table.host,
            fair=fairness(table),
            here=sorted(here),
            spectators=spectators,
            racks=self.racks(),
            round=round_info,
            past=past,
            now=now,
            result=result,
            undo=UndoRequest(undo.seat, undo.moves, sorted(undo.agreed)) if undo else None,
            rematch=table.rematch,
        )

    def past_round(self, match: Match, number: int) -> PastRound:
        """A round that is over, with the totals that the next one began with."""
        game = match.rounds[number - 1]
        return PastRound(
            number=number,
            starter=game.starter,
            turns=self.turns(game, self.table.by_bot[number - 1]),
            end=_end(game),
            totals=list(match.rounds[number].start_totals),
        )

    def moved(self, since: int, count: int) -> Moved:
        """The last *count* moves, which led from version *since* to now."""
        game, by_bot = self.table.game, self.table.by_bot[-1]
        return Moved(
            version=self.table.version,
            since=since,
            turns=self.turns(game, by_bot, len(game.plies) - count),
            now=self.now(),
        )


def fairness(table: Table) -> Fairness:
    """The commitment, and the seeds once the match is over."""
    over = table.match is not None and table.match.over
    return Fairness(
        algorithm=ALGORITHM,
        commitment=table.seeds.commitment,
        server_seed=table.seeds.server if over else None,
        player_seeds=list(table.seeds.players) if over else None,
    )


def summary(table: Table, device: str | None = None) -> TableSummary:
    """The table in a list."""
    return TableSummary(
        id=table.id,
        state=table.state,
        edition=table.rules.edition,
        rules=table.rules.changes,
        target=table.rules.target,
        seats=[chair.summary for chair in table.chairs],
        listed=table.options.listed,
        created=table.created,
        updated=table.updated,
        you=table.seats_of(device),
    )


def record(table: Table) -> Json:
    """The record of a match that is over, with what bots played for people."""
    if table.match is None or not table.match.over:
        raise AssertionError("a record holds hidden tiles; it waits for the end of the match")
    return mark_bots(record_of(table.match), table.by_bot)


def mark_bots(record: Json, by_bot: Sequence[Sequence[bool]]) -> Json:
    """Mark the turns of a record that bots played for people, and return it."""
    for round_record, marks in zip(record["rounds"], by_bot, strict=True):
        for turn, bot in zip(round_record["turns"], marks, strict=True):
            if bot:
                turn["extra"] = {"by_bot": True}
    return record


def _turn(turn: Ply, by_bot: bool) -> TurnInfo:
    """A turn as everybody sees it: without the tile that was drawn."""
    return TurnInfo(
        seat=turn.seat,
        move=str(turn.move),
        points=turn.points,
        scores=_scores(turn.scores),
        bonus=None if turn.bonus is None else turn.bonus.value,
        by_bot=by_bot,
    )


def _scores(scores: Iterable[Score]) -> list[ScoreInfo]:
    return [ScoreInfo(score.seat, score.reason.value, score.points) for score in scores]


def _end(game: Game) -> EndInfo | None:
    """The end of a round. Its racks are open to all, unless it was given up."""
    if game.end is None:
        return None
    shown = game.end.reason is not EndReason.ABANDONED
    return EndInfo(
        reason=game.end.reason.value,
        seats=list(game.end.seats),
        points=list(game.end.points(game.players)),
        scores=_scores(game.end.scores),
        racks=[[str(tile) for tile in rack] for rack in game.racks] if shown else [],
    )
