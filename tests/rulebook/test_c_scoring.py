"""10.C: what a placement is worth, and the proof of section 3.4."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace
from functools import cache
from itertools import product
from typing import TYPE_CHECKING

import pytest

from tests.rulebook.boards import (
    FIGURES,
    P2E,
    P3AP,
    P3E,
    PF,
    PF2,
    PG,
    PH,
    PI,
    editions,
    game_at,
    places,
    play,
    touching,
    turned,
    unused,
)
from triomino import CLASSIC, Board, BridgeRule, Cell, Game, Place, Position, Reason
from triomino.scoring import placement_scores

if TYPE_CHECKING:
    from collections.abc import Iterable

    from triomino import Ply, Rules

STRICT, ONE_FREE_SIDE = BridgeRule.STRICT, BridgeRule.ONE_FREE_SIDE
THREE_CORNERS, APEX_CONTACT = BridgeRule.THREE_CORNERS, BridgeRule.APEX_CONTACT
HEXAGONS = (Reason.HEXAGON, Reason.DOUBLE_HEXAGON, Reason.TRIPLE_HEXAGON)

# A figure counts the same whichever way the table is looked at, so each is tried from six sides.
six_sides = pytest.mark.parametrize("sixths", range(6))


def lay(rules: Rules, board: str, tile: str, sixths: int = 0) -> Ply:
    """Play *tile* in a game that goes on afterwards."""
    *before, last = turned(places(f"{board} {tile}"), sixths)
    a, b, c, *_ = unused(rules, [place.tile for place in (*before, last)])
    game = Game.at(Position.of([[last.tile, a], [b]], [c], rules=rules, board=before))
    ply = game.play(last)
    assert game.totals == [ply.points, 0]
    assert not game.over
    return ply


def worth(ply: Ply) -> tuple[int, Reason | None, int]:
    """All points, the bonus, and how much of the points it is."""
    bonus = sum(score.points for score in ply.scores if score.reason is ply.bonus)
    return ply.points, ply.bonus, bonus


# --- The figures ---------------------------------------------------------------------------------


@editions(*FIGURES)
@six_sides
def test_tv_14_a_bridge(rules: Rules, sixths: int) -> None:
    assert worth(lay(rules, PF, "U(0,0)=4-3-4", sixths)) == (51, Reason.BRIDGE, 40)


@editions(*FIGURES)
@six_sides
def test_tv_15_a_bridge_the_other_way_round(rules: Rules, sixths: int) -> None:
    assert worth(lay(rules, PF2, "U(0,0)=3-4-4", sixths)) == (51, Reason.BRIDGE, 40)


@editions(*FIGURES)
@six_sides
def test_tv_16_a_hexagon(rules: Rules, sixths: int) -> None:
    assert worth(lay(rules, PG, "U(0,0)=1-5-5", sixths)) == (61, Reason.HEXAGON, 50)


def test_tv_16_the_hexagon_lies_round_the_origin() -> None:
    board = Board.of(places(f"{PG} U(0,0)=1-5-5"))
    surrounded = [v for v in board.numbers if all(cell in board for cell in v.ring)]
    assert [(vertex.x, vertex.y) for vertex in surrounded] == [(0, 0)]


@editions(*FIGURES)
@six_sides
def test_tv_17_a_double_hexagon(rules: Rules, sixths: int) -> None:
    assert worth(lay(rules, PH, "U(0,0)=3-4-5", sixths)) == (72, Reason.DOUBLE_HEXAGON, 60)


@editions(*FIGURES)
@six_sides
def test_tv_18_a_triple_hexagon(rules: Rules, sixths: int) -> None:
    assert worth(lay(rules, PI, "U(0,0)=1-1-3", sixths)) == (75, Reason.TRIPLE_HEXAGON, 70)


@editions(*FIGURES)
@six_sides
def test_tv_19_filling_the_hole_under_a_bridge(rules: Rules, sixths: int) -> None:
    ply = lay(rules, f"{PF} U(0,0)=4-3-4", "D(-1,0)=4-0-3", sixths)
    assert worth(ply) == (67, Reason.DOUBLE_HEXAGON, 60)


@editions(*FIGURES)
@six_sides
def test_tv_20_three_tiles_at_the_apex_are_one_bridge(rules: Rules, sixths: int) -> None:
    assert worth(lay(rules, P3AP, "U(0,0)=4-3-4", sixths)) == (51, Reason.BRIDGE, 40)


@editions(*FIGURES)
@six_sides
@pytest.mark.parametrize(
    ("bridge_rule", "points"),
    [(STRICT, 14), (ONE_FREE_SIDE, 54), (THREE_CORNERS, 54), (APEX_CONTACT, 14)],
)
def test_tv_21_two_shared_edges(
    rules: Rules, sixths: int, bridge_rule: BridgeRule, points: int
) -> None:
    ply = lay(replace(rules, bridge_rule=bridge_rule), P2E, "U(0,0)=4-5-5", sixths)
    assert worth(ply) == ((54, Reason.BRIDGE, 40) if points == 54 else (14, None, 0))


@editions(*FIGURES)
@six_sides
@pytest.mark.parametrize(
    ("bridge_rule", "points"),
    [(STRICT, 14), (ONE_FREE_SIDE, 14), (THREE_CORNERS, 54), (APEX_CONTACT, 54)],
)
def test_tv_22_three_shared_edges(
    rules: Rules, sixths: int, bridge_rule: BridgeRule, points: int
) -> None:
    ply = lay(replace(rules, bridge_rule=bridge_rule), P3E, "U(0,0)=4-5-5", sixths)
    assert worth(ply) == ((54, Reason.BRIDGE, 40) if points == 54 else (14, None, 0))


@editions(*FIGURES)
def test_tv_21_the_default_is_strict(rules: Rules) -> None:
    assert rules.bridge_rule is STRICT


@editions(*FIGURES)
@pytest.mark.parametrize("bridge_rule", list(BridgeRule))
def test_tv_23_a_hexagon_replaces_a_bridge(rules: Rules, bridge_rule: BridgeRule) -> None:
    ply = lay(replace(rules, bridge_rule=bridge_rule), PG, "U(0,0)=1-5-5")
    assert worth(ply) == (61, Reason.HEXAGON, 50)
    assert [score.points for score in ply.scores] == [11, 50]


@editions("classic", "six-player")
def test_tv_25_no_bonus_for_an_opening_triple(rules: Rules) -> None:
    game = game_at(rules, "5-5-5 0-0-1 / 0-0-2", "0-0-3", board="")
    ply = play(game, "U(0,0)=5-5-5")
    assert worth(ply) == (15, None, 0)
    assert game.totals == [15, 0]


# --- How early -----------------------------------------------------------------------------------


EARLIEST = {
    Reason.BRIDGE: 9,
    Reason.HEXAGON: 6,
    Reason.DOUBLE_HEXAGON: 10,
    Reason.TRIPLE_HEXAGON: 13,
}


@editions(*FIGURES)
@pytest.mark.parametrize(
    ("board", "tile", "bonus"),
    [
        (PF, "U(0,0)=4-3-4", Reason.BRIDGE),
        (PG, "U(0,0)=1-5-5", Reason.HEXAGON),
        (PH, "U(0,0)=3-4-5", Reason.DOUBLE_HEXAGON),
        (PI, "U(0,0)=1-1-3", Reason.TRIPLE_HEXAGON),
    ],
)
def test_tv_24_a_round_can_begin_so(rules: Rules, board: str, tile: str, bonus: Reason) -> None:
    first, *others = places(f"{board} {tile}")
    a, b, c, *_ = unused(rules, [place.tile for place in (first, *others)])
    racks = [[a, *(p.tile for p in others[::2])], [b, *(p.tile for p in others[1::2])]]
    game = Game.at(Position.of(racks, [c], rules=rules, board=[first]))
    bonuses = {nth: game.play(place).bonus for nth, place in enumerate(others, start=2)}
    assert bonuses.pop(EARLIEST[bonus]) is bonus
    assert len(game.board) == EARLIEST[bonus]
    # On the way there nothing comes too early either.
    assert all(made is None or nth >= EARLIEST[made] for nth, made in bonuses.items())


@cache
def shapes(size: int) -> frozenset[frozenset[Cell]]:
    """Every way to join so many cells by their edges; those that differ by a shift are one."""
    if size == 1:
        return frozenset({frozenset({Cell(0, 0)}), frozenset({Cell(0, 0, down=True)})})
    return frozenset(
        shifted(shape | {beside})
        for shape in shapes(size - 1)
        for cell in shape
        for beside in cell.neighbours
        if beside not in shape
    )


def shifted(shape: Iterable[Cell]) -> frozenset[Cell]:
    cells = list(shape)
    x, y = min(cell.x for cell in cells), min(cell.y for cell in cells)
    return frozenset(Cell(cell.x - x, cell.y - y, cell.down) for cell in cells)


def blank(cells: Iterable[Cell]) -> Board:
    """A board of which only the outline matters."""
    return Board.of([Place(cell, (0, 0, 0)) for cell in cells], repeats=True)


def test_tv_24_no_round_of_any_shape_is_quicker() -> None:
    counts = [len(shapes(size)) for size in range(1, 10)]
    assert counts == [2, 3, 6, 14, 36, 94, 250, 675, 1838]  # the fixed polyiamonds, all of them
    earliest: dict[Reason, int] = {}
    for size in range(1, 10):
        for shape in shapes(size):
            board = blank(shape)
            for cell in {beside for each in shape for beside in each.neighbours} - shape:
                closed = board.hexagons(cell)
                if closed:
                    earliest.setdefault(HEXAGONS[closed - 1], size + 1)
                if board.is_bridge(cell, STRICT):
                    earliest.setdefault(Reason.BRIDGE, size + 1)
    # Ten tiles close no three hexagons; the table below shows that it takes thirteen.
    assert earliest == {made: nth for made, nth in EARLIEST.items() if nth <= 10}


# --- The exhaustive table of section 3.4 ---------------------------------------------------------

# Shared edges, hexagons, then whether it is a bridge under each rule.
Row = tuple[int, int, bool, bool, bool, bool]
TABLE_RULES = (STRICT, ONE_FREE_SIDE, APEX_CONTACT, THREE_CORNERS)
NO, YES = False, True
TABLE: dict[Row, int] = {
    (1, 0, NO, NO, NO, NO): 192,
    (1, 0, YES, YES, YES, YES): 1344,
    (2, 0, NO, YES, NO, YES): 21,
    (2, 0, NO, YES, YES, YES): 1323,
    (2, 1, NO, YES, NO, YES): 3,
    (2, 1, NO, YES, YES, YES): 189,
    (3, 0, NO, NO, NO, YES): 1,
    (3, 0, NO, NO, YES, YES): 342,
    (3, 1, NO, NO, YES, YES): 147,
    (3, 2, NO, NO, YES, YES): 21,
    (3, 3, NO, NO, YES, YES): 1,
}


def patterns(cell: Cell) -> list[tuple[set[Cell], Board]]:
    """Every way to fill the twelve cells round *cell* that shares an edge with it."""
    around = touching(cell)
    assert len(around) == 12
    found = []
    for chosen in product((False, True), repeat=12):
        filled = {other for other, taken in zip(around, chosen, strict=True) if taken}
        if filled.intersection(cell.neighbours):
            found.append((filled, blank(filled)))
    return found


def points(board: Board, cell: Cell, rule: BridgeRule) -> int:
    """What a tile without value scores there."""
    rules = replace(CLASSIC, bridge_rule=rule)
    scores = placement_scores(board, 0, Place(cell, (0, 0, 0)), rules)
    return sum(score.points for score in scores)


@pytest.mark.parametrize("text", ["U(0,0)", "D(0,0)"])
def test_section_3_4_the_exhaustive_table(text: str) -> None:
    cell = Cell.parse(text)
    found: Counter[Row] = Counter()
    fewest: dict[int, int] = defaultdict(lambda: 13)
    for filled, board in patterns(cell):
        edges, closed = len(filled.intersection(cell.neighbours)), board.hexagons(cell)
        strict, one_free_side, apex_contact, three_corners = (
            board.is_bridge(cell, rule) for rule in TABLE_RULES
        )
        found[edges, closed, strict, one_free_side, apex_contact, three_corners] += 1
        fewest[closed] = min(fewest[closed], len(filled))
        for rule in TABLE_RULES:
            bridge = 40 if board.is_bridge(cell, rule) else 0
            assert points(board, cell, rule) == ((50, 60, 70)[closed - 1] if closed else bridge)
    assert found == TABLE
    assert sum(found.values()) == 3584
    # With the tile itself: a hexagon is closed by the 6th at the earliest, two by the 10th, three
    # by the 13th.
    assert dict(fewest) == {0: 1, 1: 5, 2: 9, 3: 12}
