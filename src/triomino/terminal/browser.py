"""The web browser of whoever sits at this terminal."""

from __future__ import annotations

import os
import sys
import webbrowser


def has_browser() -> bool:
    """Return whether somebody sits here who would see a browser."""
    if not sys.stdout.isatty():
        return False
    if os.environ.get("BROWSER"):
        return True
    if sys.platform in ("darwin", "win32"):
        return "SSH_CONNECTION" not in os.environ
    # Without a display Python would start a text browser in this very terminal.
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def open_page(url: str) -> bool:
    """Open an address in the browser, if there is one; return whether it was opened."""
    try:
        return has_browser() and webbrowser.open(url)
    except (webbrowser.Error, OSError):
        return False
