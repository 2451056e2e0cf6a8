"""PettingZoo's own tests of our environment."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from triomino import CARD, CLASSIC, SIX_PLAYER, Rules

pytest.importorskip("pettingzoo", reason="run make test-research")

from pettingzoo.test import api_test, render_test, seed_test

from triomino.env.pettingzoo import env

pytestmark = pytest.mark.filterwarnings("default")


@pytest.mark.parametrize(
    ("rules", "players"), [(CLASSIC, 2), (CARD, 3), (CLASSIC, 4), (SIX_PLAYER, 5), (SIX_PLAYER, 6)]
)
@pytest.mark.parametrize("reward", ["win", "margin"])
def test_the_api(rules: Rules, players: int, reward: str) -> None:
    api_test(env(rules=rules, players=players, reward=reward), num_cycles=300)


def test_a_match() -> None:
    api_test(env(rules=CARD, reward="match"), num_cycles=600)


def test_seeds() -> None:
    seed_test(env, num_cycles=100)


def test_rendering(capsys: pytest.CaptureFixture[str]) -> None:
    render_test(lambda render_mode=None: env(render_mode=render_mode))
    assert "to move" in capsys.readouterr().out


def test_rewards_and_masks() -> None:
    played: Any = env(players=3, rules=CLASSIC, reward="margin")
    played.reset(seed=5)
    rng, sums = np.random.default_rng(1), dict.fromkeys(played.agents, 0.0)
    for agent in played.agent_iter():
        observation, reward, ended, cut, info = played.last()
        sums[agent] += reward
        if ended or cut:
            played.step(None)
            continue
        mask = observation["action_mask"]
        assert np.array_equal(mask, info["action_mask"])
        played.step(int(rng.choice(np.flatnonzero(mask))))
    totals = played.unwrapped.table.batch.final_totals[0]
    assert sums["seat_0"] == pytest.approx(totals[0] - totals[1:].mean())
