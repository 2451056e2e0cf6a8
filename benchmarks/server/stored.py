"""A database with many tables: open, playing with and without a clock, and finished ones."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from typing import TYPE_CHECKING

from triomino.dice import Rng
from triomino.protocol.api import SeatPlan, TableOptions
from triomino.server.events import AnyEvent, Created, encode
from triomino.server.table import Change, Table, check_options
from triomino.store.log import EventLog

if TYPE_CHECKING:
    from pathlib import Path

SAMPLES = 40
"""Different matches; every table is a copy of one of them."""


def match_events(number: int, at: int, target: int = 200, most: int = 100_000) -> list[bytes]:
    """The events of a match, played at random: the whole one, or the first *most*."""
    rng = Rng.named("stored", number)
    seats = (SeatPlan("here", name="Ann"), SeatPlan("link"))
    clock = 3600 if number % 4 == 0 else None
    rules = {"edition": "classic", "target": target}
    options = check_options(TableOptions(seats, rules, clock_seconds=clock, listed=True))
    made = Created(at=at, options=options, server_seed=f"{number:064x}", host="a" * 64)
    table, found = Table("x", made), [encode(made)]

    def happen(change: Change[AnyEvent]) -> None:
        table.apply(change)
        found.append(encode(change.event))

    happen(table.take_seat("Ben", "b" * 64, "", None, at))
    happen(table.start("a" * 64, at))
    while table.state == "playing" and len(found) < most:
        if table.game.over:
            happen(table.next_round(at))
        else:
            moves = table.game.legal_moves()
            happen(table.move(table.game.turn, str(moves[rng.randrange(len(moves))]), at))
    return found


def store_long_table(path: Path, events: int) -> str:
    """Add a running table with a long match to a database; return its id."""
    now = int(time.time() * 1000)
    with sqlite3.connect(path) as connection:
        row = ("long", "playing", False, "", now, now, False)
        connection.execute("INSERT INTO tables VALUES (?, ?, ?, ?, ?, ?, ?)", row)
        connection.executemany(
            "INSERT INTO events VALUES (?, ?, ?)",
            [
                ("long", version, data)
                for version, data in enumerate(match_events(1, now, 5000, events), 1)
            ],
        )
    connection.close()
    return "long"


def store_tables(path: Path, count: int) -> tuple[int, str]:
    """Fill a new database; return how many tables are open, and the id of a running one.

    Of ten tables one is open, three are playing, one in four of them with a clock, and six are
    finished.
    """

    async def make() -> None:
        await (await EventLog.open(path)).close()

    asyncio.run(make())
    now = int(time.time() * 1000)
    samples = [match_events(number, now) for number in range(SAMPLES)]
    listed, playing = 0, ""
    with sqlite3.connect(path) as connection:
        for number in range(count):
            name, sample = f"table{number:07d}", samples[number // 10 % SAMPLES]
            state, some = "finished", sample
            if number % 10 == 0:
                state, some = "open", sample[:1]
                listed += 1
            elif number % 10 < 4:
                state, some = "playing", sample[: 3 + len(sample) // 2]
                playing = name
            row = (name, state, True, "", now, now, number // 10 % SAMPLES % 4 == 0)
            connection.execute("INSERT INTO tables VALUES (?, ?, ?, ?, ?, ?, ?)", row)
            connection.executemany(
                "INSERT INTO events VALUES (?, ?, ?)",
                [(name, version, data) for version, data in enumerate(some, 1)],
            )
    connection.close()
    return listed, playing
