"""``triomino stats``: numbers that follow from the rounds, and a picture of them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest

from triomino import CLASSIC, EDITIONS
from triomino.kernel import playouts

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.program import Here


def test_json_has_a_line_for_every_edition_and_player_count(here: Here) -> None:
    result = here("stats", "--json", "-n", "50")
    lines = [json.loads(line) for line in result.lines]
    assert [(line["edition"], line["players"]) for line in lines] == [
        (name, players) for name, rules in EDITIONS.items() for players in rules.racks
    ]
    assert {line["rounds"] for line in lines} == {50}


def test_the_numbers_are_those_of_the_rounds(here: Here) -> None:
    asked = ["stats", "--json", "-e", "classic", "-p", "3", "-n", "70", "--policy", "random"]
    (line,) = map(json.loads, here(*asked, "--seed", "4").lines)
    rounds = playouts(CLASSIC, 3, 70, "random", seed=4)
    assert line["mean_score"] == round(float(rounds.scores.mean()), 3)
    assert line["sd_score"] == round(float(rounds.scores.std()), 3)
    assert line["mean_turns"] == round(float(rounds.turns.mean()), 3)
    assert line["bridges_per_round"] == round(float(rounds.bridges.sum() / 70), 4)
    assert line["hexagons_per_round"] == round(float(rounds.hexagons.sum() / 70), 4)
    starts = [
        (bits >> seat & 1) / bits.bit_count()
        for bits, seat in zip(rounds.winners.tolist(), rounds.starters.tolist(), strict=True)
    ]
    assert line["starter_advantage"] == round(sum(starts) / 70 - 1 / 3, 4)


@pytest.mark.parametrize("columns", [40, 80])
def test_the_table_fits(here: Here, columns: int) -> None:
    result = here("stats", "-n", "20", "--set", "bridge_bonus=50", columns=columns)
    assert result.code == 0
    assert max(map(len, result.lines)) <= columns
    assert "classic*" in result.out  # house rules
    assert "60 rounds" in result.out


def test_the_picture_stands_alone(here: Here, tmp_path: Path) -> None:
    file = tmp_path / "stats.svg"
    assert here("stats", "-n", "200", "-o", file).code == 0
    drawing = file.read_text("utf-8")
    root = ET.fromstring(drawing)  # noqa: S314 - our own
    texts = ["".join(node.itertext()) for node in root.iter() if node.tag.endswith("text")]
    assert all(name in texts for name in EDITIONS)
    assert "no points are kept" in texts
    assert here("stats", "-n", "200", "-o", file).code == 0
    assert file.read_text("utf-8") == drawing


def test_what_cannot_be_is_refused(here: Here) -> None:
    assert "unknown policy 'clever'" in here("stats", "-n", "5", "--policy", "clever").err
    assert "player count" in here("stats", "-e", "classic", "-p", "6").err


def test_without_the_kernel_it_says_so(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("triomino.kernel.loader._why", "no C++ compiler was found")
    result = here("stats", "-n", "5")
    assert result.code == 2
    assert "there is no native kernel: no C++ compiler was found" in result.err
