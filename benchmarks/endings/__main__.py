"""The share of endings that are solved within 50 ms of processor time, by tiles on the racks.

``python -m benchmarks.endings --count 1000`` takes the first position with an empty pool of so
many rounds of two, in all editions in turn: see ``tests.endings``. Playing them takes a few
minutes; they are kept in ``build/endings.jsonl`` for the next time. With ``--all`` every move of a
position is solved, as analysis does, and not only the best one. It fails below 99 % of those with
up to 16 tiles.
"""

from __future__ import annotations

import argparse
import json
from itertools import islice
from pathlib import Path
from statistics import median
from time import process_time
from typing import TYPE_CHECKING, Final

from rich.progress import track
from tests.endings import endings

from triomino import Game, View
from triomino.dice import Rng
from triomino.kernel import Effort, State, search
from triomino.notation import position_from_json, position_to_json

if TYPE_CHECKING:
    from collections.abc import Sequence

LIMIT_MS: Final = 50.0
NODES: Final = 3_000_000
"""Enough for ten times the limit, so that the time decides and not the budget."""
BANDS: Final = ((2, 8), (9, 12), (13, 14), (15, 16), (17, 18), (19, 20), (21, 99))
WANTED: Final = 0.99
CACHE: Final = Path("build/endings.jsonl")


def games(count: int, cache: Path) -> list[Game]:
    """Return the endings, from the cache as far as it reaches."""
    lines = cache.read_text("utf-8").splitlines() if cache.exists() else []
    if len(lines) < count:
        cache.parent.mkdir(exist_ok=True)
        fresh = islice(endings(), count)
        lines = [
            json.dumps(position_to_json(State.of(game).position))
            for game in track(fresh, "rounds", count)
        ]
        cache.write_text("\n".join(lines) + "\n", "utf-8")
    return [Game.at(position_from_json(json.loads(line))) for line in lines[:count]]


def milliseconds(game: Game, *, every_move: bool) -> float:
    """Return the processor time to solve an ending; infinite if it was given up."""
    state, view = State.of(game), View.of(game, game.turn)
    began = process_time()
    if every_move:
        effort = Effort(rollouts=1, endgame_nodes=NODES)
        solved = all(one.exact for one in search(view, effort, Rng(1)))
    else:
        solved = state.solve(NODES) is not None
    return (process_time() - began) * 1000 if solved else float("inf")


def report(sizes: Sequence[int], times: Sequence[float]) -> str:
    """Return the results as a table."""
    lines = [
        f"| tiles on the racks | endings | within {LIMIT_MS:g} ms | median | slowest tenth from |",
        "|---:|---:|---:|---:|---:|",
    ]
    for low, high in BANDS:
        own = sorted(time for size, time in zip(sizes, times, strict=True) if low <= size <= high)
        if own:
            share = sum(time <= LIMIT_MS for time in own) / len(own)
            label = f"{low} to {high}" if high < BANDS[-1][1] else f"{low} and more"
            lines.append(
                f"| {label} | {len(own)} | {share:.1%} | {median(own):.2f} ms "
                f"| {own[int(len(own) * 0.9)]:.1f} ms |"
            )
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--all", action="store_true", help="solve every move, not only the best")
    parser.add_argument("--cache", type=Path, default=CACHE)
    options = parser.parse_args()
    found = games(options.count, options.cache)
    sizes = [sum(map(len, game.racks)) for game in found]
    times = [milliseconds(game, every_move=options.all) for game in track(found, "endings")]
    print(report(sizes, times))
    small = [time <= LIMIT_MS for size, time in zip(sizes, times, strict=True) if size <= 16]
    share = sum(small) / len(small)
    print(f"\nup to 16 tiles: {share:.2%} of {len(small)} within {LIMIT_MS:g} ms")
    raise SystemExit(share < WANTED)


if __name__ == "__main__":
    main()
