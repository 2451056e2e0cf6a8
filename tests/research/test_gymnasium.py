"""Gymnasium's own tests of our environments."""

from __future__ import annotations

import numpy as np
import pytest

from triomino import CARD, CLASSIC, Rules

gymnasium = pytest.importorskip("gymnasium", reason="run make test-research")

from gymnasium.utils.env_checker import check_env

from triomino.env.gymnasium import TriominoEnv, TriominoVectorEnv

pytestmark = pytest.mark.filterwarnings("default")


@pytest.mark.parametrize("opponents", [("greedy",), ("random", "easy")])
@pytest.mark.parametrize("rules", [CLASSIC, CARD])
def test_the_environment(rules: Rules, opponents: tuple[str, ...]) -> None:
    check_env(TriominoEnv(rules, opponents))


def test_it_is_registered(capsys: pytest.CaptureFixture[str]) -> None:
    check_env(gymnasium.make("triomino/Solo-v0").unwrapped)
    assert "to move" in capsys.readouterr().out


def test_illegal_actions_are_paid_and_end_in_truncation() -> None:
    env = TriominoEnv()
    env.reset(seed=1)
    for number in range(1, 101):
        _, reward, ended, cut, info = env.step(3)
        assert (reward, ended, cut, info["illegal"]) == (-1.0, False, number == 100, True)


def test_many_at_once() -> None:
    env = TriominoVectorEnv(16, players=3, reward="margin")
    seen, infos = env.reset(seed=3)
    rng, ended = np.random.default_rng(1), 0
    assert env.observation_space.contains(seen)
    for _ in range(80):
        noise = rng.random(infos["action_mask"].shape) * infos["action_mask"]
        seen, rewards, over, cut, infos = env.step(noise.argmax(axis=1))
        assert env.observation_space.contains(seen)
        assert rewards.shape == over.shape == cut.shape == (16,)
        ended += int(over.sum())
    assert ended > 5
    first, _ = env.reset(seed=3)
    again, _ = env.reset(seed=3)
    assert all(np.array_equal(first[name], again[name]) for name in first)
    env.reset(seed=[7, 8] * 8)
    racks = env.many.batch.racks.copy()  # greedy has moved already, but is not random
    env.reset(seed=[8, 7] * 8)
    assert np.array_equal(racks[0], env.many.batch.racks[1])
    assert np.array_equal(racks[1], env.many.batch.racks[2])
    assert not np.array_equal(racks[0], env.many.batch.racks[0])
