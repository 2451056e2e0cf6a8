"""People on this server: who a device belongs to, who is refused, whose names are gone.

The database is the truth. What is asked with every request is kept in memory: the devices that
were removed or banned, and those of deleted profiles. It is read anew when another server says
that something has changed, and every few seconds in any case.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final, TypeVar

from triomino.server.names import decent_name, refused_words
from triomino.server.slots import background_threads
from triomino.server.table import RefusedError
from triomino.store.decency import DecencyStore
from triomino.store.people import PeopleStore
from triomino.store.person_games import PersonGameStore
from triomino.store.person_secrets import PersonSecretStore

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection

    from triomino.protocol.api import TableOptions
    from triomino.server.cluster import Cluster
    from triomino.server.config import Config
    from triomino.server.metrics import Metrics
    from triomino.server.open_tables import OpenTable, OpenTables
    from triomino.server.table import Table
    from triomino.server.troubles import Troubles
    from triomino.store.log import EventLog
    from triomino.store.people import Person

Hashed = TypeVar("Hashed")

OVERLAP: Final = 60_000
"""Milliseconds that are read again: another server's clock may be behind."""

CLOSED_SECONDS: Final = 60.0
"""How often a server that is not open looks; ``triomino host`` may have banned somebody."""


class People:
    """What a server knows about people."""

    def __init__(
        self,
        config: Config,
        events: EventLog,
        tables: OpenTables,
        cluster: Cluster,
        *,
        now: Callable[[], int],
        turn_away: Callable[[Collection[str], Collection[OpenTable]], Awaitable[None]],
    ) -> None:
        self.config, self._tables, self._cluster, self._now = config, tables, cluster, now
        self._turn_away = turn_away
        self.store = PeopleStore(events, now)
        self.secrets = PersonSecretStore(events, now)
        self.games = PersonGameStore(events)
        self.decency = DecencyStore(events, now)
        self.former: set[str] = set()
        """The devices of deleted profiles."""
        self._removed: set[str] = set()
        self._banned: dict[str, int] = {}
        self._banned_addresses: dict[str, int] = {}
        self._read_until = 0
        self._news = asyncio.Event()
        self._threads = background_threads(1)
        tables.former = self.former
        cluster.on_people = self._news.set

    def check_open(self) -> None:
        """Raise unless people who do not know each other meet here."""
        if not self.config.open:
            raise RefusedError("not_open", "this server has no profiles; its host can open it")

    async def hashed(self, work: Callable[[], Hashed]) -> Hashed:
        """Do what is made slow for those who guess: one at a time, after all that people wait for.

        Ten at once would leave a move a tenth of a processor.
        """
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)

    def close(self) -> None:
        """Give up the thread."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    # --- Who is refused --------------------------------------------------------------------------

    def is_removed(self, device: str) -> bool:
        """Whether a device was removed from its profile, or the profile deleted."""
        return device in self._removed

    def check_device(self, device: str | None, address: str = "") -> None:
        """Raise if a device was removed, or if it or its address is banned."""
        if device is not None and device in self._removed:
            raise RefusedError(
                "no_device", "this device was removed; ask for a new secret: POST /api/devices"
            )
        until = max(self._banned.get(device or "", 0), self._banned_addresses.get(address, 0))
        if until > self._now():
            raise RefusedError("banned", "the host of this server does not let you in for a while")

    async def decent_name(self, name: str) -> str:
        """A name, tidied up; refused if strangers should not be shown it."""
        words = await asyncio.to_thread(refused_words, self.config.refused_words)
        return decent_name(name, words)

    async def check_listed(self, options: TableOptions, *names: str | None) -> None:
        """Raise if somebody typed a name that strangers should not be shown in the lobby."""
        if self.config.open and options.listed:
            for name in (*names, *(plan.name for plan in options.seats)):
                if name is not None:
                    await self.decent_name(name)

    # --- Seats -----------------------------------------------------------------------------------

    async def siblings(self, device: str | None) -> frozenset[str]:
        """The other devices of the same person."""
        if device is None or not self.config.open:
            return frozenset()
        return await self.store.siblings(device) - {device}

    async def note_game(self, table: Table, device: str | None) -> None:
        """Remember a table among the games of the person whose device has a seat there."""
        if device is not None and self.config.open and table.seats_of(device):
            person = await self.store.person_of(device)
            if person is not None:
                await self.games.note_table(person.id, table.id, self._now())

    async def at_seats(self, table: Table) -> list[Person | None]:
        """The profile of whoever plays at each seat."""
        owners = {owner for chair in table.chairs for owner in chair.owners}
        known = await self.store.people_of(owners)
        return [
            next((known[one] for one in sorted(chair.owners) if one in known), None)
            for chair in table.chairs
        ]

    # --- Keeping up to date ----------------------------------------------------------------------

    async def changed(self) -> None:
        """Take over what was just written, and tell the other servers."""
        await self.refresh()
        self._cluster.announce_people()

    async def refresh(self) -> None:
        """Read who is refused, and carry that out at the tables in memory."""
        began = self._now()
        removed = await self.store.removed_devices(self._read_until)
        banned: dict[str, int] = {}
        addresses: dict[str, int] = {}
        for ban in await self.decency.bans():
            if ban.kind == "address":
                addresses[ban.subject] = ban.until
            elif ban.kind == "device":
                banned[ban.subject] = ban.until
            else:
                for one in await self.store.devices_of(ban.subject):
                    banned[one.device] = ban.until
        news = (removed.keys() - self._removed) | (banned.keys() - self._banned.keys())
        former = {device for device, deleted in removed.items() if deleted} - self.former
        self._removed |= removed.keys()
        self._banned, self._banned_addresses = banned, addresses
        self.former |= former
        self._read_until = max(0, began - OVERLAP)
        if news or former:
            changed = [one for one in self._tables if one.table.forget_names(self.former)]
            self._tables.lobby_number += 1
            await self._turn_away(news, changed)

    async def run(self, troubles: Troubles, metrics: Metrics) -> None:
        """Stay up to date, for ever."""
        seconds = self.config.look_seconds if self.config.open else CLOSED_SECONDS
        while True:
            await troubles.watch(self.refresh(), metrics)
            try:
                async with asyncio.timeout(seconds or CLOSED_SECONDS):
                    await self._news.wait()
            except TimeoutError:
                pass
            self._news.clear()
