"""Building a table from its log, step by step; a damaged log is named and refused.

The log may have been damaged by a disk, by hand or by a fault of ours. Whatever is wrong with one
table, the only exception that leaves this module is :class:`DamagedError`, so that no damage
spreads to anything else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from triomino.fair2 import ALGORITHM_2
from triomino.server.events import (
    BotTook,
    Committed,
    Created,
    GaveUp,
    Left,
    MovePlayed,
    Opened,
    Returned,
    Revealed,
    RoundBegun,
    Seated,
    Started,
    UndoAnswered,
    UndoAsked,
    Undone,
    decode,
)
from triomino.server.table import Change, RefusedError, Table

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from triomino.server.events import AnyEvent

MOST_EVENTS = 50_000
"""Longer logs are not read: none was ever written by people who play."""

LAST_TIME = 253_402_300_799_000
"""The end of the year 9999, in milliseconds since 1970."""


class DamagedError(RefusedError):
    """The log of a table cannot be read."""

    def __init__(self, table: str, version: object, why: str) -> None:
        super().__init__("damaged", f"the log of table {table} is damaged")
        self.table, self.version, self.why = table, version, why

    def __reduce__(self) -> tuple[type[DamagedError], tuple[str, object, str]]:  # type: ignore[override]
        return type(self), (self.table, self.version, self.why)


class Replay:
    """A table as far as its events have been read."""

    def __init__(self, table_id: str, table: Table | None = None) -> None:
        self.id = table_id
        self.table = table
        """``None`` before the first event."""

    def steps(self, events: Iterable[tuple[object, bytes]]) -> Iterator[None]:
        """Apply stored events with their versions, one at a step."""
        for version, data in events:
            try:
                self._apply(version, data)
            except DamagedError:
                raise
            except Exception as error:
                # Of any kind: the rules do not promise what they raise for a move that was never
                # checked. What the event holds, such as a seed, is for no log.
                raise DamagedError(self.id, version, _name(error)) from error
            yield

    def _apply(self, version: object, data: bytes) -> None:
        expected = 1 if self.table is None else self.table.version + 1
        if version != expected:
            raise DamagedError(self.id, version, f"event {expected} is missing")
        if expected > MOST_EVENTS:
            raise DamagedError(self.id, version, f"there are more than {MOST_EVENTS} events")
        event = decode(data)
        if not 0 <= event.at <= LAST_TIME:
            raise DamagedError(self.id, version, "its time is impossible")
        if self.table is None:
            self.table = _begin(self.id, event)
        elif why := why_impossible(self.table, event):
            raise DamagedError(self.id, version, why)
        else:
            self.table.apply(Change(event))
            if isinstance(event, Seated) and self.table.exchange.is_fair_1:
                _ = self.table.seeds  # raises if the seed cannot be used


def read_table(table_id: str, events: Iterable[bytes]) -> Table:
    """Build a table from its stored events at once; raise ``DamagedError`` if they are damaged."""
    replay = Replay(table_id)
    for _ in replay.steps(enumerate(events, 1)):
        pass
    if replay.table is None:
        raise DamagedError(table_id, 1, "there are no events")
    return replay.table


def _begin(table_id: str, event: AnyEvent) -> Table:
    if not isinstance(event, Created):
        raise DamagedError(table_id, 1, "the log does not begin with the table's creation")
    table = Table(table_id, event)
    table.rules.check_players(len(table.chairs))
    _ = table.exchange.commitment  # raises if the seed cannot be used
    if table.exchange.algorithm == ALGORITHM_2:
        table.opening()  # raises if the key cannot be one
    elif not table.exchange.is_fair_1:
        raise DamagedError(table_id, 1, "its deals are of an unknown kind")
    return table


def why_impossible(table: Table, event: AnyEvent) -> str | None:
    """Why an event cannot have happened at a table, as far as the rules would not notice."""
    seat = getattr(event, "seat", None)
    if seat is not None and not 0 <= seat < len(table.chairs):
        return "there is no such seat"
    if table.state not in _STATES.get(type(event), [table.state]):
        return f"the table is {table.state}"
    match event:
        case MovePlayed():
            return None if seat == table.game.turn else "it is another seat's turn"
        case Started() | Opened():
            free = any(chair.is_free for chair in table.chairs)
            return "some seats are free" if free else None
        case Committed():
            table.commit(event.device, event.commitment, event.at)  # raises if it is impossible
            return None
        case Revealed():
            table.reveal(event.device, event.seed, event.at)
            return None
        case RoundBegun():
            return None if table.game.over else "the round is not over"
        case UndoAsked() | Undone():
            possible = 1 <= event.moves <= len(table.game.plies)
            return None if possible else "there are not so many moves"
        case Created():
            return "a table is created once"
        case _:
            return None


_STATES = {
    Seated: ["open"],
    Left: ["open"],
    Committed: ["open"],
    Opened: ["open"],
    Revealed: ["opening"],
    Started: ["open", "opening"],
    MovePlayed: ["playing"],
    RoundBegun: ["playing"],
    UndoAsked: ["playing"],
    UndoAnswered: ["playing"],
    Undone: ["playing"],
    GaveUp: ["playing"],
    BotTook: ["playing"],
    Returned: ["playing"],
}
"""The states that a table can be in for an event."""


def _name(error: Exception) -> str:
    """What went wrong, without anything that the event may hold."""
    known = {
        "DecodeError": "this is no event: no JSON",
        "ValidationError": "this is no event of a known kind",
        "UnicodeDecodeError": "this is no UTF-8",
        "RecursionError": "this is nested too deeply",
        "IllegalMove": "the rules do not allow this move",
        "NotationError": "this is no move",
    }
    name = type(error).__name__
    return known.get(name, f"it cannot be applied ({name})")
