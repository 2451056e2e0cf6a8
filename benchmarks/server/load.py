"""``python -m benchmarks.server.load``: the clients, in a process of their own.

Reads a job as JSON from its argument and prints the results as JSON. Every loop is closed: it sends
one message, waits for the answer and sends the next, at once or after a pause.

Tables and echo are measured alternately in short slices, because the speed of a machine varies.
"""

from __future__ import annotations

import asyncio
import gc
import itertools
import json
import os
import random
import sys
import time
from abc import ABC, abstractmethod
from functools import partial
from typing import Any

import httpx

from benchmarks.server.wire import Client

ECHOED = b'{"type":"move","move":"D(-1,0)=1-2-3","ply":17,"id":40}'
"""As long as a move."""


def cpu_seconds(pid: int) -> float:
    """The CPU time of a process; NaN where the system does not tell."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:
            fields = file.read().rpartition(")")[2].split()
    except OSError:
        return float("nan")
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def with_children(pid: int) -> list[int]:
    """A process and all that it started, such as those of PostgreSQL, one for a connection."""
    try:
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
            children = [int(child) for child in file.read().split()]
    except OSError:
        return [pid]
    return [pid, *(one for child in children for one in with_children(child))]


class Loop(ABC):
    """A client with one message under way at a time."""

    pause = 0.0
    """Seconds between two messages; 0 is full speed."""

    def __init__(self) -> None:
        self.answered = 0
        self.times: list[float] | None = None
        self.errors: list[str] = []
        self._sent = 0.0
        self._due = 0.0
        self._is_due = False
        self._resting = True

    @abstractmethod
    def go(self) -> None:
        """Send the next message, if there is one to send."""

    def sent(self) -> None:
        self._sent = time.perf_counter()

    def got(self) -> None:
        """Count the answer that has come."""
        self.answered += 1
        if self.times is not None:
            self.times.append(time.perf_counter() - self._sent)

    def next(self) -> None:
        """Send the next message, at once or when it is due."""
        if self._resting:
            self._is_due = True
        elif not self.pause:
            self.go()
        else:
            now = time.perf_counter()
            self._due = max(self._due + self.pause, now)
            asyncio.get_running_loop().call_later(self._due - now, self._go_on)

    def _go_on(self) -> None:
        if self._resting:
            self._is_due = True
        else:
            self.go()

    def work(self, pause: float) -> None:
        """Start, or go on after a rest."""
        self.pause, self._resting = pause, False
        # Spread the loops, which all start at the same time.
        self._due = time.perf_counter() - random.random() * pause
        if self._is_due:
            self._is_due = False
            self.next()

    def rest(self) -> None:
        """Stop sending for now."""
        self._resting = True


class EchoLoop(Loop):
    """Two clients that send alternately, as at a table."""

    def __init__(self) -> None:
        super().__init__()
        self._clients: list[Client] = []
        self._turn = 0

    async def open(self, port: int) -> None:
        self._clients = [await Client.connect(port, self._heard) for _ in range(2)]
        self.next()

    def go(self) -> None:
        self._turn ^= 1
        self.sent()
        self._clients[self._turn].send(ECHOED)

    def _heard(self, _: bytes) -> None:
        self.got()
        self.next()


_ids = itertools.count(1)


class TableLoop(Loop):
    """Two people at a table; the one to move plays the first of its choices."""

    def __init__(self, table: str, protocol: int = 2) -> None:
        super().__init__()
        self.table = table
        self._protocol = protocol
        # What a move is meant for; the first protocol named the version of the table.
        self._basis = b"version" if protocol == 1 else b"ply"
        self._clients: list[Client] = []
        self._next: tuple[int, bytes] | None = None
        self._waiting = False
        self._counts = False

    @property
    def clients(self) -> list[Client]:
        """Its two sockets."""
        return self._clients

    async def open(self, ports: list[int], secrets: list[str]) -> None:
        """Connect both seats, each to the next of the ports."""
        for seat, secret in enumerate(secrets):
            client = await Client.connect(ports[seat % len(ports)], partial(self._heard, seat))
            self._clients.append(client)
            hello: dict[str, Any] = {"type": "hello", "table": self.table, "secret": secret}
            if self._protocol > 1:
                hello["protocol"] = self._protocol
            client.send(json.dumps(hello, separators=(",", ":")).encode())

    def go(self) -> None:
        if self._next is None or self._waiting:
            return
        (seat, message), self._next = self._next, None
        self._waiting = True
        self._counts = message.startswith(b'{"type":"move"')
        self.sent()
        self._clients[seat].send(message)

    def _heard(self, seat: int, data: bytes) -> None:
        kind = data[9:12]
        if kind in (b"mov", b"sta"):
            self._read(seat, data)
        elif kind == b"ack":
            self._waiting = False
            if self._counts:
                self.got()
            self._ready()
        elif kind in (b"ref", b"bye"):
            self.errors.append(data.decode())

    def _read(self, seat: int, data: bytes) -> None:
        """The next move of this client, found without decoding the whole message."""
        basis = b'"%s":' % self._basis
        at = data.find(basis)
        basis = data[at : data.find(b",", at)]
        start = data.find(b'"choices":[{"move":"')
        if start >= 0:
            start += 20
            move = data[start : data.find(b'"', start)]
            text = b'{"type":"move","move":"%s",%s,"id":%d}'
            self._next = (seat, text % (move, basis, next(_ids)))
        elif seat == 0 and data.rfind(b'"end":{"reason"') > data.find(b'"now":{') >= 0:
            text = b'{"type":"next_round",%s,"id":%d}'
            self._next = (seat, text % (basis, next(_ids)))
        else:
            return
        self._ready()

    def _ready(self) -> None:
        if self._next is not None and not self._waiting:
            self.next()


# --- What to do ----------------------------------------------------------------------------------


async def set_up_tables(
    port: int, count: int, own: str = "127.0.0.1", **options: Any
) -> tuple[list[str], list[str]]:
    """Set up and start tables for two; return their ids, and the secrets of the two devices.

    Requests come from the address *own* of this machine; *options* are those of the tables.
    """
    line = httpx.AsyncHTTPTransport(local_address=own)
    base = f"http://127.0.0.1:{port}"
    async with httpx.AsyncClient(base_url=base, timeout=60, transport=line) as http:
        secrets = []
        for _ in range(2):
            secrets.append((await http.post("/api/devices")).json()["secret"])
            http.cookies.clear()  # or both would be the same device
        ann, ben = ({"authorization": f"Bearer {secret}"} for secret in secrets)
        options = {
            "seats": [{"kind": "here", "name": "Ann"}, {"kind": "link"}],
            "rules": {"edition": "classic", "target": 5000},
            **options,
        }

        async def make() -> str:
            made = await http.post("/api/tables", json=options, headers=ann)
            table: str = made.raise_for_status().json()["id"]
            path = f"/api/tables/{table}"
            taken = await http.post(f"{path}/seats", json={"name": "Ben"}, headers=ben)
            taken.raise_for_status()
            (await http.post(f"{path}/start", headers=ann)).raise_for_status()
            return table

        tables: list[str] = []
        for start in range(0, count, 8):
            tables += await asyncio.gather(*[make() for _ in range(min(8, count - start))])
        return tables, secrets


class Measured:
    """The loops of one server, and what they counted in all slices."""

    def __init__(self, loops: list[Any], *pids: int, beside: list[int] | None = None) -> None:
        self.loops, self._pids, self._beside = loops, pids, beside or []
        self.clear()

    def _cpu(self) -> float:
        return sum(cpu_seconds(pid) for pid in self._pids)

    def _cpu_beside(self) -> float:
        """Of the database and the bus."""
        return sum(cpu_seconds(one) for pid in self._beside for one in with_children(pid))

    def clear(self) -> None:
        self._answered, self._seconds, self._server_cpu, self._own_cpu = 0, 0.0, 0.0, 0.0
        self._other_cpu = 0.0
        self._times: list[float] = []

    async def work(self, seconds: float, pause: float = 0.0) -> None:
        """Let the loops work for a slice; then wait until every message is answered."""
        before = sum(loop.answered for loop in self.loops)
        began, cpu, own = time.perf_counter(), self._cpu(), time.process_time()
        other = self._cpu_beside()
        for loop in self.loops:
            loop.times = []
            loop.work(pause)
        await asyncio.sleep(seconds)
        self._seconds += time.perf_counter() - began
        self._server_cpu += self._cpu() - cpu
        self._own_cpu += time.process_time() - own
        self._other_cpu += self._cpu_beside() - other
        self._answered += sum(loop.answered for loop in self.loops) - before
        for loop in self.loops:
            loop.rest()
        await asyncio.sleep(0.3)
        self._times += itertools.chain.from_iterable(loop.times for loop in self.loops)

    @property
    def found(self) -> dict[str, float]:
        times = sorted(self._times)
        if not times:
            raise RuntimeError("nothing was answered")
        return {
            "per_second": self._answered / self._seconds,
            "per_cpu_second": self._answered / self._server_cpu
            if self._server_cpu
            else float("nan"),
            "p50_ms": 1000 * times[len(times) // 2],
            "p99_ms": 1000 * times[int(len(times) * 0.99)],
            "client_cpu": self._own_cpu / self._seconds,
            "server_ms": 1000 * self._server_cpu / self._answered,
            "beside_ms": 1000 * self._other_cpu / self._answered,
            "client_ms": 1000 * self._own_cpu / self._answered,
        }


SLICE_SECONDS = 1.0
"""Seconds for which one server works while the other rests."""


async def connect(server: dict[str, Any], count: int) -> Measured:
    """Connect *count* loops to a server: an echo if it has no protocol, tables if it has one."""
    protocol, port = server.get("protocol"), server["port"]
    if protocol is None:
        echoes = [EchoLoop() for _ in range(count)]
        for echo in echoes:
            await echo.open(port)
        return Measured(echoes, server["pid"])
    ids, secrets = await set_up_tables(port, count)
    loops = [TableLoop(table, protocol) for table in ids]
    ports = server.get("ports", [port])
    for number, loop in enumerate(loops):
        first = number % len(ports)
        # Both people of a table at the next server, or at two of them.
        at = ports[first : first + 1] if server.get("apart") else [*ports[first:], *ports[:first]]
        await loop.open(at, secrets)
    pids = server.get("pids", [server["pid"]])
    return Measured(loops, *pids, beside=server.get("beside"))


async def play(job: dict[str, Any]) -> dict[str, Any]:
    """All servers alternately at full speed, then at a tenth of the first one's speed."""
    both = {name: await connect(one, job["tables"]) for name, one in job["servers"].items()}
    slices = range(max(1, round(job["seconds"] / SLICE_SECONDS)))

    async def measure(pause: float = 0.0) -> dict[str, dict[str, float]]:
        for one in both.values():
            await one.work(SLICE_SECONDS, pause)  # to warm up
            one.clear()
        for _ in slices:
            for one in both.values():
                await one.work(SLICE_SECONDS, pause)
        found = {name: one.found for name, one in both.items()}
        for one in both.values():
            one.clear()
        return found

    flat_out = await measure()
    rate = next(iter(flat_out.values()))["per_second"] / 10
    paced = await measure(job["tables"] / rate)
    found = {"flat_out": flat_out, "paced": paced, "rate": rate}
    if job.get("third"):  # what a move costs a server that has less to do at a time
        found["third"] = await measure(3 * job["tables"] / (10 * rate))
    errors = [error for one in both.values() for loop in one.loops for error in loop.errors]
    return {**found, "errors": errors[:5]}


async def sit_idle(job: dict[str, Any]) -> dict[str, Any]:
    """Connect, report it, and stay until told to stop."""
    tables, secrets = await set_up_tables(job["port"], job["tables"])
    loops = [TableLoop(table) for table in tables]
    for loop in loops:
        await loop.open([job["port"]], secrets)
    await asyncio.sleep(2)
    print("connected", flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    errors = [error for loop in loops for error in loop.errors]
    return {"clients": 2 * len(loops), "errors": errors[:5]}


def main() -> None:
    gc.disable()  # the clients must not pause
    job = json.loads(sys.argv[1])
    result = asyncio.run(sit_idle(job) if job["kind"] == "idle" else play(job))
    print(json.dumps(result))


if __name__ == "__main__":
    main()
