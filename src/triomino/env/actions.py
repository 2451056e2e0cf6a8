"""Moves as numbers, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from triomino.errors import TriominoError
from triomino.grid import ORIGIN
from triomino.moves import Draw, End, Keep, Move, Pass, Place

if TYPE_CHECKING:
    from triomino.board import Board
    from triomino.rules import Rules

SPECIALS: Final[tuple[Move, ...]] = (Draw(), Keep(), End(), Pass())
"""The moves that are not placements; each is its own action, 0 to 3."""


class ActionSpace:
    """The actions of a tile set: four moves without a tile, then every tile on every rank.

    A placement is ``4 + tile * (tiles + 2) + rank``: the tile's index in the set, and the rank of
    its cell among all open cells, row by row from the bottom. The numbers around a cell allow a
    tile in one orientation only. The first tile of a round has no such cell: its rank is the
    orientation, and it lies on ``U(0,0)``.

    >>> from triomino import CLASSIC, Game
    >>> space = ActionSpace(CLASSIC)
    >>> space.size
    3252
    >>> game = Game.deal(CLASSIC, players=2, seed=7)
    >>> moves = game.legal_moves()
    >>> [space.decode(game.board, space.encode(game.board, move)) for move in moves] == moves
    True
    """

    def __init__(self, rules: Rules) -> None:
        self.tiles = rules.tiles
        self.ranks = len(self.tiles) + 2
        """The most cells that can be open."""
        self.size = len(SPECIALS) + len(self.tiles) * self.ranks
        self._index = {tile: index for index, tile in enumerate(self.tiles)}

    def encode(self, board: Board, move: Move) -> int:
        """Return the action of a move that is legal on *board*."""
        if not isinstance(move, Place):
            return SPECIALS.index(move)
        if move.tile not in self._index:
            raise TriominoError(f"{move}: this tile is not in the set")
        if board.laid:
            cells = board.open_cells
            if move.cell not in cells:
                raise TriominoError(f"{move}: this cell is not open")
            rank = cells.index(move.cell)
        elif move.cell == ORIGIN:
            rank = move.tile.orientations.index(move.numbers)
        else:
            raise TriominoError(f"{move}: the first tile lies on {ORIGIN}")
        return len(SPECIALS) + self._index[move.tile] * self.ranks + rank

    def decode(self, board: Board, action: int) -> Move:
        """Return the move of an action; raises if no tile can be laid like that on *board*."""
        if not 0 <= action < self.size:
            raise TriominoError(f"there is no action {action}; they are 0 to {self.size - 1}")
        if action < len(SPECIALS):
            return SPECIALS[action]
        index, rank = divmod(action - len(SPECIALS), self.ranks)
        tile = self.tiles[index]
        if not board.laid:
            ways = tile.orientations
            if rank < len(ways):
                return Place(ORIGIN, ways[rank])
        elif rank < len(cells := board.open_cells):
            for place in board.placements(tile.bit):
                if place.cell == cells[rank]:
                    return place
        raise TriominoError(f"action {action}: {tile} does not fit there")
