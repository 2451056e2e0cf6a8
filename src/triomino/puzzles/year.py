"""A year of puzzles: the file that ships, and which of them belongs to a day."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final

from triomino.errors import TriominoError
from triomino.puzzles.judge import FEWEST_TILES
from triomino.puzzles.puzzle import FORMAT, Kind, Puzzle

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from triomino.tile import Tile

DAYS: Final = 366
EPOCH: Final = date(2026, 1, 5)
"""The day of the first puzzle, a Monday. After the last one comes the first again."""
APART: Final = 30
"""So many days lie between two puzzles from one game, as far as possible."""


@dataclass(frozen=True, slots=True)
class Year:
    """Puzzles in the order of their days."""

    puzzles: tuple[Puzzle, ...]

    def of(self, day: date) -> Puzzle:
        """Return the puzzle of a day, the same for everybody."""
        return self.puzzles[(day - EPOCH).days % len(self.puzzles)]

    def to_text(self) -> str:
        """Return the file: a line for each puzzle."""
        lines = ",\n".join(
            json.dumps(puzzle.to_json(), separators=(",", ":")) for puzzle in self.puzzles
        )
        return f'{{"format":"{FORMAT}","epoch":"{EPOCH}","puzzles":[\n{lines}\n]}}\n'

    @classmethod
    def from_text(cls, text: str) -> Year:
        """Read such a file; whatever is wrong with it is a :class:`TriominoError`."""
        try:
            data = json.loads(text)
            if data["format"] != FORMAT or data["epoch"] != str(EPOCH):
                raise TriominoError(f"this is no file of the format {FORMAT}")
            puzzles = tuple(Puzzle.from_json(each) for each in data["puzzles"])
        except (ValueError, KeyError, TypeError) as error:
            raise TriominoError(f"this is no file of puzzles: {error!r}") from None
        if not puzzles:
            raise TriominoError("the file holds no puzzles")
        return cls(puzzles)


@cache
def read_year() -> Year:
    """Return the puzzles that ship with the program."""
    return Year.from_text(files(__package__).joinpath("year.json").read_text(encoding="utf-8"))


def arranged(found: Iterable[Puzzle], days: int = DAYS) -> Year:
    """Return so many of the puzzles found, with every kind and level spread over the whole year.

    Positions ask most often whether to draw; that fills the days that the other kinds leave.
    """
    kept = sorted(found, key=lambda puzzle: puzzle.kind is Kind.DRAW)[:days]
    groups: dict[tuple[Kind, int], list[Puzzle]] = {}
    for puzzle in kept:
        groups.setdefault((puzzle.kind, puzzle.level), []).append(puzzle)
    spread = [
        ((number + 0.5) / len(group), len(group), puzzle)
        for group in groups.values()
        for number, puzzle in enumerate(group)
    ]
    left = [puzzle for *_, puzzle in sorted(spread, key=lambda each: each[:2])]
    chosen: list[Puzzle] = []
    while left:
        chosen.append(left.pop(_next_of(left, chosen)))
    return Year(tuple(chosen))


def _next_of(left: Sequence[Puzzle], chosen: Sequence[Puzzle]) -> int:
    """Return the first of another game than the last ones and of another kind than the last."""
    games = {_game_of(puzzle) for puzzle in chosen[-APART:]}
    last = chosen[-1].kind if chosen else None
    fresh = [at for at, one in enumerate(left[: 2 * APART]) if _game_of(one) not in games]
    return next((at for at in fresh if left[at].kind is not last), fresh[0] if fresh else 0)


def _game_of(puzzle: Puzzle) -> tuple[Tile, ...]:
    """Return what tells games apart: the tiles laid first."""
    return tuple(place.tile for place in puzzle.position.board[:FEWEST_TILES])
