"""The recipes under examples/research, each run small."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

RECIPES = Path(__file__).parents[2] / "examples" / "research"

pytestmark = pytest.mark.filterwarnings("default")

SMALL = {
    "baselines": ["--rounds", "2", "--bots", "greedy,medium"],
    "small_games": ["--iterations", "5", "--rounds", "2", "--simulations", "10"],
    "best_response": ["--small"],
    "ppo": ["--steps", "4096", "--games", "20"],
}
NEEDS = {
    "baselines": "numpy",
    "small_games": "pyspiel",
    "best_response": "numpy",
    "ppo": "sb3_contrib",
}


def test_every_recipe_is_run() -> None:
    assert {path.stem for path in RECIPES.glob("*.py")} == SMALL.keys() == NEEDS.keys()


@pytest.mark.parametrize("name", SMALL)
def test_a_recipe_runs(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip(NEEDS[name], reason=f"run make test-research, or install {NEEDS[name]}")
    monkeypatch.setattr("sys.argv", [name, *SMALL[name]])
    runpy.run_path(str(RECIPES / f"{name}.py"), run_name="__main__")
    assert capsys.readouterr().out.strip()
