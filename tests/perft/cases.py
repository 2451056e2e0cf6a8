"""The positions whose move trees are counted.

A line of a ``.perft`` file reads ``players=2 seed=1 moves=0 … = 25 313 …``: a deal by its seed, so
many random moves from it (`tests.play.random_game`), house rules if any, then the counts for
depth 1, 2, 3 and on.
"""

from __future__ import annotations

from pathlib import Path

from tests.play import random_game
from triomino import EDITIONS, Game, perft

FOLDER = Path(__file__).parent

_TILES = [
    "players=2 seed=1 moves=0 depth=5",
    "players=2 seed=15 moves=24 depth=4",
    "players=2 seed=4 moves=62 depth=6",
    "players=3 seed=29 moves=46 depth=4",
    "players=3 seed=7 moves=56 depth=5",
    "players=4 seed=59 moves=24 depth=4",
    "players=4 seed=12 moves=56 depth=6",
]

CASES: dict[str, list[str]] = {
    "classic": [
        *_TILES,
        "players=2 seed=6 moves=60 depth=6 bridge_rule=three_corners",
        "players=2 seed=7 moves=20 depth=6 voluntary_draw=never may_keep=true",
        "players=2 seed=8 moves=20 depth=6 after_draw_play=drawn_only",
        "players=3 seed=9 moves=60 depth=6 empty_pool_pass=voluntary",
        "players=2 seed=1 moves=0 depth=4 opening_draw=true",
    ],
    "classic-hebrew": _TILES,
    "six-player": [
        "players=2 seed=1 moves=0 depth=5",
        "players=2 seed=19 moves=16 depth=4",
        "players=3 seed=9 moves=62 depth=5",
        "players=4 seed=15 moves=16 depth=4",
        "players=5 seed=15 moves=34 depth=4",
        "players=6 seed=40 moves=8 depth=4",
        "players=6 seed=4 moves=56 depth=5",
    ],
    "card": [
        "players=2 seed=1 moves=0 depth=9",
        "players=2 seed=13 moves=4 depth=7",
        "players=2 seed=4 moves=30 depth=7",
        "players=3 seed=5 moves=15 depth=7",
        "players=3 seed=1 moves=30 depth=7",
        "players=4 seed=1 moves=4 depth=7",
        "players=4 seed=5 moves=30 depth=7",
        "players=2 seed=8 moves=20 depth=7 draw_obligation=one_then_optional",
    ],
    "casual": [
        "players=2 seed=1 moves=0 depth=6",
        "players=2 seed=5 moves=4 depth=7",
        "players=2 seed=1 moves=15 depth=7",
        "players=3 seed=31 moves=4 depth=7",
        "players=3 seed=17 moves=15 depth=7",
        "players=4 seed=3 moves=4 depth=7",
        "players=4 seed=7 moves=30 depth=7",
        "players=4 seed=3 moves=4 depth=7 blocked_when=all_pass",
    ],
}


def position_of(edition: str, case: str) -> tuple[Game, int]:
    """The game of a case, and the depth to count to."""
    words = dict(word.split("=", 1) for word in case.split())
    players, seed, moves, depth = (int(words.pop(k)) for k in ("players", "seed", "moves", "depth"))
    settings = [f"{name}={value}" for name, value in words.items()]
    rules = EDITIONS[edition].with_settings(settings)
    game = random_game(rules, players, seed, moves or 1)
    if not moves:
        game.undo()
    return game, depth


def counted(edition: str, case: str) -> list[int]:
    """The counts for every depth."""
    game, depth = position_of(edition, case)
    return [perft(game, level) for level in range(1, depth + 1)]
