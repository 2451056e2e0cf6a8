"""Several servers on one database: any of them takes any client."""

from __future__ import annotations

import asyncio
import time
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import msgspec
import pytest
from typer.testing import CliRunner

from tests.server.harness import PATIENCE, FakeClock, in_loop, serving, table_of_two, until
from tests.server.process import ServerProcess
from tests.server.test_analyses import small_record, until_done
from tests.server.test_pads import SETUP
from triomino.cli.app import app
from triomino.client import RemotePlayer
from triomino.record import match_from, verify_deals
from triomino.server.bus import Grown, pack, unpack
from triomino.server.config import Config, ConfigError
from triomino.server.health import examine
from triomino.server.leases import LEASE_SECONDS, RENEWALS, Leases

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Collection
    from pathlib import Path

    from tools.services import Valkey

    from tests.server.harness import Served, Two, Wire
    from triomino.server.cluster import Cluster

SHORT = {"edition": "classic", "target": 60}


@dataclass
class Nodes:
    """Servers beside each other."""

    servers: list[Served]

    def __getitem__(self, number: int) -> Served:
        return self.servers[number]

    async def agree(self, table: str) -> None:
        """Wait until a table is everywhere where it is in memory at its newest version."""
        newest = max(s.hub.tables[table].table.version for s in self._with(table))
        await until(
            lambda: all(s.hub.tables[table].table.version >= newest for s in self._with(table))
        )

    def _with(self, table: str) -> list[Served]:
        return [server for server in self.servers if table in server.hub.tables]


@asynccontextmanager
async def nodes(
    count: int, database: str, bus: str, tmp_path: Path, **settings: Any
) -> AsyncIterator[Nodes]:
    async with AsyncExitStack() as stack:
        servers = [
            await stack.enter_async_context(
                serving(tmp_path, number=number, data=database, bus=bus, **settings)
            )
            for number in range(count)
        ]
        for server in servers:
            mine = server.hub.cluster.bus
            assert mine is not None
            await until(lambda mine=mine: len(mine.peers) >= count - 1)  # type: ignore[misc]
        yield Nodes(servers)


def a_move(served: Served, table: str) -> str:
    return str(served.hub.tables[table].table.game.legal_moves()[0])


async def _play(nodes: Nodes, two: Two, wires: list[Wire]) -> None:
    """Play a match, each seat through its own server."""
    first = nodes[0].hub.tables[two.table]
    while first.table.state == "playing":
        game, ply = first.table.game, first.table.ply
        if game.over:
            answer = await wires[0].ask(type="next_round", ply=ply)
        else:
            await nodes.agree(two.table)
            answer = await wires[game.turn].ask(
                type="move", move=a_move(nodes[0], two.table), ply=ply
            )
        assert answer["type"] == "ack", answer
        await nodes.agree(two.table)


@in_loop
async def test_a_match_is_played_over_three_servers(
    tmp_path: Path, database: str, valkey: Valkey
) -> None:
    async with nodes(3, database, valkey.url, tmp_path) as those:
        two = await table_of_two(those[0], rules=SHORT)
        wires = [await two.wire(0), await those[1].wire_at(two.table, two.secret(1))]
        watcher = await those[2].wire_at(two.table)
        await _play(those, two, wires)
        await those.agree(two.table)
        record = (await those[1].get(f"/api/tables/{two.table}/record")).json()
        verify_deals(match_from(record))
        # Who watched saw every move once, in order, and never the whole state for a move alone.
        heard = await watcher.settle()
        moves = [one for one in heard if one["type"] == "moved"]
        states = [one for one in heard if one["type"] == "state"]
        assert len(moves) > 10 * len(states)
        versions = [one["version"] for one in heard if "version" in one]
        assert versions == sorted(set(versions))


@in_loop
async def test_who_is_there_is_known_everywhere(
    tmp_path: Path, database: str, valkey: Valkey
) -> None:
    async with nodes(2, database, valkey.url, tmp_path, presence_seconds=0) as those:
        two = await table_of_two(those[0])
        ann = await two.wire(0)
        ben = await those[1].wire_at(two.table, two.secret(1))
        here = those[0].hub.tables[two.table]
        there = those[1].hub.tables[two.table]
        await until(lambda: here.here == there.here == {0, 1})
        watcher = await those[1].wire_at(two.table)
        await until(lambda: here.spectators == there.spectators == 1)
        await watcher.close()
        await until(lambda: here.spectators == there.spectators == 0)
        await ben.close()
        await until(lambda: here.here == there.here == {0})
        await until(lambda: list(here.away_since) == [1])
        assert (await ann.hear("presence"))["type"] == "presence"


@in_loop
async def test_bots_move_once(tmp_path: Path, database: str, valkey: Valkey) -> None:
    async with nodes(3, database, valkey.url, tmp_path) as those:
        ann = those[0].player()
        seats = [{"kind": "here"}, {"kind": "bot", "bot": "beginner"}]
        table = await ann.create(seats, rules=SHORT)
        await ann.start(table)
        wires = [await server.wire_at(table, ann.secret) for server in those.servers]
        first = those[0].hub.tables[table]
        while first.table.state == "playing" and first.table.version < 40:
            if first.table.game.over:
                await wires[0].ask(type="next_round", ply=first.table.ply)
            elif first.table.game.turn == 0:
                ply = first.table.ply
                said = await wires[0].ask(type="move", move=a_move(those[0], table), ply=ply)
                assert said["type"] == "ack"
            await asyncio.sleep(0.01)
        held = [server.hub.cluster.leases for server in those.servers]
        assert sum(lease._until.get(table, 0) > time.monotonic() for lease in held) <= 1
        # Every bot move was thought about once: by whoever had the lease.
        thought = sum(server.hub.metrics.bot_moves for server in those.servers)
        log = [event async for page in those[0].events.pages(table) for _, event in page]
        played = sum(b'"type":"move' in event and b'"seat":1' in event for event in log)
        assert 0 < played <= thought <= played + 1


@in_loop
async def test_an_analysis_is_made_once(tmp_path: Path, database: str, valkey: Valkey) -> None:
    """Whichever server is asked, and whichever is looked at: behind a proxy they differ."""
    async with nodes(3, database, valkey.url, tmp_path) as those:
        body = {"record": small_record()}
        ids = {
            (await server.http.post("/api/analyses", json=body)).json()["id"]
            for server in those.servers[:2]
        }
        path = f"/api/analyses/{ids.pop()}"
        assert not ids
        found = [await until_done(server, path) for server in reversed(those.servers)]
        assert found[0]["state"] == "done"
        assert found[0] == found[1] == found[2]
        await until(lambda: sum(one.hub.metrics.analyses for one in those.servers) == 1)
        await until(lambda: not any(one.app.state.analyses.under_way for one in those.servers))
        # One that cannot be made fails everywhere, and is tried once.
        broken = {"record": small_record() | {"rounds": "none"}}
        asked = [(await s.http.post("/api/analyses", json=broken)).json() for s in those.servers]
        path = f"/api/analyses/{asked[0]['id']}"
        states = [await until_done(server, path) for server in those.servers]
        assert {state["state"] for state in states} == {"failed"}
        assert len({state["why"] for state in states}) == 1


@in_loop
async def test_a_row_that_a_killed_server_left_behind_is_mended(
    tmp_path: Path, database: str, valkey: Valkey
) -> None:
    """It is written after the events. Others have the table in memory and do not load it again."""
    async with nodes(2, database, valkey.url, tmp_path) as those:
        two = await table_of_two(those[0], clock_seconds=300)
        hub, log = those[0].hub, those[0].events
        await hub.change(two.table, lambda table: table.close("by the host", hub.now()))
        await those[1].hub.look(two.table)
        await log.update_row(two.table, "playing", 1)  # as if it had not been written
        async with asyncio.timeout(PATIENCE):
            while (row := await log.row(two.table)) is None or row.state != "closed":
                await asyncio.sleep(0.05)


def test_what_a_killed_server_did_is_taken_over(
    tmp_path: Path, database: str, valkey: Valkey
) -> None:
    """Bots play on and analyses are made, five seconds later at most if nobody is busy."""
    assert LEASE_SECONDS + LEASE_SECONDS / RENEWALS <= 5
    dying = ServerProcess(tmp_path, data=database, bus=valkey.url)

    async def main() -> None:
        async with nodes(1, database, valkey.url, tmp_path) as those, AsyncExitStack() as stack:
            ann = await stack.enter_async_context(RemotePlayer(dying.url))
            seats = [{"kind": "here"}, {"kind": "bot", "bot": "beginner"}]
            table = await ann.create(seats, rules=SHORT, clock_seconds=300)
            await ann.start(table)
            await ann.enter(table)
            # Where a clock runs, somebody has the lease all the time.
            await until(lambda: dying.counters()["triomino_leases_held"] > 0)
            await ann.until(lambda: bool(ann.choices))
            asked = await ann.request("POST", "/api/analyses", {"record": small_record(1)})
            dying.kill()
            began = time.monotonic()
            wire = await those[0].wire_at(table, ann.secret)
            opened = those[0].hub.tables[table]
            version = opened.table.version
            path = f"/api/analyses/{asked['id']}"
            assert (await those[0].get(path)).json()["state"] in ("waiting", "running")
            leases = those[0].hub.cluster.leases
            await until(lambda: leases.holds(f"analysis:{asked['id']}") and leases.holds(table))
            assert time.monotonic() - began < 15, "a lease outlives its server for long"
            assert (await until_done(those[0], path))["state"] == "done"
            assert those[0].hub.metrics.analyses == 1
            while opened.table.game.turn == 0:
                said = await wire.ask(
                    type="move", move=a_move(those[0], table), ply=opened.table.ply
                )
                assert said["type"] == "ack"
            await until(lambda: opened.table.game.turn == 0 or opened.table.game.over)
            assert opened.table.version > version
            assert those[0].hub.metrics.bot_moves

    try:
        dying.start()
        asyncio.run(main())
    finally:
        dying.end_anyhow()


@in_loop
async def test_two_who_move_at_once_on_two_servers(
    tmp_path: Path, database: str, valkey: Valkey
) -> None:
    async with nodes(2, database, valkey.url, tmp_path) as those:
        two = await table_of_two(those[0])
        tabs = [
            [await two.wire(seat), await those[1].wire_at(two.table, two.secret(seat))]
            for seat in (0, 1)
        ]
        table = those[0].hub.tables[two.table]
        for _ in range(10):
            await those.agree(two.table)
            ply, move = table.table.ply, a_move(those[0], two.table)
            pair = tabs[table.table.game.turn]
            said = await asyncio.gather(
                *(wire.ask(type="move", move=move, ply=ply) for wire in pair)
            )
            assert sorted(one["type"] for one in said) == ["ack", "refused"]
            [refusal] = [one for one in said if one["type"] == "refused"]
            assert refusal["code"] == "stale"
        await those.agree(two.table)
        log = await those[0].log(two.table)
        assert log == await those[1].log(two.table)


@in_loop
async def test_quick_notices_cross(tmp_path: Path, database: str, valkey: Valkey) -> None:
    async with nodes(2, database, valkey.url, tmp_path) as those:
        two = await table_of_two(those[0])
        ann = await two.wire(0)
        ben = await those[1].wire_at(two.table, two.secret(1))
        await ann.say(type="react", seat=0, sign="wow")
        assert (await ben.hear("reaction"))["seat"] == 0
        made = (await those[0].http.post("/api/pads")).json()
        sheet = await those[1].wire(path=f"/ws/pads/{made['pad']}")
        body = {"secret": made["secret"], "since": 0, "acts": [SETUP]}
        assert (await those[0].http.post(f"/api/pads/{made['pad']}/acts", json=body)).is_success
        await until(lambda: any(b"setup" in one for one in sheet.heard))


@in_loop
async def test_budgets_are_shared(tmp_path: Path, database: str, valkey: Valkey) -> None:
    async with nodes(2, database, valkey.url, tmp_path) as those:
        for server in those.servers:
            for buckets in server.hub.cluster.budgets.values():
                buckets._rate, buckets._size = 0.001, 10.0
        here = those[0].hub.cluster.budgets["seats"]
        there = those[1].hub.cluster.budgets["seats"]
        assert all(here.take("somebody") for _ in range(8))
        await until(lambda: there._bucket("somebody").tokens < 3)
        assert not all(there.take("somebody") for _ in range(3))
        assert there.take("somebody else")


def test_without_the_bus_moves_go_on_and_with_it_they_are_fast_again(
    tmp_path: Path, database: str, valkey: Valkey
) -> None:
    async def main() -> None:
        async with nodes(2, database, valkey.url, tmp_path) as those:
            two = await table_of_two(those[0])
            wires = [await two.wire(0), await those[1].wire_at(two.table, two.secret(1))]
            tables = [server.hub.tables[two.table] for server in those.servers]

            async def move() -> None:
                ply, turn = tables[0].table.ply, tables[0].table.game.turn
                text = a_move(those[0], two.table)
                assert (await wires[turn].ask(type="move", move=text, ply=ply))["type"] == "ack"
                await until(lambda: all(one.table.ply > ply for one in tables))

            await move()
            await asyncio.to_thread(valkey.kill)
            await until(lambda: all(s.hub.cluster.is_cut_off for s in those.servers))
            for _ in range(2):
                await move()
            assert all(one.here == {0, 1} for one in tables), "nobody left when the bus did"
            assert those[0].hub.cluster.gauges()["bus_up"] == 0
            health = await examine(those[0].hub)
            assert "bus" in {problem.code for problem in health.problems}
            assert health.status == "degraded"
            await asyncio.to_thread(valkey.start)
            await until(lambda: not any(s.hub.cluster.is_cut_off for s in those.servers))
            for _ in range(3):
                await move()
            assert (await examine(those[1].hub)).status == "ok"

    asyncio.run(main())


def test_a_match_moves_from_sqlite_to_postgresql_and_back(tmp_path: Path, database: str) -> None:
    """It is begun on one, played on on the other, and ended where it began."""

    async def begin() -> tuple[str, list[str]]:
        async with serving(tmp_path) as served:
            two = await table_of_two(served, rules=SHORT)
            wires = [await two.wire(seat) for seat in (0, 1)]
            for _ in range(9):
                move, ply = a_move(served, two.table), two.ply
                await wires[two.game.turn].ask(type="move", move=move, ply=ply)
            return two.table, [two.secret(0), two.secret(1)]

    async def play_on(data: str, table: str, secrets: list[str], version: int | None) -> None:
        async with serving(tmp_path, data=data) as served:
            wires = [await served.wire_at(table, secret) for secret in secrets]
            now = served.hub.tables[table]
            while now.table.state == "playing" and (version is None or now.table.version < version):
                ply = now.table.ply
                if now.table.game.over:
                    await wires[0].ask(type="next_round", ply=ply)
                else:
                    move, turn = a_move(served, table), now.table.game.turn
                    await wires[turn].ask(type="move", move=move, ply=ply)
            if version is None:
                record = (await served.get(f"/api/tables/{table}/record")).json()
                verify_deals(match_from(record))

    table, secrets = asyncio.run(begin())
    there, back = database, str(tmp_path / "back.db")
    moved = CliRunner().invoke(app, ["host", "move", there, "--data", str(tmp_path / "tables.db")])
    assert moved.exit_code == 0, moved.output
    again = CliRunner().invoke(app, ["host", "move", there, "--data", str(tmp_path / "tables.db")])
    assert "there is something in it already" in str(again.exception)
    asyncio.run(play_on(there, table, secrets, version=40))
    moved = CliRunner().invoke(app, ["host", "move", back, "--data", there])
    assert moved.exit_code == 0, moved.output
    asyncio.run(play_on(back, table, secrets, version=None))


@in_loop
async def test_cleaning_keeps_what_is_in_use_elsewhere(
    tmp_path: Path, database: str, valkey: Valkey
) -> None:
    clock = FakeClock()
    async with nodes(2, database, valkey.url, tmp_path, clock=clock) as those:
        watched, forgotten = [await table_of_two(those[0]) for _ in range(2)]
        await those[1].wire_at(watched.table)
        clock.at += 61 * 24 * 3600
        assert those[0].hub.tables[watched.table].is_idle
        await those[0].hub.clean()
        assert await those[0].events.row(watched.table) is not None
        assert await those[0].events.row(forgotten.table) is None


@in_loop
async def test_clocks_a_minute_apart(tmp_path: Path, database: str, valkey: Valkey) -> None:
    """Nobody loses time because the dates of two servers differ."""
    clock = FakeClock()
    async with AsyncExitStack() as stack:
        servers = []
        for number in (0, 1):
            own = FakeClock(clock.at)
            own.set_by = 60.0 * number
            servers.append(
                await stack.enter_async_context(
                    serving(tmp_path, number=number, data=database, bus=valkey.url, clock=own)
                )
            )
        two = await table_of_two(servers[0], clock_seconds=30)
        wires = [await two.wire(0), await servers[1].wire_at(two.table, two.secret(1))]
        tables = [server.hub.tables[two.table] for server in servers]
        for _ in range(4):
            ply, turn = tables[0].table.ply, tables[0].table.game.turn
            move = a_move(servers[0], two.table)
            assert (await wires[turn].ask(type="move", move=move, ply=ply))["type"] == "ack"
            await until(lambda ply=ply: all(one.table.ply > ply for one in tables))  # type: ignore[misc]
            left = [one.clock.remaining(one.table) for one in tables]
            assert all(one is not None and one > 25_000 for one in left), left
            assert not any(chair.substitute for chair in tables[0].table.chairs)


def test_notices_of_a_newer_version_are_left_out() -> None:
    """Two versions of a server run side by side during an upgrade."""
    newer = msgspec.msgpack.encode(["n", [["zz", 1, 2], ["g", "t", 3, "more"], ["g", 5]]])
    assert unpack(newer) == ("n", [Grown("t", 3)])


class DeafClient:
    """A bus whose client turns a cancellation into an error of its own, as Valkey's may."""

    is_up, node = True, "here"

    def __init__(self) -> None:
        self.client, self.asked = self, asyncio.Event()

    def pipeline(self, **_: object) -> DeafClient:
        return self

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        pass

    def eval(self, *_: object) -> None:
        pass

    async def execute(self) -> list[int]:
        self.asked.set()
        try:
            await asyncio.sleep(1.5)
        except asyncio.CancelledError:
            raise ConnectionResetError from None
        return []


@in_loop
async def test_a_server_stops_although_the_client_of_the_bus_does_not_listen() -> None:
    bus = DeafClient()
    running = asyncio.create_task(Leases(bus).run())  # type: ignore[arg-type]
    async with asyncio.timeout(20):
        await bus.asked.wait()
        running.cancel()
        await asyncio.wait([running])


def test_what_a_server_says_itself_is_not_looked_at() -> None:
    assert unpack(pack("me", [Grown("t", 3)]), "me") == ("me", [])


@in_loop
async def test_clusters_on_two_databases_of_a_valkey_do_not_meet(
    tmp_path: Path, database: str, valkey: Valkey
) -> None:
    async with (
        serving(tmp_path, data=database, bus=valkey.url) as here,
        serving(tmp_path, number=1, data=database, bus=f"{valkey.url}/1") as there,
        serving(tmp_path, number=2, data=database, bus=f"{valkey.url}/1") as beside,
    ):
        buses = [one.hub.cluster.bus for one in (here, there, beside)]
        await until(lambda: [len(bus.peers) for bus in buses if bus] == [0, 1, 1])
        two = await table_of_two(there)
        await two.wire(0)
        await beside.wire_at(two.table, two.secret(1))
        await until(lambda: there.hub.tables[two.table].here == {0, 1})
        assert [bus.received > 0 for bus in buses if bus] == [False, True, True]


def test_settings_of_a_cluster() -> None:
    with pytest.raises(ConfigError, match="bus: 'mqtt://x' is no address like redis://"):
        Config(data="postgresql://x/y", bus="mqtt://x")
    with pytest.raises(ConfigError, match="several servers need one database"):
        Config(data="tables.db", bus="redis://localhost")


@in_loop
async def test_a_table_is_read_where_somebody_is(
    tmp_path: Path, database: str, valkey: Valkey
) -> None:
    """A server without its clients reads nothing of it, until somebody comes or asks."""
    async with nodes(3, database, valkey.url, tmp_path, look_seconds=0.1) as those:
        two = await table_of_two(those[0])
        wires = [await those[seat + 1].wire_at(two.table, two.secret(seat)) for seat in (0, 1)]
        idle, busy = (those[number].hub.tables[two.table] for number in (0, 1))
        before = idle.table.version
        for _ in range(4):
            await until(
                lambda: (
                    those[2].hub.tables[two.table].table.version
                    == those[1].hub.tables[two.table].table.version
                )
            )
            ply, move = busy.table.ply, a_move(those[1], two.table)
            said = await wires[busy.table.game.turn].ask(type="move", move=move, ply=ply)
            assert said["type"] == "ack"
        await until(lambda: idle.announced == said["version"])
        await asyncio.sleep(0.3)  # long enough for three looks at the log
        assert idle.table.version == before
        watcher = await those[0].wire()
        await watcher.say(type="hello", table=two.table)
        assert (await watcher.hear("state"))["version"] == said["version"]
        ply, move = busy.table.ply, a_move(those[1], two.table)
        await wires[busy.table.game.turn].ask(type="move", move=move, ply=ply)
        assert (await watcher.hear("moved"))["since"] == said["version"]


@in_loop
async def test_what_the_host_does_is_seen_at_every_server(
    tmp_path: Path, database: str, valkey: Valkey
) -> None:
    async with nodes(2, database, valkey.url, tmp_path, look_seconds=0.1) as those:
        two = await table_of_two(those[0])
        wires = [await two.wire(0), await those[1].wire_at(two.table, two.secret(1))]
        for command, wanted in (
            (["rename", two.table, "1", "Somebody"], "Somebody"),
            (["close", two.table], "closed"),
        ):
            asked = ["host", *command, "--data", database]
            done = await asyncio.to_thread(CliRunner().invoke, app, asked)
            assert done.exit_code == 0, done.output
            for wire in wires:
                said = await wire.hear("state")
                assert wanted in (said["seats"][1]["name"], said["state"])


class _FailingOnce:
    """Follows tables, but not at first."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster, self._follow = cluster, cluster._follow

    async def __call__(self, tables: Collection[str]) -> None:
        self._cluster._follow = self._follow
        raise ValueError(f"nobody thought of this: {tables}")


@in_loop
async def test_a_part_that_fails_is_begun_again(
    tmp_path: Path, database: str, valkey: Valkey, caplog: pytest.LogCaptureFixture
) -> None:
    """A server whose part of the cluster has ended would be deaf, and not know it."""
    async with nodes(2, database, valkey.url, tmp_path) as those:
        two = await table_of_two(those[0])
        wires = [await two.wire(0), await those[1].wire_at(two.table, two.secret(1))]
        tables = [server.hub.tables[two.table] for server in those.servers]
        for server in those.servers:
            server.hub.cluster._follow = _FailingOnce(server.hub.cluster)
        for _ in range(3):
            ply, turn, move = tables[0].table.ply, two.game.turn, a_move(those[0], two.table)
            assert (await wires[turn].ask(type="move", move=move, ply=ply))["type"] == "ack"
            await until(lambda ply=ply: all(one.table.ply > ply for one in tables))  # type: ignore[misc]
    assert "a part of the cluster failed" in caplog.text
