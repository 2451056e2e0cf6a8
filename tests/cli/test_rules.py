"""``triomino rules``: the book in the terminal, and the rules as data."""

from __future__ import annotations

import json
import re
from dataclasses import fields
from typing import Any

import pytest

from tests.cli.program import Here, triomino
from triomino import EDITIONS, Rules, RulesError
from triomino.rulebook import shown
from triomino.rules import NOT_BUILT
from triomino.terminal.rulebook import chapter_texts
from triomino.words import Words

NAMES = [item.name for item in fields(Rules) if item.name != "edition"]

# The list of the specification, word for word and in its order.
FIELDS = [
    "edition",
    "tile_set",
    "piece",
    "round_won_by",
    "racks",
    "starter",
    "start_redraw",
    "next_starter",
    "opening_draw",
    "starter_free_choice",
    "triple_start_bonus",
    "triple_zero_start",
    "start_tie",
    "scoring",
    "placement_sum",
    "bridge_rule",
    "bridge_bonus",
    "hexagon_bonuses",
    "bonus_stacking",
    "draw_cost",
    "max_draws",
    "draw_ends_turn",
    "no_play_extra",
    "no_play_extra_when",
    "voluntary_draw",
    "after_draw_play",
    "must_place_after_last_draw",
    "may_keep",
    "draw_obligation",
    "empty_pool_pass",
    "empty_pool_penalty",
    "out_bonus",
    "out_takes_opponents",
    "blocked",
    "blocked_tie",
    "blocked_when",
    "floor_at_zero",
    "target",
    "target_test",
    "target_latch",
    "final_round",
    "match_tie",
]


@pytest.mark.parametrize("edition", EDITIONS)
def test_json_has_every_field_of_the_specification_in_its_order(here: Here, edition: str) -> None:
    result = here("rules", "--edition", edition, "--json")
    data = json.loads(result.out)
    assert list(data) == FIELDS
    assert Rules.read(data) == EDITIONS[edition]


@pytest.mark.parametrize("columns", [40, 80])
@pytest.mark.parametrize("edition", EDITIONS)
def test_the_text_of_an_edition(here: Here, edition: str, columns: int) -> None:
    result = here("rules", "-e", edition, columns=columns)
    head, _, data = result.out.partition("All fields, as in a house-rules file\n")
    assert max(map(len, head.splitlines())) <= columns
    printed = " ".join(head.replace("- ", " ").split())
    for heading, lines in chapter_texts(EDITIONS[edition], Words("en")):
        assert heading in head
        for line in lines:
            assert " ".join(line.replace("- ", " ").split()) in printed
    assert not re.search(r"^\*", head, re.MULTILINE)
    assert Rules.from_toml(data) == EDITIONS[edition]


def test_changes_are_marked_and_the_fields_make_a_file_of_house_rules(here: Here) -> None:
    asked = ["--set", "draw_cost=7", "--set", "blocked_tie=none", "--target", "500"]
    result = here("rules", *asked, "--set", "racks={2 = 8, 3 = 7}", columns=100)
    head, _, data = result.out.partition("All fields, as in a house-rules file\n")
    assert "* marks what differs from the edition." in head
    assert "* Every tile you draw costs 7 points at once." in head
    assert "- The round is blocked as soon as" in head
    assert re.search(r"^ +\* 2 +8 +40", head, re.MULTILINE)
    assert re.search(r"^ +3 +7 +35", head, re.MULTILINE)
    fields_part, _, notes = data.partition("\n\n")
    assert "draw_cost = 7  # classic: 5" in fields_part
    assert 'blocked_tie = "none"  # classic: "each"' in fields_part
    assert "max_draws = 3\n" in fields_part
    assert notes == "- blocked_tie: makes no difference with the other rules here.\n"
    expected = {"draw_cost": 7, "blocked_tie": "none", "target": 500, "racks": {2: 8, 3: 7}}
    assert Rules.from_toml(fields_part) == EDITIONS["classic"].with_changes(expected)


def test_cards_for_tiles_mark_no_line_for_they_change_no_rule(here: Here) -> None:
    result = here("rules", "--set", "piece=card", columns=100)
    head, _, data = result.out.partition("All fields, as in a house-rules file\n")
    assert "- If none of your cards fits, draw one from the stack." in head
    assert not re.search(r"^\* (?!marks)", head, re.MULTILINE)
    assert 'piece = "card"  # classic: "tile"' in data
    assert "makes no difference" not in data


def test_a_file_of_house_rules_is_read(tmp_path: Any, here: Here) -> None:
    file = tmp_path / "house.toml"
    file.write_text('edition = "card"\nbridge_bonus = 41\n', "utf-8")
    data = json.loads(here("rules", "--rules", file, "--json").out)
    assert (data["edition"], data["bridge_bonus"], data["target"]) == ("card", 41, 200)


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_value_as_it_is_shown_can_be_read_again(edition: str) -> None:
    rules = EDITIONS[edition]
    for name in rules.to_json():
        if name != "edition":
            text = shown(getattr(rules, name))
            assert rules.with_settings([f"{name}={text}"]) == rules


def test_every_value_that_is_not_built_is_refused_by_name() -> None:
    for value in NOT_BUILT:
        name = next(n for n in NAMES if type(getattr(EDITIONS["classic"], n)) is type(value))
        with pytest.raises(RulesError, match=f"{name}: .* is not built yet"):
            EDITIONS["classic"].with_changes({name: value.value})


def test_the_real_program() -> None:
    result = triomino("rules", "--edition", "card", columns=80)
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith("Triangular dominoes: Card game\n")


def test_the_figures_are_drawn_with_their_sums(here: Here) -> None:
    out = here("rules", columns=100).out
    book = out.partition("May I")[0]
    sums = re.findall(r"\d(?: \+ \d+)+ = (\d+)", book)
    assert sorted(map(int, sums)) == [6, 7, 8, 51, 61, 72, 75]
    assert " ╲0 0╱0╲   ╱3╲" in out
    # The wrong moves have a cross instead of a star.
    assert len(re.findall(r"\dx\d", book)) == 3
    assert re.findall(r"\+40$", here("rules", "-e", "card").out.replace(" ", ""), re.MULTILINE)


def test_in_hebrew_every_line_of_a_drawing_keeps_its_direction(here: Here) -> None:
    out = here("rules", "-l", "he").out
    drawn = [line for line in out.splitlines() if re.search("[╱╲─]", line)]
    assert len(drawn) > 50
    assert all(re.fullmatch("\u2066[^\u0590-\u05ff]*\u2069", line) for line in drawn)


def test_the_guide_is_printed_in_order_with_sums_and_sources(here: Here) -> None:
    out = here("rules", "-e", "classic-hebrew", columns=100).out
    heads = ["In one minute", "Scoring at a glance", "The game", "May I …?", "Worked sums"]
    heads += ["Near misses", "Playing well", "What the leaflet says", "All fields, as in"]
    found = [out.index(f"\n{head}") for head in heads]
    assert found == sorted(found)
    assert "\n  20 - 5 - 5 - 5 - 10 + 11 = 6\n" in out
    assert "- Each draw: -5\n" in out
    answer = "Here it scores 14 points. (Our reading)"
    assert answer in " ".join(out.split())
    marked = here("rules", "--set", "draw_cost=7", columns=100).out
    assert "* Each draw: -7\n" in marked
    assert "It costs 7 points. (House rule)" in " ".join(marked.split())
