"""``python -m benchmarks.server``: compare the table server with a bare echo server."""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx

from benchmarks.server.processes import (
    ROOT,
    disk,
    echo_server,
    load,
    memory_kb,
    running,
    table_server,
)
from benchmarks.server.stored import store_tables
from benchmarks.server.versions import measure_versions
from triomino.protocol.messages import PROTOCOL_VERSION

GOALS = {
    "moves_per_echo": ("at least", 0.10),
    "p99_per_echo": ("at most", 5.0),
    "kb_per_client": ("at most", 100.0),
    "restart_seconds": ("at most", 5.0),
}
"""The bounds that each measurement should keep."""

QUIET_RATE, QUIET_MS = 200.0, 2.0
"""The rate of writes, and the 99th percentile in milliseconds that a quiet disk takes for one."""


def measure_pair(folder: Path, tables: int, seconds: float) -> dict[str, float]:
    """Measure tables and echo alternately, at full speed and at a tenth of the tables' speed.

    The time of the disk alone at that rate is measured after them.
    """
    log = folder / "log.txt"
    with (
        running(table_server(folder / f"pair-{time.time_ns()}.db"), log) as (process, port),
        running(echo_server(), log) as (echo, echo_port),
    ):
        servers = {
            "tables": {"protocol": PROTOCOL_VERSION, "port": port, "pid": process.pid},
            "echo": {"port": echo_port, "pid": echo.pid},
        }
        found = load(kind="play", servers=servers, tables=tables, seconds=seconds)
    written = disk(folder=str(folder), rate=found["rate"], seconds=seconds)
    flat_out, echo_flat_out = found["flat_out"]["tables"], found["flat_out"]["echo"]
    paced, echo_paced = found["paced"]["tables"], found["paced"]["echo"]
    return {
        "moves_per_second": flat_out["per_second"],
        "echoes_per_second": echo_flat_out["per_second"],
        "moves_per_echo": flat_out["per_second"] / echo_flat_out["per_second"],
        "moves_per_echo_cpu": flat_out["per_cpu_second"] / echo_flat_out["per_cpu_second"],
        "paced_per_second": paced["per_second"],
        "p50_ms": paced["p50_ms"],
        "echo_p50_ms": echo_paced["p50_ms"],
        "p99_ms": paced["p99_ms"],
        "echo_p99_ms": echo_paced["p99_ms"],
        "disk_p99_ms": written["p99_ms"],
        "p99_per_echo": paced["p99_ms"] / echo_paced["p99_ms"],
        "client_cpu_echo": echo_flat_out["client_cpu"],
    }


def wait_for_quiet(folder: Path, patience: int = 30) -> float:
    """Wait until the disk is quiet, at most a minute; return the 99th percentile of a write."""
    for _ in range(patience):
        p99 = disk(folder=str(folder), rate=QUIET_RATE, seconds=2)["p99_ms"]
        if p99 <= QUIET_MS:
            break
    return float(p99)


def measure_pairs(folder: Path, pairs: int, tables: int, seconds: float) -> dict[str, float]:
    """The medians of several pairs of measurements."""
    found = []
    for number in range(pairs):
        if (p99 := wait_for_quiet(folder)) > QUIET_MS:
            _say(f"the disk is busy: {p99:.1f} ms for a write; read the figures accordingly")
        found.append(measure_pair(folder, tables, seconds))
        _say(f"pair {number + 1} of {pairs}: " + _short(found[-1]))
    return {name: statistics.median(pair[name] for pair in found) for name in found[0]}


def measure_idle(folder: Path, tables: int) -> dict[str, float]:
    """The memory of an idle client, with its share of the table."""
    with running(table_server(folder / "idle.db"), folder / "log.txt") as (process, port):
        httpx.get(f"http://127.0.0.1:{port}/health").raise_for_status()
        before = memory_kb(process.pid)
        job = json.dumps({"kind": "idle", "port": port, "tables": tables})
        with subprocess.Popen(
            [sys.executable, "-m", "benchmarks.server.load", job],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as clients:
            assert clients.stdout is not None
            assert clients.stdin is not None
            if clients.stdout.readline().strip() != "connected":
                raise RuntimeError("the clients did not connect")
            after = memory_kb(process.pid)
            clients.stdin.write("\n")
            clients.stdin.close()
            result = json.loads(clients.stdout.read())
    if result["errors"]:
        raise RuntimeError(f"the server refused: {result['errors']}")
    count = result["clients"]
    return {"idle_clients": count, "kb_per_client": (after - before) / count, "kb_empty": before}


def measure_restart(folder: Path, tables: int) -> dict[str, float]:
    """How long a server with many stored tables takes to start."""
    data = folder / "stored.db"
    listed, playing = store_tables(data, tables)
    began = time.perf_counter()
    with running(table_server(data), folder / "log.txt") as (process, port):
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60) as http:
            lobby = http.get("/api/tables").raise_for_status().json()
            assert len(lobby) == min(50, listed), len(lobby)
            one = http.get(f"/api/tables/{playing}").raise_for_status().json()
            assert one["state"] == "playing"
        seconds = time.perf_counter() - began
        memory = memory_kb(process.pid)
    return {"stored_tables": tables, "restart_seconds": seconds, "restart_kb": memory}


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _short(pair: dict[str, float]) -> str:
    return (
        f"{pair['moves_per_second']:.0f} moves/s, {pair['echoes_per_second']:.0f} echoes/s, "
        f"ratio {pair['moves_per_echo']:.3f}; p99 {pair['p99_ms']:.1f} ms, "
        f"echo {pair['echo_p99_ms']:.1f} ms, disk {pair['disk_p99_ms']:.1f} ms"
    )


def _print(found: dict[str, float]) -> None:
    for name, value in found.items():
        goal = ""
        if name in GOALS:
            word, number = GOALS[name]
            met = value >= number if word == "at least" else value <= number
            goal = f"{word} {number:g}: {'yes' if met else 'NO'}"
        print(f"{name:<22}{value:>12.3f}  {goal}")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.server", description=__doc__)
    parser.add_argument("--pairs", type=int, default=5, help="with the echo, interleaved")
    parser.add_argument("--tables", type=int, default=200, help="that are played at")
    parser.add_argument("--seconds", type=float, default=8, help="for each measurement")
    parser.add_argument("--idle-tables", type=int, default=1000, help="with two clients each")
    parser.add_argument("--stored-tables", type=int, default=10_000, help="before the restart")
    parser.add_argument("--folder", help="for the data: to measure another disk, or none")
    parser.add_argument("--only", choices=["pairs", "idle", "restart"])
    parser.add_argument("--json", action="store_true", help="for programs: one object")
    parser.add_argument("--old", type=Path, help="compare with the server of this checkout only")
    options: Any = parser.parse_args()
    found: dict[str, float] = {}
    tempfile.tempdir = options.folder
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if options.old is not None:
            found = measure_versions(
                folder, options.old.resolve(), options.pairs, options.tables, options.seconds
            )
        elif options.only in (None, "pairs"):
            found |= measure_pairs(folder, options.pairs, options.tables, options.seconds)
        if options.old is None and options.only in (None, "idle"):
            found |= measure_idle(folder, options.idle_tables)
        if options.old is None and options.only in (None, "restart"):
            found |= measure_restart(folder, options.stored_tables)
    if options.json:
        print(json.dumps(found))
    else:
        _print(found)


if __name__ == "__main__":
    main()
