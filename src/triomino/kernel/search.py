"""Search for the best move: every candidate is tried in the same sampled worlds."""

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
"""The kernel counts a win as 60, so that it can be shared evenly among up to six winners."""


@dataclass(frozen=True, slots=True)
class Effort:
    """The budget and the settings of a search."""

    rollouts: int | None = None
    """The number of rollouts. With it, the same seed gives the same answer."""
    milliseconds: float = 10.0
    """The time limit if ``rollouts`` is ``None``."""
    may_draw: bool = True
    """Whether drawing is a candidate while a tile can be placed."""
    forced_draw_prior: int = 192
    """The prior, of 256, that no other player drew while able to place; 0 disables it."""
    win_weight: int = 100
    """The points that winning the round is worth, on top of its margin."""
    endgame_nodes: int = 200_000
    """The node limit for solving a two-player ending with an empty pool; 0 disables it."""
    endgame_pool: int = 4
    """With at most so many tiles in the pool, two-player worlds are solved; -1 disables it."""
    greed_prior: int = 200
    """The prior, of 256, that a player forgoes one more point; 0 infers nothing from placements."""
    plies: int = 0
    """The length of a rollout in plies after the candidate; 0 plays to the end of the round."""
    horizon: int = 2
    """Turns after which learned values replace playing on; 0 disables it.

    The values apply to two or three players and the classic rules with ``voluntary_draw = always``
    and ``must_place_after_last_draw = false``. With other rules this setting has no effect."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """The estimate for one legal move."""

    move: Move
    win: float
    """The chance to win the round; a shared win counts as a fraction."""
    margin: float
    """The expected points in this round, less the mean of the other players'."""
    error: float
    """The standard error of the margin."""
    worlds: int
    """The number of worlds in which the move was tried."""
    exact: bool
    """Whether the move was solved exactly rather than sampled."""


def search(
    view: View,
    effort: Effort,
    dice: Dice,
    keep: Move | None = None,
    only: Sequence[Move] = (),
) -> list[Candidate]:
    """Return the candidates of the seat to move, best first; with *only*, just these.

    An opening tile is a candidate in one rotation only: see :func:`canonical_opening`. A move that
    was eliminated early was tried in fewer worlds than the best; *keep* is never eliminated.
    """
    began = perf_counter()
    moves = view.legal_moves()
    sampler = Sampler(view)
    belief = _belief(view, effort, sampler)
    kept = -1 if keep is None else moves.index(canonical_opening(view, keep))
    halfway = None if effort.rollouts else began + effort.milliseconds / 2000
    worlds = sampler.deal(dice, halfway)
    limit = _limit(view, effort, dice, began, kept)
    limit.only = [moves.index(canonical_opening(view, move)) for move in only]
    found = sampler.search(limit, worlds, belief, effort.forced_draw_prior)
    return [_candidate(moves, row) for row in found]


def _belief(view: View, effort: Effort, sampler: Sampler) -> _native.Sampler | None:
    """Return the worlds in which every draw was forced, or ``None`` if that changes nothing."""
    if not effort.forced_draw_prior or view.rules.voluntary_draw is VoluntaryDraw.NEVER:
        return None
    if not any(isinstance(turn.move, Draw) and turn.seat != view.seat for turn in view.plies):
        return None
    return sampler.under(_forced_draws(view.rules))


@lru_cache(maxsize=256)
def _forced_draws(rules: Rules) -> Rules:
    """Return *rules* under which nobody may draw while able to place."""
    return rules.with_changes({"voluntary_draw": VoluntaryDraw.NEVER.value})


def canonical_opening(view: View, move: Move) -> Move:
    """Return the candidate equivalent to *move*: an opening tile in its first legal rotation."""
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
        horizon=effort.horizon,
        greed_prior=effort.greed_prior,
        start_totals=list(view.start.totals),
        clues=_clues(view) if effort.greed_prior else [],
    )
    return made


def _clues(view: View) -> list[tuple[int, int, int]]:
    """Return for each placement of another seat: the seat, tiles laid before, draws since."""
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
