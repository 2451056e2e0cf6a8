"""A rolling upgrade: servers of two versions beside each other on one database."""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import asyncpg  # type: ignore[import-untyped]
import pytest

from tests.effort import long_only
from tests.nodes.newer_main import ADDS, NUMBER, TAKES
from tests.nodes.test_nodes import a_move
from tests.server.harness import in_loop, serving, table_of_two, until
from tests.server.process import ServerProcess
from triomino.client import RemotePlayer
from triomino.client.player import RefusedByServer
from triomino.store.failure import StoreError
from triomino.store.log import EventLog
from triomino.store.postgres_copies import Snapshot
from triomino.store.upgrade import OLDEST, newest_revision

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tools.services import Valkey

    from tests.server.harness import Served, Wire


ROOT = Path(__file__).parents[2]


def newer_server(tmp_path: Path, migration: str, data: str, bus: str) -> ServerProcess:
    folder = tmp_path / "more"
    folder.mkdir(exist_ok=True)
    (folder / f"{NUMBER}_more.py").write_text(migration)
    return ServerProcess(
        tmp_path,
        name="newer",
        main="tests.nodes.newer_main",
        variables={"NEWER": str(folder)},
        data=data,
        bus=bus,
    )


def revision_of(data: str) -> str:
    with closing(Snapshot(data)) as database:
        [(found,)] = database.execute("SELECT version_num FROM alembic_version")
    return str(found)


@long_only
def test_old_and_new_play_side_by_side(tmp_path: Path, database: str, valkey: Valkey) -> None:
    newer = newer_server(tmp_path, ADDS, database, valkey.url)

    async def main() -> None:
        async with serving(tmp_path, data=database, bus=valkey.url) as old:
            two = await table_of_two(old)
            ann = await two.wire(0)
            await asyncio.to_thread(newer.start)  # it migrates while people play
            async with RemotePlayer(newer.url, two.secret(1)) as ben:
                await ben.enter(two.table)
                await _take_turns(old, ann, ben, two.table)
        # A server of the old version is started again: it works on what the newer has made.
        async with serving(tmp_path, number=1, data=database, bus=valkey.url) as again:
            ann = await again.wire_at(two.table, two.secret(0))
            async with RemotePlayer(newer.url, two.secret(1)) as ben:
                await ben.enter(two.table)
                await _take_turns(again, ann, ben, two.table)
            await table_of_two(again)

    try:
        asyncio.run(main())
        assert revision_of(database) == NUMBER
        assert "Traceback" not in newer.log
    finally:
        newer.end_anyhow()


MIGRATIONS = "src/triomino/store/migrations/versions"
NUMBERS = sorted(path.name.partition("_")[0] for path in (ROOT / MIGRATIONS).glob("[0-9]*.py"))
IMPORT = """
import sys
from tests.nodes.older_main import become_older
become_older(sys.argv[1])
import triomino.server.run
"""


def _git(*arguments: str) -> str:
    """What git says of the history, or nothing where there is none."""
    command = ["git", "-C", str(ROOT), *arguments]
    return subprocess.run(command, check=False, capture_output=True, text=True).stdout.strip()


def _commits_with(number: str) -> Iterator[str]:
    """The commits at which this migration was the newest one, newest first."""
    [following] = (ROOT / MIGRATIONS).glob(f"{NUMBERS[NUMBERS.index(number) + 1]}_*.py")
    name = str(following.relative_to(ROOT))
    added = _git("log", "-1", "--diff-filter=A", "--format=%H", "--", name)
    for commit in _git("log", "--format=%H", f"{added}^", "--", "src").split():
        if f"{MIGRATIONS}/{number}_" not in _git(
            "ls-tree", "--name-only", commit, f"{MIGRATIONS}/"
        ):
            return
        yield commit


@pytest.fixture
def older(tmp_path: Path, number: str) -> Path:
    """The newest package that worked when this migration was the newest one."""
    for commit in _commits_with(number):
        folder = tmp_path / commit
        folder.mkdir()
        _git("archive", f"--output={folder}/src.tar", commit, "src")
        shutil.unpack_archive(folder / "src.tar", folder)
        # Not every commit of the history is a program that runs.
        tried = subprocess.run(
            [sys.executable, "-c", IMPORT, str(folder / "src")],
            check=False,
            capture_output=True,
            cwd=ROOT,
        )
        if not tried.returncode:
            return folder / "src"
    pytest.skip("the history has no such program")


@long_only
@pytest.mark.parametrize("number", [one for one in NUMBERS[:-1] if one >= OLDEST])
def test_every_older_version_plays_side_by_side(
    tmp_path: Path, older: Path, number: str, database: str, valkey: Valkey
) -> None:
    """What really ran before each migration since the oldest program that may, no stand-in."""
    old = ServerProcess(
        tmp_path,
        name="older",
        main="tests.nodes.older_main",
        variables={"OLDER": str(older)},
        data=database,
        bus=valkey.url,
    )

    async def main() -> None:
        async with serving(tmp_path, data=database, bus=valkey.url) as new:
            two = await table_of_two(new)
            ann = await two.wire(0)
            async with RemotePlayer(old.url, two.secret(1)) as ben:
                await ben.enter(two.table)
                await _take_turns(new, ann, ben, two.table)
            await _use_something_new(new, old.url)
            await asyncio.to_thread(old.kill)
            await asyncio.to_thread(old.start)  # on what the newer one has made
            async with RemotePlayer(old.url, two.secret(1)) as ben:
                await ben.enter(two.table)
                await _take_turns(new, ann, ben, two.table)

    try:
        old.start()
        assert revision_of(database) == number
        asyncio.run(main())
        assert revision_of(database) == newest_revision()
        assert "Traceback" not in old.log
    finally:
        old.end_anyhow()


async def _use_something_new(new: Served, old_url: str) -> None:
    """An older server leaves alone what it does not understand; the others play on."""
    two = await table_of_two(new, clock_seconds=300, reserve_seconds=60)
    async with RemotePlayer(old_url, two.secret(1)) as ben:
        with pytest.raises(RefusedByServer, match="damaged: the log"):
            await ben.request("GET", f"/api/tables/{two.table}")
    wires = [await two.wire(seat) for seat in (0, 1)]
    for _ in range(3):
        move, ply = a_move(new, two.table), two.ply
        said = await wires[two.game.turn].ask(type="move", move=move, ply=ply)
        assert said["type"] == "ack", said


@in_loop
async def test_older_servers_can_read_an_ordinary_table(tmp_path: Path) -> None:
    """The oldest that may run beside today's refuse options and rules that they do not know."""
    assert OLDEST == "0007", "write created-….json by the program that is the oldest now"
    known = json.loads((ROOT / "tests" / "old" / f"created-{OLDEST}.json").read_text())["options"]
    async with serving(tmp_path) as served:
        two = await table_of_two(served)
        written = json.loads((await served.log(two.table))[0])["options"]
    assert set(written) <= set(known)
    assert set(written["rules"]) <= set(known["rules"])
    assert all(set(seat) <= set(known["seats"][0]) for seat in written["seats"])


async def _take_turns(here: Served, ann: Wire, ben: RemotePlayer, table: str) -> None:
    """Six moves, each at the server of whoever is to move."""
    opened = here.hub.tables[table]
    for _ in range(6):
        before = opened.table.version
        if opened.table.game.turn == 0:
            said = await ann.ask(type="move", move=a_move(here, table), ply=opened.table.ply)
            assert said["type"] == "ack", said
        else:
            await ben.until(lambda before=before: ben.version >= before)  # type: ignore[misc]
            await ben.move(ben.choices[0].move)
        await until(lambda before=before: opened.table.version > before)  # type: ignore[misc]
    await ben.until(lambda: ben.version == opened.table.version)


async def _execute(data: str, statement: str) -> None:
    connection = await asyncpg.connect(data.replace("+asyncpg", ""))
    await connection.execute(statement)
    await connection.close()


@in_loop
async def test_which_newer_databases_are_opened(database: str) -> None:
    """The newest program says which others may run beside it."""
    newest = newest_revision()
    assert newest >= OLDEST
    await (await EventLog.open(database)).close()
    await _execute(database, "UPDATE alembic_version SET version_num = '9999'")
    for oldest, opens in ((newest, True), ("9999", False), (None, False)):
        note = "NULL" if oldest is None else f"'oldest program: {oldest}'"
        await _execute(database, f"COMMENT ON TABLE alembic_version IS {note}")
        if opens:
            await (await EventLog.open(database)).close()
        else:
            with pytest.raises(StoreError, match="newer version"):
                await EventLog.open(database)


def test_a_migration_that_takes_away_is_refused(
    tmp_path: Path, database: str, valkey: Valkey
) -> None:
    """Unless it says that older servers have to be stopped; nothing is changed."""

    async def make() -> None:
        await (await EventLog.open(database)).close()

    asyncio.run(make())
    newer = newer_server(tmp_path, TAKES, database, valkey.url)
    try:
        with pytest.raises(AssertionError, match=r"older servers could not go on: tables\.address"):
            newer.start()
    finally:
        newer.end_anyhow()
    assert revision_of(database) == newest_revision()
    asyncio.run(make())
