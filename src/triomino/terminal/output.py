"""What people and programs get to see."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

if TYPE_CHECKING:
    from triomino.rules import Json

NARROW = 60
"""Below so many columns a table leaves out what it can."""


def console(*, errors: bool = False) -> Console:
    """Where text for people goes: coloured on a terminal, plain in a pipe."""
    return Console(stderr=errors, highlight=False, emoji=False)


def print_json(data: Json) -> None:
    """One object, one line."""
    sys.stdout.write(json.dumps(data, ensure_ascii=False) + "\n")


def progress(*, hidden: bool = False) -> Progress:
    """A bar on standard error, on a terminal only; it is gone when the work is done."""
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
