"""The two plain players."""

from __future__ import annotations

import pytest

from tests.play import random_game
from triomino import (
    CARD,
    CLASSIC,
    EDITIONS,
    Draw,
    Game,
    Pass,
    Place,
    Position,
    Rng,
    Rules,
    Tile,
    TriominoError,
    View,
)
from triomino.bots import BOTS, LEVELS, GreedyBot, Limit, RandomBot, make_bot, simulate_match
from triomino.bots.simulation import bot_players

BOARD = [Place.parse("U(0,0)=5-5-5")]


def view_of(rules: Rules, rack: str, pool: str = "", other: str = "0-0-0", **rest: object) -> View:
    racks = [[Tile.parse(text) for text in hand.split()] for hand in (rack, other)]
    tiles = [Tile.parse(text) for text in pool.split()]
    return View.of(Game.at(Position.of(racks, tiles, rules=rules, board=BOARD)), 0)


def test_greedy_takes_the_most_points() -> None:
    view = view_of(CLASSIC, "1-5-5 3-5-5 2-5-5", "4-4-4")
    move = GreedyBot().choose(view)
    assert isinstance(move, Place)
    assert move.tile == Tile(3, 5, 5)
    # Of three equal places it takes the first in the order of moves.
    assert move == next(
        m for m in view.legal_moves() if isinstance(m, Place) and m.tile == move.tile
    )


def test_greedy_prefers_a_bonus_to_a_high_tile() -> None:
    board = "D(-1,0)=1-4-5 U(-1,0)=4-4-1 D(-1,-1)=1-4-1 U(0,-1)=1-1-0 D(0,-1)=0-1-5"  # figure G
    places = [Place.parse(text) for text in board.split()]
    racks = [[Tile(1, 5, 5), Tile(4, 4, 4)], [Tile(0, 0, 0)]]
    game = Game.at(Position.of(racks, [Tile(2, 2, 2)], board=places))
    move = GreedyBot().choose(View.of(game, 0))
    assert str(move) == "U(0,0)=1-5-5"


def test_greedy_lays_the_tile_worth_most_where_points_are_equal() -> None:
    move = GreedyBot().choose(view_of(CARD, "1-5-5 4-5-5 0-5-5", "2-2-2"))
    assert isinstance(move, Place)
    assert move.tile == Tile(4, 5, 5)


def test_greedy_draws_only_if_it_must_and_takes_what_costs_least() -> None:
    assert GreedyBot().choose(view_of(CLASSIC, "0-0-1", "2-2-2")) == Draw()
    rules = CLASSIC.with_changes({"draw_obligation": "one_then_optional"})
    game = Game.at(
        Position.of(
            [[Tile(0, 0, 1)], [Tile(0, 0, 0)]],
            [Tile(2, 2, 2), Tile(3, 3, 3)],
            rules=rules,
            board=BOARD,
        )
    )
    game.play(Draw())
    assert GreedyBot().choose(View.of(game, 0)) == Pass()


def test_random_takes_every_move_equally_often() -> None:
    view = view_of(CLASSIC, "1-5-5 3-5-5", "4-4-4")
    moves = view.legal_moves()
    bot = RandomBot(Rng(1))
    counts = dict.fromkeys(moves, 0)
    for _ in range(700 * len(moves)):
        counts[bot.choose(view)] += 1
    assert all(abs(count - 700) < 130 for count in counts.values())


@pytest.mark.parametrize("name", BOTS)
@pytest.mark.parametrize("edition", EDITIONS)
def test_every_bot_plays_every_edition_from_a_view_alone(name: str, edition: str) -> None:
    rules = EDITIONS[edition]
    for players in rules.racks:
        game = random_game(rules, players, seed=players, moves=1)
        bot = make_bot(name, Rng(1))
        while not game.over:
            game.play(bot.choose(View.of(game, game.turn), Limit(rollouts=20)))


def test_an_unknown_bot_is_refused_with_the_nearest() -> None:
    with pytest.raises(TriominoError, match="unknown bot 'gredy'; did you mean 'greedy'"):
        make_bot("gredy", Rng(1))


def test_the_levels_are_those_that_people_choose_from() -> None:
    assert LEVELS == ("beginner", "easy", "medium", "hard", "expert", "champion")
    assert [name for name in BOTS if name in LEVELS] == list(LEVELS)
    assert set(BOTS) - set(LEVELS) == {"random", "greedy", "reply"}
    assert all(make_bot(name, Rng(1)).name == name for name in BOTS)


@pytest.mark.parametrize("name", ["club", "master"])
def test_levels_of_the_version_before_are_unknown(name: str) -> None:
    with pytest.raises(TriominoError, match=f"unknown bot '{name}'; "):
        make_bot(name, Rng(1))


def test_bots_in_a_simulation_have_the_names_of_their_levels() -> None:
    match = simulate_match(CLASSIC, ["easy", "random"], 4, 0)
    assert [player.name for player in match.players] == ["Easy", "Random"]


def test_a_simulation_is_a_function_of_its_arguments() -> None:
    names = ["greedy", "random", "random"]
    one, two = (simulate_match(CLASSIC, names, 5, 3) for _ in range(2))
    assert one.game.plies == two.game.plies
    other = simulate_match(CLASSIC, names, 5, 4)
    assert other.game.start != one.game.start
    assert [player.bot for player in one.players] == names
    assert [player.name for player in bot_players(names)] == ["Greedy", "Random", "Random 2"]


def test_greedy_beats_random_more_often_than_not() -> None:
    wins = 0.0
    for number in range(120):
        names = ["greedy", "random"] if number % 2 else ["random", "greedy"]
        match = simulate_match(CLASSIC, names, 9, number // 2)
        share = 1 / len(match.winners)
        wins += sum(share for seat in match.winners if names[seat] == "greedy")
    assert wins > 66
