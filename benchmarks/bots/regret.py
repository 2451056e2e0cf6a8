"""What a short search loses compared with a very long one.

``python -m benchmarks.bots.regret`` takes 200 positions, evaluates every move there with a
reference search of 200,000 rollouts, and asks for a move at 1, 10 and 50 ms. The regret of a move
is the reference's value of its best move less that of the move. Results are stored position by
position: the same command resumes where it was stopped.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any, Final

from rich.progress import track

from benchmarks.bots.positions import positions
from triomino.dice import Rng
from triomino.kernel import Effort, search
from triomino.lab.statistics import mean_interval

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triomino.moves import Move
    from triomino.view import View

TIMES: Final = (1.0, 10.0, 50.0)
RESULTS_FILE: Final = Path(__file__).parent / "regret.jsonl"
WIN_WEIGHT: Final = 100
"""The points that winning a round is worth, as in the search itself."""


def measure(view: View, number: int, rollouts: int, times: Sequence[float]) -> dict[str, Any]:
    """Return the regret at a position of the moves chosen after each thinking time."""
    chosen = {
        each: search(view, Effort(milliseconds=each), Rng.named("regret", number, each))[0].move
        for each in times
    }
    values: dict[Move, tuple[float, float]] = {}
    # The reference tries each chosen move in as many worlds as the best, the same every time.
    for move in set(chosen.values()):
        found = search(view, Effort(rollouts=rollouts), Rng.named("reference", number), keep=move)
        best, kept = found[0], next(one for one in found if one.move == move)
        win = best.win - kept.win
        points = best.margin - kept.margin
        values[move] = (win, points + WIN_WEIGHT * win)
    return {
        "position": number,
        "regret": {
            f"{each:g}": [round(part, 5) for part in values[chosen[each]]] for each in times
        },
    }


def table(rows: Sequence[dict[str, Any]], rollouts: int) -> str:
    """Return the results as a table."""
    lines = [
        f"{len(rows)} positions, reference {rollouts:,} rollouts, classic, two players",
        "",
        "| thinking | chance to win lost | 95 % | value lost | same as the reference |",
        "|---:|---:|---:|---:|---:|",
    ]
    for each in rows[0]["regret"]:
        wins = [row["regret"][each][0] for row in rows]
        values = [row["regret"][each][1] for row in rows]
        low, high = mean_interval(wins)
        same = fmean(value == 0 for value in values)
        lines.append(
            f"| {each} ms | {fmean(wins):.2%} | {max(0.0, low):.2%} to {high:.2%} "
            f"| {fmean(values):.2f} | {same:.0%} |"
        )
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=200)
    parser.add_argument("--rollouts", type=int, default=200_000, help="of the reference")
    parser.add_argument("--ms", type=float, nargs="+", default=list(TIMES))
    parser.add_argument("--keep", type=Path, default=RESULTS_FILE, help="the file of results")
    options = parser.parse_args()
    head = {"rollouts": options.rollouts, "ms": options.ms}
    rows: list[dict[str, Any]] = []
    if options.keep.exists():
        first, *lines = options.keep.read_text("utf-8").splitlines()
        if json.loads(first) != head:
            parser.error(f"{options.keep} was made with {first}; choose another file with --keep")
        rows = [json.loads(line) for line in lines][: options.positions]
    else:
        options.keep.write_text(json.dumps(head) + "\n", "utf-8")
    views = positions(options.positions)
    with options.keep.open("a", encoding="utf-8") as kept:
        for number in track(range(len(rows), len(views)), "positions"):
            row = measure(views[number], number, options.rollouts, options.ms)
            rows.append(row)
            kept.write(json.dumps(row) + "\n")
            kept.flush()
    text = table(rows, options.rollouts)
    options.keep.with_suffix(".md").write_text(text + "\n", "utf-8")
    print(text)


if __name__ == "__main__":
    main()
