"""Builds of the page to measure: that of this checkout, and beside it that of another one."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.server.processes import ROOT, running

if TYPE_CHECKING:
    from collections.abc import Iterator

_STATES = """
import json, sys
from benchmarks.web.scenes import make_state
count, rack, seeds = map(int, sys.argv[1:])
print(json.dumps([make_state(count, rack, seed=seed) for seed in range(1, seeds + 1)]))
"""

_SERVER = """
import json, sys
from pathlib import Path
from benchmarks.server.processes import table_server
print(json.dumps(table_server(Path(sys.argv[1]))))
"""


@dataclass(frozen=True)
class Build:
    """The page of a checkout, shown by the server of that checkout."""

    name: str
    checkout: Path
    url: str

    def states(self, count: int, rack: int, seeds: int) -> list[dict[str, Any]]:
        """States of a table for the page, in the protocol of this build."""
        found: list[dict[str, Any]] = _ask(self.checkout, _STATES, count, rack, seeds)
        return found


def _ask(checkout: Path, program: str, *arguments: object) -> Any:
    """Run a program with the modules of a checkout, and return what it prints as JSON."""
    python = sys.executable if checkout == ROOT else str(checkout / ".venv" / "bin" / "python")
    command = [python, "-c", program, *map(str, arguments)]
    done = subprocess.run(command, cwd=checkout, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout)


@contextmanager
def serving(name: str, checkout: Path) -> Iterator[Build]:
    """Run the server of a checkout during the block."""
    if not (checkout / "web" / "dist" / "index.html").exists():
        raise SystemExit(f"{checkout} has no page: run make setup there")
    with tempfile.TemporaryDirectory() as folder:
        command = _ask(checkout, _SERVER, Path(folder) / "tables.sqlite")
        with running(command, Path(folder) / "log.txt", checkout) as (_, port):
            yield Build(name, checkout, f"http://127.0.0.1:{port}")
