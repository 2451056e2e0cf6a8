"""Endings between two with an empty pool: the kernel's solver beside brute force in Python.

``python -m tests.endings --count 1000`` compares so many; the tests compare fewer.
"""

from __future__ import annotations

import argparse
import random
from typing import TYPE_CHECKING

from triomino import CLASSIC, EDITIONS, Game, View
from triomino.dice import Rng
from triomino.kernel import Effort, search
from triomino.moves import Place

if TYPE_CHECKING:
    from collections.abc import Iterator


def endings(number: int, most_tiles: int) -> Iterator[Game]:
    """Yield games with few tiles left and more than one legal move.

    Asking for the next one plays on in the same game: copy a game to keep it.
    """
    found = 0
    for seed in range(1, 100 + 100 * number):
        rules = CLASSIC if seed % 2 else EDITIONS["classic-hebrew"]
        game, chance = Game.deal(rules, players=2, seed=seed), random.Random(seed)
        while not game.over:
            moves = game.legal_moves()
            small = not game.pool and sum(map(len, game.racks)) <= most_tiles
            if small and len(moves) > 1:
                found += 1
                yield game
                if found == number:
                    return
            places = [move for move in moves if isinstance(move, Place)]
            game.play(chance.choice(places or moves))
    raise AssertionError(f"only {found} such endings")


def true_margin(game: Game, me: int) -> int:
    """Return the margin of best play, by brute force over the rules in Python."""
    if game.over:
        return game.totals[me] - game.totals[1 - me]
    values = []
    for move in game.legal_moves():
        game.play(move)
        values.append(true_margin(game, me))
        game.undo()
    return max(values) if game.turn == me else min(values)


def compare(game: Game) -> int:
    """Compare every move of an ending with brute force; return how many there were."""
    me = game.turn
    found = search(View.of(game, me), Effort(rollouts=10), Rng(1))
    begun = game.start_totals[me] - game.start_totals[1 - me]
    for one in found:
        assert one.exact, game
        game.play(one.move)
        assert one.margin == true_margin(game, me) - begun, (game, one)
        game.undo()
    assert found[0].margin == max(one.margin for one in found)
    return len(found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--tiles", type=int, default=6, help="left on both racks, at most")
    options = parser.parse_args()
    moves = 0
    for number, game in enumerate(endings(options.count, options.tiles), 1):
        moves += compare(game)
        if number % 100 == 0:
            print(f"{number} endings, {moves} moves: equal", flush=True)


if __name__ == "__main__":
    main()
