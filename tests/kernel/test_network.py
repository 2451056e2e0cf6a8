"""The network in the kernel beside the one in plain Python, whole number by whole number."""

from __future__ import annotations

import pytest

from tests.agreement.network import GAMES, RANDOM, SHIPPED, positions_equal
from tests.effort import WHOLE
from triomino import EDITIONS, Game, Rng, Rules, View
from triomino.kernel import Effort, KernelError, search
from triomino.kernel.network import CERTAIN, MARGIN_UNIT, read_network
from triomino.lab.learning.reference import Weights
from triomino.moves import Place


@pytest.mark.parametrize(("rules", "players"), GAMES)
def test_the_kernel_judges_as_plain_python_does(rules: Rules, players: int) -> None:
    """At full length 100,000 positions of all games, as ``make agreement-network`` does."""
    compared, wanted = 0, (100_000 if WHOLE else 800) // len(GAMES)
    for seed in range(1, 10_000):
        compared += positions_equal(rules, players, seed, SHIPPED if seed % 2 else RANDOM)
        if compared >= wanted:
            return
    raise AssertionError(f"only {compared} positions")


@pytest.mark.parametrize("edition", ["classic", "six-player", "card"])
def test_a_search_judges_its_moves_as_plain_python_does(edition: str) -> None:
    """The kernel computes only what changed since the position judged before."""
    rules, reference = EDITIONS[edition], Weights.read(SHIPPED)
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
    for wrong in (b"", SHIPPED[:-1], SHIPPED + b"\0", b"X" + SHIPPED[1:]):
        with pytest.raises(KernelError, match="no weights"):
            read_network(wrong)
