"""Where the rule book says why a move is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from triomino.errors import Why
from triomino.rulebook.book import rulebook

if TYPE_CHECKING:
    from triomino.rules import Rules

_PLAY_ON: Final = ("draw.never", "draw.ends", "draw.thenPlay", "draw.thenPlayDrawn")
_DRAWS: Final = (*_PLAY_ON[1:], "draw.goOn", "draw.optional", "draw.single", "draw.must")

_KEYS: Final[dict[Why, tuple[str, ...]]] = {
    Why.NOT_IN_SET: ("tiles.count",),
    Why.ALREADY_LAID: ("tiles.count",),
    Why.OCCUPIED: ("lay.stays",),
    Why.NO_SHARED_EDGE: ("lay.side",),
    Why.CORNER_MISMATCH: ("lay.corners",),
    Why.NOT_HELD: ("lay.turns",),
    Why.NOT_THE_OPENING_TILE: ("opening.forced", "opening.free"),
    Why.NOT_THE_START_CELL: ("opening.where",),
    Why.NOT_THE_DRAWN_TILE: ("draw.thenPlayDrawn", "draw.afterDrawn", "draw.must"),
    Why.MUST_OPEN: ("opening.noDraw", "opening.where"),
    Why.MUST_PLACE: (*_PLAY_ON, "draw.mustPlace", "draw.firstOnly", "pass.unable", "draw.must"),
    Why.MUST_DRAW: ("draw.must",),
    Why.MUST_PASS: ("pass.unable", "pass.voluntary"),
    Why.MUST_END: ("draw.over", "draw.extraOver", "draw.mustPlace", "draw.mayEnd", *_DRAWS),
    Why.MUST_PLACE_OR_KEEP: ("draw.keep", "draw.keepNotLast", "draw.must"),
    Why.POOL_EMPTY: ("pass.unable", "pass.voluntary"),
    Why.NO_MORE_DRAWS: _DRAWS,
    Why.NOTHING_TO_KEEP: ("draw.keep", "draw.keepNotLast", "draw.must"),
    Why.ROUND_OVER: ("out.what",),
}
"""The lines that a refusal follows from, the best first."""


def paragraphs(rules: Rules) -> dict[Why, tuple[str, str]]:
    """Return, for every reason of a refusal, a chapter and the key of a line in it."""
    chapter_of = {line.key: chapter.name for chapter in rulebook(rules) for line in chapter.lines}
    found = {}
    for why, keys in _KEYS.items():
        key = next(key for name in keys if (key := f"rules.{name}") in chapter_of)
        found[why] = chapter_of[key], key
    return found
