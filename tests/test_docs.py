"""What the docs show is what the program does now."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

from triomino import SIX_PLAYER, Rules
from triomino.bots import simulate_match
from triomino.render import DAY, game_svg

ROOT = Path(__file__).parent.parent
PICTURE = ROOT / "docs" / "board.svg"


def picture() -> str:
    """The board that README opens with: a round between three greedy players."""
    game = simulate_match(SIX_PLAYER, ["greedy"] * 3, seed=11, number=31).game
    return game_svg(game, racks=False, theme=DAY, width=880) + "\n"


def test_the_picture_is_drawn_by_the_program() -> None:
    # Written anew with: python -m tests.test_docs
    assert PICTURE.read_text("utf-8") == picture()


def test_every_rule_is_in_the_page_of_house_rules() -> None:
    page = (ROOT / "docs" / "house-rules.md").read_text("utf-8")
    listed = re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE)
    assert listed == [item.name for item in fields(Rules)]


def test_links_between_pages_lead_somewhere() -> None:
    pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")]
    for page in pages:
        for target in re.findall(r"\]\(([^)#]+)\)", page.read_text("utf-8")):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page.name} links to {target}"


if __name__ == "__main__":
    PICTURE.write_text(picture(), "utf-8")
