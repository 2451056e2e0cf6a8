"""The score pad of a table with real tiles: what people write down, and what follows from it.

A pad is a log of acts that only grows: lines written, lines corrected, steps taken back. The
sheet with all its points is worked out from the log alone, with the same functions as a game's.

>>> from triomino.rules import CLASSIC
>>> from triomino.tile import Tile
>>> pad = ScorePad.start(CLASSIC, ["Ann", "Ben"])
>>> pad = pad.write(Turn(0, Tile.parse("1-3-4"))).write(Turn(1, Sum(9), draws=1))
>>> pad.sheet.totals
(8, 4)
>>> pad.correct(2, Turn(1, Sum(9), draws=2)).sheet.totals
(8, -1)
>>> pad.undo().sheet.totals
(8, 0)
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Final, TypeAlias, assert_never

from triomino.errors import PositionError, TriominoError
from triomino.game import EndReason
from triomino.rules import BlockedWhen, DrawObligation, MatchTie, NextStarter, TargetLatch
from triomino.scoring import (
    BONUSES,
    LEAST_TILES,
    Left,
    Rack,
    Reason,
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
    from collections.abc import Iterable, Iterator, Sequence

    from triomino.rules import Rules

Person: TypeAlias = int
"""Somebody's column of the sheet: 0, 1, … in the order people came."""

MOST_PEOPLE: Final = 40
MOST_DRAWS: Final = 76
MOST_POINTS: Final = 99_999


class PadError(TriominoError):
    """What cannot be written on a pad; its text is one clear line."""


class How(StrEnum):
    """How a turn ended in which no tile was laid."""

    PASS = "pass"  # noqa: S105 - no password
    END = "end"
    KEEP = "keep"


class Caution(StrEnum):
    """What cannot be by the rules; people may know better, and write it all the same."""

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


# --- What is written -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Setup:
    """The first line: the rules, and who plays, in the order of turns."""

    rules: Rules
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Players:
    """Other people, or other names: everybody on the sheet so far and new ones, and who plays."""

    names: tuple[str, ...]
    seats: tuple[Person, ...]


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn: so many draws, then a tile with the bonus it made, or none."""

    person: Person
    laid: Tile | Sum | None
    bonus: Reason | None = None
    draws: int = 0
    how: How | None = None
    """Without a tile: how the turn ended."""


@dataclass(frozen=True, slots=True)
class Out:
    """Somebody has laid the last tile; what the racks still hold, in the order of turns."""

    person: Person
    left: tuple[Rack, ...]


@dataclass(frozen=True, slots=True)
class Blocked:
    """Nobody can play; what the racks still hold, in the order of turns."""

    left: tuple[Rack, ...]


@dataclass(frozen=True, slots=True)
class Abandoned:
    """The match ends here; *person* gave up, or everybody did."""

    person: Person | None = None


@dataclass(frozen=True, slots=True)
class Extra:
    """Points that people agreed on."""

    person: Person
    points: int


Entry: TypeAlias = Setup | Players | Turn | Out | Blocked | Abandoned | Extra
"""A line of the sheet."""


@dataclass(frozen=True, slots=True)
class Correct:
    """Other lines in the place of one: none strikes it out, two make room for a forgotten one."""

    line: int
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Undo:
    """Take the last step back, whatever it was."""


@dataclass(frozen=True, slots=True)
class Redo:
    """Take the last step that was taken back once more."""


Act: TypeAlias = Entry | Correct | Undo | Redo


# --- What follows from it ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Line:
    """A line with what it gives by the rules. Scores and totals are by person, not by seat."""

    round: int
    entry: Entry
    scores: tuple[Score, ...]
    totals: tuple[int, ...]
    """Everybody's total after it."""
    is_last_round: bool
    cautions: tuple[Caution, ...]


@dataclass(frozen=True, slots=True)
class End:
    """The end of a round: who went out, or who won a blocked one, and who won the round."""

    reason: EndReason
    persons: tuple[Person, ...]
    winners: tuple[Person, ...]


@dataclass(frozen=True, slots=True)
class Sheet:
    """A pad as one reads it."""

    rules: Rules
    names: tuple[str, ...]
    """Everybody who has a column."""
    seats: tuple[Person, ...]
    """Who plays now, in the order of turns."""
    lines: tuple[Line, ...]
    round: int
    end: End | None
    """How the round ended, until a line of the next one is written."""
    next: Person | None
    """Whose turn it is; ``None`` where people have to say who starts, or all is over."""
    laid: int
    """Tiles on the table in this round."""
    is_last_round: bool
    is_over: bool
    leaders: tuple[Person, ...]
    winners: tuple[Person, ...]

    @property
    def totals(self) -> tuple[int, ...]:
        """Everybody's total."""
        return self.lines[-1].totals


@dataclass(frozen=True)
class ScorePad:
    """A pad. It never changes: every act gives another one.

    Raises :class:`PadError` for what makes no sense; what the rules merely do not allow is
    written, and the line says so in its cautions.
    """

    log: tuple[Act, ...]

    def __post_init__(self) -> None:
        _ = self.sheet  # whoever has a pad has one that can be read

    @classmethod
    def start(cls, rules: Rules, names: Iterable[str]) -> ScorePad:
        """An empty sheet for these people."""
        return cls((Setup(rules, tuple(names)),))

    def write(self, act: Act) -> ScorePad:
        """The pad with one more act."""
        return ScorePad((*self.log, act))

    def undo(self) -> ScorePad:
        """The pad with its last step taken back; there is no limit but the first line."""
        return self.write(Undo())

    def redo(self) -> ScorePad:
        """The pad with the last step that was taken back once more."""
        return self.write(Redo())

    def correct(self, line: int, *entries: Entry) -> ScorePad:
        """The pad with other lines in the place of one; see :class:`Correct`."""
        return self.write(Correct(line, entries))

    def cautions(self, entry: Entry) -> tuple[Caution, ...]:
        """What speaks against writing *entry* now."""
        return self.write(entry).sheet.lines[-1].cautions

    @property
    def can_undo(self) -> bool:
        """Whether there is a step to take back."""
        return len(self._steps[0]) > 1

    @property
    def can_redo(self) -> bool:
        """Whether there is a step to take once more."""
        return bool(self._steps[1])

    @cached_property
    def lines(self) -> tuple[Entry, ...]:
        """The lines that stand, corrected ones as they were corrected."""
        out: list[Entry] = []
        for act in self._steps[0]:
            if isinstance(act, Correct):
                if not 0 <= act.line < len(out):
                    raise PadError(f"there is no line {act.line} to correct")
                out[act.line : act.line + 1] = act.entries
            else:
                out.append(act)
        return tuple(out)

    @cached_property
    def sheet(self) -> Sheet:
        """All that follows from the lines."""
        return _Reckoning(self.lines).sheet()

    @cached_property
    def _steps(self) -> tuple[list[Entry | Correct], list[Entry | Correct]]:
        """The steps that were taken, and those taken back, the next to take again last."""
        done: list[Entry | Correct] = []
        undone: list[Entry | Correct] = []
        for act in self.log:
            if isinstance(act, Undo):
                if len(done) < 2:
                    raise PadError("there is nothing to take back")
                undone.append(done.pop())
            elif isinstance(act, Redo):
                if not undone:
                    raise PadError("nothing was taken back")
                done.append(undone.pop())
            else:
                done.append(act)
                undone.clear()
        return done, undone


# --- Working it out ------------------------------------------------------------------------------


@dataclass(slots=True)
class _Round:
    """What is known of the running round."""

    number: int
    totals: list[int]
    """Those before it."""
    first: Person | None = None
    """Who should start, where the rules say so."""
    starter: Person | None = None
    last: Person | None = None
    """Whose turn was the last."""
    has_tile: bool = False
    """Whether that turn laid a tile."""
    laid: int = 0
    draws: int = 0
    tiles: set[Tile] = field(default_factory=set)
    values: Counter[int] = field(default_factory=Counter)
    held: Counter[Person] = field(default_factory=Counter)
    """Tiles drawn less tiles laid, by person."""


class _Reckoning:
    """Goes through the lines once."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        if not entries or not isinstance(entries[0], Setup):
            raise PadError("a pad begins with its rules and players")
        self.rules = entries[0].rules
        self.names: tuple[str, ...] = ()
        self.seats: tuple[Person, ...] = ()
        self.totals: list[int] = []
        self.latched = False
        self.end: End | None = None
        self.round = _Round(1, [])
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
            case Setup(_, names):
                if number:
                    raise PadError(f"line {number}: a pad has its rules in its first line only")
                cautions += self._seat(names, tuple(range(len(names))))
            case Players(names, seats):
                cautions += self._seat(names, seats)
            case Turn():
                _check_turn(entry)
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
                others = [seat for seat in self.seats if person not in (None, seat)]
                self.end = End(EndReason.ABANDONED, (), self._highest(others))
            case Extra(person, points):
                self._check_person(person)
                if abs(points) > MOST_POINTS:
                    raise PadError(f"{points} points are too many")
                self._add(person, points)
            case _:
                assert_never(entry)
        self.lines.append(
            Line(
                self.round.number,
                entry,
                tuple(scores),
                tuple(self.totals),
                self.is_last_round,
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
        running = self.end is None and self.round.last is not None
        changed, self.seats = seats != self.seats, seats
        self.names = names
        self.totals += [0] * (len(names) - len(self.totals))
        self.round.totals += [0] * (len(names) - len(self.round.totals))
        if changed and len(seats) not in self.rules.racks:
            yield Caution.PLAYER_COUNT
        if changed and running:
            yield Caution.MID_ROUND

    def _check_person(self, person: Person) -> None:
        if person not in self.seats:
            raise PadError(f"person {person} does not play now")

    # --- Rounds ----------------------------------------------------------------------------------

    def _begin(self, person: Person | None) -> Iterator[Caution]:
        """Begin the next round, where the last one has ended."""
        if person is not None:
            self._check_person(person)
        cautions = []
        if self.end is not None:
            if self.is_over and self.rules.target is not None:
                cautions.append(Caution.MATCH_OVER)
            first, self.latched = self._next(), self.is_last_round
            self.end = None
            self.round = _Round(self.round.number + 1, self.totals.copy(), first)
        return iter(cautions)

    @property
    def is_last_round(self) -> bool:
        if self.rules.target is None or self.latched:
            return True
        return self.end is not None and any(
            self.rules.reached(self.totals[seat]) for seat in self.seats
        )

    @property
    def is_over(self) -> bool:
        if self.end is None:
            return False
        if self.end.reason is EndReason.ABANDONED:
            return True
        tied = self.rules.match_tie is MatchTie.EXTRA_ROUND and len(self._leaders()) > 1
        return self.is_last_round and not tied

    def _leaders(self) -> tuple[Person, ...]:
        if self.end is not None and self.rules.target is None and self.rules.wins_by_ending:
            return self.end.winners
        return self._highest(self.seats)

    def _highest(self, persons: Sequence[Person]) -> tuple[Person, ...]:
        best = max((self.totals[person] for person in persons), default=0)
        return tuple(person for person in persons if self.totals[person] == best)

    def _next(self) -> Person | None:
        """Whose turn it is, where that follows from the lines."""
        if self.is_over:
            return None
        if self.end is None and self.round.last is None:
            return self.round.first
        if self.end is None:
            return self._after(self.round.last)
        match self.rules.next_starter:
            case NextStarter.SET_UP:
                return None
            case NextStarter.ROTATE_LEFT:
                return self._after(self.round.starter)
            case NextStarter.ROUND_WINNER:
                # Of several winners, the first to play after the last starter, who comes last.
                first = self._after(self.round.starter)
                at = self.seats.index(first) if first is not None else 0
                order = [*self.seats[at:], *self.seats[:at]]
                return next((person for person in order if person in self.end.winners), None)

    def _after(self, person: Person | None) -> Person | None:
        if person not in self.seats:
            return None
        return self.seats[(self.seats.index(person) + 1) % len(self.seats)]

    @property
    def _pool(self) -> int | None:
        """How many tiles the pool should hold, where the rules say how many each gets."""
        players = len(self.seats)
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
            # One passes because the pool is empty; only this house rule lets one pass before.
            optional = rules.draw_obligation is DrawObligation.ONE_THEN_OPTIONAL
            if not (optional and turn.draws and (pool is None or pool > turn.draws)):
                scores += empty_pool_scores(person, rules)
        else:
            scores += unplaced_scores(person, turn.draws, rules)
        now.draws += turn.draws
        now.held[person] += turn.draws
        now.last, now.has_tile = person, turn.laid is not None
        if now.starter is None:
            now.starter = person
        return self._settled(scores)

    def _settled(self, scores: list[Score]) -> list[Score]:
        if self.rules.floor_at_zero:
            scores = floored(scores, self.totals)
        self._count(scores)
        return scores

    def _count(self, scores: Iterable[Score]) -> None:
        """Add up, and test the target after every single event: once met, it stays met."""
        for score in scores:
            self._add(score.seat, score.points)

    def _add(self, person: Person, points: int) -> None:
        self.totals[person] += points
        if self.rules.target_latch is TargetLatch.ANY_MOMENT:
            self.latched = self.latched or self.rules.reached(self.totals[person])

    # --- The end of a round ----------------------------------------------------------------------

    def _left(self, left: tuple[Rack, ...]) -> None:
        if len(left) != len(self.seats):
            raise PadError(f"{len(self.seats)} play, but {len(left)} racks are written down")
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
        now, players = self.round, len(self.seats)
        if now.last != out.person or not now.has_tile:
            yield Caution.OUT_OF_TURN
        if players in self.rules.racks and self.rules.racks[players] + now.held[out.person]:
            yield Caution.RACK_NOT_EMPTY
        yield from self._left_cautions(out.left)

    def _out(self, out: Out) -> list[Score]:
        self._left(out.left)
        others = [
            rack for seat, rack in zip(self.seats, out.left, strict=True) if seat != out.person
        ]
        scores = self._settled([*out_scores(out.person, others, self.rules)])
        self._close(EndReason.OUT, (out.person,))
        return scores

    def _blocked_cautions(self, blocked: Blocked) -> Iterator[Caution]:
        if (self._pool or 0) > 0 and self.rules.blocked_when is not BlockedWhen.ALL_PASS:
            yield Caution.POOL_LEFT
        yield from self._left_cautions(blocked.left)

    def _blocked(self, blocked: Blocked) -> list[Score]:
        self._left(blocked.left)
        seats = self.seats
        persons = tuple(seats[seat] for seat in blocked_winners(blocked.left, self.rules))
        scores = [
            Score(seats[score.seat], score.reason, score.points)
            for score in blocked_scores(blocked.left, self.rules)
        ]
        scores = self._settled(scores)
        self._close(EndReason.BLOCKED, persons)
        return scores

    def _close(self, reason: EndReason, persons: tuple[Person, ...]) -> None:
        if self.rules.wins_by_ending and persons:
            winners = persons
        else:
            # A single round is won by the total, a round of a match by what it brought.
            before = [0] * len(self.names) if self.rules.target is None else self.round.totals
            points = {seat: self.totals[seat] - before[seat] for seat in self.seats}
            best = max(points.values())
            winners = tuple(seat for seat in self.seats if points[seat] == best)
        if not self.rules.scoring and self.rules.target is not None:
            # Where no points are kept, a series counts the rounds won.
            for person in winners:
                self.totals[person] += 1
        self.end = End(reason, persons, winners)

    # --- The sheet -------------------------------------------------------------------------------

    def sheet(self) -> Sheet:
        is_over = self.is_over
        gave_up = self.end is not None and self.end.reason is EndReason.ABANDONED
        leaders = self._leaders() if not gave_up else self._highest(self.seats)
        winners = () if not is_over or self.end is None else leaders
        return Sheet(
            rules=self.rules,
            names=self.names,
            seats=self.seats,
            lines=tuple(self.lines),
            round=self.round.number,
            end=self.end,
            next=self._next(),
            laid=self.round.laid,
            is_last_round=self.is_last_round,
            is_over=is_over,
            leaders=leaders,
            winners=self.end.winners if gave_up and self.end is not None else winners,
        )


def _check_turn(turn: Turn) -> None:
    if not 0 <= turn.draws <= MOST_DRAWS:
        raise PadError(f"{turn.draws} draws cannot be")
    if isinstance(turn.laid, Sum) and not 0 <= turn.laid.points <= 15:
        raise PadError(f"{turn.laid.points} is no sum of a tile: 0 to 15")
    if (turn.laid is None) == (turn.how is None):
        raise PadError("a turn has a tile, or says how it ended without one")
    if turn.bonus is not None and turn.bonus not in BONUSES:
        raise PadError(f"{turn.bonus} is no bonus of a tile")
    if turn.bonus is not None and turn.laid is None:
        raise PadError("a bonus needs a tile")
