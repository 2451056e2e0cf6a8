"""Baselines in PettingZoo: random, greedy and our levels as policies of agents.

``pip install triomino[research]``, then ``python examples/research/baselines.py``. A level gets
the view of its seat, so it knows no more than an observation tells.
"""

from __future__ import annotations

import argparse
from typing import Any

from triomino import CLASSIC, Rng
from triomino.bots import Limit, make_bot
from triomino.env.tree import TERMINAL, Variant
from triomino.view import View


def play(bots: list[str], seed: int, limit: Limit | None = None) -> list[float]:
    """Play a round between bots by name; return the margin of each seat."""
    variant = Variant(CLASSIC, len(bots))
    players = [make_bot(name, Rng.named(seed, name)) for name in bots]
    node, dice = variant.root(), Rng(seed)
    while node.player != TERMINAL:
        if node.player < 0:
            node.apply(outcome(node.chance_outcomes(), dice))
            continue
        game = node.game()
        move = players[game.turn].choose(View.of(game, game.turn), limit)
        node.apply(variant.space.encode(game.board, move))
    return node.returns()


def outcome(outcomes: list[tuple[int, float]], dice: Rng) -> int:
    """Draw one of the outcomes of a chance node."""
    number = dice.randrange(1 << 32) / (1 << 32)
    for tile, chance in outcomes:
        number -= chance
        if number < 0:
            return tile
    return outcomes[-1][0]


def main(arguments: Any = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bots", default="greedy,random", help="names, one for each seat")
    parser.add_argument("--rounds", type=int, default=100)
    given = parser.parse_args(arguments)
    bots = given.bots.split(",")
    sums = [0.0] * len(bots)
    for seed in range(given.rounds):
        margins = play(bots, seed, Limit(rollouts=50))
        sums = [sum_ + margin for sum_, margin in zip(sums, margins, strict=True)]
    for name, sum_ in zip(bots, sums, strict=True):
        print(f"{name}: {sum_ / given.rounds:+.1f} points a round")


if __name__ == "__main__":
    main()
