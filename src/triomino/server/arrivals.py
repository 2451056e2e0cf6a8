"""Matches that began in a browser and are played on here: see ``POST /api/tables/arrivals``.

What comes is checked like every other command: options as for a new table, every move by the rules.
Its deals were made in the browser, which knows all tiles; they prove nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from triomino.server.events import Created, Linked
from triomino.server.table import Change, RefusedError, check_options, clean_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from triomino.protocol.api import ArrivingTable, SeatPlan
    from triomino.server.events import AnyEvent
    from triomino.server.table import Table


def created_by(arriving: ArrivingTable, device: str, link: str, at: int) -> Created:
    """Return the first event of a table that arrives; *device* has the seats of its people.

    If a seat is for a friend, it belongs to whoever has the *link*, which is given by its hash.
    """
    friend = arriving.friend
    seats = arriving.options.seats
    if friend is not None and not 0 <= friend < len(seats):
        raise RefusedError("no_seat", f"there is no seat {friend}")
    plans = tuple(_plan(plan, seat == friend) for seat, plan in enumerate(seats))
    options = check_options(msgspec.structs.replace(arriving.options, seats=plans, listed=False))
    names = list(map(clean_name, arriving.names))
    if len(names) != len(seats) or len(set(names)) < len(names):
        raise RefusedError("bad_name", "every seat has a name of its own")
    people = [[] if plan.kind == "bot" else [device] for plan in plans]
    if friend is not None:
        people[friend] = [link]
    if [device] not in people:
        raise RefusedError("no_people", "at least one seat is yours")
    return Created(
        at=at,
        options=options,
        server_seed=arriving.server_seed,
        host=device,
        owners=people,
        names=list(names),
        player_seeds=[""] * len(seats),
    )


def _plan(plan: SeatPlan, is_friend: bool) -> SeatPlan:
    """Everybody sits here, or is a bot; a friend takes the place of whoever played there."""
    if plan.kind == "bot" and not is_friend:
        return plan
    return msgspec.structs.replace(plan, kind="here", bot=None, name=None)


def changes(
    table: Table, arriving: ArrivingTable, device: str, link: str, at: int
) -> Iterator[Change[AnyEvent]]:
    """Yield everything that happened at a table since it was set up; each has to be applied."""
    yield table.start(device, at)
    for number, moves in enumerate(arriving.rounds):
        if number:
            yield table.next_round(at)
        for move in moves:
            # By whom does not matter any more: a friend may sit where a bot has played.
            seat = table.game.turn
            yield table.move(seat, move, at, by_bot=table.chairs[seat].is_bot)
    if table.state != "playing":
        raise RefusedError("is_finished", "the match is over")
    if arriving.friend is not None:
        yield Change(Linked(at=at, seat=arriving.friend, link=link))
