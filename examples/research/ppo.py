"""Train MaskablePPO of sb3-contrib against greedy, then let it play against random and greedy.

``pip install triomino[research] sb3-contrib``, then ``python examples/research/ppo.py``. A few
minutes on one core bring it near greedy: it wins 62 % of rounds against random. There is much luck:
greedy wins 66 % of them, and the network of our champion, without search, 79 %.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np
from gymnasium import spaces
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import VecEnv

from triomino import CLASSIC
from triomino.env.many import Many

SCALE = 50.0
"""Points are divided by it, so that inputs are about as large as each other."""


ROUND, MATCH = CLASSIC, CLASSIC.with_changes({"target": 400})


class Games(VecEnv):
    """Many games against a policy of the kernel, as Stable-Baselines3 wants them."""

    def __init__(self, games: int, opponent: str, seed: int, reward: str = "win") -> None:
        rules = MATCH if reward == "match" else ROUND
        self.many = Many(rules, 2, games, opponent, reward)
        self.many.reset(seed)
        self.scale = SCALE if reward == "margin" else 1.0
        size = self._seen().shape[1]
        super().__init__(
            games,
            spaces.Box(-np.inf, np.inf, (size,), np.float32),
            spaces.Discrete(self.many.batch.space.size),
        )

    def _seen(self) -> np.ndarray:
        seen = self.many.observe()
        vector = seen["vector"].astype(np.float32)
        vector[:, 112:] /= SCALE
        bonus = seen["cells"][:, :, 6] > 0
        return np.concatenate([vector, bonus.astype(np.float32)], axis=1)

    def reset(self) -> np.ndarray:
        self.many.renew()
        return self._seen()

    def step_async(self, actions: np.ndarray) -> None:
        self.chosen = actions

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        rewards, over = self.many.step(self.chosen)
        infos: list[dict[str, Any]] = [{} for _ in over]
        if over.any():
            last = self._seen()
            for i in np.flatnonzero(over):
                infos[i] = {"terminal_observation": last[i], "TimeLimit.truncated": False}
            self.many.renew()
        return self._seen(), rewards.astype(np.float32) / self.scale, over, infos

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> Any:
        return list(self.many.mask().astype(bool))

    def has_attr(self, attr_name: str) -> bool:
        return attr_name == "action_masks"

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        return [None] * self.num_envs

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        pass

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        return [False] * self.num_envs

    def close(self) -> None:
        pass


def train(steps: int, games: int = 128, seed: int = 1) -> MaskablePPO:
    """Return a model that has learned from so many steps."""
    model = MaskablePPO(
        "MlpPolicy",
        Games(games, "greedy", seed, "margin"),
        n_steps=32,
        batch_size=1024,
        n_epochs=3,
        learning_rate=2e-3,
        ent_coef=0.001,
        gamma=0.8,  # points come at once; what comes much later is mostly luck
        gae_lambda=0.8,
        policy_kwargs={"net_arch": [64, 64]},
        seed=seed,
        device="cpu",
    )
    return model.learn(steps)


def win_rate(
    model: MaskablePPO, opponent: str, rounds: int, reward: str = "win", seed: int = 99
) -> float:
    """Return the share of games won against an opponent; a shared win counts half."""
    games = Games(min(rounds, 256), opponent, seed, reward)
    seen = games.reset()
    results: list[float] = []
    while len(results) < rounds:
        masks = np.stack(games.env_method("action_masks"))
        chosen, _ = model.predict(seen, action_masks=masks, deterministic=True)
        games.step_async(chosen)
        seen, rewards, over, _ = games.step_wait()
        results += [(reward + 1) / 2 for reward in rewards[over]]
    return float(np.mean(results))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=150_000)
    parser.add_argument("--rounds", type=int, default=2000, help="to measure it by")
    given = parser.parse_args()
    model = train(given.steps)
    for opponent in ("random", "greedy"):
        rounds = win_rate(model, opponent, given.rounds)
        matches = win_rate(model, opponent, given.rounds, "match")
        print(
            f"{opponent}: {rounds:.1%} of rounds, {matches:.1%} of matches to 400 won", flush=True
        )


if __name__ == "__main__":
    main()
