"""The exceptions of this package, with machine-readable reasons."""

from __future__ import annotations

from difflib import get_close_matches
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from triomino.moves import Move


class Why(StrEnum):
    """The reason a well-formed move cannot be played now."""

    # Laying a tile
    NOT_IN_SET = "not_in_set"
    ALREADY_LAID = "already_laid"
    OCCUPIED = "occupied"
    NO_SHARED_EDGE = "no_shared_edge"
    CORNER_MISMATCH = "corner_mismatch"
    # Whose tile, and which tile
    NOT_HELD = "not_held"
    NOT_THE_OPENING_TILE = "not_the_opening_tile"
    NOT_THE_START_CELL = "not_the_start_cell"
    NOT_THE_DRAWN_TILE = "not_the_drawn_tile"
    # The course of a turn
    MUST_OPEN = "must_open"
    MUST_PLACE = "must_place"
    MUST_DRAW = "must_draw"
    MUST_PASS = "must_pass"  # noqa: S105 - no password
    MUST_END = "must_end"
    MUST_PLACE_OR_KEEP = "must_place_or_keep"
    POOL_EMPTY = "pool_empty"
    NO_MORE_DRAWS = "no_more_draws"
    NOTHING_TO_KEEP = "nothing_to_keep"
    ROUND_OVER = "round_over"


class TriominoError(ValueError):
    """Invalid input to this package. The message is a single line."""


class NotationError(TriominoError):
    """Text that is not a tile, a cell or a move."""


class RulesError(TriominoError):
    """A house rule that does not exist or has an invalid value."""


class PositionError(TriominoError):
    """A position that contradicts itself."""


class RecordError(TriominoError):
    """Stored data that cannot be read, or that the rules do not allow.

    ``place`` is the path of the offending value, such as ``rounds[0].turns[3].points``.
    """

    def __init__(self, place: str, reason: str) -> None:
        super().__init__(f"{place}: {reason}" if place else reason)
        self.place, self.reason = place, reason

    def __reduce__(self) -> tuple[type[RecordError], tuple[str, str]]:
        return type(self), (self.place, self.reason)


class IllegalMove(TriominoError):  # noqa: N818 - the name says enough
    """A well-formed move that cannot be played now; ``why`` gives the reason."""

    def __init__(self, why: Why, move: Move) -> None:
        super().__init__(f"{move}: {why}")
        self.why, self.move = why, move

    def __reduce__(self) -> tuple[type[IllegalMove], tuple[Why, Move]]:
        return type(self), (self.why, self.move)


def nearest(word: str, known: Iterable[str]) -> str:
    """Return a hint for an error message: the nearest known word, or all of them.

    >>> nearest("bridge_rul", ["bridge_rule", "target"])
    "did you mean 'bridge_rule'?"
    >>> nearest("xyz", ["all", "none"])
    "known: 'all', 'none'"
    """
    names = list(known)
    close = get_close_matches(word, names, n=1)
    if close:
        return f"did you mean {close[0]!r}?"
    return "known: " + ", ".join(map(repr, names))
