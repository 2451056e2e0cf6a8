"""The page of promises: every test that it names exists, and every promise names one."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "promises.md"
ROW = re.compile(r"^\| (?!who|what happens \||---)(.+) \|$", re.MULTILINE)
TEST = re.compile(r"^`(tests/[\w/]+\.py)::(\w+)`$")


def rows() -> list[list[str]]:
    """The rows of all tables but their headings."""
    return [
        [cell.strip() for cell in found.split(" | ")] for found in ROW.findall(PAGE.read_text())
    ]


def test_there_are_promises() -> None:
    assert len(rows()) > 40


@pytest.mark.parametrize("row", rows(), ids=lambda row: row[0][:40])
def test_a_promise_is_held_by_a_test(row: list[str]) -> None:
    assert len(row) == 3, row
    found = TEST.match(row[2])
    assert found, f"{row[2]} names no test"
    path, name = found.groups()
    tree = ast.parse((ROOT / path).read_text("utf-8"))
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    assert name in {node.name for node in tree.body if isinstance(node, functions)}
