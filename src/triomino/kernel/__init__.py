"""The native kernel: the same rules, some thousand times as fast.

Everything here raises :class:`KernelError` if there is no kernel, or if it cannot represent what it
is given; it never plays by different rules. :func:`why_missing` tells whether there is a kernel.
"""

from triomino.packages import require_packages

require_packages("triomino.kernel", "numpy")

from triomino.kernel.loader import (
    KernelError,
    instruction_set,
    kernel_in_use,
    native_rules,
    why_missing,
)
from triomino.kernel.matches import NATIVE_BOTS, Matches, match_moves, matches
from triomino.kernel.rounds import Ending, Policy, Rounds, playouts, rollouts
from triomino.kernel.sampling import Sampler, sample
from triomino.kernel.search import Candidate, Effort, canonical_opening, search
from triomino.kernel.state import Solution, State

__all__ = [
    "NATIVE_BOTS",
    "Candidate",
    "Effort",
    "Ending",
    "KernelError",
    "Matches",
    "Policy",
    "Rounds",
    "Sampler",
    "Solution",
    "State",
    "canonical_opening",
    "instruction_set",
    "kernel_in_use",
    "match_moves",
    "matches",
    "native_rules",
    "playouts",
    "rollouts",
    "sample",
    "search",
    "why_missing",
]
