"""The moves a person can choose from, with a label for each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from triomino.moves import Move, Place

if TYPE_CHECKING:
    from triomino.game import Game
    from triomino.grid import Cell
    from triomino.scoring import Reason, Score
    from triomino.tile import Tile

# At most six tiles fit one place, and none of these letters is a command.
LETTERS: Final = "abcxyz"


@dataclass(frozen=True, slots=True)
class Option:
    """One tile on one place. A letter tells apart the tiles that fit the same place."""

    number: int
    letter: str
    place: Place
    points: int
    bonus: Reason | None
    goes_out: bool

    @property
    def label(self) -> str:
        """What one types for it."""
        return f"{self.number}{self.letter}"


@dataclass(frozen=True, slots=True)
class Other:
    """Anything but a placement, and what it costs."""

    move: Move
    points: int


@dataclass(frozen=True, slots=True)
class Menu:
    """Everything the player to move can do, with its label and points.

    Places are numbered as one reads the board: row by row from the top, each from the left. On an
    empty board all places are alike, so there the numbers stand for tiles.
    """

    options: tuple[Option, ...]
    others: tuple[Other, ...]
    opening: bool
    draws_left: int

    @classmethod
    def of(cls, game: Game) -> Menu:
        """Return the menu of a running round."""
        legal = game.legal_moves()
        others = [
            Other(move, _points(game.check(move).scores))
            for move in legal
            if not isinstance(move, Place)
        ]
        left = min(game.rules.max_draws - len(game.drawn), len(game.pool))
        places = [move for move in legal if isinstance(move, Place)]
        labelled = _openings(places) if game.is_opening else _labelled(places)
        goes_out = len(game.racks[game.turn]) == 1
        options = []
        for number, letter, place in labelled:
            # What a placement ends depends on hidden racks; only what it scores itself is shown.
            ply = game.check(place)
            options.append(Option(number, letter, place, _points(ply.scores), ply.bonus, goes_out))
        return cls(tuple(options), tuple(others), game.is_opening, left)

    @property
    def is_able(self) -> bool:
        """Whether any tile can be placed."""
        return bool(self.options)

    def price(self, move: Move) -> int:
        """Return the points of a move that is no placement; not positive."""
        return next(other.points for other in self.others if other.move == move)

    @property
    def forced(self) -> Move | None:
        """The only legal move, unless it is a placement."""
        if self.options or len(self.others) != 1:
            return None
        return self.others[0].move

    @property
    def labels(self) -> dict[Cell, str]:
        """What is written on each place of the board."""
        if self.opening:
            return {}
        return {option.place.cell: str(option.number) for option in self.options}

    def at(self, number: int, letter: str = "") -> list[Option]:
        """Return the options with that number, and that letter if one is given."""
        return [
            option
            for option in self.options
            if option.number == number and letter in ("", option.letter)
        ]

    def of_tile(self, tile: Tile) -> list[Option]:
        """Return the options of a tile, most points first."""
        found = [option for option in self.options if option.place.tile == tile]
        return sorted(found, key=lambda option: (-option.points, option.number))


def _points(scores: tuple[Score, ...]) -> int:
    return sum(score.points for score in scores)


def _openings(places: list[Place]) -> list[tuple[int, str, Place]]:
    """Number each tile once: how the first tile is turned makes no difference."""
    first = {place.tile: place for place in reversed(places)}
    return [(number, "", first[tile]) for number, tile in enumerate(sorted(first), 1)]


def _labelled(places: list[Place]) -> list[tuple[int, str, Place]]:
    by_cell: dict[Cell, list[Place]] = {}
    for place in places:
        by_cell.setdefault(place.cell, []).append(place)
    out = []
    for number, cell in enumerate(sorted(by_cell, key=_reading_order), 1):
        here = sorted(by_cell[cell], key=lambda place: place.tile)
        letters = LETTERS if len(here) > 1 else ("",)
        out += [(number, letter, place) for letter, place in zip(letters, here, strict=False)]
    return out


def _reading_order(cell: Cell) -> tuple[int, int]:
    row, column = cell.row_column
    return -row, column
