"""Games between two players of the kernel, on the same deals with the seats exchanged.

Everything is played in the kernel, thousands of times as fast as games in Python. Players that
search know only what their seat may know, and conclude from what the others drew and placed what
:func:`triomino.kernel.search` does.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from triomino.kernel.loader import native, native_rules, refusals
from triomino.kernel.network import read_network
from triomino.kernel.rounds import POLICIES, Policy
from triomino.kernel.search import Effort, native_limit

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from triomino.kernel import _native
    from triomino.rules import Rules


@dataclass(frozen=True, slots=True)
class Contestant:
    """A player: a policy or, if *effort* is given, the network or a search with it."""

    policy: Policy = Policy.GREEDY
    effort: Effort | None = None
    searches: bool = True
    """Whether it searches; else the move is played that the network judges best."""
    weights: bytes | None = None
    """The network, if it is not the one that ships."""
    sees_all: bool = False
    """Whether a search knows every tile: no player, but a bound for what there is to play for."""
    sees_racks: bool = False
    """Whether a search knows what the others hold, but not what will be drawn: a closer bound."""

    def for_kernel(self, players: int) -> _native.PlayerSpec:
        """Return the player as the kernel takes it."""
        if self.effort is None:
            made: _native.PlayerSpec = native().policy_player(POLICIES.index(self.policy))
            return made
        weights = None if self.weights is None else read_network(self.weights)
        work = 0 if self.effort.rollouts else int(self.effort.milliseconds * 1e6)
        limit = native_limit(self.effort, players, nanoseconds=work, weights=weights)
        limit.sees_all, limit.sees_racks = self.sees_all, self.sees_racks
        thinker: _native.PlayerSpec = native().thinking_player(limit, self.searches)
        return thinker


@dataclass(frozen=True, slots=True, eq=False)
class Contest:
    """The results of games, one row each, and by game and player in the second group."""

    won: NDArray[np.float32]
    """The share of the win that the first player has."""
    margin: NDArray[np.float32]
    """Its score less the mean of the others'."""
    nanoseconds: NDArray[np.int64]
    """The processor time of all its moves."""
    moves: NDArray[np.int32]
    late: NDArray[np.int32]
    """Moves that took more than 1.5 times the time given."""


def contest(
    rules: Rules,
    players: int,
    contestants: tuple[Contestant, Contestant],
    *,
    seed: int,
    first: int = 0,
    count: int,
    threads: int = 1,
) -> Contest:
    """Play games *first* to ``first + count - 1``, matches if the rules have a target.

    Game number ``n`` is deal ``n // players`` with the first player at seat ``n % players`` and the
    second at all others.
    """
    rules.check_players(players)
    one, other = (each.for_kernel(players) for each in contestants)
    with refusals():
        made = native().contest(
            native_rules(rules), players, one, other, seed, first, count, threads
        )
    return Contest(**made)
