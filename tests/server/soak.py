"""A soak: people come, play, leave and vanish many times; memory and handles stay flat.

``python -m tests.server.soak --minutes 5`` prints a line for each spell. After a spell everyone has
gone, so that all lines are comparable.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import tempfile
import time
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from tests.server.process import PATIENCE, ServerProcess
from triomino.client import RemotePlayer
from triomino.client.player import play_bot
from triomino.dice import Rng

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from triomino.protocol.messages import Choice, State

SETTINGS: Final[dict[str, Any]] = {"idle_seconds": 5, "tables_in_memory": 10}
"""A client that is silent for 5 seconds is disconnected, and few tables stay in memory, so that it
is full before anything is measured."""

WARM_UP: Final = 0.4
"""The part of the spells after which memory and handles count."""

MEGABYTES: Final = 8.0
"""What memory may grow by, from the first spells that count to the last ones."""

HANDLES: Final = 10
"""What the number of handles may differ by: the pool of readers of the database."""


@dataclass(frozen=True)
class Sample:
    """The server after a spell, when everyone has gone."""

    seconds: float
    tables: int
    sockets: int
    events: int
    memory: float
    handles: int


def growth(samples: Sequence[Sample]) -> tuple[float, int]:
    """Megabytes by which memory grew after the warm-up, and the span of the handles."""
    counted = samples[int(WARM_UP * len(samples)) :]
    third = max(1, len(counted) // 3)
    before, after = counted[:third], counted[-third:]
    grown = statistics.median(s.memory for s in after) - statistics.median(s.memory for s in before)
    handles = [one.handles for one in counted]
    return grown, max(handles) - min(handles)


def faults(samples: Sequence[Sample]) -> list[str]:
    """What is wrong with how memory and handles went; nothing, if they stayed flat."""
    grown, span = growth(samples)
    found = []
    if grown > MEGABYTES:
        found.append(f"memory grew by {grown:.1f} MB, more than {MEGABYTES:.0f}")
    if span > HANDLES:
        found.append(f"the number of handles varied by {span}, more than {HANDLES}")
    return found


HEAD: Final = f"{'seconds':>8} {'tables':>7} {'sockets':>8} {'events':>8} {'MB':>7} {'handles':>8}"


def line(one: Sample) -> str:
    """A sample in a table."""
    counts = f"{one.tables:7} {one.sockets:8} {one.events:8}"
    return f"{one.seconds:8.0f} {counts} {one.memory:7.1f} {one.handles:8}"


# --- What people do ------------------------------------------------------------------------------


@dataclass
class Crowd:
    """Visitors that come and go."""

    url: str
    dice: Rng
    visits: int
    """How often each comes in a spell."""
    tables: list[str] = field(default_factory=list)

    async def visit(self) -> None:
        """Come as often as a spell has visits, each time for something else."""
        what = (self.play, self.play, self.vanish, self.leave, self.look)
        for _ in range(self.visits):
            await what[self.dice.randrange(len(what))]()

    async def _sit_down(self, stack: AsyncExitStack) -> tuple[RemotePlayer, RemotePlayer, str]:
        ann, ben = (RemotePlayer(self.url, patience=PATIENCE, takes_part=False) for _ in range(2))
        for player in (ann, ben):
            await stack.enter_async_context(player)
        table = await ann.create(
            [{"kind": "here", "name": "Ann"}, {"kind": "link"}, {"kind": "bot", "bot": "greedy"}],
            rules={"edition": "classic", "target": None},
            listed=True,
        )
        await ben.sit(table, "Ben")
        await ann.start(table)
        for player in (ann, ben):
            await player.enter(table)
        self.tables.append(table)
        return ann, ben, table

    def _choose(self, choices: Sequence[Choice], _: State | None = None) -> str:
        return choices[self.dice.randrange(len(choices))].move

    async def play(self) -> None:
        """A round to its end, and the record."""
        async with AsyncExitStack() as stack:
            ann, ben, table = await self._sit_down(stack)
            await asyncio.gather(*(play_bot(one, self._choose) for one in (ann, ben)))
            await ann.record(table)

    async def vanish(self) -> None:
        """Some moves, and then nothing more, without a word; the table sleeps for ever."""
        async with AsyncExitStack() as stack:
            ann, _, _ = await self._sit_down(stack)
            if ann.choices:
                await ann.move(self._choose(ann.choices))

    async def leave(self) -> None:
        """Leave the seat to a bot."""
        async with AsyncExitStack() as stack:
            ann, ben, table = await self._sit_down(stack)
            await ben.leave(table, 1)
            await ann.until(lambda: ann.state is not None and bool(ann.state.seats[1].substitute))
            await ann.lobby()

    async def look(self) -> None:
        """Watch a few tables, some of which never were, and break the connection off."""
        address = self.url.replace("http", "ws", 1) + "/ws"
        async with connect(address, compression=None) as socket:
            for _ in range(5):
                known = self.tables[-5:]
                table = known[self.dice.randrange(len(known))] if known else ""
                if not self.dice.randrange(3) or not known:
                    table = f"nowhere {self.dice.randrange(10**9)}"
                await socket.send(json.dumps({"type": "hello", "table": table, "protocol": 2}))
                await socket.recv()
            if self.dice.randrange(2):
                socket.transport.abort()


async def silent(url: str) -> int:
    """Connect and say nothing; the code with which the server closes."""
    async with connect(url.replace("http", "ws", 1) + "/ws", compression=None) as socket:
        try:
            async with asyncio.timeout(PATIENCE):
                await socket.recv()
        except ConnectionClosed as error:
            return error.rcvd.code if error.rcvd else 0
    raise AssertionError("who says nothing is told nothing")


async def soak(
    server: ServerProcess,
    *,
    spells: int,
    visits: int,
    seconds: float = 0.0,
    visitors: int = 6,
    tell: Callable[[Sample], None] = lambda _: None,
) -> list[Sample]:
    """Keep a server busy for some spells and seconds at least; return a sample after each spell."""
    samples: list[Sample] = []
    began = time.monotonic()
    async with AsyncExitStack() as stack:
        # One of these shows from time to time that it is there, the other does not.
        watcher = RemotePlayer(server.url, patience=PATIENCE, heartbeat=0.5, takes_part=False)
        await stack.enter_async_context(watcher)
        await watcher.enter(await watcher.create([{"kind": "here"}, {"kind": "link"}]))
        dumb = asyncio.create_task(silent(server.url))
        while len(samples) < spells or samples[-1].seconds < seconds:
            number = len(samples)
            crowd = [
                Crowd(server.url, Rng.named("soak", number, visitor), visits)
                for visitor in range(visitors)
            ]
            await asyncio.gather(*(one.visit() for one in crowd))
            samples.append(await _sample(server, began, still_there=1 + (not dumb.done())))
            tell(samples[-1])
        assert await dumb == 4001
        assert watcher.reconnects == 0
    return samples


async def _sample(server: ServerProcess, began: float, still_there: int) -> Sample:
    """Wait until all but those have gone, then look."""
    async with asyncio.timeout(PATIENCE):
        while True:
            counters = await asyncio.to_thread(server.counters)
            if counters["triomino_sockets_open"] <= still_there:
                break
            await asyncio.sleep(0.05)
    return Sample(
        seconds=time.monotonic() - began,
        tables=int(counters["triomino_tables_total"]),
        sockets=int(counters["triomino_sockets_total"]),
        events=int(counters["triomino_events_total"]),
        memory=server.memory(),
        handles=server.handles(),
    )


def three_servers() -> type[ServerProcess]:
    """The kind that has three."""
    from tests.nodes.three import ThreeServers  # noqa: PLC0415 - it needs more packages

    return ThreeServers


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument(
        "--three", action="store_true", help="servers on PostgreSQL, behind a proxy"
    )
    parser.add_argument("--visits", type=int, default=10, help="of each visitor in a spell")
    chosen = parser.parse_args()
    kind = three_servers() if chosen.three else ServerProcess
    with tempfile.TemporaryDirectory() as folder, kind(Path(folder), **SETTINGS) as server:
        print(HEAD, flush=True)
        samples = asyncio.run(
            soak(
                server,
                spells=1,
                visits=chosen.visits,
                seconds=60 * chosen.minutes,
                tell=lambda one: print(line(one), flush=True),
            )
        )
        assert "Traceback" not in server.log, server.log
    grown, span = growth(samples)
    print(f"after the warm-up: memory {grown:+.1f} MB, handles within {span}")
    if wrong := faults(samples):
        raise SystemExit("; ".join(wrong))


if __name__ == "__main__":
    main()
