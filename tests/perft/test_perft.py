"""Counts of move trees stay what they were."""

from __future__ import annotations

import pytest

from tests.perft.cases import CASES, FOLDER, position_of
from triomino import perft


def lines() -> list[tuple[str, str, list[int]]]:
    found = []
    for edition in CASES:
        for line in (FOLDER / f"{edition}.perft").read_text("utf-8").splitlines():
            case, counts = line.rsplit(" = ", 1)
            found.append((edition, case, [int(count) for count in counts.split()]))
    return found


@pytest.mark.parametrize(("edition", "case", "counts"), lines())
def test_perft(edition: str, case: str, counts: list[int]) -> None:
    game, depth = position_of(edition, case)
    assert len(counts) == depth
    before = game.position
    assert [perft(game, level) for level in range(1, depth + 1)] == counts
    assert game.position == before


def test_every_edition_goes_to_depth_four_and_every_case_is_counted() -> None:
    for edition, cases in CASES.items():
        kept = [(case, counts) for name, case, counts in lines() if name == edition]
        assert [case for case, _ in kept] == cases
        assert max(len(counts) for _, counts in kept) >= 4
