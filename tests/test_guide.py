"""The guide beside the rules: its answers, sums and figures are those of the rules."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias

import pytest
from hypothesis import given, settings

from tests.effort import count
from tests.strategies import house_rules
from tests.test_rulebook import NAMES, NUMBER, values
from triomino import EDITIONS, Board, Draw, End, Game, Pass, Place, Position, Rules, Tile
from triomino.errors import Why
from triomino.grid import Cell
from triomino.ledger import Ledger
from triomino.rulebook import (
    FIGURES,
    RACK_FIGURES,
    TOURNAMENT,
    Answer,
    Guide,
    Source,
    guide,
    paragraphs,
    rulebook,
)
from triomino.rulebook.guide import MISSES, fitting
from triomino.scoring import BONUSES, LEAST_TILES, Reason, Score, placement_scores
from triomino.words import CARD, Words, languages, texts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

Values: TypeAlias = "Mapping[str, int | str]"

HOUSE: list[tuple[str, dict[str, Any]]] = [
    ("classic", {}),
    ("classic-hebrew", {}),
    ("six-player", {}),
    ("card", {}),
    ("casual", {}),
    ("classic", {"voluntary_draw": "always"}),
    ("classic", {"voluntary_draw": "never"}),
    ("classic", {"after_draw_play": "drawn_only", "draw_cost": 7}),
    ("classic", {"draw_obligation": "one_then_optional"}),
    ("classic", {"draw_obligation": "one_then_optional", "empty_pool_pass": "voluntary"}),
    ("classic", {"empty_pool_pass": "voluntary", "empty_pool_penalty": 10}),
    ("classic", {"max_draws": 1}),
    ("classic", {"draw_ends_turn": True}),
    ("classic", {"floor_at_zero": True, "target": 500}),
    ("classic", {"draw_cost": 0, "floor_at_zero": True}),
    ("classic", {"draw_cost": 0, "blocked": "lowest_takes_others"}),
    ("casual", {"scoring": True, "no_play_extra": 1}),
    ("classic", {"draw_cost": 0}),
    ("classic", {"bridge_rule": "one_free_side"}),
    ("classic", {"bridge_rule": "three_corners", "bridge_bonus": 44}),
    ("classic", {"bridge_rule": "apex_contact"}),
    ("card", {"placement_sum": "all", "target": None, "target_latch": "any_moment"}),
    ("card", {"voluntary_draw": "always", "draw_cost": 3}),
    ("casual", {"scoring": True, "draw_cost": 2}),
]
BOARD = [Place.parse("U(0,0)=5-5-5")]
FITS = Place.parse("D(-1,0)=5-1-5")


def rules_of(edition: str, changes: dict[str, Any]) -> Rules:
    return EDITIONS[edition].with_changes(changes)


def game(rules: Rules, rack: str, pool: str = "", other: str = "0-0-3 4-4-4") -> Game:
    held = [[Tile.parse(one) for one in text.split()] for text in (rack, other)]
    drawn = [Tile.parse(one) for one in pool.split()]
    return Game.at(Position.of(held, drawn, rules=rules, board=BOARD))


def is_legal(rules: Rules, rack: str, pool: str, *moves: Any) -> bool:
    """Whether seat 0 may play the last of some moves, of which the others are legal."""
    played = game(rules, rack, pool)
    for move in moves[:-1]:
        played.play(move)
    return played.turn == 0 and played.why_not(moves[-1]) is None


ABLE, UNABLE, POOL = "1-5-5 0-0-1", "0-0-1 0-0-2", "2-2-2 2-2-3 2-2-4 3-3-3 3-3-4 0-1-1 0-1-2"


def claims(rules: Rules, answer: Answer) -> bool:
    """Whether what the sentence of an answer says is so, played out afresh."""
    name, word = answer.line.key.removeprefix("rules.may.").split(".")
    return CLAIMS[name](rules, word, answer.line.values)


def claim_able(rules: Rules, word: str, said: Values) -> bool:
    first = game(rules, ABLE, POOL)
    legal = first.why_not(Draw()) is None
    cost = -first.check(Draw()).points if legal else None
    return legal is (word == "yes") and said.get("cost") == cost


def claim_again(rules: Rules, word: str, said: Values) -> bool:
    again = is_legal(rules, UNABLE, POOL, Draw(), Draw())
    # Whoever can only play what was drawn is able if that fits.
    able = is_legal(rules, UNABLE, "1-5-5 " + POOL, Draw(), Draw())
    draws = [Draw()] * (rules.max_draws + 1)
    beyond = not rules.draw_ends_turn and is_legal(rules, UNABLE, POOL, *draws)
    expected = {"once": (False, False), "unable": (True, False), "always": (True, True)}
    most = None if word == "once" else rules.max_draws
    return (again, able) == expected[word] and not beyond and said.get("most") == most


def claim_older(rules: Rules, word: str, _: Values) -> bool:
    if word == "any":
        return is_legal(rules, ABLE, POOL, Draw(), FITS)
    if word == "drawnOnly":
        new = is_legal(rules, "0-0-1", "1-5-5 " + POOL, Draw(), FITS)
        return new and not is_legal(rules, ABLE, POOL, Draw(), FITS)
    if word == "never":
        return not is_legal(rules, ABLE, POOL, Draw())
    return game(rules, UNABLE, POOL).play(Draw()).passes_on


def claim_corner(_: Rules, word: str, __: Values) -> bool:
    board = Board.of([Place.parse("U(0,0)=1-3-4")])
    why = board.why_not(Place.parse("U(-1,1)=2-2-3"))
    return word == "no" and why is Why.NO_SHARED_EDGE


def claim_pass(rules: Rules, word: str, _: Values) -> bool:
    found = (
        is_legal(rules, UNABLE, POOL, Pass()),
        not rules.draw_ends_turn and is_legal(rules, UNABLE, POOL, Draw(), Pass()),
        is_legal(rules, UNABLE, "", Pass()),
        is_legal(rules, ABLE, "", Pass()),
    )
    return found == (False, word.startswith("drawn"), True, word.endswith("Any"))


def claim_bonuses(rules: Rules, word: str, said: Values) -> bool:
    two = FIGURES["double_hexagon"]
    scores = placement_scores(Board.of(two.board), 0, two.place, rules)
    bonuses = [score.points for score in scores if score.reason in BONUSES]
    return word == "no" and bonuses == [said["two"]]


def claim_zero(rules: Rules, word: str, _: Values) -> bool:
    drawn = game(rules, UNABLE, POOL)
    while drawn.turn == 0:
        drawn.play(next(move for move in (Draw(), End(), Pass()) if drawn.why_not(move) is None))
    blocked = game(rules, UNABLE, "")
    while blocked.end is None:
        blocked.play(Pass())
    below = min(*drawn.totals, *blocked.totals) < 0
    unfloored = rules.with_changes({"floor_at_zero": False})
    could = below if rules == unfloored else claim_zero(unfloored, "yes", {})
    return {"yes": below, "floor": could and not below, "never": not could}[word]


def claim_sides(rules: Rules, word: str, said: Values) -> bool:
    gap = FIGURES["missSides"]
    scores = placement_scores(Board.of(gap.board), 0, gap.place, rules)
    bridge = any(score.reason is Reason.BRIDGE for score in scores)
    total = sum(score.points for score in scores)
    return bridge is (word == "yes") and said == {"points": total}


def claim_empty(rules: Rules, word: str, said: Values) -> bool:
    cost = -game(rules, UNABLE, "", "2-5-5 0-0-3").check(Pass()).points
    free = is_legal(rules, ABLE, "", Pass())
    return free is (word == "any") and said == {"cost": cost}


CLAIMS: dict[str, Callable[[Rules, str, Values], bool]] = {
    "able": claim_able,
    "again": claim_again,
    "older": claim_older,
    "corner": claim_corner,
    "pass": claim_pass,
    "bonuses": claim_bonuses,
    "zero": claim_zero,
    "sides": claim_sides,
    "empty": claim_empty,
}


@pytest.mark.parametrize(("edition", "changes"), HOUSE)
def test_the_answers_are_those_of_the_rules(edition: str, changes: dict[str, Any]) -> None:
    rules = rules_of(edition, changes)
    found = guide(rules).answers
    asked = ["able", "again", "older", "corner", "pass", "bonuses", "zero", "sides", "empty"]
    without = [name for name in asked if name not in {"bonuses", "zero", "sides"}]
    assert [answer.name for answer in found] == (asked if rules.scoring else without)
    for answer in found:
        assert claims(rules, answer), answer.line
        said = Words("en", cards=rules.speaks_of_cards).say(answer.line.key, **answer.line.values)
        if said.startswith(("Yes", "No")):
            assert answer.yes is said.startswith("Yes"), said
        assert answer.figure in FIGURES or answer.figure in RACK_FIGURES
        assert answer.tries
        if answer.name not in {"bonuses", "zero", "sides"}:
            # The first move to try is the one that the question asks about.
            assert (answer.tries[0].why is None) is answer.yes


@settings(max_examples=count(300, least=30))
@given(house_rules())
def test_any_house_rules_have_a_guide_whose_answers_are_right(rules: Rules) -> None:
    found = guide(rules)
    assert len(found.minute) == 5
    assert set(paragraphs(rules)) == set(Why)
    # The claims are played out with the tiles of the large sets, by two.
    size = "76" if rules.has_mirror_images else "56"
    known = rules.with_changes({"tile_set": size, "racks": {2: 9}})
    for answer in found.answers:
        assert claims(known, answer), answer.line
    for one in found.sums:
        assert one.start + sum(one.parts) == one.total


def test_an_answer_is_printed_or_a_reading_or_a_house_rule() -> None:
    sources = {
        edition: {a.name: a.source for a in guide(rules).answers}
        for edition, rules in EDITIONS.items()
    }
    assert sources["classic"]["able"] is Source.PRINTED
    assert sources["classic"]["sides"] is Source.PRINTED
    assert sources["classic-hebrew"]["sides"] is Source.READING
    assert sources["card"]["able"] is Source.READING
    assert sources["casual"]["older"] is Source.PRINTED
    assert Source.HOUSE not in {one for of in sources.values() for one in of.values()}
    house = guide(rules_of("classic", {"voluntary_draw": "never"})).answers
    changed = [answer.name for answer in house if answer.source is Source.HOUSE]
    assert changed == ["able", "older"]


# --- Sums ----------------------------------------------------------------------------------------


def totals(edition: str, changes: dict[str, Any] | None = None) -> dict[str, tuple[int, int]]:
    return {
        f"{one.line.key.removeprefix('rules.sum.')} {one.line.values.get('count', '')}".strip(): (
            one.start,
            one.total,
        )
        for one in guide(rules_of(edition, changes or {})).sums
    }


def test_the_sums_of_the_printed_rules() -> None:
    assert totals("classic") == {
        "draws 1": (20, 26),
        "draws 2": (20, 21),
        "draws 3": (20, 16),
        "none 3": (20, -5),
        "out": (50, 96),
        "blocked": (50, 43),
        "blockedOther": (40, 28),
        "latch.exceed": (390, 391),
    }
    hebrew = totals("classic-hebrew")
    assert hebrew["draws 3"] == (20, 6)
    assert hebrew["none 3"] == (20, -5)
    assert hebrew["latch.reach"] == (389, 390)
    cards = guide(EDITIONS["card"]).sums
    assert [(one.start, one.parts, one.total) for one in cards] == [
        (0, (12, 10), 22),
        (0, (40,), 40),
        (50, (25, 10), 85),
        (50, (12,), 62),
        (163, (25, 12), 200),
    ]
    assert guide(EDITIONS["casual"]).sums == ()


@pytest.mark.parametrize(("edition", "changes"), HOUSE)
def test_every_sum_adds_up_and_the_target_is_met_as_it_says(
    edition: str, changes: dict[str, Any]
) -> None:
    rules = rules_of(edition, changes)
    for one in guide(rules).sums:
        assert one.start + sum(one.parts) == one.total
        assert 0 not in one.parts
        if ".latch." not in one.line.key:
            continue
        known = rules.with_changes({"target": rules.target or TOURNAMENT})
        ledger = Ledger.open(known, 2, totals=(one.start, 0))
        assert not ledger.is_last_round
        ledger = ledger.after([Score(0, Reason.TILE, one.parts[0])])
        assert ledger.is_last_round
        assert ledger.totals[0] == one.line.values["top"]
        for part in one.parts[1:]:
            ledger = ledger.after([Score(0, Reason.DRAW, part)])
        assert ledger.is_last_round
        assert ledger.totals[0] == one.total < int(one.line.values["target"])


# --- Figures and advice --------------------------------------------------------------------------


def test_near_misses_are_none_or_not_allowed() -> None:
    for edition, rules in EDITIONS.items():
        names = guide(rules).misses
        assert names == (("missTip",) if edition == "casual" else MISSES)
    assert Board.of(FIGURES["missTip"].board).why_not(FIGURES["missTip"].place) is (
        Why.CORNER_MISMATCH
    )
    for name, points in (("missEnd", 7), ("missSides", 14), ("missFive", 11)):
        scores = placement_scores(
            Board.of(FIGURES[name].board), 0, FIGURES[name].place, EDITIONS["classic"]
        )
        assert [(score.reason, score.points) for score in scores] == [(Reason.TILE, points)]
    # Under other rules the gap is a bridge, and so no near miss.
    assert "missSides" not in guide(rules_of("classic", {"bridge_rule": "three_corners"})).misses


def test_how_many_tiles_fit_an_open_side() -> None:
    for p in range(6):
        for q in range(6):
            ordered = 6 if p == q else q - p + 1 if p < q else (6 - p) + (q + 1)
            assert fitting(EDITIONS["classic"])[p, q] == ordered
            assert fitting(EDITIONS["six-player"])[p, q] == 6
    # The board agrees: every tile of the set is tried on one open side.
    board = Board.of([Place.parse("U(0,0)=1-3-4")])
    cell = Cell(-1, 0, True)
    laid = {
        place.tile
        for tile in EDITIONS["classic"].tiles
        for place in (Place(cell, numbers) for numbers in turned(tile))
        if board.why_not(place) is None
    }
    assert len(laid) == fitting(EDITIONS["classic"])[1, 3]


def turned(tile: Tile) -> list[tuple[int, int, int]]:
    a, b, c = tile.numbers
    return [(a, b, c), (b, c, a), (c, a, b)]


def test_no_hexagon_comes_before_the_sixth_tile_and_no_bridge_before_the_ninth() -> None:
    hexagon, bridge = FIGURES["hexagon"], FIGURES["bridge"]
    assert (len(hexagon.board) + 1, len(bridge.board) + 1) == (6, 9)
    assert LEAST_TILES[Reason.HEXAGON] == 6
    assert LEAST_TILES[Reason.BRIDGE] == 9
    # Six cells meet at a point. A bridge needs a chain from its base round to its tip: the
    # shortest one that leaves the tile and its two free sides empty is looked for.
    tile = Cell(0, 0, False)
    for edge in range(3):
        base, *flanks = [tile.neighbours[(edge + turn) % 3] for turn in range(3)]
        tip = tile.vertices[(edge + 2) % 3]
        seen, ring, steps = {tile, base, *flanks}, [base], 1
        while not any(tip in cell.vertices for cell in ring):
            ring = [
                next_
                for cell in ring
                for next_ in cell.neighbours
                if next_ not in seen and not seen.add(next_)  # type: ignore[func-returns-value]
            ]
            steps += 1
        assert steps + 1 == LEAST_TILES[Reason.BRIDGE]


# --- Texts ---------------------------------------------------------------------------------------


def lines_of(found: Guide) -> Iterator[Any]:
    yield from found.minute
    yield from (row.line for row in found.scores)
    yield from (answer.line for answer in found.answers)
    yield from (one.line for one in found.sums)
    yield from found.advice
    yield from found.leaflet


@cache
def house_guides() -> list[tuple[Rules, Guide]]:
    found = [rules_of(edition, changes) for edition, changes in HOUSE]
    return [(rules, guide(rules)) for rules in found]


@pytest.mark.parametrize("language", languages())
def test_every_line_states_the_numbers_that_are_filled_in(language: str) -> None:
    for rules, found in house_guides():
        words = Words(language, cards=rules.speaks_of_cards)
        for line in lines_of(found):
            said = re.sub(r"\d-\d-\d", "", words.say(line.key, **line.values))
            stated = [int(re.sub(r"\D", "", number)) for number in NUMBER.findall(said)]
            filled = [abs(value) for value in line.values.values() if isinstance(value, int)]
            # "Nothing" and "once" may be words.
            plain = sorted(value for value in filled if value)
            assert sorted(stated) in (plain, [value for value in plain if value != 1]), line.key


PARTS = ("minute", "glance", "may", "sum", "well", "leaflet", "source")


@cache
def every_guide() -> list[tuple[Rules, Guide]]:
    """The guides of every edition with one field changed, and of the house rules above."""
    found = [
        base.with_changes({name: value})
        for base in EDITIONS.values()
        for name in NAMES
        for value in values(base, name)
    ]
    return [*house_guides(), *((rules, guide(rules)) for rules in found)]


def test_every_text_of_the_guide_can_be_said_and_every_line_has_one() -> None:
    said = {"rules.may.allowed", "rules.may.allowedPoints"}
    said |= {f"rules.source.{source}" for source in Source}
    for _, found in every_guide():
        said |= {line.key for line in lines_of(found)}
        said |= {row.worth for row in found.scores if row.worth}
        said |= {answer.question for answer in found.answers}
        assert len(found.minute) == 5
    written = {key.removesuffix(CARD) for key in texts("en")}
    assert said <= written
    prefixes = tuple(f"rules.{part}." for part in PARTS)
    assert {key for key in written if key.startswith(prefixes)} <= said
    for name in ("minute", "glance", "may", "sums", "misses", "well", "leaflet"):
        assert f"rules.chapter.{name}" in written
    assert {f"rules.figure.{name}" for name in MISSES} <= written


def test_a_change_of_the_rules_changes_the_table_of_points() -> None:
    base = EDITIONS["classic"]
    rows = {row.line.key: row.points for row in guide(base).scores}
    assert rows == {
        "rules.glance.sum": None,
        "rules.figure.bridge": 40,
        "rules.figure.hexagon": 50,
        "rules.figure.double_hexagon": 60,
        "rules.figure.triple_hexagon": 70,
        "rules.glance.draw": -5,
        "rules.glance.extra": -10,
        "rules.chapter.out": 25,
        "rules.glance.others": None,
        "rules.chapter.blocked": None,
    }
    other = base.with_changes({"draw_cost": 8, "empty_pool_penalty": 3, "out_bonus": 0})
    rows = {row.line.key: row.points for row in guide(other).scores}
    assert (rows["rules.glance.draw"], rows["rules.chapter.pass"]) == (-8, -3)
    assert "rules.chapter.out" not in rows


def test_what_is_not_printed_is_called_our_reading() -> None:
    readings = {
        edition: [
            line.key.removeprefix("rules.leaflet.reading.")
            for line in guide(rules).leaflet
            if ".reading." in line.key
        ]
        for edition, rules in EDITIONS.items()
    }
    assert readings == {
        "classic": ["set56", "ties"],
        "classic-hebrew": ["set56", "bridge", "ties"],
        "six-player": ["set76", "ties"],
        "card": ["deck", "cards", "ties"],
        "casual": ["set56", "blocked", "ties"],
    }
    lenient = guide(rules_of("classic-hebrew", {"bridge_rule": "apex_contact"})).leaflet
    assert not any(line.key.endswith(".bridge") for line in lenient)


# --- Refusals ------------------------------------------------------------------------------------


def test_every_refusal_has_its_paragraph_under_all_rules() -> None:
    for rules, _ in every_guide():
        keys = {line.key: page.name for page in rulebook(rules) for line in page.lines}
        found = paragraphs(rules)
        assert set(found) == set(Why)
        for chapter, key in found.values():
            assert keys[key] == chapter


def test_the_paragraph_is_the_one_that_says_it() -> None:
    found = paragraphs(EDITIONS["classic"])
    assert found[Why.MUST_PLACE] == ("draw", "rules.draw.thenPlay")
    assert found[Why.CORNER_MISMATCH] == ("lay", "rules.lay.corners")
    assert found[Why.POOL_EMPTY] == ("pass", "rules.pass.unable")
    assert paragraphs(EDITIONS["card"])[Why.MUST_PLACE] == ("draw", "rules.draw.never")
