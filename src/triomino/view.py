"""What one seat or a spectator may know of a round: all that bots and sockets are given."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from triomino.choices import Choices
from triomino.errors import PositionError
from triomino.tile import MASKS, Tile, mask_of
from triomino.worlds import Worlds

if TYPE_CHECKING:
    from triomino.board import Board
    from triomino.deal import StartDraw
    from triomino.dice import Dice
    from triomino.game import Game, Ply, RoundEnd
    from triomino.moves import Move
    from triomino.position import Position
    from triomino.rules import Rules, Seat
    from triomino.scoring import Score


@dataclass(frozen=True, kw_only=True)
class View:
    """A round as *seat* sees it; a *seat* of ``None`` is a spectator.

    Two games that a seat cannot tell apart give equal views.

    >>> from triomino.game import Game
    >>> from triomino.rules import CLASSIC
    >>> view = View.of(Game.deal(CLASSIC, players=2, seed=7), seat=0)
    >>> len(view.rack), view.rack_sizes, view.pool_size
    (9, (9, 9), 38)
    """

    rules: Rules
    seat: Seat | None
    board: Board
    """A copy, to be treated as read-only."""
    rack: tuple[Tile, ...]
    """The seat's own tiles, in the order they came; a spectator has none."""
    rack_sizes: tuple[int, ...]
    pool_size: int
    turn: Seat
    drawn: tuple[Tile, ...]
    """The tiles drawn in the current turn, if it is the seat's own."""
    draws: int
    """The number of tiles drawn in the current turn."""
    idle_turns: int
    """How many turns in a row, of those that count towards a blocked round, placed nothing."""
    totals: tuple[int, ...]
    latched: bool
    starter: Seat
    start_draws: tuple[StartDraw, ...]
    plies: tuple[Ply, ...]
    """Every move so far; a drawn tile is named only to the seat that drew it."""
    end: RoundEnd | None
    start: Start
    """How the round began."""

    @classmethod
    def of(cls, game: Game, seat: Seat | None) -> View:
        """Return the view of a seat, or of a spectator."""
        own = seat == game.turn
        racks = game.racks
        return cls(
            rules=game.rules,
            seat=seat,
            board=game.board.copy(),
            rack=() if seat is None else tuple(racks[seat]),
            rack_sizes=tuple(map(len, racks)),
            pool_size=len(game.pool),
            turn=game.turn,
            drawn=tuple(game.drawn) if own else (),
            draws=len(game.drawn),
            idle_turns=game.idle_turns,
            totals=tuple(game.totals),
            latched=game.latched,
            starter=game.starter,
            start_draws=game.start.start_draws,
            plies=tuple(
                [ply if ply.tile is None or ply.seat == seat else ply.public for ply in game.plies]
            ),
            end=game.end,
            start=Start.of(game, seat),
        )

    @classmethod
    def at(cls, position: Position, seat: Seat | None) -> View:
        """Return the view of a position in which other racks and the pool may be hidden."""
        rack = None if seat is None else position.racks[seat]
        if seat is not None and rack is None:
            raise PositionError(f"the rack of seat {seat} is hidden; its view needs it")
        own = seat == position.turn
        return cls(
            rules=position.rules,
            seat=seat,
            board=position.as_board(),
            rack=rack or (),
            rack_sizes=position.rack_sizes,
            pool_size=position.pool_size,
            turn=position.turn,
            drawn=position.drawn if own else (),
            draws=len(position.drawn),
            idle_turns=0,
            totals=position.scores,
            latched=position.latched,
            starter=position.turn,
            start_draws=(),
            plies=(),
            end=None,
            start=Start(
                dealt=False,
                rack=rack or (),
                rack_sizes=position.rack_sizes,
                pool_size=position.pool_size,
                drawn=position.drawn if own else (),
                draws=len(position.drawn),
                totals=position.scores,
                latched=position.latched,
                tiles=MASKS[position.rules.tile_set],
            ),
        )

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.rack_sizes)

    @property
    def target(self) -> int | None:
        """The target of the match."""
        return self.rules.target

    @property
    def may_move(self) -> bool:
        """Whether this seat is to move."""
        return self.end is None and self.seat == self.turn

    @property
    def unseen(self) -> int:
        """The tiles on other racks or in the pool, as a mask."""
        return self.start.tiles & ~self.board.laid & ~mask_of(self.rack)

    @cached_property
    def choices(self) -> Choices:
        """The moves open to the seat; valid only if it :attr:`may_move`."""
        return Choices(self.rules, self.board, self.turn, self.rack, self.drawn, self.pool_size)

    @staticmethod
    def choices_of(game: Game, seat: Seat) -> Choices:
        """Return the choices of the *seat* to move without copying; valid until the next move."""
        if seat != game.turn:
            raise AssertionError(f"it is not the turn of seat {seat}")
        return game.choices

    def legal_moves(self) -> list[Move]:
        """Return the legal moves in the order of :meth:`Game.legal_moves`; empty if not to move."""
        return self.choices.legal_moves() if self.may_move else []

    def scores(self, move: Move) -> list[Score]:
        """Return what a legal move scores by itself, without the settlement of a round."""
        return self.choices.scores(move)

    @cached_property
    def worlds(self) -> Worlds:
        """The games that are consistent with this view, ready to be sampled."""
        return Worlds(self)

    def sample(self, dice: Dice) -> Game:
        """Return a game that is consistent with this view, every such deal equally likely.

        A deal is consistent if the tiles seen are where they were seen, the tiles shown in the draw
        for the start were in the pool, and every move so far was legal: a player who passed or had
        to draw held nothing that fitted. A round that is over cannot be sampled.
        """
        return self.worlds.sample(dice)


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """The beginning of a round, as a seat saw it."""

    dealt: bool
    """Whether the round began with a deal rather than from a position."""
    rack: tuple[Tile, ...]
    rack_sizes: tuple[int, ...]
    pool_size: int
    drawn: tuple[Tile, ...]
    draws: int
    totals: tuple[int, ...]
    latched: bool
    tiles: int
    """The tiles in play, as a mask; for a position with hidden racks, the whole set."""

    @classmethod
    def of(cls, game: Game, seat: Seat | None) -> Start:
        """Return the beginning of a game as *seat* saw it."""
        racks, drawn = game.start.racks, game.start_drawn
        return cls(
            dealt=game.is_dealt,
            rack=() if seat is None else racks[seat],
            rack_sizes=tuple(map(len, racks)),
            pool_size=len(game.start.pool),
            drawn=drawn if seat == game.starter else (),
            draws=len(drawn),
            totals=game.start_totals,
            latched=game.start_ledger.latched,
            tiles=game.tiles,
        )
