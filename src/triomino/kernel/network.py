"""The network that judges positions: the weights that ship with the package, and its judgement."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final

from triomino.kernel.loader import native, refusals

if TYPE_CHECKING:
    from triomino.kernel import _native
    from triomino.kernel.state import State
    from triomino.rules import Seat

WEIGHTS_FILE: Final = "network.bin"
MARGIN_UNIT: Final = 64
CERTAIN: Final = 1 << 16


@lru_cache(maxsize=1)
def network() -> _native.Network:
    """Return the network that ships with the package."""
    return read_network(files("triomino.kernel").joinpath(WEIGHTS_FILE).read_bytes())


def read_network(weights: bytes) -> _native.Network:
    """Return the network of a file of weights; raises :class:`KernelError` if it is none."""
    with refusals("network: "):
        made: _native.Network = native().Network.load(weights)
    return made


def judge(
    network: _native.Network, state: State, seat: Seat, *, pending: bool = False
) -> tuple[int, int]:
    """Return the margin to come in 1/64 of a point, and the chance to win the round of 65536.

    Both are those of *seat*, judged by what it may know. With *pending* the last tile drawn has
    not been looked at yet. The round must have begun with totals of 0.
    """
    with refusals():
        found: tuple[int, int] = native().judge(state.inner, network, [], seat, pending)
    return found
