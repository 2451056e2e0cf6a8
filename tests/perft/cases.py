"""The positions whose move trees are counted.

A line of a ``.perft`` file reads ``players=2 seed=1 moves=0 … = 25 313 …``: a deal by its seed, so
many random moves from it (`tests.play.random_game`), house rules if any, then the counts for
depth 1, 2, 3 and on. House rules have no spaces: ``racks={2=3}``.
"""

from __future__ import annotations

from pathlib import Path

from tests.play import random_game
from triomino import EDITIONS, Game, perft

FOLDER = Path(__file__).parent

_TILES = [
    "players=2 seed=1 moves=0 depth=5",
    "players=2 seed=13 moves=14 depth=5",
    "players=2 seed=1 moves=30 depth=6",
    "players=2 seed=3 moves=44 depth=8",
    "players=2 seed=6 moves=75 depth=6",
    "players=3 seed=16 moves=20 depth=5",
    "players=3 seed=12 moves=44 depth=7",
    "players=4 seed=42 moves=12 depth=4",
    "players=4 seed=7 moves=40 depth=7",
    "players=4 seed=19 moves=55 depth=6",
]


def _drawing_on(cases: list[str]) -> list[str]:
    """As the editions had it first: one who can place may draw on, and need not place at last."""
    return [f"{case} voluntary_draw=always must_place_after_last_draw=false" for case in cases]


_TILES_DRAWING_ON = _drawing_on(
    [
        "players=2 seed=1 moves=0 depth=5",
        "players=2 seed=15 moves=24 depth=4",
        "players=2 seed=4 moves=62 depth=6",
        "players=3 seed=29 moves=46 depth=4",
        "players=3 seed=7 moves=56 depth=5",
        "players=4 seed=59 moves=24 depth=4",
        "players=4 seed=12 moves=56 depth=6",
    ]
)

CASES: dict[str, list[str]] = {
    "classic": [
        *_TILES,
        "players=2 seed=1 moves=34 depth=6 bridge_rule=three_corners",
        "players=2 seed=7 moves=20 depth=6 voluntary_draw=never may_keep=true",
        "players=2 seed=8 moves=20 depth=6 after_draw_play=drawn_only",
        "players=2 seed=1 moves=0 depth=4 opening_draw=true",
        "players=2 seed=4 moves=12 depth=5 must_place_after_last_draw=false",
        "players=2 seed=4 moves=12 depth=5 voluntary_draw=always",
        *_TILES_DRAWING_ON,
        *_drawing_on(
            [
                "players=2 seed=6 moves=60 depth=6 bridge_rule=three_corners",
                "players=2 seed=8 moves=20 depth=6 after_draw_play=drawn_only",
                "players=3 seed=9 moves=60 depth=6 empty_pool_pass=voluntary",
                "players=2 seed=1 moves=0 depth=4 opening_draw=true",
            ]
        ),
        "players=2 seed=1 moves=0 depth=4 tile_set=4 racks={2=1} opening_draw=true",
        "players=2 seed=5 moves=0 depth=6 tile_set=10 racks={2=3}",
        "players=3 seed=5 moves=9 depth=6 tile_set=20 racks={3=4}",
        "players=2 seed=5 moves=9 depth=6 tile_set=35 racks={2=7}",
    ],
    "classic-hebrew": [*_TILES, *_TILES_DRAWING_ON],
    "six-player": [
        "players=2 seed=1 moves=0 depth=5",
        "players=2 seed=34 moves=16 depth=4",
        "players=3 seed=64 moves=40 depth=5",
        "players=4 seed=21 moves=16 depth=4",
        "players=5 seed=5 moves=30 depth=5",
        "players=6 seed=6 moves=8 depth=4",
        "players=6 seed=9 moves=56 depth=6",
        *_drawing_on(
            [
                "players=2 seed=1 moves=0 depth=5",
                "players=2 seed=19 moves=16 depth=4",
                "players=3 seed=9 moves=62 depth=5",
                "players=4 seed=15 moves=16 depth=4",
                "players=5 seed=15 moves=34 depth=4",
                "players=6 seed=40 moves=8 depth=4",
                "players=6 seed=4 moves=56 depth=5",
            ]
        ),
        "players=2 seed=5 moves=0 depth=6 tile_set=11 racks={2=3}",
        "players=2 seed=5 moves=9 depth=4 tile_set=24 racks={2=6}",
        "players=4 seed=5 moves=12 depth=5 tile_set=45 racks={4=6}",
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
        "players=2 seed=5 moves=3 depth=7 tile_set=10 racks={2=4}",
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
