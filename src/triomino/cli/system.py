"""What this program stands on: versions and the kernel."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

from triomino.kernel import why_missing


def why_no_kernel() -> str | None:
    """The reason there is no native kernel, or ``None`` if there is one."""
    return why_missing()


def version_of(package: str) -> str | None:
    """The version of an installed package, or ``None``."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None
