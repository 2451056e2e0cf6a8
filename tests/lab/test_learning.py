"""Training, run small: it improves on its start, and goes on where it was stopped."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from triomino import EDITIONS
from triomino.kernel.contest import Contestant, contest
from triomino.kernel.network import network
from triomino.kernel.search import Effort
from triomino.lab.learning.curves import curves, read_log
from triomino.lab.learning.games import draw_tables, editions
from triomino.lab.learning.model import Batch, Model, Segment, gradient, units
from triomino.lab.learning.train import SMALL, Run, learn, strength

if TYPE_CHECKING:
    from pathlib import Path

TINY = replace(SMALL, steps=4, tables=4, rounds=24, policy_steps=2, batch=256)
CLASSIC_TWO = "classic/2"


def test_a_small_run_improves_on_its_start() -> None:
    recipe = replace(SMALL, steps=12, policy_steps=12, tables=6, rounds=64, batch=256)
    run = Run.begin(recipe)
    before = strength(run.model.to_bytes(), 300, seed=1)
    losses = [run.advance() for _ in range(recipe.steps)]
    after = strength(run.model.to_bytes(), 300, seed=1)
    assert sum(after.values()) > sum(before.values()) + 0.5
    assert losses[-1][0] < losses[0][0]


def test_a_run_that_was_stopped_goes_on_as_if_it_had_not_been(tmp_path: Path) -> None:
    whole = learn(TINY, tmp_path / "whole", every=2)
    learn(replace(TINY, steps=2), tmp_path / "parts", every=2)
    # The rate depends on the length of the run, so the first part is the same recipe cut short.
    run = Run.begin(TINY)
    for _ in range(2):
        run.advance()
    run.save(tmp_path / "parts" / "run.npz")
    parts = learn(TINY, tmp_path / "parts", every=2)
    assert parts.step == whole.step
    assert parts.model.to_bytes() == whole.model.to_bytes()
    assert parts.mean.to_bytes() == whole.mean.to_bytes()
    lines = read_log(tmp_path / "whole" / "log.jsonl")
    assert [line["step"] for line in lines] == [2, 4]
    assert CLASSIC_TWO in curves(lines)


def test_what_is_kept_is_the_mean_of_the_last_steps() -> None:
    run = Run.begin(replace(TINY, averaged=2))
    seen = []
    for _ in range(3):
        run.advance()
        seen.append(run.model.weights["input"].copy())
    wanted = ((seen[0] + seen[1]) / 2 + seen[2]) / 2
    assert np.allclose(run.mean.weights["input"], wanted, atol=1e-6)
    assert not np.allclose(seen[2], wanted, atol=1e-6)


def test_a_league_that_grows_is_kept_when_a_run_stops(tmp_path: Path) -> None:
    recipe = replace(TINY, policy_steps=1, join_every=1, league_tables=2)
    league = (Contestant(),)
    whole = learn(recipe, tmp_path / "whole", league=league)
    run = Run.begin(recipe)
    run.league = league
    for _ in range(2):
        run.advance()
    run.save(tmp_path / "run.npz")
    parts = learn(recipe, tmp_path, league=league)
    assert parts.model.to_bytes() == whole.model.to_bytes()
    assert parts.past == whole.past
    assert len(set(whole.past)) == recipe.steps
    without = learn(recipe, tmp_path / "without")
    assert without.model.to_bytes() != whole.model.to_bytes()


def test_the_gradient_is_that_of_the_loss() -> None:
    """By differences, in double precision."""
    dice = np.random.default_rng(1)
    model = Model.fresh(1)
    precise: dict[str, Any] = {name: each.astype(float) for name, each in model.weights.items()}
    model.weights = precise
    rows = 6
    numbers: Any = dice.normal(size=(rows, len(units()) + 3))
    batch = Batch(
        features=numbers[:, 3:] * 0.1,
        lead=numbers[:, 0] * 50,
        margin=numbers[:, 1] * 50,
        win=1 / (1 + numbers[:, 2] ** 2),
        segments=(Segment(0, slice(0, 4)), Segment(5, slice(4, rows))),
    )
    slope, _, _ = gradient(model, batch)
    for name, place in (
        ("input", (0, 3, 5)),
        ("input", (1, 4, 7)),
        ("input_bias", (1, 6)),
        ("hidden", (5, 2, 7)),
        ("head", (0, 2, 3)),
        ("head_bias", (5, 0)),
    ):
        value, step = model.weights[name][place], 1e-4
        ends = []
        for change in (step, -step):
            model.weights[name][place] = value + change
            _, entropy, squares = gradient(model, batch)
            ends.append(entropy + squares / 2)
        model.weights[name][place] = value
        assert slope[name][place] == pytest.approx((ends[0] - ends[1]) / (2 * step), abs=1e-3)


def test_tables_are_drawn_from_every_edition() -> None:
    drawn = draw_tables(np.random.default_rng(1), 400)
    assert {(table.rules.edition, table.players) for table in drawn} == {
        (table.rules.edition, table.players) for table in editions()
    }
    assert any(table.rules != EDITIONS[table.rules.edition] for table in drawn)


def test_the_network_that_ships_beats_greedy_without_a_search() -> None:
    network()
    thinker = Contestant(effort=Effort(judges=True, rollouts=1, win_weight=300), searches=False)
    for edition in ("classic", "six-player", "casual"):
        made = contest(EDITIONS[edition], 2, (thinker, Contestant()), seed=4, count=600)
        assert made.won.mean() > 0.56
