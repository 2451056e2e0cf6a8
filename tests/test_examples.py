"""The examples run."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from triomino import Rules

EXAMPLES = Path(__file__).parent.parent / "examples"


@pytest.mark.parametrize("name", sorted(path.name for path in EXAMPLES.glob("*.py")))
def test_an_example_runs(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(EXAMPLES / name), run_name="__main__")
    assert capsys.readouterr().out.strip()


def test_the_house_rules_are_rules() -> None:
    text = (EXAMPLES / "house.toml").read_text("utf-8")
    assert Rules.from_toml(text).target == 400
