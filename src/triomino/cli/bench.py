"""``triomino bench``: how fast the engines play on this machine."""

# ruff: noqa: PLC0415 - what a command needs is imported when it runs, so that the others start fast

from __future__ import annotations

from typing import Annotated

import typer

from triomino.cli.options import AsJson  # noqa: TC001 - Typer reads it

Seconds = Annotated[
    float,
    typer.Option("--seconds", min=0.001, max=3600, metavar="S", help="How long to measure a line."),
]


def bench(as_json: AsJson = False, seconds: Seconds = 0.8) -> None:
    """Measure how fast rounds are played.

    A playout is one whole round from a fresh deal; a turn is everything between two changes of
    seat. Moves are chosen by chance (random) or for the most points now (greedy), by the rules in
    Python and by the native kernel, on one thread and on all.

    For example:

        triomino bench

        triomino bench --json --seconds 5
    """
    from triomino.cli.output import print_json, progress
    from triomino.cli.rates import cases, measure, print_table

    rates, asked = [], cases()
    with progress() as bar:
        task = bar.add_task("measuring", total=len(asked))
        for case in asked:
            said = f"{case.engine} {case.edition} {case.players} {case.policy}"
            bar.update(task, description=said)
            rate = measure(case, seconds)
            bar.advance(task)
            if as_json:
                print_json(rate)
            rates.append(rate)
    if not as_json:
        print_table(rates)
