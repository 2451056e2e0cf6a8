"""
The native kernel in plain values; triomino.kernel wraps it in games and views.
"""

from collections.abc import Sequence
from typing import Annotated, Any

import numpy
from numpy.typing import NDArray


class Rules:
    """Rules as the kernel reads them."""

def make_rules(fields: dict[str, int]) -> Rules:
    """Return rules from their fields, each a whole number."""

def rule_fields() -> list[str]:
    """
    Return the names of the fields, in the order in which call() takes their numbers.
    """

def call(what: int, numbers: Sequence[int]) -> list[int]:
    """Carry out a call of native/calls.hpp."""

def engine_name(portable: bool = False) -> str:
    """Return the name of the instruction set in use."""

class Ledger:
    """The score sheet of a match: see triomino.ledger."""

    @staticmethod
    def open(rules: Rules, players: int, totals: Sequence[int] = [], latched: bool = False) -> Ledger: ...

    def after(self, scores: Sequence[tuple[int, int]]) -> Ledger:
        """Return the ledger after one more entry of seats and points."""

    def close(self, reason: int, seats: Sequence[int]) -> Ledger:
        """Return the ledger with the round ended: reason 1 out, 2 blocked."""

    def next_round(self) -> Ledger: ...

    def started_by(self, starter: int) -> Ledger: ...

    @property
    def totals(self) -> list[int]: ...

    @property
    def points(self) -> list[int]: ...

    @property
    def round(self) -> int: ...

    @property
    def entries(self) -> int: ...

    @property
    def starter(self) -> int | None: ...

    @property
    def latched_at(self) -> int | None: ...

    @property
    def end_winners(self) -> list[int] | None: ...

    @property
    def is_last_round(self) -> bool: ...

    @property
    def is_over(self) -> bool: ...

    @property
    def leaders(self) -> list[int]: ...

    @property
    def winners(self) -> list[int]: ...

    @property
    def next_starter(self) -> int | None: ...

class State:
    """A position within a round."""

    @staticmethod
    def load(rules: Rules, board: Sequence[tuple[int, int, int, int, int, int, int]], racks: Sequence[Sequence[int]], pool: Sequence[int], drawn: Sequence[int], totals: Sequence[int], turn: int, starter: int, idle: int, latched: bool, ending: int, end_seats: int, portable: bool = False) -> State: ...

    def dump(self) -> dict[str, Any]:
        """Return the position as plain data."""

    def copy(self) -> State:
        """Return an independent copy."""

    def raw(self) -> bytes:
        """Return the memory of the state, for this build of the kernel."""

    @staticmethod
    def from_raw(rules: Rules, raw: bytes) -> State: ...

    def actions(self) -> list[int]:
        """Return the legal actions: see native/batch.hpp."""

    def play(self, action: int) -> None:
        """Play a legal action."""

    @property
    def players(self) -> int: ...

    @property
    def turn(self) -> int: ...

    @property
    def totals(self) -> list[int]:
        """By seat, six of them."""

    def put_next(self, tile: int) -> None:
        """Make a tile of the pool the next one drawn."""

    def legal(self) -> list[tuple[int, int, int, int, int, int, int]]:
        """Return every legal move."""

    def apply(self, move: tuple[int, int, int, int, int, int, int]) -> int:
        """Play a legal move and return the bonus it made."""

    def points(self, move: tuple[int, int, int, int, int, int, int]) -> int:
        """Return the points of a legal move on its own."""

    def solve(self, nodes: int, win_weight: int) -> tuple[int, int, int] | None:
        """
        Return margin, win and nodes of best play by both, or None if the nodes did not suffice.
        """

    def perft(self, depth: int) -> int:
        """Return the number of move sequences of this length."""

def playouts(rules: Rules, players: int, count: int, policy: int, seed: int, first: int, threads: int, portable: bool = False) -> dict[str, Any]: ...

def rollouts(state: State, count: int, policy: int, seed: int, first: int, threads: int) -> dict[str, Any]: ...

def matches(rules: Rules, bots: Sequence[int], seed: str, first: int, count: int, threads: int) -> dict[str, Any]: ...

def match_moves(rules: Rules, bots: Sequence[int], seed: str, number: int) -> list[list[tuple[int, int, int, int, int, int, int]]]: ...

class Network:
    """The weights of the network that judges positions."""

    @staticmethod
    def load(weights: bytes) -> Network: ...

def judge(state: State, network: Network, start_totals: Sequence[int], seat: int, pending: bool) -> tuple[int, int]:
    """
    Return the margin to come, in 1/64 of a point, and the chance to win, of 65536.
    """

class PlayerSpec:
    """A player of contests."""

def policy_player(policy: int) -> PlayerSpec: ...

def thinking_player(limit: SearchLimit, searches: bool) -> PlayerSpec: ...

def contest(rules: Rules, players: int, one: PlayerSpec, other: PlayerSpec, seed: int, first: int, count: int, threads: int) -> dict[str, Any]:
    """
    Return the results of games on the same deals with the seats exchanged.
    """

def training_samples(rules: Rules, players: int, network: Network | None, opponent: PlayerSpec | None, win_weight: int, mistakes: int, draws: int, lambda_: int, count: int, seed: int, first: int, threads: int) -> dict[str, Any]:
    """Return training samples from self-played rounds."""

class SearchLimit:
    """The budget and settings of a search."""

    def __init__(self, *, rollouts: int, nanoseconds: int, seed: int, win_weight: int, endgame_nodes: int, endgame_pool: int, keep: int, places_only: bool, plies: int, horizon: int, prior_worlds: int, network: Network | None, start_totals: Sequence[int], events: Sequence[tuple[int, int]]) -> None: ...

    @property
    def only(self) -> list[int]:
        """Indices of the legal moves to compare; all if it is empty."""

    @only.setter
    def only(self, arg: Sequence[int], /) -> None: ...

    @property
    def greedy_rivals(self) -> bool: ...

    @greedy_rivals.setter
    def greedy_rivals(self, arg: bool, /) -> None: ...

    @property
    def sees_all(self) -> bool: ...

    @sees_all.setter
    def sees_all(self, arg: bool, /) -> None: ...

    @property
    def sees_racks(self) -> bool: ...

    @sees_racks.setter
    def sees_racks(self, arg: bool, /) -> None: ...

def search_worlds(worlds: Sequence[State], limit: SearchLimit) -> list[tuple[int, int, int, int, int, bool]]:
    """Return the candidates of a position, best first."""

class Sampler:
    """Samples the deals that a view allows."""

    def __init__(self, state: State, pool_size: int, unseen: Sequence[int], groups: Sequence[tuple[int, Sequence[int]]], ways: Sequence[Sequence[tuple[int, Sequence[int], Sequence[int]]]]) -> None: ...

    def sample(self, count: int, dice: int) -> tuple[list[State], int]: ...

    def infer(self, count: int, dice: int, events: Sequence[tuple[int, int]]) -> tuple[list[State], int]: ...

    def search(self, limit: SearchLimit, belief: Sampler | None, forced_draw_prior: int) -> list[tuple[int, int, int, int, int, bool]]: ...

class Batch:
    """Many games stepped together."""

    def __init__(self, rules: Rules, players: int, seeds: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], *, threads: int, mask: bool, planes: bool, history: int, everything: bool, match: bool, auto_reset: int, tiles: Sequence[int]) -> None: ...

    def step(self, actions: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def choose(self, policy: int, seed: int) -> object: ...

    def reset(self, games: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], seeds: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None) -> None: ...

    def state(self, game: int) -> State: ...

    def load(self, game: int, state: State, start_totals: Sequence[int]) -> None: ...

    def raw(self) -> bytes: ...

    def restore(self, raw: bytes, dealt: int) -> None: ...

    @property
    def arrays(self) -> dict[str, Any]: ...

    @property
    def hidden_bytes(self) -> int:
        """Bytes of a game beside its arrays."""

    @property
    def dealt(self) -> int: ...
