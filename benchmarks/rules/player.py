"""Plays random rounds for ``benchmarks.rules``, with the checkout it is given.

It runs by itself, without site packages: an editable install would put its own ``triomino`` first.
A line ``first count`` on its input asks for the rounds of these seeds; the answer is one line with
the seconds of processor time they took and a digest of their totals.
"""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path
from time import process_time

SOURCE = Path(sys.argv[1]).resolve() / "src"
sys.path.insert(0, str(SOURCE))

import triomino as tri  # noqa: E402
from triomino.dice import Rng  # noqa: E402

assert Path(str(tri.__file__)).is_relative_to(SOURCE), tri.__file__

# Named one by one, so that both sides play alike whatever their defaults are.
RULES = tri.CLASSIC.with_settings(["voluntary_draw=always", "must_place_after_last_draw=false"])


def play(seed: int) -> list[int]:
    """Play one round of random moves and return its totals."""
    game, rng = tri.Game.deal(RULES, 2, seed), Rng.named("bench", seed)
    while not game.over:
        moves = game.legal_moves()
        game.play(moves[rng.randrange(len(moves))])
    return game.totals


def main() -> None:
    for line in sys.stdin:
        first, count = map(int, line.split())
        began = process_time()
        totals = [play(seed) for seed in range(first, first + count)]
        seconds = process_time() - began
        print(seconds, hashlib.sha256(repr(totals).encode()).hexdigest(), flush=True)


if __name__ == "__main__":
    main()
