"""Everything a client is told about a table, built from the views of its seats in one place."""

from __future__ import annotations

from collections import deque
from types import MappingProxyType
from typing import TYPE_CHECKING, cast

import msgspec

from triomino.fair2 import SharedSeeds
from triomino.ledger import EndReason
from triomino.moves import Draw, Place
from triomino.protocol.api import FairDevice, Fairness, FairSeat, Standing, TableSummary
from triomino.protocol.messages import (
    Choice,
    EndInfo,
    Moved,
    Now,
    PastRound,
    Reminder,
    Result,
    RoundInfo,
    ScoreInfo,
    State,
    TurnInfo,
    UndoRequest,
)
from triomino.record import record_of
from triomino.scoring import BONUSES
from triomino.server.bounds import is_nearly_full
from triomino.view import View

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from triomino.choices import Choices
    from triomino.fair2 import Opening
    from triomino.game import Game, Ply
    from triomino.match import Match
    from triomino.rules import Json, Seat
    from triomino.scoring import Score
    from triomino.server.table import PendingUndo, Table


class EncodedTurns:
    """Parts of a table's messages that never change, kept because a match is long."""

    def __init__(self) -> None:
        self._past: dict[tuple[int, tuple[Seat, ...]], tuple[Game, msgspec.Raw]] = {}
        self._turns: deque[tuple[Game, list[tuple[Ply, TurnInfo]]]] = deque(maxlen=2)
        self._settings: tuple[Json, Json] | None = None

    def turns(self, game: Game, by_bot: Sequence[bool]) -> list[tuple[Ply, TurnInfo]]:
        """The plies of a round with their public form; kept for the last two rounds asked for."""
        known = next((turns for round_, turns in self._turns if round_ is game), None)
        if known is None:
            known = []
            self._turns.append((game, known))
        # After an undo other plies may have been played.
        while known and (
            len(known) > len(game.plies) or known[-1][0] is not game.plies[len(known) - 1]
        ):
            known.pop()
        for number in range(len(known), len(game.plies)):
            ply = game.plies[number]
            known.append((ply, _public_turn(ply, by_bot[number])))
        return known

    def settings(self, table: Table) -> tuple[Json, Json]:
        """The rules of a table, and its other options."""
        if self._settings is None:
            options = msgspec.to_builtins(table.options)
            del options["rules"], options["seats"]
            self._settings = (table.rules.changes, options)
        return self._settings

    def has_round(self, match: Match, number: int, receiver: Receiver) -> bool:
        """Whether round *number* is encoded already for a receiver with these seats."""
        known, _ = self._past.get((number, tuple(receiver.seats)), (None, None))
        return known is match.rounds[number - 1]

    def past_round(self, match: Match, number: int, receiver: Receiver) -> PastRound:
        """Round *number* of a match, encoded once for all receivers with the same seats."""
        game = match.rounds[number - 1]
        key = (number, tuple(receiver.seats))
        known, encoded = self._past.get(key, (None, None))
        if known is not game or encoded is None:
            encoded = msgspec.Raw(msgspec.json.encode(receiver.past_round(match, number)))
            self._past[key] = (game, encoded)
        return cast("PastRound", encoded)


class Snapshot:
    """A table at its current version: what all receivers share is built once for all of them."""

    def __init__(
        self,
        table: Table,
        encoded: EncodedTurns | None = None,
        remaining: int | None = None,
    ) -> None:
        self.table = table
        self.encoded = encoded or EncodedTurns()
        self.remaining = remaining
        """Milliseconds left of the turn."""
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
        """What the owner of the seat to move may know: the same with that seat's choices."""
        if self._own is None:
            table, game = self.table, self.table.game
            # Where a bot stands in, the person has no choices until the seat is taken back.
            waits = not game.over and table.state == "playing" and not table.chairs[game.turn].bot
            waits = waits and table.paused is None
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
        return Now(
            ply=table.ply,
            turn=game.turn,
            totals=list(game.totals),
            rack_sizes=[len(rack) for rack in game.racks],
            pool_size=len(game.pool),
            draws=len(game.drawn),
            is_last_round=bool(table.match and table.rules.target and table.match.is_last_round),
            remaining=self.remaining,
            reserve=self._reserve(),
            end=_end(game),
        )

    def _reserve(self) -> int | None:
        """What the seat to move had left of its reserve when the turn began."""
        has_reserve = self.remaining is not None and self.table.options.reserve_seconds
        return self.table.reserve_left(self.table.game.turn) if has_reserve else None

    def _choices(self, own: Choices) -> list[Choice]:
        """The choices of the seat to move, in as much detail as the table allows."""
        help_ = self.table.help_at(self.table.game.turn)
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


class Receiver:
    """What one client may know of a table: the views of its seats, or a spectator's."""

    def __init__(
        self, table: Table, seats: Sequence[Seat], snapshot: Snapshot | None = None
    ) -> None:
        self.table = table
        self.seats = list(seats)
        self._snapshot = snapshot or Snapshot(table)

    def views(self, game: Game) -> list[View]:
        """What the receiver may know of a round."""
        seats: list[Seat | None] = [*self.seats] or [None]
        return [View.of(game, seat) for seat in seats]

    def turn(self, ply: Ply, public: TurnInfo) -> TurnInfo:
        """A ply as the receiver sees it, given its *public* form."""
        if ply.tile is None or ply.seat not in self.seats:
            return public
        return msgspec.structs.replace(public, tile=str(ply.tile))

    def turns(self, game: Game, by_bot: Sequence[bool], start: int = 0) -> list[TurnInfo]:
        """The plies of a round from *start* on, as the receiver sees them."""
        turns = self._snapshot.encoded.turns(game, by_bot)
        return [self.turn(*turns[number]) for number in range(start, len(turns))]

    def now(self) -> Now:
        """What changes with every move."""
        snapshot = self._snapshot
        return snapshot.own if self.table.game.turn in self.seats else snapshot.public

    def racks(self) -> dict[str, list[str]]:
        """The tiles of the receiver's own seats."""
        if self.table.match is None:
            return {}
        return {
            str(view.seat): [str(tile) for tile in view.rack]
            for view in self.views(self.table.game)
            if view.seat is not None
        }

    def state(
        self,
        device: str | None,
        here: Iterable[Seat],
        spectators: int,
        away: Mapping[str, int] = MappingProxyType({}),
    ) -> State:
        """Everything the receiver may know."""
        table, match = self.table, self.table.match
        rules, options = self._snapshot.encoded.settings(table)
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
                self._snapshot.encoded.past_round(match, number, self)
                for number in range(1, len(match.rounds))
            ]
            now = self.now()
            if match.over:
                result = Result(final_scores(table), list(table.winners))
        undo = table.undo
        return State(
            version=table.version,
            table=table.id,
            state=table.state,
            rules=rules,
            options=options,
            seats=[chair.summary for chair in table.chairs],
            you=self.seats,
            is_host=table.is_host(device),
            fair=fairness(table),
            here=sorted(here),
            spectators=spectators,
            racks=self.racks(),
            round=round_info,
            past=past,
            now=now,
            result=result,
            undo=_undo_request(undo) if undo else None,
            rematch=table.rematch,
            host=next(iter(table.seats_of(table.host)), None),
            nearly_full=is_nearly_full(table),
            away=dict(away),
            reminders=_reminders(table),
            paused=table.paused,
            closed_why=table.closed_why,
            club=table.club or None,
            rounds=table.most_rounds,
            strangers=table.strangers,
            is_rated=table.is_rated,
            rating_agreed=[seat for seat, chair in enumerate(table.chairs) if chair.person],
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
        """The last *count* moves, which led from version *since* to the current one."""
        game, by_bot = self.table.game, self.table.by_bot[-1]
        return Moved(
            version=self.table.version,
            since=since,
            turns=self.turns(game, by_bot, len(game.plies) - count),
            now=self.now(),
        )


def fairness(table: Table) -> Fairness:
    """What everybody may know about the seeds of a table.

    The seeds of devices are shown with the deal, the server's once nobody can play on.
    """
    exchange = table.exchange
    server_seed = exchange.server_seed if table.is_seed_public else None
    if exchange.is_fair_1:
        players = [chair.seed for chair in table.chairs]
        return Fairness(
            algorithm=exchange.algorithm,
            commitment=exchange.commitment,
            server_seed=server_seed,
            player_seeds=None if server_seed is None else players,
        )
    opening, seeds = table.opening(), None if table.match is None else table.match.seeds
    return Fairness(
        algorithm=exchange.algorithm,
        commitment=exchange.commitment,
        server_seed=server_seed,
        public_key=exchange.public_key,
        seats=[
            FairSeat(bot=seat.bot) if seat.bot else FairSeat(devices=list(seat.devices))
            for seat in opening.seats
        ],
        devices=_fair_devices(table, opening),
        opening=opening.text if exchange.opening else None,
        opening_signature=exchange.opening_signature or None,
        rules=dict(exchange.rules) if table.state == "opening" else None,
        reveal_until=exchange.reveal_until if table.state == "opening" else None,
        signature=seeds.signature if isinstance(seeds, SharedSeeds) else None,
    )


def _fair_devices(table: Table, opening: Opening) -> list[FairDevice]:
    """The devices by number; a seed is for all to see only once it has dealt."""
    exchange = table.exchange
    return [
        FairDevice(
            commitment=commitment,
            revealed=number < len(exchange.devices)
            and exchange.devices[number] in exchange.revealed,
            seed=exchange.device_seeds[number] if table.match is not None else None,
        )
        for number, commitment in enumerate(opening.devices)
    ]


def standing(table: Table) -> Standing | None:
    """How the match of a table stands; ``None`` before it has begun."""
    match = table.match
    if match is None:
        return None
    moves = table.state == "playing" and not table.game.over
    return Standing(
        round=len(match.rounds),
        turn=table.game.turn if moves else None,
        totals=final_scores(table) if match.over else list(table.game.totals),
        winners=list(table.winners),
        places=[str(place) for place in table.game.board.places],
    )


def final_scores(table: Table) -> list[int]:
    """The scores of a match that is over, with the head starts."""
    scores = () if table.match is None else table.match.scores
    return [score + more for score, more in zip(scores, table.head_start, strict=True)]


def summary(table: Table, device: str | None = None) -> TableSummary:
    """A table as it appears in a list."""
    return TableSummary(
        id=table.id,
        state=table.state,
        edition=table.rules.edition,
        rules=table.rules.changes,
        target=table.rules.target,
        rounds=table.most_rounds,
        seats=[chair.summary for chair in table.chairs],
        listed=table.options.listed,
        created=table.created,
        updated=table.updated,
        fair=fairness(table),
        you=table.seats_of(device),
    )


def record(table: Table) -> Json:
    """The record of a match that is over or closed; plies that bots played for people are marked.

    The record of a match that was closed before its end is that of an unfinished match.
    """
    if table.match is None or not table.is_seed_public:
        raise AssertionError("a record holds hidden tiles; it waits for the end of the match")
    made = mark_bots(record_of(table.match), table.by_bot)
    # The record is that of the match by its rules, which any reader can verify.
    extra: Json = {"head_start": list(table.head_start)} if any(table.head_start) else {}
    if table.most_rounds is not None:
        extra["rounds"] = table.most_rounds
    if extra:
        if table.match.over:
            extra |= {"scores": final_scores(table), "winners": list(table.winners)}
        made["extra"] = extra
    return made


def mark_bots(record: Json, by_bot: Sequence[Sequence[bool]]) -> Json:
    """Mark the turns of a record that bots played for people, and return the record."""
    for round_record, marks in zip(record["rounds"], by_bot, strict=True):
        for turn, bot in zip(round_record["turns"], marks, strict=True):
            if bot:
                turn["extra"] = {"by_bot": True}
    return record


def _public_turn(ply: Ply, by_bot: bool) -> TurnInfo:
    """A ply as everybody sees it: without the tile that was drawn."""
    return TurnInfo(
        seat=ply.seat,
        move=str(ply.move),
        points=ply.points,
        scores=_scores(ply.scores),
        bonus=None if ply.bonus is None else ply.bonus.value,
        by_bot=by_bot,
    )


def _scores(scores: Iterable[Score]) -> list[ScoreInfo]:
    return [ScoreInfo(score.seat, score.reason.value, score.points) for score in scores]


def _undo_request(undo: PendingUndo) -> UndoRequest:
    return UndoRequest(undo.id, undo.seat, undo.moves, sorted(undo.agreed))


def _reminders(table: Table) -> list[Reminder]:
    if table.state != "playing":
        return []
    return [
        Reminder(chair.reminder.id, seat, chair.reminder.by)
        for seat, chair in enumerate(table.chairs)
        if chair.reminder is not None
    ]


def _end(game: Game) -> EndInfo | None:
    """The end of a round. Its racks are shown to all, unless a player gave up."""
    if game.end is None:
        return None
    racks_shown = game.end.reason is not EndReason.ABANDONED
    return EndInfo(
        reason=game.end.reason.value,
        seats=list(game.end.seats),
        points=list(game.end.points(game.players)),
        scores=_scores(game.end.scores),
        racks=[[str(tile) for tile in rack] for rack in game.racks] if racks_shown else [],
    )
