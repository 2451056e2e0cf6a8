"""``triomino host``: looking after a server while people play at it."""

from __future__ import annotations

import asyncio
import json
import re
import sqlite3
from contextlib import asynccontextmanager, closing
from typing import TYPE_CHECKING, Any

import pytest

from tests.cli.program import Result, triomino
from tests.server.harness import Served, Two, in_loop, serving, table_of_two, until
from tests.server.program import run_here
from triomino.client.player import RefusedByServer
from triomino.server.events import Closed, MovePlayed, decode, encode
from triomino.store.log import EventLog
from triomino.store.postgres_copies import Snapshot

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from triomino.client import RemotePlayer

SOON = 0.05
"""Seconds until the server of a test looks for what its host did."""


@asynccontextmanager
async def playing(folder: Path, **settings: Any) -> AsyncIterator[tuple[Served, Two]]:
    """A server that looks often, and two people who play and watch what happens."""
    async with serving(folder, look_seconds=SOON, **settings) as served:
        two = await table_of_two(served)
        for player in (two.ann, two.ben):
            await player.enter(two.table)
        yield served, two


async def host(served: Served, *arguments: str | Path) -> Result:
    """Run a command of the host beside the server, with connections of its own."""
    return await asyncio.to_thread(run_here, "host", *arguments, "--data", served.config.data)


async def host_program(served: Served, *arguments: str | Path) -> Result:
    """Run a command of the host beside the server, as a program of its own."""
    return await asyncio.to_thread(
        triomino, "host", *arguments, "--data", served.config.data, columns=200
    )


async def play(two: Two, moves: int) -> None:
    for _ in range(moves):
        player = two.ann if two.ann.choices else two.ben
        await player.move(player.choices[0].move)
        await until(lambda: two.ann.version == two.ben.version)


def name_of(player: RemotePlayer, seat: int) -> str | None:
    assert player.state is not None
    return player.state.seats[seat].name


# --- Closing -------------------------------------------------------------------------------------


@in_loop
async def test_closing_a_table_is_told_to_everyone_there(tmp_path: Path, data: str) -> None:
    async with playing(tmp_path, data=data) as (served, two):
        await play(two, 3)
        choice, version = (two.ann.choices or two.ben.choices)[0].move, two.version
        result = await host_program(served, "close", two.table)
        assert (result.code, result.out) == (0, f"Table {two.table} is closed.\n")
        for player in (two.ann, two.ben):
            await player.until(lambda player=player: player.finished)  # type: ignore[misc]
            assert player.state is not None
            assert player.state.state == "closed"
            assert player.version == version + 1
        for player in (two.ann, two.ben):
            with pytest.raises(RefusedByServer, match="is_closed"):
                await player.move(choice)
        row = await served.events.row(two.table)
        assert row is not None
        assert row.state == "closed"
        again = await host(served, "close", two.table)
        assert again.complaint == "the table is already closed"


@in_loop
async def test_a_move_meets_what_the_host_did(tmp_path: Path, data: str) -> None:
    """Before the server has looked, the next change finds out by itself."""
    async with serving(tmp_path, data=data, look_seconds=0) as served:
        two = await table_of_two(served)
        for player in (two.ann, two.ben):
            await player.enter(two.table)
        player = two.ann if two.ann.choices else two.ben
        await host(served, "close", two.table)
        assert two.ann.state is not None
        assert two.ann.state.state == "playing"
        with pytest.raises(RefusedByServer, match="is_closed"):  # checked again, after catching up
            await player.move(player.choices[0].move)
        for player in (two.ann, two.ben):
            await player.until(lambda player=player: player.finished)  # type: ignore[misc]
        last = [decode(data) for data in await served.log(two.table)][-1]
        assert isinstance(last, Closed)


@in_loop
async def test_the_host_meets_moves(tmp_path: Path, data: str) -> None:
    """Somebody who plays at the same moment does not stop the host, nor lose a move."""
    async with playing(tmp_path, data=data) as (served, two):
        running = asyncio.create_task(
            host_program(served, "rename", two.table, "1", "Ben the Second")
        )
        moves = 0
        while not running.done() and not two.game.over:
            player = two.ann if two.ann.choices else two.ben
            try:
                await player.move(player.choices[0].move)
                moves += 1
            except (RefusedByServer, IndexError):
                await asyncio.sleep(0.01)
        assert (await running).code == 0
        for player in (two.ann, two.ben):
            await player.until(
                lambda player=player: name_of(player, 1) == "Ben the Second"  # type: ignore[misc]
            )
        kept = [decode(data) for data in await served.log(two.table)]
        assert sum(isinstance(event, MovePlayed) for event in kept) == moves


@in_loop
async def test_a_bot_does_not_play_on_at_a_closed_table(tmp_path: Path) -> None:
    async with serving(tmp_path, look_seconds=SOON, bot_pause=0.05) as served:
        ann = served.player()
        seats = [{"kind": "here"}, {"kind": "bot", "bot": "greedy"}]
        table = await ann.create(seats, rules={"edition": "classic", "target": 400})
        await ann.start(table)
        await ann.enter(table)
        assert (await host(served, "close", table)).code == 0
        await ann.until(lambda: ann.finished)
        opened = await served.hub.tables.open(table)
        # Nothing is left that could happen by itself.
        await until(lambda: opened.bot_task is None and not served.hub.scheduler._tasks)
        assert len(await served.log(table)) == ann.version


# --- Names ---------------------------------------------------------------------------------------


@in_loop
async def test_removing_a_name(tmp_path: Path, data: str) -> None:
    async with playing(tmp_path, data=data) as (served, two):
        await play(two, 2)
        result = await host(served, "rename", two.table, "1")
        assert result.out == f"Seat 1 of table {two.table} is now called Player 2.\n"
        await two.ann.until(lambda: name_of(two.ann, 1) == "Player 2")
        # The match goes on under the new name.
        await play(two, 2)
        match = served.hub.tables[two.table].table.match
        assert match is not None
        assert match.players[1].name == "Player 2"
        taken = await host(served, "rename", two.table, "1", "Ann")
        assert taken.complaint == "somebody here is already called Ann"
        assert (await host(served, "rename", two.table, "7")).complaint == ("nobody sits at seat 7")
        assert "a name needs" in (await host(served, "rename", two.table, "1", "\u200b")).complaint


# --- Lists and copies ----------------------------------------------------------------------------


@in_loop
async def test_the_list_of_tables(tmp_path: Path, data: str) -> None:
    async with playing(tmp_path, data=data) as (served, two):
        await served.player().create([{"kind": "here", "name": "Cleo"}, {"kind": "link"}])
        result = await host(served, "tables")
        lines = result.lines
        assert lines[0].split() == ["table", "state", "edition", "changed", "events", "seats"]
        by_id = {line.split()[0]: line for line in lines[1:]}
        assert re.split("  +", by_id[two.table].strip())[-2:] == ["3", "0 Ann, 1 Ben"]
        assert "playing" in by_id[two.table]
        (open_one,) = (await host(served, "tables", "--state", "open", "--json")).lines
        table = json.loads(open_one)
        assert (table["state"], table["version"]) == ("open", 1)
        assert [seat["name"] for seat in table["seats"]] == ["Cleo", None]
        assert (await host(served, "tables", "--state", "closed")).out == (
            "There are no such tables.\n"
        )
        assert (await host(served, "tables", "--state", "opn")).complaint == (
            "no such state 'opn'; did you mean 'open'?"
        )
        for secret in (two.secret(0), two.secret(1)):
            assert secret not in result.out + open_one


@in_loop
async def test_the_list_has_no_names_of_deleted_profiles(tmp_path: Path) -> None:
    async with serving(tmp_path, open=True) as served:
        two = await table_of_two(served, host_name="Zebedee")
        await two.ann.request("PUT", "/api/me", {"name": "Zebedee", "face": "tile1"})
        assert "0 Zebedee, 1 Ben" in (await host(served, "tables")).out
        await two.ann.request("DELETE", "/api/me")
        assert "0 Former player 1, 1 Ben" in (await host(served, "tables")).out
        assert "Zebedee" not in (await host(served, "tables", "--json")).out


def kept_in(copy: Path, data: str, table: str) -> list[bytes]:
    """The events of a table in a backup, after it is restored beside what it was made of."""
    where = str(copy) if "://" not in data else f"{data}-again"
    if where != str(copy):
        said = run_here("host", "restore", copy, "--data", where)
        assert (said.code, said.out) == (0, f"The tables are those of {copy}.\n")
    with closing(Snapshot(where) if where != str(copy) else sqlite3.connect(where)) as database:
        rows = database.execute("SELECT table_id, data FROM events ORDER BY table_id, version")
        return [data for name, data in rows if name == table]


@in_loop
async def test_a_backup_of_the_live_database(tmp_path: Path, data: str) -> None:
    async with playing(tmp_path, data=data) as (served, two):
        await play(two, 4)
        copy = tmp_path / "copy.db"
        running = asyncio.create_task(host(served, "backup", copy))
        await play(two, 4)
        assert (await running).out == f"The tables are copied to {copy}.\n"
        whole = await served.log(two.table)
        kept = await asyncio.to_thread(kept_in, copy, data, two.table)
        assert kept == whole[: len(kept)]
        assert len(kept) >= 7
        again = await host(served, "backup", copy)
        assert again.complaint == f"{copy} is there already"
        nowhere = tmp_path / "no" / "copy.db"
        assert "there is no folder" in (await host(served, "backup", nowhere)).complaint


# --- Cleaning ------------------------------------------------------------------------------------


RIGHT = "--date-is-right"
"""The clock of the tests stands in the past, long before the date of the command."""


@in_loop
async def test_a_date_long_after_everything_is_not_believed(tmp_path: Path, data: str) -> None:
    async with serving(tmp_path, data=data) as served:
        await table_of_two(served)
        refused = await host(served, "clean")
        assert refused.code != 0
        assert "--date-is-right" in refused.err
        assert "2023-11-14" in refused.err
        assert await served.events.count() == 1


@in_loop
async def test_cleaning_beside_a_running_server(tmp_path: Path, data: str) -> None:
    async with playing(tmp_path, data=data) as (served, two):
        await play(two, 2)
        await served.player().create([{"kind": "here"}, {"kind": "link"}])
        nothing = await host(
            served, "clean", RIGHT, "--set", "keep_open=1e6", "--set", "keep_unfinished=inf"
        )
        assert nothing.out == "0 tables deleted.\n"
        # The clock of the test stands in the past: both are old enough.
        would = await host(served, "clean", RIGHT, "--dry-run")
        assert would.out == "2 tables would be deleted.\n"
        assert await served.events.count() == 2
        two.ann.heard = []
        records = tmp_path / "records"
        result = await host_program(served, "clean", RIGHT, "--archive", records)
        assert result.out == f"2 tables deleted, 1 of them kept in {records}.\n"
        assert await served.events.count() == 0
        (record,) = records.iterdir()
        assert run_here("replay", "--check", record).code == 0
        # Who is still there hears of it, and nothing can be written on.
        await two.ann.until(lambda: any(b'"deleted"' in data for data in two.ann.heard or []))
        with pytest.raises(RefusedByServer, match="no_table"):
            await two.ann.next_round()
        assert await served.log(two.table) == []


@in_loop
async def test_nobody_writes_on_at_a_deleted_table(tmp_path: Path, data: str) -> None:
    """Not even a server that has not noticed yet."""
    async with serving(tmp_path, data=data, look_seconds=0) as served:
        two = await table_of_two(served)
        for player in (two.ann, two.ben):
            await player.enter(two.table)
        await host(served, "clean", RIGHT)
        player = two.ann if two.ann.choices else two.ben
        with pytest.raises(RefusedByServer, match="no_table"):
            await player.move(player.choices[0].move)
        assert await served.log(two.table) == []
        assert two.table not in served.hub.tables


# --- What it refuses -----------------------------------------------------------------------------


def test_there_must_be_a_database(tmp_path: Path) -> None:
    missing = tmp_path / "none.db"
    for command in (["tables"], ["close", "x"], ["rename", "x", "0"], ["clean"]):
        result = run_here("host", *command, "--data", missing)
        assert result.complaint == (
            f"there is no database {missing}; name the server's own with --data"
        )
    assert not missing.exists()
    assert run_here("host", "backup", tmp_path / "x", "--data", missing).code == 2
    assert "did you mean 'close'?" in run_here("host", "clse").complaint


@in_loop
async def test_a_table_that_is_not_there(tmp_path: Path, data: str) -> None:
    async with serving(tmp_path, data=data) as served:
        assert (await host(served, "close", "nothing")).complaint == (
            "there is no table 'nothing'; see triomino host tables"
        )


@in_loop
async def test_an_event_without_its_predecessor_is_not_written(data: str) -> None:
    log = await EventLog.open(data)
    event = encode(Closed(at=1))
    assert not await log.append("t", 2, event)
    assert await log.append("t", 1, event)
    assert await log.append("t", 2, event)
    # In one transaction with others, too: the gap fails alone.
    won = await asyncio.gather(*(log.append("t", n, event) for n in (3, 5, 4, 7)))
    assert won == [True, False, True, False]
    assert len(await log.read("t")) == 4
    await log.close()
