"""Learn the evaluation in native/values.hpp from self-played rounds, and write it there.

For every turn of a round, the features of the seat to move, less those of the others, are set
against the margin it gains until the end; least squares give the value of each feature. Most seats
play by the search with the current values, so learning is iterative: begin with ``--rollouts 0``,
which plays greedy rounds only, then repeat with the search, each time after ``make setup``, until
the arena shows no gain.

A player with many tiles has usually been stuck, so the samples understate what tiles are worth to a
player who draws them on purpose. While the pool lasts, a tile counts EXTRA_TILE_POINTS more; these
numbers, by players, were tuned in the arena.

The values apply to the rules they were learned with, RULES, where a player who can place may also
draw. With other rules the search does not use them: see ``values_apply`` in native/rules.cpp.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final

import numpy as np

from triomino.kernel.loader import native, native_rules
from triomino.rules import CLASSIC

FILE: Final = Path(__file__).parents[1] / "native" / "values.hpp"
UNIT: Final = 64
EXTRA_TILE_POINTS: Final = {2: 10, 3: 6}
OPEN_STAGES: Final = (2, 3, 4)
"""The stages before the pool is empty or somebody is nearly out."""
STAGES: Final = 5
RULES: Final = CLASSIC.with_changes(
    {"voluntary_draw": "always", "must_place_after_last_draw": False}
)
PART: Final = 1000


def learned(
    players: int, rollouts: int, rounds: int, seed: int, threads: int = 0
) -> list[list[int]]:
    """Return the values for each stage of a round."""
    rules = native_rules(RULES)
    columns = 8  # six features, being to move, and the margin gained
    sums = np.zeros((STAGES, columns, columns))
    for first in range(0, rounds, PART):
        count = min(PART, rounds - first)
        made = native().training_samples(rules, players, rollouts, count, seed, first, threads)
        ones = np.ones(len(made["margin"]))
        rows = np.column_stack([made["features"], ones, made["margin"]])
        for stage in range(STAGES):
            here = rows[made["stage"] == stage]
            sums[stage] += here.T @ here
    table = [_row(each) for each in sums]
    for stage in OPEN_STAGES if rollouts else ():
        table[stage][1] += EXTRA_TILE_POINTS[players] * UNIT
    return table


def _row(sums: np.ndarray) -> list[int]:
    """Return the values of one stage, and their standard error."""
    products, outcome = sums[:-1, :-1], sums[:-1, -1]
    values = np.linalg.solve(products + np.eye(len(products)), outcome)
    count = max(1.0, sums[-2, -2])
    variance = (sums[-1, -1] - 2 * values @ outcome + values @ products @ values) / count
    return [round(UNIT * value) for value in (*values, max(1.0, variance) ** 0.5)]


def main() -> None:
    """Write the values into native/values.hpp."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rollouts", type=int, default=32)
    parser.add_argument("--rounds", type=int, default=50_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=0, help="0: all cores")
    given = parser.parse_args()
    settings = (given.rollouts, given.rounds, given.seed, given.threads)
    tables = [learned(players, *settings) for players in EXTRA_TILE_POINTS]
    lines = ["VALUES[2][STAGES] = {"]
    for table in tables:
        rows = (f"        {{{', '.join(map(str, row))}}}," for row in table)
        lines += ["    {", *rows, "    },"]
    text = FILE.read_text(encoding="utf-8")
    before, rest = text.split(lines[0])
    after = rest[rest.index("\n};") :]
    FILE.write_text(before + "\n".join(lines) + after, encoding="utf-8")


if __name__ == "__main__":
    main()
