"""What a benchmark plays: whole rounds, by the policy it names."""

from __future__ import annotations

from itertools import pairwise

from triomino import EDITIONS, Game
from triomino.bots import GreedyBot
from triomino.lab.benchmark import Case, cases, playout
from triomino.view import View


def test_a_playout_is_a_whole_round_and_a_turn_lasts_until_the_seat_changes() -> None:
    game = Game.deal(EDITIONS["six-player"], 4, 3)
    seats = []
    while not game.over:
        seats.append(game.turn)
        game.play(GreedyBot().choose(View.of(game, game.turn)))
    changes = sum(one != other for one, other in pairwise(seats))
    assert playout(Case("six-player", 4, "greedy"), 3) == changes + 1 < len(seats)


def test_random_is_not_greedy() -> None:
    assert {case.policy for case in cases()} == {"random", "greedy"}
    greedy = [playout(Case("classic", 2, "greedy"), seed) for seed in range(5)]
    assert greedy != [playout(Case("classic", 2, "random"), seed) for seed in range(5)]
    assert greedy == [playout(Case("classic", 2, "greedy"), seed) for seed in range(5)]
