"""What a placement, a draw or the end of a round scores: points are events with a reason.

A total is always a sum of :class:`Score`, so a score sheet, a tooltip and a reward agree.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, Final, TypeAlias

from triomino.errors import PositionError
from triomino.rules import Blocked, BlockedTie, ExtraWhen, PlacementSum, Rules, Seat

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from triomino.board import Board
    from triomino.grid import Cell
    from triomino.moves import Place
    from triomino.tile import Tile


class Reason(StrEnum):
    """Why points were won or lost."""

    TILE = "tile"
    START = "start"
    BRIDGE = "bridge"
    HEXAGON = "hexagon"
    DOUBLE_HEXAGON = "double_hexagon"
    TRIPLE_HEXAGON = "triple_hexagon"
    DRAW = "draw"
    NO_PLAY = "no_play"
    EMPTY_POOL = "empty_pool"
    OUT = "out"
    OTHERS_LEFT = "others_left"
    OWN_LEFT = "own_left"


# Read on most moves; looking up an enum member takes longer than a call.
_TILE, _DRAW, _SUM_ALWAYS = Reason.TILE, Reason.DRAW, PlacementSum.ALL

HEXAGONS = (Reason.HEXAGON, Reason.DOUBLE_HEXAGON, Reason.TRIPLE_HEXAGON)
BONUSES = frozenset({Reason.BRIDGE, *HEXAGONS})

LEAST_TILES: Final = {
    Reason.BRIDGE: 9,
    Reason.HEXAGON: 6,
    Reason.DOUBLE_HEXAGON: 10,
    Reason.TRIPLE_HEXAGON: 13,
}
"""The earliest tile of a round, counted from 1, that can earn each bonus."""


@dataclass(frozen=True, slots=True)
class Score:
    """Points for one seat, and why."""

    seat: Seat
    reason: Reason
    points: int

    def __str__(self) -> str:
        return f"seat {self.seat}: {self.reason} {self.points:+d}"


# Every round repeats the same few scores; looking one up is much faster than creating it.
_score = lru_cache(maxsize=1 << 10)(Score)


@dataclass(frozen=True, slots=True)
class Sum:
    """A tile known only by its sum, and whether it is a triple."""

    points: int
    is_triple: bool = False


@dataclass(frozen=True, slots=True)
class Left:
    """A rack known only by the sum of its tiles and perhaps their number."""

    points: int
    count: int | None = None

    def __len__(self) -> int:
        if self.count is None:
            raise PositionError("how many tiles are left has to be known to settle this round")
        return self.count


Rack: TypeAlias = "Sequence[Tile] | Left"
"""The tiles a player holds, or what is known of them."""


def bonus_points(bonus: Reason, rules: Rules) -> int:
    """Return the points for a bridge or a hexagon."""
    if bonus is Reason.BRIDGE:
        return rules.bridge_bonus
    return rules.hexagon_bonuses[HEXAGONS.index(bonus)]


def bonus_of(board: Board, cell: Cell, rules: Rules) -> Reason | None:
    """Return the bonus that a tile on *cell*, which must be empty, would earn."""
    # A hexagon replaces a bridge under every bridge rule.
    if closed := board.hexagons(cell):
        return HEXAGONS[closed - 1]
    return Reason.BRIDGE if board.is_bridge(cell, rules.bridge_rule) else None


def placement_scores(board: Board, seat: Seat, place: Place, rules: Rules) -> list[Score]:
    """Return the scores for *place*, which is not on the board yet."""
    if not board.meets_every_corner(place.cell):
        if board.laid and rules.scoring and rules.placement_sum is _SUM_ALWAYS:
            return [_score(seat, _TILE, place.tile.points)]  # the usual case
        bonus = None
    else:
        bonus = bonus_of(board, place.cell, rules)
    return laid_scores(seat, place.tile, bonus, rules, opening=not board.laid)


def laid_scores(
    seat: Seat, tile: Tile | Sum, bonus: Reason | None, rules: Rules, *, opening: bool
) -> list[Score]:
    """Return the scores for a tile that made *bonus*; a score pad knows no more than this."""
    if not rules.scoring:
        return []
    scores: list[Score] = []
    if opening:
        scores += _opening_scores(seat, tile, rules)
    elif rules.placement_sum is _SUM_ALWAYS:
        scores.append(_score(seat, _TILE, tile.points))
    if bonus is not None:
        scores.append(_score(seat, bonus, bonus_points(bonus, rules)))
    return scores


def _opening_scores(seat: Seat, tile: Tile | Sum, rules: Rules) -> Iterator[Score]:
    if tile.points == 0 and rules.triple_zero_start is not None:
        # This is the total, including the bonus for starting with a triple.
        yield Score(seat, Reason.START, rules.triple_zero_start)
        return
    if rules.placement_sum is not PlacementSum.NONE:
        yield Score(seat, Reason.TILE, tile.points)
    if tile.is_triple and rules.triple_start_bonus:
        yield Score(seat, Reason.START, rules.triple_start_bonus)


def draw_scores(seat: Seat, count: int, rules: Rules) -> list[Score]:
    """Return the penalty for the *count*-th draw of a turn."""
    scores = []
    if rules.scoring and rules.draw_cost:
        scores.append(_score(seat, _DRAW, -rules.draw_cost))
    if count == rules.max_draws and rules.no_play_extra_when is ExtraWhen.ON_LAST_DRAW:
        scores += _no_play(seat, rules)
    return scores


def unplaced_scores(seat: Seat, count: int, rules: Rules) -> list[Score]:
    """Return the penalty for ending a turn after *count* draws with nothing placed."""
    # Three draws without a placement cost 25, not 15: not placing has its own penalty.
    if count == rules.max_draws and rules.no_play_extra_when is ExtraWhen.IF_UNPLACED:
        return _no_play(seat, rules)
    return []


def _no_play(seat: Seat, rules: Rules) -> list[Score]:
    if rules.scoring and rules.no_play_extra:
        return [_score(seat, Reason.NO_PLAY, -rules.no_play_extra)]
    return []


def empty_pool_scores(seat: Seat, rules: Rules) -> Iterator[Score]:
    """Return the penalty for passing with an empty pool."""
    if rules.scoring and rules.empty_pool_penalty:
        yield Score(seat, Reason.EMPTY_POOL, -rules.empty_pool_penalty)


def out_scores(seat: Seat, racks: Sequence[Rack], rules: Rules) -> Iterator[Score]:
    """Return the scores for going out, besides the placement itself."""
    if not rules.scoring:
        return
    if rules.out_bonus:
        yield Score(seat, Reason.OUT, rules.out_bonus)
    if rules.out_takes_opponents:
        yield Score(seat, Reason.OTHERS_LEFT, sum(_left(racks)))


def blocked_winners(racks: Sequence[Rack], rules: Rules) -> tuple[Seat, ...]:
    """Return the winners of a blocked round, if the rules name any."""
    match rules.blocked:
        case Blocked.SUBTRACT_OWN:
            return ()
        case Blocked.FEWEST_TILES | Blocked.FEWEST_TILES_TAKES_OTHERS:
            return _lowest([len(rack) for rack in racks])
        case _:
            lowest = _lowest(_left(racks))
            if rules.blocked_tie is BlockedTie.FEWEST_TILES:
                fewest = min(len(racks[seat]) for seat in lowest)
                return tuple(seat for seat in lowest if len(racks[seat]) == fewest)
            return lowest


def blocked_scores(racks: Sequence[Rack], rules: Rules) -> Iterator[Score]:
    """Return the settlement of a blocked round."""
    if not rules.scoring or rules.blocked is Blocked.FEWEST_TILES:
        return
    left = _left(racks)
    if rules.blocked is Blocked.SUBTRACT_OWN:
        for seat, own in enumerate(left):
            yield Score(seat, Reason.OWN_LEFT, -own)
        return
    winners = blocked_winners(racks, rules)
    if len(winners) > 1 and rules.blocked_tie is BlockedTie.NONE:
        return
    for seat in winners:
        shared = rules.blocked_tie is BlockedTie.LOSERS_ONLY
        spared = winners if shared else (seat,)
        others = [own for other, own in enumerate(left) if other not in spared]
        yield Score(seat, Reason.OTHERS_LEFT, sum(others))
        if rules.blocked is Blocked.LOWEST_TAKES_OTHERS_MINUS_OWN:
            yield Score(seat, Reason.OWN_LEFT, -left[seat])
        elif rules.blocked is Blocked.LOWEST_TAKES_DIFFERENCES:
            yield Score(seat, Reason.OWN_LEFT, -left[seat] * len(others))


def floored(scores: Iterable[Score], totals: Sequence[int]) -> list[Score]:
    """Return the scores cut so that no total, starting from *totals*, falls below zero."""
    now = list(totals)
    out = []
    for score in scores:
        lost = min(-score.points, max(0, now[score.seat]))
        counted = score if score.points >= 0 else Score(score.seat, score.reason, -lost)
        now[score.seat] += counted.points
        out.append(counted)
    return out


def _left(racks: Sequence[Rack]) -> list[int]:
    return [
        rack.points if isinstance(rack, Left) else sum(tile.points for tile in rack)
        for rack in racks
    ]


def _lowest(values: list[int]) -> tuple[Seat, ...]:
    return tuple(seat for seat, value in enumerate(values) if value == min(values))
