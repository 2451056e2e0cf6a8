"""The examples in the pages for each library run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PAGES = Path(__file__).parents[2] / "docs"
NEEDS = {"pettingzoo": "pettingzoo", "gymnasium": "gymnasium", "openspiel": "pyspiel"}

pytestmark = pytest.mark.filterwarnings("default")


@pytest.mark.parametrize("name", NEEDS)
def test_the_examples_of_a_page_run(name: str) -> None:
    pytest.importorskip(NEEDS[name], reason="run make test-research")
    text = (PAGES / f"{name}.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert blocks
    for block in blocks:
        exec(compile(block, f"{name}.md", "exec"), {})  # noqa: S102
