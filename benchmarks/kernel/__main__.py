"""Speed of random play, beside games of OpenSpiel and RLCard, all called from Python.

``python -m benchmarks.kernel`` prints a table; a library that is not installed is left out:
``pip install open_spiel rlcard``. Everything runs on one thread.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.util import find_spec
from time import process_time
from typing import Any, TypeAlias

import numpy as np

from triomino import CLASSIC, Game
from triomino.dice import Rng
from triomino.env import Batch
from triomino.kernel import Policy, instruction_set, playouts

Played: TypeAlias = tuple[int, int]
"""Games that ended, and moves made."""
Engine: TypeAlias = Callable[[], Iterator[Played]]


def kernel(policy: Policy) -> Engine:
    """Rounds played in C++ with results as arrays. A turn counts as one move."""

    def play() -> Iterator[Played]:
        first = 0
        while True:
            rounds = playouts(CLASSIC, 2, 2000, policy, seed=1, threads=1, first=first)
            first += 2000
            yield 2000, int(rounds.turns.sum())

    return play


def batch() -> Iterator[Played]:
    """A batch of a thousand games, with actions chosen by numpy."""
    games = Batch(CLASSIC, 2, games=1000, seed=1)
    rng = np.random.default_rng(1)
    rows = np.arange(1000)
    while True:
        ended = int(games.done.sum())
        which = (rng.random(1000) * np.maximum(games.action_count, 1)).astype(np.int64)
        games.step(games.actions[rows, which])
        yield ended, 1000 - ended


def python() -> Iterator[Played]:
    """The rules in Python."""
    seed = 0
    while True:
        seed += 1
        game, dice, moves = Game.deal(CLASSIC, 2, seed), Rng(seed), 0
        while not game.over:
            options = game.legal_moves()
            game.play(options[dice.randrange(len(options))])
            moves += 1
        yield 1, moves


def spiel(name: str) -> Engine:
    """A game of OpenSpiel; chance outcomes are drawn in Python, as in its examples."""

    def play() -> Iterator[Played]:
        game = import_module("pyspiel").load_game(name)
        dice = random.Random(1)
        while True:
            state, moves = game.new_initial_state(), 0
            while not state.is_terminal():
                if state.is_chance_node():
                    outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                    state.apply_action(dice.choices(outcomes, chances)[0])
                else:
                    actions = state.legal_actions()
                    state.apply_action(actions[dice.randrange(len(actions))])
                    moves += 1
            yield 1, moves

    return play


def rlcard(name: str) -> Engine:
    """A game of RLCard with its own random agents."""

    def play() -> Iterator[Played]:
        library: Any = import_module("rlcard")
        agent = import_module("rlcard.agents").RandomAgent
        env = library.make(name)
        env.set_agents([agent(num_actions=env.num_actions) for _ in range(env.num_players)])
        while True:
            trajectories, _ = env.run(is_training=False)
            # Each has a state before and after every action.
            yield 1, sum(len(one) // 2 for one in trajectories)

    return play


def engines() -> dict[str, Engine]:
    """Return the engines that are installed."""
    found: dict[str, Engine] = {
        f"triomino kernel ({instruction_set()}), random": kernel(Policy.RANDOM),
        "triomino kernel, random tiles": kernel(Policy.PLACE),
        "triomino kernel, greedy": kernel(Policy.GREEDY),
        "triomino kernel, batch of 1000 from numpy": batch,
        "triomino, rules in Python": python,
    }
    if find_spec("pyspiel"):
        import_module("open_spiel.python.games")
        names = ("backgammon", "gin_rummy", "havannah", "python_block_dominoes")
        found |= {f"OpenSpiel {name}": spiel(name) for name in names}
    if find_spec("rlcard"):
        found |= {f"RLCard {name}": rlcard(name) for name in ("gin-rummy", "uno", "leduc-holdem")}
    return found


def measure(engine: Engine, seconds: float) -> tuple[float, float]:
    """Return games and moves per second of processor time, which a busy machine disturbs least."""
    play = engine()
    next(play)
    games = moves = 0
    start = process_time()
    while (spent := process_time() - start) < seconds:
        ended, made = next(play)
        games, moves = games + ended, moves + made
    return games / spent, moves / spent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=3.0)
    seconds = parser.parse_args().seconds
    print("| engine | games a second | moves a second |")
    print("|---|---:|---:|")
    for name, engine in engines().items():
        games, moves = measure(engine, seconds)
        print(f"| {name} | {games:,.{0 if games > 100 else 1}f} | {moves:,.0f} |", flush=True)


if __name__ == "__main__":
    main()
