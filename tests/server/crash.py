"""Kill -9 under load: what was acknowledged is there, no table is damaged, everyone comes back.

``python -m tests.server.crash --kills 100`` prints figures; the suite runs a short version.
"""

from __future__ import annotations

import argparse
import asyncio
import sqlite3
import statistics
import sys
import tempfile
import time
from contextlib import AsyncExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import httpx

from tests.server.process import PATIENCE, ServerProcess
from triomino.client import RemotePlayer
from triomino.client.player import play_bot
from triomino.dice import Rng
from triomino.protocol.messages import Ack, MoveMessage, NextRoundMessage
from triomino.record import match_from, verify_deals
from triomino.server.events import Created, MovePlayed, RoundBegun, Seated, Started, decode
from triomino.server.table import Table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from triomino.protocol.messages import Choice, FromClient, Hint, Pong, State
    from triomino.server.events import AnyEvent


@dataclass(frozen=True)
class Promise:
    """An event that the server acknowledged as stored."""

    table: str
    version: int
    event: type[AnyEvent]
    move: str | None = None


class Witness(RemotePlayer):
    """A player that records every acknowledgement as it comes."""

    def __init__(self, url: str, promises: list[Promise]) -> None:
        super().__init__(url, patience=PATIENCE, takes_part=False)
        self._promises = promises
        self.acknowledged = 0

    async def say(self, message: FromClient) -> Ack | Pong | Hint:
        """Send a message and wait for its answer."""
        assert self.state is not None
        table = self.state.table
        said = await super().say(message)
        if isinstance(said, Ack):
            if isinstance(message, MoveMessage):
                self.promised(Promise(table, said.version, MovePlayed, message.move))
            else:
                assert isinstance(message, NextRoundMessage)
                self.promised(Promise(table, said.version, RoundBegun))
        return said

    def promised(self, promise: Promise) -> None:
        """Remember that an event has been acknowledged."""
        self._promises.append(promise)
        self.acknowledged += 1


@dataclass
class Pair:
    """Two clients that play match after match at tables of their own."""

    number: int
    ann: Witness
    ben: Witness
    promises: list[Promise]
    dice: Rng
    finished: int = 0

    async def play_on(self, enough: asyncio.Event) -> None:
        """Play match after match until *enough* is set, and the last one to its end."""
        while not enough.is_set():
            try:
                table = await self._set_up()
            except httpx.TransportError:
                await asyncio.sleep(0.05)  # the server is down; try again with a new table
                continue
            for player in (self.ann, self.ben):
                await player.enter(table)
            await asyncio.gather(*(play_bot(one, self._choose) for one in (self.ann, self.ben)))
            await self._check_record(table)
            self.finished += 1

    async def _set_up(self) -> str:
        ann, ben = self.ann, self.ben
        table = await ann.create(
            [{"kind": "here", "name": "Ann"}, {"kind": "link"}],
            rules={"edition": "classic", "target": 150},
        )
        ann.promised(Promise(table, 1, Created))
        await ben.sit(table, "Ben")
        ben.promised(Promise(table, 2, Seated))
        await ann.start(table)
        ann.promised(Promise(table, 3, Started))
        return table

    def _choose(self, choices: list[Choice], _: State) -> str:
        return choices[self.dice.randrange(len(choices))].move

    async def _check_record(self, table: str) -> None:
        while True:
            try:
                record = await self.ann.record(table)
                break
            except httpx.TransportError:
                await asyncio.sleep(0.05)
        match = match_from(record)
        assert match.over
        verify_deals(match)
        moves = iter([str(turn.move) for game in match.rounds for turn in game.plies])
        acknowledged = sorted(
            (one.version, str(one.move))
            for one in self.promises
            if one.table == table and one.event is MovePlayed
        )
        missing = [promise for promise in acknowledged if promise[1] not in moves]
        assert not missing, f"the record of {table} lacks {missing[0]}"


@dataclass
class Report:
    """What a run has shown."""

    kills: int = 0
    tables: int = 0
    finished: int = 0
    acknowledged: int = 0
    lost: list[Promise] = field(default_factory=list)
    reconnects: int = 0
    answering: list[float] = field(default_factory=list)
    """Seconds from each start to the first answer."""
    back: list[float] = field(default_factory=list)
    """Seconds from each kill until every client's moves are acknowledged again."""

    def lines(self) -> Iterator[str]:
        """The figures, for people."""
        yield f"kills                   {self.kills}"
        yield f"tables                  {self.tables}, {self.finished} matches finished"
        yield f"acknowledged            {self.acknowledged}"
        yield f"lost                    {len(self.lost)}"
        yield f"attempts to reconnect   {self.reconnects}"
        for name, seconds in (("answering after", self.answering), ("all back after", self.back)):
            if seconds:
                middle, worst = statistics.median(seconds), max(seconds)
                yield f"{name:23} median {middle:.2f} s, worst {worst:.2f} s"


class Auditor:
    """Compares what was acknowledged with what is in the database."""

    def __init__(self, database: Path) -> None:
        self._database = database

    def check(self, promises: list[Promise]) -> list[Promise]:
        """Return the promises that are not kept; every table they name must be whole."""
        kept = {table: self.load(table) for table in {one.table for one in promises}}
        return [one for one in promises if not is_kept(one, kept[one.table])]

    def load(self, table: str) -> list[AnyEvent]:
        """The events of a table, after it has been rebuilt from them."""
        with closing(sqlite3.connect(f"{self._database.as_uri()}?mode=ro", uri=True)) as base:
            rows = base.execute(
                "SELECT version, data FROM events WHERE table_id = ? ORDER BY version", (table,)
            ).fetchall()
        versions = [version for version, _ in rows]
        assert versions == list(range(1, len(rows) + 1)), f"{table} has gaps: {versions}"
        events = [decode(data) for _, data in rows]
        assert not events or Table.load(table, events).version == len(events)
        return events

    def tables(self) -> dict[str, str]:
        """All tables, and the state by which each is found."""
        with closing(sqlite3.connect(f"{self._database.as_uri()}?mode=ro", uri=True)) as base:
            assert base.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            lost = "SELECT table_id FROM events WHERE table_id NOT IN (SELECT id FROM tables)"
            assert base.execute(lost).fetchall() == []
            return dict(base.execute("SELECT id, state FROM tables").fetchall())


def is_kept(promise: Promise, events: list[AnyEvent]) -> bool:
    """Whether the events of a table have what was acknowledged."""
    if len(events) < promise.version:
        return False
    event = events[promise.version - 1]
    if isinstance(event, MovePlayed):
        return promise.event is MovePlayed and event.move == promise.move
    return type(event) is promise.event


async def crash(
    folder: Path,
    *,
    kills: int,
    pairs: int,
    seed: int,
    tell: Callable[[Report], None] = lambda _: None,
) -> Report:
    """Kill the server *kills* times while *pairs* of clients play at full speed."""
    report, dice = Report(), Rng(seed)
    enough = asyncio.Event()
    server = ServerProcess(folder)
    auditor = Auditor(server.database)
    async with AsyncExitStack() as stack:
        stack.enter_context(server)
        teams: list[Pair] = []
        for number in range(pairs):
            promises: list[Promise] = []
            ann, ben = Witness(server.url, promises), Witness(server.url, promises)
            for player in (ann, ben):
                await stack.enter_async_context(player)
                await player.introduce()
            teams.append(Pair(number, ann, ben, promises, Rng.named("crash", seed, number)))
        async with asyncio.TaskGroup() as group:
            for team in teams:
                group.create_task(team.play_on(enough))
            await progress(teams)
            checked = [0] * pairs
            for _ in range(kills):
                # One time in four while clients are still coming back from the last time.
                if dice.randrange(4):
                    await progress(teams)
                await asyncio.sleep(dice.randrange(300) / 1000)  # any moment
                killed = time.monotonic()
                await asyncio.to_thread(server.kill)
                fresh = [one for t, n in zip(teams, checked, strict=True) for one in t.promises[n:]]
                checked = [len(team.promises) for team in teams]
                report.answering.append(await asyncio.to_thread(server.start))
                report.kills += 1
                report.lost += await asyncio.to_thread(auditor.check, fresh)
                await progress(teams)
                report.back.append(time.monotonic() - killed)
                tell(report)
            enough.set()
        report.finished = sum(team.finished for team in teams)
        report.reconnects = sum(team.ann.reconnects + team.ben.reconnects for team in teams)
        for team in teams:
            report.acknowledged += len(team.promises)
            report.lost += await asyncio.to_thread(auditor.check, team.promises)
        seen = {}
        for table in await asyncio.to_thread(auditor.tables):
            await asyncio.to_thread(auditor.load, table)
            seen[table] = (await teams[0].ann.request("GET", f"/api/tables/{table}"))["state"]
        assert seen == await asyncio.to_thread(auditor.tables)
        report.tables = len(seen)
    assert "Traceback" not in server.log, server.log
    return report


async def progress(teams: Sequence[Pair]) -> None:
    """Wait until every client has got an acknowledgement."""
    waiting = {one: one.acknowledged for team in teams for one in (team.ann, team.ben)}
    async with asyncio.timeout(2 * PATIENCE):
        while waiting:
            await asyncio.sleep(0.01)
            waiting = {one: count for one, count in waiting.items() if one.acknowledged == count}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    chosen = parser.parse_args()
    print(f"seed                    {chosen.seed}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        report = asyncio.run(
            crash(
                Path(folder),
                kills=chosen.kills,
                pairs=chosen.tables,
                seed=chosen.seed,
                tell=lambda report: print(
                    f"kill {report.kills} of {chosen.kills}, lost {len(report.lost)}, "
                    f"back after {report.back[-1]:.1f} s",
                    file=sys.stderr,
                ),
            )
        )
    print(*report.lines(), sep="\n")
    if report.lost:
        raise SystemExit(f"lost: {report.lost}")


if __name__ == "__main__":
    main()
