"""How long a match at a table may become.

Everybody at a server shares its memory and its time, so a table has an end. What people play for
an evening is far from it: a match to 400 points has about 300 events.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from triomino.server.events import (
    Claimed,
    Linked,
    MovePlayed,
    Paused,
    RatingAgreed,
    Reminded,
    Returned,
    RoundBegun,
    Seated,
    UndoAsked,
    Undone,
)

if TYPE_CHECKING:
    from collections import Counter

    from triomino.game import Game
    from triomino.rules import Rules, Seat
    from triomino.server.events import AnyEvent

MOST_EVENTS: Final = 10_000
"""Of a table. The last round is always played to its end."""
NEARLY: Final = 8_500
"""From so many events on, people are told that no more than a few rounds fit."""
MOST_ROUNDS: Final = 1_000
MOST_EVENTS_OPEN: Final = 1_000
"""Before the match begins."""
MOST_EXTRAS: Final = 300
"""Undos, links, returns, reminders and pauses of one seat: nobody can use up the table of the
others."""
MOST_TARGET: Final = 5_000
"""Points."""
MOST_ROUNDS_WON: Final = 50
"""The target of a series without points."""


class Bounded(Protocol):
    """What of a table has a bound."""

    version: int
    extras: Counter[Seat]
    by_bot: list[list[bool]]
    """One list for every round."""

    @property
    def game(self) -> Game:
        """The current round."""
        ...  # pragma: no cover


def why_too_far(rules: Rules) -> str | None:
    """Why a match by these rules is too long for a table, or ``None``."""
    most = MOST_TARGET if rules.scoring else MOST_ROUNDS_WON
    if rules.target is None or rules.target <= most:
        return None
    return f"at a table the target is at most {most}"


def is_nearly_full(table: Bounded) -> bool:
    """Whether only a few more rounds fit."""
    return table.version >= NEARLY or len(table.by_bot) >= MOST_ROUNDS - 10


def why_full(table: Bounded, event: AnyEvent) -> str | None:
    """Why there is no room for an event, or ``None``.

    Moves, giving up, leaving and the end of a pause are never refused, so that a match can always
    be ended.
    """
    if isinstance(event, MovePlayed):
        return None
    if isinstance(event, Seated) and table.version >= MOST_EVENTS_OPEN:
        return "too much has happened at this table; set up a new one"
    seat = extra_of(table, event)
    if seat is not None and table.extras[seat] >= MOST_EXTRAS:
        return "this seat has done that too often"
    full = table.version >= MOST_EVENTS
    if isinstance(event, RoundBegun) and (full or len(table.by_bot) >= MOST_ROUNDS):
        return "no further round fits on this table; give up, or begin a new match"
    if full and isinstance(event, Undone | UndoAsked | Linked | Reminded | Paused):
        return "this table is full; play the round to its end"
    return None


def extra_of(table: Bounded, event: AnyEvent) -> Seat | None:
    """The seat that an event is counted for which does not bring the match forward."""
    match event:
        case Linked() | Claimed() | Returned() | UndoAsked() | Paused() | RatingAgreed():
            return event.seat
        case Reminded():
            return event.by
        case Undone():
            plies = table.game.plies
            return plies[-event.moves].seat if 1 <= event.moves <= len(plies) else None
        case _:
            return None
