"""The length of functions."""

from __future__ import annotations

import ast
from pathlib import Path

ROOT = Path(__file__).parent.parent
FOLDERS = ("src/triomino", "tools", "benchmarks")
LONGEST = 60
"""Lines, from ``def`` to the last statement."""


def long_functions(path: Path) -> list[str]:
    """The functions of a file that are too long, with their lengths."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [
        f"{path}:{node.lineno} {node.name}: {length} lines"
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (length := (node.end_lineno or node.lineno) - node.lineno + 1) > LONGEST
    ]


def test_no_function_is_longer_than_a_screen() -> None:
    files = [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.py"))]
    assert len(files) > 100
    assert [found for path in files for found in long_functions(path)] == []


def test_a_long_function_is_found(tmp_path: Path) -> None:
    path = tmp_path / "long.py"
    body = "    pass\n" * LONGEST
    path.write_text(f"def short():\n{body[9:]}\nasync def long():\n{body}", encoding="utf-8")
    assert long_functions(path) == [f"{path}:{LONGEST + 2} long: {LONGEST + 1} lines"]
