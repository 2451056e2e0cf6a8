"""One round, from the deal to its settlement.

``check`` works out what a move would do, ``apply`` does it and ``play`` is both. A server stores
the ply between the two.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, fields

from triomino.board import Board
from triomino.choices import Choices, other_moves
from triomino.deal import Deal, deal
from triomino.errors import IllegalMove, PositionError, TriominoError, Why
from triomino.fair import Seeds
from triomino.ledger import EndReason, Ledger
from triomino.moves import Draw, Move, Pass, Place
from triomino.position import Position
from triomino.rules import BlockedWhen, Rules, Seat
from triomino.scoring import (
    BONUSES,
    Reason,
    Score,
    blocked_scores,
    blocked_winners,
    floored,
    out_scores,
)
from triomino.tile import Tile, mask_of


@dataclass(frozen=True, slots=True)
class RoundEnd:
    """The end of a round: who went out or won a blocked round, and the settlement."""

    reason: EndReason
    seats: tuple[Seat, ...] = ()
    scores: tuple[Score, ...] = ()

    def points(self, players: int) -> tuple[int, ...]:
        """Return the settlement by seat."""
        return tuple(
            sum(score.points for score in self.scores if score.seat == seat)
            for seat in range(players)
        )


@dataclass(frozen=True, slots=True)
class Ply:
    """One move and everything it does: the unit that is stored, replayed and undone."""

    seat: Seat
    move: Move
    tile: Tile | None = None
    """The tile drawn, which only the seat that drew it may know."""
    scores: tuple[Score, ...] = ()
    passes_on: bool = True
    """Whether the move ends the turn, so that the next seat is to move."""
    end: RoundEnd | None = None

    def __init__(  # noqa: PLR0917 - the fields, in order
        self,
        seat: Seat,
        move: Move,
        tile: Tile | None = None,
        scores: tuple[Score, ...] = (),
        passes_on: bool = True,
        end: RoundEnd | None = None,
    ) -> None:
        # Every move creates a ply; the __init__ of a frozen dataclass takes twice as long.
        _set_seat(self, seat)
        _set_move(self, move)
        _set_tile(self, tile)
        _set_scores(self, scores)
        _set_passes_on(self, passes_on)
        _set_end(self, end)

    @property
    def points(self) -> int:
        """What the move scored for its seat, without the settlement of the round."""
        return sum(score.points for score in self.scores)

    @property
    def public(self) -> Ply:
        """The ply as every seat may see it, without the tile drawn."""
        if self.tile is None:
            return self
        # Every view contains every ply, so this is hot: dataclasses.replace is five times slower.
        return Ply(self.seat, self.move, None, self.scores, self.passes_on, self.end)

    @property
    def bonus(self) -> Reason | None:
        """The bridge or hexagon that the move made."""
        return next((score.reason for score in self.scores if score.reason in BONUSES), None)


_set_seat, _set_move, _set_tile, _set_scores, _set_passes_on, _set_end = (
    getattr(Ply, item.name).__set__ for item in fields(Ply)
)


class Game:
    """One round. Its attributes are free to read; only its methods change them.

    >>> game = Game.deal(Rules(), players=2, seed=7)
    >>> ply = game.play(game.legal_moves()[0])
    >>> ply.seat == game.starter, ply.points == ply.move.tile.points
    (True, True)
    """

    __slots__ = (
        "_before",
        "_choices",
        "_entered",
        "_held",
        "_ledger",
        "_origin",
        "_others",
        "board",
        "drawn",
        "end",
        "idle_turns",
        "plies",
        "pool",
        "racks",
        "rules",
        "start",
        "start_ledger",
        "starter",
        "tiles",
        "turn",
    )

    def __init__(self, rules: Rules, start: Deal, ledger: Ledger | None = None) -> None:
        self.rules = rules
        self.start = start
        """The deal, including all hidden tiles."""
        self.start_ledger = (
            Ledger.open(rules, len(start.racks), starter=start.starter)
            if ledger is None
            else ledger.started_by(start.starter)
        )
        """The standing of the match when the round began."""
        self._others = other_moves(rules)
        self._origin: Position | None = None  # where the round began, unless with a deal
        self.tiles = mask_of(start.pool) | mask_of(tile for rack in start.racks for tile in rack)
        """The tiles in play, as a mask: the whole set, or the tiles of a position."""
        self._rewind()

    @classmethod
    def deal(cls, rules: Rules, players: int = 2, seed: int | str | None = None) -> Game:
        """Deal a new round. The same seed gives the same deal; without one the deal is secret."""
        seeds = Seeds.fresh(players) if seed is None else Seeds.named(players, "game", seed)
        return cls(rules, deal(rules, players, seeds.round(1)))

    @classmethod
    def at(cls, position: Position) -> Game:
        """Return a round that continues from a complete position, which is taken not to be over."""
        racks = [rack for rack in position.racks if rack is not None]
        if len(racks) < len(position.racks) or position.pool is None:
            raise PositionError("a game needs all racks and the pool; some are hidden here")
        start = Deal(tuple(racks), position.pool, position.turn)
        rules, totals = position.rules, position.scores
        ledger = Ledger.open(rules, len(racks), totals=totals, latched=position.latched)
        game = cls(rules, start, ledger)
        game._origin = position
        game._rewind()
        game.tiles |= game.board.laid
        return game

    def _rewind(self) -> None:
        start = self.start
        self.board = Board(self.tiles)
        """The tiles on the table."""
        self.racks = [list(rack) for rack in start.racks]
        """Each seat's tiles, in the order they came."""
        self._held = [mask_of(rack) for rack in self.racks]
        self.pool = deque(start.pool)
        """The tiles left to draw, the next one first."""
        self.starter = self.turn = start.starter
        """The seat that opened the round, and the seat to move."""
        self.drawn: list[Tile] = []
        """The tiles drawn so far in the current turn."""
        self._ledger, self._entered = self.start_ledger, 0
        self.plies: list[Ply] = []
        """Every move so far."""
        self.idle_turns = 0
        """How many turns in a row, of those that count towards a blocked round, placed nothing."""
        self.end: RoundEnd | None = None
        self._choices: Choices | None = None  # computed on demand after each move
        self._before: list[Place] | None = None  # the placements listed before the last draw
        if self._origin is not None:
            self.board = self._origin.as_board()
            self.drawn = list(self._origin.drawn)

    # --- State -----------------------------------------------------------------------------------

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.racks)

    @property
    def start_drawn(self) -> tuple[Tile, ...]:
        """The tiles already drawn in the first turn, if the round began from a position."""
        return () if self._origin is None else self._origin.drawn

    @property
    def is_dealt(self) -> bool:
        """Whether the round began with a deal rather than from a position."""
        return self._origin is None

    @property
    def over(self) -> bool:
        """Whether the round has ended."""
        return self.end is not None

    @property
    def is_opening(self) -> bool:
        """Whether the board is still empty."""
        return not self.board.laid

    @property
    def position(self) -> Position:
        """The current state as an immutable value."""
        return Position.of(
            self.racks,
            self.pool,
            rules=self.rules,
            board=self.board.places,
            turn=self.turn,
            drawn=self.drawn,
            scores=self.totals,
            latched=self.latched,
        )

    @property
    def ledger(self) -> Ledger:
        """The standing of the match."""
        # Plies are entered on demand: a round that is merely played out needs this only once.
        if self._entered < len(self.plies):
            new = self.plies[self._entered :]
            self._ledger = self._ledger.after_each([ply.scores for ply in new])
            self._entered = len(self.plies)
            if (end := new[-1].end) is not None:
                self._ledger = self._ledger.after(end.scores).close(end.reason, end.seats)
        return self._ledger

    @property
    def totals(self) -> list[int]:
        """The current match totals."""
        return list(self.ledger.totals)

    @property
    def start_totals(self) -> tuple[int, ...]:
        """The match totals when the round began."""
        return self.start_ledger.totals

    @property
    def latched(self) -> bool:
        """Whether the target has been met, so that this round is the last."""
        return self.ledger.latched

    @property
    def points(self) -> tuple[int, ...]:
        """What each seat has won or lost in this round so far."""
        return self.ledger.points

    @property
    def winners(self) -> tuple[Seat, ...]:
        """Who won this round, regardless of the match; empty while it is running."""
        return () if self.ledger.end is None else self.ledger.end.winners

    def copy(self) -> Game:
        """Return an independent copy."""
        game = Game.__new__(Game)
        for name in Game.__slots__:
            setattr(game, name, getattr(self, name))
        game.board = self.board.copy()
        game.racks = [rack.copy() for rack in self.racks]
        game._held = self._held.copy()
        game.pool = self.pool.copy()
        game.drawn = self.drawn.copy()
        game.plies = self.plies.copy()
        game._choices = None
        return game

    # --- Legal moves -----------------------------------------------------------------------------

    def legal_moves(self) -> list[Move]:
        """Return every legal move: placements by cell and tile, then draw, keep, end and pass.

        The order depends on the position alone. The list is empty when the round is over.
        """
        return [] if self.end is not None else self.choices.legal_moves()

    def why_not(self, move: Move) -> Why | None:
        """Return the reason *move* cannot be played now, or ``None`` if it can."""
        return Why.ROUND_OVER if self.end is not None else self.choices.why_not(move)

    @property
    def choices(self) -> Choices:
        """The moves open to the seat to move."""
        if self._choices is None:
            seat = self.turn
            self._choices = Choices(
                self.rules,
                self.board,
                seat,
                self.racks[seat],
                self.drawn,
                len(self.pool),
                held=self._held[seat],
                others=self._others,
                before=self._before,
            )
        return self._choices

    # --- Playing ---------------------------------------------------------------------------------

    def check(self, move: Move) -> Ply:
        """Return the ply that *move* would be, changing nothing; raises :class:`IllegalMove`."""
        if self.end is not None:
            raise IllegalMove(Why.ROUND_OVER, move)
        choices, rules, seat = self._choices or self.choices, self.rules, self.turn
        why = choices.why_not(move)
        if why is not None:
            raise IllegalMove(why, move)
        scores = choices.scores(move)
        if rules.floor_at_zero:
            scores = floored(scores, self.totals)
        if isinstance(move, Place):
            # A placement cannot end the round while its player and the pool have tiles left.
            ends = len(self.racks[seat]) == 1 or not self.pool
            end = self._ending(move, None, scores) if ends else None
            return Ply(seat, move, None, tuple(scores), True, end)
        tile = self.pool[0] if isinstance(move, Draw) else None
        passes_on = tile is None or rules.draw_ends_turn
        end = self._ending(move, tile, scores) if passes_on else None
        return Ply(seat, move, tile, tuple(scores), passes_on, end)

    def play(self, move: Move) -> Ply:
        """Check a move and apply it."""
        ply = self.check(move)
        self.apply(ply)
        return ply

    def _ending(self, move: Move, tile: Tile | None, scored: list[Score]) -> RoundEnd | None:
        """Return the end of the round if this move, which ends its turn, brings it about."""
        seat, held = self.turn, self.racks[self.turn]
        seats: tuple[Seat, ...]
        if isinstance(move, Place) and len(held) == 1:
            others = [rack for other, rack in enumerate(self.racks) if other != seat]
            reason, seats = EndReason.OUT, (seat,)
            scores = [*out_scores(seat, others, self.rules)]
        elif self._idle_turns_after(move) < self.players and (
            len(self.pool) > (tile is not None) or self.rules.plays_out_passes
        ):
            return None
        else:
            if self._idle_turns_after(move) < self.players and self._someone_can_play(move, tile):
                return None
            racks = self._racks_after(move, tile)
            reason, seats = EndReason.BLOCKED, blocked_winners(racks, self.rules)
            scores = [*blocked_scores(racks, self.rules)]
        if self.rules.floor_at_zero:
            scores = floored(scores, self.ledger.after(scored).totals)
        return RoundEnd(reason, seats, tuple(scores))

    def _someone_can_play(self, move: Move, tile: Tile | None) -> bool:
        """Whether any seat holds a tile that fits after *move*."""
        held = 0
        for mask in self._held:
            held |= mask
        if isinstance(move, Place):
            return self.board.fits_after(move, held & ~move.tile.bit)
        if tile is not None:
            held |= tile.bit
        return bool(self.board.playable & held)

    def _racks_after(self, move: Move, tile: Tile | None) -> list[list[Tile]]:
        racks, held = self.racks.copy(), self.racks[self.turn]
        if isinstance(move, Place):
            racks[self.turn] = [other for other in held if other != move.tile]
        elif tile is not None:
            racks[self.turn] = [*held, tile]
        return racks

    def _idle_turns_after(self, move: Move) -> int:
        if isinstance(move, Place):
            return 0
        if self.rules.blocked_when is BlockedWhen.ALL_PASS:
            return self.idle_turns + 1
        # Otherwise only a lap of passes with an empty pool blocks a round.
        return self.idle_turns + 1 if isinstance(move, Pass) and not self.pool else 0

    def apply(self, ply: Ply) -> None:
        """Carry out a ply that :meth:`check` returned. Cannot fail."""
        choices, self._choices, self._before = self._choices, None, None
        seat, move, tile = ply.seat, ply.move, ply.tile
        rack = self.racks[seat]
        if isinstance(move, Place):
            self.board.lay(move)
            bit = move.tile.bit  # faster to compare than tiles
            for index, held in enumerate(rack):
                if held.bit == bit:
                    del rack[index]
                    break
            self._held[seat] ^= bit
        elif tile is not None:
            self.pool.popleft()
            rack.append(tile)
            self._held[seat] ^= tile.bit
            self.drawn.append(tile)
            if choices is not None and not ply.passes_on:
                self._before = choices.places_kept
        if ply.passes_on:
            # Counted while the pool is as the move left it.
            self.idle_turns = self._idle_turns_after(move)
            self.turn = (seat + 1) % len(self.racks)
            self.drawn = []
        if ply.end is not None:
            self.turn = ply.seat
        self.end = ply.end
        self.plies.append(ply)

    def abandon(self, gave_up: Seat | None = None) -> None:
        """End the match without a settlement; if *gave_up* is given, the other seats win."""
        if self.end is not None:
            raise TriominoError("the round is over; it cannot be given up")
        self.end = RoundEnd(EndReason.ABANDONED)
        self._ledger = self.ledger.abandon(gave_up)

    def undo(self, count: int = 1) -> None:
        """Take back the last moves. Drawing again after an undo gives the same tile."""
        if not 0 <= count <= len(self.plies):
            raise TriominoError(f"there are {len(self.plies)} moves to take back, not {count}")
        kept = self.plies[: len(self.plies) - count]
        self._rewind()
        for ply in kept:
            self.apply(ply)
