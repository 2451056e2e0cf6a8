"""``triomino bench``: what it measures, not how fast this machine is."""

from __future__ import annotations

import json

import pytest

from tests.cli.program import Here, triomino

KEYS = ["engine", "edition", "players", "policy", "playouts_per_s", "turns_per_s", "threads"]
ASKED = [
    (edition, players, policy)
    for edition, counts in {"classic": [2, 4], "six-player": [2, 4, 6]}.items()
    for players in counts
    for policy in ("random", "greedy")
]


def test_json_has_a_line_for_every_case_with_the_keys_of_the_format() -> None:
    result = triomino("bench", "--json", "--seconds", "0.01")
    assert (result.code, result.err) == (0, "")
    lines = [json.loads(line) for line in result.lines]
    assert all(list(line) == KEYS for line in lines)
    alone = [line for line in lines if line["threads"] == 1]
    for engine in ("python", "kernel"):
        own = [line for line in alone if line["engine"] == engine]
        assert [(line["edition"], line["players"], line["policy"]) for line in own] == ASKED
    assert {line["engine"] for line in lines if line["threads"] > 1} <= {"kernel"}
    for line in lines:
        # A round has at least a turn for every tile of a rack.
        assert line["turns_per_s"] > 6 * line["playouts_per_s"] > 0


@pytest.mark.parametrize("columns", [40, 80])
def test_the_table_says_that_there_is_no_kernel(
    here: Here, columns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("triomino.kernel.loader._why", "no C++ compiler was found")
    result = here("bench", "--seconds", "0.001", columns=columns)
    assert result.code == 0
    assert max(map(len, result.lines)) <= columns
    assert len([line for line in result.lines if " greedy " in line]) == 5
    assert "kernel  " not in result.out
    assert "The native kernel is not built" in result.out
