"""10.H: going out, and rounds in which nobody can go on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.rulebook.boards import PG, PI, editions, game_at, legal, play, refused, rules_of, tiles
from triomino import EndReason, Game, Match, Player, Why

if TYPE_CHECKING:
    from triomino import Ply, Rules

ONE = "D(-1,0)=5-1-5"


def reason(ply: Ply) -> EndReason | None:
    return ply.end.reason if ply.end else None


def match_winners(game: Game) -> tuple[int, ...]:
    """Who wins when this round is all that is played."""
    names = [Player(name) for name in "ABCDEF"[: game.players]]
    return Match(game.rules, names, [game]).winners


# --- Going out -----------------------------------------------------------------------------------


@editions("classic", "six-player")
def test_tv_67_going_out(rules: Rules) -> None:
    game = game_at(rules, "1-5-5 / 0-0-1 2-3-4 / 4-4-4", "2-2-2", scores=(50, 60, 70))
    assert reason(play(game, ONE)) is EndReason.OUT
    assert game.totals == [108, 60, 70]
    assert game.over
    assert game.winners == match_winners(game) == (0,)
    refused(game, "draw", Why.ROUND_OVER)


def test_tv_68_going_out_with_a_hexagon() -> None:
    game = game_at("classic", "1-5-5 / 4-5-5", "2-2-2", board=PG)
    assert reason(play(game, "U(0,0)=1-5-5")) is EndReason.OUT
    assert game.totals == [100, 0]


@pytest.mark.parametrize(("rules", "total"), [("card", 89), ("card placement_sum=all", 100)])
def test_tv_69_going_out_with_a_hexagon_of_cards(rules: str, total: int) -> None:
    game = game_at(rules, "1-5-5 / 4-5-5", "2-2-2", board=PG)
    assert reason(play(game, "U(0,0)=1-5-5")) is EndReason.OUT
    assert game.totals == [total, 0]


@editions("classic", "classic-hebrew", "six-player", "card")
def test_tv_70_nobody_goes_out_in_a_turn_with_a_draw(rules: Rules) -> None:
    game = game_at(rules, "0-0-1", "1-5-5 2-2-2")
    play(game, "draw", ONE)
    assert game.racks[0] == tiles("0-0-1")
    assert (game.turn, game.over) == (1, False)


# --- Blocked -------------------------------------------------------------------------------------


def test_tv_71_blocked_each_loses_his_own_tiles() -> None:
    game = game_at("classic", "0-0-1 2-2-2 / 4-4-4", scores=(50, 40))
    assert reason(play(game, "pass")) is EndReason.BLOCKED
    assert game.totals == [43, 28]
    assert game.winners == match_winners(game) == (0,)


def test_tv_72_not_blocked_while_the_pool_lasts() -> None:
    game = game_at("classic", "0-0-1 2-2-2 / 4-4-4", "3-3-3")
    assert not game.over
    assert legal(game) == {"draw"}
    refused(game, "pass", Why.MUST_DRAW)


def test_tv_73_a_deadlock_goes_to_the_lowest_hand() -> None:
    game = game_at("card", "0-0-1 / 4-4-4 / 2-3-4 0-0-3", scores=(10, 20, 30))
    assert reason(play(game, "pass")) is EndReason.BLOCKED
    assert game.totals == [34, 20, 30]
    assert game.winners == (0,)


@pytest.mark.parametrize(
    ("tie", "totals"),
    [("each", [25, 25, 0]), ("losers_only", [20, 20, 0]), ("none", [0, 0, 0])],
)
def test_tv_74_a_tie_for_the_lowest_hand(tie: str, totals: list[int]) -> None:
    game = game_at(f"card blocked_tie={tie}", "0-1-4 / 1-2-2 / 4-4-4 2-2-4")
    assert reason(play(game, "pass")) is EndReason.BLOCKED
    assert game.totals == totals
    assert game.winners == (0, 1)


def test_tv_74_each_is_the_default() -> None:
    assert rules_of("card").blocked_tie == "each"


SEVEN = "2-2-2 2-2-3 2-2-4 3-3-3 0-0-2 0-0-3 0-1-1"
LAP = ("draw", "draw", "draw", "end")


def test_tv_75_a_lap_of_draws_is_no_deadlock() -> None:
    game = game_at("card", "0-0-1 / 4-4-4", SEVEN)
    play(game, *LAP, *LAP)
    assert not game.over
    assert game.turn == 0
    assert list(game.pool) == tiles("0-1-1")
    assert game.totals == [0, 0]


def test_tv_75_a_lap_of_draws_is_a_deadlock_by_option() -> None:
    game = game_at("card blocked_when=all_pass", "0-0-1 / 4-4-4", SEVEN)
    play(game, *LAP)
    assert not game.over
    assert reason(play(game, *LAP)) is EndReason.BLOCKED
    assert [sum(tile.points for tile in rack) for rack in game.racks] == [22, 26]
    assert game.totals == [26, 0]
    assert game.winners == (0,)


# --- Who wins a single round ---------------------------------------------------------------------


def out_with_eleven(scores: tuple[int, int]) -> Game:
    """The first player goes out: 11 + 25 + 12."""
    game = game_at("classic", "1-5-5 / 4-4-4", "2-2-2", scores=scores)
    assert reason(play(game, ONE)) is EndReason.OUT
    return game


def test_tv_76_the_highest_score_wins_not_who_went_out() -> None:
    game = out_with_eleven((32, 120))
    assert game.totals == [80, 120]
    assert game.winners == match_winners(game) == (1,)


def test_tv_76_the_same_with_points_of_this_round_alone() -> None:
    game = game_at("classic", "1-2-2 / 1-1-3 0-0-0", "2-2-2", board=PI, turn=1)
    assert play(game, "U(0,0)=1-1-3").points == 75
    assert reason(play(game, "D(0,1)=2-1-2")) is EndReason.OUT
    assert game.totals == [5 + 25 + 0, 75]
    assert game.winners == match_winners(game) == (1,)


def test_tv_77_equal_scores_share_the_victory() -> None:
    game = out_with_eleven((42, 90))
    assert game.totals == [90, 90]
    assert game.winners == match_winners(game) == (0, 1)
