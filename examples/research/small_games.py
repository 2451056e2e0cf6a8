"""CFR+ and IS-MCTS of OpenSpiel on a small variant.

``pip install triomino[research]``, then ``python examples/research/small_games.py``. CFR+ comes to
the value that ``python -m triomino.env.exact`` prints; IS-MCTS plays against a random player.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms import cfr, expected_game_score, exploitability, ismcts, mcts

import triomino.env.openspiel  # noqa: F401 - registers the game

FOUR = (
    "python_triomino(tile_set=10,rack=2,starter=0,rules=starter:highest_triple,"
    "tiles=0-0-0 0-0-1 0-1-1 1-1-1)"
)


def solve(iterations: int) -> tuple[float, float]:
    """Return the value of the first player and the NashConv after CFR+."""
    game = pyspiel.load_game(FOUR)
    solver = cfr.CFRPlusSolver(game)
    for _ in range(iterations):
        solver.evaluate_and_update_policy()
    average = solver.average_policy()
    values = expected_game_score.policy_value(game.new_initial_state(), [average, average])
    return float(values[0]), float(exploitability.nash_conv(game, average))


def search(rounds: int, simulations: int) -> float:
    """Return what IS-MCTS wins on average per round against a random player, at both seats."""
    game = pyspiel.load_game("python_triomino(tile_set=10,rack=3)")
    rng = np.random.RandomState(1)
    bot = ismcts.ISMCTSBot(
        game=game,
        uct_c=20.0,
        evaluator=mcts.RandomRolloutEvaluator(random_state=rng),
        max_simulations=simulations,
        random_state=rng,
    )
    won = []
    for number in range(rounds):
        seat = number % 2
        state: Any = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(int(rng.choice(outcomes, p=chances)))
            elif state.current_player() == seat:
                state.apply_action(bot.step(state))
            else:
                state.apply_action(int(rng.choice(state.legal_actions())))
        won.append(state.returns()[seat])
    return float(np.mean(won))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--iterations", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--simulations", type=int, default=100)
    given = parser.parse_args()
    value, conv = solve(given.iterations)
    print(f"CFR+: value {value:.4f}, NashConv {conv:.4f}")
    points = search(given.rounds, given.simulations)
    print(f"IS-MCTS against random: {points:+.1f} points a round")


if __name__ == "__main__":
    main()
