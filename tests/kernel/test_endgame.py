"""The solver of endings beside brute force over the rules in Python."""

from __future__ import annotations

import random
from itertools import islice
from typing import TYPE_CHECKING

from tests.agreement.walk import house_rules
from tests.effort import count
from tests.endings import compare, endings, random_play, true_value
from triomino import CLASSIC, Game, Rng
from triomino.kernel import State
from triomino.rules import Blocked

if TYPE_CHECKING:
    from collections.abc import Iterator

WIN = 100


def test_endings_are_solved_as_brute_force_solves_them() -> None:
    """``make endings`` tries a thousand."""
    number = count(300, least=40)
    moves = sum(map(compare, islice(endings(random_play, most_tiles=6), number)))
    assert moves > 2 * number


def small_games(dice: Rng) -> Iterator[Game]:
    """Late moments of rounds by random house rules, with at most five tiles left of any kind."""
    seed = 0
    while True:
        seed += 1
        rules = house_rules(dice)
        mixed = rules.wins_by_ending and rules.blocked is Blocked.SUBTRACT_OWN
        if 2 not in rules.racks or mixed:
            continue
        game, chance = Game.deal(rules, 2, seed), random.Random(seed)
        while not game.over:
            if game.board.laid and len(game.pool) + sum(map(len, game.racks)) <= 5:
                yield game
                break
            game.play(chance.choice(game.legal_moves()))


def test_house_rules_and_tiles_in_the_pool_are_solved_too() -> None:
    """With all tiles known, also those still to be drawn."""
    number, drew, undecided = count(800), 0, 0
    for game in islice(small_games(Rng.named("small endings", 1)), number):
        found = State.of(game).solve(win_weight=WIN)
        assert found is not None
        true, margin = true_value(game, game.turn)
        if game.rules.wins_by_ending:
            assert found.margin + WIN * found.win == true, game
        else:
            assert (found.margin, found.win) == (margin, 0), game
        drew += bool(game.pool)
        undecided += len(game.legal_moves()) > 1
    assert drew > number / 8
    assert undecided > number / 8


def test_both_engines_solve_alike() -> None:
    for game in islice(endings(random_play), count(100)):
        one, other = (State.of(game, portable=each).solve(20_000) for each in (False, True))
        assert one == other


def test_a_budget_that_is_too_small_finds_nothing() -> None:
    game = next(game for game in endings(random_play) if sum(map(len, game.racks)) > 9)
    assert State.of(game).solve(1) is None
    assert State.of(game).solve(1_000_000) is not None


def test_only_endings_of_two_with_a_tile_on_the_board_are_solved() -> None:
    assert State.of(Game.deal(CLASSIC, 2, 1)).solve() is None
    game = Game.deal(CLASSIC, 3, 1)
    game.play(game.legal_moves()[0])
    assert State.of(game).solve(10) is None
