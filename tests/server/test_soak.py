"""However many come and go, memory and open handles stay flat."""

from __future__ import annotations

import asyncio
import gc
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from websockets.asyncio.client import connect

from tests.effort import WHOLE, count
from tests.nodes.three import ThreeServers
from tests.server.harness import in_loop, serving, until
from tests.server.process import ServerProcess
from tests.server.soak import HANDLES, MEGABYTES, SETTINGS, Sample, faults, growth, line, soak
from triomino.protocol.api import SeatPlan, TableOptions
from triomino.server.config import Config
from triomino.server.hub import Hub
from triomino.server.protocols import SocketProtocol
from triomino.server.run import sweep
from triomino.server.table import RefusedError
from triomino.store.log import EventLog

if TYPE_CHECKING:
    from collections.abc import Sequence

needs_proc = pytest.mark.skipif(
    not Path("/proc/self/statm").exists(), reason="the system does not show its processes"
)


@needs_proc
@pytest.mark.parametrize("servers", [ServerProcess, *([ThreeServers] if WHOLE else [])])
def test_a_short_soak(tmp_path: Path, servers: type[ServerProcess]) -> None:
    with servers(tmp_path, **SETTINGS) as server:
        visits = count(20) if servers is ServerProcess else count(10)
        samples = asyncio.run(soak(server, spells=count(20, least=6), visits=visits))
        assert "Traceback" not in server.log, server.log
    said = "\n".join(map(line, samples))
    assert faults(samples) == [], said
    assert samples[-1].tables > 10, said
    assert samples[-1].sockets > 20, said


def flat(memory: Sequence[float], handles: Sequence[int]) -> list[Sample]:
    """Samples a second apart."""
    both = enumerate(zip(memory, handles, strict=True))
    return [Sample(second, 0, 0, 0, mega, open_) for second, (mega, open_) in both]


def test_a_soak_tells_a_leak_from_a_warm_up() -> None:
    warming = flat([50, 80, 95, 99, 100, 100, 101, 100, 101, 100], [9, 30, 12, 11] + [10, 12] * 3)
    assert faults(warming) == []
    leaking = flat([100 + 2.5 * second for second in range(10)], [10] * 10)
    assert growth(leaking)[0] > MEGABYTES
    assert len(faults(leaking)) == 1
    dripping = flat([100] * 10, [10 + 3 * second for second in range(10)])
    assert growth(dripping)[1] > HANDLES
    assert len(faults(dripping)) == 1


@in_loop
@pytest.mark.parametrize("path", ["/ws", "/ws/pads/{pad}"])
async def test_what_closed_sockets_leave_behind_is_collected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    monkeypatch.setattr("triomino.server.run.SWEEP_SECONDS", 0.01)
    monkeypatch.setattr("triomino.server.run.SWEEP_SOCKETS", 5)

    def sockets() -> int:
        return sum(type(one) is SocketProtocol for one in gc.get_objects())

    gc.collect()
    gc.disable()  # nothing but the sweep collects them
    try:
        async with serving(tmp_path) as served:
            pad = (await served.http.post("/api/pads")).json()["pad"]
            url = served.url.replace("http", "ws", 1) + path.format(pad=pad)
            sweeping = asyncio.create_task(sweep(served.app))
            for closed in range(1, 6):
                async with connect(url):
                    pass
                await until(lambda closed=closed: served.app.state.sockets.closed == closed)  # type: ignore[misc]
                if closed < 5:
                    await asyncio.sleep(0.02)  # the sweep looks, and finds too few to bother
                    assert sockets() == closed
            # The last one may still be closing when the sweep comes.
            await until(lambda: sockets() <= 1)
            sweeping.cancel()
    finally:
        gc.enable()


def test_tables_that_never_were_leave_nothing_behind(tmp_path: Path) -> None:
    async def ask() -> None:
        path = str(tmp_path / "tables.sqlite")
        events = await EventLog.open(path)
        hub = Hub(Config(data=path, tables_in_memory=2), events)
        asked = (hub.tables.open(f"nowhere {number % 10}") for number in range(50))
        answers = await asyncio.gather(*asked, return_exceptions=True)
        assert all(isinstance(answer, RefusedError) for answer in answers)
        assert len(hub.tables) == 0
        del answers  # their tracebacks hold the locks, and so do tasks that end with this turn
        await asyncio.sleep(0)
        gc.collect()
        assert not hub.tables._loading
        await hub.close()
        await events.close()

    asyncio.run(ask())


class Ear:
    """A client that is there."""

    device: str | None = "ann"

    def tell(self, message: bytes) -> None:
        """Hear a message, and do nothing."""


def test_a_table_has_one_place_in_memory_although_it_is_full(tmp_path: Path) -> None:
    async def crowd() -> None:
        path = str(tmp_path / "tables.sqlite")
        events = await EventLog.open(path)
        hub = Hub(Config(data=path, tables_in_memory=2), events)
        options = TableOptions(seats=(SeatPlan("here"), SeatPlan("here")))
        busy = []
        for _ in range(3):
            table = await hub.create(options, "ann", "")
            busy.append(table.id)
            await hub.enter(table.id, Ear(), None)
        # More are busy than memory is meant for; one more comes and is served all the same.
        idle = (await hub.create(options, "ann", "")).id
        assert len(hub.tables) == 4
        more = (await hub.create(options, "ann", "")).id
        assert len(hub.tables) == 4
        found = await asyncio.gather(*(hub.tables.open(idle) for _ in range(5)))
        assert len({id(opened) for opened in found}) == 1
        assert len(hub.tables) == 4
        for table_id in (*busy, idle, more):
            assert (await hub.tables.open(table_id)).table.id == table_id
        await hub.close()
        await events.close()

    asyncio.run(crowd())
