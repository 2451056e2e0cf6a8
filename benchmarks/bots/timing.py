"""Whether bots keep to their time limit.

``python -m benchmarks.bots.timing`` asks for moves at 3, 10 and 50 ms, in rounds of 2 to 6 players,
and fails if fewer than 99.9 % of all took at most 1.5 times that, by processor time. The clock,
which other programs on the machine delay, is shown beside it. ``--beside 4`` keeps as many other
processes busy meanwhile.
"""

from __future__ import annotations

import argparse
from multiprocessing import Process
from time import perf_counter, thread_time
from typing import Final

from rich.progress import track

from triomino import EDITIONS, Game, View
from triomino.bots import GreedyBot, Limit, make_bot
from triomino.dice import Rng
from triomino.kernel import Policy, playouts

TIMES: Final = (3.0, 10.0, 50.0)
LATE: Final = 1.5
WANTED: Final = 0.999
SEATS: Final = [("classic", 2), ("classic", 4), ("six-player", 6), ("card", 3)]


def delays(
    edition: str, players: int, moves: int, milliseconds: float
) -> list[tuple[float, float]]:
    """Return how many times its limit each move took: by the clock, and of processor time."""
    found: list[tuple[float, float]] = []
    number = 0
    while len(found) < moves:
        number += 1
        game = Game.deal(EDITIONS[edition], players=players, seed=number)
        bot = make_bot("champion", Rng(number))
        while not game.over and len(found) < moves:
            view = View.of(game, game.turn)
            if len(view.legal_moves()) > 1 and game.turn == 0:
                began, worked = perf_counter(), thread_time()
                move = bot.choose(view, Limit(milliseconds=milliseconds))
                taken, spent = perf_counter() - began, thread_time() - worked
                found.append((1000 * taken / milliseconds, 1000 * spent / milliseconds))
            else:
                move = GreedyBot().choose(view)
            game.play(move)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moves", type=int, default=1000, help="of every kind")
    parser.add_argument("--beside", type=int, default=0, help="other processes that work meanwhile")
    options = parser.parse_args()
    beside = [Process(target=_work, daemon=True) for _ in range(options.beside)]
    for process in beside:
        process.start()
    try:
        share = _measure(options.moves)
    finally:
        for process in beside:
            process.terminate()
    raise SystemExit(share < WANTED)


def _work() -> None:
    while True:
        playouts(EDITIONS["classic"], 2, 1000, Policy.GREEDY, seed=1)


def _measure(moves: int) -> float:
    """Print the tables; return the share of moves in time, by the work of the processor."""
    cases = [(seats, each) for seats in SEATS for each in TIMES]
    lines = [
        f"| game | players | asked | within {LATE:g} times | longest | of work | most work |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    every: list[tuple[float, float]] = []
    for (edition, players), each in track(cases, "moves"):
        found = delays(edition, players, moves, each)
        every += found
        cells = "".join(
            f" {_inside([one[kind] for one in found]):.2%} |"
            f" {max(one[kind] for one in found):.2f} |"
            for kind in (0, 1)
        )
        lines.append(f"| {edition} | {players} | {each:g} ms |{cells}")
    print("\n".join(lines))
    clock, work = (_inside([one[kind] for one in every]) for kind in (0, 1))
    print(f"\n{clock:.2%} of {len(every)} moves within {LATE:g} times what was asked by the clock,")
    print(f"{work:.3%} by the work of the processor.")
    return work


def _inside(late: list[float]) -> float:
    return sum(one <= LATE for one in late) / len(late)


if __name__ == "__main__":
    main()
