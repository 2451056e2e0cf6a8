"""``triomino simulate``: matches between bots, as records or as a table."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from typing import TYPE_CHECKING, Annotated

import typer
from rich import box
from rich.table import Table

from triomino.bots import why_not_bot
from triomino.cli.options import (
    AsJson,
    Cluster,
    Edition,
    Jobs,
    Records,
    RulesFile,
    Seed,
    Settings,
    Target,
)
from triomino.errors import TriominoError
from triomino.lab.record_files import DASH, LineWriter, named
from triomino.lab.simulation import Job
from triomino.lab.simulation import simulate as play_matches
from triomino.terminal.output import NARROW, console, print_json, progress
from triomino.terminal.ruleset import rules_from

if TYPE_CHECKING:
    from pathlib import Path

    from triomino.lab.summary import Summary

Players = Annotated[int, typer.Option("--players", "-p", metavar="N", help="How many seats.")]
Matches = Annotated[
    int, typer.Option("--matches", "-n", min=1, metavar="N", help="How many matches.")
]
Bots = Annotated[
    str, typer.Option("--bots", help="Names with commas between; they take the seats in turn.")
]


def simulate(
    *,
    edition: Edition = None,
    players: Players = 2,
    matches: Matches = 100,
    seed: Seed = 1,
    bots: Bots = "greedy,random",
    records: Records = None,
    target: Target = None,
    rules: RulesFile = None,
    settings: Settings = None,
    jobs: Jobs = None,
    cluster: Cluster = None,
    as_json: AsJson = False,
) -> None:
    """Let bots play matches: records for programs, or a table of who won.

    The same arguments give the same bytes on every machine, whatever the number of processes.

    For example:

        triomino simulate --matches 200 --bots greedy,random

        triomino simulate -e six-player -p 4 -n 100 --seed 7 --records out.jsonl

    With --records FILE the records go there; --json prints the summary, an object for each bot.
    Wins shared by several count in parts.
    """
    wanted = rules_from(edition, rules, settings, target)
    wanted.check_players(players)
    names = [name.strip() for name in bots.split(",")]
    for name in names:
        if why := why_not_bot(name):
            raise TriominoError(f"--bots: {why}")
    if len(names) > players:
        raise TriominoError(f"--bots: {len(names)} bots for {players} seats; use --players")
    if as_json and records == DASH:
        raise TriominoError("--json and --records - would both write to standard output; drop one")
    seats = tuple(names[seat % len(names)] for seat in range(players))
    job = Job(wanted, seats, seed, matches, with_records=records is not None)
    summary = _run(job, records, jobs, cluster)
    if as_json:
        for line in summary.lines():
            print_json(line)
    elif records is None:
        _print_table(summary)
    elif records != DASH:
        print(f"{matches} {'matches' if matches > 1 else 'match'} written to {records}")


def _run(job: Job, records: Path | None, processes: int | None, cluster: str | None) -> Summary:
    """Play with a progress bar; an interrupt says how much is done and ends the program."""
    # A bar among the records on one screen would tear both.
    mixed = records == DASH and sys.stdout.isatty()
    with (
        nullcontext() if records is None else LineWriter(records) as writer,
        progress(hidden=mixed) as bar,
    ):
        task = bar.add_task("matches", total=job.matches)
        result = play_matches(
            job,
            processes=processes,
            cluster=cluster,
            write_record=None if writer is None else writer.write,
            on_progress=lambda count: bar.advance(task, count),
        )
    if result.interrupted:
        done = result.summary.matches if writer is None else writer.count
        said = "played" if records is None else f"written to {named(records)}, all complete"
        print(f"triomino: interrupted; {done} of {job.matches} matches {said}", file=sys.stderr)
        raise typer.Exit(130)
    return result.summary


def _print_table(summary: Summary) -> None:
    screen = console()
    table = Table(box=box.SIMPLE, pad_edge=False)
    table.add_column("bot", overflow="fold")
    columns = ["wins", "win rate", "mean score"]
    wide = screen.width >= NARROW
    if wide:
        columns += ["bridges", "hexagons"]
    for name in columns:
        table.add_column(name, justify="right")
    for line in summary.lines():
        cells = [
            line["bot"],
            f"{line['wins']:g}",
            f"{line['win_rate']:.1%}",
            f"{line['mean_score']:.1f}",
        ]
        if wide:
            cells += [f"{line['bridges_per_round']:.3f}", f"{line['hexagons_per_round']:.3f}"]
        table.add_row(*cells)
    screen.print(table)
    rules, played = summary.job.rules, f"{summary.turns / summary.rounds:.1f} turns a round"
    if summary.rounds > summary.matches:
        played = f"{summary.rounds / summary.matches:.1f} rounds a match, {played}"
    goal = "single rounds" if rules.target is None else f"to {rules.target}"
    asked = f"{rules.edition}, {len(summary.job.bots)} players, {goal}"
    screen.print(f"{asked}; {summary.matches} matches: {played}.")
    if wide:
        screen.print("Bridges and hexagons are those of one seat in one round.", style="dim")
