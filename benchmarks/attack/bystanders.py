"""Honest people during an attack: tables that are played at, and guests who only look."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import httpx

from benchmarks.attack.lines import hello
from benchmarks.server.load import TableLoop, set_up_tables
from benchmarks.server.wire import Client

if TYPE_CHECKING:
    from collections.abc import Sequence

TABLES = 4
PAUSE = 0.2
"""Seconds between two moves at a table; a client may send 20 messages a second."""

GUESTS = 4


def quantile(times: Sequence[float], share: float) -> float:
    """The waiting time in milliseconds that this share does not exceed."""
    ordered = sorted(times)
    return 1000 * ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else 0.0


class Bystanders:
    """Two clients at each of some tables, spectators, and somebody who reads the lobby."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._loops: list[TableLoop] = []
        self._guests: list[Client] = []
        self._http = httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=30)
        self.refused: list[str] = []
        """What went wrong for them."""
        self.faults = 0
        """Answers of status 500 and more."""

    async def open(self) -> None:
        """Sit down at new tables: a match does not last for ever."""
        await self.close()
        rules = {"edition": "classic", "target": 5000}
        tables, secrets = await set_up_tables(self._port, TABLES, rules=rules)
        self._loops = [TableLoop(table) for table in tables]
        for loop in self._loops:
            await loop.open([self._port], secrets)
        for number in range(GUESTS):
            guest = await Client.connect(self._port, lambda _: None)
            guest.send(hello(tables[number % TABLES]))
            self._guests.append(guest)
        await asyncio.sleep(0.3)

    async def play(self, seconds: float) -> list[float]:
        """Play for a while; return how long each move took."""
        for loop in self._loops:
            loop.times = []
            loop.work(PAUSE)
        looking = asyncio.create_task(self._look(seconds))
        await asyncio.sleep(seconds)
        for loop in self._loops:
            loop.rest()
        await looking
        await asyncio.sleep(0.3)
        return [time for loop in self._loops for time in loop.times or ()]

    async def _look(self, seconds: float) -> None:
        """Read the lobby once a second, and let every guest say something."""
        for _ in range(max(1, int(seconds))):
            for guest in self._guests:
                if not guest.is_closed:
                    guest.send(b'{"type":"ping"}')
            try:
                answer = await self._http.get("/api/tables")
            except httpx.HTTPError as error:
                self.refused.append(f"the lobby: {error!r}")
            else:
                self.faults += answer.status_code >= 500
                if answer.status_code != 200:
                    self.refused.append(f"the lobby: {answer.status_code}")
            await asyncio.sleep(min(1.0, seconds / 2))

    @property
    def closed(self) -> int:
        """How many of their sockets were closed, and how often they were refused."""
        clients = [client for loop in self._loops for client in loop.clients]
        gone = sum(client.is_closed for client in (*clients, *self._guests))
        return gone + len(self.refused) + sum(len(loop.errors) for loop in self._loops)

    async def close(self) -> None:
        """Leave."""
        for client in (*(one for loop in self._loops for one in loop.clients), *self._guests):
            client.close()
        self._loops, self._guests = [], []
        await asyncio.sleep(0.05)

    async def end(self) -> None:
        """Leave for good."""
        await self.close()
        await self._http.aclose()
