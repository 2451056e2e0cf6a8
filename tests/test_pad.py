"""The score pad: what follows from what people write down."""

from __future__ import annotations

import csv
import io
import random
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.padplay import NAMES, random_pad, written
from tests.play import random_match
from tests.strategies import house_rules
from triomino import pad
from triomino.errors import RecordError
from triomino.ledger import End, EndReason
from triomino.pad import (
    Caution,
    How,
    PadError,
    ScorePad,
    Turn,
    pad_from_csv,
    pad_to_csv,
    read_pad,
    write_pad,
)
from triomino.rules import CARD, CASUAL, CLASSIC, EDITIONS, NextStarter, Rules
from triomino.scoring import BONUSES, Left, Reason, Sum
from triomino.tile import Tile

if TYPE_CHECKING:
    from collections.abc import Iterable

    from triomino import Match


def tile(text: str) -> Tile:
    return Tile.parse(text)


def of(
    *entries: pad.Act, rules: Rules = CLASSIC, names: Iterable[str] = ("Ann", "Ben")
) -> ScorePad:
    now = ScorePad.start(rules, names)
    for entry in entries:
        now = now.write(entry)
    return now


# --- The same as a record ------------------------------------------------------------------------


def check_like_record(match: Match, dice: random.Random | None = None) -> None:
    """Every line of the match on a pad gives the totals of the record."""
    first = ScorePad.start(match.rules, [player.name for player in match.players])
    expected = list(written(match, dice))
    whole = ScorePad((*first.log, *(one.entry for one in expected)))
    sheet = whole.sheet
    assert [line.totals for line in sheet.lines[1:]] == [one.totals for one in expected]
    assert [line.cautions for line in sheet.lines if line.cautions] == []
    assert (sheet.ledger.is_over, sheet.ledger.winners) == (match.over, match.winners)
    assert sheet.ledger.is_last_round == match.is_last_round
    # At every end and at some lines between: whose turn it is, and how the round was won.
    ends = [number for number, one in enumerate(expected, 1) if one.ends]
    for number in {*range(1, len(expected), 17), *ends}:
        sheet = ScorePad(whole.log[: number + 1]).sheet
        assert sheet.ledger.is_over == (number == len(expected) and match.over)
        if number in ends:
            game = match.rounds[ends.index(number)]
            assert game.end is not None
            end = (game.end.reason, game.end.seats, game.winners)
            assert sheet.ledger.end == End(*end)
        else:
            following = expected[number].entry
            if isinstance(following, Turn):
                assert sheet.next == following.person


@pytest.mark.parametrize("edition", sorted(EDITIONS))
@pytest.mark.parametrize("seed", range(3))
def test_a_match_of_every_edition_has_the_totals_of_its_record(edition: str, seed: int) -> None:
    base = EDITIONS[edition]
    players = list(base.racks)[seed % len(base.racks)]
    target = base.target or (400 if base.scoring else 2)
    for rules in (replace(base, target=None), replace(base, target=target)):
        check_like_record(random_match(rules, players, seed), random.Random(seed))


@settings(max_examples=25)
@given(house_rules())
def test_a_match_of_any_house_rules_has_the_totals_of_its_record(rules: Rules) -> None:
    players = next(iter(rules.racks))
    match = random_match(rules, players, 5, most=3)
    check_like_record(match)


# --- By hand -------------------------------------------------------------------------------------


def test_points_are_the_editions() -> None:
    start = Turn(0, tile("5-5-5"))
    assert of(start).ledger.totals == (15, 0)
    assert of(start, rules=CARD).ledger.totals == (25, 0)
    assert of(Turn(0, tile("0-0-0")), rules=CARD).ledger.totals == (40, 0)
    assert of(Turn(0, Sum(3, is_triple=True)), rules=CARD).ledger.totals == (13, 0)
    assert of(start, rules=CASUAL).ledger.totals == (0, 0)
    assert of(start, Turn(1, None, draws=3, how=How.END)).ledger.totals == (15, -25)
    assert of(start, Turn(1, Sum(4), draws=3)).ledger.totals == (15, -11)
    assert of(start, Turn(1, Sum(4), Reason.BRIDGE)).ledger.totals == (15, 44)


def test_going_out_takes_what_the_others_hold() -> None:
    left = ((), (tile("4-4-4"), tile("0-0-1")))
    sheet = of(Turn(0, tile("1-5-5")), pad.Out(0, left)).sheet
    assert sheet.ledger.totals == (11 + 25 + 13, 0)
    assert (sheet.ledger.is_over, sheet.ledger.winners) == (True, (0,))
    assert of(Turn(0, tile("1-5-5")), pad.Out(0, (Left(0), Left(13)))).ledger.totals == (49, 0)


def test_the_last_round_is_announced_and_played_out() -> None:
    rules = replace(CLASSIC, target=20)
    now = of(Turn(0, Sum(15)), rules=rules)
    assert not now.ledger.is_last_round
    now = now.write(Turn(1, Sum(9))).write(Turn(0, Sum(14)))
    assert now.ledger.is_last_round
    assert not now.ledger.is_over
    now = now.write(Turn(1, None, draws=3, how=How.END)).write(pad.Blocked((Left(15), Left(3))))
    assert now.ledger.totals == (14, -19)
    assert now.ledger.is_over


def test_any_number_of_people_can_play() -> None:
    names = [f"P{number}" for number in range(9)]
    now = of(*(Turn(person, Sum(person)) for person in range(9)), names=names)
    assert now.ledger.totals == tuple(range(9))
    assert now.sheet.next == 0
    assert now.sheet.lines[0].cautions == (Caution.PLAYER_COUNT,)
    assert of(names=["Solo"]).sheet.lines[0].cautions == (Caution.PLAYER_COUNT,)


def test_people_come_and_go_between_rounds() -> None:
    rules = replace(CLASSIC, target=400, next_starter=NextStarter.ROTATE_LEFT)
    end = pad.Out(0, (Left(0), Left(10)))
    now = of(Turn(0, Sum(5)), end, rules=rules)
    assert now.sheet.next == 1
    now = now.write(pad.Players(("Ann", "Bernd", "Cleo"), (2, 0)))
    assert now.sheet.lines[-1].cautions == ()
    assert now.sheet.names == ("Ann", "Bernd", "Cleo")
    now = now.write(Turn(2, Sum(7)))
    assert now.ledger.totals == (40, 0, 7)
    assert now.sheet.next == 0
    with pytest.raises(PadError, match="does not play"):
        now.write(Turn(1, Sum(7)))
    assert now.cautions(pad.Players(("Ann", "Bernd", "Cleo"), (2, 0, 1))) == (Caution.MID_ROUND,)
    assert now.cautions(pad.Players(("Ann", "Ben", "Cleo"), (2, 0))) == ()
    extra = now.write(pad.Extra(2, 33))
    assert extra.ledger.totals == (40, 0, 40)


def test_a_match_given_up_goes_to_the_others() -> None:
    now = of(Turn(0, Sum(5)), Turn(1, Sum(3)))
    assert now.write(pad.Abandoned(0)).ledger.winners == (1,)
    assert now.write(pad.Abandoned()).ledger.winners == ()
    assert now.write(pad.Abandoned()).ledger.is_over


# --- What cannot be ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("entry", "caution"),
    [
        (Turn(1, tile("1-3-4")), Caution.LAID_TWICE),
        (Turn(1, Sum(8)), None),
        (Turn(0, Sum(8)), Caution.OUT_OF_TURN),
        (Turn(1, tile("0-2-1")), Caution.NOT_IN_SET),
        (Turn(1, Sum(8), Reason.BRIDGE), Caution.BONUS_TOO_EARLY),
        (Turn(1, Sum(8), draws=4), Caution.TOO_MANY_DRAWS),
        (pad.Out(0, (Left(0), Left(5))), Caution.RACK_NOT_EMPTY),
        (pad.Blocked((Left(4), Left(5))), Caution.POOL_LEFT),
        (pad.Players(("Ann", "Ben", "Cleo"), (0, 1, 2)), Caution.MID_ROUND),
    ],
)
def test_what_cannot_be_is_warned_of_and_can_be_written(
    entry: pad.Entry, caution: Caution | None
) -> None:
    now = of(Turn(0, tile("1-3-4")))
    assert now.cautions(entry) == (() if caution is None else (caution,))
    assert now.write(entry).sheet.lines[-1].entry == entry


def test_tiles_of_one_value_run_out() -> None:
    now = of(Turn(0, Sum(15)))
    assert now.cautions(Turn(1, tile("5-5-5"))) == (Caution.VALUE_USED_UP,)
    assert of(Turn(0, None, draws=1, how=How.PASS)).sheet.lines[-1].cautions == (Caution.MUST_OPEN,)
    drawn = replace(CASUAL, target=2)
    assert of(Turn(0, Sum(1)), rules=drawn).cautions(Turn(1, Sum(1), draws=1))[-1] == (
        Caution.DRAW_ENDS_TURN
    )


@pytest.mark.parametrize("bonus", sorted(BONUSES))
def test_a_bonus_can_come_with_the_tile_the_rules_name(bonus: Reason) -> None:
    least = {"bridge": 9, "hexagon": 6, "double_hexagon": 10, "triple_hexagon": 13}[bonus]
    lines = [Turn(number % 2, Sum(number % 5 + 4)) for number in range(least - 1)]
    assert of(*lines).cautions(Turn((least - 1) % 2, Sum(5), bonus)) == ()
    assert of(*lines[:-1]).cautions(Turn((least - 2) % 2, Sum(5), bonus)) == (
        Caution.BONUS_TOO_EARLY,
    )


@pytest.mark.parametrize(
    "entry",
    [
        Turn(2, Sum(3)),
        Turn(0, Sum(16)),
        Turn(0, Sum(3), draws=-1),
        Turn(0, None),
        Turn(0, Sum(3), how=How.PASS),
        Turn(0, None, Reason.BRIDGE, how=How.PASS),
        Turn(0, Sum(3), Reason.DRAW),
        pad.Out(0, (Left(3),)),
        pad.Out(0, (Left(0), Left(-1))),
        pad.Setup(CLASSIC, ("Ann", "Ben")),
        pad.Players(("Ann", "Ann"), (0, 1)),
        pad.Players(("Ann",), (0,)),
        pad.Players(("Ann", " "), (0, 1)),
        pad.Players(("Ann", "Ben"), (0, 2)),
        pad.Players(("Ann", "Ben"), ()),
        pad.Extra(0, 10**9),
        pad.Correct(7, ()),
        pad.Correct(0, ()),
        pad.Undo(),
        pad.Redo(),
    ],
)
def test_what_makes_no_sense_is_refused(entry: pad.Act) -> None:
    with pytest.raises(PadError):
        of(entry)


def test_how_many_tiles_are_left_is_asked_where_it_decides() -> None:
    with pytest.raises(PadError, match="how many tiles"):
        of(Turn(0, Sum(3)), pad.Blocked((Left(3), Left(4))), rules=CASUAL)
    now = of(Turn(0, Sum(3)), pad.Blocked((Left(3, 2), Left(4, 1))), rules=CASUAL)
    assert now.ledger.winners == (1,)


# --- Taking back and correcting ------------------------------------------------------------------


@given(st.integers(0, 10**6))
@settings(max_examples=30)
def test_every_step_can_be_taken_back_and_taken_again(seed: int) -> None:
    now = random_pad(random.Random(seed), acts=25)
    seen = [now.lines]
    while now.can_undo:
        now = now.undo()
        seen.append(now.lines)
    for lines in reversed(seen[:-1]):
        now = now.redo()
        assert now.lines == lines
    # Whatever way the lines came about, the sheet is the same.
    assert ScorePad(now.lines).sheet == now.sheet


def test_a_corrected_line_changes_all_after_it() -> None:
    rules = replace(CLASSIC, target=400, floor_at_zero=True)
    now = of(Turn(0, Sum(10)), Turn(1, Sum(5)), Turn(0, None, draws=3, how=How.END), rules=rules)
    assert now.ledger.totals == (0, 5)
    higher = now.correct(1, Turn(0, Sum(15)), Turn(1, Sum(1)))
    assert [line.totals for line in higher.sheet.lines[1:]] == [(15, 0), (15, 1), (15, 6), (0, 6)]
    assert now.correct(2).ledger.totals == (0, 0)
    assert higher.undo().lines == now.lines
    with pytest.raises(PadError, match="does not play"):
        now.correct(0, pad.Setup(rules, ("Ann",)))


# --- As text -------------------------------------------------------------------------------------


@given(st.integers(0, 10**6))
@settings(max_examples=40)
def test_json_keeps_every_step_and_csv_every_line(seed: int) -> None:
    now = random_pad(random.Random(seed))
    assert read_pad(write_pad(now)) == now
    again = pad_from_csv(pad_to_csv(now))
    assert again.lines == now.lines
    assert again.sheet == now.sheet


def test_csv_has_a_column_for_everybody_and_no_formulas() -> None:
    now = of(*(Turn(person, Sum(3)) for person in range(len(NAMES))), names=NAMES)
    rows = list(csv.reader(io.StringIO(pad_to_csv(now), newline="")))
    assert {len(row) for row in rows} == {len(rows[0])}
    assert rows[0][-len(NAMES) :] == [
        *("Ann", "Ben", "Zoë", "'=SUM(A1:A9)", "O'Brien, Pat", 'Эва "E"', "''quoted", "'-5"),
        *("李", "'@x"),
    ]
    for row in rows:
        for cell in row:
            assert not cell.startswith(("=", "+", "@", "\t", "\r"))
    assert rows[-1][-len(NAMES) :] == ["3"] * len(NAMES)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a,b\n",
        'round,line\n"',
        pad_to_csv(of(Turn(0, Sum(3)))).replace(",turn,Ann,", ",turn,Nobody,"),
        pad_to_csv(of(Turn(0, Sum(3)))).replace(",turn,", ",dance,"),
        pad_to_csv(of(Turn(0, Sum(3)))).replace(",,3,,", ",,x,,"),
        pad_to_csv(of(Turn(0, Sum(3)))).replace("classic", "chess"),
    ],
)
def test_a_damaged_csv_is_refused(text: str) -> None:
    with pytest.raises(RecordError):
        pad_from_csv(text)


PAD = '{"format":"triomino-pad/1","log":[{"do":"setup","rules":{},"names":["A"]},?]}'


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        '{"format":"triomino-pad/1","log":[]}',
        '{"format":"triomino-pad/2","log":[]}',
        '{"format":"triomino-pad/1","log":[{"do":"undo"}]}',
        PAD.replace("?", '{"do":[]}'),
        PAD.replace("?", '{"do":"turn","person":0,"sum":3,"tile":"0-1-2"}'),
        PAD.replace("?", '{"do":"turn","person":0,"sum":3,"bonus":"draw"}'),
        PAD.replace("?", '{"do":"correct","line":0,"with":[{"do":"undo"}]}'),
    ],
)
def test_a_damaged_pad_is_refused(text: str) -> None:
    with pytest.raises(RecordError):
        read_pad(text)


def test_an_end_is_known_by_its_reason() -> None:
    end = of(Turn(0, Sum(3)), pad.Blocked((Left(3), Left(4)))).ledger.end
    assert end == End(EndReason.BLOCKED, (), (0,))
