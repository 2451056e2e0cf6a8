"""Every deliberate error of the mutation lists still has its line in the source."""

from __future__ import annotations

from pathlib import Path

import pytest
from tools import mutants, native_mutants

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize(
    ("folder", "listed"),
    [("src/triomino", mutants.MUTANTS), ("native", native_mutants.MUTANTS)],
    ids=["rules", "kernel"],
)
def test_every_mutant_finds_its_line_exactly_once(
    folder: str, listed: list[mutants.Mutant] | list[native_mutants.Mutant]
) -> None:
    """Applying them is slow: ``make mutants`` and ``make native-mutants``."""
    for mutant in listed:
        source = (ROOT / folder / mutant.file).read_text("utf-8")
        assert source.count(mutant.old) == 1, mutant.what
        assert mutant.new != mutant.old, mutant.what
    assert len({mutant.what for mutant in listed}) == len(listed)
