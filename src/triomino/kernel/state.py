"""A position within a round, held by the kernel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias, assert_never

from triomino.errors import IllegalMove, Why
from triomino.game import Game, RoundEnd
from triomino.grid import Cell
from triomino.kernel.loader import KernelError, native, native_rules, refusals
from triomino.ledger import EndReason
from triomino.moves import Draw, End, Keep, Move, Pass, Place
from triomino.position import Position
from triomino.scoring import HEXAGONS, Reason
from triomino.tile import SET_76, Tile

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from triomino.kernel import _native
    from triomino.rules import Rules, Seat

MoveTuple: TypeAlias = tuple[int, int, int, int, int, int, int]
"""Kind, x, y, down and three numbers; only placements use more than the kind."""

_OTHERS: Final[tuple[Move, ...]] = (Draw(), Keep(), End(), Pass())
_KINDS: Final = {move: kind for kind, move in enumerate(_OTHERS, 1)}
_ENDINGS: Final = (None, EndReason.OUT, EndReason.BLOCKED)
_BONUSES: Final[tuple[Reason | None, ...]] = (None, Reason.BRIDGE, *HEXAGONS)


def move_kind(move: Move) -> int:
    """Return the number of a kind of move in the native module."""
    return 0 if isinstance(move, Place) else _KINDS[move]


def tuple_of(move: Move) -> MoveTuple:
    """Return a move in the form of the native module."""
    match move:
        case Place(cell, numbers):
            return 0, cell.x, cell.y, int(cell.down), *numbers
        case Draw() | Keep() | End() | Pass():
            return _KINDS[move], 0, 0, 0, 0, 0, 0
        case _:
            assert_never(move)


def move_of(given: MoveTuple) -> Move:
    """Return a move from the form of the native module."""
    return _OTHERS[given[0] - 1] if given[0] else _place(given)


def index_of(tile: Tile) -> int:
    """Return the index of a tile among all 76 in ascending order."""
    return tile.bit.bit_length() - 1


class Solution(NamedTuple):
    """The result of best play by both."""

    margin: int
    """The final total of the seat to move, less the other's."""
    win: int
    """Where not points decide who wins a round: 1, 0 if it is shared, -1; else 0."""
    nodes: int
    """Positions visited."""


class State:
    """A mutable position with all tiles known.

    It has no history. Racks are in ascending order, except that the tiles drawn in the current turn
    come last.

    >>> from triomino.rules import CLASSIC
    >>> game = Game.deal(CLASSIC, players=2, seed=7)
    >>> state = State.of(game)
    >>> state.legal_moves() == game.legal_moves()
    True
    """

    __slots__ = ("inner", "rules")

    def __init__(self, rules: Rules, inner: _native.State) -> None:
        self.rules = rules
        self.inner = inner

    @property
    def players(self) -> int:
        """The number of players."""
        return self.inner.players

    @classmethod
    def of(cls, game: Game, *, portable: bool = False) -> State:
        """Return the current position of a game; *portable* forces the portable engine.

        Raises :class:`KernelError` if the kernel cannot represent it, as with a board in pieces.
        """
        end = game.end
        if end is not None and end.reason is EndReason.ABANDONED:
            raise KernelError("the kernel holds no round that was given up")
        return load(
            game.rules,
            board=game.board.places,
            racks=game.racks,
            pool=game.pool,
            drawn=game.drawn,
            totals=game.totals,
            turn=game.turn,
            starter=game.starter,
            idle=game.idle_turns,
            latched=game.latched,
            end=end,
            portable=portable,
        )

    def copy(self) -> State:
        """Return an independent copy."""
        return State(self.rules, self.inner.copy())

    def __reduce__(self) -> tuple[object, ...]:
        return _from_raw, (self.rules, self.inner.raw())

    def __copy__(self) -> State:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, object]) -> State:
        return self.copy()

    @property
    def position(self) -> Position:
        """The state as an immutable position."""
        data = self.inner.dump()
        return Position.of(
            [map(SET_76.__getitem__, rack) for rack in data["racks"]],
            map(SET_76.__getitem__, data["pool"]),
            rules=self.rules,
            board=[_place(place) for place in data["board"]],
            turn=data["turn"],
            drawn=map(SET_76.__getitem__, data["drawn"]),
            scores=data["totals"],
            latched=data["latched"],
        )

    def game(self) -> Game:
        """Return a game that continues from here; raises if the round is over."""
        data = self.inner.dump()
        if data["ending"]:
            raise KernelError("the round is over; no game goes on from here")
        game = Game.at(self.position)
        game.idle_turns = data["idle"]
        return game

    @property
    def turn(self) -> Seat:
        """The seat to move; at the end of a round, the seat that moved last."""
        return self.inner.turn

    @property
    def totals(self) -> tuple[int, ...]:
        """The current totals of the match."""
        return tuple(self.inner.totals[: self.players])

    @property
    def end(self) -> RoundEnd | None:
        """How the round ended, without its scores, or ``None``."""
        data = self.inner.dump()
        reason = _ENDINGS[data["ending"]]
        if reason is None:
            return None
        return RoundEnd(reason, tuple(seat for seat in range(6) if data["end_seats"] >> seat & 1))

    def legal_moves(self) -> list[Move]:
        """Return every legal move, in the order of :meth:`Game.legal_moves`."""
        return [move_of(move) for move in self.inner.legal()]

    def legal_actions(self) -> list[int]:
        """Return every legal action, ascending: see :class:`triomino.env.ActionSpace`."""
        return self.inner.actions()

    def play_action(self, action: int) -> None:
        """Play a legal action; raises :class:`KernelError` if it is not."""
        try:
            self.inner.play(action)
        except (ValueError, TypeError) as error:  # a context manager would take longer than a move
            raise KernelError(f"{action}: {error}") from None

    def put_next(self, tile: Tile) -> None:
        """Make a tile of the pool the next one that is drawn."""
        with refusals(f"{tile}: "):
            self.inner.put_next(index_of(tile))

    def points(self, move: Move) -> int:
        """Return the points of a legal move on its own: no floor, no end of the round."""
        return self.inner.points(tuple_of(move))

    def play(self, move: Move) -> Reason | None:
        """Play a move and return the bonus it made. Raises :class:`IllegalMove`."""
        try:
            return _BONUSES[self.inner.apply(tuple_of(move))]
        except ValueError:
            why = Why.ROUND_OVER if self.end else self.game().why_not(move)
            raise IllegalMove(why or Why.ROUND_OVER, move) from None

    def solve(self, nodes: int = 200_000, win_weight: int = 100) -> Solution | None:
        """Return what best play by both leads to, or ``None`` if *nodes* do not suffice.

        Only for two players with a tile on the board; all tiles count as known, also those in the
        pool. Where not points decide who wins a round, winning it is worth *win_weight* points.
        """
        found = self.inner.solve(nodes, win_weight)
        return None if found is None else Solution(*found)

    def perft(self, depth: int) -> int:
        """Return the number of move sequences of length *depth*: see :func:`triomino.perft`."""
        return self.inner.perft(depth)


def _from_raw(rules: Rules, raw: bytes) -> State:
    with refusals():
        return State(rules, native().State.from_raw(native_rules(rules), raw))


def load(
    rules: Rules,
    *,
    board: Iterable[Place],
    racks: Iterable[Iterable[Tile]],
    pool: Iterable[Tile],
    drawn: Iterable[Tile],
    totals: Sequence[int],
    turn: Seat,
    starter: Seat,
    idle: int,
    latched: bool,
    end: RoundEnd | None = None,
    portable: bool = False,
) -> State:
    """Return a state from its parts; raises :class:`KernelError` if they contradict each other."""
    with refusals("the kernel cannot hold this position: "):
        inner = native().State.load(
            native_rules(rules),
            [tuple_of(place) for place in board],
            [[index_of(tile) for tile in rack] for rack in racks],
            [index_of(tile) for tile in pool],
            [index_of(tile) for tile in drawn],
            list(totals),
            turn,
            starter,
            idle,
            latched,
            0 if end is None else _ENDINGS.index(end.reason),
            0 if end is None else sum(1 << seat for seat in end.seats),
            portable,
        )
    return State(rules, inner)


def _place(given: MoveTuple) -> Place:
    _, x, y, down, a, b, c = given
    return Place(Cell(x, y, bool(down)), (a, b, c))
