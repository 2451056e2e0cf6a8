"""The network in the kernel beside the one in plain Python, whole number by whole number."""

from __future__ import annotations

from importlib.resources import files

import pytest

from tests.effort import WHOLE
from triomino import EDITIONS, Game, Rng, Rules, View
from triomino.kernel import Effort, KernelError, search
from triomino.kernel.network import CERTAIN, MARGIN_UNIT, WEIGHTS_FILE, judge, read_network
from triomino.kernel.state import State
from triomino.lab.learning.model import Model
from triomino.lab.learning.reference import Weights
from triomino.moves import Draw, Place

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


@pytest.mark.parametrize("edition", ["classic", "six-player", "card"])
def test_a_search_judges_its_moves_as_plain_python_does(edition: str) -> None:
    """The kernel computes only what changed since the position judged before."""
    shipped = files("triomino.kernel").joinpath(WEIGHTS_FILE).read_bytes()
    rules, reference = EDITIONS[edition], Weights.read(shipped)
    effort = Effort(rollouts=1, judges=True, horizon=0, endgame_nodes=0, endgame_pool=-1)
    dice, compared = Rng.named("row", edition), 0
    game = Game.deal(rules, players=2, seed=1)
    while not game.over:
        moves, seat = game.legal_moves(), game.turn
        for one in search(View.of(game, seat), effort, dice) if len(moves) > 1 else ():
            if not isinstance(one.move, Place) or not one.worlds:
                continue
            game.play(one.move)
            if not game.over:
                lead = game.totals[seat] - game.totals[1 - seat]
                margin, win = reference.judge(game, seat)
                assert one.margin * MARGIN_UNIT == lead * MARGIN_UNIT + margin
                assert one.win == pytest.approx(win / CERTAIN, abs=1e-4)
                compared += 1
            game.undo()
        game.play(moves[dice.randrange(len(moves))])
    assert compared > 50


def test_other_bytes_are_refused() -> None:
    weights = Model.fresh(1).to_bytes()
    for wrong in (b"", weights[:-1], weights + b"\0", b"X" + weights[1:]):
        with pytest.raises(KernelError, match="no weights"):
            read_network(wrong)
