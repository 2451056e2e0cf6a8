"""The modules of the server: no import cycle, and nothing slow to load without need."""

from __future__ import annotations

import ast
import subprocess
import sys
from graphlib import TopologicalSorter
from pathlib import Path
from typing import TYPE_CHECKING

import triomino.server

if TYPE_CHECKING:
    from collections.abc import Iterator

FOLDER = Path(triomino.server.__file__).parent
PACKAGE = "triomino.server"
MODULES = {path.stem for path in FOLDER.glob("*.py")} - {"__init__"}


def imported(source: str) -> Iterator[str]:
    """The modules of the server that a source imports, anywhere in it."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module == PACKAGE:
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield str(node.module).removeprefix(f"{PACKAGE}.").split(".")[0]
        elif isinstance(node, ast.Import):
            yield from (alias.name.removeprefix(f"{PACKAGE}.") for alias in node.names)


def test_imports_are_found_wherever_they_are() -> None:
    source = (
        "from triomino.server import hub, table\n"
        "import triomino.server.run\n"
        "def late():\n    from triomino.server.page import page_folder\n"
    )
    assert set(imported(source)) == {"hub", "table", "run", "page"}


def test_there_is_no_import_cycle() -> None:
    edges = {
        name: set(imported((FOLDER / f"{name}.py").read_text("utf-8"))) & MODULES
        for name in MODULES
    }
    assert edges["app"] > {"hub", "session"}
    order = list(TopologicalSorter(edges).static_order())  # raises CycleError
    assert order.index("table") < order.index("hub") < order.index("app") < order.index("run")


def test_the_server_loads_nothing_slow_that_it_may_never_need() -> None:
    """Each of these takes longer to load than a server to start."""
    code = "import sys, triomino.server.run; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert not {"alembic", "numpy", "segno", "httpx"} & set(done.stdout.split())
