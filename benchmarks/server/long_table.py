"""``python -m benchmarks.server.long_table``: how long the event loop stops for a long table.

The table is read from its log and its state is encoded for a client, first at once, as a server
would without slices, then in slices. The figure is the ratio of the longest stops.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from tests.server.harness import copy_new_database
from tests.server.long_tables import long_log, store_log

from triomino.server import broadcast
from triomino.server.open_tables import OpenTable, OpenTables
from triomino.server.replay import read_table
from triomino.store.log import EventLog

if TYPE_CHECKING:
    from collections.abc import Coroutine

EVENTS = 10_000
HOST = "ann"


async def longest_stop(work: Coroutine[None, None, None]) -> float:
    """The longest time, in seconds of the processor, during which nothing else could run."""
    longest = 0.0

    async def tick() -> None:
        nonlocal longest
        while True:
            began = time.thread_time()
            await asyncio.sleep(0)
            longest = max(longest, time.thread_time() - began)

    ticker = asyncio.create_task(tick())
    await asyncio.sleep(0)
    await work
    await asyncio.sleep(0)
    ticker.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await ticker
    return longest


async def at_once(events: EventLog) -> None:
    """Read and encode in one piece."""
    opened = OpenTable(read_table("long", await events.read("long")))
    broadcast.catch_up(opened, HOST, None)


async def in_slices(events: EventLog) -> None:
    """Read and encode as the server does."""
    tables = OpenTables(events, 10)
    opened = await tables.open("long")
    await tables.slices.run(step() for step in broadcast.past_rounds(opened, HOST))
    broadcast.catch_up(opened, HOST, None)


async def main() -> None:
    """Measure both five times in turn, and print the medians."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "tables.db"
        copy_new_database(path)
        events = await EventLog.open(path)
        log = long_log(EVENTS, HOST, target=1_000_000)
        await store_log(events, "long", log)
        pairs = [
            (await longest_stop(at_once(events)), await longest_stop(in_slices(events)))
            for _ in range(5)
        ]
        await events.close()
    before, after = (sorted(values)[2] for values in zip(*pairs, strict=True))
    print(f"{len(log)} events: {1000 * before:.0f} ms at once, {1000 * after:.1f} ms in slices")
    print(f"ratio {before / after:.0f}")


if __name__ == "__main__":
    asyncio.run(main())
