"""Loading the kernel: its stubs are fresh, and without a kernel the reason is given."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import triomino.kernel
from triomino import CLASSIC, Game
from triomino.kernel import KernelError, State, playouts, why_missing


def test_the_written_types_are_those_of_the_module(tmp_path: Path) -> None:
    """``make stubs`` writes them."""
    written = Path(triomino.kernel.__file__).with_name("_native.pyi")
    fresh = tmp_path / "_native.pyi"
    command = ["-m", "nanobind.stubgen", "-q", "-m", "triomino.kernel._native", "-o", str(fresh)]
    subprocess.run([sys.executable, *command], check=True)
    assert fresh.read_text("utf-8") == written.read_text("utf-8")


def test_without_a_kernel_everything_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("triomino.kernel.loader._why", "no C++ compiler was found")
    assert why_missing() == "no C++ compiler was found"
    with pytest.raises(KernelError, match="no C\\+\\+ compiler"):
        State.of(Game.deal(CLASSIC, seed=1))
    with pytest.raises(KernelError, match="no C\\+\\+ compiler"):
        playouts(CLASSIC)
