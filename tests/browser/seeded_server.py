"""A server whose deals a test chooses, and the program that runs it.

``python -m tests.browser.seeded_server FILE serve …`` is the ordinary command line, except that
the seed of a new table is read from FILE, which is then removed. Without that file every table
has the same seed, so that a test sees the same deal whichever tests ran before it.
"""

from __future__ import annotations

import functools
import runpy
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.server.process import ServerProcess

if TYPE_CHECKING:
    from collections.abc import Callable

USUAL_SEED = "5e" * 32
"""The server's seed of a table for which no test chose one."""


class SeededServer(ServerProcess):
    """A server process that deals what a test has chosen."""

    def __init__(self, folder: Path, **options: Any) -> None:
        super().__init__(folder, **options)
        self._seed_file = folder / "seed"
        _, _, *arguments = self._command
        self._command = ["-m", "tests.browser.seeded_server", str(self._seed_file), *arguments]

    def deal_next(self, seed: str) -> None:
        """Deal the next new table from *seed*."""
        self._seed_file.write_text(seed)

    def deal_usual(self) -> None:
        """Forget a seed that was chosen and not used."""
        self._seed_file.unlink(missing_ok=True)


def next_seed(file: Path) -> str:
    """Take the chosen seed, or the usual one."""
    try:
        seed = file.read_text()
    except FileNotFoundError:
        return USUAL_SEED
    file.unlink()
    return seed


def _seed_tables(new_seed: Callable[[], str]) -> None:
    """Give the server that this process will run its seeds."""
    from triomino.server import run  # noqa: PLC0415 - the tests themselves run no server
    from triomino.server.hub import Hub  # noqa: PLC0415

    make_hub = functools.partial(Hub, new_seed=new_seed)
    run.make_app = functools.partial(run.make_app, make_hub=make_hub)  # type: ignore[attr-defined]


if __name__ == "__main__":
    _seed_tables(functools.partial(next_seed, Path(sys.argv.pop(1))))
    runpy.run_module("tests.server.process_main", run_name="__main__")
