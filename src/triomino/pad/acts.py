"""What people write on a score pad: lines, corrections, and steps taken back."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final, TypeAlias

from triomino.errors import TriominoError
from triomino.scoring import BONUSES, Rack, Reason, Sum

if TYPE_CHECKING:
    from triomino.rules import Rules
    from triomino.tile import Tile

Person: TypeAlias = int
"""Somebody's column of the sheet: 0, 1, … in the order people came."""

MOST_DRAWS: Final = 76


class PadError(TriominoError):
    """What cannot be written on a pad; its text is one clear line."""


class How(StrEnum):
    """How a turn ended in which no tile was laid."""

    PASS = "pass"  # noqa: S105 - no password
    END = "end"
    KEEP = "keep"


@dataclass(frozen=True, slots=True)
class Setup:
    """The first line: the rules, and who plays, in the order of turns."""

    rules: Rules
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Players:
    """Other people, or other names: everybody on the sheet so far and new ones, and who plays."""

    names: tuple[str, ...]
    seats: tuple[Person, ...]


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn: so many draws, then a tile with the bonus it made, or none."""

    person: Person
    laid: Tile | Sum | None
    bonus: Reason | None = None
    draws: int = 0
    how: How | None = None
    """Without a tile: how the turn ended."""


@dataclass(frozen=True, slots=True)
class Out:
    """Somebody has laid the last tile; what the racks still hold, in the order of turns."""

    person: Person
    left: tuple[Rack, ...]


@dataclass(frozen=True, slots=True)
class Blocked:
    """Nobody can play; what the racks still hold, in the order of turns."""

    left: tuple[Rack, ...]


@dataclass(frozen=True, slots=True)
class Abandoned:
    """The match ends here; *person* gave up, or everybody did."""

    person: Person | None = None


@dataclass(frozen=True, slots=True)
class Extra:
    """Points that people agreed on."""

    person: Person
    points: int


Entry: TypeAlias = Setup | Players | Turn | Out | Blocked | Abandoned | Extra
"""A line of the sheet."""


@dataclass(frozen=True, slots=True)
class Correct:
    """Other lines in the place of one: none strikes it out, two make room for a forgotten one."""

    line: int
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Undo:
    """Take the last step back, whatever it was."""


@dataclass(frozen=True, slots=True)
class Redo:
    """Take the last step that was taken back once more."""


Act: TypeAlias = Entry | Correct | Undo | Redo


def check_turn(turn: Turn) -> None:
    """Refuse a turn that makes no sense by itself."""
    if not 0 <= turn.draws <= MOST_DRAWS:
        raise PadError(f"{turn.draws} draws cannot be")
    if isinstance(turn.laid, Sum) and not 0 <= turn.laid.points <= 15:
        raise PadError(f"{turn.laid.points} is no sum of a tile: 0 to 15")
    if (turn.laid is None) == (turn.how is None):
        raise PadError("a turn has a tile, or says how it ended without one")
    if turn.bonus is not None and turn.bonus not in BONUSES:
        raise PadError(f"{turn.bonus} is no bonus of a tile")
    if turn.bonus is not None and turn.laid is None:
        raise PadError("a bonus needs a tile")
