"""``triomino arena``: lines for programs, going on where it stopped, and clear refusals."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import pytest

from tests.cli.program import Here, environment, triomino

if TYPE_CHECKING:
    from pathlib import Path

KEYS = [
    "bot",
    "games",
    "wins",
    "win_rate",
    "win_rate_95",
    "mean_margin",
    "margin_95",
    "ms_per_move",
]


def without_times(text: str) -> list[dict[str, Any]]:
    lines = [json.loads(line) for line in text.splitlines()]
    for line in lines:
        assert list(line) == KEYS
        assert line.pop("ms_per_move") >= 0
    return lines


def test_a_line_for_each_bot_whatever_the_number_of_processes() -> None:
    asked = ["arena", "greedy", "random", "--games", "24", "--seed", "3", "--json"]
    one, two = triomino(*asked, "--jobs", "1"), triomino(*asked, "--jobs", "2")
    assert (one.code, one.err) == (two.code, two.err) == (0, "")
    first, second = without_times(one.out)
    assert [first, second] == without_times(two.out)
    assert (first["bot"], second["bot"]) == ("greedy", "random")
    assert first["games"] == 24
    assert first["wins"] + second["wins"] == 24
    assert first["win_rate"] > second["win_rate"]


def test_games_are_those_of_whole_deals(here: Here) -> None:
    asked = ["arena", "greedy", "random", "-p", "3", "-e", "six-player", "-n", "4", "-j", "1"]
    lines = without_times(here(*asked, "--json").out)
    assert [line["games"] for line in lines] == [6, 6]


def test_a_table_for_people(here: Here) -> None:
    shown = here("arena", "greedy", "random", "-n", "4", "-j", "1").out
    assert "greedy" in shown
    assert "classic, 2 players, single rounds; 4 games of 2 deals." in shown
    series = here("arena", "greedy", "random", "-n", "2", "-j", "1", "--target", "100").out
    assert "to 100" in series


def test_it_goes_on_where_it_stopped(here: Here, tmp_path: Path) -> None:
    file, records = tmp_path / "kept.jsonl", tmp_path / "games.jsonl"
    asked = ["arena", "greedy", "random", "--seed", "9", "-j", "1", "--json"]
    whole = without_times(here(*asked, "-n", "12").out)
    kept = [*asked, "--keep", str(file), "--records", str(records)]
    here(*kept, "-n", "6")
    content = file.read_bytes()
    # The machine went down while the third deal was being written.
    file.write_bytes(content[:-20])
    assert without_times(here(*kept, "-n", "12").out) == whole
    assert file.read_bytes().startswith(content[: content.rindex(b'{"deal": 3')])
    assert len(records.read_text("utf-8").splitlines()) == 12
    assert here("replay", records, "--check").out == "12 matches, all in order\n"
    before = file.read_bytes()
    assert without_times(here(*kept, "-n", "12").out) == whole
    assert file.read_bytes() == before


def test_another_contest_does_not_go_into_the_same_file(here: Here, tmp_path: Path) -> None:
    file = tmp_path / "kept.jsonl"
    asked = ["arena", "greedy", "random", "-n", "2", "-j", "1", "--keep", str(file)]
    assert here(*asked).code == 0
    before = file.read_bytes()
    said = here(*asked, "--seed", "2", "--set", "draw_cost=1").complaint
    assert said == f"{file} holds another contest (rules, seed); take another file"
    assert file.read_bytes() == before


@pytest.mark.parametrize(
    "content",
    [b"buy milk\n", b"{}\n", b"[]\n", b'"x"\n', b'{"format": "triomino-record/1"}\n', b"\xff\n"],
)
def test_a_file_of_something_else_is_left_alone(here: Here, tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "notes.txt"
    file.write_bytes(content)
    said = here("arena", "greedy", "random", "-n", "2", "-j", "1", "--keep", file).complaint
    assert said == f"{file} holds no results of an arena"
    assert file.read_bytes() == content


def test_damaged_results_are_refused(here: Here, tmp_path: Path) -> None:
    file = tmp_path / "kept.jsonl"
    asked = ["arena", "greedy", "random", "-n", "4", "-j", "1", "--keep", str(file)]
    here(*asked)
    head, first, second = file.read_text("utf-8").splitlines()
    for lines, why in (
        ([head, second], "is damaged: its deals are not in order"),
        ([head, first, first], "is damaged: its deals are not in order"),
        ([head, '{"deal": 1}'], "holds no results of an arena"),
        ([head, first.replace('"wins": [["', '"wins": [["1/0", "')], "holds no results"),
    ):
        file.write_text("\n".join(lines) + "\n", "utf-8")
        assert why in here(*asked).complaint


def test_it_stops_as_soon_as_it_is_decided(here: Here) -> None:
    asked = ["arena", "greedy", "random", "-n", "400", "-j", "1", "--sprt", "--high", "0.65"]
    shown = here(*asked).out
    assert "Decided: 65.0% and not 50.0%." in shown
    games = int(shown.split(" games of ")[0].rsplit(" ", 1)[1])
    assert 60 <= games < 400
    even = here("arena", "greedy", "greedy", "-n", "4", "-j", "1", "--sprt").out
    assert "Not decided between 50.0% and 55.0%" in even


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        (["greedy", "gready"], "did you mean"),
        (["greedy", "random", "-p", "5"], "players"),
        (["greedy", "random", "--low", "0.4"], "--sprt"),
        (["greedy", "random", "--sprt", "--low", "0.6", "--high", "0.5"], "low first"),
        (["greedy", "random", "--ms", "5", "--rollouts", "10"], "contradict"),
        (["greedy", "random", "--records", "-"], "name a file"),
        (["greedy"], "missing"),
    ],
)
def test_wrong_questions_get_a_clear_answer(here: Here, asked: list[str], why: str) -> None:
    assert why in here("arena", *asked).complaint


def test_an_interrupt_shows_what_is_done(tmp_path: Path) -> None:
    file = tmp_path / "kept.jsonl"
    program = subprocess.Popen(
        [
            *(sys.executable, "-m", "triomino", "arena", "greedy", "random"),
            *("-n", "100000", "-j", "1", "--json", "--keep", str(file)),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
    )
    while not file.exists() or file.read_bytes().count(b"\n") < 3:
        assert program.poll() is None
        time.sleep(0.05)
    os.kill(program.pid, signal.SIGINT)
    out, err = program.communicate(timeout=60)
    assert program.returncode == 130
    assert err.startswith("triomino: interrupted after ")
    games = {line["games"] for line in without_times(out)}
    assert len(games) == 1
    assert games.pop() >= 4
