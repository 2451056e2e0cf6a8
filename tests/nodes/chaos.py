"""Faults of every kind under load: what was acknowledged is there once, and everyone comes back.

``python -m tests.nodes.chaos --faults 50`` prints figures; the suite runs a short version. Three
servers stand behind a proxy that gives clients to any of them; each has proxies of its own to
PostgreSQL and to Valkey, so that it can be cut off from either.
"""

from __future__ import annotations

import argparse
import asyncio
import signal
import statistics
import sys
import tempfile
import time
from collections import Counter
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import asyncpg  # type: ignore[import-untyped]
import httpx
from tools.services import Postgres, Valkey

from tests.nodes.proxy import Proxy
from tests.server.crash import Pair, Promise, Witness, is_kept, progress
from tests.server.process import ServerProcess
from triomino.client.player import RefusedByServer
from triomino.dice import Rng
from triomino.server.events import decode
from triomino.server.table import Table

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterator

    from triomino.server.events import AnyEvent


class PatientPair(Pair):
    """Two clients that try again when a server is gone or the database cannot be used."""

    async def _set_up(self) -> str:
        while True:
            try:
                return await super()._set_up()
            except RefusedByServer as error:
                # What was asked for may have happened although the answer was lost.
                if error.code not in ("unavailable", "stale", "503", "not_yours", "no_seat"):
                    raise
                await asyncio.sleep(0.1)

    async def _check_record(self, table: str) -> None:
        while True:
            try:
                return await super()._check_record(table)
            except RefusedByServer as error:
                # A server that has not heard of the end yet.
                if error.code not in ("unavailable", "not_finished"):
                    raise
                await asyncio.sleep(0.1)


@dataclass
class Report:
    """What a run has shown."""

    faults: Counter[str] = field(default_factory=Counter)
    tables: int = 0
    finished: int = 0
    acknowledged: int = 0
    lost: list[Promise] = field(default_factory=list)
    reconnects: int = 0
    back: list[float] = field(default_factory=list)
    """Seconds from the end of each fault until every client's moves are acknowledged again."""
    elsewhere: list[float] = field(default_factory=list)
    """Seconds from the death of a server until its clients' moves are acknowledged by others."""

    def lines(self) -> Iterator[str]:
        """The figures, for people."""
        for name, count in sorted(self.faults.items()):
            yield f"{name:34} {count}"
        yield f"{'tables, matches finished':34} {self.tables}, {self.finished}"
        yield f"{'acknowledged':34} {self.acknowledged}"
        yield f"{'lost':34} {len(self.lost)}"
        yield f"{'attempts to reconnect':34} {self.reconnects}"
        for name, found in (("all back after", self.back), ("at others after", self.elsewhere)):
            if found:
                middle, worst = statistics.median(found), max(found)
                yield f"{name:34} median {middle:.2f} s, worst {worst:.2f} s"


@dataclass
class Node:
    """A server with its own ways to the database and the bus."""

    server: ServerProcess
    to_log: Proxy
    to_bus: Proxy


@dataclass
class Cluster:
    """Everything that can fail."""

    postgres: Postgres
    valkey: Valkey
    nodes: list[Node]
    door: Proxy
    dice: Rng
    longest: float
    """Seconds that whatever is stopped stands still; deaths and cuts take this at most."""
    after_death: Callable[[], Coroutine[None, None, None]] | None = None
    """Waits until everybody is at the servers that are left."""

    def faults(self) -> dict[str, Callable[[], Coroutine[None, None, None]]]:
        """What can happen, by its name."""
        return {
            "server killed": self._kill_node,
            "server stopped for a while": self._pause_node,
            "Valkey killed": lambda: self._restart(self.valkey),
            "Valkey stopped for a while": lambda: self._pause(self.valkey),
            "PostgreSQL killed": lambda: self._restart(self.postgres),
            "PostgreSQL stopped for a while": lambda: self._pause(self.postgres),
            "a server cut off from the bus": lambda: self._cut(self._node().to_bus),
            "a server cut off from the log": lambda: self._cut(self._node().to_log),
        }

    def _node(self) -> Node:
        return self.nodes[self.dice.randrange(len(self.nodes))]

    async def _wait(self) -> None:
        await asyncio.sleep(self.longest * (1 + self.dice.randrange(100)) / 100)

    async def _kill_node(self) -> None:
        server = self._node().server
        await asyncio.to_thread(server.kill)
        if self.after_death is not None:
            await self.after_death()
        await self._wait()
        await asyncio.to_thread(server.start)

    async def _pause_node(self) -> None:
        server = self._node().server
        server.signal(signal.SIGSTOP)
        try:
            await asyncio.sleep(self.longest)
        finally:
            server.signal(signal.SIGCONT)

    async def _restart(self, service: Postgres | Valkey) -> None:
        await asyncio.to_thread(service.kill)
        await self._wait()
        await asyncio.to_thread(service.start)

    async def _pause(self, service: Postgres | Valkey) -> None:
        service.pause()
        try:
            await asyncio.sleep(self.longest)
        finally:
            service.resume()

    async def _cut(self, proxy: Proxy) -> None:
        proxy.cut()
        try:
            await self._wait()
        finally:
            proxy.mend()


class Auditor:
    """Compares what was acknowledged with what is in the database."""

    def __init__(self, postgres: Postgres) -> None:
        self._url = postgres.url().replace("+asyncpg", "")

    async def load(self) -> dict[str, list[AnyEvent]]:
        """The events of all tables; every one of them is whole."""
        connection = await asyncpg.connect(self._url)
        try:
            rows = await connection.fetch("SELECT * FROM events ORDER BY table_id, version")
        finally:
            await connection.close()
        found: dict[str, list[AnyEvent]] = {}
        for table, version, data in rows:
            events = found.setdefault(table, [])
            assert version == len(events) + 1, f"{table} has a gap before {version}"
            events.append(decode(data))
        for table, events in found.items():
            assert Table.load(table, events).version == len(events)
        return found

    async def check(self, promises: list[Promise]) -> list[Promise]:
        """Return the promises that are not kept."""
        kept = await self.load()
        return [one for one in promises if not is_kept(one, kept.get(one.table, []))]


async def chaos(
    folder: Path,
    *,
    faults: int,
    pairs: int,
    seed: int,
    longest: float = 10.0,
    tell: Callable[[str, Report], None] = lambda _, __: None,
) -> Report:
    """Let *faults* happen one after another while *pairs* of clients play at full speed."""
    report, dice, enough = Report(), Rng(seed), asyncio.Event()
    async with AsyncExitStack() as stack:
        cluster = await _start(stack, folder, dice, longest)
        auditor = Auditor(cluster.postgres)
        teams = await _sit_down(stack, cluster.door.url, pairs, seed)

        async def at_others() -> None:
            began = time.monotonic()
            await progress(teams)
            report.elsewhere.append(time.monotonic() - began)

        cluster.after_death = at_others
        async with asyncio.TaskGroup() as group:
            for team in teams:
                group.create_task(team.play_on(enough))
            await progress(teams)
            kinds = cluster.faults()
            bag: list[str] = []
            for _ in range(faults):
                bag = bag or sorted(kinds)  # every kind before one comes again
                name = bag.pop(dice.randrange(len(bag)))
                await kinds[name]()
                over = time.monotonic()
                await progress(teams)
                report.back.append(time.monotonic() - over)
                report.faults[name] += 1
                tell(name, report)
            enough.set()
        report.finished = sum(team.finished for team in teams)
        report.reconnects = sum(team.ann.reconnects + team.ben.reconnects for team in teams)
        promises = [one for team in teams for one in team.promises]
        report.acknowledged, report.lost = len(promises), await auditor.check(promises)
        report.tables = len(await auditor.load())
    for node in cluster.nodes:
        assert "Traceback" not in node.server.log, node.server.log
    return report


async def _start(stack: AsyncExitStack, folder: Path, dice: Rng, longest: float) -> Cluster:
    postgres, valkey = Postgres(), Valkey()
    for service in (postgres, valkey):
        stack.callback(service.remove)
        await asyncio.to_thread(service.start)
    nodes = []
    for number in range(3):
        to_log = await stack.enter_async_context(Proxy([postgres.port]))
        to_bus = await stack.enter_async_context(Proxy([valkey.port]))
        data = f"postgresql+asyncpg://postgres@127.0.0.1:{to_log.port}/postgres"
        bus = f"redis://127.0.0.1:{to_bus.port}"
        server = ServerProcess(folder, name=f"node{number}", data=data, bus=bus)
        stack.callback(server.end_anyhow)
        await asyncio.to_thread(server.start)
        nodes.append(Node(server, to_log, to_bus))
    door = await stack.enter_async_context(Proxy([node.server.port for node in nodes]))
    return Cluster(postgres, valkey, nodes, door, dice, longest)


async def _sit_down(stack: AsyncExitStack, url: str, pairs: int, seed: int) -> list[PatientPair]:
    teams = []
    for number in range(pairs):
        promises: list[Promise] = []
        ann, ben = Witness(url, promises), Witness(url, promises)
        for player in (ann, ben):
            await stack.enter_async_context(player)
            while player.secret is None:
                try:
                    await player.introduce()
                except httpx.TransportError:
                    await asyncio.sleep(0.1)
        teams.append(PatientPair(number, ann, ben, promises, Rng.named("chaos", seed, number)))
    return teams


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--faults", type=int, default=50)
    parser.add_argument("--tables", type=int, default=10)
    parser.add_argument("--longest", type=float, default=10.0, help="seconds of a pause or a cut")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    chosen = parser.parse_args()
    print(f"seed {chosen.seed}", flush=True)

    def tell(name: str, report: Report) -> None:
        number = report.faults.total()
        print(
            f"{number} of {chosen.faults}: {name}, all back after {report.back[-1]:.1f} s",
            file=sys.stderr,
            flush=True,
        )

    with tempfile.TemporaryDirectory() as folder:
        report = asyncio.run(
            chaos(
                Path(folder),
                faults=chosen.faults,
                pairs=chosen.tables,
                seed=chosen.seed,
                longest=chosen.longest,
                tell=tell,
            )
        )
    print(*report.lines(), sep="\n")
    if report.lost:
        raise SystemExit(f"lost: {report.lost}")


if __name__ == "__main__":
    main()
