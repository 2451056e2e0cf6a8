"""``triomino arena``: which of two bots is stronger, and by how much."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer
from rich import box
from rich.table import Table

from triomino.bots import Limit, why_not_bot
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
from triomino.lab.arena import ArenaResult, Contest, Deal, Standing, run_arena
from triomino.lab.arena_file import ArenaFile
from triomino.lab.record_files import DASH, LineWriter
from triomino.lab.statistics import Sprt
from triomino.terminal.output import console, print_json, progress
from triomino.terminal.ruleset import rules_from

Keep = Annotated[
    Path | None, typer.Option("--keep", help="A file of results; the same command continues it.")
]
Games = Annotated[int, typer.Option("--games", "-n", min=1, metavar="N", help="How many, at most.")]
Players = Annotated[
    int, typer.Option("--players", "-p", metavar="N", help="The second bot fills the seats.")
]
Milliseconds = Annotated[
    float | None, typer.Option("--ms", min=0.1, help="Thinking time per move, for bots that think.")
]
Rollouts = Annotated[
    int | None, typer.Option("--rollouts", min=1, help="Thinking per move, in rollouts.")
]
Sequential = Annotated[
    bool, typer.Option("--sprt", help="Stop as soon as --low or --high is decided.")
]
Low = Annotated[
    float | None, typer.Option("--low", help="The lower win rate to test; by default a fair share.")
]
High = Annotated[
    float | None, typer.Option("--high", help="The higher one; by default a tenth more.")
]
BotName = Annotated[str, typer.Argument(metavar="BOT", show_default=False)]


def arena(
    first: BotName,
    second: BotName,
    *,
    games: Games = 400,
    players: Players = 2,
    ms: Milliseconds = None,
    rollouts: Rollouts = None,
    seed: Seed = 1,
    edition: Edition = None,
    target: Target = None,
    rules: RulesFile = None,
    settings: Settings = None,
    sprt: Sequential = False,
    low: Low = None,
    high: High = None,
    keep: Keep = None,
    records: Records = None,
    jobs: Jobs = None,
    cluster: Cluster = None,
    as_json: AsJson = False,
) -> None:
    """Let two bots play the same deals with the seats exchanged, and say who is stronger.

    For example:

        triomino arena greedy random --games 1000

        triomino arena greedy random --sprt --low 0.5 --high 0.55 --games 20000

    With more than two seats the first bot has one of them, each in turn, and the second all the
    others. Games of one deal are not independent: intervals count a deal as one.
    """
    wanted = rules_from(edition, rules, settings, target)
    wanted.check_players(players)
    for name in (first, second):
        if why := why_not_bot(name):
            raise TriominoError(why)
    if not sprt and (low is not None or high is not None):
        raise TriominoError("--low and --high are for --sprt")
    if ms is not None and rollouts is not None:
        raise TriominoError("--ms and --rollouts contradict each other; give one of them")
    if records == DASH:
        raise TriominoError("--records: standard output is for the result; name a file")
    limit = Limit(milliseconds=ms, rollouts=rollouts)
    recorded = records is not None
    contest = Contest(wanted, (first, second), players, seed, limit, with_records=recorded)
    test = _test(players, low, high) if sprt else None
    result = _run(
        contest, -(-games // players), test, file=keep, records=records, jobs=jobs, cluster=cluster
    )
    if as_json:
        for line in result.standing.lines():
            print_json(line)
    else:
        _print(result, test)
    if result.interrupted:
        print(f"triomino: interrupted after {result.standing.games} games", file=sys.stderr)
        raise typer.Exit(130)


def _test(players: int, low: float | None, high: float | None) -> Sprt:
    low = 1 / players if low is None else low
    high = min(1.0, 1.1 * low) if high is None else high
    if not 0 <= low < high <= 1:
        raise TriominoError(f"--low {low:g} --high {high:g}: two rates from 0 to 1, low first")
    return Sprt(low, high)


def _run(
    contest: Contest,
    deals: int,
    test: Sprt | None,
    *,
    file: Path | None,
    records: Path | None,
    jobs: int | None,
    cluster: str | None,
) -> ArenaResult:
    """Play with a progress bar."""
    with (
        nullcontext() if file is None else ArenaFile(file, contest) as results,
        nullcontext() if records is None else LineWriter(records) as writer,
        progress() as bar,
    ):
        task = bar.add_task("games", total=deals * contest.players)

        def show(deal: Deal, standing: Standing) -> None:
            bar.update(task, advance=len(deal.results), description=_so_far(standing))

        return run_arena(
            contest,
            deals,
            test=test,
            file=results,
            processes=jobs,
            cluster=cluster,
            write_record=None if writer is None else writer.write,
            on_deal=show,
        )


def _so_far(standing: Standing) -> str:
    return f"{standing.contest.bots[0]} {float(standing.wins[0] / standing.games):.1%}"


def _print(result: ArenaResult, test: Sprt | None) -> None:
    standing = result.standing
    screen = console()
    table = Table(box=box.SIMPLE, pad_edge=False)
    table.add_column("bot", overflow="fold")
    for name in ("wins", "win rate", "95 %", "margin", "95 %", "ms a move"):
        table.add_column(name, justify="right")
    for line in standing.lines():
        (low, high), (down, up) = line["win_rate_95"], line["margin_95"]
        table.add_row(
            line["bot"],
            f"{line['wins']:g}",
            f"{line['win_rate']:.1%}",
            f"{100 * low:.1f}–{100 * high:.1f}%",
            f"{line['mean_margin']:+.1f}",
            f"{down:+.1f} … {up:+.1f}",
            f"{line['ms_per_move']:.2f}",
        )
    screen.print(table)
    rules, players = standing.contest.rules, standing.contest.players
    goal = "single rounds" if rules.target is None else f"to {rules.target}"
    screen.print(
        f"{rules.edition}, {players} players, {goal}; {standing.games} games of "
        f"{len(standing.rates)} deals."
    )
    if test is None:
        return
    decided = result.decision
    if decided is None:
        screen.print(f"Not decided between {test.low:.1%} and {test.high:.1%}; play more games.")
    else:
        screen.print(f"Decided: {decided:.1%} and not {test.low + test.high - decided:.1%}.")
