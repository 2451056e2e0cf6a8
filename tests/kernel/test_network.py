"""The network in the kernel beside the one in plain Python, whole number by whole number."""

from __future__ import annotations

import pytest

from tests.effort import WHOLE
from triomino import EDITIONS, Game, Rng, Rules
from triomino.kernel import KernelError
from triomino.kernel.network import judge, read_network
from triomino.kernel.state import State
from triomino.lab.learning.model import Model
from triomino.lab.learning.reference import Weights
from triomino.moves import Draw

HOUSE = EDITIONS["classic"].with_changes(
    {"empty_pool_pass": "voluntary", "voluntary_draw": "always", "bridge_rule": "apex_contact"}
)
SMALL = EDITIONS["six-player"].with_changes({"tile_set": "45", "racks": {3: 6}})
GAMES = [
    *((rules, players) for rules in EDITIONS.values() for players in rules.racks),
    (HOUSE, 3),
    (SMALL, 3),
]


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


@pytest.mark.parametrize(("rules", "players"), GAMES)
def test_the_kernel_judges_as_plain_python_does(rules: Rules, players: int) -> None:
    """At full length 100,000 positions of all games."""
    weights = Model.fresh(3).to_bytes()
    compared, wanted = 0, (100_000 if WHOLE else 800) // len(GAMES)
    for seed in range(1, 10_000):
        compared += positions_equal(rules, players, seed, weights)
        if compared >= wanted:
            return
    raise AssertionError(f"only {compared} positions")


def test_other_bytes_are_refused() -> None:
    weights = Model.fresh(1).to_bytes()
    for wrong in (b"", weights[:-1], weights + b"\0", b"X" + weights[1:]):
        with pytest.raises(KernelError, match="no weights"):
            read_network(wrong)
