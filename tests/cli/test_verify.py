"""``triomino verify``: the deals of a record are those of its seeds, or it says which is not."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.cli.program import Here, triomino
from triomino import CLASSIC, Match, Player, Seeds
from triomino.bots import simulate_match
from triomino.claims import UNPROVEN
from triomino.record import record_of

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "game.jsonl"


def series() -> dict[str, Any]:
    rules = CLASSIC.with_changes({"target": 300})
    return record_of(simulate_match(rules, ["greedy", "random"], 4, 1))


def opened(seeds: Seeds) -> dict[str, Any]:
    """A match with nothing played, so that its deal can be altered and still replays."""
    return record_of(Match.start(CLASSIC, [Player("Ann"), Player("Ben")], seeds))


def test_an_honest_deal_is_confirmed(file: Path) -> None:
    record = series()
    file.write_text(json.dumps(record), "utf-8")
    result = triomino("verify", file)
    assert (result.code, result.err) == (0, "")
    rounds = len(record["rounds"])
    assert result.lines == [
        f"commitment {record['fair']['commitment']}",
        f"1 match, {rounds} rounds: dealt as the seeds say",
        "This is fair/1. What it does not prove:",
        *(f"- {line}" for line in UNPROVEN),
    ]


def test_json_has_a_line_for_each_record(here: Here, file: Path) -> None:
    record = series()
    file.write_text(f"{json.dumps(record)}\n{json.dumps(record)}\n", "utf-8")
    lines = [json.loads(line) for line in here("verify", file, "--json").lines]
    assert lines == [
        {
            "record": number,
            "rounds": len(record["rounds"]),
            "commitment": record["fair"]["commitment"],
            "verified": True,
            "case": "old",
            "seats": ["bot", "bot"],
            "withheld": 0,
            "own": None,
        }
        for number in (1, 2)
    ]


def test_an_altered_deal_is_found(here: Here, file: Path) -> None:
    record = opened(Seeds.named(2, "honest"))
    pool = record["rounds"][0]["pool"]
    pool[0], pool[1] = pool[1], pool[0]
    file.write_text(f"{json.dumps(series())}\n{json.dumps(record)}\n", "utf-8")
    # It is a match that could have been played, but not one that these seeds dealt.
    assert here("replay", file, "--check").code == 0
    said = here("verify", file).complaint
    assert said == f"{file}, record 2, rounds[0].pool: the seeds deal something else"


def test_other_seeds_are_found(here: Here, file: Path) -> None:
    record = opened(Seeds.named(2, "honest"))
    record["fair"] = opened(Seeds.named(2, "other"))["fair"]
    file.write_text(json.dumps(record), "utf-8")
    assert here("replay", file, "--check").code == 0
    assert "record 1, rounds[0].racks: the seeds deal" in here("verify", file).complaint


def test_a_record_without_seeds_cannot_be_verified(here: Here, file: Path) -> None:
    record = series()
    del record["fair"]
    file.write_text(json.dumps(record), "utf-8")
    assert here("replay", file, "--check").code == 0
    said = here("verify", file).complaint
    assert said == (
        f"{file}, record 1, fair: the record carries no seeds, so its deals cannot be verified"
    )


def test_what_does_not_replay_is_not_verified(here: Here, file: Path) -> None:
    record = series()
    record["fair"]["commitment"] = "f" * 64
    file.write_text(json.dumps(record), "utf-8")
    assert "line 1, fair.commitment: it is not the commitment" in here("verify", file).complaint
