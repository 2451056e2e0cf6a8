"""How much work the long tests do: a tenth in `make test`, everything in `make test-long`."""

import os

__all__ = ["WHOLE", "count"]

WHOLE = os.environ.get("TRIOMINO_LONG") == "1"


def count(whole: int, *, least: int = 1) -> int:
    """Return `whole` when TRIOMINO_LONG is 1, otherwise a tenth of it, but at least `least`."""
    return whole if WHOLE else max(least, whole // 10)
