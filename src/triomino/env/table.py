"""One game for one learner at each seat: observations, masks and rewards without any library."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from triomino.env.batch import CELL_FIELDS, EVENT_FIELDS, PLANE_RADIUS, AutoReset, Batch
from triomino.env.picture import board_pixels
from triomino.env.tree import margins
from triomino.errors import TriominoError
from triomino.render.text import board_text

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triomino.game import Game
    from triomino.rules import Rules, Seat

RENDER_MODES: Final = ("human", "ansi", "rgb_array")
HISTORY: Final = 32
"""The number of moves that an observation shows."""
_SIDE: Final = 2 * PLANE_RADIUS + 1

Observation = dict[str, Any]


class Reward(StrEnum):
    """What a learner is paid; the rewards of all seats add up to 0."""

    WIN = "win"
    """At the end: the share of the win minus the mean of the others; 1 or -1 for two."""
    MARGIN = "margin"
    """With every move: the change of the score minus the mean change of the others."""
    MATCH = "match"
    """As ``win``, but a game is a match to the target of the rules instead of one round."""


def observation_shapes(rules: Rules, players: int) -> dict[str, tuple[int, ...]]:
    """Return the shape of every array of an observation."""
    tiles = len(rules.tiles)
    return {
        "planes": (_SIDE, _SIDE, 8),
        "cells": (tiles + 2, len(CELL_FIELDS)),
        "vector": (2 * tiles + 2 * players + 4,),
        "history": (HISTORY, len(EVENT_FIELDS)),
    }


class Table:
    """A game in which every seat may be a learner.

    ``vector`` of an observation is the seat's rack, the tiles on the board, the sizes of all racks
    and the pool, all totals, the draws in this turn, the seat to move and the starter; seats count
    from the observer. In ``history``, too, seats count from the observer, and the last move is in
    the last row.
    """

    def __init__(self, rules: Rules, players: int = 2, reward: Reward | str = Reward.WIN) -> None:
        self.reward = Reward(reward)
        rules = rules_for(rules, self.reward)
        self.batch = Batch(
            rules,
            players,
            1,
            mask=True,
            planes=True,
            history=HISTORY,
            everything=True,
            match=self.reward is Reward.MATCH,
            auto_reset=AutoReset.OFF,
        )
        self.rules, self.players = rules, players

    def reset(self, seed: int) -> None:
        """Deal a new game."""
        self.batch.reset([0], [seed])

    def load(self, game: Game) -> None:
        """Go on from any position."""
        self.batch.load(0, game)

    @property
    def turn(self) -> Seat:
        """The seat to move."""
        return int(self.batch.turn[0])

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.batch.done[0])

    def mask(self, seat: Seat) -> NDArray[np.int8]:
        """Return 1 for every action that is legal for *seat*: none unless it is to move."""
        if seat != self.turn or self.over:
            return np.zeros(self.batch.space.size, np.int8)
        mask: NDArray[np.int8] = self.batch.mask[0].astype(np.int8)
        return mask

    def play(self, action: int) -> list[float]:
        """Play a legal action; return the reward of every seat."""
        self.batch.step(np.array([action], np.int32))
        if self.reward is Reward.MARGIN:
            return margins(self.batch.rewards[0].tolist())
        return win_rewards(int(self.batch.winners[0]), self.players) if self.over else self.nothing

    @property
    def nothing(self) -> list[float]:
        """No reward for anybody."""
        return [0.0] * self.players

    def observe(self, seat: Seat) -> Observation:
        """Return what a seat may know; the arrays are its own."""
        batch, players = self.batch, self.players
        ahead = (seat - self.turn) % players
        sizes, totals = batch.sizes[0], batch.totals[0]
        vector = np.concatenate(
            [
                batch.racks[0, seat],
                batch.laid[0],
                np.roll(sizes[:players], -ahead),
                sizes[players:],
                np.roll(totals, -ahead),
                [int(batch.draws[0]), -ahead % players, (int(batch.starter[0]) - seat) % players],
            ]
        ).astype(np.int32)
        return {
            "planes": batch.planes[0].copy(),
            "cells": batch.cells[0].copy(),
            "vector": vector,
            "history": self._history(seat),
        }

    def _history(self, seat: Seat) -> NDArray[np.int8]:
        plies = int(self.batch.plies[0])
        events: NDArray[np.int8] = np.roll(self.batch.history[0], -(plies % HISTORY), axis=0)
        known = events[:, 0] >= 0
        events[known, 0] = (events[known, 0] - seat) % self.players
        return events

    def render(self, mode: str | None) -> str | NDArray[np.uint8] | None:
        """Return the board as text or, with ``rgb_array``, as pixels; print it with ``human``."""
        if mode == "rgb_array":
            return board_pixels(self.batch.state(0).position.as_board())
        if mode != "human":
            return self.text()
        print(self.text())
        return None

    def text(self) -> str:
        """Return the board and the totals as text."""
        position = self.batch.state(0).position
        totals = " ".join(map(str, position.scores))
        return f"{board_text(position.as_board()).plain}\nseat {self.turn} to move; totals {totals}"


def rules_for(rules: Rules, reward: Reward) -> Rules:
    """Return the rules of a single round, or of a match if that is what is rewarded."""
    if reward is not Reward.MATCH:
        return rules.with_changes({"target": None})
    if rules.target is None:
        raise TriominoError("a match needs rules with a target")
    return rules


def win_rewards(winners: int, players: int) -> list[float]:
    """Return the rewards of a game that these seats (bits) won.

    >>> win_rewards(0b01, 2), win_rewards(0b11, 2)
    ([1.0, -1.0], [0.0, 0.0])
    """
    won = [winners >> seat & 1 for seat in range(players)]
    share = [each / max(1, sum(won)) for each in won]
    return [each - (sum(share) - each) / (players - 1) for each in share]
