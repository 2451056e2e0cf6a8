"""What is written on a score pad: lines, corrections, undo and redo."""

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
"""A person's column on the sheet: 0, 1, … in the order in which people joined."""

MOST_DRAWS: Final = 76


class PadError(TriominoError):
    """An act that cannot be written on the pad. The message is a single line."""


class How(StrEnum):
    """How a turn without a placement ended."""

    PASS = "pass"  # noqa: S105 - no password
    END = "end"
    KEEP = "keep"


@dataclass(frozen=True, slots=True)
class Setup:
    """The first line: the rules and the players, in turn order."""

    rules: Rules
    names: tuple[str, ...]
    rounds: int | None = None
    """After so many rounds the match ends, as at a club evening; see ``Ledger.most_rounds``."""


@dataclass(frozen=True, slots=True)
class Players:
    """A change of players or names: the names of everybody on the sheet, and who plays on."""

    names: tuple[str, ...]
    seats: tuple[Person, ...]


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn: some draws, then perhaps a tile and the bonus it made."""

    person: Person
    laid: Tile | Sum | None
    bonus: Reason | None = None
    draws: int = 0
    how: How | None = None
    """How the turn ended, if no tile was laid."""


@dataclass(frozen=True, slots=True)
class Out:
    """*person* has gone out; *left* is what the racks still hold, in turn order."""

    person: Person
    left: tuple[Rack, ...]


@dataclass(frozen=True, slots=True)
class Blocked:
    """The round is blocked; *left* is what the racks still hold, in turn order."""

    left: tuple[Rack, ...]


@dataclass(frozen=True, slots=True)
class Abandoned:
    """The match was abandoned; *person* gave up, or everybody did."""

    person: Person | None = None


@dataclass(frozen=True, slots=True)
class Extra:
    """Points that the players agreed on."""

    person: Person
    points: int


Entry: TypeAlias = Setup | Players | Turn | Out | Blocked | Abandoned | Extra
"""A line of the sheet."""


@dataclass(frozen=True, slots=True)
class Correct:
    """Replace a line by others: none deletes it, two insert a forgotten one."""

    line: int
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Undo:
    """Take back the last step, whatever it was."""


@dataclass(frozen=True, slots=True)
class Redo:
    """Repeat the last step that was taken back."""


Act: TypeAlias = Entry | Correct | Undo | Redo


def check_turn(turn: Turn) -> None:
    """Raise :class:`PadError` if a turn is inconsistent in itself."""
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
