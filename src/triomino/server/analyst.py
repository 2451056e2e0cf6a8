"""``python -m triomino.server.analyst``: one match, looked at in a process of its own.

It reads a record from its standard input and writes lines to its standard output: first how many
turns there are, then how many are done, and at last what was found, or why nothing was.
"""

from __future__ import annotations

import os
import signal
import sys
from typing import TYPE_CHECKING, Final

import msgspec

from triomino.analysis import Mark, facts, review, views
from triomino.analysis.review import DEFAULT
from triomino.dice import Rng
from triomino.errors import TriominoError
from triomino.protocol.api import (
    AnalysedPlayer,
    AnalysedRound,
    Analysis,
    HintReason,
    MarkedMove,
)
from triomino.record import read_record

if TYPE_CHECKING:
    from collections.abc import Callable

    from triomino.analysis import Decision, Review
    from triomino.kernel import Effort
    from triomino.match import Match
    from triomino.rules import Seat

KIND: Final = 10
"""How far an analysis stands back behind everything else on the machine."""


def analyse(
    match: Match, effort: Effort = DEFAULT, progress: Callable[[], None] = lambda: None
) -> Analysis:
    """Look at a match; *progress* is called after every turn."""
    found = review(match, effort, progress=progress)
    return Analysis([_player(found, seat) for seat in range(len(match.players))], _rounds(found))


def _player(found: Review, seat: Seat) -> AnalysedPlayer:
    one = found.players()[seat]
    return AnalysedPlayer(
        seat=seat,
        decisions=one.decisions,
        luck=round(one.luck, 4),
        lost=round(one.lost * one.decisions, 4),
        lost_points=round(one.lost_points, 1),
        inaccuracies=one.marks[Mark.INACCURACY],
        mistakes=one.marks[Mark.MISTAKE],
        blunders=one.marks[Mark.BLUNDER],
    )


def _rounds(found: Review) -> list[AnalysedRound]:
    rounds = []
    for number, (game, curve) in enumerate(zip(found.match.rounds, found.chances, strict=True)):
        decisions = {one.turn: one for one in found.decisions if one.round == number}
        moves = []
        for turn, view in enumerate(views(game)):
            one = decisions.get(turn)
            if one is not None:
                dice = Rng.named("why", number, turn)
                why = facts(view, one.best.move, dice) if one.mark else []
                told = [
                    HintReason(fact.kind, fact.points, round(fact.chance, 2), fact.bonus)
                    for fact in why
                ]
                moves.append(_move(one, told))
        chances = [[round(part, 4) for part in now] for now in curve.after]
        rounds.append(AnalysedRound(chances, moves))
    return rounds


def _move(one: Decision, why: list[HintReason]) -> MarkedMove:
    return MarkedMove(
        turn=one.turn,
        seat=one.seat,
        win=round(one.played.win, 4),
        margin=round(one.played.margin, 1),
        best=str(one.best.move),
        best_win=round(one.best.win, 4),
        best_margin=round(one.best.margin, 1),
        lost=round(one.lost, 4),
        mark=None if one.mark is None else one.mark.value,
        why=why,
    )


def main() -> None:
    """Look at the match that comes in."""
    if sys.platform != "win32":
        os.nice(KIND)
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # a server that was killed wants no answer
    done = 0

    def count() -> None:
        nonlocal done
        done += 1
        print(done, flush=True)

    try:
        match = read_record(sys.stdin.buffer.read())
        print(sum(len(game.plies) for game in match.rounds), flush=True)
        found = analyse(match, progress=count)
    except (TriominoError, RecursionError) as error:
        print(msgspec.json.encode({"why": str(error)}).decode())
    else:
        print(msgspec.json.encode(found).decode())


if __name__ == "__main__":
    main()
