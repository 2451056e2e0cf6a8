"""``triomino bench``: how fast the engines play on this machine."""

from __future__ import annotations

from typing import Annotated

import typer
from rich import box
from rich.table import Table

from triomino.cli.options import AsJson
from triomino.kernel import why_missing
from triomino.lab.benchmark import Rate, cases, measure
from triomino.terminal.output import NARROW, console, print_json, progress

Seconds = Annotated[
    float,
    typer.Option(
        "--seconds", min=0.001, max=3600, metavar="S", help="How long to measure each line."
    ),
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
    rates, asked = [], cases()
    with progress() as bar:
        task = bar.add_task("measuring", total=len(asked))
        for case in asked:
            said = f"{case.engine} {case.edition} {case.players} {case.policy}"
            bar.update(task, description=said)
            rate = measure(case, seconds)
            bar.advance(task)
            if as_json:
                print_json(rate.line())
            rates.append(rate)
    if not as_json:
        _print_table(rates)


def _print_table(rates: list[Rate]) -> None:
    screen = console()
    engines = list(dict.fromkeys(map(_engine, rates)))
    if screen.width >= NARROW:
        screen.print(_table(rates))
    else:
        for engine in engines:
            screen.print(engine)
            screen.print(_table([r for r in rates if _engine(r) == engine], narrow=True))
    if why := why_missing():
        screen.print(f"The native kernel is not built: {why}.")


def _engine(rate: Rate) -> str:
    threads = f" x{rate.case.threads}" if rate.case.threads > 1 else ""
    return f"{rate.case.engine}{threads}"


def _table(rates: list[Rate], *, narrow: bool = False) -> Table:
    table = Table(box=box.SIMPLE, pad_edge=False, padding=(0, 1 if narrow else 2, 0, 0))
    for head in ["edition", "policy"] if narrow else ["engine", "edition", "policy"]:
        table.add_column(head)
    for head in ("n" if narrow else "players", "rounds/s", "turns/s"):
        table.add_column(head, justify="right")
    for rate in rates:
        names = [rate.case.edition, rate.case.policy]
        fast = rate.playouts_per_s > 1000
        numbers = [f"{rate.playouts_per_s:,.{0 if fast else 1}f}", f"{rate.turns_per_s:,.0f}"]
        table.add_row(
            *([] if narrow else [_engine(rate)]), *names, str(rate.case.players), *numbers
        )
    return table
