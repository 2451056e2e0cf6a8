"""How a player fares against the worst opponent of a frozen pool, by edition and players.

``python -m benchmarks.bots.pool`` plays kept deals against every opponent in
``benchmarks/bots/pool`` (one file each), with thinking time counted in processor time, and prints
each result with 95 % intervals and the worst of each game. Results are kept as they come: the same
command goes on where it was stopped.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from rich.progress import Progress

from triomino import EDITIONS
from triomino.bots.levels import EFFORTS
from triomino.kernel.contest import Contestant
from triomino.lab.pool import Opponent, Pairing, play, read_pool

FOLDER: Final = Path(__file__).parent / "pool"
SEED: Final = 19
TABLES: Final = (
    ("classic", 2, None),
    ("classic", 3, None),
    ("classic", 4, None),
    ("classic-hebrew", 2, None),
    ("six-player", 2, None),
    ("six-player", 6, None),
    ("card", 2, 200),
    ("casual", 2, None),
)


def pairings(options: argparse.Namespace, pool: list[Opponent]) -> list[Pairing]:
    """Return every game with every opponent that was asked for."""
    effort = EFFORTS[options.bot]
    if options.ms is not None:
        effort = replace(effort, rollouts=options.rollouts, milliseconds=options.ms)
    weights = None if options.weights is None else options.weights.read_bytes()
    one = Contestant(effort=effort, weights=weights, sees_racks=options.sees_racks)
    if options.sees_all:
        # All is known, so a second rollout of a move would be the same as the first.
        one = Contestant(effort=replace(effort, judges=False, rollouts=1), sees_all=True)
    return [
        Pairing(EDITIONS[edition].with_changes({"target": target}), players, one, other, SEED)
        for edition, players, target in TABLES
        if options.edition in (None, edition) and options.players in (None, players)
        for other in pool
        if options.against in (None, other.name)
    ]


def table(lines: list[dict[str, Any]]) -> str:
    """Return the results, and the worst of each game, as a table."""
    rows = ["| game | opponent | won | 95 % | of a fair share | margin | 95 % | rounds | late |"]
    rows.append("|---|---|---:|---:|---:|---:|---:|---:|---:|")
    worst: dict[str, dict[str, Any]] = {}
    for line in lines:
        worst[line["game"]] = min(line, worst.get(line["game"], line), key=lambda one: one["won"])
    for line in lines:
        (low, high), (down, up) = line["won_95"], line["margin_95"]
        mark = " **worst**" if worst[line["game"]] is line else ""
        rows.append(
            f"| {line['game']} | {line['opponent']}{mark} | {line['won']:.1%} "
            f"| {low:.1%} to {high:.1%} | {line['of_fair_share']:.2f} | {line['margin']:+.1f} "
            f"| {down:+.1f} to {up:+.1f} | {line['rounds']} | {line['late']:.2%} |"
        )
    return "\n".join(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bot", choices=sorted(EFFORTS), default="champion")
    parser.add_argument("--weights", type=Path, help="another network than the one that ships")
    parser.add_argument("--ms", type=float, default=10.0, help="of processor time a move")
    parser.add_argument("--rollouts", type=int, help="a budget that no busy machine changes")
    parser.add_argument("--sees-all", action="store_true", help="a bound: it knows every tile")
    parser.add_argument("--sees-racks", action="store_true", help="a bound: it knows every rack")
    parser.add_argument("--games", type=int, default=400, help="of every pairing")
    parser.add_argument("--edition", choices=sorted(EDITIONS))
    parser.add_argument("--players", type=int)
    parser.add_argument("--against", help="one opponent alone")
    parser.add_argument("--pool", type=Path, default=FOLDER, help="the folder of opponents")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--keep", type=Path, default=None, help="a file of results")
    options = parser.parse_args()
    lines = []
    with Progress() as bar:
        wanted = pairings(options, read_pool(options.pool))
        task = bar.add_task("rounds", total=len(wanted) * options.games)
        for pairing in wanted:
            before = 0
            deals = -(-options.games // pairing.players)
            for tally in play(pairing, deals, kept=options.keep, threads=options.threads):
                done = min(options.games, len(tally.won) * pairing.players)
                bar.update(task, advance=done - before, description=pairing.game)
                before = done
            lines.append(tally.line(pairing))
            bar.console.print(json.dumps(lines[-1]), markup=False, highlight=False)
    print(table(lines))


if __name__ == "__main__":
    main()
