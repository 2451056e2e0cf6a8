"""What the messages of a client ask of a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from triomino.protocol.messages import (
    AnswerUndo,
    GiveUpMessage,
    MoveMessage,
    NextRoundMessage,
    ReturnMessage,
    UndoMessage,
)
from triomino.server.table import RefusedError

if TYPE_CHECKING:
    from triomino.rules import Seat
    from triomino.server.events import AnyEvent
    from triomino.server.table import Change, Table

Command = MoveMessage | NextRoundMessage | UndoMessage | AnswerUndo | GiveUpMessage | ReturnMessage


def check(table: Table, message: Command, device: str | None, at: int) -> Change[AnyEvent]:
    """The change that a message of a device asks for; raise if it is not allowed now."""
    seat = seat_of(table, device, getattr(message, "seat", None))
    match message:
        case MoveMessage():
            return table.move(seat, message.move, at)
        case NextRoundMessage():
            return table.next_round(at)
        case UndoMessage():
            return table.ask_undo(seat, at)
        case AnswerUndo():
            return table.answer_undo(seat, message.agree, at)
        case GiveUpMessage():
            return table.give_up(seat, at)
        case ReturnMessage():
            return table.come_back(seat, at)
        case _:
            assert_never(message)


def seat_of(table: Table, device: str | None, wanted: Seat | None) -> Seat:
    """The seat a device speaks for: the one it names, else its seat to move, else its first."""
    own = table.seats_of(device)
    if wanted is not None:
        if wanted not in own:
            raise RefusedError("not_yours", f"seat {wanted} is not yours")
        return wanted
    if not own:
        raise RefusedError("spectator", "you watch this table; take a seat to play")
    if table.match is not None and table.game.turn in own:
        return table.game.turn
    return own[0]
