"""The rule book: the text says what the data say, all of it and nothing else."""

from __future__ import annotations

import re
from dataclasses import fields
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

from tests.play import random_game, random_match
from triomino import EDITIONS, Draw, Rules, Tile
from triomino.board import Board
from triomino.judge import judge
from triomino.record import record_of
from triomino.rulebook import (
    FIGURED,
    FIGURES,
    TOURNAMENT,
    changes,
    deals,
    rulebook,
)
from triomino.rulebook.chapters import CHAPTERS
from triomino.rules import NOT_BUILT, Racks
from triomino.scoring import blocked_scores, blocked_winners
from triomino.words import CARD, Words, languages, texts

if TYPE_CHECKING:
    from collections.abc import Iterator
    from enum import StrEnum

    from triomino.rulebook import Line

NAMES = [item.name for item in fields(Rules) if item.name != "edition"]


def prose(rules: Rules, language: str = "en") -> str:
    """All that is said in words, without the list of fields."""
    words = Words(language, cards=rules.speaks_of_cards)
    lines = [words.say(line.key, **line.values) for page in rulebook(rules) for line in page.lines]
    return "\n".join([*lines, str(deals(rules))])


def values(rules: Rules, name: str) -> Iterator[Any]:
    """Every other value that a field may have; of numbers, some."""
    now = getattr(rules, name)
    choices: list[Any]
    if isinstance(now, str):
        kind: type[StrEnum] = type(now)  # type: ignore[assignment]  # all texts here are enums
        choices = [value for value in kind if value not in NOT_BUILT]
        if name == "tile_set":
            # The small sets need smaller racks; they have a test of their own.
            choices = [value for value in choices if value in COUNTED]
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
    ("casual", "round_won_by"),
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
            assert other.plies == usual.plies
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


def lines_of(rules: Rules) -> dict[str, dict[str, int | str]]:
    return {line.key: line.values for chapter in rulebook(rules) for line in chapter.lines}


@pytest.mark.parametrize(
    ("setting", "told", "untold"),
    [
        # A draw that ends the turn is the only one of it, and nothing was paid before a pass.
        ("draw_ends_turn=true", "rules.draw.once", "rules.draw.always"),
        ("draw_ends_turn=true", "rules.draw.cost", "rules.pass.paid"),
        ("draw_ends_turn=true", "rules.draw.ends", "rules.draw.goOn"),
        # One who has drawn and can play must, so only the first draw is a choice.
        ("max_draws=2", "rules.draw.thenPlay", "rules.draw.firstOnly"),
        ("after_draw_play=drawn_only", "rules.draw.thenPlayDrawn", "rules.draw.afterDrawn"),
        ("no_play_extra=2", "rules.draw.extraOver", "rules.draw.over"),
        ("no_play_extra=0", "rules.draw.over", "rules.draw.extraOver"),
        ("voluntary_draw=never", "rules.draw.thenPlay", "rules.draw.once"),
        # Otherwise what one may do after a draw is told step by step.
        ("must_place_after_last_draw=false", "rules.draw.firstOnly", "rules.draw.thenPlay"),
        ("must_place_after_last_draw=false", "rules.draw.extra", "rules.draw.extraOver"),
        ("may_keep=true", "rules.draw.firstOnly", "rules.draw.once"),
        ("draw_obligation=one_then_optional", "rules.draw.firstOnly", "rules.draw.once"),
        # Drawing on although one could play leads somewhere.
        ("voluntary_draw=always", "rules.draw.alwaysLeads", "rules.draw.thenPlay"),
        ("voluntary_draw=always max_draws=1", "rules.draw.once", "rules.draw.alwaysLeads"),
        # Where the fewest tiles take it, they cannot decide a tie of theirs.
        (
            "blocked=fewest_tiles_takes_others blocked_tie=fewest_tiles",
            "rules.blocked.tie.each",
            "rules.blocked.tie.fewest_tiles",
        ),
        (
            "blocked=lowest_takes_others blocked_tie=fewest_tiles",
            "rules.blocked.tie.fewest_tiles",
            "rules.blocked.tie.each",
        ),
        (
            "scoring=false blocked=lowest_takes_others blocked_tie=fewest_tiles",
            "rules.blocked.free.lowestFewest",
            "rules.blocked.free.lowest",
        ),
        ("max_draws=1", "rules.draw.single", "rules.draw.goOn"),
        (
            "may_keep=true must_place_after_last_draw=true",
            "rules.draw.keepNotLast",
            "rules.draw.over",
        ),
        ("empty_pool_penalty=3", "rules.blocked.lap", "rules.blocked.empty"),
        # The highest score does not win a single round that goes to whoever ended it.
        ("round_won_by=ending", "rules.win.single.endingTotal", "rules.aim.highest"),
        ("round_won_by=ending target=9", "rules.aim.highest", "rules.win.single.endingTotal"),
        ("target=9", "rules.win.round.points", "rules.win.round.ending"),
        ("round_won_by=ending target=9", "rules.win.round.endingPoints", "rules.win.round.points"),
    ],
)
def test_rules_that_come_together(setting: str, told: str, untold: str) -> None:
    lines = lines_of(EDITIONS["classic"].with_settings(setting.split()))
    assert told in lines
    assert untold not in lines


@pytest.mark.parametrize(("most", "price"), [(1, 15), (3, 5)])
def test_a_draw_that_ends_the_turn_costs_what_it_costs_in_play(most: int, price: int) -> None:
    rules = EDITIONS["classic"].with_changes({"draw_ends_turn": True, "max_draws": most})
    assert lines_of(rules)["rules.draw.cost"] == {"cost": price}
    paid = {
        -ply.points
        for seed in range(30)
        for ply in random_game(rules, 2, seed).plies
        if isinstance(ply.move, Draw)
    }
    assert paid == {price}


@pytest.mark.parametrize(
    ("blocked", "said"), [("subtract_own", "endingTotal"), ("fewest_tiles", "ending")]
)
def test_who_wins_a_single_card_game(blocked: str, said: str) -> None:
    rules = EDITIONS["card"].with_changes({"target": None, "blocked": blocked})
    found = [key for key in lines_of(rules) if key.startswith("rules.win.single.")]
    assert found == [f"rules.win.single.{said}"]


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
TRIPLES = ("5-5-5", "0-0-0")
NUMBER = re.compile(r"\d+(?:[.,\u00a0\u202f’]\d{3}(?!\d))*")


def numbers(text: str) -> list[int]:
    """All numbers that a text states, whatever stands between thousands."""
    for triple in TRIPLES:
        text = text.replace(triple, "")
    return [int(re.sub(r"\D", "", word)) for word in NUMBER.findall(text)]


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("when", ["if_unplaced", "on_last_draw"])
def test_every_number_in_the_text_comes_from_the_rules(
    edition: str, when: str, language: str
) -> None:
    rules = EDITIONS[edition].with_changes(
        ODD | {"scoring": True, "draw_ends_turn": False, "no_play_extra_when": when}
    )
    flat = {101, 103, 107, 109, 113, 127, 131, 17, 139, 149, 151, 157}
    table = {2, 13, len(rules.tiles) - 26}
    in_all = {17 * 131 + 139}
    assert {*numbers(prose(rules, language))} == flat | table | in_all | COUNTED[rules.tile_set]


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("edition", EDITIONS)
def test_every_edition_states_its_own_numbers_in_every_language(
    edition: str, language: str
) -> None:
    rules = EDITIONS[edition]
    expected = {value for row in deals(rules) for value in row} | COUNTED[rules.tile_set]
    expected |= {min(rules.racks), max(rules.racks)}
    if rules.scoring:
        expected |= {rules.bridge_bonus, *rules.hexagon_bonuses, rules.out_bonus}
        expected |= {rules.max_draws, rules.target or TOURNAMENT}
        if rules.draw_cost:
            in_all = rules.max_draws * rules.draw_cost + rules.no_play_extra
            expected |= {rules.draw_cost, rules.no_play_extra, in_all}
        if rules.triple_start_bonus:
            expected |= {rules.triple_start_bonus, rules.triple_zero_start or 0}
    assert {*numbers(prose(rules, language))} == expected


@pytest.mark.parametrize("language", languages())
def test_every_line_states_what_is_filled_in_and_no_other_number(language: str) -> None:
    for edition in EDITIONS:
        for line in every_line(edition):
            words = Words(language, cards=edition == "card")
            stated = numbers(words.say(line.key, **line.values))
            filled = [value for value in line.values.values() if isinstance(value, int)]
            counts = [*map(int, re.findall(r"\d+", str(line.values.get("counts", ""))))]
            fixed = [0] if line.key in FROM_ZERO else []
            assert sorted(stated) == sorted(filled + counts + fixed), line.key


@cache
def every_line(edition: str) -> list[Line]:
    """Every line that the book of an edition can have when one or two of its rules change."""
    base = EDITIONS[edition]
    seen: dict[str, Line] = {}
    for scoring in (True, False):
        for target in (None, 77):
            rules = base.with_changes({"scoring": scoring, "target": target})
            for name in NAMES:
                for value in [getattr(rules, name), *values(rules, name)]:
                    for chapter in rulebook(rules.with_changes({name: value})):
                        for line in chapter.lines:
                            seen.setdefault(repr(line), line)
    return [*seen.values()]


# These count from nothing.
FROM_ZERO = {"rules.tiles.count", "rules.tiles.value"}


def test_every_text_of_the_book_can_be_said() -> None:
    said = {line.key for edition in EDITIONS for line in every_line(edition)}
    written = {key.removesuffix(CARD) for key in texts("en") if key.startswith("rules.")}
    chapters = tuple(f"rules.{name}." for name in (*CHAPTERS, "players", "next"))
    heads = {f"rules.deal.{name}" for name in ("players", "each", "pool")}
    assert said == {key for key in written if key.startswith(chapters)} - heads


@pytest.mark.parametrize(
    ("tile_set", "highest", "mirrors"),
    [
        ("4", 1, False),
        ("10", 2, False),
        ("20", 3, False),
        ("35", 4, False),
        ("11", 2, True),
        ("24", 3, True),
        ("45", 4, True),
    ],
)
def test_the_book_of_a_small_set_says_what_is_in_it(
    tile_set: str, highest: int, mirrors: bool
) -> None:
    small = {"racks": {2: 1}, "tile_set": tile_set}
    rules = EDITIONS["classic"].with_changes(small)
    assert [change.name for change in changes(rules) if change.matters] == ["tile_set", "racks"]
    lines = lines_of(rules)
    assert lines["rules.tiles.count"] == {"count": int(tile_set), "highest": highest}
    assert lines["rules.tiles.value"] == {"most": 3 * highest}
    assert sum(map(int, lines["rules.tiles.kinds"].values())) == int(tile_set)
    assert ("rules.tiles.set76" in lines) is mirrors
    assert ("rules.tiles.set56" in lines) is not mirrors
    cards = EDITIONS["card"].with_changes(small)
    assert lines_of(cards)["rules.start.triple"]["high"] == str(Tile(highest, highest, highest))


def test_the_classic_numbers_stand_in_the_text() -> None:
    text = prose(EDITIONS["classic"])
    for said in (
        "A bridge earns a bonus of 40 points.",
        "Completing a hexagon earns a bonus of 50 points.",
        "a double hexagon, earns a bonus of 60 points in all.",
        "a triple hexagon, earns a bonus of 70 points in all.",
        "Every tile you draw costs 5 points at once.",
        "Even if you could play, you may draw a tile instead.",
        "You draw again only if none fits, up to 3 tiles in one turn.",
        "drawn 3 tiles, your turn is over, and that costs 10 points more: 25 in all.",
        "Going out earns 25 points, plus the value of all the tiles the others still hold.",
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


# --- Figures -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("first", 8),
        ("match", 6),
        ("next", 7),
        ("bridge", 51),
        ("hexagon", 61),
        ("double_hexagon", 72),
        ("triple_hexagon", 75),
        ("wrongSide", "corner_mismatch"),
        ("wrongCorner", "corner_mismatch"),
        ("wrongTouch", "no_shared_edge"),
    ],
)
def test_the_figures_have_their_printed_scores_or_are_wrong(name: str, said: int | str) -> None:
    figure = FIGURES[name]
    answer = judge(
        {"rules": "classic", "board": [*map(str, figure.board)], "place": str(figure.place)}
    )
    assert answer.get("points", answer["why"]) == said
    assert sum(name in shown for shown in FIGURED.values()) == 1


def test_a_figure_that_is_wrong_at_a_corner_has_a_side_that_fits() -> None:
    figure = FIGURES["wrongCorner"]
    board = Board.of(figure.board)
    a, b, _ = figure.place.cell.vertices
    numbers = figure.place.numbers
    assert [board.numbers[a], board.numbers[b]] == [numbers[0], numbers[1]]
