"""The game for Gymnasium: one learner against our bots, alone or many games at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from triomino.env.many import Many
from triomino.env.solo import MOST_ILLEGAL, Solo
from triomino.env.spaces import observation_space
from triomino.env.table import RENDER_MODES, Reward
from triomino.rules import CLASSIC

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from triomino.bots.base import Limit
    from triomino.kernel import Policy
    from triomino.rules import Rules


class TriominoEnv(gymnasium.Env[dict[str, Any], np.int64]):
    """One learner against bots, at a seat that changes from game to game.

    ``infos["action_mask"]`` and :meth:`action_masks` tell which actions are legal. An illegal
    action changes nothing and is paid -1; a hundred of them in a row truncate the game.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": list(RENDER_MODES), "render_fps": 2}

    def __init__(
        self,
        rules: Rules = CLASSIC,
        opponents: Sequence[str] = ("greedy",),
        reward: Reward | str = Reward.WIN,
        limit: Limit | None = None,
        render_mode: str | None = None,
    ) -> None:
        self.solo = Solo(rules, opponents, reward, limit)
        self.observation_space = observation_space(rules, self.solo.players)
        self.action_space = spaces.Discrete(self.solo.table.batch.space.size)
        self.render_mode = render_mode

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin a new game."""
        super().reset(seed=seed)
        self.solo.reset(int(self.np_random.integers(1 << 62)))
        while self.solo.over:  # the opponents alone ended the round
            self.solo.reset(int(self.np_random.integers(1 << 62)))
        return self.solo.observe(), self.solo.info()

    def step(
        self, action: np.int64 | int
    ) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Play an action and let the others move."""
        reward = self.solo.step(int(action))
        truncated = self.solo.illegal >= MOST_ILLEGAL
        info = self.solo.info() | {"illegal": self.solo.illegal > 0}
        if self.render_mode == "human":
            self.render()
        return self.solo.observe(), reward, self.solo.over, truncated, info

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which actions are legal, as MaskablePPO asks for it."""
        return self.solo.mask().astype(bool)

    def render(self) -> str | NDArray[np.uint8] | None:
        """Return the board as text or pixels, or print it, as ``render_mode`` says."""
        return self.solo.table.render(self.render_mode)


class TriominoVectorEnv(VectorEnv[Any, Any, Any]):
    """Many games at once: seat 0 learns, a policy of the kernel plays the other seats.

    Games begin anew in the step after their end. An illegal action is replaced by the first legal
    one and paid -1.
    """

    metadata: ClassVar[dict[str, Any]] = {"autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(
        self,
        num_envs: int = 64,
        *,
        rules: Rules = CLASSIC,
        players: int = 2,
        opponent: Policy | str = "greedy",
        reward: Reward | str = Reward.WIN,
        threads: int = 1,
    ) -> None:
        self.many = Many(rules, players, num_envs, opponent, reward, threads=threads)
        self.num_envs = num_envs
        self.single_observation_space = observation_space(rules, players)
        self.single_action_space = spaces.Discrete(self.many.batch.space.size)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin new games; a list has a seed, or ``None`` for any, for the deals of each."""
        given = seed if isinstance(seed, list) else None
        super().reset(seed=seed if not isinstance(seed, list) else seed[0])
        mixed = int(self.np_random.integers(1 << 62))
        if given is None:
            self.many.reset(mixed)
        else:
            any_ = self.np_random.integers(1 << 62, size=self.num_envs).tolist()
            seeds = [a if s is None else s for s, a in zip(given, any_, strict=True)]
            self.many.reset(mixed, seeds)
        return self.many.observe(), self._infos()

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Play an action in each game and let the others move."""
        rewards, over = self.many.step(np.asarray(actions))
        return self.many.observe(), rewards, over, np.zeros(self.num_envs, bool), self._infos()

    def _infos(self) -> dict[str, Any]:
        return {"action_mask": self.many.mask()}


gymnasium.register(id="triomino/Solo-v0", entry_point="triomino.env.gymnasium:TriominoEnv")
