"""Telling the listeners of a table what happened, each what its seats may know."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING

import msgspec

from triomino.protocol.messages import Bye, Current, Presence, Reaction
from triomino.server.snapshot import Receiver, Snapshot

if TYPE_CHECKING:
    from collections.abc import Callable

    from triomino.protocol.messages import FromServer
    from triomino.rules import Seat
    from triomino.server.open_tables import OpenTable

_encode = msgspec.json.Encoder().encode


def tell_moves(opened: OpenTable, since: int) -> None:
    """Tell everyone the moves after version *since*; nothing else happened after it."""
    table = opened.table
    count = table.version - since
    snapshot = _snapshot(opened)
    messages: dict[tuple[Seat, ...], bytes] = {}
    for listener in opened.listeners:
        seats = tuple(table.seats_of(listener.device))
        if seats not in messages:
            messages[seats] = _encode(Receiver(table, seats, snapshot).moved(since, count))
        listener.tell(messages[seats])


def tell_state(opened: OpenTable) -> None:
    """Tell everyone the whole state."""
    table = opened.table
    snapshot = _snapshot(opened)
    opened.told_presence = (sorted(opened.here), opened.spectators)
    messages: dict[tuple[tuple[Seat, ...], bool], bytes] = {}
    for listener in opened.listeners:
        key = tuple(table.seats_of(listener.device)), table.is_host(listener.device)
        if key not in messages:
            messages[key] = _state_for(opened, listener.device, snapshot)
        listener.tell(messages[key])


def past_rounds(opened: OpenTable, device: str | None) -> list[Callable[[], object]]:
    """What is left to encode of the rounds that are over, before a device is told the state.

    Every step is short. They need not be taken: the state is the same, but a long match takes
    a while then.
    """
    match = opened.table.match
    if match is None:
        return []
    receiver = Receiver(opened.table, opened.table.seats_of(device))
    encoded = opened.encoded
    return [
        partial(encoded.past_round, match, number, receiver)
        for number in range(1, len(match.rounds))
        if not encoded.has_round(match, number, receiver)
    ]


def presence_changed(opened: OpenTable, seconds: float) -> None:
    """Tell everyone who is connected, if that changed, but not twice within some seconds."""
    if opened.presence_timer is None:
        _tell_presence(opened, seconds)


def _tell_presence(opened: OpenTable, seconds: float) -> None:
    opened.presence_timer = None
    now = (sorted(opened.here), opened.spectators)
    if now == opened.told_presence or not opened.is_open:
        return
    opened.told_presence = now
    _tell_all(opened, Presence(*now, away=_away(opened)))
    if seconds:
        loop = asyncio.get_running_loop()
        opened.presence_timer = loop.call_later(seconds, _tell_presence, opened, seconds)


def tell_reaction(opened: OpenTable, seat: Seat | None, sign: str) -> None:
    """Tell everyone the reaction of a seat, or of a spectator."""
    _tell_all(opened, Reaction(seat, sign))


def say_goodbye(opened: OpenTable, code: str, detail: str) -> None:
    """Tell everyone that the server closes their sockets, or their table."""
    _tell_all(opened, Bye(code, detail))


def encode_bye(code: str, detail: str) -> bytes:
    """The same for one client."""
    return _encode(Bye(code, detail))


def catch_up(opened: OpenTable, device: str | None, version: int | None) -> bytes:
    """What a client at *version* needs: nothing, the last moves, or the whole state."""
    table = opened.table
    if version == table.version:
        return _encode(Current(table.version))
    if version is not None and version < table.version:
        missed = table.version - version
        # Moves alone would not say that the match is over.
        if table.state == "playing" and missed <= table.moves_in_a_row:
            receiver = Receiver(table, table.seats_of(device), _snapshot(opened))
            return _encode(receiver.moved(version, missed))
    return _state_for(opened, device, _snapshot(opened))


def _snapshot(opened: OpenTable) -> Snapshot:
    return Snapshot(opened.table, opened.encoded, opened.clock.remaining(opened.table))


def _state_for(opened: OpenTable, device: str | None, snapshot: Snapshot) -> bytes:
    receiver = Receiver(opened.table, opened.table.seats_of(device), snapshot)
    return _encode(receiver.state(device, opened.here, opened.spectators, _away(opened)))


def _away(opened: OpenTable) -> dict[str, int]:
    """For how many seconds each absent person has been away; not a date, which may be wrong."""
    return {str(seat): spent // 1000 for seat, spent in opened.absence.items()}


def _tell_all(opened: OpenTable, message: FromServer) -> None:
    data = _encode(message)
    for listener in opened.listeners:
        listener.tell(data)
