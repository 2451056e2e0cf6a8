"""``python -m triomino.lab.learning``: train the network from nothing, or go on with a run.

A run keeps its state, its log and its curves in a folder; stopped at any moment, the same command
goes on from the last saved step. ``--small`` is a run of minutes; the full recipe takes a night on
two cores.
"""

from __future__ import annotations

import argparse
from dataclasses import fields, replace
from pathlib import Path
from shutil import copyfile
from typing import TYPE_CHECKING

from rich.progress import Progress

from triomino.lab.learning.curves import curves, read_log
from triomino.lab.learning.train import SMALL, Recipe, learn
from triomino.lab.pool import read_opponent

if TYPE_CHECKING:
    from triomino.lab.learning.train import Run


def main() -> None:
    """Run the recipe with a progress bar."""
    parser = argparse.ArgumentParser(prog="triomino.lab.learning", description=__doc__)
    parser.add_argument("--folder", type=Path, default=Path("build/learning"))
    parser.add_argument("--small", action="store_true", help="a run of minutes")
    parser.add_argument("--threads", type=int, default=1, help="for playing; 0: all cores")
    parser.add_argument("--every", type=int, default=100, help="steps between two lines of the log")
    parser.add_argument("--ship", type=Path, help="copy the finished network there")
    parser.add_argument("--start", type=Path, help="a network to begin with")
    parser.add_argument(
        "--against", type=Path, nargs="+", default=[], help="files of opponents to learn to beat"
    )
    parser.add_argument("--cluster", metavar="auto|ADDRESS", help="a Ray cluster to play on")
    for item in fields(Recipe):
        kind = float if item.name.endswith("rate") else int
        parser.add_argument(
            f"--{item.name.strip('_').replace('_', '-')}", type=kind, dest=item.name
        )
    given = parser.parse_args()
    recipe = SMALL if given.small else Recipe()
    changes = {item.name: getattr(given, item.name) for item in fields(Recipe)}
    recipe = replace(
        recipe, **{name: value for name, value in changes.items() if value is not None}
    )
    with Progress() as bar:
        task = bar.add_task("steps", total=recipe.steps)

        def show(run: Run, entropy: float, squares: float) -> None:
            losses = f"chance {entropy:.3f}, margin {squares:.3f}"
            bar.update(task, completed=run.step, description=losses)

        learn(
            recipe,
            given.folder,
            every=given.every,
            threads=given.threads,
            start=None if given.start is None else given.start.read_bytes(),
            league=tuple(read_opponent(path).contestant for path in given.against),
            cluster=given.cluster,
            on_step=show,
        )
    lines = read_log(given.folder / "log.jsonl")
    (given.folder / "curves.svg").write_text(curves(lines), encoding="utf-8")
    print(f"{given.folder}: {lines[-1]['won']}")
    if given.ship is not None:
        copyfile(given.folder / "network.bin", given.ship)


if __name__ == "__main__":
    main()
