"""Each seat's chance to win a round after every ply, and how chance itself changed it.

The observer sees all racks, but not the order of the pool.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias

import numpy as np

from triomino.analysis.calibration import Calibration, calibration
from triomino.kernel import Policy, State, playouts, rollouts
from triomino.kernel.state import load
from triomino.moves import Draw
from triomino.rules import NextStarter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triomino.game import Game
    from triomino.rules import Rules, Seat
    from triomino.tile import Tile

ROLLOUTS: Final = 800
"""For each position: a standard error of at most 1.8 %."""
_DEALS: Final = 20_000
"""Rounds from which the worth of the start is known."""


Shares: TypeAlias = "np.ndarray[Any, np.dtype[np.float64]]"
"""The part of a round that each seat is expected to win, with sum 1."""


class Judge(Protocol):
    """A source of chances: rollouts now; a learned evaluation can take their place."""

    def __call__(self, state: State, start: Sequence[int], seed: int, effort: float) -> Shares:
        """Return the shares of a position.

        *start* are the totals before the round. *effort* is a part of the usual one.
        """
        ...


@dataclass(frozen=True, slots=True)
class Rollouts:
    """A judge that lets greedy players finish the round, with the pool reshuffled each time."""

    number: int = ROLLOUTS

    def __call__(self, state: State, start: Sequence[int], seed: int, effort: float = 1) -> Shares:
        """Return the shares of so many rounds."""
        played = rollouts(state, max(1, round(self.number * effort)), Policy.GREEDY, seed=seed)
        players = played.scores.shape[1]
        if state.rules.wins_by_ending:
            won = played.winners[:, None] >> np.arange(players) & 1
        else:
            # In a match only the points of this round count, not the totals before it.
            base = np.array(start) if state.rules.target else 0
            points = played.scores - base
            won = points == points.max(axis=1, keepdims=True)
        return np.asarray((won / won.sum(axis=1, keepdims=True)).mean(axis=0))


@dataclass(frozen=True, slots=True)
class Chances:
    """Each seat's chance to win one round."""

    before: tuple[float, ...]
    """Before the tiles were dealt."""
    after: tuple[tuple[float, ...], ...]
    """Before the first ply and after every one."""
    changes: tuple[tuple[float, ...] | None, ...]
    """For each ply, how the tile drawn changed the chances, compared with the other tiles that it
    might have been; ``None`` where none was drawn."""
    dealt: tuple[float, ...]
    """How the deal changed them."""

    def luck(self, seat: Seat) -> float:
        """Return how the deal and all draws, its own and the others', changed a seat's chance.

        Over the seats it sums to zero. On average over rounds it is zero for every seat, however
        well or badly anybody plays: each part is the difference to what was to be expected.
        """
        return self.dealt[seat] + sum(change[seat] for change in self.changes if change)

    def skill(self, seat: Seat) -> float:
        """Return how everybody's decisions changed a seat's chance: all that was not luck."""
        return self.after[-1][seat] - self.before[seat] - self.luck(seat)


@dataclass(frozen=True, slots=True)
class Judged:
    """What a judge says of one round, before calibration."""

    start: Shares
    """Before the deal."""
    shares: tuple[Shares, ...]
    """Before the first ply and after every one."""
    left: tuple[float, ...]
    """For each of these, the part of the round that was still to come."""
    drawn: tuple[Shares | None, ...]
    """For each ply that drew, before its tile was known."""
    over: bool
    """Whether the last shares are the result."""

    def chances(self, chart: Calibration, strengths: Sequence[float]) -> Chances:
        """Return the calibrated chances."""
        last = len(self.shares) - 1
        curve = [
            _floats(
                shares if self.over and number == last else chart.chances(shares, left, strengths)
            )
            for number, (shares, left) in enumerate(zip(self.shares, self.left, strict=True))
        ]
        # The slope is taken where the tile is not known yet: then the expected change is none.
        changes = [
            None if mean is None else _floats(chart.change(here, left, strengths, after - mean))
            for here, left, after, mean in zip(
                self.shares[:-1], self.left[:-1], self.shares[1:], self.drawn, strict=True
            )
        ]
        deal = self.shares[0] - self.start
        return Chances(
            before=_floats(chart.chances(self.start, self.left[0], strengths)),
            after=tuple(curve),
            changes=tuple(changes),
            dealt=_floats(chart.change(self.start, self.left[0], strengths, deal)),
        )


def chances(
    game: Game, judge: Judge | None = None, bots: Sequence[str | None] = (), seed: int = 1
) -> Chances:
    """Return the chances after every ply; *bots* names the bots by seat, as far as known."""
    chart = calibration(game.rules, game.players)
    strengths = chart.of(bots or [None] * game.players)
    return judge_round(game, judge or Rollouts(), seed).chances(chart, strengths)


def judge_round(game: Game, judge: Judge, seed: int = 1) -> Judged:
    """Judge every position of a round, and every draw before its tile was known."""
    replayed = game.copy()
    replayed.undo(len(replayed.plies))
    shares: list[Shares | None] = []
    left, drawn = [left_of(replayed)], []
    for number, ply in enumerate(game.plies):
        ask = _Asking(judge, game.start_totals, seed * 1_000_003 + number * 101)
        # If the only legal move is no draw, it leads to the next position without a choice.
        moves = replayed.legal_moves()
        forced = len(moves) == 1 and not isinstance(moves[0], Draw)
        shares.append(None if forced else ask(State.of(replayed)))
        drawn.append(ask.before_drawing(replayed) if isinstance(ply.move, Draw) else None)
        replayed.apply(ply)
        left.append(left_of(replayed))
    result = _result(replayed)
    last = _Asking(judge, game.start_totals, seed)(State.of(replayed)) if result is None else result
    known = _filled(shares, last)
    start = _start_shares(game) if game.is_dealt else known[0]
    return Judged(start, tuple(known), tuple(left), tuple(drawn), result is not None)


def left_of(game: Game) -> float:
    """Return the part of the round that is still to come: of its tiles, those not on the board."""
    held = len(game.pool) + sum(map(len, game.racks))
    return held / (held + len(game.board.places))


@dataclass(frozen=True, slots=True)
class _Asking:
    """A judge at one position."""

    judge: Judge
    start: Sequence[int]
    seed: int

    def __call__(self, state: State, tile: int = 0, effort: float = 1.0) -> Shares:
        return self.judge(state, self.start, self.seed + tile, effort)

    def before_drawing(self, game: Game) -> Shares:
        """Judge a draw before its tile is known: the mean over all tiles in the pool."""
        pool = list(game.pool)
        effort = max(0.02, 1.5 / len(pool))
        judged = [
            self(_after_drawing(game, tile), number, effort) for number, tile in enumerate(pool, 1)
        ]
        return np.asarray(np.mean(judged, axis=0))


def _floats(values: Shares) -> tuple[float, ...]:
    return tuple(float(value) for value in values)


def _after_drawing(game: Game, tile: Tile) -> State:
    """Return the position after the seat to move draws a certain tile of the pool."""
    state = load(
        game.rules,
        board=game.board.places,
        racks=game.racks,
        pool=[tile, *(other for other in game.pool if other != tile)],
        drawn=game.drawn,
        totals=game.totals,
        turn=game.turn,
        starter=game.starter,
        idle=game.idle_turns,
        latched=game.latched,
    )
    state.play(Draw())
    return state


def _result(game: Game) -> Shares | None:
    if not game.over or not game.winners:
        return None
    won = np.array([seat in game.winners for seat in range(game.players)], dtype=np.float64)
    return np.asarray(won / won.sum())


def _filled(shares: Sequence[Shares | None], last: Shares) -> list[Shares]:
    """Append *last* and fill in, from the end, what has the shares of the next position."""
    filled = [last]
    for each in reversed(shares):
        filled.append(filled[-1] if each is None else each)
    return filled[::-1]


def _start_shares(game: Game) -> Shares:
    """Return the shares before the deal. If it is settled who starts, that is no luck."""
    players, rules = game.players, game.rules
    if game.ledger.round == 1 or rules.next_starter is NextStarter.SET_UP:
        return np.full(players, 1 / players)
    by_start = np.array(_shares_from_start(rules, players))
    return np.roll(by_start, game.starter)


@lru_cache(maxsize=64)
def _shares_from_start(rules: Rules, players: int) -> tuple[float, ...]:
    """Return how often greedy players win, counted from the one who starts."""
    played = playouts(rules, players, _DEALS, Policy.GREEDY, seed=1)
    seats = (played.starters[:, None] + np.arange(players)) % players
    won = played.winners[:, None] >> seats & 1
    return tuple(float(part) for part in (won / won.sum(axis=1, keepdims=True)).mean(axis=0))
