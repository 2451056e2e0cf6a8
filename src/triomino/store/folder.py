"""Where this program keeps its data on the user's machine, and how files are written there."""

from __future__ import annotations

import os
import sys
import tempfile
from contextlib import suppress
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


def write_atomically(path: Path, text: str) -> None:
    """Put *text* in place of what *path* held; a reader finds the one or the other."""
    path = path.resolve()  # what a link points at, not the link
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".tmp", dir=path.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except BaseException:
        with suppress(OSError):
            Path(name).unlink()
        raise
