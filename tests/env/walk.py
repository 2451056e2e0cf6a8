"""Every step of a batch beside the rules in Python.

``python -m tests.env.walk --positions 200000`` compares so many positions of every edition, by all
player counts, with the edition's own tiles, with small sets and with a part of one.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, field
from time import perf_counter
from typing import TYPE_CHECKING, Final

import numpy as np

from tests.agreement.walk import racks_for
from triomino import EDITIONS, Draw, End, Game, Keep, Pass, Place, Rng
from triomino.deal import Deal
from triomino.env import Batch
from triomino.scoring import HEXAGONS, Reason, bonus_of
from triomino.tile import TILE_SETS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from triomino import Cell, Move, Rules, Tile

KINDS: Final = {Draw(): 1, Keep(): 2, End(): 3, Pass(): 4}
BONUSES: Final = (None, Reason.BRIDGE, *HEXAGONS)
HISTORY: Final = 12


@dataclass
class Pair:
    """A batch, and each of its games in Python."""

    rules: Rules
    players: int
    seed: int
    size: int = 8
    tiles: tuple[Tile, ...] | None = None
    positions: int = 0
    finished: int = 0
    games: list[Game] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.batch = Batch(
            self.rules,
            self.players,
            self.size,
            self.seed,
            mask=True,
            planes=True,
            history=HISTORY,
            everything=True,
            tiles=self.tiles,
        )
        self.dice = Rng.named("batch", self.seed)
        self.games = [self.dealt(i) for i in range(self.size)]

    def dealt(self, i: int) -> Game:
        """The deal of a game, in Python."""
        batch, tiles = self.batch, self.rules.tiles
        racks = tuple(
            tuple(tile for tile, held in zip(tiles, row, strict=True) if held)
            for row in batch.racks[i]
        )
        pool = tuple(tiles[index] for index in batch.pool[i] if index != 255)
        every = [tile for rack in racks for tile in rack] + list(pool)
        assert sorted(every) == sorted(self.tiles or tiles)
        assert {len(rack) for rack in racks} == {self.rules.racks[self.players]}
        return Game(self.rules, Deal(racks, pool, int(batch.starter[i])))

    def run(self, steps: int) -> None:
        for _ in range(steps):
            chosen = np.zeros(self.size, np.int64)
            for i, game in enumerate(self.games):
                self.compare(i, game)
                legal = batch_actions(self.batch, i)
                if legal:
                    chosen[i] = self.choose(game, legal)
            self.batch.step(chosen)
            for i, action in enumerate(chosen):
                self.follow(i, int(action))

    def choose(self, game: Game, legal: list[int]) -> int:
        # Mostly placements: rounds that draw all the time are short of boards.
        places = [action for action in legal if action > 3]
        if places and self.dice.randrange(4):
            legal = places
        return legal[self.dice.randrange(len(legal))]

    def follow(self, i: int, action: int) -> None:
        """Play the same in Python, or take the new deal."""
        batch, game = self.batch, self.games[i]
        if game.over:
            assert batch.plies[i] == 0
            self.games[i] = self.dealt(i)
            assert not batch.done[i]
            assert not batch.rewards[i].any()
            return
        move = batch.space.decode(game.board, action)
        before = game.totals
        ply = game.play(move)
        over = ply.end is not None
        rewards = [now - then for now, then in zip(game.totals, before, strict=True)]
        assert batch.rewards[i].tolist() == rewards
        assert bool(batch.done[i]) == over
        self.compare_event(i, ply.seat, move, len(game.plies) - 1)
        if over:
            self.finished += 1
            assert batch.final_totals[i].tolist() == game.totals
            assert seats_in(int(batch.winners[i])) == game.winners
            self.compare(i, game)

    def compare(self, i: int, game: Game) -> None:
        self.positions += 1
        batch, board, tiles = self.batch, game.board, self.rules.tiles
        moves = game.legal_moves()
        legal = batch_actions(batch, i)
        assert legal == sorted(batch.space.encode(board, move) for move in moves)
        assert {batch.space.decode(board, action) for action in legal} == set(moves)
        assert np.flatnonzero(batch.mask[i]).tolist() == legal
        assert (batch.actions[i, len(legal) :] == -1).all()
        assert batch.turn[i] == game.turn
        assert batch.draws[i] == len(game.drawn)
        assert batch.plies[i] == len(game.plies)
        order = [(game.turn + k) % self.players for k in range(self.players)]
        sizes = [len(game.racks[seat]) for seat in order]
        assert batch.sizes[i].tolist() == [*sizes, len(game.pool)]
        assert batch.totals[i].tolist() == [game.totals[seat] for seat in order]
        held = [[tile in rack for tile in tiles] for rack in map(set, game.racks)]
        assert batch.rack[i].tolist() == held[game.turn]
        assert batch.racks[i].tolist() == held
        laid = [bool(board.laid & tile.bit) for tile in tiles]
        assert batch.laid[i].tolist() == laid
        pool = [tiles.index(tile) for tile in game.pool]
        assert [index for index in batch.pool[i].tolist() if index != 255] == pool
        self.compare_cells(i, game)
        self.compare_planes(i, game)

    def compare_cells(self, i: int, game: Game) -> None:
        batch, board = self.batch, game.board
        expected = [
            [
                cell.x,
                cell.y,
                int(cell.down),
                *(0 if number is None else number + 1 for number in board.corners(cell.key)),
                BONUSES.index(bonus_of(board, cell, game.rules)) if board.laid else 0,
                1,
            ]
            for cell in board.open_cells
        ]
        assert batch.cell_count[i] == len(expected)
        assert batch.cells[i, : len(expected)].tolist() == expected
        assert not batch.cells[i, len(expected) :].any()

    def compare_planes(self, i: int, game: Game) -> None:
        """The planes show the board, and the board arrays, too."""
        batch, board = self.batch, game.board
        planes = np.zeros((25, 25, 8), np.uint8)
        for vertex, number in board.numbers.items():
            if abs(vertex.x) <= 12 and abs(vertex.y) <= 12:
                planes[vertex.y + 12, vertex.x + 12, number] = 1
        for place in board.places:
            if abs(place.cell.x) <= 12 and abs(place.cell.y) <= 12:
                planes[place.cell.y + 12, place.cell.x + 12, 6 + place.cell.down] = 1
        assert np.array_equal(batch.planes[i], planes)
        row = 45 if game.rules.has_mirror_images else 32
        vertices = batch.board_vertices.shape[1]
        numbers = {
            (vertex.y * row + vertex.x) % vertices: number + 1
            for vertex, number in board.numbers.items()
        }
        found = batch.numbers[i]
        assert {int(at): int(found[at]) for at in np.flatnonzero(found)} == numbers
        taken = {cell_index(place.cell, row, vertices) for place in board.places}
        assert set(np.flatnonzero(batch.occupied[i]).tolist()) == taken

    def compare_event(self, i: int, seat: int, move: Move, number: int) -> None:
        if self.games[i].over and self.batch.plies[i] == 0:
            return
        event = self.batch.history[i, number % HISTORY].tolist()
        if not isinstance(move, Place):
            assert event == [seat, KINDS[move], -1, -1, -1, -1]
            return
        cell, last = move.cell, int(move.cell.down)
        if not number or len(self.games[i].board) == 1:
            last = move.tile.orientations.index(move.numbers)
        assert event == [seat, 0, self.rules.tiles.index(move.tile), cell.x, cell.y, last]


def batch_actions(batch: Batch, i: int) -> list[int]:
    found: list[int] = batch.actions[i, : batch.action_count[i]].tolist()
    return found


def cell_index(cell: Cell, row: int, vertices: int) -> int:
    return (2 * (cell.y * row + cell.x) + cell.down) % (2 * vertices)


def seats_in(bits: int) -> tuple[int, ...]:
    return tuple(seat for seat in range(6) if bits >> seat & 1)


def variants(edition: str, seed: int) -> Iterator[Pair]:
    """An edition with its own tiles, with each small set, and with a part of one."""
    base = EDITIONS[edition].with_changes({"target": None})
    for players in base.racks:
        yield Pair(base, players, seed)
    for tile_set in TILE_SETS:
        dice = Rng.named("variants", edition, tile_set, seed)
        racks = racks_for(tile_set, dice)
        rules = base.with_changes({"tile_set": tile_set, "racks": racks})
        players = list(racks)[dice.randrange(len(racks))]
        yield Pair(rules, players, seed)
        tiles = list(rules.tiles)
        spare = len(tiles) - players * racks[players]
        for _ in range(dice.randrange(spare + 1)):
            tiles.pop(dice.randrange(len(tiles)))
        yield Pair(rules, players, seed, tiles=tuple(tiles))


def walk(edition: str, positions: int, steps: int = 60, first: int = 0) -> tuple[int, int]:
    """Compare at least so many positions of an edition; returns them and the rounds finished."""
    done, finished, seed = 0, 0, first
    while done < positions:
        for pair in variants(edition, seed):
            pair.run(steps)
            done += pair.positions
            finished += pair.finished
            if done >= positions:
                break
        seed += 1
    return done, finished


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--positions", type=int, default=200_000)
    parser.add_argument("--edition", choices=EDITIONS, help="else every one")
    given = parser.parse_args()
    for edition in [given.edition] if given.edition else EDITIONS:
        start = perf_counter()
        positions, rounds = walk(edition, given.positions)
        spent = perf_counter() - start
        print(
            f"{edition}: {positions} positions, {rounds} rounds agree ({spent:.0f} s)", flush=True
        )


if __name__ == "__main__":
    main()
