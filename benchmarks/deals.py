"""Deals for rounds that are played in great numbers."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

from triomino import Game

if TYPE_CHECKING:
    from triomino.rules import Rules


def dealt(rules: Rules, players: int, seed: int) -> Game:
    """Deal a round, in the card game without one whose starter may open with 0-0-0.

    After that opening the racks of the others are sampled in Python until one explains the start,
    which can take minutes.
    """
    for again in count():
        game = Game.deal(rules, players, seed=seed + 1_000_000 * again)
        rack = game.racks[game.starter]
        if rules.triple_zero_start is None or all(tile.points for tile in rack):
            return game
    raise AssertionError
