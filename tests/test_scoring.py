"""What placements, draws and endings are worth, by examples worked out by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from triomino.board import Board
from triomino.moves import Place
from triomino.rules import (
    CARD,
    CASUAL,
    CLASSIC,
    CLASSIC_HEBREW,
    EDITIONS,
    SIX_PLAYER,
    Rules,
)
from triomino.scoring import (
    BONUSES,
    HEXAGONS,
    Reason,
    Score,
    blocked_scores,
    blocked_winners,
    draw_scores,
    empty_pool_scores,
    out_scores,
    placement_scores,
    unplaced_scores,
)
from triomino.tile import Tile

if TYPE_CHECKING:
    from collections.abc import Iterable

BOARDS = {
    "empty": "",
    "one tile": "U(0,0)=1-3-4",
    "two tiles": "U(0,0)=1-3-4 D(-1,0)=1-2-3",
    "bridge": "D(0,-1)=4-4-4 U(0,-1)=5-4-4 D(-1,-1)=5-5-4 U(-1,0)=5-0-4 D(-2,0)=5-0-0"
    " U(-2,1)=0-0-0 D(-2,1)=0-0-1 U(-1,1)=0-1-3",
    "bridge turned": "D(0,-1)=2-3-4 U(0,-1)=2-3-2 D(-1,-1)=2-3-3 U(-1,0)=3-5-3 D(-2,0)=3-4-5"
    " U(-2,1)=4-5-5 D(-2,1)=5-5-2 U(-1,1)=5-2-4",
    "bridge, three at the apex": "D(0,-1)=4-4-4 U(0,-1)=0-4-4 D(-1,-1)=0-3-4 U(-1,0)=3-3-4"
    " D(-2,0)=3-3-3 U(-2,1)=3-0-3 D(-2,1)=3-0-1 U(-1,1)=3-1-3 D(-1,1)=3-1-2 U(0,1)=3-2-3",
    "hexagon": "D(-1,0)=1-4-5 U(-1,0)=4-4-1 D(-1,-1)=1-4-1 U(0,-1)=1-1-0 D(0,-1)=0-1-5",
    "double hexagon": "D(0,0)=5-4-4 U(0,1)=4-1-4 D(-1,1)=4-0-1 U(-1,1)=4-0-4 D(-1,0)=3-4-4"
    " U(-1,0)=3-4-3 D(-1,-1)=3-3-3 U(0,-1)=3-3-0 D(0,-1)=0-3-5",
    "triple hexagon": "D(0,0)=3-1-2 U(0,1)=1-1-2 D(-1,1)=1-0-1 U(-1,1)=5-0-1 D(-1,0)=1-5-1"
    " U(-1,0)=5-5-1 D(-1,-1)=4-5-1 U(0,-1)=4-1-3 D(0,-1)=3-1-3 U(1,-1)=3-3-3 D(1,-1)=3-3-2"
    " U(1,0)=3-2-2",
    "two edges": "D(0,-1)=2-4-5 D(-1,0)=4-4-5 U(-1,0)=0-4-4 D(-2,0)=0-3-4 U(-2,0)=1-3-0"
    " D(-2,-1)=0-1-0 U(-1,-1)=0-0-2 U(0,-1)=2-4-2 D(0,-2)=2-2-2 D(-1,-2)=3-0-2 U(0,-2)=3-2-2",
    "three edges": "D(-1,0)=4-4-5 D(0,0)=5-5-1 U(0,1)=5-1-1 D(-1,1)=5-0-1 U(-1,2)=0-0-1"
    " D(-2,2)=0-5-0 U(-2,2)=4-5-0 D(-2,1)=4-4-0 U(-2,1)=3-4-4 D(-2,0)=2-3-4 U(-1,0)=2-4-4"
    " D(0,-1)=1-4-5 U(0,-1)=3-4-1 D(0,-2)=1-3-1 U(0,-2)=3-3-1 D(-1,-2)=3-0-3 U(-1,-1)=0-2-3"
    " D(-2,-1)=0-2-2 U(-2,0)=2-3-2",
}


def laid(board: str, place: str, rules: Rules, seat: int = 0) -> list[tuple[str, int]]:
    """The reasons and points of a placement."""
    table = Board.of(map(Place.parse, BOARDS[board].split()))
    move = Place.parse(place)
    assert table.why_not(move) is None
    scores = list(placement_scores(table, seat, move, rules))
    assert all(score.seat == seat for score in scores)
    return [(score.reason.value, score.points) for score in scores]


def racks(text: str) -> list[list[Tile]]:
    """Racks divided by bars."""
    return [[Tile.parse(word) for word in rack.split()] for rack in text.split("|")]


def per_seat(scores: Iterable[Score], players: int) -> list[int]:
    totals = [0] * players
    for score in scores:
        totals[score.seat] += score.points
    return totals


# --- Placements ----------------------------------------------------------------------------------

FIGURES = [
    ("empty", "U(0,0)=1-3-4", 8, None),
    ("one tile", "D(-1,0)=1-2-3", 6, None),
    ("two tiles", "U(-1,1)=2-2-3", 7, None),
    ("bridge", "U(0,0)=4-3-4", 11, ("bridge", 40)),
    ("bridge turned", "U(0,0)=3-4-4", 11, ("bridge", 40)),
    ("bridge, three at the apex", "U(0,0)=4-3-4", 11, ("bridge", 40)),
    ("hexagon", "U(0,0)=1-5-5", 11, ("hexagon", 50)),
    ("double hexagon", "U(0,0)=3-4-5", 12, ("double_hexagon", 60)),
    ("triple hexagon", "U(0,0)=1-1-3", 5, ("triple_hexagon", 70)),
    ("two edges", "U(0,0)=4-5-5", 14, None),
    ("three edges", "U(0,0)=4-5-5", 14, None),
]


@pytest.mark.parametrize(("board", "place", "value", "bonus"), FIGURES)
def test_a_placement_is_worth_its_tile_and_at_most_one_bonus(
    board: str, place: str, value: int, bonus: tuple[str, int] | None
) -> None:
    expected = [("tile", value), *([bonus] if bonus else [])]
    for rules in (CLASSIC, CLASSIC_HEBREW, SIX_PLAYER):
        assert laid(board, place, rules, seat=1) == expected


@pytest.mark.parametrize(("board", "place", "value", "bonus"), FIGURES[1:])
def test_a_card_after_the_opening_is_worth_its_bonus_alone(
    board: str, place: str, value: int, bonus: tuple[str, int] | None
) -> None:
    only = [bonus] if bonus else []
    assert laid(board, place, CARD) == only
    assert laid(board, place, CARD.with_changes({"placement_sum": "all"})) == [
        ("tile", value),
        *only,
    ]


@pytest.mark.parametrize(("board", "place", "value", "bonus"), FIGURES)
def test_nothing_is_worth_points_where_none_are_kept(
    board: str, place: str, value: int, bonus: tuple[str, int] | None
) -> None:
    assert laid(board, place, CASUAL) == []


@pytest.mark.parametrize(
    ("board", "paid_under"),
    [
        ("bridge", {"strict", "one_free_side", "three_corners", "apex_contact"}),
        ("two edges", {"one_free_side", "three_corners"}),
        ("three edges", {"three_corners", "apex_contact"}),
        ("two tiles", set()),
    ],
)
@pytest.mark.parametrize("rule", ["strict", "one_free_side", "three_corners", "apex_contact"])
def test_the_bridge_rules(board: str, paid_under: set[str], rule: str) -> None:
    place = {"bridge": "U(0,0)=4-3-4", "two tiles": "U(-1,1)=2-2-3"}.get(board, "U(0,0)=4-5-5")
    scores = laid(board, place, CLASSIC.with_changes({"bridge_rule": rule, "bridge_bonus": 33}))
    assert (("bridge", 33) in scores) == (rule in paid_under)


@pytest.mark.parametrize("rule", ["strict", "one_free_side", "three_corners", "apex_contact"])
def test_a_hexagon_replaces_a_bridge_under_every_rule(rule: str) -> None:
    rules = CLASSIC.with_changes({"bridge_rule": rule})
    assert laid("hexagon", "U(0,0)=1-5-5", rules) == [("tile", 11), ("hexagon", 50)]


def test_the_hexagon_bonuses_are_those_of_the_rules() -> None:
    rules = CLASSIC.with_changes({"hexagon_bonuses": [1, 2, 3]})
    got = [laid(board, place, rules)[1] for board, place, _, bonus in FIGURES[6:9] if bonus]
    assert got == [("hexagon", 1), ("double_hexagon", 2), ("triple_hexagon", 3)]


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        ("U(0,0)=5-5-5", [("tile", 15), ("start", 10)]),
        ("U(0,0)=4-4-4", [("tile", 12), ("start", 10)]),
        ("U(0,0)=1-1-1", [("tile", 3), ("start", 10)]),
        ("U(0,0)=0-0-0", [("start", 40)]),
        ("U(0,0)=5-4-5", [("tile", 14)]),
    ],
)
def test_the_opening_card(place: str, expected: list[tuple[str, int]]) -> None:
    assert laid("empty", place, CARD) == expected


def test_the_tile_games_pay_nothing_extra_for_the_opening() -> None:
    assert laid("empty", "U(0,0)=5-5-5", CLASSIC) == [("tile", 15)]
    assert laid("empty", "U(0,0)=0-0-0", SIX_PLAYER) == [("tile", 0)]
    # Without its own price, the lowest triple is a triple like any other.
    assert laid("empty", "U(0,0)=0-0-0", replace(CARD, triple_zero_start=None)) == [
        ("tile", 0),
        ("start", 10),
    ]


# --- Draws and turns without a placement ---------------------------------------------------------


@pytest.mark.parametrize(
    ("edition", "draws", "unplaced", "empty"),
    [
        ("classic", [5, 5, 5], [0, 0, 0, 10], 0),
        ("six-player", [5, 5, 5], [0, 0, 0, 10], 0),
        ("classic-hebrew", [5, 5, 15], [0, 0, 0, 0], 0),
        ("card", [0, 0, 0], [0, 0, 0, 0], 0),
        ("casual", [0], [0, 0], 0),
    ],
)
def test_the_price_of_drawing_and_of_not_placing(
    edition: str, draws: list[int], unplaced: list[int], empty: int
) -> None:
    rules = EDITIONS[edition]
    counts = range(1, rules.max_draws + 1)
    assert [-sum(per_seat(draw_scores(1, count, rules), 2)) for count in counts] == draws
    assert [
        -sum(per_seat(unplaced_scores(1, count, rules), 2)) for count in range(rules.max_draws + 1)
    ] == unplaced
    assert -sum(per_seat(empty_pool_scores(1, rules), 2)) == empty


def test_every_price_has_its_own_reason_and_goes_to_its_seat() -> None:
    assert list(draw_scores(1, 3, CLASSIC_HEBREW)) == [
        Score(1, Reason.DRAW, -5),
        Score(1, Reason.NO_PLAY, -10),
    ]
    assert list(unplaced_scores(2, 3, CLASSIC)) == [Score(2, Reason.NO_PLAY, -10)]
    dear = replace(CLASSIC, empty_pool_penalty=10)
    assert list(empty_pool_scores(3, dear)) == [Score(3, Reason.EMPTY_POOL, -10)]


def test_prices_follow_the_house_rules() -> None:
    rules = CLASSIC.with_changes({"draw_cost": 2, "max_draws": 2, "no_play_extra": 7})
    assert [per_seat(draw_scores(0, count, rules), 1) for count in (1, 2)] == [[-2], [-2]]
    assert per_seat(unplaced_scores(0, 1, rules), 1) == [0]
    assert per_seat(unplaced_scores(0, 2, rules), 1) == [-7]
    at_once = rules.with_changes({"no_play_extra_when": "on_last_draw"})
    assert [per_seat(draw_scores(0, count, at_once), 1) for count in (1, 2)] == [[-2], [-9]]
    assert per_seat(unplaced_scores(0, 2, at_once), 1) == [0]


def test_no_price_is_due_where_no_points_are_kept() -> None:
    rules = replace(CLASSIC_HEBREW, scoring=False, empty_pool_penalty=10)
    assert list(draw_scores(0, 3, rules)) == []
    assert list(unplaced_scores(0, 3, replace(CLASSIC, scoring=False))) == []
    assert list(empty_pool_scores(0, rules)) == []


# --- Going out -----------------------------------------------------------------------------------


def test_going_out_brings_the_bonus_and_what_the_others_hold() -> None:
    others = racks("0-0-1 2-3-4 | 4-4-4")
    for rules in (CLASSIC, SIX_PLAYER, CARD):
        assert list(out_scores(2, others, rules)) == [
            Score(2, Reason.OUT, 25),
            Score(2, Reason.OTHERS_LEFT, 22),
        ]
    assert list(out_scores(2, others, CASUAL)) == []


def test_going_out_under_house_rules() -> None:
    others = racks("4-4-4")
    alone = CLASSIC.with_changes({"out_takes_opponents": False, "out_bonus": 50})
    assert list(out_scores(0, others, alone)) == [Score(0, Reason.OUT, 50)]
    no_bonus = CLASSIC.with_changes({"out_bonus": 0})
    assert list(out_scores(0, others, no_bonus)) == [Score(0, Reason.OTHERS_LEFT, 12)]
    unscored = CLASSIC.with_changes({"scoring": False})
    assert list(out_scores(0, others, unscored)) == []


# --- Blocked rounds ------------------------------------------------------------------------------

# Hands of 1, 12 and 12 points with 1, 1 and 2 tiles.
CLEAR = "0-0-1 | 4-4-4 | 2-3-4 0-0-3"
# Hands of 5, 5 and 20 points with 2, 1 and 2 tiles: the first two are equally low.
TIED = "0-0-1 0-1-3 | 1-2-2 | 4-4-4 2-2-4"
# Hands of 5, 5, 5 and 14 points with 2, 1, 1 and 1 tiles.
THREE_TIED = "0-0-2 0-0-3 | 0-1-4 | 1-2-2 | 4-5-5"


@pytest.mark.parametrize(
    ("hands", "blocked", "tie", "winners", "points"),
    [
        # Everybody pays for what is left; nobody wins the round by it.
        (CLEAR, "subtract_own", "each", (), [-1, -12, -12]),
        (TIED, "subtract_own", "losers_only", (), [-5, -5, -20]),
        # The lowest hand takes what the others hold.
        (CLEAR, "lowest_takes_others", "each", (0,), [24, 0, 0]),
        (CLEAR, "lowest_takes_others", "none", (0,), [24, 0, 0]),
        (CLEAR, "lowest_takes_others", "losers_only", (0,), [24, 0, 0]),
        (TIED, "lowest_takes_others", "each", (0, 1), [25, 25, 0]),
        (TIED, "lowest_takes_others", "losers_only", (0, 1), [20, 20, 0]),
        (TIED, "lowest_takes_others", "none", (0, 1), [0, 0, 0]),
        (TIED, "lowest_takes_others", "fewest_tiles", (1,), [0, 25, 0]),
        (THREE_TIED, "lowest_takes_others", "fewest_tiles", (1, 2), [0, 24, 24, 0]),
        (THREE_TIED, "lowest_takes_others", "losers_only", (0, 1, 2), [14, 14, 14, 0]),
        # … less the own hand once.
        (CLEAR, "lowest_takes_others_minus_own", "each", (0,), [23, 0, 0]),
        (TIED, "lowest_takes_others_minus_own", "each", (0, 1), [20, 20, 0]),
        (TIED, "lowest_takes_others_minus_own", "losers_only", (0, 1), [15, 15, 0]),
        (TIED, "lowest_takes_others_minus_own", "none", (0, 1), [0, 0, 0]),
        (TIED, "lowest_takes_others_minus_own", "fewest_tiles", (1,), [0, 20, 0]),
        # … or the difference to each of them: 11 + 11; 0 + 15; 15 from the loser alone.
        (CLEAR, "lowest_takes_differences", "each", (0,), [22, 0, 0]),
        (TIED, "lowest_takes_differences", "each", (0, 1), [15, 15, 0]),
        (TIED, "lowest_takes_differences", "losers_only", (0, 1), [15, 15, 0]),
        (TIED, "lowest_takes_differences", "none", (0, 1), [0, 0, 0]),
        (TIED, "lowest_takes_differences", "fewest_tiles", (1,), [0, 15, 0]),
        (THREE_TIED, "lowest_takes_differences", "each", (0, 1, 2), [9, 9, 9, 0]),
        # The fewest tiles count, whatever they show: a name, or the others' points.
        (CLEAR, "fewest_tiles", "each", (0, 1), [0, 0, 0]),
        (TIED, "fewest_tiles", "each", (1,), [0, 0, 0]),
        (CLEAR, "fewest_tiles_takes_others", "each", (0, 1), [24, 13, 0]),
        (CLEAR, "fewest_tiles_takes_others", "losers_only", (0, 1), [12, 12, 0]),
        (CLEAR, "fewest_tiles_takes_others", "none", (0, 1), [0, 0, 0]),
        (TIED, "fewest_tiles_takes_others", "each", (1,), [0, 25, 0]),
        # A hand worth nothing is the lowest of all.
        ("0-0-1 | 0-0-0", "lowest_takes_others", "each", (1,), [0, 1]),
    ],
)
def test_a_blocked_round(
    hands: str, blocked: str, tie: str, winners: tuple[int, ...], points: list[int]
) -> None:
    rules = CLASSIC.with_changes({"blocked": blocked, "blocked_tie": tie})
    assert blocked_winners(racks(hands), rules) == winners
    assert per_seat(blocked_scores(racks(hands), rules), len(points)) == points


@pytest.mark.parametrize(
    ("edition", "winners", "points"),
    [
        ("classic", (), [-1, -12, -12]),
        ("classic-hebrew", (), [-1, -12, -12]),
        ("six-player", (), [-1, -12, -12]),
        ("card", (0,), [24, 0, 0]),
        ("casual", (0, 1), [0, 0, 0]),
    ],
)
def test_a_blocked_round_of_every_edition(
    edition: str, winners: tuple[int, ...], points: list[int]
) -> None:
    rules = EDITIONS[edition]
    assert blocked_winners(racks(CLEAR), rules) == winners
    assert per_seat(blocked_scores(racks(CLEAR), rules), 3) == points


def test_a_blocked_round_gives_its_reasons() -> None:
    differences = CLASSIC.with_changes({"blocked": "lowest_takes_differences"})
    assert list(blocked_scores(racks(CLEAR), differences)) == [
        Score(0, Reason.OTHERS_LEFT, 24),
        Score(0, Reason.OWN_LEFT, -2),
    ]
    assert list(blocked_scores(racks("0-0-1 | 4-4-4"), CLASSIC)) == [
        Score(0, Reason.OWN_LEFT, -1),
        Score(1, Reason.OWN_LEFT, -12),
    ]


@pytest.mark.parametrize("blocked", ["subtract_own", "lowest_takes_others"])
def test_a_blocked_round_moves_no_points_where_none_are_kept(blocked: str) -> None:
    rules = CLASSIC.with_changes({"scoring": False, "blocked": blocked})
    assert list(blocked_scores(racks(CLEAR), rules)) == []


# --- Words ---------------------------------------------------------------------------------------


def test_the_bonuses_have_the_names_of_a_record() -> None:
    assert {str(reason) for reason in BONUSES} == {
        "bridge",
        "hexagon",
        "double_hexagon",
        "triple_hexagon",
    }
    assert [str(reason) for reason in HEXAGONS] == ["hexagon", "double_hexagon", "triple_hexagon"]


def test_a_score_says_who_why_and_how_much() -> None:
    assert str(Score(1, Reason.BRIDGE, 40)) == "seat 1: bridge +40"
    assert str(Score(0, Reason.DRAW, -5)) == "seat 0: draw -5"
