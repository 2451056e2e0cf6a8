"""The chance to win a round, move by move, as somebody sees it who sees all racks."""

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
"""For each moment: an error of 2.5 % at most."""


@dataclass(frozen=True, slots=True)
class Chances:
    """Of one round: the chance of each seat before the first turn and after every one."""

    after: tuple[tuple[float, ...], ...]
    drew: tuple[Seat | None, ...]
    """For each turn, who drew a tile in it."""

    def luck(self, seat: Seat) -> float:
        """What dealing and its own drawing changed for a seat; the rest is how all played."""
        start = self.after[0][seat] - 1 / len(self.after[0])
        drawn = (
            later[seat] - before[seat]
            for before, later, drew in zip(self.after, self.after[1:], self.drew, strict=False)
            if drew == seat
        )
        return start + sum(drawn)


def chances(game: Game, number: int = ROLLOUTS) -> Chances:
    """Replay a round, asking the kernel at every moment; the pool's order is known to nobody."""
    again = game.copy()
    again.undo(len(again.plies))
    found = [_now(again, number)]
    drew: list[Seat | None] = []
    for turn in game.plies:
        again.apply(turn)
        found.append(_now(again, number))
        drew.append(turn.seat if isinstance(turn.move, Draw) else None)
    return Chances(tuple(found), tuple(drew))


def _now(game: Game, number: int) -> tuple[float, ...]:
    if game.over:
        return tuple((seat in game.winners) / len(game.winners) for seat in range(game.players))
    played = rollouts(State.of(game), number, Policy.GREEDY, seed=1 + len(game.plies))
    if game.rules.wins_by_ending:
        won = played.winners[:, None] >> np.arange(game.players) & 1
    else:
        # The round alone counts, not what everybody had before.
        points = played.scores - np.array(game.start_totals)
        won = points == points.max(axis=1, keepdims=True)
    shares = won / won.sum(axis=1, keepdims=True)
    return tuple(float(share) for share in shares.mean(axis=0))
