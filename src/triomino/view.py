"""What one seat, or a spectator, may know: the only thing that bots and sockets receive."""

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
    """A round as *seat* sees it; ``None`` is a spectator.

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
    """A copy; treat it as read-only."""
    rack: tuple[Tile, ...]
    """The seat's own tiles in the order they came; a spectator has none."""
    rack_sizes: tuple[int, ...]
    pool_size: int
    turn: Seat
    drawn: tuple[Tile, ...]
    """The tiles drawn in the running turn, where it is the seat's own."""
    draws: int
    """How many tiles were drawn in the running turn."""
    idle_turns: int
    """Turns in a row without a placement that count towards a blocked round."""
    totals: tuple[int, ...]
    latched: bool
    starter: Seat
    start_draws: tuple[StartDraw, ...]
    plies: tuple[Ply, ...]
    """All that happened; a tile drawn is named only to the seat that drew it."""
    end: RoundEnd | None
    start: Start
    """How the round began."""

    @classmethod
    def of(cls, game: Game, seat: Seat | None) -> View:
        """The view of a seat, or of a spectator."""
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
                [
                    turn if turn.tile is None or turn.seat == seat else turn.public
                    for turn in game.plies
                ]
            ),
            end=game.end,
            start=Start.of(game, seat),
        )

    @classmethod
    def at(cls, position: Position, seat: Seat | None) -> View:
        """The view of a position whose other racks and pool may be hidden."""
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
        """How many play."""
        return len(self.rack_sizes)

    @property
    def target(self) -> int | None:
        """What the match is played to."""
        return self.rules.target

    @property
    def may_move(self) -> bool:
        """Whether it is this seat's turn."""
        return self.end is None and self.seat == self.turn

    @property
    def unseen(self) -> int:
        """The tiles that are on other racks or in the pool, as a mask."""
        return self.start.tiles & ~self.board.laid & ~mask_of(self.rack)

    @cached_property
    def choices(self) -> Choices:
        """The seat's own turn; ask only if it :attr:`may_move`."""
        return Choices(self.rules, self.board, self.turn, self.rack, self.drawn, self.pool_size)

    @staticmethod
    def choices_of(game: Game, seat: Seat) -> Choices:
        """The choices in the view of the *seat* to move, for use at once: nothing is copied."""
        if seat != game.turn:
            raise AssertionError(f"it is not the turn of seat {seat}")
        return game.choices

    def legal_moves(self) -> list[Move]:
        """What the seat can do, as :meth:`Game.legal_moves` lists it; empty if it cannot move."""
        return self.choices.legal_moves() if self.may_move else []

    def scores(self, move: Move) -> list[Score]:
        """What a legal move wins or costs by itself, whatever it may end."""
        return self.choices.scores(move)

    @cached_property
    def worlds(self) -> Worlds:
        """The games it could be in, ready to be sampled."""
        return Worlds(self)

    def sample(self, dice: Dice) -> Game:
        """A game this view could be of, every consistent deal equally likely.

        Consistent are the deals in which the tiles seen are where they were seen, the tiles shown
        in the draw for the start were in the pool, and every move so far was legal: who passed or
        had to draw held nothing that fitted. A round that is over cannot be sampled.
        """
        return self.worlds.sample(dice)


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """How a round began, as a seat saw it."""

    dealt: bool
    """With a deal, or from a position."""
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
        """The start of a game."""
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
