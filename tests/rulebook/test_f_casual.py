"""10.F: the casual game, which keeps no points."""

from __future__ import annotations

from tests.rulebook.boards import PF, game_at, legal, play, refused, tiles
from triomino import EndReason, Why

ONE = "D(-1,0)=5-1-5"


def test_tv_56_one_draw_and_the_turn_passes() -> None:
    game = game_at("casual", "0-0-1", "1-5-5 2-2-2")
    assert legal(game) == {"draw"}
    ply = play(game, "draw")
    assert ply.scores == ()
    assert game.racks[0] == tiles("0-0-1 1-5-5")
    assert (game.turn, game.over) == (1, False)
    assert game.totals == [0, 0]
    refused(game, ONE, Why.NOT_HELD)


def test_tv_57_who_can_place_may_not_draw() -> None:
    game = game_at("casual", "1-5-5 0-0-1", "2-2-2")
    refused(game, "draw", Why.MUST_PLACE)
    refused(game, "pass", Why.MUST_PLACE)


def test_tv_58_the_empty_rack_wins() -> None:
    game = game_at("casual", "1-5-5", "2-2-2")
    ply = play(game, ONE)
    assert ply.end is not None
    assert ply.end.reason is EndReason.OUT
    assert game.winners == (0,)
    assert game.totals == [0, 0]
    assert (ply.scores, ply.end.scores) == ((), ())


def test_tv_59_blocked_the_fewest_tiles_win() -> None:
    game = game_at("casual", "0-0-1 0-0-2 / 4-4-4")
    ply = play(game, "pass")
    assert ply.end is not None
    assert ply.end.reason is EndReason.BLOCKED
    assert game.winners == (1,)
    assert game.totals == [0, 0]


def test_tv_60_a_bridge_brings_nothing() -> None:
    # The named board holds 0-0-0 and 0-0-1 itself, so the racks have other small tiles.
    game = game_at("casual", "3-4-4 0-0-2 / 1-1-1", "2-2-2", board=PF)
    ply = play(game, "U(0,0)=4-3-4")
    assert ply.scores == ()
    assert game.totals == [0, 0]
    assert not game.over
