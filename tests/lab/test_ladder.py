"""The checks of the ladder and of the exploiter: that they run, resume and can fail."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from benchmarks.bots import exploiter, ratings
from benchmarks.kept_rows import version_of

from triomino.bots import LEVELS, make_bot
from triomino.bots.levels import HumanBot
from triomino.bots.registry import LOST_OF_TEN
from triomino.dice import Rng

if TYPE_CHECKING:
    from pathlib import Path


def won(share: float) -> ratings.Results:
    """Every level from easy up wins so much against the one below; easy a sixth more."""
    pairs = list(pairwise(LEVELS))
    deals = {pair: {n: float(n >= round(100 * share)) for n in range(100)} for pair in pairs}
    deals["beginner", "easy"] = {n: float(n >= 83) for n in range(100)}
    return deals


def test_levels_that_are_a_ladder_pass_and_others_fail() -> None:
    assert ratings.rungs(won(0.66), 400)[1] == []
    for share in (0.55, 0.8):
        table, wrong = ratings.rungs(won(share), 400)
        assert len(wrong) == 4
        assert f"{share:.1%}" in table
    assert any("easy" in one for one in ratings.rungs({("beginner", "easy"): {1: 0.4}}, 400)[1])


def test_what_is_told_of_luck_is_what_was_measured() -> None:
    lost = LOST_OF_TEN["expert"]
    deals = {n: float(n < 10 * lost) for n in range(100)}
    assert ratings.rungs({("hard", "expert"): deals}, 0)[1] == []
    assert ratings.rungs({("hard", "expert"): {1: 0.9}}, 0)[1] != []


def test_results_of_a_level_that_changed_are_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    keep = tmp_path / "kept.jsonl"
    words = ["--games", "0", "--neighbours", "4", "--bots", "beginner", "easy", "--jobs", "1"]
    monkeypatch.setattr(sys, "argv", ["ratings", *words, "--keep", str(keep)])
    for expected in (3, 3):
        with pytest.raises(SystemExit):
            ratings.main()
        assert len(keep.read_text("utf-8").splitlines()) == expected
    head, *rows = keep.read_text("utf-8").splitlines()
    older = [json.dumps([*json.loads(row)[:-1], "older"]) for row in rows]
    keep.write_text("\n".join([head, *older, ""]), "utf-8")
    with pytest.raises(SystemExit):
        ratings.main()
    assert keep.read_text("utf-8").splitlines()[3:] == rows
    assert "| 4 |" in capsys.readouterr().out


def test_a_version_tells_levels_apart_and_not_dice() -> None:
    easy = make_bot("easy", Rng(1))
    assert isinstance(easy, HumanBot)
    assert version_of([easy]) == version_of([make_bot("easy", Rng(2))])
    assert version_of([easy]) != version_of([replace(easy, overlooks=29)])
    assert version_of([make_bot("hard", Rng(1))]) != version_of([make_bot("expert", Rng(1))])


def test_an_exploiter_goes_on_where_it_was_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exploiter, "RECIPE", replace(exploiter.RECIPE, tables=2, rounds=8))
    spent: list[float] = []
    first, after = exploiter.train(tmp_path, 0.2, 0, spent.append)
    again, later = exploiter.train(tmp_path, after + 0.1, 5, spent.append)
    assert spent == sorted(spent)
    assert later > after
    assert first != again
    done = json.loads((tmp_path / "spent.json").read_text("utf-8"))
    assert done["steps"] == len(spent)
