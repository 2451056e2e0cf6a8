"""Results that take long to make, kept in a file as they come."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from rich.progress import track

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def kept_rows(
    path: Path, count: int, make: Callable[[int], dict[str, Any]]
) -> list[dict[str, Any]]:
    """Return rows 1 to *count*: those in the file, and then new ones, which are appended to it.

    A line that was cut off when the program was stopped is made again.
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
        for number in track(range(len(found) + 1, count + 1), str(path)):
            row = make(number)
            file.write(json.dumps(row) + "\n")
            file.flush()
            found.append(row)
    return found
