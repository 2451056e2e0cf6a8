"""What each legal action would do, as numbers that a small network can learn from at once.

A flat output for every action has to learn each of thousands from nothing. A network that scores
an action by these numbers knows from the first step what a tile is worth and what it opens.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from triomino.env.actions import SPECIALS
from triomino.rules import BridgeRule

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triomino.env.batch import Batch
    from triomino.rules import Rules

ACTION_FIELDS: Final = (
    *("draw", "keep", "end", "pass", "place"),
    *("points", "bonus", "triple", "last", "fits", "stuck", "answers", "given", "kept"),
)
"""The columns of :attr:`Legal.features`.

The first five are 1 for the kind of the action. A placement has the points of the tile and of the
bonus it makes, whether it is a triple and whether it is the last of the rack. Then come, for the
board as it would be: how many of the other tiles on the rack fit somewhere and how many do not,
the share of the unseen tiles that fit, and the bonuses nearby that one unseen tile could make, or
one of the rack.
"""

_TAKEN: Final = 254  # in board_cells; open cells have lower values
_ROWS: Final = {1024: 32, 2048: 45}  # how long a row of so many vertices is
_MOST_SIDES: Final = {  # that a bridge shares; the contact of an apex is taken for the strict rule
    BridgeRule.STRICT: 1,
    BridgeRule.APEX_CONTACT: 1,
    BridgeRule.ONE_FREE_SIDE: 2,
    BridgeRule.THREE_CORNERS: 3,
}
_NEAR: Final = {  # the cells around the corners of a cell: steps in x and y, and whether down
    0: [(0, 0, 1), (-1, 0, 1), (0, -1, 1), (-1, 0, 0), (0, -1, 0), (-1, -1, 1),
        (0, 1, 0), (-1, 1, 0), (-1, 1, 1), (1, 0, 0), (1, -1, 0), (1, -1, 1)],
    1: [(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 0, 1), (0, 1, 1), (1, 1, 0),
        (0, -1, 1), (1, -1, 1), (1, -1, 0), (-1, 0, 1), (-1, 1, 1), (-1, 1, 0)],
}  # fmt: skip
_CORNERS: Final = {0: [(0, 0), (0, 1), (1, 0)], 1: [(1, 0), (0, 1), (1, 1)]}
_SIDES: Final = {0: [(-1, 0), (0, 0), (0, -1)], 1: [(0, 0), (1, 0), (0, 1)]}
_CLOSED: Final = 6  # tiles around a corner


class Legal(NamedTuple):
    """The legal actions of all games of a batch, one after the other."""

    game: NDArray[np.int64]
    slot: NDArray[np.int64]
    """The column of :attr:`Batch.actions`."""
    features: NDArray[np.float32]
    """A row for each action, see ``ACTION_FIELDS``."""


class ActionFeatures:
    """The features of actions by the rules of a batch; made of what the seat to move sees."""

    def __init__(self, rules: Rules) -> None:
        self.rules, tiles = rules, rules.tiles
        count = len(tiles)
        self._ranks = count + 2
        self.points = np.array([tile.points for tile in tiles], np.float32)
        """By tile of the set, its points."""
        self._triple = np.array([tile.a == tile.b == tile.c for tile in tiles], np.float32)
        self._bonus = np.array([0, rules.bridge_bonus, *rules.hexagon_bonuses], np.float32)
        # Three numbers plus one, or 0 where there is none yet, as digits to base 8.
        self._fits = np.zeros((512, count), np.uint8)  # 1 for the tiles that fit
        self._lies = np.full((512, count), -1, np.int16)  # the numbers with the tile there
        self._exact = np.full(512, -1, np.int16)  # the tile with just these three
        for index, tile in enumerate(tiles):
            for numbers in tile.orientations:
                whole = [number + 1 for number in numbers]
                self._exact[_code(whole)] = index
                for hidden in range(-1, 3):
                    code = _code([0 if k == hidden else n for k, n in enumerate(whole)])
                    self._fits[code, index] = 1
                    self._lies[code, index] = _code(whole)
        self._ways = np.full((count, 3), 0, np.int16)  # of a first tile, by rank
        for index, tile in enumerate(tiles):
            for rank, numbers in enumerate(tile.orientations):
                self._ways[index, rank] = _code([number + 1 for number in numbers])

    def of(self, batch: Batch) -> Legal:
        """Return the features of every legal action of a batch of these rules."""
        width = max(1, int(batch.action_count.max()))
        game, slot = np.nonzero(batch.actions[:, :width] >= 0)
        action = batch.actions[game, slot].astype(np.int64)
        out = np.zeros((len(game), len(ACTION_FIELDS)), np.float32)
        special = action < len(SPECIALS)
        out[special, action[special]] = 1
        rows = np.flatnonzero(~special)
        out[rows, len(SPECIALS)] = 1
        if rows.size:
            tile, rank = np.divmod(action[rows] - len(SPECIALS), self._ranks)
            out[rows, len(SPECIALS) + 1 :] = self._placements(batch, game[rows], tile, rank)
        return Legal(game, slot, out)

    def _placements(
        self,
        batch: Batch,
        game: NDArray[np.int64],
        tile: NDArray[np.int64],
        rank: NDArray[np.int64],
    ) -> NDArray[np.float32]:
        first = batch.cell_count[game] == 0
        cell = np.where(first[:, None], 0, batch.cells[game, rank].astype(np.int64))
        code = np.where(
            first,
            self._ways[tile, np.minimum(rank, 2)],
            self._lies[_code(cell[:, 3:6].T), tile],
        ).astype(np.int64)
        rest = batch.rack[game].copy()
        rest[np.arange(len(tile)), tile] = 0
        unseen = (1 - batch.rack[game]) * (1 - batch.laid[game])
        around = _Around(batch, game, cell, code)
        fitting = self._fitting(batch, game, cell, first, around) > 0
        exact = self._exact[np.where(around.whole, around.after, 0)]
        worth = self._bonus[around.bonus] * (exact >= 0)
        rows = np.arange(len(tile))[:, None]
        held = rest.sum(axis=1)
        return np.stack(
            [
                self.points[tile],
                self._bonus[cell[:, 6]],
                self._triple[tile],
                held == 0,
                (rest * fitting).sum(axis=1),
                (rest * ~fitting).sum(axis=1),
                (unseen * fitting).sum(axis=1) / np.maximum(1, unseen.sum(axis=1)),
                (worth * unseen[rows, exact]).sum(axis=1),
                (worth * rest[rows, exact]).sum(axis=1),
            ],
            axis=1,
        ).astype(np.float32)

    def _fitting(
        self,
        batch: Batch,
        game: NDArray[np.int64],
        cell: NDArray[np.int64],
        first: NDArray[np.bool_],
        around: _Around,
    ) -> NDArray[np.int64]:
        """By tile, on how many cells it would fit after the placement."""
        width = max(1, int(batch.cell_count.max()))
        codes = _code(np.moveaxis(batch.cells[:, :width, 3:6].astype(np.int64), 2, 0))
        before = self._fits[codes].sum(axis=1, dtype=np.int64)[game]
        own = self._fits[np.where(first, 0, _code(cell[:, 3:6].T))]
        gone = self._fits[np.where(around.was_open, around.before, 0)].sum(axis=1, dtype=np.int64)
        come = self._fits[np.where(around.is_open, around.after, 0)].sum(axis=1, dtype=np.int64)
        fitting: NDArray[np.int64] = before - own - gone + come
        return fitting


class _Around:
    """The twelve cells around each placement, before and after it."""

    def __init__(
        self,
        batch: Batch,
        game: NDArray[np.int64],
        cell: NDArray[np.int64],
        code: NDArray[np.int64],
    ) -> None:
        total = batch.board_vertices.shape[1]
        side = _ROWS[total]
        x, y, down = cell[:, :1], cell[:, 1:2], cell[:, 2]
        near = _NEAR_TABLE[down]
        cx, cy, cd = x + near[:, :, 0], y + near[:, :, 1], near[:, :, 2]
        corners = _CORNER_TABLE[cd]
        vx, vy = cx[:, :, None] + corners[..., 0], cy[:, :, None] + corners[..., 1]
        own = _CORNER_TABLE[down]
        ox, oy = x + own[..., 0], y + own[..., 1]
        at = batch.board_vertices[game[:, None, None], (vx + side * vy) % total].astype(np.int64)
        same = (vx[..., None] == ox[:, None, None]) & (vy[..., None] == oy[:, None, None])
        new = (same * _digits(code)[:, None, None]).sum(axis=3)
        numbers = at & 7
        self.before = _code(np.moveaxis(numbers, 2, 0))
        numbers = np.where(new > 0, new, numbers)
        self.after = _code(np.moveaxis(numbers, 2, 0))
        states = batch.board_cells[game[:, None], (2 * (cx + side * cy) + cd) % (2 * total)]
        self.was_open = states < _TAKEN
        beside = same.any(axis=3).sum(axis=2) == 2
        self.is_open = (states != _TAKEN) & (self.was_open | beside)
        self.whole = self.is_open & (numbers > 0).all(axis=2)
        tiles = (at >> 3) + same.any(axis=3)
        closes = (tiles == _CLOSED - 1).sum(axis=2)
        sides = _SIDE_TABLE[cd]
        sx, sy = cx[:, :, None] + sides[..., 0], cy[:, :, None] + sides[..., 1]
        index = (2 * (sx + side * sy) + 1 - cd[:, :, None]) % (2 * total)
        touched = (batch.board_cells[game[:, None, None], index] == _TAKEN).sum(axis=2) + beside
        bridges = touched <= _MOST_SIDES[batch.rules.bridge_rule]
        self.bonus = np.where(closes > 0, closes + 1, bridges) * self.whole


_NEAR_TABLE: Final = np.array([_NEAR[0], _NEAR[1]], np.int64)
_CORNER_TABLE: Final = np.array([_CORNERS[0], _CORNERS[1]], np.int64)
_SIDE_TABLE: Final = np.array([_SIDES[0], _SIDES[1]], np.int64)


def _code(numbers: list[int] | NDArray[np.int64]) -> NDArray[np.int64]:
    a, b, c = numbers
    return np.asarray(a * 64 + b * 8 + c)


def _digits(code: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.stack([code >> 6, code >> 3 & 7, code & 7], axis=1)
