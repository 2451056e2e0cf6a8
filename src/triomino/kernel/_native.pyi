"""The kernel in plain values; triomino.kernel speaks of games and views."""

from collections.abc import Sequence
from typing import Annotated, Any

import numpy
from numpy.typing import NDArray


class Rules:
    """The numbers of a set of rules."""

def make_rules(fields: dict[str, int]) -> Rules:
    """Rules from their fields, each a whole number."""

def engine_name(portable: bool = False) -> str:
    """The instruction set in use."""

class Ledger:
    """The score sheet of a match, as triomino.ledger has it."""

    @staticmethod
    def open(rules: Rules, players: int, totals: Sequence[int] = [], latched: bool = False) -> Ledger: ...

    def after(self, scores: Sequence[tuple[int, int]]) -> Ledger:
        """With one more entry of seats and points."""

    def close(self, reason: int, seats: Sequence[int]) -> Ledger:
        """With the round at its end: 1 out, 2 blocked."""

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
    """One moment of a round."""

    @staticmethod
    def load(rules: Rules, board: Sequence[tuple[int, int, int, int, int, int, int]], racks: Sequence[Sequence[int]], pool: Sequence[int], drawn: Sequence[int], totals: Sequence[int], turn: int, starter: int, idle: int, latched: bool, ending: int, end_seats: int, portable: bool = False) -> State: ...

    def dump(self) -> dict[str, Any]:
        """All of it as plain data."""

    def copy(self) -> State:
        """A state that goes on by itself."""

    def legal(self) -> list[tuple[int, int, int, int, int, int, int]]:
        """Every legal move."""

    def apply(self, move: tuple[int, int, int, int, int, int, int]) -> int:
        """Play a legal move; says which bonus it made."""

    def points(self, move: tuple[int, int, int, int, int, int, int]) -> int:
        """What a legal move brings by itself."""

    def perft(self, depth: int) -> int:
        """How many sequences of so many moves there are."""

def playouts(rules: Rules, players: int, count: int, policy: int, seed: int, first: int, threads: int, portable: bool = False) -> dict[str, Any]: ...

def rollouts(state: State, count: int, policy: int, seed: int, first: int, threads: int) -> dict[str, Any]: ...

def moments(rules: Rules, players: int, rollouts: int, count: int, seed: int, first: int, threads: int) -> dict[str, Any]:
    """Moments of self-played rounds, to learn from."""

def matches(rules: Rules, bots: Sequence[int], seed: str, first: int, count: int, threads: int) -> dict[str, Any]: ...

def match_moves(rules: Rules, bots: Sequence[int], seed: str, number: int) -> list[list[tuple[int, int, int, int, int, int, int]]]: ...

class SearchLimit:
    """How long a search may think, and what it aims at."""

    def __init__(self, *, rollouts: int, nanoseconds: int, seed: int, win_weight: int, endgame_nodes: int, endgame_pool: int, keep: int, places_only: bool, plies: int, foresight: int, candour: int, start_totals: Sequence[int], clues: Sequence[tuple[int, int, int]]) -> None: ...

def search_worlds(worlds: Sequence[State], limit: SearchLimit) -> list[tuple[int, int, int, int, int, bool]]:
    """The candidates of a moment, the best first."""

class Sampler:
    """The deals a view allows."""

    def __init__(self, state: State, pool_size: int, unseen: Sequence[int], groups: Sequence[tuple[int, Sequence[int]]], ways: Sequence[Sequence[tuple[int, Sequence[int], Sequence[int]]]]) -> None: ...

    def sample(self, count: int, dice: int) -> tuple[list[State], int]: ...

    def search(self, limit: SearchLimit, belief: Sampler | None, trust: int) -> list[tuple[int, int, int, int, int, bool]]: ...

class Batch:
    """Many games stepped together."""

    def __init__(self, rules: Rules, players: int, games: int, seed: int, threads: int) -> None: ...

    def step(self, actions: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    @property
    def arrays(self) -> dict[str, Any]: ...

    @property
    def dealt(self) -> int: ...
