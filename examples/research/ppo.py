"""Train MaskablePPO of sb3-contrib against greedy, then let it play against random and greedy.

``pip install triomino[research] sb3-contrib``, then ``python examples/research/ppo.py``. The policy
scores each legal action by what it would do (``triomino.env.features``) together with the state;
a flat output for all 3,252 actions learns much more slowly. It starts from nothing: no moves of
another player are imitated.
"""

from __future__ import annotations

import argparse
from time import process_time
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.vec_env import VecEnv
from torch import nn

from triomino import CLASSIC
from triomino.env.features import ACTION_FIELDS, ActionFeatures
from triomino.env.many import Many

SLOTS = 32
"""The legal actions that are offered. More than 27 were never met."""
FIELDS = len(ACTION_FIELDS)
SCALES = np.array([1, 1, 1, 1, 1, 10, 40, 1, 1, 5, 5, 1, 40, 40], np.float32)
POINTS = 50.0
"""Points are divided by it, so that inputs are about as large as each other."""
ROUND, MATCH = CLASSIC, CLASSIC.with_changes({"target": 400})
STATE = 12 + 56 + 56


class Games(VecEnv):
    """Many games against a policy of the kernel, as Stable-Baselines3 wants them.

    An action is the number of a legal one. Where only one is legal, it is played at once.
    """

    def __init__(self, games: int, opponent: str, seed: int, reward: str = "win") -> None:
        rules = MATCH if reward == "match" else ROUND
        self.many = Many(rules, 2, games, opponent, reward)
        self.features = ActionFeatures(rules)
        self.many.reset(seed)
        self.scale = POINTS if reward == "margin" else 1.0
        size = STATE + SLOTS * FIELDS
        super().__init__(
            games, spaces.Box(-np.inf, np.inf, (size,), np.float32), spaces.Discrete(SLOTS)
        )

    def _seen(self) -> np.ndarray:
        batch = self.many.batch
        totals, sizes = batch.totals / POINTS, batch.sizes / 10
        legal = self.features.of(batch)
        shown = legal.slot < SLOTS
        actions = np.zeros((len(batch), SLOTS, FIELDS), np.float32)
        actions[legal.game[shown], legal.slot[shown]] = legal.features[shown] / SCALES
        points = batch.rack @ self.features.points / POINTS
        unseen = (1 - batch.rack) * (1 - batch.laid)
        state = [
            *(totals[:, 0] - totals[:, 1], totals.max(axis=1) / 8, sizes[:, 0], sizes[:, 1]),
            *(sizes[:, 2], batch.draws, points, (unseen @ self.features.points) / 100),
            *(actions[:, :, 4].sum(axis=1) / 5, actions[:, :, 9].max(axis=1)),
            *(batch.cell_count / 20, actions[:, :, 6].max(axis=1)),
        ]
        parts = [np.stack(state, axis=1), batch.rack, batch.laid, actions.reshape(len(batch), -1)]
        return np.concatenate(parts, axis=1).astype(np.float32)

    def reset(self) -> np.ndarray:
        self._settle()
        return self._seen()

    def _settle(self) -> None:
        """Go on to a decision in every game; what came before the first one does not count."""
        while True:
            self.many.renew()
            self.many.play_forced()
            if not self.many.batch.done.any():
                return

    def step_async(self, actions: np.ndarray) -> None:
        rows = np.arange(self.num_envs)
        self.chosen = self.many.batch.actions[rows, actions].astype(np.int32)

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        rewards, _ = self.many.step(self.chosen)
        rewards = rewards + self.many.play_forced()
        over = self.many.batch.done.astype(bool)
        infos: list[dict[str, Any]] = [{} for _ in over]
        self._settle()
        seen = self._seen()
        for i in np.flatnonzero(over):
            infos[i] = {"terminal_observation": seen[i], "TimeLimit.truncated": False}
        return seen, rewards.astype(np.float32) / self.scale, over, infos

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> Any:
        return list(self.many.batch.actions[:, :SLOTS] >= 0)

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


class Scores(nn.Module):
    """A score for each action that is there, and what the critic sees."""

    latent_dim_pi, latent_dim_vf = SLOTS, 64

    def __init__(self, width: int = 64) -> None:
        super().__init__()
        self.state = nn.Sequential(nn.Linear(STATE, width), nn.ReLU())
        self.action = nn.Linear(FIELDS, width)
        self.score = nn.Sequential(
            nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 1)
        )
        self.critic = nn.Sequential(
            nn.Linear(STATE, width), nn.ReLU(), nn.Linear(width, self.latent_dim_vf), nn.ReLU()
        )

    def forward(self, seen: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        return self.forward_actor(seen), self.forward_critic(seen)

    def forward_actor(self, seen: torch.Tensor) -> torch.Tensor:
        state, actions = seen[:, :STATE], seen[:, STATE:].reshape(-1, SLOTS, FIELDS)
        there = actions[:, :, :5].sum(dim=2) > 0
        rows = there.nonzero()[:, 0]
        scores = self.score(self.action(actions[there]) + self.state(state)[rows])
        out = torch.zeros(len(seen), SLOTS)
        out[there] = scores[:, 0]
        return out

    def forward_critic(self, seen: torch.Tensor) -> torch.Tensor:
        return self.critic(seen[:, :STATE])


class Policy(MaskableActorCriticPolicy):
    """The scores are the logits of the actions."""

    def _build_mlp_extractor(self) -> None:
        self.mlp_extractor = Scores()

    def _build(self, lr_schedule: Any) -> None:
        super()._build(lr_schedule)
        self.action_net = nn.Identity()


def train(steps: int, games: int = 128, seed: int = 1) -> MaskablePPO:
    """Return a model that has learned from so many decisions."""
    model = MaskablePPO(
        Policy,
        Games(games, "greedy", seed, "margin"),
        n_steps=32,
        batch_size=1024,
        n_epochs=4,
        learning_rate=lambda left: 2e-3 * left,
        ent_coef=0.003,
        gamma=0.98,
        gae_lambda=0.9,
        seed=seed,
        device="cpu",
    )
    return model.learn(steps)


def win_rate(
    model: MaskablePPO, opponent: str, games: int, reward: str = "win", seed: int = 99
) -> tuple[float, float]:
    """Return the share of games won against an opponent, and its standard error.

    A shared win counts half. As many games begin as are counted, so short ones count no more.
    """
    table = Games(games, opponent, seed, reward)
    seen = table.reset()
    results = np.full(games, np.nan)
    while np.isnan(results).any():
        masks = np.stack(table.env_method("action_masks"))
        chosen, _ = model.predict(seen, action_masks=masks, deterministic=True)
        table.step_async(chosen)
        seen, rewards, over, _ = table.step_wait()
        first = over & np.isnan(results)
        results[first] = (rewards[first] + 1) / 2
    return float(results.mean()), float(results.std() / games**0.5)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=1_500_000)
    parser.add_argument("--games", type=int, default=2000, help="to measure it by")
    given = parser.parse_args()
    torch.set_num_threads(1)
    start = process_time()
    model = train(given.steps)
    print(f"learned for {process_time() - start:.0f} seconds of processor time", flush=True)
    for opponent in ("random", "greedy"):
        for reward, what in (("match", "matches to 400"), ("win", "rounds")):
            rate, error = win_rate(model, opponent, given.games, reward)
            print(f"{opponent}: {rate:.1%} ± {1.96 * error:.1%} of {what} won", flush=True)


if __name__ == "__main__":
    main()
