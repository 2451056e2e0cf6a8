"""Thinking about a move: worlds a seat could be in, the same for every candidate, played out."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import sqrt
from time import perf_counter
from typing import TYPE_CHECKING, Final

from triomino.kernel.loader import native
from triomino.kernel.sampling import Sampler
from triomino.moves import Draw, Place
from triomino.rules import VoluntaryDraw

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triomino.dice import Dice
    from triomino.kernel import _native
    from triomino.kernel.sampling import Found
    from triomino.moves import Move
    from triomino.rules import Rules
    from triomino.view import View

_WHOLE: Final = 60
"""What the kernel counts for a round won alone, so that shares of up to six are whole numbers."""


@dataclass(frozen=True, slots=True)
class Effort:
    """How hard to think, and with which parts."""

    rollouts: int | None = None
    """Rounds played out; the same seed then gives the same answer."""
    milliseconds: float = 10.0
    """Where no number of rollouts is given."""
    may_draw: bool = True
    """Whether drawing although able to place is a candidate."""
    trust: int = 192
    """In so many of 256 worlds nobody else has drawn on purpose, being able to place."""
    win_weight: int = 100
    """The points that a round won is worth beside its margin."""
    endgame_nodes: int = 200_000
    """How far an ending between two with an empty pool is solved; 0 is not at all."""
    endgame_pool: int = 4
    """With so few tiles in the pool every world between two is solved, if soon; -1 is never."""
    candour: int = 200
    """How likely it is, of 256, that somebody forgoes one more point; 0 is not to think of it."""
    plies: int = 0
    """How many moves a candidate is looked at for; 0 is to the end of the round."""
    foresight: int = 2
    """After so many turns a round is judged by learned values, which hold among two or three by
    the classic rules with ``voluntary_draw = always`` and ``must_place_after_last_draw = false``.
    By other rules, and with 0, it is played to its end, or for so many :attr:`plies`."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """What was found of one legal move."""

    move: Move
    win: float
    """The chance to win the round; shared wins count in parts."""
    margin: float
    """The mean of the points scored less those of the others (of their mean)."""
    error: float
    """The standard error of the margin."""
    worlds: int
    """In how many worlds it was tried."""
    exact: bool
    """Whether it was solved, not sampled."""


def search(view: View, effort: Effort, dice: Dice, keep: Move | None = None) -> list[Candidate]:
    """The candidates of the seat to move, the best first.

    Of an opening tile only one way to turn it is a candidate. A move that was left out early was
    tried in fewer worlds than the best, but for the one to *keep*, which is there to the end.
    """
    began = perf_counter()
    moves = view.legal_moves()
    sampler = Sampler(view)
    belief = _belief(view, effort, sampler)
    kept = -1 if keep is None else moves.index(unturned(view, keep))
    half = None if effort.rollouts else began + effort.milliseconds / 2000
    worlds = sampler.deal(dice, half)
    limit = _limit(view, effort, dice, began, kept)
    found = sampler.search(limit, worlds, belief, effort.trust)
    return [_candidate(moves, row) for row in found]


def _belief(view: View, effort: Effort, sampler: Sampler) -> _native.Sampler | None:
    """The worlds in which nobody drew on purpose; ``None`` where that tells nothing."""
    if not effort.trust or view.rules.voluntary_draw is VoluntaryDraw.NEVER:
        return None
    if not any(isinstance(turn.move, Draw) and turn.seat != view.seat for turn in view.plies):
        return None
    return sampler.believe(_honest(view.rules))


@lru_cache(maxsize=256)
def _honest(rules: Rules) -> Rules:
    return rules.with_changes({"voluntary_draw": VoluntaryDraw.NEVER.value})


def unturned(view: View, move: Move) -> Move:
    """The candidate that stands for a move: of an opening tile, the first way to turn it."""
    if view.board.laid or not isinstance(move, Place):
        return move
    return next(
        other
        for other in view.legal_moves()
        if isinstance(other, Place) and other.tile == move.tile
    )


def _limit(view: View, effort: Effort, dice: Dice, began: float, keep: int) -> _native.SearchLimit:
    left = effort.milliseconds / 1000 - (perf_counter() - began)
    made: _native.SearchLimit = native().SearchLimit(
        rollouts=effort.rollouts or 0,
        nanoseconds=max(1, int(left * 1e9)),
        seed=dice.randrange(1 << 32),
        win_weight=effort.win_weight,
        endgame_nodes=effort.endgame_nodes,
        endgame_pool=effort.endgame_pool,
        keep=keep,
        places_only=not effort.may_draw,
        plies=effort.plies,
        foresight=effort.foresight,
        candour=effort.candour,
        start_totals=list(view.start.totals),
        clues=_clues(view) if effort.candour else [],
    )
    return made


def _clues(view: View) -> list[tuple[int, int, int]]:
    """Who placed a tile, how many lay then, and how often that seat has drawn since."""
    clues: list[tuple[int, int, int]] = []
    drawn, laid = [0] * view.players, len(view.board.places)
    for turn in reversed(view.plies):
        if isinstance(turn.move, Draw):
            drawn[turn.seat] += 1
        elif isinstance(turn.move, Place):
            laid -= 1
            if turn.seat != view.seat and laid:
                clues.append((turn.seat, laid, drawn[turn.seat]))
    return clues


def _candidate(moves: Sequence[Move], row: Found) -> Candidate:
    index, worlds, win, margin, squares, exact = row
    count = max(1, worlds)
    mean = margin / count
    spread = max(0.0, squares / count - mean * mean)
    error = 0.0 if exact else sqrt(spread / count)
    return Candidate(moves[index], win / _WHOLE / count, mean, error, worlds, exact)
