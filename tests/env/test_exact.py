"""Exact values of small variants."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from tests.effort import WHOLE
from triomino import CLASSIC, TriominoError
from triomino.env.exact import VARIANTS, Solver, build_tree, main, solve
from triomino.env.tree import Variant

PAGE = Path(__file__).parents[2] / "docs" / "research.md"


def published() -> dict[str, list[float]]:
    """The table in the documentation."""
    rows = re.findall(
        r"^\| ([a-z-]+) \|((?: [-\d,.]+ \|){4})", PAGE.read_text("utf-8"), re.MULTILINE
    )
    return {
        name: [float(cell.replace(",", "")) for cell in cells.split("|")[:-1]]
        for name, cells in rows
        if name in VARIANTS
    }


@pytest.mark.parametrize("name", VARIANTS)
def test_the_published_values_are_found_again(name: str) -> None:
    nodes, sets, value, conv = published()[name]
    if nodes > 10_000 and not WHOLE:
        pytest.skip("takes a minute")
    row = solve(name, iterations=1000 if WHOLE else 100)
    assert (row.nodes, row.information_sets) == (nodes, sets)
    assert 0 <= row.nash_conv < (conv + 0.0005 if WHOLE else 0.1)
    assert row.value == pytest.approx(value, abs=row.nash_conv + conv + 0.001)


def test_an_even_strategy_is_far_from_equilibrium() -> None:
    solver = Solver(build_tree(VARIANTS["five"]))
    far = solver.nash_conv()
    solver.run(20)
    near = solver.nash_conv()
    assert far > 1 > near >= 0
    assert -solver.best_response(1) <= solver.value() <= solver.best_response(0)
    policy = solver.average()
    sums = np.add.reduceat(policy, solver.tree.set_first[:-1])
    assert np.allclose(sums, 1)


def test_games_without_an_end_are_refused() -> None:
    with pytest.raises(TriominoError, match="who starts"):
        build_tree(Variant(CLASSIC))
    with pytest.raises(TriominoError, match="two players"):
        build_tree(Variant(CLASSIC, 3, starter=0))


def test_the_command_prints_the_table(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["exact", "four", "--iterations", "10"])
    main()
    assert "| four | 186 | 92 |" in capsys.readouterr().out
