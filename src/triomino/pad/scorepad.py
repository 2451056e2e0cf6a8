"""The score pad for a table with real tiles, as an append-only log.

The log holds every act: lines written, lines corrected, steps taken back. The sheet and all its
points are derived from the log alone, by the same functions that score a game.

>>> from triomino.pad import Turn
>>> from triomino.rules import CLASSIC
>>> from triomino.scoring import Sum
>>> from triomino.tile import Tile
>>> pad = ScorePad.start(CLASSIC, ["Ann", "Ben"])
>>> pad = pad.write(Turn(0, Tile.parse("1-3-4"))).write(Turn(1, Sum(9), draws=1))
>>> pad.ledger.totals
(8, 4)
>>> pad.correct(2, Turn(1, Sum(9), draws=2)).ledger.totals
(8, -1)
>>> pad.undo().ledger.totals
(8, 0)
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from triomino.pad.acts import Act, Correct, Entry, PadError, Redo, Setup, Undo
from triomino.pad.sheet import Caution, Sheet, sheet_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from triomino.ledger import Ledger
    from triomino.rules import Rules


@dataclass(frozen=True)
class ScorePad:
    """A score pad. It is immutable: every act returns a new pad.

    Raises :class:`PadError` for an act that makes no sense. What the rules merely do not allow is
    written, with a caution on its line.
    """

    log: tuple[Act, ...]

    def __post_init__(self) -> None:
        _ = self.sheet  # raises now, so that every pad that exists is valid

    @classmethod
    def start(cls, rules: Rules, names: Iterable[str]) -> ScorePad:
        """Return an empty pad for these players."""
        return cls((Setup(rules, tuple(names)),))

    def write(self, act: Act) -> ScorePad:
        """Return the pad with one more act."""
        return ScorePad((*self.log, act))

    def undo(self) -> ScorePad:
        """Return the pad with its last step taken back; only the first line cannot be."""
        return self.write(Undo())

    def redo(self) -> ScorePad:
        """Return the pad with the last undone step repeated."""
        return self.write(Redo())

    def correct(self, line: int, *entries: Entry) -> ScorePad:
        """Return the pad with one line replaced by others; see :class:`Correct`."""
        return self.write(Correct(line, entries))

    def cautions(self, entry: Entry) -> tuple[Caution, ...]:
        """Return the cautions that *entry* would get if it were written now."""
        return self.write(entry).sheet.lines[-1].cautions

    @property
    def can_undo(self) -> bool:
        """Whether there is a step to undo."""
        return len(self._steps[0]) > 1

    @property
    def can_redo(self) -> bool:
        """Whether there is a step to redo."""
        return bool(self._steps[1])

    @cached_property
    def lines(self) -> tuple[Entry, ...]:
        """The lines that stand, after corrections and undo."""
        out: list[Entry] = []
        for act in self._steps[0]:
            if isinstance(act, Correct):
                if not 0 <= act.line < len(out):
                    raise PadError(f"there is no line {act.line} to correct")
                out[act.line : act.line + 1] = act.entries
            else:
                out.append(act)
        return tuple(out)

    @cached_property
    def sheet(self) -> Sheet:
        """The lines with their points, and the standing of the match."""
        return sheet_of(self.lines)

    @property
    def ledger(self) -> Ledger:
        """The standing of the match."""
        return self.sheet.ledger

    @cached_property
    def _steps(self) -> tuple[list[Entry | Correct], list[Entry | Correct]]:
        """The steps that stand, and those taken back, the next one to redo last."""
        done: list[Entry | Correct] = []
        undone: list[Entry | Correct] = []
        for act in self.log:
            if isinstance(act, Undo):
                if len(done) < 2:
                    raise PadError("there is nothing to take back")
                undone.append(done.pop())
            elif isinstance(act, Redo):
                if not undone:
                    raise PadError("nothing was taken back")
                done.append(undone.pop())
            else:
                done.append(act)
                undone.clear()
        return done, undone
