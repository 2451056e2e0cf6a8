"""``python -m benchmarks.sizing``: what so many people at tables need, from measurements made now.

It measures what a move costs three servers, PostgreSQL and Valkey, what a table and a socket take
of memory, and what a parcel on the bus costs who hears it; then it computes. With ``--write`` the
figures are put into ``docs/sizing.md``.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import socket
import subprocess
import tempfile
import time
import urllib.request
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tools.services import Postgres, Service, Valkey, program

from benchmarks.server.load import cpu_seconds
from benchmarks.server.processes import ROOT, load, memory_kb, running, table_server
from triomino.protocol.messages import PROTOCOL_VERSION
from triomino.server.bus import CHANNEL, GATHER_SECONDS, Bus, Grown, pack

PAGE: Final = ROOT / "docs" / "sizing.md"
START, END = "<!-- figures: make sizing -->\n", "<!-- end of figures -->\n"

PEOPLE_AT_A_TABLE: Final = 2.5
SECONDS_PER_MOVE: Final = 6.0
"""At one table, with people who think."""
BUSY: Final = 0.5
"""How much of a processor is planned to be used at the busiest time."""
PEAK: Final = 3.0
"""The busiest time beside the mean of a day."""


@dataclass(frozen=True)
class Costs:
    """What was measured."""

    node_ms: float
    """Processor time of all servers for a move, each with a few moves at a time."""
    database_ms: float
    bus_ms: float
    bus_bytes: float
    """Sent for a move."""
    stored_bytes: float
    """In PostgreSQL for a move, with its indexes."""
    parcel_ms: float
    """Processor time of one server for a parcel that it hears."""
    socket_kb: float
    """With its share of a table."""
    node_mb: float
    """Of a server without clients."""


@dataclass(frozen=True)
class Need:
    """What so many people need at the busiest time."""

    people: int
    moves: float
    nodes: int
    memory_gb: float
    """Of each server."""
    database_cores: float
    gb_per_day: float
    bus_cores: float
    bus_mbit: float
    """Out of Valkey."""
    hearing: float
    """The part of each server's processor that goes into hearing the others."""


def need(people: int, costs: Costs) -> Need:
    """Compute what *people* at tables need; every server hears all that is told."""
    moves = people / PEOPLE_AT_A_TABLE / SECONDS_PER_MOVE
    nodes, hearing = 2, 0.0  # one may die
    for _ in range(10_000):
        # A server speaks for its moves, and not more often than the bus lets it.
        parcels = (nodes - 1) * min(moves / nodes, 1 / GATHER_SECONDS)
        hearing = parcels * costs.parcel_ms / 1000
        wanted = moves * costs.node_ms / 1000 / nodes + hearing
        if wanted <= BUSY or hearing > BUSY:
            break
        nodes += 1
    memory = (costs.node_mb + people / nodes * costs.socket_kb / 1024) / 1024
    told = moves * costs.bus_bytes
    return Need(
        people,
        moves,
        nodes,
        memory,
        moves * costs.database_ms / 1000 / BUSY,
        moves * costs.stored_bytes * 86_400 / PEAK / 1e9,
        moves * costs.bus_ms / 1000 / BUSY,
        told * nodes * 8 / 1e6,
        hearing,
    )


# --- Measuring -----------------------------------------------------------------------------------


def measure(seconds: float) -> Costs:
    """Measure everything on this machine; at a third of full speed, as a busy host runs it."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        postgres, valkey = Postgres(), Valkey()
        for service in (postgres, valkey):
            stack.callback(service.remove)
            service.start()
        nodes: list[dict[str, Any]] = []
        for _ in range(3):
            command = [*table_server(postgres.url()), "--bus", valkey.url]
            process, port = stack.enter_context(running(command, folder / "log.txt"))
            nodes.append({"port": port, "pid": process.pid})
        pids = [node["pid"] for node in nodes]
        empty = min(memory_kb(pid) for pid in pids)
        before = [_cpu(service) for service in (postgres, valkey)]
        three = {
            "protocol": PROTOCOL_VERSION,
            **nodes[0],
            "ports": [node["port"] for node in nodes],
            "pids": pids,
        }
        found = load(kind="play", servers={"three": three}, tables=60, seconds=seconds, third=True)
        after = [_cpu(service) for service in (postgres, valkey)]
        told = sum(_metric(node["port"], "bus_bytes_sent") for node in nodes)
        events = sum(_metric(node["port"], "events_total") for node in nodes)
        grown = sum(memory_kb(pid) for pid in pids) - 3 * empty
        return Costs(
            node_ms=1000 / found["third"]["three"]["per_cpu_second"],
            database_ms=1000 * (after[0] - before[0]) / events,
            bus_ms=1000 * (after[1] - before[1]) / events,
            bus_bytes=told / events,
            stored_bytes=_stored(postgres),
            parcel_ms=1000 * asyncio.run(_parcel_seconds(valkey)),
            socket_kb=grown / 120,
            node_mb=empty / 1024,
        )


def _cpu(service: Service) -> float:
    """The processor time of a service, with the processes that it has started."""
    assert service.process is not None
    pid = service.process.pid
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return cpu_seconds(pid) + sum(cpu_seconds(int(child)) for child in children)


def _metric(port: int, name: str) -> float:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as answer:
        for line in answer.read().decode().splitlines():
            if line.startswith(f"triomino_{name} "):
                return float(line.split()[1])
    raise RuntimeError(f"there is no metric {name}")


def _stored(postgres: Postgres) -> float:
    query = "SELECT pg_total_relation_size('events')::float / count(*) FROM events"
    psql = [str(program("psql")), "-h", "127.0.0.1", "-p", str(postgres.port), "-U", "postgres"]
    said = subprocess.run([*psql, "-Atc", query], check=True, capture_output=True, text=True)
    return float(said.stdout)


async def _parcel_seconds(valkey: Valkey, count: int = 3000) -> float:
    """The processor time of hearing a parcel with three notices."""
    heard = 0

    def hear(*_: object) -> None:
        nonlocal heard
        heard += 1

    bus = Bus(valkey.url, hear)
    task = asyncio.create_task(bus.run())
    while not bus.is_up:
        await asyncio.sleep(0.01)
    data = pack("another server", [Grown(f"table{number}abcdef", 40) for number in range(3)])
    name = CHANNEL.encode()
    told = b"*3\r\n$7\r\nPUBLISH\r\n$%d\r\n%s\r\n$%d\r\n%s\r\n" % (len(name), name, len(data), data)
    began = time.process_time()
    with socket.create_connection(("127.0.0.1", valkey.port)) as line:
        for _ in range(count):
            line.sendall(told)
            await asyncio.sleep(0)
        while heard < 3 * count:
            await asyncio.sleep(0.01)
    spent = time.process_time() - began
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    await bus.close()
    return spent / count


# --- Telling -------------------------------------------------------------------------------------


def report(costs: Costs) -> str:
    """The figures as two tables."""
    columns = "people | moves per second | servers | memory of each | PostgreSQL | stored per day"
    lines = [
        "| what a move costs, and what there is beside it | |",
        "|---|---|",
        f"| processor time of the servers | {costs.node_ms:.2f} ms |",
        f"| processor time of PostgreSQL | {costs.database_ms:.2f} ms |",
        f"| processor time of Valkey | {costs.bus_ms:.3f} ms |",
        f"| sent over the bus | {costs.bus_bytes:.0f} bytes |",
        f"| stored, with indexes | {costs.stored_bytes:.0f} bytes |",
        f"| processor time for a parcel that a server hears | {costs.parcel_ms:.3f} ms |",
        f"| memory for a socket with its share of a table | {costs.socket_kb:.0f} KB |",
        f"| memory of a server without clients | {costs.node_mb:.0f} MB |",
        "",
        f"| {columns} | Valkey | out of Valkey | hearing |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for people in (1_000, 100_000, 1_000_000):
        one = need(people, costs)
        enough = "" if one.hearing <= BUSY else " are not enough"
        lines.append(
            f"| {people:,} | {one.moves:,.0f} | {one.nodes}{enough} | {one.memory_gb:.1f} GB "
            f"| {_cores(one.database_cores)} | {one.gb_per_day:,.1f} GB "
            f"| {_cores(one.bus_cores)} | {one.bus_mbit:,.1f} Mbit/s "
            f"| {one.hearing:.0%} |"
        )
    return "\n".join(lines) + "\n"


def _cores(number: float) -> str:
    return "1 core" if number <= 1 else f"{math.ceil(number)} cores"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=6.0, help="of each measurement")
    parser.add_argument("--costs", help="use these instead of measuring, as JSON")
    parser.add_argument("--write", action="store_true", help="into docs/sizing.md")
    chosen = parser.parse_args()
    costs = Costs(**json.loads(chosen.costs)) if chosen.costs else measure(chosen.seconds)
    print(json.dumps(costs.__dict__))
    print(report(costs))
    if chosen.write:
        text = PAGE.read_text("utf-8")
        head, _, rest = text.partition(START)
        PAGE.write_text(head + START + report(costs) + END + rest.partition(END)[2], "utf-8")


if __name__ == "__main__":
    main()
