"""``triomino replay``: records played again, checked, or shown as a score sheet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from triomino.cli.options import AsJson, RecordFile
from triomino.lab.record_files import matches_in
from triomino.terminal.output import print_json
from triomino.terminal.score_sheet import print_sheet

if TYPE_CHECKING:
    from triomino.match import Match
    from triomino.rules import Json

Check = Annotated[bool, typer.Option("--check", help="Only say whether everything is in order.")]


def replay(file: RecordFile, check: Check = False, as_json: AsJson = False) -> None:
    """Play records again by the rules: a score sheet, or a check.

    Every turn is played and every number compared; the first thing that is wrong is named with
    its place, and the exit code is 2.

    For example:

        triomino replay game.jsonl

        triomino replay out.jsonl --check

    --json prints an object for each record: how many rounds, how many entries in their lists of
    turns, the scores, and the winners.
    """
    count = unfinished = 0
    for match in matches_in(file):
        count += 1
        unfinished += not match.over
        if as_json:
            print_json(_summary(count, match))
        elif not check:
            print_sheet(match, number=count)
    if check and not as_json:
        still = f"; {unfinished} not finished" if unfinished else ""
        print(f"{count} {'match' if count == 1 else 'matches'}, all in order{still}")


def _summary(number: int, match: Match) -> Json:
    return {
        "record": number,
        "rounds": len(match.rounds),
        "turns": sum(len(game.plies) for game in match.rounds),
        "scores": list(match.scores),
        "winners": list(match.winners),
    }
