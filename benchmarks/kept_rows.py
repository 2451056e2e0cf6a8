"""Results that take long to make, kept in a file as they come."""

from __future__ import annotations

import json
from dataclasses import fields
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from rich.progress import track

from triomino.bots.levels import HumanBot, SearchBot
from triomino.kernel.network import WEIGHTS_FILE
from triomino.lab.process_pool import in_order

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from triomino.bots import Bot


Task = TypeVar("Task")
KERNEL: Final = Path(__file__).parents[1] / "native"


def version_of(bots: Iterable[Bot]) -> str:
    """Return, in few characters, what decides how bots play: settings, network and kernel."""
    settings = [
        {item.name: getattr(bot, item.name) for item in fields(bot) if item.name != "dice"}
        for bot in bots
        if isinstance(bot, HumanBot | SearchBot)
    ]
    parts = [str(settings).encode()]
    if any("effort" in each for each in settings):
        parts.append(files("triomino.kernel").joinpath(WEIGHTS_FILE).read_bytes())
        parts += [path.read_bytes() for path in sorted(KERNEL.glob("*.?pp"))]
    return sha256(b"".join(parts)).hexdigest()[:8]


def kept_rows(
    path: Path, count: int, make: Callable[[Task, int], dict[str, Any]], task: Task, jobs: int = 1
) -> list[dict[str, Any]]:
    """Return rows 1 to *count*: those in the file, and then new ones, which are appended to it.

    Row *number* is ``make(task, number)``, made by so many processes. A line that was cut off when
    the program was stopped is made again.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    found: list[dict[str, Any]] = []
    text = path.read_text("utf-8") if path.exists() else ""
    lines = text.splitlines(keepends=True)
    if lines and not lines[-1].endswith("\n"):
        path.write_text("".join(lines[:-1]), "utf-8")
        del lines[-1]
    found = [json.loads(line) for line in lines[:count]]
    with path.open("a", encoding="utf-8") as file:
        numbers = range(len(found) + 1, count + 1)
        made = in_order(make, task, numbers, jobs if len(numbers) > jobs else 1)
        for row in track(made, str(path), len(numbers)):
            file.write(json.dumps(row) + "\n")
            file.flush()
            found.append(row)
    return found
