"""``triomino judge``: the referee, to the letter of the format."""

from __future__ import annotations

import json
import subprocess
import sys
from threading import Timer
from typing import Any

import pytest

from tests.cli.program import environment, triomino
from tests.rulebook.boards import P2E, P3E, PF, PG, PH, PI
from triomino.cli.judge import answer

ONE = '"board": ["U(0,0)=1-3-4"]'


def asked(case: str | bytes) -> dict[str, Any]:
    """The answer to one line."""
    line = answer(case.encode() if isinstance(case, str) else case)
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    out = json.loads(line)
    assert isinstance(out, dict)
    return out


def placed(board: str, place: str, rules: object = "classic", **more: object) -> dict[str, Any]:
    case = {"rules": rules, "board": board.split(), "place": place} | more
    return asked(json.dumps(case))


def test_the_examples_of_the_format_to_the_letter() -> None:
    cases = [
        '{"rules": "classic", "board": ["U(0,0)=1-3-4"], "place": "D(-1,0)=1-2-3"}',
        '{"rules": "classic", "board": ["U(0,0)=1-3-4"], "place": "D(-1,0)=1-2-2"}',
        '{"rules": "classic", "board": ["U(0,0)=1-3-4"], "tiles": ["1-2-3", "0-0-0"]}',
        "nonsense",
        '{"rules": "classic", "board": [], "tiles": ["1-2-3"]}',
    ]
    result = triomino("judge", stdin="\n".join(cases) + "\n")
    assert (result.code, result.err) == (0, "")
    assert result.out == (
        '{"legal": true, "why": null, "value": 6, "bonus": null, "points": 6}\n'
        '{"legal": false, "why": "corner_mismatch"}\n'
        '{"placements": ["D(-1,0)=1-2-3"]}\n'
        '{"error": "this is not JSON: Expecting value: line 1 column 1 (char 0)"}\n'
        '{"placements": ["U(0,0)=1-2-3", "U(0,0)=2-3-1", "U(0,0)=3-1-2"]}\n'
    )


@pytest.mark.parametrize(
    ("board", "place", "why"),
    [
        # Every case offends against all that come after its reason too, where that is possible.
        ("U(0,0)=1-2-4 D(0,0)=4-2-3", "U(0,0)=2-1-0", "not_in_set"),
        ("U(0,0)=1-3-4", "U(0,0)=1-3-4", "already_laid"),
        ("U(0,0)=1-3-4", "D(5,5)=1-3-4", "already_laid"),
        ("U(0,0)=1-3-4", "D(-1,0)=1-3-4", "already_laid"),
        ("U(0,0)=1-3-4", "U(0,0)=0-0-0", "occupied"),
        ("U(0,0)=1-3-4", "U(-1,1)=2-2-2", "no_shared_edge"),
        ("U(0,0)=1-3-4", "D(5,5)=0-0-0", "no_shared_edge"),
        ("U(0,0)=1-3-4", "D(-1,0)=1-2-2", "corner_mismatch"),
        # Its edge fits, its apex does not; the tile lies in the board as well.
        (PF, "U(0,0)=4-5-4", "already_laid"),
    ],
)
def test_the_first_reason_counts(board: str, place: str, why: str) -> None:
    assert placed(board, place) == {"legal": False, "why": why}


def test_a_tile_laid_already_has_another_reason_when_not_strict() -> None:
    said = placed(PF, "U(0,0)=4-5-4", strict=False)
    assert said == {"legal": False, "why": "corner_mismatch"}


def test_a_tile_of_the_76_is_in_its_set() -> None:
    assert placed("U(0,0)=1-3-4", "D(-1,0)=1-5-3")["why"] == "not_in_set"
    assert placed("U(0,0)=1-3-4", "D(-1,0)=1-5-3", "six-player")["points"] == 9


def test_repeats_are_allowed_when_not_strict() -> None:
    assert placed("U(0,0)=3-3-3", "D(0,0)=3-3-3") == {"legal": False, "why": "already_laid"}
    assert placed("U(0,0)=3-3-3", "D(0,0)=3-3-3", strict=False)["legal"] is True
    twice = "U(0,0)=3-3-3 D(0,0)=3-3-3"
    assert "error" in placed(twice, "D(-1,0)=3-5-3")
    assert placed(twice, "D(-1,0)=3-5-3", strict=False)["points"] == 11


@pytest.mark.parametrize(
    ("board", "place", "bonus", "points"),
    [
        ("", "D(7,-3)=5-5-5", None, 15),
        (PF, "U(0,0)=4-3-4", "bridge", 51),
        (PG, "U(0,0)=1-5-5", "hexagon", 61),
        (PH, "U(0,0)=3-4-5", "double_hexagon", 72),
        (PI, "U(0,0)=1-1-3", "triple_hexagon", 75),
        (P2E, "U(0,0)=4-5-5", None, 14),
        (P3E, "U(0,0)=4-5-5", None, 14),
    ],
)
def test_points_and_bonus(board: str, place: str, bonus: str | None, points: int) -> None:
    out = placed(board, place)
    assert list(out) == ["legal", "why", "value", "bonus", "points"]
    assert (out["legal"], out["why"]) == (True, None)
    assert (out["bonus"], out["points"]) == (bonus, points)
    backwards = " ".join(reversed(board.split()))
    assert placed(backwards, place) == out


def test_rules_may_be_an_object_as_in_a_record() -> None:
    rules = {"edition": "classic", "bridge_rule": "three_corners", "bridge_bonus": 41}
    assert placed(P2E, "U(0,0)=4-5-5", rules)["points"] == 55
    assert placed(PF, "U(0,0)=4-3-4", "card")["points"] == 40
    assert placed(PF, "U(0,0)=4-3-4", "casual")["points"] == 0
    assert placed("", "U(0,0)=0-0-0", "card")["points"] == 40


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("", "empty"),
        ("   \t", "empty"),
        ("{", "not JSON"),
        (b"\xff\xfe", "not UTF-8"),
        ("[]", "an object is needed"),
        ("null", "an object is needed"),
        ("[" * 100_000, "nested too deeply"),
        ("{}", "'board' is missing"),
        (f"{{{ONE}}}", "one of 'place' and 'tiles'"),
        (f'{{{ONE}, "place": "D(-1,0)=1-2-3", "tiles": []}}', "one of 'place' and 'tiles'"),
        (f'{{{ONE}, "place": "D(-1,0)=1-2-9"}}', "place: '1-2-9' is no tile"),
        (f'{{{ONE}, "place": "fly"}}', "place: 'fly' is no placement"),
        (f'{{{ONE}, "place": 7}}', "place: a text is needed"),
        (f'{{{ONE}, "plaice": "D(-1,0)=1-2-3"}}', "unknown key 'plaice'; did you mean 'place'"),
        (f'{{{ONE}, "tiles": ["0-0-7"]}}', r"tiles[0]: '0-0-7' is no tile"),
        (f'{{{ONE}, "tiles": ["\\ud800"]}}', r"tiles[0]: '\ud800' is no tile"),
        (f'{{{ONE}, "strict": 1, "tiles": []}}', "strict: true or false is needed"),
        (f'{{{ONE}, "rules": "clasic", "tiles": []}}', "did you mean 'classic'"),
        (f'{{{ONE}, "rules": 3, "tiles": []}}', "rules: an edition's name"),
        (f'{{{ONE}, "rules": {{"edition": ["x"]}}, "tiles": []}}', "rules: edition: unknown"),
        ('{"board": "U(0,0)=1-3-4", "tiles": []}', "board: a list is needed"),
        ('{"board": "\\udcff", "tiles": []}', "board: a list is needed, not "),
        ('{"board": ["U(0,0)=1-3-4", "D(0,0)=5-5-5"], "tiles": []}', "the corners disagree"),
        ('{"board": ["U(0,0)=1-3-4", "U(0,0)=1-3-4"], "tiles": []}', "two tiles on one cell"),
        ('{"board": ["U(0,0)=1-3-4", "U(9,9)=3-4-1"], "tiles": []}', "lies on the board twice"),
    ],
)
def test_what_cannot_be_answered_is_an_error_in_its_place(line: str | bytes, said: str) -> None:
    out = asked(line)
    assert list(out) == ["error"]
    assert said in out["error"]


def test_every_line_has_its_answer_and_a_last_empty_one_is_none() -> None:
    good = f'{{{ONE}, "place": "D(-1,0)=1-2-3"}}'.encode()
    result = triomino("judge", stdin=b"\n".join([good, b"", b"\xff", good]))
    kinds = [*map(list, map(json.loads, result.lines))]
    assert result.code == 0
    assert [kind[0] for kind in kinds] == ["legal", "error", "error", "legal"]
    assert len(triomino("judge", stdin=good + b"\n").lines) == 1
    assert triomino("judge").out == ""


def test_ten_thousand_lines() -> None:
    boards = ["", "U(0,0)=1-3-4", PF, PG]
    cases = [
        json.dumps({"board": boards[number % 4].split(), "place": "D(-1,0)=1-2-3"})
        for number in range(10_000)
    ]
    result = triomino("judge", stdin="\n".join(cases))
    assert len(result.lines) == 10_000
    first = [json.loads(line) for line in result.lines[:4]]
    assert [out["legal"] for out in first] == [True, True, False, False]
    assert result.lines == result.lines[:4] * 2500


def test_an_answer_comes_before_the_next_question() -> None:
    command = [sys.executable, "-m", "triomino", "judge"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, env=environment()) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        # Should it wait for more, it is not to wait for ever.
        watch = Timer(60, program.kill)
        watch.start()
        for _ in range(2):
            program.stdin.write(f'{{{ONE}, "place": "D(-1,0)=1-2-3"}}\n'.encode())
            program.stdin.flush()
            assert json.loads(program.stdout.readline())["points"] == 6
        program.stdin.close()
        assert program.wait() == 0
        watch.cancel()
