"""Many games stepped together, as numpy arrays."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from triomino.env.actions import ActionSpace
from triomino.errors import TriominoError
from triomino.game import Game
from triomino.kernel.loader import native, native_rules, refusals
from triomino.kernel.rounds import policy_index
from triomino.kernel.state import State
from triomino.tile import mask_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import ArrayLike, NDArray

    from triomino.kernel.rounds import Policy
    from triomino.moves import Move
    from triomino.rules import Rules
    from triomino.tile import Tile

PLANE_RADIUS: Final = 12
"""Planes show the cells and corners up to this far from the first tile."""
CELL_FIELDS: Final = ("x", "y", "down", "a", "b", "c", "bonus", "exists")
"""The columns of :attr:`Batch.cells`."""
EVENT_FIELDS: Final = ("seat", "kind", "tile", "x", "y", "down")
"""The columns of :attr:`Batch.history`."""

_TAKEN: Final = 254  # in board_cells
_WORD: Final = (1 << 64) - 1


class AutoReset(StrEnum):
    """What happens to a game that is over."""

    NEXT_STEP = "next_step"
    """The next step deals it anew and ignores its action."""
    SAME_STEP = "same_step"
    """It is dealt anew at once; ``done``, ``rewards``, ``winners`` and ``final_totals`` are those
    of the game that ended."""
    OFF = "off"
    """It stays over, and ignores its actions, until it is reset."""


class Batch:
    """Many games stepped together, without any Python code per game.

    The arrays have one row per game. They are allocated once, updated in place by every step and
    cannot be written to. Seats are turned to the seat to move in ``sizes`` and ``totals``: its own
    number comes first, then those of the next seats clockwise. All other seats are absolute.

    Actions are those of :class:`ActionSpace`. A game is a round or, with *match*, a whole match.
    Its deals depend on its seed alone. *tiles* restricts the deals to a part of the set.

    >>> from triomino.rules import CLASSIC
    >>> batch = Batch(CLASSIC, players=2, games=64, seed=1, mask=True)
    >>> for _ in range(100):
    ...     batch.step(batch.actions[:, 0])
    >>> batch.mask.sum(axis=1).tolist() == batch.action_count.tolist()
    True
    """

    def __init__(
        self,
        rules: Rules,
        players: int = 2,
        games: int = 1024,
        seed: int = 1,
        *,
        seeds: Sequence[int] | NDArray[np.uint64] | None = None,
        threads: int = 1,
        mask: bool = False,
        planes: bool = False,
        history: int = 0,
        everything: bool = False,
        match: bool = False,
        auto_reset: AutoReset | str = AutoReset.NEXT_STEP,
        tiles: Iterable[Tile] | None = None,
    ) -> None:
        """Deal *games* games. *seeds* are their own seeds, by default derived from *seed*.

        *mask*, *planes* and *everything* ask for the arrays of these names and of all hidden tiles;
        *history* for that many of the last moves. *threads* share each step; 0 means one per core.
        """
        rules.check_players(players)
        self.rules, self.players, self.space = rules, players, ActionSpace(rules)
        self._options: dict[str, Any] = {
            "threads": threads,
            "mask": mask,
            "planes": planes,
            "history": history,
            "everything": everything,
            "match": match,
            "auto_reset": AutoReset(auto_reset),
            "tiles": None if tiles is None else tuple(tiles),
        }
        if seeds is None:
            if games < 1:
                raise TriominoError(f"a batch has at least one game, not {games}")
            seeds = spread_seeds(seed, games)
        self._open(_seed_array(seeds))

    def _open(self, seeds: NDArray[np.uint64]) -> None:
        given = self._options
        bits = 0 if given["tiles"] is None else mask_of(given["tiles"])
        with refusals():
            self._inner = native().Batch(
                native_rules(self.rules),
                self.players,
                seeds,
                **given
                | {
                    "auto_reset": list(AutoReset).index(given["auto_reset"]),
                    "tiles": [bits & _WORD, bits >> 64],
                },
            )
        arrays = self._inner.arrays
        self.actions: NDArray[np.int16] = arrays["actions"]
        """The legal actions, ascending, in the first ``action_count`` columns; -1 in the others."""
        self.action_count: NDArray[np.int32] = arrays["action_count"]
        self.rack: NDArray[np.uint8] = arrays["rack"]
        """By tile of the set: whether the seat to move holds it."""
        self.laid: NDArray[np.uint8] = arrays["laid"]
        """By tile of the set: whether it lies on the board."""
        self.sizes: NDArray[np.int32] = arrays["sizes"]
        """The number of tiles on each rack, the seat to move first; last, in the pool."""
        self.totals: NDArray[np.int32] = arrays["totals"]
        """The points of each seat, the seat to move first."""
        self.rewards: NDArray[np.int32] = arrays["rewards"]
        """By seat, the change of its total by the last step."""
        self.turn: NDArray[np.uint8] = arrays["turn"]
        """The seat to move; at the end of a round, the seat that moved last."""
        self.draws: NDArray[np.uint8] = arrays["draws"]
        """The tiles drawn in this turn."""
        self.starter: NDArray[np.uint8] = arrays["starter"]
        self.done: NDArray[np.uint8] = arrays["done"]
        """Whether the last step ended the game."""
        self.final_totals: NDArray[np.int32] = arrays["final_totals"]
        """By seat, the totals at the end of the last game."""
        self.winners: NDArray[np.uint8] = arrays["winners"]
        """The winners of the last game, as bits."""
        self.rounds: NDArray[np.int32] = arrays["rounds"]
        """The number of the current round in its game."""
        self.plies: NDArray[np.int32] = arrays["plies"]
        """The number of moves in the current round."""
        self.cells: NDArray[np.int8] = arrays["cells"]
        """By rank, the open cells: see ``CELL_FIELDS``. Coordinates count from the first tile,
        ``a``, ``b`` and ``c`` are the numbers at the corners plus one, or 0, and ``bonus`` is what
        a tile would make: 1 a bridge, 2 to 4 one to three hexagons."""
        self.cell_count: NDArray[np.int32] = arrays["cell_count"]
        self.clipped: NDArray[np.int32] = arrays["clipped"]
        """How many corners and cells of tiles on the board the planes do not show."""
        self.board_vertices: NDArray[np.uint8] = arrays["board_vertices"]
        self.board_cells: NDArray[np.uint8] = arrays["board_cells"]
        self._optional = {name: arrays.get(name) for name in _OPTIONAL}

    def __len__(self) -> int:
        return len(self.turn)

    # --- Arrays on request -----------------------------------------------------------------------

    @property
    def mask(self) -> NDArray[np.uint8]:
        """By action, whether it is legal."""
        return self._asked("mask")

    @property
    def planes(self) -> NDArray[np.uint8]:
        """The board as 25 x 25 x 8 planes: row and column from -12 to 12 around the first tile.

        Planes 0 to 5 show the corners with that number, 6 and 7 the cells, pointing up and down,
        that hold a tile. What lies further out is clipped, and counted in :attr:`clipped`.
        """
        return self._asked("planes")

    @property
    def history(self) -> NDArray[np.int8]:
        """The last moves of the round as everybody saw them: see ``EVENT_FIELDS``.

        Move number n is in row ``n % history``; rows without a move are -1. Kinds are 0 for a
        placement and 1 to 4 for draw, keep, end and pass. ``down`` of a first tile is its
        orientation.
        """
        found: NDArray[np.int8] = self._asked("history")
        return found

    @property
    def racks(self) -> NDArray[np.uint8]:
        """By seat and tile, every rack; for critics and tests, with *everything*."""
        return self._asked("racks")

    @property
    def pool(self) -> NDArray[np.uint8]:
        """The tiles of the pool in the order they will be drawn, then 255; with *everything*."""
        return self._asked("pool")

    def _asked(self, name: str) -> NDArray[Any]:
        found: NDArray[Any] | None = self._optional[name]
        if found is None:
            raise TriominoError(f"ask for it when the batch is made: {_OPTIONAL[name]}")
        return found

    @property
    def numbers(self) -> NDArray[np.uint8]:
        """By vertex, the number on it plus one, or 0.

        Vertices are in rows of 32 (45 in sets with mirror images), the first tile lies at vertex
        0, and indices wrap around.
        """
        return self.board_vertices & np.uint8(7)

    @property
    def occupied(self) -> NDArray[np.bool_]:
        """By cell, whether a tile lies there; a cell is twice its vertex, plus one if it is down.

        An empty cell may have a number at each of its corners.
        """
        taken: NDArray[np.bool_] = self.board_cells == _TAKEN
        return taken

    @property
    def dealt(self) -> int:
        """The number of rounds dealt so far."""
        return int(self._inner.dealt)

    @property
    def hidden_bytes(self) -> int:
        """The memory of a game beside its arrays."""
        return int(self._inner.hidden_bytes)

    # --- Playing ---------------------------------------------------------------------------------

    def step(self, actions: ArrayLike) -> None:
        """Play one action in every game; plays nothing if any of them is illegal.

        The action -1 leaves a game that is not over as it is, its rewards included.
        """
        with refusals():
            self._inner.step(_action_array(actions))

    def choose(self, policy: Policy | str, seed: int) -> NDArray[np.int32]:
        """Return the action that a policy of the kernel chooses in each game; -1 where it is over.

        Choices depend on *seed* and the game's index: give a new seed for every step.
        """
        with refusals():
            chosen: NDArray[np.int32] = self._inner.choose(policy_index(policy), seed & _WORD)
        return chosen

    def reset(self, games: Sequence[int] | None = None, seeds: Sequence[int] | None = None) -> None:
        """Deal some games anew, by default all: each by its next deal, or the first of a seed."""
        which = np.arange(len(self)) if games is None else np.asarray(games, np.int64)
        with refusals():
            self._inner.reset(
                np.ascontiguousarray(which, np.int64), None if seeds is None else _seed_array(seeds)
            )

    # --- Exchange --------------------------------------------------------------------------------

    def state(self, game: int) -> State:
        """Return a copy of a game's position, all hidden tiles included."""
        with refusals():
            return State(self.rules, self._inner.state(game))

    def game(self, game: int) -> Game:
        """Return a game that continues from a position that is not over."""
        return self.state(game).game()

    def load(
        self, game: int, position: State | Game, start_totals: Sequence[int] | None = None
    ) -> None:
        """Continue a game from any position of the same rules and number of players.

        *start_totals* are the totals when its round began: those of the :class:`Game`, else 0.
        """
        if isinstance(position, Game):
            start_totals = position.start_totals if start_totals is None else start_totals
            position = State.of(position)
        if position.rules != self.rules:
            raise TriominoError("the position is of other rules than the batch")
        begun = [0] * self.players if start_totals is None else list(start_totals)
        with refusals():
            self._inner.load(game, position.inner, begun)

    def move(self, game: int, action: int) -> Move:
        """Return the move that an action is in a game."""
        return self.space.decode(self.state(game).position.as_board(), action)

    def action(self, game: int, move: Move) -> int:
        """Return the action that a move is in a game."""
        return self.space.encode(self.state(game).position.as_board(), move)

    # --- Copies ----------------------------------------------------------------------------------

    def __getstate__(self) -> dict[str, Any]:
        return {
            "rules": self.rules,
            "players": self.players,
            "games": len(self),
            "options": self._options,
            "raw": self._inner.raw(),
            "dealt": self.dealt,
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.rules, self.players = state["rules"], state["players"]
        self.space, self._options = ActionSpace(self.rules), state["options"]
        self._open(np.zeros(state["games"], np.uint64))
        with refusals():
            self._inner.restore(state["raw"], state["dealt"])

    def copy(self) -> Batch:
        """Return an independent copy, with arrays of its own."""
        other = Batch.__new__(Batch)
        other.__setstate__(self.__getstate__())
        return other

    def __copy__(self) -> Batch:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, object]) -> Batch:
        return self.copy()


_OPTIONAL: Final = {
    "mask": "mask=True",
    "planes": "planes=True",
    "history": "history=64",
    "racks": "everything=True",
    "pool": "everything=True",
}
"""The arrays that are made on request, and how to ask for them."""


def spread_seeds(seed: int, count: int) -> NDArray[np.uint64]:
    """Return *count* seeds derived from one, different for different seeds."""
    with np.errstate(over="ignore"):
        step = np.uint64(0x9E3779B97F4A7C15)
        mixed = _mix(np.array([seed & _WORD], np.uint64) + step)
        return _mix(mixed + np.arange(1, count + 1, dtype=np.uint64) * step)


def _mix(z: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return the outputs of SplitMix64 in these states."""
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def _seed_array(seeds: Sequence[int] | NDArray[np.uint64]) -> NDArray[np.uint64]:
    if isinstance(seeds, np.ndarray) and seeds.dtype == np.uint64:
        return np.ascontiguousarray(seeds)
    return np.array([int(seed) & _WORD for seed in seeds], np.uint64)


def _action_array(actions: ArrayLike) -> NDArray[np.int32]:
    given = np.asarray(actions)
    if given.dtype == np.int32:
        return np.ascontiguousarray(given)
    if given.dtype.kind not in "iu":
        raise TriominoError(f"actions are whole numbers, not {given.dtype}")
    if given.dtype.itemsize > 2:
        given = np.clip(given, -2, 1 << 30)
    return np.ascontiguousarray(given, np.int32)
