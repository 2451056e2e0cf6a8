"""Vectorised games for reinforcement learning."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triomino.kernel.loader import native, native_rules, refusals

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from triomino.rules import Rules


class Batch:
    """Many games stepped together, without any Python code per game.

    The arrays have one row per game; they are allocated once and updated in place by every step. An
    *action* is a number that means the same throughout a game. The first ``action_count`` entries
    of a row of ``actions`` are legal, in the order of :meth:`Game.legal_moves`; the rest are -1.

    >>> from triomino.rules import CLASSIC
    >>> batch = Batch(CLASSIC, players=2, games=64, seed=1)
    >>> for _ in range(100):
    ...     batch.step(batch.actions[:, 0].copy())
    >>> batch.mask.sum(axis=1).tolist() == batch.action_count.tolist()
    True
    """

    def __init__(
        self, rules: Rules, players: int = 2, games: int = 1024, seed: int = 1, threads: int = 1
    ) -> None:
        rules.check_players(players)
        with refusals():
            self._inner = native().Batch(
                native_rules(rules), players, games, seed % (1 << 64), threads
            )
        arrays = self._inner.arrays
        self.players = players
        self.actions: NDArray[np.int32] = arrays["actions"]
        """A placement is ``tile << 16 | turn << 14 | cell``: the tile's index in the set, the
        rotation of a first tile, and the cell as twice its vertex plus one if it points down. The
        other moves are ``1 << 24 | kind``: 1 draw, 2 keep, 3 end, 4 pass."""
        self.action_count: NDArray[np.int32] = arrays["action_count"]
        self.numbers: NDArray[np.uint8] = arrays["numbers"]
        """By vertex, the number on it plus one, or 0. Vertices are in rows of 32 (45 in sets with
        mirror images), the first tile lies at vertex 0, and indices wrap around."""
        self.rack: NDArray[np.uint8] = arrays["rack"]
        """By tile of the set: whether the seat to move holds it."""
        self.sizes: NDArray[np.int32] = arrays["sizes"]
        """By seat, the number of tiles on its rack; last, in the pool."""
        self.totals: NDArray[np.int32] = arrays["totals"]
        self.rewards: NDArray[np.int32] = arrays["rewards"]
        """By seat, the change of its total by the last step."""
        self.turn: NDArray[np.uint8] = arrays["turn"]
        self.done: NDArray[np.uint8] = arrays["done"]
        """Whether a game is over. The next step deals it anew and ignores its action."""

    @property
    def mask(self) -> NDArray[np.bool_]:
        """Which entries of :attr:`actions` are legal."""
        legal: NDArray[np.bool_] = self.actions >= 0
        return legal

    @property
    def dealt(self) -> int:
        """The number of games dealt so far."""
        return int(self._inner.dealt)

    def step(self, actions: NDArray[np.int32]) -> None:
        """Play one action in every game; plays nothing if any of them is illegal."""
        with refusals("a batch takes an array of int32: "):
            self._inner.step(actions)
