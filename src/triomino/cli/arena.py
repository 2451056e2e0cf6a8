"""``triomino arena``: which of two bots is stronger, and by how much."""

# ruff: noqa: PLC0415 - what a command needs is imported when it runs, so that the others start fast

from __future__ import annotations

import sys
from contextlib import closing, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from triomino.cli.options import (
    AsJson,
    Edition,
    Jobs,
    Records,
    RulesFile,
    Seed,
    Settings,
    Target,
)
from triomino.errors import TriominoError
from triomino.terminal.ruleset import rules_from

if TYPE_CHECKING:
    from collections.abc import Generator

    from triomino.lab.arena import Contest, Deal, Sprt, Standing

Keep = Annotated[
    Path | None, typer.Option("--keep", help="A file of results; the same command goes on there.")
]
BotName = Annotated[str, typer.Argument(metavar="BOT", show_default=False)]


def arena(
    first: BotName,
    second: BotName,
    *,
    games: Annotated[
        int, typer.Option("--games", "-n", min=1, metavar="N", help="How many, at most.")
    ] = 400,
    players: Annotated[
        int, typer.Option("--players", "-p", metavar="N", help="The second bot fills the seats.")
    ] = 2,
    ms: Annotated[
        float | None,
        typer.Option("--ms", min=0.1, help="Thinking time a move, if a bot thinks."),
    ] = None,
    rollouts: Annotated[
        int | None, typer.Option("--rollouts", min=1, help="Thinking as so many rollouts a move.")
    ] = None,
    seed: Seed = 1,
    edition: Edition = None,
    target: Target = None,
    rules: RulesFile = None,
    settings: Settings = None,
    sprt: Annotated[
        bool, typer.Option("--sprt", help="Stop as soon as --low or --high is decided.")
    ] = False,
    low: Annotated[
        float | None, typer.Option("--low", help="A win rate of the first bot; its fair share.")
    ] = None,
    high: Annotated[
        float | None, typer.Option("--high", help="Another one; a tenth more than that.")
    ] = None,
    keep: Keep = None,
    records: Records = None,
    jobs: Jobs = None,
    as_json: AsJson = False,
) -> None:
    """Let two bots play the same deals with the seats exchanged, and say who is stronger.

    For example:

        triomino arena greedy random --games 1000

        triomino arena greedy random --sprt --low 0.5 --high 0.55 --games 20000

    With more than two seats the first bot has one of them, each in turn, and the second all the
    others. Games of one deal are not independent: intervals count a deal as one.
    """
    from triomino.bots import Limit, why_not_bot
    from triomino.lab.arena import Contest
    from triomino.lab.process_pool import default_jobs
    from triomino.lab.record_files import DASH

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
    contest = Contest(
        wanted,
        (first, second),
        players,
        seed,
        Limit(milliseconds=ms, rollouts=rollouts),
        with_records=records is not None,
    )
    test = _test(players, low, high) if sprt else None
    deals = -(-games // players)
    standing, stopped = _run(
        contest, deals, test, keep=keep, records=records, processes=jobs or default_jobs()
    )
    _report(standing, test, as_json=as_json)
    if stopped:
        print(f"triomino: interrupted after {standing.games} games", file=sys.stderr)
        raise typer.Exit(130)


def _test(players: int, low: float | None, high: float | None) -> Sprt:
    from triomino.lab.arena import Sprt

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
    keep: Path | None,
    records: Path | None,
    processes: int,
) -> tuple[Standing, bool]:
    """Play, showing how far it is; says whether it was interrupted."""
    from triomino.lab.arena import Standing
    from triomino.lab.arena_file import Kept
    from triomino.lab.record_files import LineWriter
    from triomino.terminal.output import progress

    standing, stopped = Standing(contest), False
    with (
        nullcontext() if keep is None else Kept(keep, contest) as kept,
        nullcontext() if records is None else LineWriter(records) as writer,
        progress() as bar,
    ):
        task = bar.add_task("games", total=deals * contest.players)
        played = kept.deals[:deals] if kept is not None else []
        with closing(_deals(contest, played, deals, processes)) as results:
            try:
                for deal in results:
                    if kept is not None and deal.number > len(played):
                        kept.add(deal)
                    if writer is not None:
                        for record in deal.records:
                            writer.write(record)
                    standing.add(deal)
                    bar.update(task, advance=len(deal.results), description=_so_far(standing))
                    if test is not None and test.decide(standing.rates) is not None:
                        break
            except KeyboardInterrupt:
                if not standing.games:
                    raise
                stopped = True
    return standing, stopped


def _deals(
    contest: Contest, played: list[Deal], deals: int, processes: int
) -> Generator[Deal, None, None]:
    from triomino.lab.arena import play_deal
    from triomino.lab.process_pool import in_order

    yield from played
    numbers = range(len(played) + 1, deals + 1)
    # Starting a process takes as long as a few games.
    useful = min(processes, len(numbers) // 4)
    yield from in_order(play_deal, contest, numbers, processes if useful > 1 else 1)


def _so_far(standing: Standing) -> str:
    return f"{standing.contest.bots[0]} {float(standing.wins[0] / standing.games):.1%}"


def _report(standing: Standing, test: Sprt | None, *, as_json: bool) -> None:
    from rich import box
    from rich.table import Table

    from triomino.terminal.output import console, print_json

    lines = standing.lines()
    decided = None if test is None else test.decide(standing.rates)
    if as_json:
        for line in lines:
            print_json(line)
        return
    screen = console()
    table = Table(box=box.SIMPLE, pad_edge=False)
    table.add_column("bot", overflow="fold")
    for name in ("wins", "win rate", "95 %", "margin", "95 %", "ms a move"):
        table.add_column(name, justify="right")
    for line in lines:
        (low, high), (down, up) = line["win_rate_95"], line["margin_95"]
        table.add_row(
            line["bot"],
            f"{line['wins']:g}",
            f"{line['win_rate']:.1%}",
            f"{100 * low:.1f}–{100 * high:.1f} %",
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
    if decided is None:
        screen.print(f"Not decided between {test.low:.1%} and {test.high:.1%}; play more games.")
    else:
        screen.print(f"Decided: {decided:.1%} and not {test.low + test.high - decided:.1%}.")
