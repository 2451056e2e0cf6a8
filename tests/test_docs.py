"""What the docs show is what the program does now."""

from __future__ import annotations

import ast
import re
from dataclasses import fields
from pathlib import Path

import pytest
from tools import moving_picture

from tests.test_imports import ROOMS
from triomino import Rules

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "triomino"
MOVE = ROOT / "docs" / "pictures" / "move.svg"
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text("utf-8")


def test_the_moving_picture_is_drawn_by_the_program() -> None:
    # Written anew with: python -m tools.moving_picture
    assert moving_picture.PICTURE.read_text("utf-8") == moving_picture.draw()


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


# --- CONTRIBUTING: every file and name that it mentions exists -----------------------------------


def located(token: str) -> Path | None:
    """The file or folder that a token names: from the root, from the package, or as a module."""
    places = (ROOT / token, PACKAGE / token, PACKAGE / f"{token}.py")
    return next((path for path in places if path.exists()), None)


def defines(path: Path, name: str) -> bool:
    """Whether a file defines *name* or ``Class.member``; not in Python, has the words."""
    text = path.read_text("utf-8")
    if path.suffix != ".py":
        return {*name.split(".")} <= {*re.findall(r"\w+", text)}
    owner, _, member = name.rpartition(".")
    for node in ast.parse(text).body:
        if isinstance(node, ast.ClassDef) and owner in ("", node.name):
            if any(member in defined_by(inner) for inner in ast.walk(node)):
                return True
        elif not owner and member in defined_by(node):
            return True
    return False


def defined_by(node: ast.AST) -> set[str]:
    """The names that a statement defines, attributes of ``self`` among them."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return {node.name}
    targets = node.targets if isinstance(node, ast.Assign) else []
    if isinstance(node, ast.AnnAssign):
        targets = [node.target]
    parts = [part for target in targets for part in ast.walk(target)]
    return {part.id for part in parts if isinstance(part, ast.Name)} | {
        part.attr for part in parts if isinstance(part, ast.Attribute)
    }


def unknown(tokens: list[str]) -> list[str]:
    """The tokens that are no file, nor a name that one of the files among them defines."""
    files = [path for token in tokens if (path := located(token)) and path.is_file()]
    return [
        token
        for token in tokens
        if located(token) is None and not any(defines(path, token) for path in files)
    ]


ROWS = [line for line in CONTRIBUTING.split("\n") if line.startswith("| ") and "`" in line]


@pytest.mark.parametrize("row", ROWS, ids=[row.split(" | ")[0] for row in ROWS])
def test_every_file_and_name_in_a_table_exists(row: str) -> None:
    assert unknown(re.findall(r"`([^`]+)`", row)) == []


def test_a_file_or_name_that_is_gone_is_noticed() -> None:
    assert len(ROWS) > 60
    assert unknown(["board.py", "Board.is_bridge", "Board.is_tunnel", "Game.check"]) == [
        "Board.is_tunnel",
        "Game.check",
    ]
    assert unknown(["server/cellar.py", "native/state.hpp", "bonus_of", "no_such_bonus"]) == [
        "server/cellar.py",
        "no_such_bonus",
    ]


def test_every_path_on_the_page_exists() -> None:
    prose = re.sub(r"^```.*?^```", "", CONTRIBUTING, flags=re.MULTILINE | re.DOTALL)
    paths = [token for token in re.findall(r"`([^`\s]+)`", prose) if "/" in token]
    assert [path for path in paths if located(path) is None] == []


def test_the_picture_of_a_move_names_what_exists() -> None:
    drawn = MOVE.read_text("utf-8")
    steps = re.findall(r'"name"[^>]*>([^<]+)<.*?"file"[^>]*>([^<]+)<', drawn, re.DOTALL)
    files = re.findall(r'"file" [^>]*?(?:data-with="([^"]+)")?>([^<]+)<', drawn)
    paths = [folder + name for folder, name in files]
    assert len(steps) == 11
    assert [path for path in paths if located(path) is None] == []
    for name, start in steps:
        assert any(not unknown([name, path]) for path in paths if path.startswith(start)), name


def test_the_order_of_rooms_is_the_one_that_is_enforced() -> None:
    there = [[room for room in group if (PACKAGE / room).is_dir()] for group in ROOMS]
    line = " < ".join(["rules room", *(", ".join(group) for group in there if group)])
    assert f"\n    {line}\n" in CONTRIBUTING
    listed = re.findall(r"^\| `(\w+)/` \|", CONTRIBUTING, re.MULTILINE)
    rooms = [room for group in there for room in group]
    assert [room for room in listed if room not in {"pad", "rulebook"}] == rooms
