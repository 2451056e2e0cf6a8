"""Many games of one learner against a policy of the kernel, without any library."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triomino.dice import Rng
from triomino.env.batch import AutoReset, Batch, spread_seeds
from triomino.env.solo import ILLEGAL_REWARD
from triomino.env.table import HISTORY, Reward, rules_for

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from triomino.kernel.rounds import Policy
    from triomino.rules import Rules


class Many:
    """Games in which seat 0 learns; all arrays have a row per game.

    A game that is over begins anew with the next step, whose action and reward do not count.
    """

    def __init__(
        self,
        rules: Rules,
        players: int = 2,
        games: int = 64,
        opponent: Policy | str = "greedy",
        reward: Reward | str = Reward.WIN,
        *,
        threads: int = 1,
    ) -> None:
        self.reward, self.opponent, self.players = Reward(reward), opponent, players
        self.batch = Batch(
            rules_for(rules, self.reward),
            players,
            games,
            mask=True,
            planes=True,
            history=HISTORY,
            everything=True,
            match=self.reward is Reward.MATCH,
            auto_reset=AutoReset.OFF,
            threads=threads,
        )
        self._dice = Rng(0)
        self._rewards = np.zeros((games, players))
        self._let_others_move()

    def reset(self, seed: int, seeds: Sequence[int] | None = None) -> None:
        """Deal all games anew; *seeds* are their own seeds, by default derived from *seed*."""
        self._dice = Rng(seed)
        own = spread_seeds(seed, len(self.batch)).tolist() if seeds is None else seeds
        self.batch.reset(None, own)
        self._rewards[:] = 0
        self._let_others_move()

    def step(
        self, actions: NDArray[np.integer[Any]]
    ) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """Play an action in every game and let the others move; return rewards and ends."""
        batch, rows = self.batch, np.arange(len(self.batch))
        self._rewards[:] = 0
        begins = batch.done.astype(bool)
        chosen = np.clip(actions, -1, batch.space.size - 1).astype(np.int32)
        legal = (chosen >= 0) & batch.mask[rows, chosen].astype(bool)
        chosen = np.where(legal, chosen, batch.actions[:, 0]).astype(np.int32)
        chosen[begins] = -1
        penalty = np.where(legal | begins, 0.0, ILLEGAL_REWARD)
        if begins.any():
            batch.reset(np.flatnonzero(begins).tolist())
        self._play(chosen)
        self._let_others_move()
        over = batch.done.astype(bool)
        return self._rewards[:, 0] + penalty, over

    def play_forced(self) -> NDArray[np.float64]:
        """Play on while there is only one legal action; return what that was paid.

        About half of all decisions are none. Games that are over stay so.
        """
        batch, paid = self.batch, np.zeros(len(self.batch))
        while True:
            forced = (batch.action_count == 1) & (batch.done == 0)
            if not forced.any():
                return paid
            self._rewards[:] = 0
            self._play(np.where(forced, batch.actions[:, 0], np.int32(-1)))
            self._let_others_move()
            paid += self._rewards[:, 0]

    def renew(self) -> None:
        """Begin the games that are over anew, at once instead of with the next step."""
        while (over := np.flatnonzero(self.batch.done)).size:
            self.batch.reset(over.tolist())
            self._let_others_move()

    def _play(self, chosen: NDArray[np.int32]) -> None:
        batch = self.batch
        moved = (chosen >= 0) & ~batch.done.astype(bool)
        batch.step(np.where(moved, chosen, np.int32(-1)))
        if self.reward is Reward.MARGIN:
            change = batch.rewards[moved].astype(float)
            others = (change.sum(axis=1, keepdims=True) - change) / (self.players - 1)
            self._rewards[moved] += change - others
            return
        ended = moved & batch.done.astype(bool)
        won = (batch.winners[ended, None] >> np.arange(self.players) & 1).astype(float)
        share = won / np.maximum(1, won.sum(axis=1, keepdims=True))
        others = (share.sum(axis=1, keepdims=True) - share) / (self.players - 1)
        self._rewards[ended] += share - others

    def _let_others_move(self) -> None:
        batch = self.batch
        while True:
            waiting = (batch.turn != 0) & (batch.done == 0)
            if not waiting.any():
                return
            chosen = batch.choose(self.opponent, self._dice.bits())
            self._play(np.where(waiting, chosen, np.int32(-1)))

    def mask(self) -> NDArray[np.int8]:
        """Return, by game and action, 1 if it is legal."""
        return self.batch.mask.astype(np.int8)

    def observe(self) -> dict[str, NDArray[Any]]:
        """Return what seat 0 may know, in the form of :meth:`Table.observe`."""
        batch, players = self.batch, self.players
        ahead = (-batch.turn.astype(np.int64)) % players
        order = (np.arange(players) + ahead[:, None]) % players
        vector = np.concatenate(
            [
                batch.racks[:, 0],
                batch.laid,
                np.take_along_axis(batch.sizes[:, :players], order, axis=1),
                batch.sizes[:, players:],
                np.take_along_axis(batch.totals, order, axis=1),
                np.stack([batch.draws, batch.turn, batch.starter], axis=1),
            ],
            axis=1,
        ).astype(np.int32)
        rows = (np.arange(HISTORY) + batch.plies[:, None]) % HISTORY
        history = np.take_along_axis(batch.history, rows[:, :, None], axis=1)
        return {
            "planes": batch.planes.copy(),
            "cells": batch.cells.copy(),
            "vector": vector,
            "history": history,
        }
