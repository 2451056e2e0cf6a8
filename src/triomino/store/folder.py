"""The data folder on the user's machine, and writing files there."""

from __future__ import annotations

import os
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

from platformdirs import PlatformDirs


def data_folder() -> Path:
    """Return the data folder: ``TRIOMINO_DATA``, else where this system keeps such things.

    It need not exist yet.
    """
    if own := os.environ.get("TRIOMINO_DATA"):
        return Path(own)
    # Roaming, and without a folder for an author: where Windows users have their data already.
    folder = PlatformDirs("triomino", appauthor=False, roaming=True).user_data_path
    if sys.platform == "darwin" and not folder.exists():
        # On macOS XDG_DATA_HOME was ignored once; what lies there is still found.
        earlier = Path.home() / "Library" / "Application Support" / "triomino"
        return earlier if earlier.exists() else folder
    return folder


def write_atomically(path: Path, text: str) -> None:
    """Replace the content of *path* by *text*; a reader finds either the old or the new one."""
    path = path.resolve()  # replace what a link points at, not the link
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
