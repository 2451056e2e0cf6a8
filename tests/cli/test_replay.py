"""``triomino replay``: what is in order is accepted, and every kind of damage is named."""

from __future__ import annotations

import copy
import json
import re
from typing import TYPE_CHECKING, Any

import pytest

from tests.cli.program import Here, triomino
from triomino import CARD, CASUAL, CLASSIC, SIX_PLAYER, Match, Player, Rules, Seeds
from triomino.bots import simulate_match
from triomino.record import record_of, write_record

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

GOOD = record_of(simulate_match(CLASSIC.with_changes({"target": 400}), ["greedy", "random"], 1, 1))
TURNS = GOOD["rounds"][0]["turns"]
DRAW = next(number for number, turn in enumerate(TURNS) if turn["move"] == "draw")
ROUND, BONUS = next(
    (number, index)
    for number, item in enumerate(GOOD["rounds"])
    for index, turn in enumerate(item["turns"])
    if "bonus" in turn
)
LAST = len(GOOD["rounds"]) - 1


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "game.jsonl"


def write(file: Path, *records: dict[str, Any]) -> None:
    file.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")


# --- In order ------------------------------------------------------------------------------------


def test_what_was_played_is_in_order(here: Here, file: Path) -> None:
    write(file, GOOD)
    result = here("replay", file, "--check")
    assert (result.code, result.out, result.err) == (0, "1 match, all in order\n", "")
    write(file, GOOD, GOOD, GOOD)
    assert here("replay", file, "--check").out == "3 matches, all in order\n"


def test_empty_lines_between_records_are_passed_over(here: Here, file: Path) -> None:
    file.write_text(f"\n{json.dumps(GOOD)}\n\n{json.dumps(GOOD)}\n\n", "utf-8")
    assert here("replay", file, "--check").out == "2 matches, all in order\n"


def test_one_record_may_take_several_lines(here: Here, file: Path) -> None:
    file.write_text(json.dumps(GOOD, indent=1), "utf-8")
    assert here("replay", file, "--check").out == "1 match, all in order\n"


def test_records_come_from_standard_input_too() -> None:
    line = json.dumps(GOOD)
    assert triomino("replay", "-", "--check", stdin=line).out == "1 match, all in order\n"
    said = triomino("replay", "-", "--check", stdin=line + "\nnonsense\n").complaint
    assert said.startswith("standard input, line 2: this is not JSON")


def test_an_unfinished_match_is_in_order_too(here: Here, file: Path) -> None:
    match = Match.start(CLASSIC, [Player("Ann"), Player("Ben")], Seeds.named(2, "unfinished"))
    match.play(match.game.legal_moves()[0])
    write(file, record_of(match), GOOD)
    assert here("replay", file, "--check").out == "2 matches, all in order; 1 not finished\n"


def test_json_says_what_each_record_comes_to(here: Here, file: Path) -> None:
    match = Match.start(CLASSIC, [Player("Ann"), Player("Ben")], Seeds.named(2, "unfinished"))
    match.play(match.game.legal_moves()[0])
    write(file, GOOD, record_of(match))
    first, second = (json.loads(line) for line in here("replay", file, "--json").lines)
    assert first == {
        "record": 1,
        "rounds": len(GOOD["rounds"]),
        "turns": sum(len(item["turns"]) for item in GOOD["rounds"]),
        "scores": GOOD["result"]["scores"],
        "winners": GOOD["result"]["winners"],
    }
    assert second["record"] == 2
    assert (second["rounds"], second["turns"], second["winners"]) == (1, 1, [])


# --- Damage --------------------------------------------------------------------------------------


def put(path: str, value: object) -> Callable[[dict[str, Any]], None]:
    """Write *value* at a dotted path; a function gets what was there."""

    def damage(record: dict[str, Any]) -> None:
        node, last = _parent(record, path)
        node[last] = value(node[last]) if callable(value) else value

    return damage


def drop(path: str) -> Callable[[dict[str, Any]], None]:
    def damage(record: dict[str, Any]) -> None:
        node, last = _parent(record, path)
        del node[last]

    return damage


def _parent(record: dict[str, Any], path: str) -> tuple[Any, Any]:
    *parents, last = [int(part) if part.lstrip("-").isdigit() else part for part in path.split(".")]
    node: Any = record
    for part in parents:
        node = node[part]
    return node, last


def deal_a_tile_twice(record: dict[str, Any]) -> None:
    first = record["rounds"][0]
    first["pool"][-1] = first["racks"][0][0]


def play_on(record: dict[str, Any]) -> None:
    record["rounds"][0]["turns"].append({"seat": 0, "move": "draw", "points": -5})


def play_another_round(record: dict[str, Any]) -> None:
    record["rounds"].append(record["rounds"][0])


def other(seat: int) -> int:
    return 1 - seat


DAMAGE: dict[str, tuple[Callable[[dict[str, Any]], None], str]] = {
    "wrong seat": (put("rounds.0.turns.1.seat", other), r"rounds\[0\].turns\[1\].seat: . is wri"),
    "illegal move": (
        put("rounds.0.turns.1.move", "D(9,9)=0-0-0"),
        r"rounds\[0\].turns\[1\].move: D\(9,9\)=0-0-0: (not_held|already_laid|no_shared_edge)",
    ),
    "a pass with a pool": (put("rounds.0.turns.1.move", "pass"), r"turns\[1\].move: pass: must_"),
    "no move": (put("rounds.0.turns.1.move", "fly"), r"turns\[1\].move: 'fly' is no move"),
    "wrong points": (
        put("rounds.0.turns.0.points", lambda points: points + 1),
        r"rounds\[0\].turns\[0\].points: \d+ is written, the rules give \d+",
    ),
    "missing bonus": (
        drop(f"rounds.{ROUND}.turns.{BONUS}.bonus"),
        rf"rounds\[{ROUND}\].turns\[{BONUS}\]: 'bonus' is missing; the rules give",
    ),
    "bonus for nothing": (
        put("rounds.0.turns.0.bonus", "bridge"),
        r"rounds\[0\].turns\[0\].bonus: this move has no bonus",
    ),
    "wrong drawn tile": (
        put(f"rounds.0.turns.{DRAW}.tile", GOOD["rounds"][0]["pool"][-1]),
        rf"rounds\[0\].turns\[{DRAW}\].tile: .* is written, the rules give",
    ),
    "tile dealt twice": (deal_a_tile_twice, r"rounds\[0\]: tile .* was dealt twice"),
    "rack too short": (drop("rounds.0.racks.1.0"), r"rounds\[0\].racks: 2 racks with 9 tiles"),
    "wrong starter": (put("rounds.0.starter", other), r"rounds\[0\].starter: . is written"),
    "wrong start draw": (
        drop("rounds.0.start_draws.1"),
        r"rounds\[0\].start_draws: the draw for the start is not decided",
    ),
    "wrong end reason": (
        put("rounds.0.end.reason", lambda was: "blocked" if was == "out" else "out"),
        r'rounds\[0\].end.reason: "(blocked|out)" is written, the rules give "(out|blocked)"',
    ),
    "wrong settlement": (put("rounds.0.end.points.0", 999), r"rounds\[0\].end.points: \[999, "),
    "wrong scores": (put("rounds.0.scores.1", 999), r"rounds\[0\].scores: \[.*, 999\] is written"),
    "wrong result": (put("result.scores.0", 999), r"result.scores: \[999, "),
    "wrong winners": (put("result.winners", [0, 1]), r"result.winners: \[0, 1\] is written"),
    "turn after the end": (play_on, r"rounds\[0\].turns\[\d+\]: the round was over before it"),
    "round after the end": (play_another_round, r"rounds\[\d+\]: the match was over before it"),
    "missing end": (drop("rounds.0.end"), r"rounds\[0\]: the round is over, but 'end' is missing"),
    "missing last turn": (
        drop(f"rounds.{LAST}.turns.-1"),
        rf"rounds\[{LAST}\].end.reason: the round is not over by the rules",
    ),
    "missing result": (drop("result"), r"line 2: the match is over, but 'result' is missing"),
    "unknown key": (put("rounds.0.winer", 1), r"rounds\[0\]: unknown key 'winer'"),
    "wrong format": (put("format", "triomino-record/3"), r"format: 'triomino-record/2' is needed"),
    "unknown rule": (put("rules.bridgerule", "strict"), r"rules: .*did you mean 'bridge_rule'"),
    "other rules": (put("rules.draw_cost", 6), rf"turns\[{DRAW}\].points: -5 is .* give -6"),
    "commitment mismatch": (
        put("fair.commitment", "0" * 64),
        r"fair.commitment: it is not the commitment of this server seed",
    ),
    "one player too many": (
        put("players", lambda players: [*players, {"name": "Cleo"}]),
        r"fair.player_seeds: 2 seeds for 3 players",
    ),
}


@pytest.mark.parametrize("kind", DAMAGE)
def test_damage_is_refused_with_its_place_and_reason(here: Here, file: Path, kind: str) -> None:
    damage, reason = DAMAGE[kind]
    record = copy.deepcopy(GOOD)
    damage(record)
    write(file, GOOD, record, GOOD)
    said = here("replay", file, "--check").complaint
    assert said.startswith(f"{file}, line 2")
    assert re.search(reason, said), said


@pytest.mark.parametrize("arguments", [[], ["--check"], ["--json"]])
def test_damage_is_refused_however_it_is_asked(
    here: Here, file: Path, arguments: list[str]
) -> None:
    write(file, {**GOOD, "format": "other"})
    assert "line 1, format: " in here("replay", file, *arguments).complaint


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "there is no record in it"),
        (b"\n \n", "there is no record in it"),
        (b"\xff\xfe\n", "line 1: this is not UTF-8"),
        (b"{\n", "line 1: this is not JSON"),
        (b"[]\n", "line 1: an object is needed"),
        (b'{"format":\n"triomino-record/2"}', "'rules' is missing"),
    ],
)
def test_what_is_no_record_is_refused(here: Here, file: Path, content: bytes, said: str) -> None:
    file.write_bytes(content)
    assert said in here("replay", file, "--check").complaint


def test_the_real_program_says_the_same(file: Path) -> None:
    damage, reason = DAMAGE["wrong points"]
    record = copy.deepcopy(GOOD)
    damage(record)
    write(file, record)
    assert re.search(reason, triomino("replay", file, "--check").complaint)


# --- The score sheet -----------------------------------------------------------------------------


def sheet(here: Here, file: Path, rules: Rules, players: int, columns: int) -> list[str]:
    match = simulate_match(rules, ["greedy", "random"] * (players // 2), 2, 1)
    file.write_text(write_record(match), "utf-8")
    result = here("replay", file, columns=columns)
    assert result.code == 0
    assert max(map(len, result.lines)) <= columns
    return result.lines


def test_the_score_sheet_shows_every_turn_with_its_reason_and_total(here: Here, file: Path) -> None:
    lines = sheet(here, file, CLASSIC, 2, 80)
    record = json.loads(file.read_text("utf-8"))
    totals = [0, 0]
    shown = [line.split() for line in lines]
    for number, turn in enumerate(record["rounds"][0]["turns"], 1):
        totals[turn["seat"]] += turn["points"]
        row = next(words for words in shown if words and words[0] == str(number))
        assert row[1] == turn["move"]
        assert row[-1] == str(totals[turn["seat"]]).replace("-", "−")
        if turn["move"] == "draw":
            assert row[2] == turn["tile"]
        if "bonus" in turn:
            assert turn["bonus"].replace("_", " ") in " ".join(row)
    result = record["result"]
    winner = record["players"][result["winners"][0]]["name"]
    assert lines[-2] == f"{winner} wins, {' : '.join(map(str, result['scores']))}."


@pytest.mark.parametrize("columns", [40, 60, 80, 120])
@pytest.mark.parametrize(("rules", "players"), [(CLASSIC, 2), (CARD, 4), (SIX_PLAYER, 6)])
def test_the_score_sheet_fits_its_screen(
    here: Here, file: Path, rules: Rules, players: int, columns: int
) -> None:
    lines = sheet(here, file, rules, players, columns)
    assert any(line.startswith("Round 1: ") for line in lines)
    assert any(re.match(r" *1 +U\(0,0\)=", line) for line in lines)


def test_a_series_without_points_shows_the_rounds_won(here: Here, file: Path) -> None:
    lines = sheet(here, file, CASUAL.with_changes({"target": 2}), 2, 80)
    won = [line for line in lines if "wins the round" in line]
    record = json.loads(file.read_text("utf-8"))
    assert len(won) == sum(record["result"]["scores"])


def test_an_unfinished_or_abandoned_match_says_so(here: Here, file: Path) -> None:
    match = Match.start(CLASSIC, [Player("Ann"), Player("Ben")], Seeds.named(2, "unfinished"))
    match.play(match.game.legal_moves()[0])
    write(file, record_of(match))
    assert "Not finished; it stands" in here("replay", file).out
    match.abandon(match.game.turn)
    write(file, record_of(match))
    out = here("replay", file).out
    assert "Given up." in out
    assert " wins, " in out
