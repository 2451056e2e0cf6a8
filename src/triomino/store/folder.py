"""Where this program keeps its data on the user's machine."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def data_folder() -> Path:
    """Where data lies: ``TRIOMINO_DATA``, else where this system keeps such things.

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
