"""A server whose deals a test chooses, and the program that runs it.

``python -m tests.browser.seeded_server FILE serve …`` is the ordinary command line, except that
the seed of a new table is read from FILE, which is then removed. Without that file every table
has the same seed, so that a test sees the same deal whichever tests ran before it.

Its deals are those of ``fair/1`` from that seed, whatever the devices add: no test could find a
deal that hangs on the id of a table that is not there yet. So their records do not verify, but for
those of tables that a test asks to deal fairly.
"""

from __future__ import annotations

import functools
import json
import runpy
import secrets
import sys
from pathlib import Path
from typing import Any

from tests.server.process import ServerProcess
from triomino.fair import Seeds, Stream
from triomino.fair2 import SharedSeeds

FAIR = "fair"
"""What is written in the file for a table that is dealt as a server does."""

USUAL_SEED = "5e" * 32
"""The server's seed of a table for which no test chose one."""


class SeededServer(ServerProcess):
    """A server process that deals what a test has chosen."""

    def __init__(self, folder: Path, **options: Any) -> None:
        super().__init__(folder, **options)
        self._seed_file = folder / "seed"
        _, _, *arguments = self._command
        # Otherwise no link would be shown: other devices cannot reach a server on the loopback.
        public = f"--set=public_url={self.url}"
        self._command = ["-m", "tests.browser.seeded_server", str(self._seed_file), *arguments]
        self._command.append(public)

    def deal_next(self, seed: str, page_seed: str = "") -> None:
        """Deal the next new table from *seed*, with *page_seed* for the first seat."""
        self._seed_file.write_text(f"{seed} {page_seed}".strip())

    def deal_fairly(self) -> None:
        """Deal the next new table as a server does, from all the seeds."""
        self._seed_file.write_text(FAIR)

    def deal_usual(self) -> None:
        """Forget a seed that was chosen and not used."""
        self._seed_file.unlink(missing_ok=True)


def next_seed(file: Path, chosen: dict[str, str]) -> str:
    """Take the chosen seed, or the usual one; note in *chosen* what the first seat adds to it."""
    try:
        text = file.read_text()
    except FileNotFoundError:
        text = USUAL_SEED
    else:
        file.unlink()
    if text == FAIR:
        return secrets.token_hex(32)
    seed, _, page_seed = text.partition(" ")
    chosen[seed] = page_seed
    # The deals of a table stay the same when the server is started again.
    _chosen_file(file).write_text(json.dumps(chosen))
    return seed


def _chosen_file(file: Path) -> Path:
    return file.with_name("chosen.json")


def _seed_tables(file: Path) -> None:
    """Give the server that this process will run its seeds."""
    from triomino.server import run  # noqa: PLC0415 - the tests themselves run no server
    from triomino.server.hub import Hub  # noqa: PLC0415

    kept = _chosen_file(file)
    chosen: dict[str, str] = json.loads(kept.read_text()) if kept.exists() else {}
    fairly = SharedSeeds.round

    def deal(seeds: SharedSeeds, number: int) -> Stream:
        if seeds.server not in chosen:
            return fairly(seeds, number)
        players = (chosen[seeds.server], *[""] * (len(seeds.opening.seats) - 1))
        return Seeds(seeds.server, players).round(number)

    SharedSeeds.round = deal  # type: ignore[method-assign,assignment]
    new_seed = functools.partial(next_seed, file, chosen)
    make_hub = functools.partial(Hub, new_seed=new_seed)
    run.make_app = functools.partial(run.make_app, make_hub=make_hub)  # type: ignore[attr-defined]


if __name__ == "__main__":
    _seed_tables(Path(sys.argv.pop(1)))
    runpy.run_module("tests.server.process_main", run_name="__main__")
