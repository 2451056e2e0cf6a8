"""What the adapters are made of, without the libraries they are for."""

from __future__ import annotations

import numpy as np
import pytest

from triomino import CARD, CLASSIC, SIX_PLAYER, Rng, TriominoError
from triomino.env import Batch
from triomino.env.many import Many
from triomino.env.solo import ILLEGAL_REWARD, Solo
from triomino.env.table import HISTORY, Table, observation_shapes
from triomino.kernel import State
from triomino.render.theme import PALETTE


def play_randomly(table: Table, dice: Rng) -> list[float]:
    sums = table.nothing
    while not table.over:
        legal = np.flatnonzero(table.mask(table.turn)).tolist()
        for seat, reward in enumerate(table.play(legal[dice.randrange(len(legal))])):
            sums[seat] += reward
    return sums


@pytest.mark.parametrize("reward", ["win", "margin", "match"])
def test_rewards_add_up(reward: str) -> None:
    rules = CLASSIC.with_changes({"target": 60})
    for players in (2, 4):
        table = Table(rules, players, reward)
        table.reset(players)
        sums = play_randomly(table, Rng(1))
        assert sum(sums) == pytest.approx(0)
        totals = table.batch.final_totals[0].tolist()
        if reward == "margin":
            others = [(sum(totals) - total) / (players - 1) for total in totals]
            assert sums == pytest.approx([t - o for t, o in zip(totals, others, strict=True)])
        else:
            best = max(range(players), key=lambda seat: totals[seat])
            assert sums[best] == max(sums) > 0 or len(set(totals)) == 1
        if reward == "match":
            assert max(totals) > 0 < table.batch.rounds[0]
    with pytest.raises(TriominoError, match="target"):
        Table(CLASSIC, 2, "match")


def test_observations_have_their_shapes_and_turn_to_the_observer() -> None:
    table = Table(SIX_PLAYER, 5)
    table.reset(3)
    dice = Rng(1)
    for _ in range(25):
        legal = np.flatnonzero(table.mask(table.turn)).tolist()
        table.play(legal[dice.randrange(len(legal))])
    game = table.batch.game(0)
    shapes = observation_shapes(SIX_PLAYER, 5)
    tiles = 76
    for seat in range(5):
        seen = table.observe(seat)
        assert {name: array.shape for name, array in seen.items()} == shapes
        vector = seen["vector"]
        assert vector[:tiles].sum() == len(game.racks[seat])
        sizes = [len(game.racks[(seat + k) % 5]) for k in range(5)]
        assert vector[2 * tiles : 2 * tiles + 6].tolist() == [*sizes, len(game.pool)]
        totals = [game.totals[(seat + k) % 5] for k in range(5)]
        assert vector[2 * tiles + 6 : -3].tolist() == totals
        assert vector[-2] == (game.turn - seat) % 5
        last = table.batch.history[0, (table.batch.plies[0] - 1) % HISTORY]
        assert seen["history"][-1, 0] == (last[0] - seat) % 5
        assert seen["history"][-1, 1:].tolist() == last[1:].tolist()
        assert table.mask(seat).any() == (seat == table.turn)
    assert "totals" in table.text()


def test_a_seat_observes_nothing_of_hidden_tiles() -> None:
    """Deal what a seat cannot see anew: its observation stays the same."""
    dice = Rng(2)
    for rules, players in ((CLASSIC, 2), (CARD, 4), (SIX_PLAYER, 6)):
        table = Table(rules, players)
        table.reset(5)
        for _ in range(12):
            legal = np.flatnonzero(table.mask(table.turn)).tolist()
            table.play(legal[dice.randrange(len(legal))])
        position = table.batch.state(0)
        for seat in range(players):
            game = position.game()
            hidden = [t for s, rack in enumerate(game.racks) if s != seat for t in rack]
            order = sorted([*hidden, *game.pool], key=lambda _: dice.bits())
            drawn = list(game.drawn)
            for other, rack in enumerate(game.racks):
                if other != seat:
                    rack[:] = [order.pop() for _ in rack]
                    if other == game.turn and drawn:
                        game.drawn[:] = rack[len(rack) - len(drawn) :]
            game.pool.clear()
            game.pool.extend(order)
            table.batch.load(0, position)
            before = table.observe(seat)
            table.batch.load(0, State.of(game))
            after = table.observe(seat)
            before["vector"][-1] = after["vector"][-1] = 0  # a game of a state forgets its starter
            for name in before:
                assert np.array_equal(before[name], after[name]), name


def test_a_board_is_drawn_in_the_colours_of_its_numbers() -> None:
    table = Table(CLASSIC, 2)
    table.reset(5)
    ground = table.render("rgb_array")
    assert isinstance(ground, np.ndarray)
    assert (ground == ground[0, 0]).all()
    for step in range(24):
        table.play(int(np.flatnonzero(table.mask(table.turn))[-1]))
        if step % 6:
            continue
        board = table.batch.game(0).board
        drawn = table.render("rgb_array")
        assert isinstance(drawn, np.ndarray)
        assert drawn.shape == (480, 480, 3)
        codes = drawn.astype(np.int32) @ np.array([1 << 16, 1 << 8, 1])
        colours = {f"#{code:06x}" for code in np.unique(codes)}
        shown = {number for number, colour in enumerate(PALETTE) if colour in colours}
        assert shown == set(board.numbers.values())
        edge = np.concatenate([drawn[0], drawn[-1], drawn[:, 0], drawn[:, -1]])
        assert (edge == ground[0, 0]).all()


@pytest.mark.parametrize("opponents", [("greedy",), ("random", "easy"), ("greedy",) * 5])
def test_a_learner_plays_bots_to_the_end(opponents: tuple[str, ...]) -> None:
    rules = SIX_PLAYER if len(opponents) > 3 else CARD
    solo = Solo(rules, opponents, "margin")
    dice = Rng(1)
    seats = set()
    for seed in range(4):
        solo.reset(seed)
        seats.add(solo.seat)
        while not solo.over:
            legal = np.flatnonzero(solo.mask()).tolist()
            assert legal
            observation = solo.observe()
            assert observation["vector"][-2] == 0
            solo.step(legal[dice.randrange(len(legal))])
        scores = solo.info()["scores"]
        assert solo.table.batch.final_totals[0].tolist() == scores
    assert len(seats) > 1


def test_matches_against_bots_follow_the_ledger() -> None:
    solo = Solo(CLASSIC.with_changes({"target": 100}), ("random",), "match")
    dice, rewards = Rng(1), []
    for seed in range(3):
        solo.reset(seed)
        while not solo.over:
            legal = np.flatnonzero(solo.mask()).tolist()
            reward = solo.step(legal[dice.randrange(len(legal))])
        rewards.append(reward)
        scores = solo.info()["scores"]
        assert max(scores) > 100 or min(scores) < 100
        assert solo.table.over
        assert (reward > 0) == (scores[solo.seat] > scores[1 - solo.seat])
    assert set(rewards) <= {1.0, -1.0, 0.0}


def test_an_illegal_action_is_paid_and_changes_nothing() -> None:
    solo = Solo(CLASSIC, ("greedy",))
    solo.reset(1)
    before = solo.observe()
    for action in (3, -1, 10**6):
        assert solo.step(action) == ILLEGAL_REWARD
    assert solo.illegal == 3
    after = solo.observe()
    assert all(np.array_equal(before[name], after[name]) for name in before)
    with pytest.raises(TriominoError, match="did you mean"):
        Solo(CLASSIC, ("gredy",))


@pytest.mark.parametrize("reward", ["win", "margin"])
def test_many_games_let_the_others_move(reward: str) -> None:
    many = Many(CLASSIC, 3, 32, "greedy", reward)
    rng = np.random.default_rng(1)
    many.reset(7)
    ended, sums = 0, np.zeros(32)
    for _ in range(60):
        waits = many.batch.done.astype(bool)
        assert ((many.batch.turn == 0) | waits).all()
        mask = many.mask()
        noise = rng.random(mask.shape) * mask
        rewards, over = many.step(noise.argmax(axis=1))
        sums = np.where(waits, 0, sums + rewards)
        for i in np.flatnonzero(over & ~waits):
            ended += 1
            totals = many.batch.final_totals[i]
            if reward == "margin":
                # What the others scored before the first move of the learner came before.
                assert abs(sums[i] - (totals[0] - totals[1:].mean())) < 60
            else:
                assert (sums[i] > 0) == bool(many.batch.winners[i] & 1)
    assert ended > 10
    assert many.observe()["vector"].shape == (32, *observation_shapes(CLASSIC, 3)["vector"])


def test_many_and_table_observe_the_same() -> None:
    many = Many(CLASSIC, 2, 4, "random")
    many.reset(3)
    for _ in range(5):
        many.step(many.batch.actions[:, 0])
    table = Table(CLASSIC, 2)
    seen = many.observe()
    for i in np.flatnonzero(many.batch.done == 0).tolist():
        table.batch.load(0, many.batch.state(i))
        alone = table.observe(0)
        for name in ("planes", "cells", "vector"):
            assert np.array_equal(seen[name][i], alone[name]), name


def test_policies_of_the_kernel_choose_legal_actions() -> None:
    for policy in ("random", "greedy", "place", "hoarder", "blocker"):
        batch = Batch(CARD, 3, 20, seed=2, mask=True)
        for step in range(80):
            chosen = batch.choose(policy, step)
            going = batch.done == 0
            assert batch.mask[np.flatnonzero(going), chosen[going]].all()
            batch.step(np.where(going, chosen, 0))
    with pytest.raises(TriominoError, match="greedy"):
        batch.choose("gredy", 1)


def test_an_untouched_game_keeps_its_rows() -> None:
    batch = Batch(CLASSIC, 2, 3, seed=2)
    batch.step(batch.actions[:, 0])
    before = batch.rewards.copy(), batch.plies.copy()
    batch.step([-1, int(batch.actions[1, 0]), -1])
    assert np.array_equal(batch.rewards[[0, 2]], before[0][[0, 2]])
    assert (batch.plies - before[1]).tolist() == [0, 1, 0]
