"""Counting move trees, to measure correctness and speed."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from triomino.game import Game


def perft(game: Game, depth: int) -> int:
    """Return the number of sequences of *depth* moves; rounds that end earlier do not count.

    >>> from triomino.game import Game
    >>> from triomino.rules import CLASSIC
    >>> game = Game.deal(CLASSIC, players=2, seed=1)
    >>> perft(game, 1) == len(game.legal_moves())
    True
    """
    if depth == 0:
        return 1
    moves = game.legal_moves()
    if depth == 1:
        return len(moves)
    total = 0
    for move in moves:
        after = game.copy()
        after.play(move)
        total += perft(after, depth - 1)
    return total
