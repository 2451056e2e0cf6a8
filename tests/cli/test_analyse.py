"""``triomino analyse`` and ``triomino hint``: tables, objects, pictures and refusals."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.play import random_match
from triomino import CLASSIC, View, position_to_json
from triomino.record import write_record

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.program import Here


@pytest.fixture
def record(tmp_path: Path) -> Path:
    file = tmp_path / "game.jsonl"
    match = random_match(CLASSIC, 2, seed=5, names="A<", most=1)
    file.write_text(write_record(match) + "\n", "utf-8")
    return file


def test_a_table_a_picture_and_a_record(here: Here, tmp_path: Path, record: Path) -> None:
    svg, out = tmp_path / "chances.svg", tmp_path / "analysed.jsonl"
    shown = here("analyse", record, "--rollouts", "60", "--svg", svg, "--records", out)
    assert (shown.code, shown.err) == (0, "")
    assert "lost each" in shown.out
    assert ">&lt;</text>" in svg.read_text("utf-8")
    assert here("replay", out, "--check").out == "1 match, all in order\n"
    data = json.loads(out.read_text("utf-8"))
    assert len(data["extra"]["analysis"]["players"]) == 2
    assert any("analysis" in turn.get("extra", {}) for turn in data["rounds"][0]["turns"])


def test_a_summary_for_programs_is_the_same_twice(here: Here, record: Path) -> None:
    one, two = (here("analyse", record, "--rollouts", "60", "--json").out for _ in range(2))
    assert one == two
    line = json.loads(one)
    assert line["record"] == 1
    keys = {"seat", "decisions", "lost", "noise", "lost_points", "marks", "luck"}
    assert set(line["players"][0]) == keys


def test_a_hint_for_a_position_with_hidden_tiles(here: Here, tmp_path: Path) -> None:
    file = tmp_path / "position.json"
    match = random_match(CLASSIC, 2, seed=8, most=1)
    game = match.rounds[0].copy()
    while game.over or len(game.legal_moves()) < 3:
        game.undo()
    view, position = View.of(game, game.turn), game.position
    data = position_to_json(position)
    data["racks"] = [rack if seat == game.turn else None for seat, rack in enumerate(data["racks"])]
    data["pool"] = None
    file.write_text(json.dumps(data), "utf-8")
    shown = here("hint", file, "--rollouts", "200", "--json", "--most", "3")
    lines = [json.loads(line) for line in shown.out.splitlines()]
    assert 1 < len(lines) <= 3
    moves = {str(move) for move in view.legal_moves()}
    assert {line["move"] for line in lines} <= moves
    assert "why" in here("hint", file, "--rollouts", "200").out


def test_a_hint_for_a_moment_of_a_record(here: Here, record: Path) -> None:
    shown = here("hint", record, "--turn", "6", "--rollouts", "100")
    assert shown.code == 0
    assert "margin" in shown.out
    assert "the round is over there" in here("hint", record).complaint


def test_clear_answers(here: Here, tmp_path: Path) -> None:
    file = tmp_path / "p.json"
    hidden = {"format": "triomino-position/2", "board": [], "racks": [None, ["0-0-0"]]}
    file.write_text(json.dumps(hidden | {"rack_sizes": [1, 1]}), "utf-8")
    assert "rack of seat 0 is hidden" in here("hint", file).complaint
    file.write_text("buy milk", "utf-8")
    for command in ("hint", "analyse"):
        assert str(file) in here(command, file).complaint
        assert "No such file" in here(command, tmp_path / "nothing").complaint
