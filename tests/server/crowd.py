"""People of mixed behaviour who want to play now: coming, leaving, two tabs, going silent.

``python -m tests.server.crowd --people 60 --seconds 180`` runs them against a server, with
``--kills 3`` one that is killed in between, and with ``--three`` three servers. Afterwards the
database must tell a sound story: nobody is stuck in the queue, nobody sits twice, every match has
ended, and ratings are what the library makes of the results.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import itertools
import random
import tempfile
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import msgspec
from openskill.models import PlackettLuce
from sqlalchemy import select

from tests.server.process import ServerProcess
from tests.server.soak import three_servers
from triomino.client import RefusedByServer, RemotePlayer, play_bot
from triomino.client.queue import QueuePlace
from triomino.protocol.play_now import JoinQueue
from triomino.ratings import Rating
from triomino.ratings.pairing import WINDOW
from triomino.server.cluster import SWEEP_SECONDS
from triomino.server.events import decode
from triomino.server.leases import LEASE_SECONDS, RENEWALS
from triomino.server.table import Change, Table
from triomino.store.log import EventLog
from triomino.store.schema import rated_matches, ratings, waiting

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from triomino.server.events import AnyEvent

SETTINGS: dict[str, Any] = {
    "open": "true",
    "play_turn_seconds": 5,
    "play_reserve_seconds": 2,
    "play_away_seconds": 5,
    "come_seconds": 3,
    "bots_after_seconds": 2,
    "waiting_per_address": 10_000,
    "reveal_seconds": 2,
}
"""Nobody has much time, so that the silent ones are replaced within the test."""

STUCK = 3.0
"""Seconds that people may wait for the same beside each other, without a table: after a kill
another server looks after the queue within two, and then it is looked at twice a second."""

LOOK = 0.5
"""Seconds between two looks at who waits."""

FRESH = 3000
"""Milliseconds for which somebody was seen lately: the database is told every two seconds."""

TURN = SETTINGS["play_turn_seconds"] + SETTINGS["play_reserve_seconds"]
"""Seconds after which a bot moves for somebody who says nothing."""

LATE = 15.0
"""Seconds that a busy machine may take beyond what was agreed."""

TAKEOVER = LEASE_SECONDS + LEASE_SECONDS / RENEWALS + SWEEP_SECONDS
"""Seconds until another server has the clocks of one that was killed, or it is there again."""

ENDING = 90.0
"""Seconds for the matches that are still played when everybody goes home. A table that was set up
when its server died is closed after 60 of them, and at most 20 later that is seen."""

BEHAVIOURS = {
    "plays": 40,
    "two tabs": 12,
    "leaves the queue": 12,
    "closes the page": 8,
    "takes a bot": 6,
    "does not come": 6,
    "goes silent": 8,
    "leaves the match": 8,
}


@dataclass
class Report:
    """What a crowd did, and what is wrong with that."""

    did: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    matches: int = 0
    """Rated ones."""
    tables: int = 0
    waits: list[float] = field(default_factory=list)
    standstill: float = TURN + LATE
    """Seconds in which something must happen at a table."""
    disturbed: float = field(default_factory=time.monotonic)
    """When everybody came at once, or a server was last killed."""


class Somebody:
    """One person with one device."""

    def __init__(self, url: str, number: int, report: Report, until: float) -> None:
        self._url, self._report, self._until = url, report, until
        self._name = f"Person {number}"
        self._dice = random.Random(number)
        self._player = RemotePlayer(url, patience=60)

    async def live(self) -> None:
        """Come and play, again and again, until it is time to go home."""
        await self._sure(self._player.introduce)
        try:
            while time.monotonic() < self._until:
                [what] = self._dice.choices(list(BEHAVIOURS), list(BEHAVIOURS.values()))
                self._report.did[what] += 1
                try:
                    await self._do(what)
                except RefusedByServer as error:
                    self._report.did[f"refused: {error.code}"] += 1
                except TimeoutError:
                    self._report.faults.append(f"{self._name}, who {what}, was never answered")
                except (ConnectionError, httpx.HTTPError):
                    pass
                await asyncio.sleep(self._dice.uniform(0, 0.3))
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(10):
                    place = self._place()
                    place.leave()
                    await place.table()
        finally:
            await self._player.close()

    async def _sure(self, ask: Callable[[], Awaitable[object]]) -> None:
        """Ask until the server answers: it may be down."""
        while True:
            try:
                await ask()
                return
            except (httpx.HTTPError, RefusedByServer):
                await asyncio.sleep(0.2)

    def _place(self) -> QueuePlace:
        players = 3 if self._dice.random() < 0.15 else 2
        join = JoinQueue("classic", players, name=self._name)
        return QueuePlace(self._url, str(self._player.secret), join)

    async def _do(self, what: str) -> None:
        place = self._place()
        table = await self._wait(place, what)
        if table is None or what == "does not come":
            return
        state = await self._player.enter(table)
        while state.rematch is not None and state.closed_why == "replaced":
            state = await self._player.enter(state.rematch)
        playing = asyncio.create_task(self._play())
        try:
            if what in ("goes silent", "leaves the match"):
                await asyncio.wait({playing}, timeout=self._dice.uniform(0, 1.5))
                self._player_stops = playing.cancel()
                if what == "leaves the match" and state.you and not playing.done():
                    current = self._player.state
                    if current is not None and current.you:
                        await self._player.leave(current.table, current.you[0])
                else:
                    await asyncio.sleep(self._dice.uniform(0, 8))
                return
            await self._until_over(playing, table)
        finally:
            playing.cancel()
            with contextlib.suppress(asyncio.CancelledError, Exception):
                await playing

    async def _until_over(self, playing: asyncio.Task[None], table: str) -> None:
        """Wait for the end of a match; it is a fault if nothing happens there any more."""
        while not playing.done():
            version = (self._player.state and self._player.state.table, self._player.version)
            for _ in range(round(self._report.standstill / LOOK)):  # in looks, as when waiting
                if not playing.done():
                    await asyncio.wait({playing}, timeout=LOOK)
            now = (self._player.state and self._player.state.table, self._player.version)
            if not playing.done() and now == version:
                self._report.faults.append(f"nothing happened at {table} where {self._name} plays")
                return
        await playing

    async def _play(self) -> None:
        """Play to the end of the match, also if it goes on at another table."""
        while True:
            follow = asyncio.create_task(
                play_bot(self._player, lambda choices, _: self._dice.choice(choices).move)
            )
            try:
                await follow
            finally:
                follow.cancel()
            state = self._player.state
            if state is None or state.closed_why != "replaced" or state.rematch is None:
                return
            await self._player.enter(state.rematch)

    async def _wait(self, place: QueuePlace, what: str) -> str | None:
        """Wait for a table as somebody of this kind does."""
        began = time.monotonic()
        tabs = [asyncio.create_task(place.table())]
        if what == "two tabs":
            other = QueuePlace(self._url, str(self._player.secret), place._join)
            tabs.append(asyncio.create_task(other.table()))
        left = max(0.5, self._until - time.monotonic())
        patience = {"leaves the queue": 1.5, "closes the page": 1.5}.get(what, left)
        if what in ("leaves the queue", "closes the page"):
            patience = self._dice.uniform(0, patience)
        if what == "takes a bot":
            asyncio.get_running_loop().call_later(2.3, place.take_bots)
        try:
            done, _ = await asyncio.wait(
                tabs, timeout=patience, return_when=asyncio.FIRST_COMPLETED
            )
            if done:
                self._report.waits.append(time.monotonic() - began)
                return await done.pop()
            if what != "closes the page":
                place.leave()
                done, _ = await asyncio.wait(tabs, timeout=5)
                return await done.pop() if done else None
            return None
        finally:
            for tab in tabs:
                tab.cancel()
            await asyncio.gather(*tabs, return_exceptions=True)


async def crowd(
    server: ServerProcess, data: str, *, people: int, seconds: float, kills: int = 0
) -> Report:
    """Let people come for some time, kill the server in between, and look at what is left."""
    report = Report()
    if kills:  # whoever takes a table over gives the whole turn once more
        report.standstill += TAKEOVER + TURN
    until = time.monotonic() + seconds
    log = await EventLog.open(data)
    try:
        watching = asyncio.create_task(_watch(log, report))
        killing = asyncio.create_task(_kill(server, report, seconds, kills))
        crowds = [Somebody(server.url, number, report, until) for number in range(people)]
        await asyncio.gather(*(one.live() for one in crowds))
        await killing
        if watching.done():
            watching.result()  # raises: it never ends by itself
        watching.cancel()
        await _settle(log, report)
        await examine(log, report)
    finally:
        await log.close()
    return report


async def _kill(server: ServerProcess, report: Report, seconds: float, kills: int) -> None:
    nodes: list[ServerProcess] = getattr(server, "nodes", None) or [server]
    for number in range(kills):
        await asyncio.sleep(seconds / (kills + 1))
        node = nodes[number % len(nodes)]
        await asyncio.to_thread(node.kill)
        report.disturbed = time.monotonic()
        await asyncio.to_thread(node.start)


async def _watch(log: EventLog, report: Report) -> None:
    """Note whoever waits beside others for the same, and gets no table.

    Time is counted in looks: while the machine has none for us, the server has none either.
    """
    since: dict[str, float] = {}
    known: set[tuple[str, ...]] = set()
    for look in itertools.count():
        await asyncio.sleep(LOOK)
        now = LOOK * look
        groups = await _beside_each_other(log)
        since = {one: since.get(one, now) for group in groups for one in group}
        for group in groups:
            waited = now - max(since[one] for one in group)
            if waited > STUCK and group not in known:
                known.add(group)
                after = f"{time.monotonic() - report.disturbed:.1f} s after the start or a kill"
                report.faults.append(f"{group} wait beside each other for {waited:.1f} s, {after}")


async def _beside_each_other(log: EventLog) -> list[tuple[str, ...]]:
    """People who are connected, wait for the same, and are near enough to play at once."""
    here = waiting.c.table_id.is_(None) & (waiting.c.seen > time.time() * 1000 - FRESH)
    async with log.reading() as connection:
        rows = (await connection.execute(select(waiting).where(here))).all()
        rated = (await connection.execute(select(ratings))).all()
    points = {row.person: Rating(row.mu, row.sigma).points for row in rated}
    places: defaultdict[tuple[str, int], list[tuple[int, str]]] = defaultdict(list)
    for row in rows:
        places[row.edition, row.players].append((points.get(row.person, 1500), row.person))
    return [
        tuple(person for _, person in beside)
        for (_, players), there in places.items()
        for beside in zip(*(sorted(there)[number:] for number in range(players)), strict=False)
        if beside[-1][0] - beside[0][0] <= WINDOW
    ]


async def _settle(log: EventLog, report: Report) -> None:
    """Wait until nobody waits, no match is played, and all results are counted."""
    ends = time.monotonic() + ENDING
    while time.monotonic() < ends:
        async with log.reading() as connection:
            open_ = len((await connection.execute(select(waiting))).all())
            missing = await connection.execute(
                select(rated_matches.c.table_id).where(rated_matches.c.number.is_(None))
            )
            pending = len(missing.all())
        playing = await log.rows(states=["opening", "playing"], most=1000)
        if not open_ and not pending and not playing:
            return
        await asyncio.sleep(0.5)
    report.faults.append(
        f"at the end {open_} wait, {len(playing)} matches are played, {pending} are not counted"
    )
    async with log.reading() as connection:
        for row in await connection.execute(select(waiting)):
            report.faults.append(str(row))


def _with_end(table_id: str, events: list[AnyEvent]) -> tuple[Table, int]:
    """A table from its events, and when nobody could play there any more."""
    table = Table.load(table_id, events[:1])
    ended = None
    for event in events[1:]:
        table.apply(Change(event))
        if ended is None and table.state in ("finished", "closed"):
            ended = event.at
    return table, table.updated if ended is None else ended


async def examine(log: EventLog, report: Report) -> None:
    """Read what the database tells, and note what is wrong with it."""
    rows = await log.rows(states=["open", "opening", "playing", "finished", "closed"], most=100_000)
    ends: dict[str, int] = {}
    tables = []
    for row in rows:
        table, ends[row.id] = _with_end(row.id, list(map(decode, await log.read(row.id))))
        tables.append(table)
    report.tables = len(tables)
    created = {table.id: table.created for table in tables}
    sat: defaultdict[str, list[tuple[int, int, str]]] = defaultdict(list)
    for table in tables:
        people = [chair.person for chair in table.chairs if chair.person]
        if len(people) != len(set(people)):
            report.faults.append(f"somebody sits twice at {table.id}")
        if table.state in ("opening", "playing"):
            report.faults.append(f"the match at {table.id} has not ended")
        for chair in table.chairs:
            if table.match is not None and chair.person and not chair.has_left:
                # A table that leads on is over once there is the other one.
                leads_on = table.closed_why == "replaced"
                ended = created[str(table.rematch)] if leads_on else ends[table.id]
                sat[chair.person].append((table.created, ended, table.id))
    for person, spans in sat.items():
        spans.sort()
        for (_, ended, one), (began, _, other) in pairwise(spans):
            if began < ended:
                late = ended - began
                report.faults.append(f"{person} sits at {one} and {other}, {late} ms of both")
    await _check_ratings(log, {table.id: table for table in tables}, report)


async def _check_ratings(log: EventLog, tables: dict[str, Table], report: Report) -> None:
    """Compute all ratings from the tables by the library alone, in the order they were counted."""
    async with log.reading() as connection:
        counted = (
            await connection.execute(
                select(rated_matches)
                .where(rated_matches.c.number.is_not(None))
                .order_by(rated_matches.c.number)
            )
        ).all()
        stored = (await connection.execute(select(ratings))).all()
    model = PlackettLuce(beta=8.0)
    known: dict[str, tuple[float, float]] = {}
    for row in counted:
        table = tables[row.table_id]
        assert table.match is not None
        gone = [seat for seat, chair in enumerate(table.chairs) if chair.substitute]
        order = [
            (2, 0) if seat in gone else (0, 0) if seat in table.winners else (1, -points)
            for seat, points in enumerate(table.match.scores)
        ]
        people = [chair.person for chair in table.chairs]
        before = [known.get(person, (25.0, 25.0 / 3)) for person in people]
        teams = [[model.rating(mu, sigma)] for mu, sigma in before]
        after = model.rate(teams, ranks=[float(sorted(order).index(one)) for one in order])
        by_bots = any(_mostly_bot(table, seat) for seat in range(len(people)))
        for seat, (person, [new]) in enumerate(zip(people, after, strict=True)):
            counts = seat in gone if by_bots else True
            if counts and len(gone) < len(people):
                known[person] = (new.mu, new.sigma)
    report.matches = len(counted)
    found = {row.person: (row.mu, row.sigma) for row in stored}
    if found.keys() != known.keys():
        report.faults.append(f"{len(found)} people are rated, it should be {len(known)}")
    for person, (mu, sigma) in known.items():
        own = found.get(person, (0.0, 0.0))
        if abs(own[0] - mu) > 1e-9 or abs(own[1] - sigma) > 1e-9:
            report.faults.append(f"{person} is rated {own}, it should be {(mu, sigma)}")
    finished = {
        table.id for table in tables.values() if table.state == "finished" and table.is_rated
    }
    if finished != {row.table_id for row in counted}:
        report.faults.append("not every rated match that ended was counted, or another one was")


def _mostly_bot(table: Table, seat: int) -> bool:
    assert table.match is not None
    plies = [
        by_bot
        for game, marks in zip(table.match.rounds, table.by_bot, strict=True)
        for ply, by_bot in zip(game.plies, marks, strict=True)
        if ply.seat == seat
    ]
    return sum(plies) > len(plies) / 2


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=60)
    parser.add_argument("--seconds", type=float, default=180)
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--three", action="store_true", help="servers on PostgreSQL and Valkey")
    chosen = parser.parse_args()
    kind = three_servers() if chosen.three else ServerProcess
    with tempfile.TemporaryDirectory() as folder, kind(Path(folder), **SETTINGS) as server:
        sizes = {name: getattr(chosen, name) for name in ("people", "seconds", "kills")}
        report = asyncio.run(crowd(server, server.data, **sizes))
        wrong = ["the server logged a traceback"] if "Traceback" in server.log else []
        if wrong:
            print(server.log[-5000:])
    print(msgspec.json.format(msgspec.json.encode(dict(report.did))).decode())
    waits = sorted(report.waits) or [0.0]
    print(f"{report.tables} tables, {report.matches} rated matches, {len(waits)} waits")
    print(f"half waited at most {waits[len(waits) // 2]:.1f} s, all at most {waits[-1]:.1f} s")
    if wrong := [*wrong, *report.faults]:
        raise SystemExit("\n".join(wrong))


if __name__ == "__main__":
    main()
