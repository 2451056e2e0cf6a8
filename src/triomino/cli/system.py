"""What this program stands on: versions, the kernel, the folder for its data."""

from __future__ import annotations

import os
import sys
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path


def data_folder() -> Path:
    """Where matches and settings lie: TRIOMINO_DATA, else where this system keeps such things.

    It need not exist yet.
    """
    if own := os.environ.get("TRIOMINO_DATA"):
        return Path(own)
    home = Path.home()
    if sys.platform == "win32":
        base = Path(os.environ.get("APPDATA") or home / "AppData" / "Roaming")
    elif sys.platform == "darwin":
        base = home / "Library" / "Application Support"
    else:
        base = Path(os.environ.get("XDG_DATA_HOME", ""))
        # The standard says that a relative path counts as none.
        base = base if base.is_absolute() else home / ".local" / "share"
    return base / "triomino"


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
