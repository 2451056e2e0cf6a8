"""The puzzles that ship, the command that makes more, and the one that finds bad ones."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from datetime import date, timedelta
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from tests.effort import WHOLE
from triomino import TriominoError
from triomino.cli.app import run
from triomino.dice import Rng
from triomino.moves import Draw, Place
from triomino.puzzles import DAYS, Kind, Puzzle, Year, read_year
from triomino.puzzles.judge import (
    DEEP,
    HOPED,
    LARGEST,
    LEAST_DRAW_GAP,
    game_of,
    size_of,
    why_no_reply,
    why_wrong,
)
from triomino.puzzles.make import Maker, answered
from triomino.puzzles.prospects import has_bonus, points_of, prospects
from triomino.puzzles.year import EPOCH, arranged

if TYPE_CHECKING:
    from pathlib import Path

YEAR = read_year()
QUICK = 3000
"""Rollouts that suffice to see that nothing is wrong."""


def first(kind: Kind, least: int = 0) -> Puzzle:
    """The first puzzle of a kind with so many answers."""
    return next(one for one in YEAR.puzzles if one.kind is kind and len(one.answers) >= least)


# --- The year ------------------------------------------------------------------------------------


def test_there_is_one_for_every_day_of_a_year() -> None:
    assert len(YEAR.puzzles) == DAYS
    assert {one.kind for one in YEAR.puzzles} == set(Kind)
    assert {one.level for one in YEAR.puzzles} == {1, 2, 3}
    assert len({one.position for one in YEAR.puzzles}) == DAYS


def test_everybody_has_the_same_on_a_day() -> None:
    assert YEAR.of(EPOCH) == YEAR.puzzles[0]
    assert YEAR.of(EPOCH + timedelta(DAYS + 2)) == YEAR.puzzles[2]
    assert YEAR.of(EPOCH - timedelta(1)) == YEAR.puzzles[-1]
    assert YEAR.of(date(2026, 11, 18)) == YEAR.puzzles[317]


def test_the_file_is_small_and_read_as_it_was_written() -> None:
    text = YEAR.to_text()
    assert Year.from_text(text) == YEAR
    assert len(gzip.compress(text.encode())) <= 64_000


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", '{"format":"triomino-puzzles/1","epoch":"2026-01-05","puzzles":[]}']
    + [YEAR.to_text().replace(a, b, 1) for a, b in [("/1", "/9"), ('"kind"', '"k"'), ("QS", "?")]]
    + [json.dumps(json.loads(YEAR.to_text()) | {"puzzles": [1]})],
)
def test_a_damaged_file_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(TriominoError):
        Year.from_text(text)


def test_every_answer_is_a_legal_move_with_a_legal_reply_and_fits_a_phone() -> None:
    for puzzle in YEAR.puzzles:
        moves = [one.move for one in puzzle.answers]
        assert sorted(map(str, moves)) == sorted(map(str, puzzle.view.legal_moves()))
        cells = [one.cell for one in (*puzzle.position.board, *moves) if isinstance(one, Place)]
        assert max(size_of(cells)) <= LARGEST
        assert puzzle.answers[0].win > max(one.win for one in puzzle.answers[1:])


def test_kinds_are_what_they_say() -> None:
    for puzzle in YEAR.puzzles:
        best = puzzle.solution
        assert has_bonus(puzzle.view, best) == (puzzle.kind is Kind.BONUS)
        if puzzle.kind in (Kind.OUT, Kind.ENDING):
            assert puzzle.position.pool_size == 0
            assert {puzzle.answers[0].win} == {100}
        if isinstance(best, Draw):
            assert puzzle.kind is Kind.DRAW


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("number", range(0, DAYS, 1 if WHOLE else 61))
def test_the_search_agrees(number: int) -> None:
    puzzle = YEAR.puzzles[number]
    assert list(why_wrong(puzzle, DEEP if WHOLE else QUICK)) == []


# --- What is refused -----------------------------------------------------------------------------


def test_a_wrong_solution_is_found() -> None:
    puzzle = first(Kind.ENDING)
    best, second, *rest = puzzle.answers
    wrong = replace(puzzle, answers=(second, best, *rest))
    assert "not" in next(iter(why_wrong(wrong, QUICK)))


def test_an_answer_that_is_missing_is_found() -> None:
    puzzle = first(Kind.BLOCK)
    missing = replace(puzzle, answers=puzzle.answers[:-1])
    assert list(why_wrong(missing, QUICK)) == ["the answers are not the legal moves"]


def test_an_ambiguous_one_is_found() -> None:
    # So far ahead, every move wins.
    puzzle = first(Kind.BONUS, 3)
    ahead = replace(puzzle, position=replace(puzzle.position, scores=(900, 0)))
    said = " ".join(why_wrong(ahead, QUICK))
    assert "ambiguous" in said or "not" in said


def test_a_reply_that_nobody_can_play_is_found() -> None:
    puzzle = first(Kind.BLOCK)
    best, second, *rest = puzzle.answers
    laid = puzzle.position.board[0]
    broken = replace(puzzle, answers=(best, replace(second, reply=laid), *rest))
    assert any("is no reply" in one for one in why_wrong(broken, QUICK))


def wrong_draw() -> tuple[Puzzle, int]:
    """A puzzle in which drawing is wrong, and the number of that answer."""
    return next(
        (puzzle, number)
        for puzzle in YEAR.puzzles
        for number, one in enumerate(puzzle.answers)
        if one.drawn
    )


def test_a_wrong_draw_is_followed_to_the_end_of_the_turn() -> None:
    for puzzle in YEAR.puzzles:
        for one in puzzle.answers[1:]:
            assert bool(one.drawn) == isinstance(one.move, Draw)
        assert list(why_no_reply(puzzle)) == []
    puzzle, number = wrong_draw()
    answer = puzzle.answers[number]
    for broken in (
        replace(answer, drawn=(puzzle.view.rack[0],)),
        replace(answer, then=Draw()),
        replace(answer, then=None),
        replace(answer, reply=puzzle.position.board[0]),
    ):
        answers = [broken if one is answer else one for one in puzzle.answers]
        found = list(why_no_reply(replace(puzzle, answers=tuple(answers))))
        assert len(found) == 1, broken
    again = answered(puzzle.position, Draw(), answer.win, Rng.named("again"))
    assert again.drawn[0] in game_of(puzzle.position).pool
    assert Puzzle.from_json(puzzle.to_json()) == puzzle


def test_whether_to_draw_is_asked_only_where_it_matters() -> None:
    for puzzle in YEAR.puzzles:
        if puzzle.kind is Kind.DRAW:
            best, second = puzzle.answers[:2]
            assert best.win - second.win >= 100 * LEAST_DRAW_GAP


def test_ugly_ones_are_found() -> None:
    puzzle = first(Kind.BONUS, 9)
    assert any(
        "legal moves at level 1" in one for one in why_wrong(replace(puzzle, level=1), QUICK)
    )
    assert any("its level is" in one for one in why_wrong(replace(puzzle, level=1), QUICK))
    large = replace(puzzle, position=replace(puzzle.position, board=puzzle.position.board[:3]))
    assert list(why_wrong(large, QUICK))


def test_the_kind_is_checked() -> None:
    puzzle = first(Kind.ENDING)
    told = list(why_wrong(replace(puzzle, kind=Kind.OUT), QUICK))
    assert any("of the kind out" in one for one in told)


OPEN_ANYWAY = """{"kind":"draw","level":1,"board":"\
PU445OV414OW114PT245NX101QS255QT555PS342QU505PR332PQ033\
OR013QV503RU533PP003RV333QR125OS123RQ150PO400RS551QO034RP010SO002QN504SP201SN302TM322TN221\
SU334QM005ST534TO211SV434OP440OO444OX413ON244PM240OM242OL022","racks":["222235145225355115",\
"000025111124133135455"],"pool":2,"scores":[137,52],"answers":"draw:57: TP115:40:PK025","why":[]}"""
"""The other may make a bridge with 1-3-5. Drawing wins more often, but who could see why?"""


def test_a_bonus_that_is_open_anyway_is_no_reason_to_draw() -> None:
    puzzle = Puzzle.from_json(json.loads(OPEN_ANYWAY))
    [place] = [one.move for one in puzzle.answers if isinstance(one.move, Place)]
    after = prospects(puzzle.view, place, Rng.named("open anyway"))
    assert (after.danger > 0.5, after.opened) == (True, 0)
    assert "nobody sees that it is of the kind draw" in why_wrong(puzzle, QUICK)


def test_a_draw_is_the_answer_only_where_a_reason_can_be_seen() -> None:
    for number, puzzle in enumerate(YEAR.puzzles):
        if not isinstance(puzzle.solution, Draw) or any(
            fact.kind == "hopes" and (fact.chance or 0) >= HOPED for fact in puzzle.why
        ):
            continue
        # The page says then that whatever is laid opens a bonus to the other.
        places = [one.move for one in puzzle.answers if isinstance(one.move, Place)]
        dice = Rng.named("reasons", number)
        assert min(prospects(puzzle.view, place, dice).opened for place in places) >= 0.15


# --- Making more ---------------------------------------------------------------------------------


def test_the_same_seed_gives_the_same_puzzles_with_a_world_that_is_possible() -> None:
    once, again = (list(Maker(1).puzzles(5)) for _ in range(2))
    assert once == again
    for puzzle in once:
        game = game_of(puzzle.position)
        assert len(game.racks[1]) == puzzle.position.rack_sizes[1]


def test_kinds_are_spread_over_the_year_and_games_lie_apart() -> None:
    kinds = [one.kind for one in YEAR.puzzles]
    for first_day in range(0, DAYS - 30, 30):
        assert set(kinds[first_day : first_day + 30]) == set(Kind)
    assert sum(one is other for one, other in pairwise(kinds)) < 20
    games = [tuple(place.tile for place in one.position.board[:5]) for one in YEAR.puzzles]
    for day, game in enumerate(games):
        assert game not in games[max(0, day - 7) : day]
    assert len(arranged(YEAR.puzzles, 10).puzzles) == 10


def test_the_points_of_a_move_are_those_of_the_rules() -> None:
    puzzle = first(Kind.DRAW)
    assert points_of(puzzle.view, Draw()) == -5


def test_the_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "some.json"
    assert run(["puzzles", "show", "--day", "2026-11-18", "--solution"]) == 0
    assert "wins" in capsys.readouterr().out
    assert run(["puzzles", "show", "--day", "tomorrow"]) == 2
    assert "is no date" in capsys.readouterr().err
    file.write_text(Year(YEAR.puzzles[:2]).to_text())
    assert run(["puzzles", "check", "--file", str(file), "--rollouts", str(QUICK)]) == 0
    assert "2 puzzles are right" in capsys.readouterr().out
    best, second, *rest = YEAR.puzzles[0].answers
    wrong = replace(YEAR.puzzles[0], answers=(second, best, *rest))
    file.write_text(Year((wrong, wrong)).to_text())
    assert run(["puzzles", "check", "--file", str(file), "--rollouts", str(QUICK)]) == 2
    told = capsys.readouterr()
    assert "the same as puzzle 1" in told.out
    assert "2 of 2 puzzles must not be shown" in told.err
    assert run(["puzzles", "make", str(file), "--games", "1", "--seed", "3"]) in (0, 2)
