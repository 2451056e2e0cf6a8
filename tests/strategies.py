"""Values of this game for Hypothesis: one strategy per kind of thing."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from hypothesis import settings
from hypothesis import strategies as st

from tests.effort import count
from triomino.board import Board
from triomino.grid import Cell
from triomino.moves import Draw, End, Keep, Move, Pass, Place
from triomino.rules import (
    EDITIONS,
    NOT_BUILT,
    AfterDrawPlay,
    Blocked,
    BlockedTie,
    BlockedWhen,
    BonusStacking,
    BridgeRule,
    DrawObligation,
    EmptyPoolPass,
    ExtraWhen,
    FinalRound,
    MatchTie,
    NextStarter,
    Piece,
    PlacementSum,
    RoundWonBy,
    Rules,
    Starter,
    StartRedraw,
    StartTie,
    TargetLatch,
    TargetTest,
    TileSet,
    VoluntaryDraw,
)
from triomino.tile import SET_56, SET_76, TILE_SETS, Numbers, Tile, mask_of

if TYPE_CHECKING:
    from enum import StrEnum

    from hypothesis.strategies import DrawFn, SearchStrategy

# A law does not fail because the machine is slow.
settings.register_profile("laws", deadline=None, max_examples=count(400))
settings.load_profile("laws")

FAR: Final = 999_999_999
"""The largest coordinate that can be written."""


def tiles() -> SearchStrategy[Tile]:
    """Any tile of the 76."""
    return st.sampled_from(SET_76)


def numbers() -> SearchStrategy[Numbers]:
    """Three corners, in any order."""
    return st.tuples(*[st.integers(0, 5)] * 3)


def cells(limit: int = FAR) -> SearchStrategy[Cell]:
    """Any cell that can be written, or those not beyond *limit*."""
    coordinates = st.integers(-limit, limit)
    return st.builds(Cell, coordinates, coordinates, st.booleans())


def places(limit: int = FAR) -> SearchStrategy[Place]:
    """Any placement, legal or not."""
    return st.builds(Place, cells(limit), numbers())


def moves() -> SearchStrategy[Move]:
    """Any of the five moves."""
    return st.one_of(places(), st.sampled_from([Draw(), Pass(), End(), Keep()]))


@st.composite
def boards(draw: DrawFn, most: int = 20) -> Board:
    """A board that grew by legal placements of different tiles, as in a round."""
    left = list(draw(st.sampled_from([SET_56, SET_76])))
    board = Board()
    for _ in range(draw(st.integers(0, most))):
        ways = board.placements(mask_of(left))
        if not ways:
            break
        # Crowded cells first: rings and bridges are rare where tiles are laid at random.
        ways.sort(key=lambda place: -sum(n is not None for n in board.corners(place.cell.key)))
        place = ways[draw(st.integers(0, len(ways) - 1))]
        left.remove(place.tile)
        board.lay(place)
    return board


def _of(kind: type[StrEnum]) -> SearchStrategy[StrEnum]:
    return st.sampled_from([member for member in kind if member not in NOT_BUILT])


_POINTS: Final = st.integers(0, 120)
_FLAG: Final = st.booleans()

# Every field but the edition, which is drawn first, and the racks, which depend on others.
_FIELDS: Final[dict[str, SearchStrategy[Any]]] = {
    "tile_set": _of(TileSet),
    "piece": _of(Piece),
    "round_won_by": _of(RoundWonBy),
    "starter": _of(Starter),
    "start_redraw": _of(StartRedraw),
    "next_starter": _of(NextStarter),
    "opening_draw": _FLAG,
    "starter_free_choice": _FLAG,
    "triple_start_bonus": _POINTS,
    "triple_zero_start": st.none() | _POINTS,
    "start_tie": _of(StartTie),
    "scoring": _FLAG,
    "placement_sum": _of(PlacementSum),
    "bridge_rule": _of(BridgeRule),
    "bridge_bonus": _POINTS,
    "hexagon_bonuses": st.tuples(_POINTS, _POINTS, _POINTS),
    "bonus_stacking": _of(BonusStacking),
    "draw_cost": _POINTS,
    "max_draws": st.integers(1, 6),
    "draw_ends_turn": _FLAG,
    "no_play_extra": _POINTS,
    "no_play_extra_when": _of(ExtraWhen),
    "voluntary_draw": _of(VoluntaryDraw),
    "after_draw_play": _of(AfterDrawPlay),
    "must_place_after_last_draw": _FLAG,
    "may_keep": _FLAG,
    "draw_obligation": _of(DrawObligation),
    "empty_pool_pass": _of(EmptyPoolPass),
    "empty_pool_penalty": _POINTS,
    "out_bonus": _POINTS,
    "out_takes_opponents": _FLAG,
    "blocked": _of(Blocked),
    "blocked_tie": _of(BlockedTie),
    "blocked_when": _of(BlockedWhen),
    "floor_at_zero": _FLAG,
    "target": st.none() | st.integers(1, 500),
    "target_test": _of(TargetTest),
    "target_latch": _of(TargetLatch),
    "final_round": _of(FinalRound),
    "match_tie": _of(MatchTie),
}


@st.composite
def house_rules(draw: DrawFn, least_changes: int = 0) -> Rules:
    """Valid rules: an edition with any of its fields changed to any value that is built.

    They deal for every player count they allow: ``rules.racks`` holds the counts.
    """
    base = EDITIONS[draw(st.sampled_from(sorted(EDITIONS)))]
    names = draw(
        st.lists(st.sampled_from([*_FIELDS, "racks"]), unique=True, min_size=least_changes)
    )
    changes = {name: draw(_FIELDS[name]) for name in sorted(names) if name != "racks"}
    tile_set = changes.get("tile_set", base.tile_set)
    if "racks" in names or len(TILE_SETS[tile_set]) < len(base.tiles):
        draws = changes.get("starter", base.starter) is Starter.DRAW_HIGH
        changes["racks"] = draw(_racks(TILE_SETS[tile_set], draws=draws))
    return base.with_changes(changes)


@st.composite
def _racks(draw: DrawFn, tiles: tuple[Tile, ...], *, draws: bool) -> dict[int, int]:
    # A draw for the start needs tiles of different value.
    alike = max(Counter(tile.points for tile in tiles).values())
    most = {
        count: (len(tiles) - (count + alike - 1 if draws else 0)) // count for count in range(2, 7)
    }
    able = [count for count in most if most[count] > 0]
    counts = draw(st.lists(st.sampled_from(able), unique=True, min_size=1))
    return {count: draw(st.integers(1, min(38, most[count]))) for count in counts}
