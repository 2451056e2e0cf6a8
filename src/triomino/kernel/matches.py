"""Matches between bots, move for move as :func:`triomino.bots.simulate_match` plays them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from triomino.kernel.loader import KernelError, native, native_rules, refusals
from triomino.kernel.rounds import POLICIES, Policy
from triomino.kernel.state import move_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from triomino.moves import Move
    from triomino.rules import Rules

NATIVE_BOTS: Final = frozenset({Policy.RANDOM.value, Policy.GREEDY.value})
"""The names of the bots that the kernel implements."""


@dataclass(frozen=True, slots=True, eq=False)
class Matches:
    """The results of matches, one row each."""

    scores: NDArray[np.int32]
    winners: NDArray[np.uint8]
    """By match, a bit mask of seats."""
    rounds_turns: NDArray[np.int32]
    """By match, the number of rounds, and of turns in all of them."""
    bridges: NDArray[np.int32]
    hexagons: NDArray[np.int32]


def matches(
    rules: Rules, bots: Sequence[str], seed: int, first: int, count: int, *, threads: int = 0
) -> Matches:
    """Play matches *first* to ``first + count - 1`` of a simulation; see :func:`match_moves`."""
    rules.check_players(len(bots))
    with refusals():
        return Matches(
            **native().matches(native_rules(rules), _bots(bots), str(seed), first, count, threads)
        )


def match_moves(rules: Rules, bots: Sequence[str], seed: int, number: int) -> list[list[Move]]:
    """Return the moves of match *number*, by round.

    They are those of ``triomino.bots.simulate_match(rules, bots, seed, number)``.
    """
    rules.check_players(len(bots))
    with refusals():
        rounds = native().match_moves(native_rules(rules), _bots(bots), str(seed), number)
    return [[move_of(move) for move in moves] for moves in rounds]


def _bots(names: Sequence[str]) -> list[int]:
    for name in names:
        if name not in NATIVE_BOTS:
            raise KernelError(f"the kernel does not play {name!r}")
    return [POLICIES.index(Policy(name)) for name in names]
