"""Versions of installed packages."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version


def version_of(package: str) -> str | None:
    """Return the version of an installed package, or ``None``."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None
