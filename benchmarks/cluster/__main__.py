"""``python -m benchmarks.cluster``: a server on SQLite, one on PostgreSQL, and three together.

All take turns of a second in one run, so that the ratios mean something on a noisy machine. With
three servers the two people of a table are at different ones; *apart* they are at the same one, so
that no server follows another: what three cost beside one even then is moves taken fewer at a time.

The clients run on the same cores. ``server_ms``, ``beside_ms`` (PostgreSQL and Valkey) and
``client_ms`` are processor time for a move; from them follows what two cores would allow.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from tools.services import Postgres, Valkey

from benchmarks.server.processes import load, running, table_server
from triomino.protocol.messages import PROTOCOL_VERSION

GOALS = {
    "moves_per_second": ("at least", 0.6),
    "cpu_per_move": ("at most", 1.5),
    "p99": ("at most", 3.0),
    "moves_per_second_of_three": ("at least", 0.9),
}
"""One server on PostgreSQL beside one on SQLite, and three servers beside one."""


def measure(folder: Path, tables: int, seconds: float) -> dict[str, float]:
    """One run with all of them."""
    with ExitStack() as stack:
        servers = _start(stack, folder)
        found = load(kind="play", servers=servers, tables=tables, seconds=seconds, third=True)
    fast, paced, third = found["flat_out"], found["paced"], found["third"]
    return {
        "sqlite_moves_per_second": fast["sqlite"]["per_second"],
        "moves_per_second": fast["one"]["per_second"] / fast["sqlite"]["per_second"],
        "cpu_per_move": fast["sqlite"]["per_cpu_second"] / fast["one"]["per_cpu_second"],
        "p50": paced["one"]["p50_ms"] / paced["sqlite"]["p50_ms"],
        "p99": paced["one"]["p99_ms"] / paced["sqlite"]["p99_ms"],
        "moves_per_second_of_three": fast["three"]["per_second"] / fast["one"]["per_second"],
        "moves_per_second_of_three_apart": fast["apart"]["per_second"] / fast["one"]["per_second"],
        "cpu_per_move_of_three": fast["one"]["per_cpu_second"] / fast["three"]["per_cpu_second"],
        # Each of three servers has a third of the moves, and less to do at a time.
        "cpu_per_move_of_three_beside_one_at_a_third": third["one"]["per_cpu_second"]
        / fast["three"]["per_cpu_second"],
        "p99_of_three": paced["three"]["p99_ms"] / paced["sqlite"]["p99_ms"],
        **{
            f"{who}_ms_of_{name}": fast[name][f"{who}_ms"]
            for name in ("one", "three", "apart")
            for who in ("server", "beside", "client")
        },
        "two_cores_allow_of_three": _allowed(fast["three"], 2) / _allowed(fast["one"], 1),
    }


def _allowed(found: dict[str, float], threads: int) -> float:
    """Moves per second of servers with so many cores, of two, if nothing ever waited."""
    everything = found["server_ms"] + found["beside_ms"] + found["client_ms"]
    return 1000 * min(threads / found["server_ms"], 2 / everything)


def _start(stack: ExitStack, folder: Path) -> dict[str, dict[str, Any]]:
    """A server on SQLite, one on PostgreSQL and three on another; each kind has its own bus."""
    log = folder / "log.txt"

    def start(data: str, *bus: str) -> dict[str, Any]:
        process, port = stack.enter_context(running([*table_server(data), *bus], log))
        return {"protocol": PROTOCOL_VERSION, "port": port, "pid": process.pid}

    def cluster(count: int) -> dict[str, Any]:
        postgres, valkey = Postgres(), Valkey()
        for service in (postgres, valkey):
            stack.callback(service.remove)
            service.start()
        nodes = [start(postgres.url(), "--bus", valkey.url) for _ in range(count)]
        return {
            **nodes[0],
            "ports": [node["port"] for node in nodes],
            "pids": [node["pid"] for node in nodes],
            "beside": [one.process.pid for one in (postgres, valkey) if one.process],
        }

    three = cluster(3)
    return {
        "sqlite": start(str(folder / "tables.db")),
        "one": cluster(1),
        "three": three,
        "apart": {**three, "apart": True},
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--tables", type=int, default=60)
    parser.add_argument("--seconds", type=float, default=8.0, help="of each kind in each run")
    parser.add_argument("--folder", type=Path, default=None, help="where SQLite writes")
    chosen = parser.parse_args()
    found = []
    with tempfile.TemporaryDirectory(dir=chosen.folder) as folder:
        for number in range(chosen.runs):
            at = Path(folder) / str(number)
            at.mkdir()
            found.append(measure(at, chosen.tables, chosen.seconds))
            print(f"run {number + 1}: {json.dumps(found[-1])}", file=sys.stderr, flush=True)
    for name in found[0]:
        value = statistics.median(one[name] for one in found)
        kind, bound = GOALS.get(name, ("", 0.0))
        goal = f"   {kind} {bound}" if kind else ""
        print(f"{name:44} {value:10.3f}{goal}")


if __name__ == "__main__":
    main()
