"""Batches: many games at once, the same rules, arrays that can be learned from."""

from __future__ import annotations

import numpy as np
import pytest

from triomino import CARD, CLASSIC, EDITIONS, SIX_PLAYER, TriominoError
from triomino.kernel import Batch


def random_actions(batch: Batch, rng: np.random.Generator) -> np.ndarray:
    which = (rng.random(len(batch.turn)) * np.maximum(batch.action_count, 1)).astype(np.int64)
    return batch.actions[np.arange(len(which)), which].copy()


@pytest.mark.parametrize("edition", EDITIONS)
def test_games_are_played_to_their_end(edition: str) -> None:
    rules = EDITIONS[edition]
    rng = np.random.default_rng(1)
    for players in rules.racks:
        batch = Batch(rules, players, games=24, seed=players)
        sums = np.zeros((24, 6), np.int64)
        ended = 0
        for _ in range(150):
            over = batch.done.astype(bool)
            sums[over] = 0
            batch.step(random_actions(batch, rng))
            sums += batch.rewards
            assert np.array_equal(sums, batch.totals)
            ended += int(batch.done.sum())
            assert ((batch.action_count == 0) == batch.done.astype(bool)).all()
            held = batch.sizes[np.arange(24), batch.turn]
            assert np.array_equal(batch.rack.sum(axis=1), held)
        assert ended > 0
        assert batch.dealt >= 24


@pytest.mark.parametrize(("tile_set", "size"), [("4", 1), ("20", 4), ("24", 5), ("45", 9)])
def test_a_small_set_has_a_column_for_each_of_its_tiles(tile_set: str, size: int) -> None:
    rules = CLASSIC.with_changes({"tile_set": tile_set, "racks": {2: size}})
    rng = np.random.default_rng(1)
    batch = Batch(rules, 2, games=32, seed=1)
    assert batch.rack.shape == (32, int(tile_set))
    seen = np.zeros(int(tile_set), bool)
    for _ in range(60):
        seen |= batch.rack.any(axis=0)
        assert np.array_equal(batch.rack.sum(axis=1), batch.sizes[np.arange(32), batch.turn])
        placed = batch.actions[batch.mask & (batch.actions < 1 << 24)]
        assert (placed >> 16 < int(tile_set)).all()
        batch.step(random_actions(batch, rng))
    assert seen.all()


def test_mask_and_actions_agree() -> None:
    batch = Batch(SIX_PLAYER, 6, games=10, seed=3)
    for _ in range(30):
        assert np.array_equal(batch.mask.sum(axis=1), batch.action_count)
        assert (np.diff(np.sort(batch.actions[0][batch.mask[0]])) > 0).all()
        batch.step(batch.actions[:, 0].copy())


def test_a_batch_is_the_same_with_any_number_of_threads() -> None:
    batches = [Batch(CARD, 3, games=300, seed=4, threads=threads) for threads in (1, 4)]
    for _ in range(120):
        one, other = batches
        assert np.array_equal(one.actions, other.actions)
        assert np.array_equal(one.numbers, other.numbers)
        for batch in batches:
            batch.step(batch.actions[:, 0].copy())


def test_an_action_that_is_not_legal_plays_nothing() -> None:
    batch = Batch(CLASSIC, 2, games=5, seed=1)
    before = batch.actions.copy()
    actions = batch.actions[:, 0].copy()
    actions[3] = 1 << 24 | 4
    with pytest.raises(TriominoError, match="game 3"):
        batch.step(actions)
    assert np.array_equal(batch.actions, before)
    with pytest.raises(TriominoError, match="every game"):
        batch.step(actions[:4])
    with pytest.raises(TriominoError, match="int32"):
        batch.step(actions.astype(np.float64))
    with pytest.raises(TriominoError, match="games"):
        Batch(CLASSIC, 2, games=0)
