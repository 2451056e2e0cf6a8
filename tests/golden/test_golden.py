"""Whole games that replay, and are played again, byte for byte."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.golden.update import HERE, ORDER, golden_records, order_of_moves
from triomino import EDITIONS, read_record, verify_deals, write_record


@pytest.mark.parametrize("edition", EDITIONS)
def test_golden_games_replay_to_the_same_bytes(edition: str) -> None:
    lines = (HERE / f"{edition}.jsonl").read_text("utf-8").splitlines()
    assert len(lines) > len(EDITIONS[edition].racks)
    for line in lines:
        match = read_record(line)
        assert write_record(match) == line
        verify_deals(match)


def test_bots_play_the_golden_games_again() -> None:
    for name, text in golden_records().items():
        assert (HERE / name).read_text("utf-8") == text, name


def test_the_order_of_moves_is_kept() -> None:
    assert ORDER.read_text("utf-8") == order_of_moves()


OF_THEN = Path(__file__).parents[1] / "old" / "golden"


@pytest.mark.parametrize("edition", ["card", "casual"])
def test_the_first_version_wrote_the_same_turns(edition: str) -> None:
    """What came later changed the drawing of the tile editions only."""
    assert _turns(HERE / f"{edition}.jsonl") == _turns(OF_THEN / f"{edition}.jsonl")


def _turns(file: Path) -> list[Any]:
    records = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    return [[played["turns"] for played in record["rounds"]] for record in records]
