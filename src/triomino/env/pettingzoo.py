"""The game for PettingZoo: ``env = triomino.env.pettingzoo.env()``, turn by turn (AEC)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from triomino.env.spaces import observation_space
from triomino.env.table import RENDER_MODES, Reward, Table
from triomino.rules import CLASSIC, Rules

if TYPE_CHECKING:
    from numpy.typing import NDArray


def env(**options: Any) -> AECEnv:
    """Return the environment with the usual wrappers; an illegal action is an error."""
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(raw_env(**options)))


class raw_env(AECEnv):  # noqa: N801 - the name that PettingZoo expects
    """The environment itself.

    Agents are ``seat_0`` to ``seat_5``. The mask of legal actions is in
    ``observation["action_mask"]`` and in the infos; it is empty for agents that are not to move.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "triomino_v0",
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        rules: Rules = CLASSIC,
        players: int = 2,
        reward: Reward | str = Reward.WIN,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.table = Table(rules, players, reward)
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(players)]
        self._seat = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._dice = np.random.default_rng()
        space = spaces.Dict(
            {
                "observation": observation_space(rules, players),
                "action_mask": spaces.Box(0, 1, (self.table.batch.space.size,), np.int8),
            }
        )
        self._observation_spaces = dict.fromkeys(self.possible_agents, space)
        self._action_spaces = {
            agent: spaces.Discrete(self.table.batch.space.size) for agent in self.possible_agents
        }

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's observations."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's actions."""
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a new game."""
        if seed is not None:
            self._dice = np.random.default_rng(seed)
        self.table.reset(int(self._dice.integers(1 << 63)))
        self.agents = self.possible_agents.copy()
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.agent_selection = self.possible_agents[self.table.turn]
        self._update_infos()

    def observe(self, agent: str) -> dict[str, Any]:
        """Return what an agent may know."""
        seat = self._seat[agent]
        return {"observation": self.table.observe(seat), "action_mask": self.table.mask(seat)}

    def step(self, action: int | None) -> None:
        """Play the action of the agent to move."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        rewards = self.table.play(-1 if action is None else int(action))
        self.rewards = dict(zip(self.possible_agents, rewards, strict=True))
        if self.table.over:
            self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.possible_agents[self.table.turn]
        self._update_infos()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _update_infos(self) -> None:
        self.infos = {
            agent: {"action_mask": self.table.mask(self._seat[agent])} for agent in self.agents
        }

    def render(self) -> str | NDArray[np.uint8] | None:
        """Return the board as text or pixels, or print it, as ``render_mode`` says."""
        return self.table.render(self.render_mode)

    def close(self) -> None:
        """Nothing has to be closed."""
