"""What the messages of a client ask of a table."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, assert_never

from triomino.protocol.messages import (
    AnswerUndo,
    AskHint,
    EndMatchMessage,
    GiveUpMessage,
    MoveMessage,
    NextRoundMessage,
    PauseMessage,
    RemindMessage,
    ResumeMessage,
    ReturnMessage,
    StandInMessage,
    UndoMessage,
)
from triomino.server.table import RefusedError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from triomino.rules import Seat
    from triomino.server.events import AnyEvent
    from triomino.server.table import Change, Table

AboutAbsence = RemindMessage | StandInMessage | PauseMessage | ResumeMessage | EndMatchMessage
Command = (
    MoveMessage
    | NextRoundMessage
    | UndoMessage
    | AnswerUndo
    | GiveUpMessage
    | ReturnMessage
    | AboutAbsence
)


def check(
    table: Table,
    message: Command,
    device: str | None,
    at: int,
    *,
    time_is_up: bool = False,
    absence: Mapping[Seat, int] = MappingProxyType({}),
) -> Change[AnyEvent]:
    """The change that a message of a device asks for; raise if it is not allowed now.

    *time_is_up* says whether the clock of the current turn has run out, and *absence* how many
    milliseconds each person who is not connected has been away.
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
            return _check_absence(table, message, seat, at, absence)


def _check_absence(
    table: Table, message: AboutAbsence, seat: Seat, at: int, absence: Mapping[Seat, int]
) -> Change[AnyEvent]:
    match message:
        case RemindMessage():
            return table.remind(message.whom, seat, at, absence)
        case StandInMessage():
            return table.stand_in(message.whom, seat, at, absence)
        case PauseMessage():
            return table.pause(seat, at)
        case ResumeMessage():
            return table.resume(seat, at)
        case EndMatchMessage():
            return table.end_match(seat, at, absence)
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
        case _:
            pass


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


def reacting_seat(table: Table, device: str | None, wanted: Seat | None) -> Seat | None:
    """The seat that a reaction comes from; ``None`` for a spectator, if those may react."""
    if table.options.spectators_react and not table.seats_of(device):
        return None
    return seat_of(table, device, wanted)
