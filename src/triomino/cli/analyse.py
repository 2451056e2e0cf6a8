"""``triomino analyse``: what every move was worth."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich import box
from rich.table import Table

from triomino.analysis import review
from triomino.analysis.annotated_record import annotated_record
from triomino.analysis.review import DEFAULT
from triomino.analysis.win_chart import SIGNS, win_chart
from triomino.cli.options import AsJson, Cluster, RecordFile, Records
from triomino.lab.record_files import LineWriter, matches_in
from triomino.lab.reviews import reviews
from triomino.terminal.output import console, print_json, progress

if TYPE_CHECKING:
    from triomino.analysis import Review
    from triomino.match import Match

Picture = Annotated[
    Path | None, typer.Option("--svg", help="Draw the chance to win there, of the first record.")
]


def analyse(
    file: RecordFile,
    *,
    rollouts: Annotated[
        int, typer.Option("--rollouts", min=50, metavar="N", help="Rounds played out per decision.")
    ] = 4000,
    records: Records = None,
    svg: Picture = None,
    cluster: Cluster = None,
    as_json: AsJson = False,
) -> None:
    """Show what every decision cost, and what luck contributed.

    For example:

        triomino analyse game.jsonl

        triomino analyse game.jsonl --svg chances.svg --records analysed.jsonl

    A decision is marked ?! (inaccuracy) if it costs 4% or more of the chance to win the round,
    ? (mistake) from 8% and ?? (blunder) from 16%, if that is more than noise. Luck is how all
    dealing and drawing changed that chance. --records writes the matches with all of this under
    extra; --json prints a summary of each.
    """
    matches = matches_in(file)
    if cluster is None:
        found = [_review(match, rollouts) for match in matches]
    else:
        found = _review_all(list(matches), rollouts, cluster)
    if records is not None:
        with LineWriter(records) as writer:
            for one in found:
                writer.write(json.dumps(annotated_record(one), ensure_ascii=False))
    if svg is not None:
        svg.write_text(win_chart(found[0]), "utf-8")
    for number, one in enumerate(found, 1):
        if as_json:
            extra, _ = one.extra()
            print_json({"record": number, "players": extra["analysis"]["players"]})
        else:
            _print(one)


def _review(match: Match, rollouts: int) -> Review:
    with progress() as bar:
        task = bar.add_task("turns", total=sum(len(game.plies) for game in match.rounds))
        return review(
            match, replace(DEFAULT, rollouts=rollouts), progress=lambda: bar.advance(task)
        )


def _review_all(matches: list[Match], rollouts: int, cluster: str) -> list[Review]:
    """The same by a cluster, a match at a time."""
    found = []
    with progress() as bar:
        task = bar.add_task("matches", total=len(matches))
        for one in reviews(matches, replace(DEFAULT, rollouts=rollouts), cluster=cluster):
            found.append(one)
            bar.advance(task)
    return found


def _print(one: Review) -> None:
    """For people: the players, then the decisions that cost most."""
    screen, names = console(), [player.name for player in one.match.players]
    table = Table(box=box.SIMPLE, pad_edge=False)
    table.add_column("player", overflow="fold")
    for head in ("decisions", "lost each", "±", "points lost", "?!", "?", "??", "luck"):
        table.add_column(head, justify="right")
    for player in one.players():
        table.add_row(
            names[player.seat],
            str(player.decisions),
            f"{player.lost:.1%}",
            f"{2 * player.noise / max(1, player.decisions):.1%}",
            f"{player.lost_points:.0f}",
            *(str(count) for count in player.marks.values()),
            f"{player.luck:+.0%}",
        )
    screen.print(table)
    worst = sorted((each for each in one.decisions if each.mark), key=lambda each: -each.lost)[:8]
    if not worst:
        screen.print("No decision cost 4% or more of the chance to win a round.")
        return
    table = Table(box=box.SIMPLE, pad_edge=False)
    for head in ("round", "turn", "player", "", "played", "better", "lost"):
        table.add_column(head, justify="right" if head in ("round", "turn", "lost") else "left")
    for each in worst:
        mark = SIGNS[str(each.mark)]
        table.add_row(
            str(each.round + 1),
            str(each.turn + 1),
            names[each.seat],
            mark,
            str(each.move),
            str(each.best.move),
            f"{each.lost:.0%}",
        )
    screen.print(table)
