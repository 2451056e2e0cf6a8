"""Without a kernel everything that needs one says why."""

from __future__ import annotations

import pytest

from triomino import CLASSIC, Game
from triomino.kernel import KernelError, State, playouts, why_missing


def test_without_a_kernel_everything_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("triomino.kernel.loader._why", "no C++ compiler was found")
    assert why_missing() == "no C++ compiler was found"
    with pytest.raises(KernelError, match="no C\\+\\+ compiler"):
        State.of(Game.deal(CLASSIC, seed=1))
    with pytest.raises(KernelError, match="no C\\+\\+ compiler"):
        playouts(CLASSIC)
