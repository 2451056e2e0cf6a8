"""Endings between two in which nothing is hidden: the kernel's solver beside brute force in Python.

``python -m tests.endings --count 1000`` compares so many; the tests compare fewer.
"""

from __future__ import annotations

import argparse
import random
from itertools import count, islice
from typing import TYPE_CHECKING, Final

from triomino import EDITIONS, Game, View
from triomino.dice import Rng
from triomino.kernel import Effort, search
from triomino.moves import Draw, Place

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from triomino.rules import Rules

_PLAYER: Final = Effort(rollouts=40, forced_draw_prior=0, endgame_pool=-1)
_WIN: Final = Effort().win_weight


def self_play(rules: Rules, seed: int) -> Iterator[Game]:
    """Yield a round of two that search a little, before every ply.

    Each draws on purpose, where the rules allow it, in none, a fifth or two fifths of its turns:
    who does so often has a large rack when the pool is empty.
    """
    game, chance, dice = Game.deal(rules, 2, seed), random.Random(seed), Rng.named("ending", seed)
    hoards = [chance.choice((0.0, 0.2, 0.4)) for _ in range(2)]
    while not game.over:
        yield game
        moves = game.legal_moves()
        if len(moves) == 1:
            game.play(moves[0])
        elif Draw() in moves and not game.drawn and chance.random() < hoards[game.turn]:
            game.play(Draw())
        else:
            game.play(search(View.of(game, game.turn), _PLAYER, dice)[0].move)


def random_play(rules: Rules, seed: int) -> Iterator[Game]:
    """Yield a round of two who place a random tile, before every ply."""
    game, chance = Game.deal(rules, 2, seed), random.Random(seed)
    while not game.over:
        yield game
        moves = game.legal_moves()
        places = [move for move in moves if isinstance(move, Place)]
        game.play(chance.choice(places or moves))


def endings(
    play: Callable[[Rules, int], Iterator[Game]] = self_play, most_tiles: int | None = None
) -> Iterator[Game]:
    """Yield the first position of each round with an empty pool and more than one legal move.

    The editions take turns. With *most_tiles*, every such position with no more on both racks.
    """
    for seed in count(1):
        rules = tuple(EDITIONS.values())[seed % len(EDITIONS)]
        for game in play(rules, seed):
            if game.pool or game.drawn or len(game.legal_moves()) < 2:
                continue
            if most_tiles is None:
                yield game
                break
            if sum(map(len, game.racks)) <= most_tiles:
                yield game


def true_value(game: Game, me: int) -> tuple[int, int]:
    """Return worth and margin of best play for *me*, by brute force over the rules in Python.

    The worth is the margin or, where not points decide who wins a round, that plus the worth of
    winning it.
    """
    if game.over:
        margin = game.totals[me] - game.totals[1 - me]
        if not game.rules.wins_by_ending:
            return margin, margin
        return margin + _WIN * ((me in game.winners) - (1 - me in game.winners)), margin
    values = []
    for move in game.legal_moves():
        game.play(move)
        values.append(true_value(game, me))
        game.undo()
    return max(values) if game.turn == me else min(values)


def true_margin(game: Game, me: int) -> int:
    """Return the margin of best play."""
    return true_value(game, me)[1]


def compare(game: Game) -> int:
    """Compare every move of an ending with brute force; return how many there were."""
    me, by_points = game.turn, not game.rules.wins_by_ending
    found = search(View.of(game, me), Effort(rollouts=10), Rng(1))
    begun = game.start_totals[me] - game.start_totals[1 - me]
    worth = []
    for one in found:
        assert one.exact, game
        game.play(one.move)
        true, margin = true_value(game, me)
        game.undo()
        if by_points:
            assert one.margin == margin - begun, (game, one)
            assert one.win == (1 if margin > begun else 0.5 if margin == begun else 0)
        else:
            # Of several ends that are worth the same, any may be found.
            assert one.margin + _WIN * (2 * one.win - 1) == true - begun, (game, one)
        worth.append(true)
    assert worth[0] == max(worth)
    return len(found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--tiles", type=int, default=6, help="left on both racks, at most")
    options = parser.parse_args()
    moves = 0
    found = endings(self_play, options.tiles)
    for number, game in enumerate(islice(found, options.count), 1):
        moves += compare(game)
        if number % 100 == 0:
            print(f"{number} endings, {moves} moves: equal", flush=True)


if __name__ == "__main__":
    main()
