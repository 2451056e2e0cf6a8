"""10.E: turns of the tile editions: placing, drawing, passing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.rulebook.boards import (
    CLASSIC_TURN,
    editions,
    game_at,
    legal,
    play,
    refused,
    tiles,
)
from triomino import EndReason, Place, Why

if TYPE_CHECKING:
    from triomino import Rules

ONE = "D(-1,0)=5-1-5"
"""Tile 1-5-5 beside the fives, worth 11."""

DRAWS = ("draw", "draw", "draw")


@editions(*CLASSIC_TURN)
@pytest.mark.parametrize(("other", "second"), [("0-0-1", "0-0-1"), ("2-5-5", "5-5-2")])
def test_tv_38_one_tile_and_the_turn_passes(rules: Rules, other: str, second: str) -> None:
    game = game_at(rules, f"1-5-5 {other}", "2-2-2")
    assert play(game, ONE).points == 11
    assert game.totals == [11, 0]
    assert game.turn == 1
    refused(game, f"D(0,0)={second}", Why.NOT_HELD)


def total_after_draws(rules: Rules, pool: str, draws: int) -> int:
    """From 20 points: draw so often, then place 1-5-5."""
    game = game_at(rules, "0-0-1 0-0-2", pool, scores=(20, 0))
    for count in range(1, draws + 1):
        play(game, "draw")
        assert game.totals == [20 - 5 * count, 0]
        assert game.turn == 0
    assert play(game, ONE).points == 11
    assert (game.turn, game.totals[1]) == (1, 0)
    return game.totals[0]


@editions(*CLASSIC_TURN)
def test_tv_39_a_draw_costs_five(rules: Rules) -> None:
    assert total_after_draws(rules, "1-5-5 2-2-2", 1) == 26


@editions(*CLASSIC_TURN)
def test_tv_40_two_draws_cost_ten(rules: Rules) -> None:
    assert total_after_draws(rules, "2-2-2 1-5-5 3-3-3", 2) == 21


@editions(*CLASSIC_TURN)
def test_tv_41_three_draws_and_a_tile_placed_cost_fifteen(rules: Rules) -> None:
    assert total_after_draws(rules, "2-2-2 2-2-3 1-5-5 3-3-3", 3) == 16


@editions(*CLASSIC_TURN)
def test_tv_42_three_draws_and_no_tile_placed(rules: Rules) -> None:
    game = game_at(rules, "0-0-1 0-0-2", "2-2-2 2-2-3 2-2-4 3-3-3", scores=(20, 0))
    play(game, *DRAWS)
    assert legal(game) == {"end"}
    play(game, "end")
    assert game.totals == [-5, 0]
    assert game.racks[0] == tiles("0-0-1 0-0-2 2-2-2 2-2-3 2-2-4")
    assert game.turn == 1


@editions(*CLASSIC_TURN)
def test_tv_43_no_fourth_draw(rules: Rules) -> None:
    game = game_at(rules, "0-0-1 0-0-2", "2-2-2 2-2-3 2-2-4 3-3-3")
    play(game, *DRAWS)
    assert list(game.pool) == tiles("3-3-3")
    refused(game, "draw", Why.NO_MORE_DRAWS)


def test_tv_44_hebrew_the_third_draw_always_costs_fifteen() -> None:
    game = game_at("classic-hebrew", "0-0-1 0-0-2", "2-2-2 2-2-3 1-5-5 3-3-3", scores=(20, 0))
    costs = [play(game, "draw").points for _ in range(3)]
    assert costs == [-5, -5, -15]
    play(game, ONE)
    assert game.totals == [6, 0]


def test_tv_45_hebrew_ending_costs_nothing_more() -> None:
    game = game_at("classic-hebrew", "0-0-1 0-0-2", "2-2-2 2-2-3 2-2-4 3-3-3", scores=(20, 0))
    play(game, *DRAWS)
    assert game.totals == [-5, 0]
    play(game, "end")
    assert game.totals == [-5, 0]
    assert game.turn == 1


@editions(*CLASSIC_TURN)
def test_tv_46_drawing_although_able(rules: Rules) -> None:
    game = game_at(rules, "1-5-5 0-0-1", "2-2-2 3-3-3 4-4-4")
    play(game, "draw")
    refused(game, "draw", Why.MUST_PLACE)
    play(game, ONE)
    assert game.totals == [6, 0]


@editions(*CLASSIC_TURN)
def test_tv_46_a_second_draw_although_able_by_option(rules: Rules) -> None:
    option = rules.with_settings(["voluntary_draw=always"])
    game = game_at(option, "1-5-5 0-0-1", "2-2-2 3-3-3 4-4-4")
    play(game, "draw", "draw", ONE)
    assert game.totals == [1, 0]


@editions(*CLASSIC_TURN)
def test_tv_46_only_the_drawn_tile_by_option(rules: Rules) -> None:
    option = rules.with_settings(["after_draw_play=drawn_only"])
    game = game_at(option, "1-5-5 0-0-1", "2-2-2 3-3-3 4-4-4")
    assert ONE in legal(game)
    play(game, "draw")
    refused(game, ONE, Why.NOT_THE_DRAWN_TILE)
    assert legal(game) == {"draw"}


@editions(*CLASSIC_TURN)
def test_tv_47_who_is_able_after_three_draws_places(rules: Rules) -> None:
    option = rules.with_settings(["voluntary_draw=always"])
    game = game_at(option, "1-5-5 0-0-1", "2-2-2 3-3-3 4-4-4")
    play(game, *DRAWS)
    refused(game, "end", Why.MUST_PLACE)
    assert legal(game) == {ONE, "D(0,0)=5-5-1", "D(0,-1)=1-5-5"}


@editions(*CLASSIC_TURN)
def test_tv_47_declining_after_three_draws_costs_ten_by_option(rules: Rules) -> None:
    option = rules.with_settings(["voluntary_draw=always", "must_place_after_last_draw=false"])
    game = game_at(option, "1-5-5 0-0-1", "2-2-2 3-3-3 4-4-4")
    play(game, *DRAWS)
    assert legal(game) == {"end", ONE, "D(0,0)=5-5-1", "D(0,-1)=1-5-5"}
    assert play(game, "end").points == -10
    assert game.totals == [-25, 0]


@editions(*CLASSIC_TURN)
def test_tv_48_who_cannot_place_must_draw(rules: Rules) -> None:
    game = game_at(rules, "0-0-1", "2-2-2 2-2-3 2-2-4")
    for _ in range(3):
        refused(game, "pass", Why.MUST_DRAW)
        refused(game, "end", Why.MUST_DRAW)
        assert legal(game) == {"draw"}
        play(game, "draw")


@editions(*CLASSIC_TURN)
def test_tv_49_passing_with_an_empty_pool_is_free(rules: Rules) -> None:
    game = game_at(rules, "0-0-1 / 1-5-5", scores=(20, 0))
    assert legal(game) == {"pass"}
    play(game, "pass")
    assert game.totals == [20, 0]
    assert game.turn == 1
    assert not game.over


@editions(*CLASSIC_TURN)
@pytest.mark.parametrize(("penalty", "total"), [(0, 15), (10, 5)])
def test_tv_50_the_pool_runs_dry(rules: Rules, penalty: int, total: int) -> None:
    rules = rules.with_settings([f"empty_pool_penalty={penalty}"])
    game = game_at(rules, "0-0-1 / 1-5-5", "2-2-2", scores=(20, 0))
    play(game, "draw")
    assert legal(game) == {"pass"}
    play(game, "pass")
    assert game.totals == [total, 0]
    assert not game.over


@editions(*CLASSIC_TURN)
def test_tv_50_passing_costs_nothing_by_default(rules: Rules) -> None:
    assert rules.empty_pool_penalty == 0


@editions(*CLASSIC_TURN)
def test_tv_51_who_can_place_may_not_pass(rules: Rules) -> None:
    game = game_at(rules, "1-5-5 0-0-1")
    refused(game, "pass", Why.MUST_PLACE)


@editions(*CLASSIC_TURN)
def test_tv_51_passing_although_able_by_option(rules: Rules) -> None:
    game = game_at(rules.with_settings(["empty_pool_pass=voluntary"]), "1-5-5 0-0-1")
    assert {"pass", ONE} <= legal(game)
    play(game, "pass")
    assert game.totals == [0, 0]
    assert (game.turn, game.over) == (1, False)
    # A full lap of passes ends the round as blocked.
    ply = play(game, "pass")
    assert ply.end is not None
    assert ply.end.reason is EndReason.BLOCKED
    assert game.totals == [-12, -3]


@editions(*CLASSIC_TURN)
def test_tv_52_the_starter_must_place(rules: Rules) -> None:
    game = game_at(rules, "0-0-1 3-4-5", "2-2-2", board="")
    refused(game, "draw", Why.MUST_OPEN)
    assert all(isinstance(move, Place) for move in game.legal_moves())
    assert play(game, "U(0,0)=3-4-5").points == 12
    assert game.totals == [12, 0]


@editions(*CLASSIC_TURN)
@pytest.mark.parametrize(("floor", "total"), [("false", -5), ("true", 0)])
def test_tv_53_scores_may_be_negative(rules: Rules, floor: str, total: int) -> None:
    rules = rules.with_settings([f"floor_at_zero={floor}"])
    game = game_at(rules, "0-0-1", "2-2-2 3-3-3")
    play(game, "draw")
    assert game.totals == [total, 0]


@editions(*CLASSIC_TURN)
def test_tv_53_there_is_no_floor_by_default(rules: Rules) -> None:
    assert rules.floor_at_zero is False


@editions(*CLASSIC_TURN)
def test_tv_54_no_voluntary_draw_by_option(rules: Rules) -> None:
    option = rules.with_settings(["voluntary_draw=never"])
    refused(game_at(option, "1-5-5 0-0-1", "2-2-2"), "draw", Why.MUST_PLACE)
    default = game_at(rules, "1-5-5 0-0-1", "2-2-2")
    play(default, "draw")
    assert default.racks[0] == tiles("1-5-5 0-0-1 2-2-2")


@editions(*CLASSIC_TURN)
def test_tv_55_a_tile_one_does_not_hold(rules: Rules) -> None:
    game = game_at(rules, "1-5-5 0-0-1")
    refused(game, "D(-1,0)=5-2-5", Why.NOT_HELD)
