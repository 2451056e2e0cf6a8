"""``triomino rules``: the text says what the data say, all of it and nothing else."""

from __future__ import annotations

import json
import re
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import pytest

from tests.cli.program import Here, triomino
from tests.play import random_game, random_match
from triomino import EDITIONS, Rules, RulesError, Tile
from triomino.cli.rulebook import changes, deals, plain, rulebook, shown
from triomino.record import record_of
from triomino.rules import NOT_BUILT, Racks
from triomino.scoring import blocked_scores, blocked_winners

if TYPE_CHECKING:
    from collections.abc import Iterator
    from enum import StrEnum

NAMES = [item.name for item in fields(Rules) if item.name != "edition"]

# The list of the specification, word for word and in its order.
FIELDS = [
    "edition",
    "tile_set",
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


def prose(rules: Rules) -> str:
    """All that is said in words, without the list of fields."""
    text = "\n".join(line for chapter in rulebook(rules) for line in chapter.paragraphs)
    return f"{text}\n{deals(rules)}"


def values(rules: Rules, name: str) -> Iterator[Any]:
    """Every other value that a field may have; of numbers, some."""
    now = getattr(rules, name)
    choices: list[Any]
    if isinstance(now, str):
        kind: type[StrEnum] = type(now)  # type: ignore[assignment]  # all texts here are enums
        choices = [value for value in kind if value not in NOT_BUILT]
    elif isinstance(now, bool):
        choices = [True, False]
    elif isinstance(now, Racks):
        choices = [{**now, 2: now[2] - 1}, {2: now[2]}, {**now, 3: 5}]
    elif isinstance(now, tuple):
        choices = [[now[0] + 1, *now[1:]], [now[0], 7, now[2]], [*now[:2], now[2] + 1]]
    elif name == "max_draws":
        choices = [1, 2, 3, 4, 5]
    elif name in {"target", "triple_zero_start"}:
        choices = [None, 1, 77, 400]
    else:
        choices = [0, 1, 2, now + 1, 77]
    for value in choices:
        if value != now:
            yield value


# What says nothing, because other rules of that edition leave no room for it. Every line is a
# claim, and the test after next plays it out.
SILENT = [
    ("classic", "blocked_tie"),
    ("classic-hebrew", "blocked_tie"),
    ("six-player", "blocked_tie"),
    ("card", "start_redraw"),
    ("card", "no_play_extra_when"),
    ("card", "floor_at_zero"),
    ("casual", "triple_start_bonus"),
    ("casual", "triple_zero_start"),
    ("casual", "placement_sum"),
    ("casual", "bridge_rule"),
    ("casual", "bridge_bonus"),
    ("casual", "hexagon_bonuses"),
    ("casual", "draw_cost"),
    ("casual", "max_draws"),
    ("casual", "no_play_extra"),
    ("casual", "no_play_extra_when"),
    ("casual", "after_draw_play"),
    ("casual", "must_place_after_last_draw"),
    ("casual", "may_keep"),
    ("casual", "draw_obligation"),
    ("casual", "out_bonus"),
    ("casual", "out_takes_opponents"),
    ("casual", "blocked_tie"),
    ("casual", "floor_at_zero"),
    ("casual", "target_latch"),
]
# The others of this field do say something.
SILENT_VALUES = {("casual", "blocked"): ["fewest_tiles_takes_others"]}
# Blocked rounds: one is lowest, two are, by value or by count; they are rare in play.
RACKS = [
    [[Tile.parse(tile) for tile in rack.split()] for rack in racks]
    for racks in (
        ("0-0-1", "4-4-4", "0-0-3 2-3-4"),
        ("0-1-4", "1-2-2", "4-4-4 2-2-4"),
        ("0-1-4", "0-0-2 0-1-2", "4-4-4"),
    )
]


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("name", NAMES)
def test_every_change_of_every_field_changes_the_text(edition: str, name: str) -> None:
    base = EDITIONS[edition]
    for value in values(base, name):
        rules = base.with_changes({name: value})
        (change,) = changes(rules)
        assert change.name == name
        silent = (edition, name) in SILENT or value in SILENT_VALUES.get((edition, name), ())
        assert (prose(rules) == prose(base)) is silent, value
        assert change.matters is not silent


@pytest.mark.parametrize(("edition", "name"), [*SILENT, *SILENT_VALUES])
def test_what_the_text_does_not_mention_changes_no_game(edition: str, name: str) -> None:
    base = EDITIONS[edition]
    for value in values(base, name):
        if value not in SILENT_VALUES.get((edition, name), [value]):
            continue
        rules = base.with_changes({name: value})
        for seed in range(8):
            usual, other = random_game(base, 3, seed), random_game(rules, 3, seed)
            assert other.start == usual.start
            assert other.turns == usual.turns
            assert other.winners == usual.winners
        series = [random_match(r.with_changes({"target": 3}), 2, 1) for r in (base, rules)]
        assert record_of(series[0])["rounds"] == record_of(series[1])["rounds"]
        for racks in RACKS:
            assert [*blocked_scores(racks, rules)] == [*blocked_scores(racks, base)]
            assert blocked_winners(racks, rules) == blocked_winners(racks, base)


@pytest.mark.parametrize("edition", EDITIONS)
def test_two_changes_at_once_are_both_told(edition: str) -> None:
    rules = EDITIONS[edition].with_changes(
        {"next_starter": "rotate_left", "match_tie": "extra_round"}
    )
    assert [change.name for change in changes(rules)] == ["next_starter", "match_tie"]
    assert all(change.matters for change in changes(rules))


def test_a_field_that_wakes_up_with_another_is_said_to_matter() -> None:
    rules = EDITIONS["casual"].with_changes({"bridge_bonus": 44})
    assert not changes(rules)[0].matters
    rules = rules.with_changes({"scoring": True})
    assert [change.name for change in changes(rules) if change.matters] == [
        "scoring",
        "bridge_bonus",
    ]


# --- Numbers -------------------------------------------------------------------------------------

ODD: dict[str, Any] = {
    "racks": {2: 13},
    "triple_start_bonus": 101,
    "triple_zero_start": 103,
    "bridge_bonus": 107,
    "hexagon_bonuses": [109, 113, 127],
    "draw_cost": 131,
    "max_draws": 17,
    "no_play_extra": 139,
    "empty_pool_penalty": 149,
    "out_bonus": 151,
    "target": 157,
}
# Counted from the tiles: how many, of each kind, and the largest number and value.
COUNTED = {"56": {56, 6, 30, 20, 0, 5, 15}, "76": {76, 6, 30, 40, 0, 5, 15}}


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("when", ["if_unplaced", "on_last_draw"])
def test_every_number_in_the_text_comes_from_the_rules(edition: str, when: str) -> None:
    rules = EDITIONS[edition].with_changes(
        ODD | {"scoring": True, "draw_ends_turn": False, "no_play_extra_when": when}
    )
    found = {int(word) for word in re.findall(r"\d+", prose(rules).replace("0-0-0", ""))}
    flat = {101, 103, 107, 109, 113, 127, 131, 17, 139, 149, 151, 157}
    table = {2, 13, len(rules.tiles) - 26}
    in_all = {17 * 131 + 139}
    assert found == flat | table | in_all | COUNTED[rules.tile_set]


def test_the_classic_numbers_stand_in_the_text() -> None:
    text = prose(EDITIONS["classic"])
    for said in (
        "It brings 40 points",
        "brings 50 points; one that completes two at once brings 60, and three at once 70",
        "Every tile drawn costs 5 points at once",
        "has drawn 3 tiles in a turn and lays none pays 10 points more: 25 in all",
        "Going out brings 25 points and the values of all tiles left on the other racks",
        "[(2, 9, 38), (3, 7, 35), (4, 7, 28)]",
    ):
        assert said in text


def test_the_deals_of_six_players() -> None:
    sizes = [(2, 9, 58), (3, 7, 55), (4, 7, 48), (5, 6, 46), (6, 6, 40)]
    assert deals(EDITIONS["six-player"]) == sizes


def test_a_single_point_and_a_single_tile_are_written_so() -> None:
    rules = EDITIONS["classic"].with_changes({"draw_cost": 1, "max_draws": 1})
    assert "costs 1 point at once" in prose(rules)
    assert "drawn 1 tile in a turn" in prose(rules)


# --- The command ---------------------------------------------------------------------------------


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
    head, _, data = result.out.partition("All fields, as in a file of house rules\n")
    assert max(map(len, head.splitlines())) <= columns
    said = " ".join(head.replace("- ", " ").split())
    for chapter in rulebook(EDITIONS[edition]):
        assert chapter.title in head
        for paragraph in chapter.paragraphs:
            assert " ".join(paragraph.replace("- ", " ").split()) in said
    assert "*" not in head
    assert Rules.from_toml(data) == EDITIONS[edition]


def test_changes_are_marked_and_the_fields_make_a_file_of_house_rules(here: Here) -> None:
    asked = ["--set", "draw_cost=7", "--set", "blocked_tie=none", "--target", "500"]
    result = here("rules", *asked, "--set", "racks={2 = 8, 3 = 7}", columns=100)
    head, _, data = result.out.partition("All fields, as in a file of house rules\n")
    assert "* marks what differs from the edition." in head
    assert "* Every tile drawn costs 7 points at once." in head
    assert "- A round is blocked as soon as" in head
    assert re.search(r"^ +\* 2 +8 +40", head, re.MULTILINE)
    assert re.search(r"^ +3 +7 +35", head, re.MULTILINE)
    fields_part, _, notes = data.partition("\n\n")
    assert "draw_cost = 7  # classic: 5" in fields_part
    assert 'blocked_tie = "none"  # classic: "each"' in fields_part
    assert "max_draws = 3\n" in fields_part
    assert notes == "- blocked_tie makes no difference with the other rules here.\n"
    expected = {"draw_cost": 7, "blocked_tie": "none", "target": 500, "racks": {2: 8, 3: 7}}
    assert Rules.from_toml(fields_part) == EDITIONS["classic"].with_changes(expected)


def test_a_file_of_house_rules_is_read(tmp_path: Any, here: Here) -> None:
    file = tmp_path / "house.toml"
    file.write_text('edition = "card"\nbridge_bonus = 41\n', "utf-8")
    data = json.loads(here("rules", "--rules", file, "--json").out)
    assert (data["edition"], data["bridge_bonus"], data["target"]) == ("card", 41, 200)


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_value_as_it_is_shown_can_be_read_again(edition: str) -> None:
    rules = EDITIONS[edition]
    for name in plain(rules):
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
    assert result.out.startswith("Triangular dominoes, card\n")
