"""Features of actions beside the rules in Python, for every legal action of many positions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from triomino import CARD, CLASSIC, SIX_PLAYER, Place
from triomino.env import Batch
from triomino.env.features import ACTION_FIELDS, ActionFeatures
from triomino.scoring import bonus_of, bonus_points
from triomino.tile import mask_of

if TYPE_CHECKING:
    from triomino import Board, Cell, Game, Rules, Tile

PLACED = 5  # the first field of a placement


@pytest.mark.parametrize(("rules", "players"), [(CLASSIC, 2), (SIX_PLAYER, 3), (CARD, 2)])
def test_features_are_those_of_the_board_after_the_move(rules: Rules, players: int) -> None:
    batch = Batch(rules, players, 8, seed=4)
    features = ActionFeatures(rules)
    rng = np.random.default_rng(1)
    given = 0
    for step in range(60):
        legal = features.of(batch)
        assert len(legal.game) == batch.action_count.sum()
        game = None if batch.done[step % 8] else batch.game(step % 8)
        for k in np.flatnonzero(legal.game == step % 8):
            assert game is not None
            action = int(batch.actions[step % 8, legal.slot[k]])
            move, row = batch.move(step % 8, action), legal.features[k].tolist()
            if not isinstance(move, Place):
                assert row == [float(field == action) for field in range(len(ACTION_FIELDS))]
                continue
            assert row == pytest.approx(expected(game, move), abs=1e-5), move
            given += row[-2] > 0
        chosen = batch.choose("place", int(rng.integers(1 << 30)))
        batch.step(np.where(batch.done, 0, chosen))
    assert given


def expected(game: Game, move: Place) -> list[float]:
    rules, board = game.rules, game.board.copy()
    bonus = bonus_of(board, move.cell, rules)
    board.lay(move)
    rest = [tile for tile in game.racks[game.turn] if tile != move.tile]
    seen = {*rest, *(place.tile for place in board.places)}
    unseen = [tile for tile in rules.tiles if tile not in seen]
    fits = [tile for tile in rest if board.playable & mask_of([tile])]
    answers = [tile for tile in unseen if board.playable & mask_of([tile])]
    near = {
        cell: worth
        for cell, worth in bonuses(board, rules).items()
        if {*cell.vertices} & {*move.cell.vertices}
    }
    return [
        float(value)
        for value in (
            *(0.0, 0.0, 0.0, 0.0, 1.0),
            move.tile.points,
            0 if bonus is None else bonus_points(bonus, rules),
            move.tile.a == move.tile.b == move.tile.c,
            not rest,
            len(fits),
            len(rest) - len(fits),
            len(answers) / max(1, len(unseen)),
            sum(points for tile, points in near.values() if tile in unseen),
            sum(points for tile, points in near.values() if tile in rest),
        )
    ]


def bonuses(board: Board, rules: Rules) -> dict[Cell, tuple[Tile, int]]:
    """By cell, the one tile that would make a bonus there, and its points."""
    found = {}
    for tile in rules.tiles:
        for place in board.placements(tile.bit):
            bonus = bonus_of(board, place.cell, rules)
            if bonus is not None:
                found[place.cell] = tile, bonus_points(bonus, rules)
    return found
