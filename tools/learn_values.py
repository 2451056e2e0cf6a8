"""Learn what is still to come in a round from self-played ones: the numbers of native/values.hpp.

At each turn of a round, what the one to move has more than the others on its rack and on the board
is set against what it makes more than they until the end; least squares say what each thing is
worth. Most seats play by the search with the values as they are, so the numbers are learned step by
step: ``--rollouts 0`` begins with greedy rounds alone, then come some runs with the search, each
after ``make setup``, until the arena shows no gain.

Who has many tiles was often stuck before, so what comes of them says too little of what tiles are
worth to one who draws them on purpose. While the pool lasts, a tile counts HOARD points more: the
numbers, by players, were found in the arena.

The values hold by the rules they were learned by, RULES, where one who can place may draw on. By
other rules the search does without them: ``values_hold`` in native/rules.cpp says where.
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
HOARD: Final = {2: 10, 3: 6}
OPEN_STAGES: Final = (2, 3, 4)
"""Stages in which the pool lasts and nobody is nearly out."""
STAGES: Final = 5
RULES: Final = CLASSIC.with_changes(
    {"voluntary_draw": "always", "must_place_after_last_draw": False}
)
PART: Final = 1000


def learned(
    players: int, rollouts: int, rounds: int, seed: int, threads: int = 0
) -> list[list[int]]:
    """A row of values for each stage of a round."""
    rules = native_rules(RULES)
    wide = 8  # six things, being the one to move, and what came of it
    sums = np.zeros((STAGES, wide, wide))
    for first in range(0, rounds, PART):
        count = min(PART, rounds - first)
        made = native().moments(rules, players, rollouts, count, seed, first, threads)
        ones = np.ones(len(made["margin"]))
        rows = np.column_stack([made["features"], ones, made["margin"]])
        for stage in range(STAGES):
            here = rows[made["stage"] == stage]
            sums[stage] += here.T @ here
    table = [_row(each) for each in sums]
    for stage in OPEN_STAGES if rollouts else ():
        table[stage][1] += HOARD[players] * UNIT
    return table


def _row(sums: np.ndarray) -> list[int]:
    """The values of one stage, and how far they are off."""
    products, outcome = sums[:-1, :-1], sums[:-1, -1]
    worth = np.linalg.solve(products + np.eye(len(products)), outcome)
    count = max(1.0, sums[-2, -2])
    off = (sums[-1, -1] - 2 * worth @ outcome + worth @ products @ worth) / count
    return [round(UNIT * value) for value in (*worth, max(1.0, off) ** 0.5)]


def main() -> None:
    """Write the values into the kernel's file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rollouts", type=int, default=32)
    parser.add_argument("--rounds", type=int, default=50_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=0, help="else all cores")
    given = parser.parse_args()
    asked = (given.rollouts, given.rounds, given.seed, given.threads)
    tables = [learned(players, *asked) for players in HOARD]
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
