"""``python -m benchmarks.attack.attackers``: one flood, in a process and on a core of its own.

Reads a job as JSON from its argument and prints what the attackers saw as JSON.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import sys
from typing import TYPE_CHECKING

from benchmarks.attack.floods import FLOODS
from benchmarks.attack.lines import Attack
from benchmarks.server.load import set_up_tables

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable


ADDRESS = "127.0.0.2"
"""Where the attackers come from; everybody else here has 127.0.0.1."""


async def attack(
    port: int,
    flood: str,
    seconds: float,
    address: str = ADDRESS,
    until_told: Callable[[], Awaitable[None]] | None = None,
) -> dict[str, int]:
    """Set up what the attackers need, wait until told, and attack; return what they saw."""
    tables, secrets = await set_up_tables(port, 4, address, hints=True)
    if until_told is not None:
        await until_told()
    under_way = Attack(port, address, seconds, tables, secrets)
    try:
        await FLOODS[flood](under_way)
    finally:
        await under_way.close()
    return dict(under_way.seen)


async def _until_told() -> None:
    print("ready", flush=True)
    await asyncio.to_thread(sys.stdin.readline)


def main() -> None:
    job = json.loads(sys.argv[1])
    if job["core"] is not None:
        os.sched_setaffinity(0, {job["core"]})
    gc.disable()
    work = attack(job["port"], job["flood"], job["seconds"], until_told=_until_told)
    print(json.dumps(asyncio.run(work)))


if __name__ == "__main__":
    main()
