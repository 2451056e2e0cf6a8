"""The fields of ``Rules``, the editions, and house rules in every form."""

from __future__ import annotations

import json
import pickle
from dataclasses import FrozenInstanceError, fields, replace
from typing import Any

import pytest
from hypothesis import example, given

from tests.strategies import house_rules
from triomino.errors import RulesError
from triomino.ledger import meets_target
from triomino.rules import (
    CARD,
    CASUAL,
    CLASSIC,
    CLASSIC_HEBREW,
    EDITIONS,
    SIX_PLAYER,
    BridgeRule,
    Racks,
    Rules,
    Starter,
    TargetTest,
)
from triomino.tile import SET_56, SET_76, TILE_SETS

FOUR = {2: 9, 3: 7, 4: 7}
SIX = {2: 9, 3: 7, 4: 7, 5: 6, 6: 6}

# The closed list of fields, each with its value in: classic, classic-hebrew, six-player, card,
# casual. The casual target counts rounds won, so it is reached, at the end of a round.
TABLE: dict[str, tuple[Any, Any, Any, Any, Any]] = {
    "edition": ("classic", "classic-hebrew", "six-player", "card", "casual"),
    "tile_set": ("56", "56", "76", "56", "56"),
    "piece": ("tile", "tile", "tile", "card", "tile"),
    "round_won_by": ("points", "points", "points", "ending", "ending"),
    "racks": (FOUR, FOUR, SIX, FOUR, FOUR),
    "starter": ("draw_high", "draw_high", "draw_high", "highest_triple", "draw_high"),
    "start_redraw": ("tied_highest",) * 5,
    "next_starter": ("set_up",) * 5,
    "opening_draw": (False,) * 5,
    "starter_free_choice": (True, True, True, False, True),
    "triple_start_bonus": (0, 0, 0, 10, 0),
    "triple_zero_start": (None, None, None, 40, None),
    "start_tie": ("corners",) * 5,
    "scoring": (True, True, True, True, False),
    "placement_sum": ("all", "all", "all", "starter_only", "none"),
    "bridge_rule": ("strict",) * 5,
    "bridge_bonus": (40,) * 5,
    "hexagon_bonuses": ((50, 60, 70),) * 5,
    "bonus_stacking": ("exclusive",) * 5,
    "draw_cost": (5, 5, 5, 0, 0),
    "max_draws": (3, 3, 3, 3, 1),
    "draw_ends_turn": (False, False, False, False, True),
    "no_play_extra": (10, 10, 10, 0, 0),
    "no_play_extra_when": (
        "if_unplaced", "on_last_draw", "if_unplaced", "if_unplaced", "if_unplaced",
    ),
    "voluntary_draw": ("first_only", "first_only", "first_only", "never", "never"),
    "after_draw_play": ("any",) * 5,
    "must_place_after_last_draw": (True, True, True, False, False),
    "may_keep": (False, False, False, True, False),
    "draw_obligation": ("until_playable_or_max",) * 5,
    "empty_pool_pass": ("only_if_unable",) * 5,
    "empty_pool_penalty": (0,) * 5,
    "out_bonus": (25, 25, 25, 25, 0),
    "out_takes_opponents": (True, True, True, True, False),
    "blocked": (
        "subtract_own", "subtract_own", "subtract_own", "lowest_takes_others", "fewest_tiles",
    ),
    "blocked_tie": ("each",) * 5,
    "blocked_when": ("pool_empty_nobody_able",) * 5,
    "floor_at_zero": (False,) * 5,
    "target": (None, None, None, 200, None),
    "target_test": (">", ">=", ">", ">=", ">="),
    "target_latch": ("any_moment", "any_moment", "any_moment", "round_end", "round_end"),
    "final_round": ("current",) * 5,
    "match_tie": ("shared",) * 5,
}  # fmt: skip

# The values of every field that has names for them; those after the bar are not built yet.
WORDS = {
    "piece": "tile card |",
    "round_won_by": "points ending |",
    "starter": "draw_high highest_triple |",
    "start_redraw": "tied_highest all |",
    "next_starter": "set_up rotate_left round_winner |",
    "start_tie": "corners | next_highest seat_order redeal",
    "placement_sum": "all starter_only none |",
    "bridge_rule": "strict one_free_side three_corners apex_contact |",
    "bonus_stacking": "exclusive | additive",
    "no_play_extra_when": "if_unplaced on_last_draw |",
    "voluntary_draw": "first_only never always |",
    "after_draw_play": "any drawn_only |",
    "draw_obligation": "until_playable_or_max one_then_optional |",
    "empty_pool_pass": "only_if_unable voluntary |",
    "blocked": "subtract_own lowest_takes_others fewest_tiles lowest_takes_others_minus_own"
    " lowest_takes_differences fewest_tiles_takes_others |",
    "blocked_tie": "each losers_only none fewest_tiles |",
    "blocked_when": "pool_empty_nobody_able all_pass |",
    "target_test": "> >= |",
    "target_latch": "any_moment round_end |",
    "final_round": "current | next",
    "match_tie": "shared extra_round | went_out_last",
}
BUILT = [(name, word) for name, row in WORDS.items() for word in row.split("|")[0].split()]
LATER = [(name, word) for name, row in WORDS.items() for word in row.split("|")[1].split()]
FLAGS = [name for name, row in TABLE.items() if isinstance(row[0], bool)]
NUMBERS = [name for name, row in TABLE.items() if type(row[3]) is int]
NO_FLAGS: list[object] = [0, 1, "true", "yes", None, []]
NO_EDITIONS: list[object] = [None, 5, "", "CLASSIC", [], {}]
NO_RACKS: list[object] = [{}, 7, [9, 7, 7], None, "9"]


def refused(data: Any, reason: str) -> None:
    with pytest.raises(RulesError) as caught:
        Rules.read(data)
    assert reason in str(caught.value)
    assert "\n" not in str(caught.value)


# --- The table -----------------------------------------------------------------------------------


def test_the_fields_are_those_of_the_table_and_no_other() -> None:
    assert [item.name for item in fields(Rules)] == list(TABLE)


@pytest.mark.parametrize("index", range(5))
def test_every_edition_has_the_values_of_the_table(index: int) -> None:
    rules = (CLASSIC, CLASSIC_HEBREW, SIX_PLAYER, CARD, CASUAL)[index]
    values = {name: getattr(rules, name) for name in TABLE}
    values["racks"] = dict(rules.racks)
    assert values == {name: row[index] for name, row in TABLE.items()}
    assert list(EDITIONS)[index] == rules.edition
    assert EDITIONS[rules.edition] is rules
    assert Rules.read(rules.edition) == rules


def test_the_defaults_are_the_classic_edition() -> None:
    assert Rules() == CLASSIC == Rules.read({})


def test_every_kind_of_field_is_covered_here() -> None:
    others = {"edition", "tile_set", "racks", "hexagon_bonuses"}
    assert {*WORDS, *FLAGS, *NUMBERS} | others == set(TABLE)


# --- Values --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "word"), BUILT)
def test_every_word_that_is_built_is_read(name: str, word: str) -> None:
    for form in (
        Rules.read({name: word}),
        Rules.from_toml(f'{name} = "{word}"'),
        CLASSIC.with_settings([f"{name}={word}"]),
        CLASSIC.with_settings([f' {name} = "{word}" ']),
    ):
        value = getattr(form, name)
        assert value == word
        assert type(value) is type(getattr(CLASSIC, name))


@pytest.mark.parametrize(("name", "word"), LATER)
def test_a_word_without_code_is_refused_as_not_built_yet(name: str, word: str) -> None:
    refused({name: word}, f"{name}: '{word}' is not built yet")


@pytest.mark.parametrize("name", WORDS)
@pytest.mark.parametrize("value", ["", "Strict", "no such word", None, True, 7, ["all"], {"a": 1}])
def test_another_word_is_refused(name: str, value: object) -> None:
    refused({name: value}, f"{name}: unknown value")


@pytest.mark.parametrize(
    ("data", "hint"),
    [
        ({"bridge_rul": "strict"}, "unknown rule 'bridge_rul'; did you mean 'bridge_rule'?"),
        ({"hexagon_bonus": 1}, "did you mean 'hexagon_bonuses'?"),
        ({"Target": 400}, "did you mean 'target'?"),
        ({"bridge_rule": "three_corner"}, "did you mean 'three_corners'?"),
        ({"blocked": "lowest_take_others"}, "did you mean 'lowest_takes_others'?"),
        ({"starter": "zzz"}, "known: 'draw_high', 'highest_triple'"),
        ({"tile_set": "57"}, "tile_set: unknown value '57'"),
        ({"edition": "clasic"}, "edition: unknown value 'clasic'; did you mean 'classic'?"),
        ("six-players", "did you mean 'six-player'?"),
        ("chess", "known: 'classic', 'classic-hebrew', 'six-player', 'card', 'casual'"),
        # Options that some sources know and this list does not.
        ({"card_match": "one_number"}, "unknown rule 'card_match'"),
        ({"rack": 6}, "did you mean 'racks'?"),
    ],
)
def test_an_unknown_name_is_refused_with_the_nearest_known_one(data: object, hint: str) -> None:
    refused(data, hint)


def test_a_settings_name_is_held_to_the_same_list() -> None:
    with pytest.raises(RulesError, match="did you mean 'target'"):
        CLASSIC.with_settings(["targt=400"])
    with pytest.raises(RulesError, match="did you mean 'target'"):
        Rules.from_toml("targt = 400")


@pytest.mark.parametrize("name", FLAGS)
def test_a_flag_is_true_or_false_and_nothing_else(name: str) -> None:
    for value, text in ((True, "true"), (False, "false")):
        assert getattr(Rules.read({name: value}), name) is value
        assert getattr(Rules.from_toml(f"{name} = {text}"), name) is value
        assert getattr(CLASSIC.with_settings([f"{name}={text}"]), name) is value
    for wrong in NO_FLAGS:
        refused({name: wrong}, f"{name}: {wrong!r} is neither true nor false")


@pytest.mark.parametrize("name", NUMBERS)
def test_a_number_is_whole_and_not_negative(name: str) -> None:
    for value in (1, 15, 76):
        assert getattr(Rules.read({name: value}), name) == value
        assert getattr(Rules.from_toml(f"{name} = {value}"), name) == value
        assert getattr(CLASSIC.with_settings([f"{name}={value}"]), name) == value
    for wrong in (-1, 2.0, "5", True, False, [5], 10**9):
        refused({name: wrong}, f"{name}: {wrong!r} is no whole number from")


@pytest.mark.parametrize("name", ["target", "max_draws"])
def test_a_target_and_a_number_of_draws_are_at_least_one(name: str) -> None:
    refused({name: 0}, f"{name}: 0 is no whole number from 1")


@pytest.mark.parametrize("name", [name for name in NUMBERS if name not in {"target", "max_draws"}])
def test_points_may_be_zero(name: str) -> None:
    assert getattr(Rules.read({name: 0}), name) == 0


@pytest.mark.parametrize("name", NUMBERS)
def test_none_is_said_in_every_form_where_it_is_a_value(name: str) -> None:
    if name not in {"target", "triple_zero_start"}:
        refused({name: None}, f"{name}: None is no whole number")
        refused({name: "none"}, f"{name}: 'none' is no whole number")
        return
    assert getattr(CARD, name) is not None
    for form in (
        Rules.read({"edition": "card", name: None}),
        Rules.from_toml(f'edition = "card"\n{name} = "none"'),
        CARD.with_settings([f"{name}=none"]),
    ):
        assert getattr(form, name) is None


def test_three_hexagon_bonuses() -> None:
    for form in (
        Rules.read({"hexagon_bonuses": [50, 100, 150]}),
        Rules.from_toml("hexagon_bonuses = [50, 100, 150]"),
        CLASSIC.with_settings(["hexagon_bonuses = [50, 100, 150]"]),
    ):
        assert form.hexagon_bonuses == (50, 100, 150)
    for wrong in (50, [50], [50, 60, 70, 80], "50", {"1": 50}, None):
        refused({"hexagon_bonuses": wrong}, "is no list of three numbers")
    refused({"hexagon_bonuses": [50, -60, 70]}, "hexagon_bonuses: -60 is no whole number")


def test_racks_are_a_map_of_players_to_tiles() -> None:
    for form in (
        Rules.read({"racks": {5: 6, 2: 8}}),
        Rules.read({"racks": {"5": 6, "2": 8}}),
        Rules.from_toml("[racks]\n5 = 6\n2 = 8"),
        CLASSIC.with_settings(["racks={5 = 6, 2 = 8}"]),
    ):
        assert list(form.racks.items()) == [(2, 8), (5, 6)]
    for wrong in NO_RACKS:
        refused({"racks": wrong}, f"racks: {wrong!r} is no map of players to tiles")
    for players in ("1", "7", "two", 2.0, True):
        refused({"racks": {players: 5}}, "a round has 2 to 6")
    for size in (0, -1, 39, "9", True):
        refused({"racks": {2: size}}, "racks: ")


@pytest.mark.parametrize("name", list(TILE_SETS))
def test_a_set_of_tiles_by_its_name(name: str) -> None:
    """The small ones need racks that they can fill."""
    racks = {2: 1} if len(TILE_SETS[name]) < 56 else {2: 9}
    rules = Rules.read({"tile_set": name, "racks": racks})
    assert rules.tiles == TILE_SETS[name]
    assert len(rules.tiles) == int(name)
    mirrored = {tuple(sorted(tile.numbers)) for tile in rules.tiles}
    assert rules.has_mirror_images == (len(mirrored) < len(rules.tiles))


def test_an_edition_is_a_name_of_the_list() -> None:
    for wrong in NO_EDITIONS:
        refused({"edition": wrong}, "edition: unknown value")


# --- Forms ---------------------------------------------------------------------------------------


def test_a_file_starts_from_its_edition_or_from_the_one_given() -> None:
    assert Rules.from_toml("target = 400", "classic-hebrew") == replace(CLASSIC_HEBREW, target=400)
    assert Rules.from_toml('edition = "card"', "classic-hebrew") == CARD
    assert Rules.from_toml("") == CLASSIC
    with pytest.raises(RulesError, match="this is not TOML"):
        Rules.from_toml("target == 400")


def test_settings_are_applied_to_the_rules_they_are_given_to() -> None:
    rules = CARD.with_settings(["target_test=>", "placement_sum=all", "target = 150"])
    assert rules.changes == {
        "edition": "card",
        "placement_sum": "all",
        "target": 150,
        "target_test": ">",
    }
    assert CARD.with_settings([]) == CARD
    with pytest.raises(RulesError, match="'target' is no setting"):
        CLASSIC.with_settings(["target"])


@given(house_rules())
def test_every_field_is_written_and_read_back(rules: Rules) -> None:
    data = json.loads(json.dumps(rules.to_json()))
    assert list(data) == list(TABLE)
    assert Rules.from_json(data) == rules


@pytest.mark.parametrize("name", [*TABLE])
def test_whole_rules_lack_nothing(name: str) -> None:
    data = CLASSIC.to_json()
    del data[name]
    with pytest.raises(RulesError, match=f"missing: {name}$"):
        Rules.from_json(data)


def test_whole_rules_have_nothing_unknown() -> None:
    with pytest.raises(RulesError, match="unknown rule 'frob'"):
        Rules.from_json(CLASSIC.to_json() | {"frob": 1})
    for wrong in ("classic", None, 5, ["classic"]):
        with pytest.raises(RulesError, match="every rule is needed"):
            Rules.from_json(wrong)


def test_changes_are_what_differs_from_the_edition() -> None:
    for name, rules in EDITIONS.items():
        assert rules.changes == {"edition": name}
    changed = replace(
        SIX_PLAYER,
        bridge_rule=BridgeRule.ONE_FREE_SIDE,
        racks=Racks.of({2: 10}),
        hexagon_bonuses=(1, 2, 3),
        scoring=False,
        target=300,
    )
    assert (
        changed.changes
        == json.loads(json.dumps(changed.changes))
        == {
            "edition": "six-player",
            "bridge_rule": "one_free_side",
            "racks": {"2": 10},
            "hexagon_bonuses": [1, 2, 3],
            "scoring": False,
            "target": 300,
        }
    )


@given(house_rules(least_changes=1))
@example(replace(CARD, target=None, triple_zero_start=None))
@example(replace(CARD, starter=Starter.DRAW_HIGH, target_test=TargetTest.EXCEED))
def test_changes_are_read_back(rules: Rules) -> None:
    assert Rules.read(rules.changes) == rules
    assert Rules.read(json.loads(json.dumps(rules.changes))) == rules
    assert "edition" in rules.changes
    base = EDITIONS[rules.edition]
    for name in rules.changes:
        assert name == "edition" or getattr(rules, name) != getattr(base, name)


@given(house_rules())
def test_rules_are_values(rules: Rules) -> None:
    copy = pickle.loads(pickle.dumps(rules))  # noqa: S301 - our own bytes
    assert copy == rules
    assert hash(copy) == hash(rules)
    assert {rules: 1}[Rules.read(rules.changes)] == 1
    with pytest.raises(FrozenInstanceError):
        rules.target = 1  # type: ignore[misc]


# --- Together ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "needed"),
    [
        ({"racks": {2: 28}}, 63),
        ({"racks": {4: 14}}, 65),
        ({"edition": "card", "racks": {2: 29}}, 58),
        ({"edition": "card", "racks": {2: 28}, "starter": "draw_high"}, 63),
        ({"edition": "six-player", "racks": {6: 12}}, 86),
        ({"edition": "six-player", "racks": {6: 10}, "tile_set": "56"}, 71),
    ],
)
def test_racks_that_the_set_cannot_fill_are_refused(data: dict[str, Any], needed: int) -> None:
    refused(data, f"tiles each need {needed} tiles")


def test_racks_that_take_the_whole_set_are_allowed_where_nobody_draws_for_the_start() -> None:
    assert Rules.read({"edition": "card", "racks": {2: 28}}).racks[2] == 28


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_players_an_edition_is_for(edition: str) -> None:
    rules = EDITIONS[edition]
    most = 6 if edition == "six-player" else 4
    for players in range(2, most + 1):
        rules.check_players(players)
    for players in (0, 1, most + 1, 7):
        with pytest.raises(RulesError, match=f"player count: .* not {players}"):
            rules.check_players(players)


def test_the_tiles_follow_from_the_set() -> None:
    assert CLASSIC.tiles == SET_56
    assert SIX_PLAYER.tiles == SET_76


@pytest.mark.parametrize(
    ("test", "target", "expected"),
    [
        (">", 400, [False, False, True]),
        (">=", 400, [False, True, True]),
        (">", None, [False, False, False]),
        (">=", None, [False, False, False]),
    ],
)
def test_a_target_is_passed_or_reached(test: str, target: int | None, expected: list[bool]) -> None:
    rules = Rules.read({"target": target, "target_test": test})
    assert [meets_target(rules, total) for total in (399, 400, 401)] == expected


def test_who_ends_the_round_wins_it_in_the_card_game_and_where_no_points_are_kept() -> None:
    named = {name for name, rules in EDITIONS.items() if rules.wins_by_ending}
    assert named == {"card", "casual"}
    assert replace(CLASSIC, scoring=False).wins_by_ending


def test_racks_are_a_mapping_that_does_not_depend_on_order() -> None:
    racks = Racks.of({4: 7, 2: 9})
    assert dict(racks) == {2: 9, 4: 7}
    assert (racks[2], len(racks), 3 in racks, racks.get(3)) == (9, 2, False, None)
    assert racks == Racks.of({2: 9, 4: 7})
    with pytest.raises(KeyError):
        racks[3]


def test_the_draw_for_the_start_must_be_able_to_end() -> None:
    # A pool of two equal values would be drawn from for ever.
    refused({"racks": {2: 27}}, "need 61 tiles")
    assert Rules.read({"racks": {2: 24}}).racks[2] == 24


def test_an_edition_is_chosen_first_and_not_changed_to() -> None:
    with pytest.raises(RulesError, match="edition: these rules start from classic"):
        CLASSIC.with_settings(["edition=card"])
    assert CLASSIC.with_settings(["edition=classic"]) == CLASSIC


@pytest.mark.parametrize("data", [5, None, [1], {5: 3}])
def test_what_is_no_table_is_refused(data: object) -> None:
    refused(data, "table of rules is needed")


def test_a_setting_is_one_value() -> None:
    with pytest.raises(RulesError, match="tile_set: unknown value"):
        CLASSIC.with_settings(["tile_set=56\ntarget=5"])


def test_racks_equal_any_mapping() -> None:
    assert CLASSIC.racks == {2: 9, 3: 7, 4: 7}
    assert hash(CLASSIC.racks) == hash(Rules().racks)
