"""The network in the kernel beside the one in plain Python, on positions of random rounds.

``python -m tests.agreement.network --positions 100000`` compares so many judgements of every
edition and number of players, half of them by the network that ships and half by random weights,
and stops at the first that differs.
"""

from __future__ import annotations

import argparse
from importlib.resources import files
from itertools import count
from typing import Final

from rich.progress import Progress

from triomino import EDITIONS, Game, Rng, Rules
from triomino.kernel.network import WEIGHTS_FILE, judge, read_network
from triomino.kernel.state import State
from triomino.lab.learning.model import Model
from triomino.lab.learning.reference import Weights
from triomino.moves import Draw

HOUSE: Final = EDITIONS["classic"].with_changes(
    {"empty_pool_pass": "voluntary", "voluntary_draw": "always", "bridge_rule": "apex_contact"}
)
SMALL: Final = EDITIONS["six-player"].with_changes({"tile_set": "45", "racks": {3: 6}})
GAMES: Final = (
    *((rules, players) for rules in EDITIONS.values() for players in rules.racks),
    (HOUSE, 3),
    (SMALL, 3),
)
SHIPPED: Final = files("triomino.kernel").joinpath(WEIGHTS_FILE).read_bytes()
RANDOM: Final = Model.fresh(3).to_bytes()


def positions_equal(rules: Rules, players: int, seed: int, weights: bytes) -> int:
    """Play a random round; return how many judgements were compared."""
    network, reference = read_network(weights), Weights.read(weights)
    dice = Rng.named("network", rules.edition, players, seed)
    game = Game.deal(rules, players=players, seed=seed)
    state = State.of(game)
    compared = 0
    while True:
        moves = game.legal_moves()
        move, mover = moves[dice.randrange(len(moves))], game.turn
        game.play(move)
        state.play(move)
        if game.over:
            return compared
        seat = dice.randrange(players)
        assert judge(network, state, seat) == reference.judge(game, seat)
        compared += 1
        if isinstance(move, Draw) and game.turn == mover:
            found = judge(network, state, mover, pending=True)
            assert found == reference.judge(game, mover, pending=True)
            compared += 1


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=100_000)
    wanted = parser.parse_args().positions
    compared = 0
    with Progress() as bar:
        task = bar.add_task("positions", total=wanted)
        for seed in count(1):
            for rules, players in GAMES:
                weights = SHIPPED if seed % 2 else RANDOM
                compared += positions_equal(rules, players, seed, weights)
            bar.update(task, completed=compared)
            if compared >= wanted:
                break
    print(f"{compared} judgements of the network agree")


if __name__ == "__main__":
    main()
