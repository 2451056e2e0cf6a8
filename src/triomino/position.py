"""The state of a round as a value: ``triomino-position/2``."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from triomino.board import Board
from triomino.errors import PositionError
from triomino.rules import CLASSIC, Rules, Seat
from triomino.tile import MASKS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from triomino.moves import Place
    from triomino.tile import Tile


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """The board, the racks, the pool and the seat to move; hidden racks and pools are ``None``.

    The pool is in the order in which it will be drawn. ``drawn`` are the tiles drawn in this turn,
    which are also on the rack. ``latched`` means that the target has been met, so this round is the
    last. A position need not contain the whole set, but :class:`PositionError` is raised if it
    contradicts itself.
    """

    rules: Rules = CLASSIC
    board: tuple[Place, ...] = ()
    racks: tuple[tuple[Tile, ...] | None, ...]
    rack_sizes: tuple[int, ...]
    pool: tuple[Tile, ...] | None
    pool_size: int
    turn: Seat = 0
    drawn: tuple[Tile, ...] = ()
    scores: tuple[int, ...] = ()
    latched: bool = False

    def __post_init__(self) -> None:
        players = len(self.racks)
        self.rules.check_players(players)
        if not self.scores:
            object.__setattr__(self, "scores", (0,) * players)
        self.as_board()
        _check_counts(self, players)
        _check_tiles(self)
        _check_drawn(self)

    @classmethod
    def of(
        cls,
        racks: Iterable[Iterable[Tile]],
        pool: Iterable[Tile] = (),
        *,
        rules: Rules = CLASSIC,
        board: Iterable[Place] = (),
        turn: Seat = 0,
        drawn: Iterable[Tile] = (),
        scores: Iterable[int] = (),
        latched: bool = False,
    ) -> Position:
        """Return a position in which nothing is hidden; sizes are worked out."""
        full = tuple(tuple(rack) for rack in racks)
        order = tuple(pool)
        return cls(
            rules=rules,
            board=tuple(board),
            racks=full,
            rack_sizes=tuple(map(len, full)),
            pool=order,
            pool_size=len(order),
            turn=turn,
            drawn=tuple(drawn),
            scores=tuple(scores),
            latched=latched,
        )

    def as_board(self) -> Board:
        """Return the board with these tiles."""
        return Board.of(self.board)


def _check_counts(position: Position, players: int) -> None:
    if len(position.rack_sizes) != players or len(position.scores) != players:
        raise PositionError(f"there are {players} racks; sizes and scores must be as many")
    if not 0 <= position.turn < players:
        raise PositionError(f"turn: there is no seat {position.turn}")
    if min(*position.rack_sizes, position.pool_size) < 0:
        raise PositionError("a size is below zero")
    for seat, (rack, size) in enumerate(zip(position.racks, position.rack_sizes, strict=True)):
        if rack is not None and len(rack) != size:
            raise PositionError(f"rack {seat} has {len(rack)} tiles, rack_sizes says {size}")
    if position.pool is not None and len(position.pool) != position.pool_size:
        raise PositionError(
            f"the pool has {len(position.pool)} tiles, pool_size says {position.pool_size}"
        )


def _check_tiles(position: Position) -> None:
    tiles = [place.tile for place in position.board]
    for rack in position.racks:
        tiles += rack or ()
    tiles += position.pool or ()
    if position.racks[position.turn] is None:
        tiles += position.drawn
    for tile, count in Counter(tiles).items():
        if count > 1:
            raise PositionError(f"tile {tile} is there {count} times")
        if not tile.bit & MASKS[position.rules.tile_set]:
            raise PositionError(f"tile {tile} is not in the set of {position.rules.tile_set}")
    total = len(position.board) + sum(position.rack_sizes) + position.pool_size
    if total > len(position.rules.tiles):
        raise PositionError(f"{total} tiles in all, the set has {len(position.rules.tiles)}")


def _check_drawn(position: Position) -> None:
    rack = position.racks[position.turn]
    if len(position.drawn) > min(position.rules.max_draws, position.rack_sizes[position.turn]):
        raise PositionError(f"{len(position.drawn)} tiles cannot have been drawn in this turn")
    if len(set(position.drawn)) < len(position.drawn):
        raise PositionError("a tile was drawn twice")
    for tile in position.drawn:
        if rack is not None and tile not in rack:
            raise PositionError(f"drawn tile {tile} is not on the rack of seat {position.turn}")
