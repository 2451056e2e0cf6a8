"""``triomino simulate``: the same bytes everywhere, and every record in order."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import pytest

from tests.cli.program import Here, triomino
from triomino import EDITIONS, SIX_PLAYER, Rules, read_records
from triomino.bots import simulate_match
from triomino.ledger import meets_target
from triomino.record import write_record

if TYPE_CHECKING:
    from pathlib import Path

SEATS = [(edition, players) for edition, rules in EDITIONS.items() for players in rules.racks]


def test_the_example_of_the_format(tmp_path: Path) -> None:
    asked = "simulate --edition six-player --players 4 --matches 3 --seed 7 --bots greedy,random"
    result = triomino(*asked.split(), "--records", "out.jsonl", cwd=tmp_path)
    assert (result.code, result.out, result.err) == (0, "3 matches written to out.jsonl\n", "")
    content = (tmp_path / "out.jsonl").read_bytes()
    records = [json.loads(line) for line in content.splitlines()]
    assert len(records) == 3
    assert {record["format"] for record in records} == {"triomino-record/2"}
    assert [Rules.from_json(record["rules"]) for record in records] == [SIX_PLAYER] * 3
    bots = [player["bot"] for player in records[0]["players"]]
    assert bots == ["greedy", "random", "greedy", "random"]
    on_screen = triomino(*asked.split(), "--records", "-")
    assert on_screen.out.encode() == content
    # Who changes this changes every simulation that anybody has published.
    digest = hashlib.sha256(content).hexdigest()
    assert digest == "03974420324226682ad5885a5962c9e037f75a300590084ec4c0290442dee811"


@pytest.mark.parametrize(("edition", "players"), SEATS)
@pytest.mark.parametrize("bots", ["random", "greedy"])
@pytest.mark.parametrize("matches", ["single", "series"])
def test_every_match_is_accepted_by_replay(
    here: Here, tmp_path: Path, edition: str, players: int, bots: str, matches: str
) -> None:
    goal = "2" if edition == "casual" else "400"
    target = ["--set", "target=none"] if matches == "single" else ["--target", goal]
    asked = ["-e", edition, "-p", str(players), "-n", "1", "--bots", bots, "--seed", "5", *target]
    file = tmp_path / "out.jsonl"
    assert here("simulate", *asked, "--records", file).code == 0
    assert here("replay", file, "--check").out == "1 match, all in order\n"
    assert here("verify", file).code == 0
    record = json.loads(file.read_text("utf-8"))
    assert len(record["players"]) == players
    if matches == "single":
        assert len(record["rounds"]) == 1
    else:
        rules = EDITIONS[edition].with_changes({"target": int(goal)})
        assert any(meets_target(rules, total) for total in _totals_on_the_way(record))


def _totals_on_the_way(record: dict[str, Any]) -> list[int]:
    totals, out = [0] * len(record["players"]), []
    for item in record["rounds"]:
        for turn in item["turns"]:
            totals[turn["seat"]] += turn["points"]
            out.append(totals[turn["seat"]])
        totals = list(item["scores"])
        out += totals
    return out


# --- The same bytes ------------------------------------------------------------------------------


def test_processes_and_hash_seeds_change_no_byte() -> None:
    asked = ["simulate", "-e", "card", "-p", "3", "-n", "9", "--seed", "3", "--records", "-"]
    one = triomino(*asked, "--jobs", "1", PYTHONHASHSEED="0")
    two = triomino(*asked, "--jobs", "2", PYTHONHASHSEED="4242")
    assert one.code == two.code == 0
    assert len(one.lines) == 9
    assert one.out == two.out


def test_a_match_is_decided_by_its_number_and_not_by_those_before_it(
    here: Here, tmp_path: Path
) -> None:
    file = tmp_path / "out.jsonl"
    here("simulate", "-n", "3", "--seed", "8", "--jobs", "1", "--records", file)
    third = simulate_match(EDITIONS["classic"], ["greedy", "random"], 8, 3)
    assert file.read_text("utf-8").splitlines()[2] == write_record(third)


def test_another_seed_gives_other_matches(here: Here, tmp_path: Path) -> None:
    for seed in ("1", "2", "123456789012345678901234567890"):
        here("simulate", "-n", "1", "--seed", seed, "--records", tmp_path / seed)
    assert len({path.read_bytes() for path in tmp_path.iterdir()}) == 3


def test_house_rules_come_from_a_file_and_from_settings(here: Here, tmp_path: Path) -> None:
    house, file = tmp_path / "house.toml", tmp_path / "out.jsonl"
    house.write_text('edition = "card"\nbridge_bonus = 45\ndraw_cost = 2\n', "utf-8")
    asked = ["--rules", str(house), "--set", "draw_cost=3", "--target", "90", "-n", "1"]
    assert here("simulate", *asked, "--records", file).code == 0
    assert Rules.from_json(json.loads(file.read_text("utf-8"))["rules"]).changes == {
        "edition": "card",
        "bridge_bonus": 45,
        "draw_cost": 3,
        "target": 90,
    }


# --- Summaries -----------------------------------------------------------------------------------


def test_the_summary_counts_what_the_records_say(here: Here, tmp_path: Path) -> None:
    file = tmp_path / "out.jsonl"
    asked = ["simulate", "-e", "six-player", "-p", "3", "-n", "6", "--seed", "2", "--target", "150"]
    result = here(*asked, "--json", "--records", file)
    lines = [json.loads(line) for line in result.lines]
    matches = list(read_records(file.read_text("utf-8").splitlines()))
    assert [line["bot"] for line in lines] == ["greedy", "random"]
    assert [line["seats"] for line in lines] == [[0, 2], [1]]
    rounds = sum(len(match.rounds) for match in matches)
    turns = [turn for match in matches for game in match.rounds for turn in game.plies]
    for line in lines:
        seats = line["seats"]
        wins = sum(
            (seat in match.winners) / len(match.winners) for match in matches for seat in seats
        )
        score = sum(match.scores[seat] for match in matches for seat in seats)
        bridges = sum(turn.bonus == "bridge" for turn in turns if turn.seat in seats)
        hexagons = sum("hexagon" in (turn.bonus or "") for turn in turns if turn.seat in seats)
        assert line["matches"] == 6
        assert line["wins"] == pytest.approx(wins, abs=1e-4)
        assert line["win_rate"] == pytest.approx(wins / 6, abs=1e-4)
        assert line["mean_score"] == pytest.approx(score / 6 / len(seats), abs=1e-4)
        assert line["mean_rounds"] == pytest.approx(rounds / 6, abs=1e-4)
        changes = sum(turn.passes_on for turn in turns)
        assert line["mean_turns"] == pytest.approx(changes / rounds, abs=1e-4)
        assert line["bridges_per_round"] == pytest.approx(bridges / rounds / len(seats), abs=1e-4)
        assert line["hexagons_per_round"] == pytest.approx(hexagons / rounds / len(seats), abs=1e-4)
    assert sum(line["wins"] for line in lines) == 6


@pytest.mark.parametrize("columns", [40, 80])
def test_without_records_a_table_is_printed(here: Here, columns: int) -> None:
    result = here("simulate", "-n", "2", "--jobs", "1", columns=columns)
    assert result.code == 0
    assert "win rate" in result.out
    assert "mean score" in result.out
    rows = [line.split() for line in result.lines if line.startswith((" greedy", " random"))]
    assert [row[0] for row in rows] == ["greedy", "random"]
    assert sum(float(row[1]) for row in rows) == 2
    assert "single rounds; 2 matches" in " ".join(result.out.split())
    assert max(map(len, result.lines)) <= columns


def test_the_defaults_are_those_of_the_help(here: Here) -> None:
    text = here("simulate", "--help").out
    assert all(f"default: {value}" in text for value in ("2", "100", "1", "greedy,random"))


# --- Whole lines ---------------------------------------------------------------------------------


@pytest.mark.skipif(os.name == "nt", reason="interrupts are sent to a process group")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_interrupt_keeps_whole_lines_and_says_how_many(tmp_path: Path, jobs: str) -> None:
    file = tmp_path / "out.jsonl"
    command = [sys.executable, "-m", "triomino", "simulate", "-n", "100000", "--jobs", jobs]
    with subprocess.Popen(
        [*command, "--records", str(file)], stderr=subprocess.PIPE, start_new_session=True
    ) as program:
        assert program.stderr is not None
        for _ in range(6000):
            if file.exists() and file.stat().st_size:
                break
            time.sleep(0.02)
        os.killpg(program.pid, signal.SIGINT)
        said = program.stderr.read().decode()
        assert program.wait() == 130
    lines = file.read_bytes().splitlines(keepends=True)
    assert lines
    assert all(line.endswith(b"}\n") for line in lines)
    expected = f"interrupted; {len(lines)} of 100000 matches written to {file}, all complete\n"
    assert said == f"triomino: {expected}"
    assert len(list(read_records(lines))) == len(lines)


# --- The kernel ----------------------------------------------------------------------------------


def test_summaries_are_the_same_without_the_kernel(
    here: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = ["simulate", "-e", "card", "-p", "3", "-n", "12", "--json", "--jobs", "1"]
    there = here(*asked).out
    monkeypatch.setattr("triomino.kernel.loader._why", "no C++ compiler was found")
    assert here(*asked).out == there
