"""10.G: turns of the card game."""

from __future__ import annotations

import pytest

from tests.rulebook.boards import PF, PG, PH, PI, game_at, legal, play, refused, tiles
from triomino import Why

ONE = "D(-1,0)=5-1-5"
VALUE_TOO = "card placement_sum=all"


def test_tv_61_a_fitting_draw_is_placed_or_kept() -> None:
    game = game_at("card", "0-0-1", "1-5-5 2-2-2")
    play(game, "draw")
    assert legal(game) == {ONE, "D(0,0)=5-5-1", "D(0,-1)=1-5-5", "keep"}
    refused(game, "draw", Why.MUST_PLACE, Why.MUST_PLACE_OR_KEEP)


def test_tv_61_placing_the_drawn_card() -> None:
    game = game_at("card", "0-0-1", "1-5-5 2-2-2")
    play(game, "draw", ONE)
    assert game.racks[0] == tiles("0-0-1")
    assert game.totals == [0, 0]
    assert game.turn == 1


def test_tv_61_keeping_the_drawn_card() -> None:
    game = game_at("card", "0-0-1", "1-5-5 2-2-2")
    play(game, "draw", "keep")
    assert game.racks[0] == tiles("0-0-1 1-5-5")
    assert game.totals == [0, 0]
    assert (game.turn, game.over) == (1, False)


def test_tv_62_who_can_lay_a_card_must() -> None:
    game = game_at("card", "1-5-5 0-0-1", "2-2-2")
    refused(game, "draw", Why.MUST_PLACE)
    refused(game, "pass", Why.MUST_PLACE)


def test_tv_63_three_draws_cost_nothing() -> None:
    game = game_at("card", "0-0-1", "2-2-2 2-2-3 2-2-4 3-3-3", scores=(7, 0))
    play(game, "draw", "draw", "draw")
    refused(game, "draw", Why.NO_MORE_DRAWS)
    assert legal(game) == {"end"}
    play(game, "end")
    assert game.totals == [7, 0]
    assert game.racks[0] == tiles("0-0-1 2-2-2 2-2-3 2-2-4")
    assert list(game.pool) == tiles("3-3-3")
    assert (game.turn, game.over) == (1, False)


def test_tv_64_who_cannot_place_draws_on() -> None:
    game = game_at("card", "0-0-1", "2-2-2 2-2-3")
    play(game, "draw")
    refused(game, "pass", Why.MUST_DRAW)
    assert legal(game) == {"draw"}


def test_tv_64_one_draw_is_enough_by_option() -> None:
    game = game_at("card draw_obligation=one_then_optional", "0-0-1", "2-2-2 2-2-3")
    refused(game, "pass", Why.MUST_DRAW)
    play(game, "draw")
    assert legal(game) == {"draw", "pass"}
    play(game, "pass")
    assert game.racks[0] == tiles("0-0-1 2-2-2")
    assert (game.turn, game.over) == (1, False)
    assert game.totals == [0, 0]


@pytest.mark.parametrize(("rules", "points"), [("card", 40), (VALUE_TOO, 51)])
def test_tv_65_a_bridge_of_cards(rules: str, points: int) -> None:
    # The named board holds 0-0-0 itself, so the opponent has other cards than usual.
    game = game_at(rules, "3-4-4 0-0-2 / 1-1-1", "2-2-2", board=PF)
    play(game, "U(0,0)=4-3-4")
    assert game.totals == [points, 0]


@pytest.mark.parametrize(
    ("rules", "board", "tile", "points"),
    [
        ("card", PG, "1-5-5", 50),
        ("card", PH, "3-4-5", 60),
        ("card", PI, "1-1-3", 70),
        (VALUE_TOO, PG, "1-5-5", 61),
        (VALUE_TOO, PH, "3-4-5", 72),
        (VALUE_TOO, PI, "1-1-3", 75),
    ],
)
def test_tv_66_hexagons_of_cards(rules: str, board: str, tile: str, points: int) -> None:
    game = game_at(rules, f"{tile} 0-0-2 / 2-5-5", "2-2-5", board=board)
    play(game, f"U(0,0)={tile}")
    assert game.totals == [points, 0]
