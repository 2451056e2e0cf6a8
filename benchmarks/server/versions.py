"""The table server beside that of another checkout, both in one run."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
from typing import TYPE_CHECKING

from benchmarks.server.processes import load, running, table_server
from triomino.protocol.messages import PROTOCOL_VERSION

if TYPE_CHECKING:
    from pathlib import Path

_ASK = """\
import json, sys
from pathlib import Path
from benchmarks.server.processes import table_server
from triomino.protocol.messages import PROTOCOL_VERSION
print(json.dumps([table_server(Path(sys.argv[1])), PROTOCOL_VERSION]))
"""


def measure_versions(
    folder: Path, old: Path, pairs: int, tables: int, seconds: float
) -> dict[str, float]:
    """The medians of several pairs: how many times as good as the old server this one is.

    In each pair the two take turns of a second; every second pair begins with the other one.
    """
    found = []
    for number in range(pairs):
        found.append(_measure(folder, old, tables, seconds, old_first=number % 2 == 1))
        told = ", ".join(f"{name} {value:.3f}" for name, value in found[-1].items())
        print(f"pair {number + 1} of {pairs}: {told}", file=sys.stderr, flush=True)
    return {name: statistics.median(pair[name] for pair in found) for name in found[0]}


def _measure(
    folder: Path, old: Path, tables: int, seconds: float, *, old_first: bool
) -> dict[str, float]:
    log, at = folder / "log.txt", time.time_ns()
    command, protocol = _old_server(old, folder / f"old-{at}.db")
    with (
        running(table_server(folder / f"new-{at}.db"), log) as (process, port),
        running(command, log, old) as (old_process, old_port),
    ):
        servers = {
            "new": {"protocol": PROTOCOL_VERSION, "port": port, "pid": process.pid},
            "old": {"protocol": protocol, "port": old_port, "pid": old_process.pid},
        }
        if old_first:
            servers = dict(reversed(servers.items()))
        found = load(kind="play", servers=servers, tables=tables, seconds=seconds)
    fast, paced = found["flat_out"], found["paced"]
    return {
        "moves_per_second": fast["new"]["per_second"] / fast["old"]["per_second"],
        "moves_per_cpu_second": fast["new"]["per_cpu_second"] / fast["old"]["per_cpu_second"],
        "p50_of_before": paced["old"]["p50_ms"] / paced["new"]["p50_ms"],
        "p99_of_before": paced["old"]["p99_ms"] / paced["new"]["p99_ms"],
        "new_moves_per_second": fast["new"]["per_second"],
        "new_us_cpu_per_move": 1e6 / fast["new"]["per_cpu_second"],
    }


def _old_server(old: Path, data: Path) -> tuple[list[str], int]:
    """How the server of a checkout is started without limits, and the protocol it speaks."""
    python = old / ".venv" / "bin" / "python"
    asked = subprocess.run(
        [python, "-c", _ASK, data], cwd=old, stdout=subprocess.PIPE, text=True, check=True
    )
    command, protocol = json.loads(asked.stdout)
    return command, protocol
