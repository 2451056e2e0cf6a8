"""How much work the long tests do: a tenth in `make test`, everything in `make test-long`."""

import os
from collections.abc import Sequence
from typing import Final, TypeVar

import pytest

__all__ = ["WHOLE", "count", "long_only", "some"]

T = TypeVar("T")

WHOLE: Final = os.environ.get("TRIOMINO_LONG") == "1"

long_only: Final = pytest.mark.skipif(not WHOLE, reason="runs in make test-long")
"""Marks tests that repeat at length what shorter ones cover."""


def count(whole: int, *, least: int = 1) -> int:
    """Return `whole` when TRIOMINO_LONG is 1, otherwise a tenth of it, but at least `least`."""
    return whole if WHOLE else max(least, whole // 10)


def some(whole: Sequence[T], *short: T) -> Sequence[T]:
    """Return `whole` when TRIOMINO_LONG is 1, otherwise only `short`."""
    return whole if WHOLE else short
