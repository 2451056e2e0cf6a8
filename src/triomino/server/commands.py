"""What the messages of a client ask of a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from triomino.protocol.messages import (
    AnswerUndo,
    AskHint,
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


def check(
    table: Table, message: Command, device: str | None, at: int, *, time_is_up: bool = False
) -> Change[AnyEvent]:
    """The change that a message of a device asks for; raise if it is not allowed now.

    *time_is_up* says whether the clock of the current turn has run out.
    """
    check_basis(table, message)
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
            return table.come_back(seat, at, time_is_up=time_is_up)
        case _:
            assert_never(message)


def check_basis(table: Table, message: Command | AskHint) -> None:
    """Raise unless a message is about the current position or the open request.

    It names just what it depends on. Whatever else happens at the table does not make it stale.
    """
    match message:
        case MoveMessage() | NextRoundMessage() | UndoMessage() | AskHint():
            if message.ply != table.ply:
                raise RefusedError("stale", "the position has changed since")
        case AnswerUndo():
            if table.undo is not None and message.request != table.undo.id:
                raise RefusedError("stale", "this is no longer the request")
        case GiveUpMessage() | ReturnMessage():
            pass
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
