"""Of several servers one tells people whose page is closed, whatever fails."""

from __future__ import annotations

import asyncio
import signal
import time
from typing import TYPE_CHECKING

from tests.nodes.test_nodes import nodes
from tests.server.harness import FakeClock, table_of_two, until
from tests.server.process import ServerProcess
from tests.server.push_service import PushService
from tests.server.test_pushes import Phones
from triomino.server.pushes import moment_of

if TYPE_CHECKING:
    from pathlib import Path

    from tools.services import Valkey

    from tests.nodes.test_nodes import Nodes


class Turns:
    """Moves at any server while both pages are closed, and who has to be told."""

    def __init__(self, those: Nodes, phones: Phones) -> None:
        self._those, self._phones = those, phones
        self.wanted = [0, 0]
        self._moves = 0

    async def move(self, count: int = 1) -> None:
        """Play at one server after the other, and wait until every turn was told."""
        for _ in range(count):
            await self.move_only()
            await until(lambda: self.told == self.wanted)

    async def move_only(self) -> None:
        """Play one move, of which nobody may hear yet."""
        hub, table = self._those[self._moves % 2].hub, self._phones.two.table
        self._moves += 1
        before = moment_of(await hub.look(table))
        while (await hub.look(table)).game.over:
            await hub.change(table, lambda t: t.next_round(hub.now()))
        await hub.change(
            table, lambda t: t.move(t.game.turn, str(t.game.legal_moves()[0]), hub.now())
        )
        after = moment_of(await hub.look(table))
        if after.turn is not None and after.turn != before.turn:
            self.wanted[after.turn[1]] += 1

    @property
    def told(self) -> list[int]:
        """How often each phone has shown something."""
        return [len(self._phones.told(seat)) for seat in (0, 1)]


def test_every_turn_is_told_once_by_three_servers(
    tmp_path: Path, database: str, valkey: Valkey
) -> None:
    """Also when the one that sends is killed, and when none knows who should."""

    async def main(service: PushService, dying: ServerProcess) -> None:
        own = {"push_services": service.url, "clock": FakeClock(time.time())}
        async with nodes(2, database, valkey.url, tmp_path, **own) as those:
            two = await table_of_two(those[0])
            phones = Phones(two, service)
            for seat in (0, 1):
                await phones.subscribe(seat)
            turns = Turns(those, phones)
            await turns.move(3)
            assert dying.counters()["triomino_pushes_total"] == sum(turns.wanted) > 0
            # It has the lease and does nothing with it; then it is gone.
            dying.signal(signal.SIGSTOP)
            await turns.move_only()
            dying.end_anyhow()
            # A turn that is over before anybody could be told is not told any more.
            await until(lambda: turns.told == turns.wanted)
            await turns.move(3)
            await asyncio.to_thread(valkey.kill)
            await until(lambda: all(one.hub.cluster.is_cut_off for one in those.servers))
            await turns.move(4)
            await asyncio.sleep(0.5)  # for who would tell it again
            assert turns.told == turns.wanted
            sent = [one.hub.metrics.pushes for one in those.servers]
            assert sum(sent) < sum(turns.wanted)

    with PushService() as service:
        dying = ServerProcess(tmp_path, data=database, bus=valkey.url, push_services=service.url)
        try:
            dying.start()
            asyncio.run(main(service, dying))
        finally:
            dying.end_anyhow()
