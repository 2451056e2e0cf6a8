"""A year of puzzles: the file that ships, and which of them belongs to a day."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import date
from importlib.resources import files
from typing import TYPE_CHECKING, Final

from triomino.errors import TriominoError
from triomino.puzzles.puzzle import FORMAT, Kind, Puzzle

if TYPE_CHECKING:
    from collections.abc import Iterable

DAYS: Final = 366
EPOCH: Final = date(2026, 1, 5)
"""The day of the first puzzle, a Monday. After the last one comes the first again."""
RHYTHM: Final = (1, 1, 2, 2, 2, 3, 3)
"""The levels of a week: it begins with the easy ones."""
ORDER: Final = (Kind.BONUS, Kind.BLOCK, Kind.DRAW, Kind.ENDING, Kind.OUT)
"""Kinds come in turn, as far as there are enough of each."""


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


def read_year() -> Year:
    """Return the puzzles that ship with the program."""
    return Year.from_text(files(__package__).joinpath("year.json").read_text(encoding="utf-8"))


def arranged(found: Iterable[Puzzle], days: int = DAYS) -> Year:
    """Return so many of the puzzles found, with the rhythm of levels and kinds in turn.

    Where a level or a kind runs short, the nearest that there is takes its place. Positions ask
    most often whether to draw; that fills the days that the other kinds leave.
    """
    everything = list(found)
    left = sorted(everything, key=lambda puzzle: puzzle.kind is Kind.DRAW)[:days]
    chosen: list[Puzzle] = []
    while left:
        number = len(chosen)
        level, kind = RHYTHM[number % len(RHYTHM)], ORDER[number % len(ORDER)]
        last = chosen[-1].kind if chosen else None
        distances = [_distance(puzzle, level, kind, last) for puzzle in left]
        chosen.append(left.pop(distances.index(min(distances))))
    return Year(tuple(chosen))


def _distance(puzzle: Puzzle, level: int, kind: Kind, last: Kind | None) -> int:
    return 2 * abs(puzzle.level - level) + (puzzle.kind is not kind) + 2 * (puzzle.kind is last)
