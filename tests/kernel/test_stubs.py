"""The types of the native module are those that it has."""

from __future__ import annotations

from pathlib import Path

from nanobind.stubgen import StubGen  # type: ignore[import-untyped]

import triomino.kernel
from triomino.kernel import _native

STUBS = Path(triomino.kernel.__file__).with_name("_native.pyi")


def test_the_stubs_are_fresh() -> None:
    generator = StubGen(_native)
    generator.put(_native)
    assert STUBS.read_text("utf-8") == generator.get(), "write them anew: make generate"
