"""What a round still holds, as it was learned from self-played ones."""

from __future__ import annotations

import re

import numpy as np
import pytest
from tools.learn_values import EXTRA_TILE_POINTS, FILE, RULES, STAGES, UNIT, learned

from tests.effort import count
from tests.play import random_game
from triomino import CARD, CLASSIC, SIX_PLAYER, Rng, Rules, View
from triomino.bots import GreedyBot
from triomino.bots.levels import SearchBot
from triomino.bots.simulation import bot_players, play_out
from triomino.fair import Seeds
from triomino.kernel import Effort, search
from triomino.kernel.loader import native, native_rules
from triomino.match import Match

HALFWAY = 2
DRAWS_ON = {"voluntary_draw": "always", "must_place_after_last_draw": False}


def test_moments_of_a_round_are_the_same_however_many_are_played() -> None:
    """They depend on the seed and the number alone, and every round has some."""
    rules = native_rules(RULES)
    for players in (2, 3):
        for rollouts in (0, 16):
            whole = native().training_samples(rules, players, rollouts, 40, 3, 0, 1)
            tail = native().training_samples(rules, players, rollouts, 15, 3, 25, 2)
            for name, array in whole.items():
                assert np.array_equal(array[25 * 64 :], tail[name])
            used = whole["stage"] != 255
            assert set(whole["stage"][used].tolist()) <= set(range(STAGES))
            assert not whole["features"][~used].any()
            assert used.reshape(40, 64).any(axis=1).all()


def is_judged(rules: Rules, players: int) -> bool:
    """Whether it matters to a search how soon a round is judged."""
    games = (random_game(rules, players, seed, moves=9) for seed in range(5, 25))
    game = next(game for game in games if len(game.legal_moves()) > 2)
    view = View.of(game, game.turn)
    one, two = (search(view, Effort(rollouts=300, horizon=turns), Rng(1)) for turns in (0, 2))
    return one != two


@pytest.mark.parametrize(
    ("rules", "players"),
    [
        (RULES, 2),
        (RULES, 3),
        (RULES.with_changes({"target": 400, "next_starter": "rotate_left"}), 2),
        # Where it was not learned, and proved itself.
        (SIX_PLAYER.with_changes(DRAWS_ON), 2),
    ],
)
def test_what_was_learned_is_judged(rules: Rules, players: int) -> None:
    assert is_judged(rules, players)
    native().training_samples(native_rules(rules), players, 0, 1, 1, 0, 1)


@pytest.mark.parametrize(
    ("rules", "players"),
    [
        (CLASSIC, 2),
        (CLASSIC, 3),
        (SIX_PLAYER, 2),
        (CLASSIC.with_changes({"voluntary_draw": "always"}), 2),
        (CLASSIC.with_changes({"must_place_after_last_draw": False}), 2),
        (RULES.with_changes({"bridge_bonus": 41}), 2),
        (RULES.with_changes({"tile_set": "35", "racks": {2: 7}}), 2),
        (RULES, 4),
        (CARD, 2),
    ],
)
def test_what_was_not_learned_is_played_to_its_end(rules: Rules, players: int) -> None:
    """By the rules that the editions have now, for one: there horizon changes nothing."""
    assert not is_judged(rules, players)
    with pytest.raises(ValueError, match="not judged"):
        native().training_samples(native_rules(rules), players, 0, 1, 1, 0, 1)


def test_greedy_rounds_teach_the_same_again() -> None:
    """More to place is better, and a bonus in sight counts almost whole."""
    for players in EXTRA_TILE_POINTS:
        _, _, playable, _, bonus, _, _, spread = learned(players, 0, 4000, seed=9)[HALFWAY]
        assert playable > UNIT
        assert UNIT / 2 < bonus < 2 * UNIT
        assert 40 * UNIT < spread < 120 * UNIT


def test_the_file_holds_a_row_for_each_stage() -> None:
    rows = re.findall(r"^ {8}\{(.*)\},$", FILE.read_text(encoding="utf-8"), re.MULTILINE)
    assert [len(row.split(", ")) for row in rows] == [8] * STAGES * len(EXTRA_TILE_POINTS)


def test_who_judges_beats_greedy_by_far() -> None:
    """With so few rollouts; the deals and all chances are the same in every run."""
    effort = Effort(rollouts=64, forced_draw_prior=0, greed_prior=0, endgame_nodes=0)
    won, deals = 0.0, count(50, least=5)
    for deal in range(deals):
        for seat in (0, 1):
            match = Match.start(RULES, bot_players(["greedy"] * 2), Seeds.named(2, "judge", deal))
            thinker = SearchBot(Rng.named(deal, seat), "judge", effort)
            play_out(match, [thinker if at == seat else GreedyBot() for at in (0, 1)])
            won += (seat in match.winners) / len(match.winners)
    assert won > 1.4 * deals
