"""OpenSpiel's own tests of our game."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel", reason="run make test-research")

from open_spiel.python.algorithms import cfr, expected_game_score, exploitability
from open_spiel.python.observation import make_observation
from open_spiel.python.tests import games_sim_test

from triomino.env.exact import solve
from triomino.env.openspiel import NAME

pytestmark = pytest.mark.filterwarnings("default")

SMALL = "tile_set=10,rack=2,starter=0"
TINY = "tile_set=4,rack=1,starter=0,rules=draw_cost:1;voluntary_draw:never"


def random_state(game: Any, rng: np.random.Generator, moves: int) -> Any:
    state = game.new_initial_state()
    while not state.is_terminal() and moves:
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(rng.choice(outcomes, p=chances)))
        else:
            state.apply_action(int(rng.choice(state.legal_actions())))
            moves -= 1
    return state


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_random_rounds_with_serialisation(players: int) -> None:
    game = pyspiel.load_game(f"{NAME}(players={players})")
    pyspiel.random_sim_test(game, num_sims=3, serialize=True, verbose=False)


@pytest.mark.parametrize("params", ["", "edition=card,players=3", "edition=casual", SMALL, TINY])
def test_variants_with_serialisation(params: str) -> None:
    game = pyspiel.load_game(f"{NAME}({params})")
    pyspiel.random_sim_test(game, num_sims=5, serialize=True, verbose=False)


@pytest.mark.parametrize("players", [2, 4, 6])
def test_the_simulation_of_open_spiel(players: int) -> None:
    """What ``games_sim_test`` does with every registered game."""
    test = games_sim_test.GamesSimTest()
    game = pyspiel.load_game(f"{NAME}(players={players})")
    test.sim_game(game)
    assert pickle.loads(pickle.dumps(game)).num_players() == players  # noqa: S301


def test_resampling_keeps_the_information_state() -> None:
    rng = np.random.default_rng(1)
    for params in ("players=2", "players=4", SMALL):
        game = pyspiel.load_game(f"{NAME}({params})")
        for moves in (0, 3, 9):
            state = random_state(game, rng, moves)
            while state.is_chance_node():
                state.apply_action(state.chance_outcomes()[0][0])
            if state.is_terminal():
                continue
            for player in range(game.num_players()):
                other = state.resample_from_infostate(player, rng.random)
                assert other.information_state_string(player) == (
                    state.information_state_string(player)
                )


def test_observations_hide_what_a_player_cannot_see() -> None:
    rng = np.random.default_rng(2)
    game = pyspiel.load_game(f"{NAME}(players=3)")
    observation = make_observation(game)
    for moves in (1, 5, 12):
        state = random_state(game, rng, moves)
        if state.is_terminal() or state.is_chance_node():
            continue
        for player in range(3):
            other = state.resample_from_infostate(player, rng.random)
            observation.set_from(state, player)
            tensor = observation.tensor.copy()
            observation.set_from(other, player)
            assert np.array_equal(tensor, observation.tensor)
            assert other.observation_string(player) == state.observation_string(player)


@pytest.mark.parametrize("params", ["players=2", "players=4", SMALL, TINY])
def test_tensors_with_recall_are_equal_exactly_when_the_texts_are(params: str) -> None:
    rng = np.random.default_rng(3)
    game = pyspiel.load_game(f"{NAME}({params})")
    seen: dict[bytes, str] = {}
    pairs = 0
    for moves in (0, 1, 1, 2, 2, 4, 9, 400):
        state = random_state(game, rng, moves)
        same = [state]
        if not state.is_terminal() and not state.is_chance_node():
            same += [state.resample_from_infostate(0, rng.random) for _ in range(2)]
        for each in same:
            for player in range(game.num_players()):
                tensor = np.array(each.information_state_tensor(player), np.float32)
                assert tensor.size == game.information_state_tensor_size()
                text = each.information_state_string(player)
                assert seen.setdefault(tensor.tobytes(), text) == text
                pairs += 1
    assert len(set(seen.values())) == len(seen) < pairs


def test_cfr_plus_of_open_spiel_finds_our_exact_value() -> None:
    """The table of small variants, checked by somebody else's solver."""
    row = solve("four", iterations=200)
    params = "tile_set=10,rack=2,starter=0,rules=starter:highest_triple"
    game = pyspiel.load_game(f"{NAME}({params},tiles=0-0-0 0-0-1 0-1-1 1-1-1)")
    solver = cfr.CFRPlusSolver(game)
    for _ in range(60):
        solver.evaluate_and_update_policy()
    average = solver.average_policy()
    assert exploitability.nash_conv(game, average) < 0.05
    values = expected_game_score.policy_value(game.new_initial_state(), [average, average])
    assert values[0] == pytest.approx(row.value, abs=0.05)
