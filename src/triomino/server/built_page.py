"""Where the built page is."""

from __future__ import annotations

from pathlib import Path

import triomino


def page_folder() -> Path | None:
    """The folder of the built page, of the checkout or the installed package; ``None`` if none."""
    # importlib.resources finds no single folder for an editable install with a page.
    package = Path(triomino.__file__).parent
    checkout = package.parents[1]
    # A checkout serves its own build, not a copy left by an install.
    home = checkout if (checkout / "pyproject.toml").exists() else package
    folder = home / "web" / "dist"
    return folder if (folder / "index.html").is_file() else None
