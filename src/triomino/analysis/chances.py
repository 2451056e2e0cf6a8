"""Each seat's chance to win a round after every ply, for an observer who sees all racks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from triomino.kernel import Policy, State, rollouts
from triomino.moves import Draw

if TYPE_CHECKING:
    from triomino.game import Game
    from triomino.rules import Seat

ROLLOUTS = 400
"""For each position: a standard error of at most 2.5 %."""


@dataclass(frozen=True, slots=True)
class Chances:
    """Each seat's chance to win one round, before the first ply and after every one."""

    after: tuple[tuple[float, ...], ...]
    drew: tuple[Seat | None, ...]
    """For each ply, the seat that drew a tile, if any."""

    def luck(self, seat: Seat) -> float:
        """Return how much the deal and its own draws changed a seat's chance."""
        start = self.after[0][seat] - 1 / len(self.after[0])
        drawn = (
            later[seat] - before[seat]
            for before, later, drew in zip(self.after, self.after[1:], self.drew, strict=False)
            if drew == seat
        )
        return start + sum(drawn)


def chances(game: Game, number: int = ROLLOUTS) -> Chances:
    """Return the chances after every ply, from *number* rollouts with the pool reshuffled."""
    replayed = game.copy()
    replayed.undo(len(replayed.plies))
    found = [_current(replayed, number)]
    drew: list[Seat | None] = []
    for ply in game.plies:
        replayed.apply(ply)
        found.append(_current(replayed, number))
        drew.append(ply.seat if isinstance(ply.move, Draw) else None)
    return Chances(tuple(found), tuple(drew))


def _current(game: Game, number: int) -> tuple[float, ...]:
    if game.over:
        return tuple((seat in game.winners) / len(game.winners) for seat in range(game.players))
    played = rollouts(State.of(game), number, Policy.GREEDY, seed=1 + len(game.plies))
    if game.rules.wins_by_ending:
        won = played.winners[:, None] >> np.arange(game.players) & 1
    else:
        # Only the points of this round count, not the totals before it.
        points = played.scores - np.array(game.start_totals)
        won = points == points.max(axis=1, keepdims=True)
    shares = won / won.sum(axis=1, keepdims=True)
    return tuple(float(share) for share in shares.mean(axis=0))
