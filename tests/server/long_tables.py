"""Logs of long matches, made without a server."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import msgspec

from tests.server.harness import seed
from triomino.protocol.api import SeatPlan, TableOptions
from triomino.server.events import Created, Started, encode
from triomino.server.table import Change, Table, check_options
from triomino.store.log import TableRow

if TYPE_CHECKING:
    from triomino.server.events import AnyEvent
    from triomino.store.log import EventLog


def long_log(events: int, host: str, target: int = 5000) -> list[bytes]:
    """The log of a match of two people at one device, with at least so many events."""
    seats = (SeatPlan("here", "Ann"), SeatPlan("here", "Ben"))
    options = check_options(TableOptions(seats, rules={"edition": "classic"}))
    options = msgspec.structs.replace(options, rules={**options.rules, "target": target})
    created = Created(at=1, options=options, server_seed=seed(1), host=host)
    table = Table("long", created)
    log: list[AnyEvent] = [created]

    def add(change: Change[AnyEvent]) -> None:
        log.append(change.event)
        table.apply(change)

    add(Change(Started(at=2)))
    while len(log) < events or table.game.over:
        if not table.game.over:
            add(table.move(table.game.turn, str(table.game.legal_moves()[0]), at=3))
        elif table.state == "playing":
            add(table.next_round(at=3))
        else:
            break
    return [encode(event) for event in log]


async def store_log(events: EventLog, table: str, log: list[bytes]) -> None:
    """Write a log as that of a running table."""
    row = TableRow(table, "playing", False, "", 1, 3, False)
    await events.append(table, 1, log[0], row)
    await asyncio.gather(
        *(events.append(table, version, data) for version, data in enumerate(log[1:], 2))
    )
