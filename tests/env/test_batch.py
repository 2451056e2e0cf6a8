"""Batches: many games at once, the same rules, arrays that can be learned from."""

from __future__ import annotations

import copy
import os
import pickle
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.effort import count
from tests.env.walk import Pair, batch_actions, walk
from triomino import (
    CARD,
    CLASSIC,
    EDITIONS,
    SIX_PLAYER,
    Board,
    Cell,
    Game,
    Place,
    Position,
    Rng,
    TriominoError,
)
from triomino.env import Batch
from triomino.kernel import State

if TYPE_CHECKING:
    from numpy.typing import NDArray

EVERYTHING: dict[str, Any] = {"mask": True, "planes": True, "history": 8, "everything": True}
ARRAYS = (
    *("actions", "action_count", "mask", "rack", "laid", "sizes", "totals", "turn", "draws"),
    *("starter", "plies", "cells", "cell_count", "clipped", "planes", "history", "racks", "pool"),
    *("numbers", "occupied"),
)


def random_actions(batch: Batch, rng: np.random.Generator) -> NDArray[np.int16]:
    which = (rng.random(len(batch)) * np.maximum(batch.action_count, 1)).astype(np.int64)
    return batch.actions[np.arange(len(which)), which].copy()


def assert_equal(one: Batch, other: Batch, *but: str) -> None:
    for name in ARRAYS:
        if name not in but:
            assert np.array_equal(getattr(one, name), getattr(other, name)), name


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_step_equals_the_rules_in_python(edition: str) -> None:
    positions, rounds = walk(edition, count(20_000), steps=40)
    assert positions >= count(20_000)
    assert rounds > 5


@pytest.mark.parametrize("edition", EDITIONS)
def test_games_are_played_to_their_end(edition: str) -> None:
    rules = EDITIONS[edition]
    rng = np.random.default_rng(1)
    for players in rules.racks:
        batch = Batch(rules, players, games=24, seed=players)
        sums = np.zeros((24, players), np.int64)
        ended = 0
        for _ in range(150):
            sums[batch.done.astype(bool)] = 0
            batch.step(random_actions(batch, rng))
            sums += batch.rewards
            seats = (batch.turn[:, None] + np.arange(players)) % players
            assert np.array_equal(np.take_along_axis(sums, seats, axis=1), batch.totals)
            ended += int(batch.done.sum())
            assert ((batch.action_count == 0) == batch.done.astype(bool)).all()
        assert ended > 0
        assert batch.dealt >= 24


def test_matches_go_on_until_the_target_is_met() -> None:
    rules = CLASSIC.with_changes({"target": 120, "next_starter": "rotate_left"})
    batch = Batch(rules, 3, games=20, seed=5, match=True)
    rng = np.random.default_rng(2)
    finished, starter, longest = 0, batch.starter.copy(), 0
    for _ in range(1200):
        rounds = batch.rounds.copy()
        batch.step(random_actions(batch, rng))
        on = (batch.rounds == rounds + 1) & (rounds > 0)
        assert (batch.starter[on] == (starter[on] + 1) % 3).all()
        assert (batch.plies[on] == 0).all()
        starter = batch.starter.copy()
        longest = max(longest, int(batch.rounds.max()))
        for i in np.flatnonzero(batch.done):
            finished += 1
            best = batch.final_totals[i].max()
            won = [seat for seat in range(3) if batch.final_totals[i, seat] == best]
            assert batch.winners[i] == sum(1 << seat for seat in won)
    assert finished > 3
    assert longest > 1


def test_games_that_are_over_wait_or_begin_anew_as_asked() -> None:
    rng = np.random.default_rng(3)
    waiting = Batch(CLASSIC, 2, games=16, seed=1, auto_reset="off")
    for _ in range(250):
        waiting.step(random_actions(waiting, rng))
    assert waiting.done.all()
    assert waiting.dealt == 16
    totals = waiting.final_totals.copy()
    waiting.reset([3, 5])
    assert np.flatnonzero(waiting.done == 0).tolist() == [3, 5]
    assert np.array_equal(totals[4], waiting.final_totals[4])
    at_once = Batch(CLASSIC, 2, games=16, seed=1, auto_reset="same_step")
    for _ in range(250):
        at_once.step(random_actions(at_once, rng))
        assert (at_once.action_count > 0).all()
        for i in np.flatnonzero(at_once.done):
            assert at_once.plies[i] == 0
            assert at_once.winners[i] > 0
    assert at_once.dealt > 30


def test_deals_depend_on_the_seed_of_a_game_alone() -> None:
    alone = Batch(CLASSIC, 2, seeds=[77], **EVERYTHING)
    among = Batch(CLASSIC, 2, seeds=[1, 77, 3], **EVERYTHING)
    assert np.array_equal(alone.racks[0], among.racks[1])
    first = alone.racks.copy()
    alone.reset()
    assert not np.array_equal(alone.racks, first)
    alone.reset([0], [77])
    assert np.array_equal(alone.racks, first)
    assert not np.array_equal(Batch(CLASSIC, games=1, seed=2, **EVERYTHING).racks, first)


def test_arrays_made_step_by_step_equal_those_of_a_position() -> None:
    rng = np.random.default_rng(5)
    for rules, players in ((CLASSIC, 2), (SIX_PLAYER, 5)):
        batch = Batch(rules, players, games=6, seed=9, **EVERYTHING)
        other = Batch(rules, players, games=6, seed=10, **EVERYTHING)
        for _ in range(90):
            batch.step(random_actions(batch, rng))
            for i in range(6):
                other.load(i, batch.state(i))
            assert_equal(batch, other, "plies", "history")


def test_positions_are_exchanged_with_states_and_games() -> None:
    game = Game.deal(CLASSIC, players=3, seed=7)
    dice = Rng(1)
    for _ in range(25):
        moves = game.legal_moves()
        game.play(moves[dice.randrange(len(moves))])
    batch = Batch(CLASSIC, 3, games=2, seed=1)
    batch.load(1, game)
    assert batch.state(1).position == State.of(game).position
    assert batch.game(1).legal_moves() == game.legal_moves()
    for move in game.legal_moves():
        assert batch.move(1, batch.action(1, move)) == move
    with pytest.raises(TriominoError, match="players"):
        batch.load(0, Game.deal(CLASSIC, players=2, seed=1))
    with pytest.raises(TriominoError, match="rules"):
        batch.load(0, Game.deal(CARD, players=3, seed=1))
    with pytest.raises(TriominoError, match="no game 2"):
        batch.state(2)


def test_a_state_plays_the_same_actions() -> None:
    batch = Batch(CLASSIC, 2, games=4, seed=3, auto_reset="off")
    states = [batch.state(i) for i in range(4)]
    rng = np.random.default_rng(1)
    while not batch.done.all():
        actions = random_actions(batch, rng)
        for i, state in enumerate(states):
            assert state.legal_actions() == batch.actions[i, : batch.action_count[i]].tolist()
            if not batch.done[i]:
                state.play_action(int(actions[i]))
        batch.step(actions)
    assert [list(state.totals) for state in states] == batch.final_totals.tolist()
    with pytest.raises(TriominoError, match="not legal"):
        states[0].play_action(0)


def test_batches_and_states_are_copied_and_pickled() -> None:
    batch = Batch(SIX_PLAYER, 4, games=5, seed=3, **EVERYTHING)
    rng = np.random.default_rng(1)
    for _ in range(40):
        batch.step(random_actions(batch, rng))
    for other in (batch.copy(), copy.deepcopy(batch), pickle.loads(pickle.dumps(batch))):  # noqa: S301
        assert_equal(batch, other)
        assert other.dealt == batch.dealt
    other = batch.copy()
    for _ in range(80):
        actions = random_actions(batch, rng)
        batch.step(actions)
        other.step(actions)
        assert_equal(batch, other)
    state = batch.state(2)
    again = pickle.loads(pickle.dumps(state))  # noqa: S301
    assert again.position == state.position
    assert again.legal_actions() == state.legal_actions()


def test_hidden_tiles_change_nothing_that_a_seat_observes() -> None:
    """Deal the hidden tiles of a position anew: only the arrays of everything differ."""
    rng, dice = np.random.default_rng(1), Rng(3)
    for rules, players in ((CLASSIC, 2), (CARD, 3), (SIX_PLAYER, 6)):
        batch = Batch(rules, players, games=8, seed=4, **EVERYTHING)
        for _ in range(25):
            batch.step(random_actions(batch, rng))
        other = batch.copy()
        for i in np.flatnonzero(batch.done == 0).tolist():
            game = batch.game(i)
            hidden = [
                tile for seat, rack in enumerate(game.racks) if seat != game.turn for tile in rack
            ]
            hidden += game.pool
            order = sorted(hidden, key=lambda _: dice.bits())
            for seat, rack in enumerate(game.racks):
                if seat != game.turn:
                    rack[:] = [order.pop() for _ in rack]
            game.pool.clear()
            game.pool.extend(order)
            other.load(i, State.of(game))
            batch.load(i, batch.state(i))
        if rules is CLASSIC:
            assert not np.array_equal(batch.racks, other.racks)
        assert_equal(batch, other, "racks", "pool", "starter")


@pytest.mark.parametrize(("tile_set", "size"), [("4", 1), ("20", 4), ("24", 5), ("45", 9)])
def test_a_small_set_has_a_column_for_each_of_its_tiles(tile_set: str, size: int) -> None:
    rules = CLASSIC.with_changes({"tile_set": tile_set, "racks": {2: size}})
    rng = np.random.default_rng(1)
    batch = Batch(rules, 2, games=32, seed=1, mask=True)
    tiles = int(tile_set)
    assert batch.rack.shape == (32, tiles)
    assert batch.mask.shape == (32, 4 + tiles * (tiles + 2))
    seen = np.zeros(tiles, bool)
    for _ in range(60):
        seen |= batch.rack.any(axis=0)
        batch.step(random_actions(batch, rng))
    assert seen.all()


def chain(length: int) -> list[Place]:
    """Tiles in a row to the right, each beside the last."""
    cells = [Cell(i // 2, 0, bool(i % 2)) for i in range(length)]

    def extend(places: list[Place]) -> list[Place] | None:
        if len(places) == length:
            return places
        board = Board.of(places)
        for tile in CLASSIC.tiles:
            if not tile.bit & board.laid:
                for place in board.placements(tile.bit):
                    if place.cell == cells[len(places)] and (found := extend([*places, place])):
                        return found
        return None

    found = extend([Place.parse("U(0,0)=0-0-0")])
    assert found is not None
    return found


def test_a_board_wider_than_the_planes_is_clipped_and_counted() -> None:
    batch = Batch(CLASSIC, 2, games=2, planes=True, mask=True)
    for length in (20, 40):
        places = chain(length)
        rest = [tile for tile in CLASSIC.tiles if all(tile != place.tile for place in places)]
        position = Position.of([rest[:4], rest[4:8]], rest[8:], board=places)
        batch.load(0, Game.at(position))
        wide = length > 26
        assert (batch.clipped[0] > 0) == wide
        assert int(batch.planes[0, :, :, 6:].sum()) == (26 if wide else length)
        moves = Game.at(position).legal_moves()
        assert np.flatnonzero(batch.mask[0]).tolist() == sorted(
            batch.action(0, move) for move in moves
        )


@pytest.mark.parametrize("tile_set", ["24", "45", "76"])
def test_of_two_mirror_images_that_may_open_the_first_does(tile_set: str) -> None:
    """Cards open with the highest; without triples, two mirror images may be that."""
    rules = CARD.with_changes({"tile_set": tile_set, "racks": {2: 4}})
    tiles = tuple(tile for tile in rules.tiles if len(set(tile.numbers)) > 1)
    pair = Pair(rules, 2, seed=1, size=400, tiles=tiles)
    tied = 0
    for i, game in enumerate(pair.games):
        rack = game.racks[game.turn]
        expected = {move.tile for move in game.legal_moves() if isinstance(move, Place)}
        for opens in expected:
            twins = [tile for tile in rack if sorted(tile.numbers) == sorted(opens.numbers)]
            tied += len(twins) > 1
            assert opens == min(twins)
        found = {pair.batch.move(i, action) for action in batch_actions(pair.batch, i)}
        assert {move.tile for move in found if isinstance(move, Place)} == expected
    assert tied > 0


def test_a_batch_is_the_same_with_any_number_of_threads() -> None:
    batches = [Batch(CARD, 3, games=300, seed=4, threads=threads) for threads in (1, 4)]
    for _ in range(120):
        one, other = batches
        assert np.array_equal(one.actions, other.actions)
        assert np.array_equal(one.numbers, other.numbers)
        for batch in batches:
            batch.step(batch.actions[:, 0])


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are not forked here")
def test_a_forked_process_steps_with_threads_of_its_own() -> None:
    code = (
        "import os; from triomino import CLASSIC; from triomino.env import Batch\n"
        "batch = Batch(CLASSIC, 2, 512, 1, threads=2); batch.step(batch.actions[:, 0])\n"
        "child = os.fork()\n"
        "for _ in range(5): batch.step(batch.actions[:, 0])\n"
        "del batch\n"
        "os.write(1, b'played\\n')\n"  # in one piece, whether Python buffers or not
        "if child: assert os.waitpid(child, 0)[1] == 0\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.split() == ["played", "played"]


def test_arrays_cannot_be_written_to_and_outlive_their_batch() -> None:
    batch = Batch(CLASSIC, 2, games=5, seed=1)
    with pytest.raises(ValueError, match="read-only"):
        batch.actions[0, 0] = 3
    rack, occupied = batch.rack, batch.board_cells
    del batch
    assert rack.sum() == 45
    assert not (occupied == 254).any()


def test_what_is_wrong_is_refused_and_nothing_played() -> None:
    batch = Batch(CLASSIC, 2, games=5, seed=1)
    before = batch.actions.copy()
    actions = batch.actions[:, 0].copy()
    actions[3] = 3
    with pytest.raises(TriominoError, match="game 3"):
        batch.step(actions)
    assert np.array_equal(batch.actions, before)
    with pytest.raises(TriominoError, match="every game"):
        batch.step(actions[:4])
    with pytest.raises(TriominoError, match="whole numbers"):
        batch.step(actions.astype(np.float64))
    with pytest.raises(TriominoError, match="game 0"):
        batch.step(batch.actions[:, 0].astype(np.int64) + (1 << 32))
    with pytest.raises(TriominoError, match="one game"):
        Batch(CLASSIC, 2, games=0)
    with pytest.raises(TriominoError, match="planes=True"):
        _ = batch.planes
    with pytest.raises(TriominoError, match="too few tiles"):
        Batch(CLASSIC, 2, games=1, tiles=CLASSIC.tiles[:10])
    with pytest.raises(TriominoError, match="no game 5"):
        batch.reset([5])
    with pytest.raises(TriominoError, match="a seed for every game"):
        batch.reset([1, 2], [3])
