"""``python -m benchmarks.server.disk``: how long the disk alone takes to store a move durably.

Reads a folder and a rate as JSON from its argument, writes at that rate into a database set up like
the server's, one write after the other, and prints as JSON how long the writes took.
"""

from __future__ import annotations

import json
import sqlite3
import sys
import tempfile
import time
from pathlib import Path

from triomino.dice import Rng
from triomino.store.sqlite import CHECKPOINT_PAGES

MOVE = b"x" * 150
"""As long as the event of a move."""

TABLES = 200


def measure(folder: Path, rate: float, seconds: float) -> dict[str, float]:
    """Write at *rate*; return how long a write takes, with the wait for the one before."""
    rng = Rng.named("disk")
    connection = sqlite3.connect(folder / "disk.db", isolation_level=None)
    for pragma in (
        "journal_mode=WAL",
        "synchronous=FULL",
        f"wal_autocheckpoint={CHECKPOINT_PAGES}",
    ):
        connection.execute(f"PRAGMA {pragma}")
    connection.execute("CREATE TABLE log (id TEXT, version INTEGER, data BLOB)")
    times: list[float] = []
    began = due = time.perf_counter()
    while due - began < seconds:
        due += 2 * rng.randrange(1000) / 1000 / rate
        time.sleep(max(0.0, due - time.perf_counter()))
        values = (f"table{rng.randrange(TABLES):07d}", len(times), MOVE)
        connection.execute("INSERT INTO log VALUES (?, ?, ?)", values)
        times.append(time.perf_counter() - due)
    connection.close()
    times.sort()
    return {f"p{part}_ms": 1000 * times[len(times) * part // 100] for part in (50, 99)}


def main() -> None:
    job = json.loads(sys.argv[1])
    with tempfile.TemporaryDirectory(dir=job["folder"]) as name:
        print(json.dumps(measure(Path(name), job["rate"], job["seconds"])))


if __name__ == "__main__":
    main()
