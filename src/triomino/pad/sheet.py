"""The sheet of a score pad: every line with its points, and the standing of the match."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Final, assert_never

from triomino.errors import PositionError
from triomino.ledger import EndReason, Ledger
from triomino.pad.acts import (
    MOST_DRAWS,
    Abandoned,
    Blocked,
    Entry,
    Extra,
    How,
    Out,
    PadError,
    Person,
    Players,
    Setup,
    Turn,
    check_turn,
)
from triomino.rules import BlockedWhen, DrawObligation
from triomino.scoring import (
    LEAST_TILES,
    Left,
    Rack,
    Score,
    Sum,
    blocked_scores,
    blocked_winners,
    draw_scores,
    empty_pool_scores,
    floored,
    laid_scores,
    out_scores,
    unplaced_scores,
)
from triomino.tile import Tile

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MOST_PEOPLE: Final = 40
MOST_POINTS: Final = 99_999


class Caution(StrEnum):
    """Why the rules do not allow a line, which people may write all the same."""

    PLAYER_COUNT = "player_count"
    MID_ROUND = "mid_round"
    MATCH_OVER = "match_over"
    OUT_OF_TURN = "out_of_turn"
    MUST_OPEN = "must_open"
    NOT_IN_SET = "not_in_set"
    LAID_TWICE = "laid_twice"
    VALUE_USED_UP = "value_used_up"
    BONUS_TOO_EARLY = "bonus_too_early"
    TOO_MANY_DRAWS = "too_many_draws"
    POOL_EMPTY = "pool_empty"
    DRAW_ENDS_TURN = "draw_ends_turn"
    RACK_NOT_EMPTY = "rack_not_empty"
    POOL_LEFT = "pool_left"


@dataclass(frozen=True, slots=True)
class Line:
    """A line and what it scores. Scores and totals are by person, not by seat."""

    round: int
    entry: Entry
    scores: tuple[Score, ...]
    totals: tuple[int, ...]
    """Everybody's total after this line."""
    is_last_round: bool
    cautions: tuple[Caution, ...]


@dataclass(frozen=True, slots=True)
class Sheet:
    """A score pad with everything derived from its lines."""

    names: tuple[str, ...]
    """Everybody who has a column."""
    lines: tuple[Line, ...]
    ledger: Ledger
    """The standing of the match; its seats are persons."""
    next: Person | None
    """Whose turn it is; ``None`` if the players have to say who starts, or the match is over."""
    laid: int
    """The number of tiles laid in this round."""


def sheet_of(entries: Sequence[Entry]) -> Sheet:
    """Return the sheet of these lines; raises :class:`PadError` if they make no sense."""
    return _SheetBuilder(entries).sheet()


@dataclass(slots=True)
class _Round:
    """What is known of the current round besides its scores."""

    first: Person | None = None
    """Who should start, if the rules say so."""
    last: Person | None = None
    """Who took the last turn."""
    has_tile: bool = False
    """Whether that turn laid a tile."""
    laid: int = 0
    draws: int = 0
    tiles: set[Tile] = field(default_factory=set)
    values: Counter[int] = field(default_factory=Counter)
    held: Counter[Person] = field(default_factory=Counter)
    """Tiles drawn minus tiles laid, by person."""


class _SheetBuilder:
    """Works out the sheet in one pass over the lines."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        if not entries or not isinstance(entries[0], Setup):
            raise PadError("a pad begins with its rules and players")
        self.rules = entries[0].rules
        self.names: tuple[str, ...] = ()
        self.ledger = Ledger.open(self.rules, 0, most_rounds=entries[0].rounds)
        self.round = _Round()
        self.lines: list[Line] = []
        for number, entry in enumerate(entries):
            try:
                self._write(number, entry)
            except PositionError as error:
                raise PadError(f"line {number}: {error}") from error

    def _write(self, number: int, entry: Entry) -> None:
        cautions: list[Caution] = []
        scores: list[Score] = []
        match entry:
            case Setup(names=names):
                if number:
                    raise PadError(f"line {number}: a pad has its rules in its first line only")
                cautions += self._seat(names, tuple(range(len(names))))
            case Players(names, seats):
                cautions += self._seat(names, seats)
            case Turn():
                check_turn(entry)
                cautions += self._begin(entry.person)
                cautions += self._turn_cautions(entry)
                scores = self._turn(entry)
            case Out():
                cautions += self._begin(entry.person)
                cautions += self._out_cautions(entry)
                scores = self._out(entry)
            case Blocked():
                cautions += self._begin(None)
                cautions += self._blocked_cautions(entry)
                scores = self._blocked(entry)
            case Abandoned(person):
                if person is not None:
                    self._check_person(person)
                self._begin(None)
                self.ledger = self.ledger.abandon(person)
            case Extra(person, points):
                self._check_person(person)
                if abs(points) > MOST_POINTS:
                    raise PadError(f"{points} points are too many")
                self.ledger = self.ledger.adjusted(person, points)
            case _:
                assert_never(entry)
        ledger = self.ledger
        self.lines.append(
            Line(
                ledger.round,
                entry,
                tuple(scores),
                ledger.totals,
                ledger.is_last_round,
                tuple(cautions),
            )
        )

    # --- People ----------------------------------------------------------------------------------

    def _seat(self, names: tuple[str, ...], seats: tuple[Person, ...]) -> Iterator[Caution]:
        for name in names:
            if not name.strip() or len(name) > 40 or not name.isprintable():
                raise PadError(f"{name!r} is no name: 1 to 40 printable characters")
        if len(set(names)) < len(names):
            raise PadError("two people have the same name")
        if len(names) < len(self.names):
            raise PadError("whoever has points on the sheet keeps a name there")
        if len(names) > MOST_PEOPLE:
            raise PadError(f"a sheet has room for {MOST_PEOPLE} people")
        if not seats or len(set(seats)) < len(seats) or not all(s < len(names) for s in seats):
            raise PadError("every player has a name, and plays once")
        running = self.ledger.end is None and self.round.last is not None
        changed = seats != self.ledger.seats
        self.names = names
        self.ledger = self.ledger.seated(seats, len(names))
        if changed and len(seats) not in self.rules.racks:
            yield Caution.PLAYER_COUNT
        if changed and running:
            yield Caution.MID_ROUND

    def _check_person(self, person: Person) -> None:
        if person not in self.ledger.seats:
            raise PadError(f"person {person} does not play now")

    # --- Rounds ----------------------------------------------------------------------------------

    def _begin(self, person: Person | None) -> list[Caution]:
        """Begin the next round if the last one has ended."""
        if person is not None:
            self._check_person(person)
        ledger = self.ledger
        if ledger.end is None:
            return []
        self.round = _Round(ledger.next_starter)
        self.ledger = ledger.next_round()
        late = ledger.is_over and self.rules.target is not None
        return [Caution.MATCH_OVER] if late else []

    def _next(self) -> Person | None:
        """Return whose turn it is, if the lines determine that."""
        if self.ledger.end is not None:
            return self.ledger.next_starter
        return self.round.first if self.round.last is None else self._after_last()

    def _after_last(self) -> Person | None:
        return self.ledger.seat_after(self.round.last)

    @property
    def _pool(self) -> int | None:
        """The number of tiles the pool should hold, if the rules say how many are dealt."""
        players = len(self.ledger.seats)
        if players not in self.rules.racks:
            return None
        dealt = players * self.rules.racks[players]
        return len(self.rules.tiles) - dealt - self.round.draws

    # --- A turn ----------------------------------------------------------------------------------

    def _turn_cautions(self, turn: Turn) -> Iterator[Caution]:
        rules, now, pool = self.rules, self.round, self._pool
        expected = self._next()
        if expected not in (None, turn.person):
            yield Caution.OUT_OF_TURN
        if turn.laid is None and not now.laid and not rules.opening_draw:
            yield Caution.MUST_OPEN
        if turn.laid is not None:
            yield from self._tile_cautions(turn.laid)
        if turn.bonus is not None and now.laid + 1 < LEAST_TILES[turn.bonus]:
            yield Caution.BONUS_TOO_EARLY
        if turn.draws > rules.max_draws:
            yield Caution.TOO_MANY_DRAWS
        if pool is not None and turn.draws > max(pool, 0):
            yield Caution.POOL_EMPTY
        if turn.draws and turn.laid is not None and rules.draw_ends_turn:
            yield Caution.DRAW_ENDS_TURN

    def _tile_cautions(self, laid: Tile | Sum) -> Iterator[Caution]:
        if isinstance(laid, Tile) and laid not in self.rules.tiles:
            yield Caution.NOT_IN_SET
        elif isinstance(laid, Tile) and laid in self.round.tiles:
            yield Caution.LAID_TWICE
        else:
            alike = sum(tile.points == laid.points for tile in self.rules.tiles)
            if self.round.values[laid.points] >= alike:
                yield Caution.VALUE_USED_UP

    def _turn(self, turn: Turn) -> list[Score]:
        rules, now, person = self.rules, self.round, turn.person
        pool = self._pool
        scores = [
            score
            for count in range(1, turn.draws + 1)
            for score in draw_scores(person, count, rules)
        ]
        if turn.laid is not None:
            scores += laid_scores(person, turn.laid, turn.bonus, rules, opening=not now.laid)
            now.laid += 1
            now.held[person] -= 1
            now.values[turn.laid.points] += 1
            if isinstance(turn.laid, Tile):
                now.tiles.add(turn.laid)
        elif turn.how is How.PASS:
            # A pass means an empty pool, except under the house rule that makes drawing optional.
            optional = rules.draw_obligation is DrawObligation.ONE_THEN_OPTIONAL
            if not (optional and turn.draws and (pool is None or pool > turn.draws)):
                scores += empty_pool_scores(person, rules)
        else:
            scores += unplaced_scores(person, turn.draws, rules)
        now.draws += turn.draws
        now.held[person] += turn.draws
        now.last, now.has_tile = person, turn.laid is not None
        if self.ledger.starter is None:
            self.ledger = self.ledger.started_by(person)
        return self._entered(scores)

    def _entered(self, scores: list[Score]) -> list[Score]:
        """Enter scores in the ledger; return them as they count."""
        if self.rules.floor_at_zero:
            scores = floored(scores, self.ledger.totals)
        self.ledger = self.ledger.after(scores)
        return scores

    # --- The end of a round ----------------------------------------------------------------------

    def _check_left(self, left: tuple[Rack, ...]) -> None:
        players = len(self.ledger.seats)
        if len(left) != players:
            raise PadError(f"{players} play, but {len(left)} racks are written down")
        for rack in left:
            if isinstance(rack, Left) and not 0 <= rack.points <= MOST_POINTS:
                raise PadError(f"{rack.points} points cannot be left on a rack")
            if isinstance(rack, Left) and not 0 <= (rack.count or 0) <= MOST_DRAWS:
                raise PadError(f"{rack.count} tiles cannot be left on a rack")

    def _left_cautions(self, left: tuple[Rack, ...]) -> Iterator[Caution]:
        seen = [tile for rack in left if not isinstance(rack, Left) for tile in rack]
        if any(tile not in self.rules.tiles for tile in seen):
            yield Caution.NOT_IN_SET
        if len(set(seen)) < len(seen) or self.round.tiles & set(seen):
            yield Caution.LAID_TWICE

    def _out_cautions(self, out: Out) -> Iterator[Caution]:
        now, players = self.round, len(self.ledger.seats)
        if now.last != out.person or not now.has_tile:
            yield Caution.OUT_OF_TURN
        if players in self.rules.racks and self.rules.racks[players] + now.held[out.person]:
            yield Caution.RACK_NOT_EMPTY
        yield from self._left_cautions(out.left)

    def _out(self, out: Out) -> list[Score]:
        self._check_left(out.left)
        seats = self.ledger.seats
        others = [rack for seat, rack in zip(seats, out.left, strict=True) if seat != out.person]
        scores = self._entered([*out_scores(out.person, others, self.rules)])
        self.ledger = self.ledger.close(EndReason.OUT, (out.person,))
        return scores

    def _blocked_cautions(self, blocked: Blocked) -> Iterator[Caution]:
        if (self._pool or 0) > 0 and self.rules.blocked_when is not BlockedWhen.ALL_PASS:
            yield Caution.POOL_LEFT
        yield from self._left_cautions(blocked.left)

    def _blocked(self, blocked: Blocked) -> list[Score]:
        self._check_left(blocked.left)
        seats = self.ledger.seats
        winners = [seats[seat] for seat in blocked_winners(blocked.left, self.rules)]
        scores = self._entered(
            [
                Score(seats[score.seat], score.reason, score.points)
                for score in blocked_scores(blocked.left, self.rules)
            ]
        )
        self.ledger = self.ledger.close(EndReason.BLOCKED, winners)
        return scores

    def sheet(self) -> Sheet:
        return Sheet(self.names, tuple(self.lines), self.ledger, self._next(), self.round.laid)
