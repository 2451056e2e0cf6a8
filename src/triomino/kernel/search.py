"""Search for the best move: every candidate is tried in the same sampled worlds."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import sqrt
from time import thread_time
from typing import TYPE_CHECKING, Final

from triomino.kernel.loader import native
from triomino.kernel.network import MARGIN_UNIT, network
from triomino.kernel.sampling import Sampler
from triomino.kernel.state import move_kind
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

_WIN_UNIT: Final = 60 << 10
"""The kernel counts a win as this, so that it can be shared evenly among up to six winners."""


@dataclass(frozen=True, slots=True)
class Effort:
    """The budget and the settings of a search."""

    rollouts: int | None = None
    """The number of rollouts. With it, the same seed gives the same answer."""
    milliseconds: float = 10.0
    """The limit if ``rollouts`` is ``None``, in processor time; four times that by the clock."""
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
    judges: bool = False
    """Whether the network judges positions; without it rounds are played to their end, greedily."""
    horizon: int | None = None
    """The turns after the candidate's own before the network judges; ``None``: one more than there
    are players."""
    greedy_rivals: bool = True
    """Whether the other of two is expected to play for points, and not as the network would; more
    than one always are."""
    prior_worlds: int = 0
    """The worlds that the network's judgement of a move, without a look ahead, counts as."""
    plies: int = 0
    """The length of a rollout in plies after the candidate; 0 plays to the end of the round."""


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
    began = thread_time()
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
    left = effort.milliseconds / 1000 - (thread_time() - began)
    return native_limit(
        effort,
        view.players,
        nanoseconds=max(1, int(left * 1e9)),
        seed=dice.randrange(1 << 32),
        keep=keep,
        start_totals=list(view.start.totals),
        events=[(ply.seat, move_kind(ply.move)) for ply in view.plies],
    )


def native_limit(
    effort: Effort,
    players: int,
    *,
    nanoseconds: int,
    weights: _native.Network | None = None,
    seed: int = 0,
    keep: int = -1,
    start_totals: Sequence[int] = (),
    events: Sequence[tuple[int, int]] = (),
) -> _native.SearchLimit:
    """Return *effort* as the kernel takes it; *weights* replace the network that ships."""
    judge = (weights or network()) if effort.judges else None
    made: _native.SearchLimit = native().SearchLimit(
        rollouts=effort.rollouts or 0,
        nanoseconds=nanoseconds,
        seed=seed,
        win_weight=effort.win_weight,
        endgame_nodes=effort.endgame_nodes,
        endgame_pool=effort.endgame_pool,
        keep=keep,
        places_only=not effort.may_draw,
        plies=effort.plies,
        horizon=players + 1 if effort.horizon is None else effort.horizon,
        prior_worlds=effort.prior_worlds,
        network=judge,
        start_totals=list(start_totals),
        events=list(events),
    )
    made.greedy_rivals = effort.greedy_rivals
    return made


def _candidate(moves: Sequence[Move], row: Found) -> Candidate:
    index, worlds, win, margin, squares, exact = row
    count = max(1, worlds)
    mean = margin / MARGIN_UNIT / count
    spread = max(0.0, squares / MARGIN_UNIT**2 / count - mean * mean)
    error = 0.0 if exact else sqrt(spread / count)
    return Candidate(moves[index], win / _WIN_UNIT / count, mean, error, worlds, exact)
