"""What only a part of the program needs is asked for by name, with the command that installs it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LIGHT = """
import sys
from importlib.abc import MetaPathFinder

class Absent(MetaPathFinder):
    # As if nothing were installed but the package itself and what is named.
    here = {{"triomino", "_triomino_editable", *sys.stdlib_module_names, *{names!r}}}
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] not in self.here:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

import importlib.util
find = importlib.util.find_spec
importlib.util.find_spec = lambda name: find(name) if name in Absent.here else None
sys.meta_path.insert(0, Absent())
{code}
"""


def light(code: str, *names: str) -> subprocess.CompletedProcess[str]:
    """Run *code* where only the packages *names* are installed."""
    program = LIGHT.format(code=code, names=names)
    return subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )


def test_rules_kernel_bots_and_analysis_need_numpy_alone() -> None:
    code = "import triomino, triomino.kernel, triomino.bots, triomino.analysis, triomino.env"
    assert light(code, "numpy").stderr == ""


def test_rules_and_drawings_need_nothing() -> None:
    assert light("import triomino, triomino.render, triomino.pad").stderr == ""


SAID = {
    "kernel": 'needs the package numpy, which is not installed: pip install "numpy>=2.0"',
    "words": 'needs the package babel, which is not installed: pip install "babel>=2.14"',
    "terminal.console": 'needs the package rich, which is not installed: pip install "rich>=',
    "protocol.messages": 'pip install "msgspec>=',
    "store.log": "needs the packages aiosqlite and alembic and platformdirs and sqlalchemy",
    "server.app": "needs the packages litestar and msgspec and segno and sqlalchemy and",
}


def test_what_is_missing_is_named_with_the_command_that_installs_it() -> None:
    code = f"""
for name in {list(SAID)}:
    try:
        importlib.import_module(f"triomino.{{name}}")
    except ImportError as error:
        print(f"{{type(error).__name__}}: {{error}}")
"""
    lines = light(code).stdout.splitlines()
    for (module, said), line in zip(SAID.items(), lines, strict=True):
        assert line.startswith(f"MissingPackage: triomino.{module.partition('.')[0]} ")
        assert said in line


def test_the_program_says_in_one_line_what_it_lacks() -> None:
    done = light("from triomino.cli import main; main()")
    assert done.returncode == 1
    assert re.fullmatch(
        r"triomino: .* needs the packages rich and typer, which are not installed: "
        r'pip install "rich>=[\d.]+" "typer>=[\d.]+"\n',
        done.stderr,
    )


# --- One version ---------------------------------------------------------------------------------


def test_what_names_a_version_names_the_same() -> None:
    def find(pattern: str, name: str) -> tuple[str, ...]:
        found = re.search(pattern, (ROOT / name).read_text("utf-8"), re.MULTILINE)
        assert found, name
        return found.groups()

    assert find(r'^version = "(.*)"$', "pyproject.toml") == (version("triomino"),)
    assert find(r"^version: (.*)\ndate-released: (.*)$", "CITATION.cff") == find(
        r"^## (\d\S*) \((.*)\)$", "CHANGELOG.md"
    )
    assert find(r"^version: (.*)$", "CITATION.cff") == (version("triomino"),)


# --- Completion ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("triomino host re", ["restore", "rename"]),
        ("triomino serve --pu", ["--public-url"]),
        ("triomino rules --edition c", ["classic", "classic-hebrew", "card", "casual"]),
        ("triomino rules --language f", ["fi", "fr"]),
    ],
)
def test_the_shell_completes_commands_options_and_values(typed: str, offered: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "triomino"],
        env={
            **os.environ,
            "_TRIOMINO_COMPLETE": "complete_bash",
            "COMP_WORDS": typed,
            "COMP_CWORD": str(len(typed.split()) - 1),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.split() == offered
