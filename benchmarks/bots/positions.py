"""A fixed set of positions for benchmarks, from rounds between greedy bots."""

from __future__ import annotations

from triomino import CLASSIC, Game, View
from triomino.bots import GreedyBot
from triomino.dice import Rng

LONGEST = 60


def positions(count: int) -> list[View]:
    """Return views with at least three legal moves, each from another round, early and late."""
    found: list[View] = []
    number = 0
    while len(found) < count:
        number += 1
        game = Game.deal(CLASSIC, players=2, seed=number)
        turns = Rng.named("positions", number).randrange(LONGEST)
        while not game.over and len(game.plies) < turns:
            game.play(GreedyBot().choose(View.of(game, game.turn)))
        if not game.over and len(game.legal_moves()) > 2:
            found.append(View.of(game, game.turn))
    return found
