"""Output of commands: a console, JSON lines and a progress bar."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

if TYPE_CHECKING:
    from triomino.rules import Json

NARROW = 60
"""Width in columns below which a table leaves out what it can."""


def console(*, errors: bool = False) -> Console:
    """Return the console for people: coloured on a terminal, plain in a pipe."""
    return Console(stderr=errors, highlight=False, emoji=False)


def print_json(data: Json) -> None:
    """Print an object as one line of JSON."""
    sys.stdout.write(json.dumps(data, ensure_ascii=False) + "\n")


def progress(*, hidden: bool = False) -> Progress:
    """Return a progress bar on standard error, shown on a terminal only and removed at the end."""
    screen = console(errors=True)
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=screen,
        transient=True,
        disable=hidden or not screen.is_terminal,
    )
