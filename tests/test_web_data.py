"""What the page is given as files is as fresh as what it was made from."""

from __future__ import annotations

import json
import re
from pathlib import Path

from tools import web_data

from triomino.game import EndReason
from triomino.rules import EDITIONS
from triomino.scoring import BONUSES, Reason

ROOT = Path(__file__).parents[1]
WORDS = json.loads((ROOT / "src/triomino/words/en.json").read_text("utf-8"))


def test_the_page_knows_the_editions_as_they_are() -> None:
    assert web_data.FILE.read_text("utf-8") == web_data.text(), "run: python tools/web_data.py"


def test_every_edition_and_reason_has_words() -> None:
    needed = {f"edition.{name}" for name in EDITIONS}
    needed |= {f"edition.{name}.about" for name in EDITIONS}
    needed |= {f"reason.{reason.value}" for reason in Reason}
    needed |= {f"bonus.{reason.value}" for reason in BONUSES}
    needed |= {f"end.{reason.value}" for reason in EndReason}
    assert needed <= set(WORDS)


def test_the_page_uses_only_words_that_are_there() -> None:
    used = set()
    for file in (ROOT / "web/src").rglob("*"):
        if file.suffix in {".svelte", ".ts"} and ".test." not in file.name:
            used |= set(re.findall(r'\bt\(\s*"([^"]+)"', file.read_text("utf-8")))
    assert used
    assert used <= set(WORDS)
