"""``triomino stats``: what rounds come to, as a table and a picture."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich import box
from rich.table import Table

from triomino.cli.options import AsJson, Edition, RulesFile, Settings
from triomino.lab.tally import Tally, player_counts, tally_rounds
from triomino.lab.tally_chart import tally_chart
from triomino.rules import EDITIONS
from triomino.terminal.output import NARROW, console, print_json, progress
from triomino.terminal.ruleset import rules_from

Players = Annotated[
    int | None, typer.Option("--players", "-p", metavar="N", help="How many seats; by default all.")
]
Rounds = Annotated[
    int,
    typer.Option("--rounds", "-n", min=1, metavar="N", help="For each edition and player count."),
]
Policy = Annotated[
    str, typer.Option("--policy", help="How all play: greedy, random, or place (random tiles).")
]
Seed = Annotated[int, typer.Option("--seed", metavar="N", help="All rounds follow from it.")]
Picture = Annotated[
    Path | None, typer.Option("--picture", "-o", metavar="FILE", help="Draw it there, as SVG.")
]
Jobs = Annotated[
    int | None,
    typer.Option("--jobs", "-j", min=1, metavar="N", help="Threads; by default one for each core."),
]


def stats(
    *,
    edition: Edition = None,
    players: Players = None,
    rounds: Rounds = 100_000,
    policy: Policy = "greedy",
    seed: Seed = 1,
    picture: Picture = None,
    rules: RulesFile = None,
    settings: Settings = None,
    jobs: Jobs = None,
    as_json: AsJson = False,
) -> None:
    """Play many rounds and show how they go: scores, lengths, bridges, hexagons, who wins.

    Without --edition it looks at every edition, without --players at every player count. The
    native kernel plays; the same arguments give the same numbers on every machine.

    For example:

        triomino stats --picture stats.svg

        triomino stats -e classic -p 2 -n 1000000 --policy random

    "Starter" is how much more often the one who opens wins than the others' equal share. Ctrl-C
    stops at once and shows what there is so far.
    """
    given = edition or rules or settings
    wanted = [rules_from(edition, rules, settings)] if given else list(EDITIONS.values())
    cases = player_counts(wanted, players)
    with progress() as bar:
        task = bar.add_task("rounds", total=rounds * len(cases))

        def show(tally: Tally, done: int) -> None:
            said = f"{tally.rules.edition}, {tally.players} players"
            bar.update(task, advance=done, description=said)

        result = tally_rounds(
            cases, rounds, policy=policy, seed=seed, threads=jobs, on_progress=show
        )
    if as_json:
        for tally in result.tallies:
            print_json(tally.line())
    else:
        _print_table(result.tallies)
    if picture is not None and result.tallies:
        picture.write_text(tally_chart(result.tallies, f"{policy} play"), "utf-8")
    if result.interrupted:
        print("triomino: interrupted; this is what was played so far", file=sys.stderr)
        raise typer.Exit(130)


def _print_table(tallies: list[Tally]) -> None:
    screen = console()
    wide = screen.width >= NARROW
    table = Table(box=box.SIMPLE, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("edition")
    heads = ["n", "score", "turns", "bridges", "hexagons"]
    for head in [*heads, "blocked", "starter"] if wide else ["n", "score", "turns", "starter"]:
        table.add_column(head, justify="right")
    for tally in tallies:
        line = tally.line()
        cells = [str(tally.players), f"{line['mean_score']:.1f}", f"{line['mean_turns']:.1f}"]
        if wide:
            cells[1] += f" ±{line['sd_score']:.0f}"
            cells += [f"{line['bridges_per_round']:.2f}", f"{line['hexagons_per_round']:.2f}"]
            cells += [f"{line['blocked']:.1%}"]
        table.add_row(tally.name, *cells, f"{line['starter_advantage']:+.1%}")
    screen.print(table)
    played = sum(tally.rounds for tally in tallies)
    screen.print(f"{played:,} rounds. Scores are those of one seat, the rest of all in a round.")
