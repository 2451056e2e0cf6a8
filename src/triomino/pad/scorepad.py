"""The score pad of a table with real tiles: what people write down, and what follows from it.

A pad is a log of acts that only grows: lines written, lines corrected, steps taken back. The
sheet with all its points is worked out from the log alone, with the same functions as a game's.

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
    """A pad. It never changes: every act gives another one.

    Raises :class:`PadError` for what makes no sense; what the rules merely do not allow is
    written, and the line says so in its cautions.
    """

    log: tuple[Act, ...]

    def __post_init__(self) -> None:
        _ = self.sheet  # whoever has a pad has one that can be read

    @classmethod
    def start(cls, rules: Rules, names: Iterable[str]) -> ScorePad:
        """An empty sheet for these people."""
        return cls((Setup(rules, tuple(names)),))

    def write(self, act: Act) -> ScorePad:
        """The pad with one more act."""
        return ScorePad((*self.log, act))

    def undo(self) -> ScorePad:
        """The pad with its last step taken back; there is no limit but the first line."""
        return self.write(Undo())

    def redo(self) -> ScorePad:
        """The pad with the last step that was taken back once more."""
        return self.write(Redo())

    def correct(self, line: int, *entries: Entry) -> ScorePad:
        """The pad with other lines in the place of one; see :class:`Correct`."""
        return self.write(Correct(line, entries))

    def cautions(self, entry: Entry) -> tuple[Caution, ...]:
        """What speaks against writing *entry* now."""
        return self.write(entry).sheet.lines[-1].cautions

    @property
    def can_undo(self) -> bool:
        """Whether there is a step to take back."""
        return len(self._steps[0]) > 1

    @property
    def can_redo(self) -> bool:
        """Whether there is a step to take once more."""
        return bool(self._steps[1])

    @cached_property
    def lines(self) -> tuple[Entry, ...]:
        """The lines that stand, corrected ones as they were corrected."""
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
        """All that follows from the lines."""
        return sheet_of(self.lines)

    @property
    def ledger(self) -> Ledger:
        """What the match stands at."""
        return self.sheet.ledger

    @cached_property
    def _steps(self) -> tuple[list[Entry | Correct], list[Entry | Correct]]:
        """The steps that were taken, and those taken back, the next to take again last."""
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
