"""What the page is given as files is as fresh as what it was made from."""

from __future__ import annotations

import json
import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tools import lessons, web_data

from triomino.bots import LEVELS
from triomino.ledger import EndReason
from triomino.protocol.messages import Moved, State
from triomino.rules import EDITIONS, Rules
from triomino.scoring import BONUSES, Reason

ROOT = Path(__file__).parents[1]
WORDS = json.loads((ROOT / "src/triomino/words/en.json").read_text("utf-8"))


def test_the_page_knows_the_editions_as_they_are() -> None:
    for path, text in web_data.files().items():
        assert path.read_text("utf-8") == text, "run: python -m tools.web_data"


def test_every_rule_has_its_place_and_its_words_in_the_panel() -> None:
    placed = [name for names in web_data.SECTIONS.values() for name in names]
    everything = ["edition", *web_data.UNASKED, *placed]
    assert sorted(everything) == sorted(item.name for item in fields(Rules))
    house = json.loads(web_data.files()[web_data.FOLDER / "rules.json"])
    needed = {f"rules.{name}" for name in house["sections"]}
    needed |= {f"rule.{name}" for name in placed}
    for name in placed:
        field = house["fields"][name]
        menu = field.get("menu", field.get("values", []))
        needed |= {f"rule.{name}.{value}" for value in menu}
    needed |= {f"bot.{name}" for name in LEVELS} | {f"bot.{name}.level" for name in LEVELS}
    assert needed - set(WORDS) == set()


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


@pytest.mark.parametrize("lesson", json.loads(lessons.text()), ids=lambda lesson: lesson["goal"])
def test_a_lesson_can_be_played_and_its_goal_reached(lesson: dict[str, Any]) -> None:
    state = msgspec.convert(lesson["state"], State)
    answers = msgspec.convert(lesson["answers"], dict[str, Moved])
    assert state.now is not None
    # Every move that is offered has an answer, and no other move has one.
    offered = {f"1 {choice.move}" for choice in state.now.choices or []}
    for moved in answers.values():
        offered |= {f"{moved.version} {choice.move}" for choice in moved.now.choices or []}
    assert offered == set(answers)
    turns = [turn for moved in answers.values() for turn in moved.turns]
    for moved in answers.values():
        ends = moved.turns[0].move != "draw"
        assert (moved.now.turn == 1) == ends, "whoever places, passes or keeps is done"
    match lesson["goal"]:
        case "place":
            assert [turn.points for turn in turns] == [9]
        case "match":
            placed = {"-".join(sorted(turn.move.split("=")[1].split("-"))) for turn in turns}
            assert len(turns) > len(placed) > 1, "tiles with several places, and one without"
        case "draw":
            assert [choice.move for choice in state.now.choices or []] == ["draw"]
            assert {turn.points for turn in turns if turn.move == "draw"} == {-5}
            assert any("=" in turn.move for turn in turns)
        case "redraw":
            assert [turn.points for turn in turns if turn.move == "draw"] == [-5, -5]
            assert any("=" in turn.move for turn in turns)
        case "pass":
            assert [(turn.move, turn.points) for turn in turns] == [("pass", 0)]
        case "out":
            (last,) = {turn.points for turn in turns}
            reasons = {score.reason for turn in turns for score in turn.scores}
            assert reasons == {"tile", "out", "others_left"}
            assert last > 25
        case "card":
            assert state.rules == {"edition": "card"}
            assert {turn.points for turn in turns} == {0}
            kinds = {turn.move if "=" not in turn.move else "place" for turn in turns}
            assert kinds == {"draw", "keep", "place"}
        case _:
            bonus = lesson["bonus"]
            assert bonus in {turn.bonus for turn in turns}
            assert {turn.bonus for turn in turns} != {bonus}, "there is something to find"
