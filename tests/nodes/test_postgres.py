"""The event log in PostgreSQL: as in SQLite, and by several servers at once."""

from __future__ import annotations

import asyncio
import random
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import asyncpg  # type: ignore[import-untyped]
import pytest
from tools.services import Postgres, program

from tests.effort import WHOLE
from tests.server.harness import in_loop
from tests.server.test_store import row
from triomino.store.analyses import RECORD, AnalysisStore
from triomino.store.failure import StoreError, public_reason
from triomino.store.keys import KeyStore
from triomino.store.log import EventLog
from triomino.store.pace import Pace
from triomino.store.pads import PadRow, PadStore
from triomino.store.postgres import READ_NEW

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable
    from pathlib import Path

RACES = 10_000 if WHOLE else 300


@asynccontextmanager
async def opened(where: str | Path, servers: int = 1) -> AsyncIterator[list[EventLog]]:
    logs = await asyncio.gather(*(EventLog.open(where) for _ in range(servers)))
    try:
        yield logs
    finally:
        for log in logs:
            await log.close()


async def a_life(log: EventLog) -> list[Any]:
    """Do everything that a log can do; what it answered."""
    said: list[Any] = [await log.count(), await log.newest(), await log.read("a")]
    for number, table in enumerate("abc"):
        new = row(
            table, listed=True, updated=number, clock=table == "b", address=f"from {number % 2}"
        )
        said.append(await log.append(table, 1, f"created {table}".encode(), new))
    said.append(await log.append("a", 1, b"once more", row("a")))
    said += await asyncio.gather(*(log.append("a", version, b"x") for version in range(2, 700)))
    said += await asyncio.gather(*(log.append("b", 2, data) for data in (b"first", b"second")))
    said.append(await log.append("b", 9, b"after a gap"))
    said.append(await log.append("nobody", 2, b"without a table"))
    said += [await log.read(table, after=1) for table in "abcd"]
    said += [await log.last("a"), await log.last("d"), await log.row("b"), await log.row("d")]
    said += [await log.versions(["a", "b", "c", "d"]), await log.count()]
    await log.update_row("b", "playing", 90, listed=False)
    said += [await log.rows(states=["open"], listed=True), await log.rows(states=["playing"])]
    said += [await log.rows(states=["open", "playing"], clock=True, since=5, before=100)]
    said += [await log.lobby(2), await log.newest()]
    said += [await log.delete("a", 5), await log.delete("a", 699), await log.delete("c")]
    said += [await log.read("a"), await log.append("a", 700, b"after its end"), await log.count()]
    return said + await _a_life_beside(log)


async def _a_life_beside(log: EventLog) -> list[Any]:
    """Keys, analyses and live sheets."""
    keys, analyses, sheets = KeyStore(log), AnalysisStore(log), PadStore(log)
    said: list[Any] = [await keys.get(b"k" * 32, 1), await keys.get(b"other", 2)]
    await analyses.write("b", 1, b"old", 5)
    await analyses.write("b", 2, b"new", 6)
    await analyses.write(f"{RECORD}x", 2, b"of a record", 7)
    said += [await analyses.read("b", 1), await analyses.read("b", 2), await analyses.forget(10)]
    await sheets.add(PadRow("p", "digest", "here", 5))
    await sheets.append("p", 0, [b"one", b"two"], 6)
    with pytest.raises(Exception, match=r"(?i)unique"):
        await sheets.append("p", 1, [b"two again", b"three"], 7)
    said += [await sheets.row("p"), await sheets.acts("p"), await sheets.acts("p", 1)]
    said += [await sheets.count("here"), await sheets.forget(10), await sheets.row("p")]
    return said


@in_loop
async def test_a_log_lives_as_in_sqlite(tmp_path: Path, database: str) -> None:
    async with opened(tmp_path / "a.db") as [sqlite], opened(database) as [postgres]:
        expected = await a_life(sqlite)
        assert await a_life(postgres) == expected


@in_loop
async def test_servers_that_start_together_migrate_once(database: str) -> None:
    async with opened(database, servers=4) as logs:
        keys = {await KeyStore(log).get(bytes([n]) * 32, 1) for n, log in enumerate(logs)}
        assert len(keys) == 1


@in_loop
async def test_of_two_servers_that_write_a_version_one_wins(database: str) -> None:
    """Each tries to write every version, in any order, at any time."""
    async with opened(database, servers=3) as logs:
        await logs[0].append("t", 1, b"created", row("t"))
        dice, winners = random.Random(1), []
        for version in range(2, 2 + RACES):
            racers = dice.sample(logs, k=3)
            said = await asyncio.gather(
                *(log.append("t", version, str(logs.index(log)).encode()) for log in racers)
            )
            assert sum(said) == 1
            winners.append(str(logs.index(racers[said.index(True)])).encode())
        for log in logs:
            assert await log.read("t", after=1) == winners
    assert len(set(winners)) == 3, "somebody never wins"


@in_loop
async def test_what_waits_shares_a_transaction(database: str) -> None:
    async with opened(database) as [log]:
        await log.append("t", 1, b"created", row("t"))
        before = log.transactions
        assert all(await asyncio.gather(*(log.append("t", n, b"") for n in range(2, 300))))
        assert log.transactions - before <= 2


@in_loop
async def test_busy_appends_share_transactions(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    gap = 0.05
    monkeypatch.setattr(Pace, "gap", lambda *_: gap)  # a slow machine is never busy by the rate
    async with opened(database) as [log]:
        await log.append("t", 1, b"created", row("t"))
        clock, waiting, before = asyncio.get_running_loop().time, [], log.transactions
        began = clock()
        for version in range(2, 202):
            waiting.append(asyncio.create_task(log.append("t", version, b"")))
            await asyncio.sleep(0.001)
        assert all(await asyncio.gather(*waiting))
        assert log.transactions - before <= (clock() - began) / gap + 2


@in_loop
async def test_quiet_appends_are_written_at_once(database: str) -> None:
    async with opened(database) as [log]:
        await log.append("t", 1, b"created", row("t"))
        before = log.transactions
        for version in range(2, 7):
            assert await log.append("t", version, b"")
        assert log.transactions - before == 5


@pytest.fixture
def own_postgres(tmp_path: Path) -> Any:
    server = Postgres()
    try:
        server.start()
        yield server
    finally:
        server.remove()


def test_a_database_that_is_gone_and_back(own_postgres: Postgres) -> None:
    async def main() -> None:
        async with opened(own_postgres.url()) as [log]:
            await log.append("t", 1, b"created", row("t"))
            assert await log.append("t", 2, b"two")
            await asyncio.to_thread(own_postgres.kill)
            attempts: list[Callable[[], Awaitable[object]]] = [
                lambda: log.append("t", 3, b"never"),
                lambda: log.append("u", 1, b"never", row("u")),
                lambda: log.read("t"),
                lambda: log.update_row("t", "playing", 9),
                log.probe,
            ]
            for attempt in attempts:
                with pytest.raises(StoreError) as caught:
                    await attempt()
                assert public_reason(caught.value) == "it cannot be reached", str(caught.value)
            await asyncio.to_thread(own_postgres.start)
            await _works_again(log)
            assert await log.read("t") == [b"created", b"two"]
            assert await log.read("u") == []
            assert await log.append("t", 3, b"three")
            assert log.failure is None

    asyncio.run(main())


async def _works_again(log: EventLog) -> None:
    """It may take one failure to notice that old connections are dead."""
    for _ in range(20):
        try:
            await log.probe()
            return
        except StoreError:
            await asyncio.sleep(0.1)
    await log.probe()


@in_loop
async def test_a_backup_by_pg_dump(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # As PostgreSQL writes it; the driver and its programs call the option by different names.
    async with opened(database.replace("+asyncpg", "") + "?sslmode=prefer") as [log]:
        await log.append("t", 1, b"created", row("t"))
        assert await log.append("t", 2, b"two")
        monkeypatch.setenv("PATH", str(tmp_path))
        with pytest.raises(StoreError, match="pg_dump is missing; install"):
            await log.backup(tmp_path / "copy")
        assert not (tmp_path / "copy").exists()
        monkeypatch.setenv("PATH", str(program("pg_dump").parent))
        await log.backup(tmp_path / "copy")
        assert (tmp_path / "copy").read_bytes().startswith(b"PGDMP")
        assert (tmp_path / "copy").stat().st_mode & 0o777 == 0o600


@in_loop
async def test_addresses_that_lead_nowhere() -> None:
    with pytest.raises(StoreError, match="mysql is no database that is known here"):
        await EventLog.open("mysql://localhost/x")
    with pytest.raises(StoreError, match="the database cannot be opened"):
        await EventLog.open("postgresql+asyncpg://postgres:secret@127.0.0.1:1/x")


@in_loop
async def test_what_is_new_is_found_by_the_index(database: str) -> None:
    """Also before the database has looked at how large its tables are."""
    async with opened(database) as [log]:
        await log.append("a", 1, b"created", row("a"))
        await asyncio.gather(*(log.append("a", version, b"x") for version in range(2, 400)))
        assert await log.read_new({"a": 397, "b": 0}) == {"a": [(398, b"x"), (399, b"x")]}
    connection = await asyncpg.connect(database.replace("+asyncpg", ""))
    try:
        plan = await connection.fetch(f"EXPLAIN {READ_NEW}", ["a", "b"], [397, 0])
    finally:
        await connection.close()
    text = "\n".join(line for (line,) in plan)
    assert "Index Scan" in text
    assert "Seq Scan" not in text
