"""What this program stands on: versions and the kernel."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec


def why_no_kernel() -> str | None:
    """The reason there is no native kernel, or ``None`` if there is one."""
    if find_spec("triomino.kernel") is None:
        return "this version comes without one; everything runs in Python"
    return None


def version_of(package: str) -> str | None:
    """The version of an installed package, or ``None``."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None
