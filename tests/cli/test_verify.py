"""``triomino verify``: the deals of a record are those of its seeds, or it says which is not."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.cli.program import Here, triomino
from tests.test_fair2 import receipt_of, record_with, share
from triomino import CLASSIC, Match, Player, Seeds
from triomino.bots import simulate_match
from triomino.claims import UNPROVEN
from triomino.fair2 import FairSeat
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
            "choices": 1,
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


def test_who_took_part_is_said_in_plain_words(here: Here, file: Path, tmp_path: Path) -> None:
    seats = [FairSeat((0,)), FairSeat((1,)), FairSeat(bot="easy"), FairSeat()]
    shared = share(seats, [True, False])
    file.write_text(json.dumps(record_with(shared)), "utf-8")
    said = here("verify", file).lines
    assert said[0] == f"commitment {shared.commitment}"
    assert said[2].startswith("Some devices took part")
    assert said[4:8] == [
        "- P0: took part",
        "- P1: committed, then revealed nothing",
        "- P2: a bot",
        "- P3: sent no commitment",
    ]
    assert "2 deals" in " ".join(said[8:])
    receipt = tmp_path / "receipt.json"
    receipt.write_text(json.dumps(receipt_of(shared, 0).to_json()), "utf-8")
    assert here("verify", file, "--receipt", receipt).lines[-1].startswith("Your device took part")
    (line,) = here("verify", file, "--receipt", receipt, "--json").lines
    told = json.loads(line)
    assert (told["case"], told["withheld"], told["own"]) == ("some", 1, "took_part")
    assert told["seats"] == ["took_part", "withheld", "bot", "no_commitment"]


def test_everybody_and_nobody(here: Here, file: Path) -> None:
    two = [FairSeat((0,)), FairSeat((1,))]
    file.write_text(json.dumps(record_with(share(two, [True, True]))), "utf-8")
    assert here("verify", file).lines[2].startswith("Every device took part")
    nobody = record_with(share([FairSeat(), FairSeat()], []))
    file.write_text(json.dumps(nobody), "utf-8")
    assert here("verify", file).lines[2].startswith("Nobody but the server took part")
    file.write_text(f"{json.dumps(nobody)}\n{json.dumps(series())}\n", "utf-8")
    assert here("verify", file).lines[1:] == [
        "1: nobody but the server took part",
        "1: fair/1, which proves less than fair/2",
    ]


def test_what_is_wrong_is_one_line(file: Path, tmp_path: Path) -> None:
    shared = share([FairSeat((0,)), FairSeat()], [True])
    record = record_with(shared)
    record["fair"]["signature"] = "00" * 64
    file.write_text(json.dumps(record), "utf-8")
    result = triomino("verify", file)
    assert result.code == 2
    assert "fair.signature: the server's key did not sign these seeds" in result.err
    receipt = tmp_path / "receipt.json"
    for text, why in (("{}", "'format' is missing"), ("nothing", "this is not JSON")):
        receipt.write_text(text, "utf-8")
        result = triomino("verify", file, "--receipt", receipt)
        assert result.code == 2
        assert why in result.err
        assert str(receipt) in result.err
    result = triomino("verify", file, "--receipt", tmp_path / "nowhere.json")
    assert result.code == 2
    assert "cannot be read" in result.err
