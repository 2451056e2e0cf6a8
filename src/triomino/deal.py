"""Setting up a round: the racks, the pool and the starter."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from triomino.dice import Dice, shuffle
from triomino.rules import Rules, Seat, Starter, StartRedraw

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from triomino.tile import Tile


@dataclass(frozen=True, slots=True)
class StartDraw:
    """A tile that a seat drew, for all to see, in the draw for the start."""

    seat: Seat
    tile: Tile


Rack: TypeAlias = tuple["Tile", ...]


@dataclass(frozen=True, slots=True)
class Deal:
    """How a round begins. The pool is in the order in which it will be drawn."""

    racks: tuple[Rack, ...]
    pool: Rack
    starter: Seat
    start_draws: tuple[StartDraw, ...] = ()


def deal(rules: Rules, players: int, dice: Dice, starter: Seat | None = None) -> Deal:
    """Shuffle, deal and find the starter, unless *starter* is already settled.

    The order of the steps is part of ``fair/1``.
    """
    rules.check_players(players)
    tiles = list(rules.tiles)
    shuffle(tiles, dice)
    size = rules.racks[players]
    racks = tuple(tuple(tiles[seat * size : (seat + 1) * size]) for seat in range(players))
    pool = tiles[players * size :]
    if starter is not None:
        return Deal(racks, tuple(pool), starter)
    if rules.starter is Starter.HIGHEST_TRIPLE:
        return Deal(racks, tuple(pool), holder_of_highest(racks))

    taken: list[Tile] = []

    def put_back() -> None:
        pool.extend(taken)
        taken.clear()
        shuffle(pool, dice)

    def take(needed: int) -> list[Tile]:
        if needed > len(pool):
            put_back()
        drawn, pool[:needed] = pool[:needed], []
        taken.extend(drawn)
        return drawn

    starter, draws = draw_for_start(rules, players, take)
    put_back()
    return Deal(racks, tuple(pool), starter, draws)


def draw_for_start(
    rules: Rules, players: int, take: Callable[[int], Sequence[Tile]]
) -> tuple[Seat, tuple[StartDraw, ...]]:
    """Return the starter and all draws: the highest value starts, and ties draw again.

    *take* takes a number of tiles from the pool.
    """
    draws: list[StartDraw] = []
    seats = list(range(players))
    while True:
        shown = [StartDraw(*pair) for pair in zip(seats, take(len(seats)), strict=True)]
        draws += shown
        best = max(draw.tile.points for draw in shown)
        tied = [draw.seat for draw in shown if draw.tile.points == best]
        if len(tied) == 1:
            return tied[0], tuple(draws)
        if rules.start_redraw is StartRedraw.TIED_HIGHEST:
            seats = tied


def card_rank(tile: Tile) -> tuple[bool, int, list[int]]:
    """A sort key for the start: triples first, then by value, then by corners descending."""
    return tile.is_triple, tile.points, sorted(tile.numbers, reverse=True)


def holder_of_highest(racks: Sequence[Sequence[Tile]]) -> Seat:
    """Return the seat with the highest triple or, if there is none, the highest tile."""
    return max(range(len(racks)), key=lambda seat: max(map(card_rank, racks[seat])))


def opening_tiles(rack: Sequence[Tile], rules: Rules) -> list[Tile]:
    """Return the tiles that the starter may open with."""
    if rules.starter_free_choice:
        return list(rack)
    highest = max(rack, key=card_rank)
    choices = [highest]
    if highest.is_triple and highest.points and rules.triple_zero_start is not None:
        choices += [tile for tile in rack if tile.points == 0]
    return choices
