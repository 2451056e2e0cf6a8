"""Play many rounds at once; the results are arrays."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import TYPE_CHECKING, Final

from triomino.errors import nearest
from triomino.kernel.loader import KernelError, native, native_rules, refusals

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from triomino.kernel.state import State
    from triomino.rules import Rules


class Policy(StrEnum):
    """How a playout chooses its moves."""

    RANDOM = "random"
    """Every legal move with equal probability."""
    GREEDY = "greedy"
    """The most points now, as :class:`triomino.bots.GreedyBot` finds them."""
    PLACE = "place"
    """Every placement with equal probability; other moves only if there is none."""
    HOARDER = "hoarder"
    """Draws whenever that may pay, then the most points."""
    BLOCKER = "blocker"
    """Points, less what the unseen tiles could answer."""


POLICIES: Final = list(Policy)


class Ending(IntEnum):
    """How a round ended."""

    OUT = 1
    BLOCKED = 2


@dataclass(frozen=True, slots=True, eq=False)
class Rounds:
    """The results of rounds, one row each."""

    scores: NDArray[np.int32]
    """By round and seat."""
    turns: NDArray[np.int32]
    """By round; a turn is everything between two changes of seat."""
    bridges: NDArray[np.uint8]
    """By round and seat."""
    hexagons: NDArray[np.uint8]
    """By round and seat: placements that closed one or more hexagons."""
    reasons: NDArray[np.uint8]
    """By round, an :class:`Ending`."""
    starters: NDArray[np.uint8]
    """By round, the seat that opened."""
    winners: NDArray[np.uint8]
    """By round, a bit mask of the seats that won it."""

    def __len__(self) -> int:
        return len(self.turns)


def playouts(  # noqa: PLR0917 - rules, players and number are what every caller gives
    rules: Rules,
    players: int = 2,
    n: int = 1000,
    policy: Policy | str = Policy.RANDOM,
    seed: int = 1,
    threads: int = 0,
    *,
    first: int = 0,
    portable: bool = False,
) -> Rounds:
    """Play rounds *first* to ``first + n - 1`` of a seed, each from a new deal.

    A round depends only on the seed and its number, on every machine and with any number of
    *threads* (0: one per core). The GIL is released meanwhile.

    >>> from triomino.rules import CLASSIC
    >>> playouts(CLASSIC, players=3, n=10).scores.shape
    (10, 3)
    """
    rules.check_players(players)
    packed = native_rules(rules)
    with refusals():
        return Rounds(
            **native().playouts(
                packed, players, n, policy_index(policy), seed % (1 << 64), first, threads, portable
            )
        )


def rollouts(
    state: State,
    n: int = 1000,
    policy: Policy | str = Policy.PLACE,
    seed: int = 1,
    threads: int = 1,
    *,
    first: int = 0,
) -> Rounds:
    """Play rounds on from a state, its pool reshuffled for each.

    The scores are final totals, including those in *state*.
    """
    with refusals():
        return Rounds(
            **native().rollouts(
                state.inner, n, policy_index(policy), seed % (1 << 64), first, threads
            )
        )


def policy_index(policy: Policy | str) -> int:
    """Return the number of a policy in the native module."""
    if policy not in POLICIES:
        raise KernelError(f"unknown policy {policy!r}; {nearest(policy, POLICIES)}")
    return POLICIES.index(Policy(policy))
