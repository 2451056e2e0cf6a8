"""``triomino hint``: the best move of a position, and why."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer
from rich import box
from rich.table import Table

from triomino.analysis.facts import equals, facts
from triomino.bots.levels import ADVISER
from triomino.cli.options import (
    AsJson,
    RecordNumber,
    RoundNumber,
    Seed,
    SnapshotFile,
    TurnNumber,
)
from triomino.dice import Rng
from triomino.errors import TriominoError
from triomino.kernel import search
from triomino.terminal.output import console, print_json
from triomino.terminal.snapshot import read_snapshot
from triomino.view import View

if TYPE_CHECKING:
    from triomino.analysis import Fact
    from triomino.kernel import Candidate
    from triomino.terminal.snapshot import Snapshot
    from triomino.view import View


def hint(
    file: SnapshotFile,
    *,
    record: RecordNumber = None,
    round_number: RoundNumber = None,
    turn: TurnNumber = None,
    ms: Annotated[float, typer.Option("--ms", min=1, help="How long to think.")] = 200,
    rollouts: Annotated[
        int | None, typer.Option("--rollouts", min=50, help="Think in rollouts instead of time.")
    ] = None,
    most: Annotated[int, typer.Option("--most", min=1, help="How many moves to show.")] = 5,
    seed: Seed = 1,
    as_json: AsJson = False,
) -> None:
    """Suggest the best move for the player to move, and say why.

    It knows what that seat may know, and no more: of a position, racks of others and the pool may
    be null. For example:

        triomino hint position.json --ms 1000

        triomino hint game.jsonl --round 2 --turn 14
    """
    view = _view(read_snapshot(file, record, round_number, turn))
    dice = Rng.named("hint", seed)
    effort = replace(ADVISER, rollouts=rollouts, milliseconds=ms)
    found = search(view, effort, dice)
    told = [(one, facts(view, one.move, dice)) for one in found[:most]]
    if (tie := equals(found)) is not None:
        told[0][1].append(tie)
    if as_json:
        for one, why in told:
            print_json(
                {
                    "move": str(one.move),
                    "win": round(one.win, 4),
                    "margin": round(one.margin, 2),
                    "error": round(one.error, 2),
                    "worlds": one.worlds,
                    "exact": one.exact,
                    "why": [str(fact) for fact in why],
                }
            )
    else:
        _print(told)


def _view(snapshot: Snapshot) -> View:
    """Return the view of the seat to move: with its history, if it comes from a game."""
    game, position = snapshot.game, snapshot.position
    if game is None:
        return View.at(position, position.turn)
    if game.over:
        raise TriominoError("the round is over there; choose an earlier --turn")
    return View.of(game, game.turn)


def _print(told: list[tuple[Candidate, list[Fact]]]) -> None:
    table = Table(box=box.SIMPLE, pad_edge=False)
    table.add_column("move")
    for head in ("wins", "margin", "±"):
        table.add_column(head, justify="right")
    table.add_column("why", overflow="fold")
    for one, why in told:
        table.add_row(
            str(one.move),
            f"{one.win:.0%}",
            f"{one.margin:+.1f}",
            "exact" if one.exact else f"{one.error:.1f}",
            "; ".join(map(str, why)),
        )
    console().print(table)
