"""``triomino host check`` and ``host restore``, and logs that belong to another database."""

from __future__ import annotations

import asyncio
import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

import asyncpg  # type: ignore[import-untyped]
import pytest

from tests.cli.program import triomino
from tests.effort import long_only
from tests.server.harness import in_loop, serving, table_of_two
from tests.server.process import ServerProcess
from tests.server.program import run_here
from tests.server.test_damage import DAMAGE, execute
from triomino.client import RemotePlayer
from triomino.server.checking import check_database
from triomino.store.failure import StoreError
from triomino.store.log import EventLog
from triomino.store.postgres_copies import Snapshot

OLD = Path(__file__).parents[1] / "old" / "server.sqlite3"
SEATS = [{"kind": "here", "name": "Ann"}, {"kind": "bot", "bot": "greedy"}]


async def _fill(folder: Path) -> list[str]:
    """A database with a few tables and a live sheet."""
    async with serving(folder) as served:
        tables = [(await table_of_two(served)).table for _ in range(3)]
        await served.http.post("/api/pads")
    return tables


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    folder = tmp_path_factory.mktemp("filled")
    asyncio.run(_fill(folder))
    return (folder / "tables.db").read_bytes()


@pytest.fixture
def database(tmp_path: Path, filled: bytes) -> Path:
    path = tmp_path / "tables.db"
    path.write_bytes(filled)
    return path


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


# --- Checking ------------------------------------------------------------------------------------


def test_a_whole_database_is_in_order(database: Path) -> None:
    said = run_here("host", "check", "--data", database)
    assert (said.code, said.out) == (0, f"{database}: everything is in order.\n")
    said = run_here("host", "check", "--json", "--data", database)
    assert (said.code, said.out) == (0, "")


@pytest.mark.parametrize("kind", DAMAGE)
def test_every_damaged_table_is_named(database: Path, kind: str) -> None:
    DAMAGE[kind](database, "table2")
    before = database.read_bytes()
    said = run_here("host", "check", "--json", "--data", database)
    [finding] = [json.loads(line) for line in said.out.splitlines()]
    assert (said.code, finding["what"], finding["id"]) == (2, "table", "table2")
    assert finding["why"]
    assert finding["todo"]
    assert not finding["harmless"]
    said = run_here("host", "check", "--data", database)
    assert said.code == 2
    assert f"{database}: 1 thing is wrong.\n" in said.out
    assert database.read_bytes() == before


def test_what_else_can_be_wrong(database: Path) -> None:
    execute(database, "UPDATE tables SET state = 'open' WHERE id = 'table1'")
    execute(database, "UPDATE tables SET updated = 'then' WHERE id = 'table2'")
    execute(database, "DELETE FROM tables WHERE id = 'table3'")
    execute(database, "INSERT INTO tables SELECT 'x', 'open', 0, '', 1, 1, 0")
    execute(database, "INSERT INTO analyses VALUES ('table1', 1, 1, x'00')")
    execute(database, "INSERT INTO pad_acts SELECT id, 4, '{}' FROM pads")
    execute(database, "INSERT INTO pad_acts VALUES ('nobody', 0, '{}')")
    execute(database, "UPDATE keys SET secret = x'0102'")
    found = {(one.what, one.id): one for one in check_database(database)}
    assert found["table", "table1"].harmless
    assert "no list" in found["table", "table2"].why
    assert "row is missing" in found["table", "table3"].why
    assert found["table", "x"].why == "it has no events"
    assert found["analysis", "table1"].why == "it cannot be read"
    assert found["key", "signing"].why == "it is no key"
    assert found["sheet", "nobody"].why == "it has steps but no row"
    assert "a step is missing" in {one.why for one in found.values() if one.what == "sheet"}


def test_an_older_database_is_checked_as_it_will_be(tmp_path: Path) -> None:
    path = Path(shutil.copyfile(OLD, tmp_path / "tables.db"))
    before = path.read_bytes()
    said = run_here("host", "check", "--json", "--data", path)
    [note] = [json.loads(line) for line in said.out.splitlines()]
    assert (said.code, note["what"], note["harmless"]) == (0, "version", True)
    assert path.read_bytes() == before


@pytest.mark.parametrize("seed", range(4))
def test_a_spoilt_file_is_never_a_traceback(database: Path, seed: int) -> None:
    dice = Random(seed)
    data = bytearray(database.read_bytes())
    for _ in range(80):
        data[dice.randrange(len(data))] = dice.randrange(256)
    database.write_bytes(data)
    said = run_here("host", "check", "--data", database)
    assert said.code == 2
    assert "wrong" in said.out
    assert not said.err


def test_what_is_no_database(tmp_path: Path) -> None:
    (tmp_path / "a.db").write_text("Dear diary")
    assert run_here("host", "check", "--data", tmp_path / "a.db").code == 2
    assert "there is no database" in run_here("host", "check", "--data", tmp_path / "b.db").err


# --- PostgreSQL ----------------------------------------------------------------------------------


def execute_there(where: str, *statements: str) -> None:
    async def work() -> None:
        connection = await asyncpg.connect(where.replace("+asyncpg", ""))
        for statement in statements:
            await connection.execute(statement)
        await connection.close()

    asyncio.run(work())


async def _fill_postgres(where: str, folder: Path) -> None:
    async with serving(folder, data=where) as served:
        for _ in range(3):
            await table_of_two(served)
        await served.http.post("/api/pads")


def test_a_postgresql_database_is_checked(tmp_path: Path, empty_postgres: str) -> None:
    name = empty_postgres.replace("+asyncpg", "")
    said = run_here("host", "check", "--data", empty_postgres)
    assert (said.code, "this is no database of tables" in said.out) == (2, True)
    asyncio.run(_fill_postgres(empty_postgres, tmp_path))
    said = run_here("host", "check", "--data", empty_postgres)
    assert (said.code, said.out) == (0, f"{name}: everything is in order.\n")
    execute_there(
        empty_postgres,
        "UPDATE tables SET state = 'open' WHERE id = 'table1'",
        "DELETE FROM events WHERE table_id = 'table2' AND version = 2",
        "DELETE FROM tables WHERE id = 'table3'",
        "INSERT INTO tables VALUES ('x', 'open', false, '', 1, 1, false)",
        "INSERT INTO analyses VALUES ('table1', 1, 1, '\\x00')",
        "INSERT INTO pad_acts VALUES ('nobody', 0, '{}')",
        "UPDATE keys SET secret = '\\x0102'",
    )
    found = {(one.what, one.id): one for one in check_database(empty_postgres)}
    assert found["table", "table1"].harmless
    assert found["table", "table2"].why == "event 3: event 2 is missing"
    assert "row is missing" in found["table", "table3"].why
    assert found["table", "x"].why == "it has no events"
    assert found["analysis", "table1"].why == "it cannot be read"
    assert found["key", "signing"].why == "it is no key"
    assert found["sheet", "nobody"].why == "it has steps but no row"
    execute_there(empty_postgres, "UPDATE alembic_version SET version_num = '9999'")
    [newer] = check_database(empty_postgres)
    assert (newer.what, newer.harmless) == ("version", False)
    said = run_here("host", "check", "--data", "postgresql://ann:secret@127.0.0.1:1/x")
    assert said.code == 2
    assert "cannot be opened" in said.out
    assert "secret" not in said.out + said.err


@long_only
def test_a_postgresql_backup_is_restored_and_what_was_there_is_kept(
    tmp_path: Path, empty_postgres: str
) -> None:
    backup = tmp_path / "backup.dump"

    async def fill() -> None:
        async with serving(tmp_path, data=empty_postgres) as served:
            await table_of_two(served)
            run = asyncio.to_thread
            made = await run(run_here, "host", "backup", backup, "--data", empty_postgres)
            assert made.code == 0, made
            await table_of_two(served)
            # Not while somebody uses it.
            said = await run(run_here, "host", "restore", backup, "--data", empty_postgres)
            assert said.code == 2
            assert "is in use; stop all servers first" in said.err

    asyncio.run(fill())
    said = run_here("host", "restore", backup, "--data", empty_postgres)
    assert said.code == 0, said
    kept = said.out.split("is kept as ")[1].rstrip(".\n")
    assert said.out.startswith(f"The tables are those of {backup}.\n")
    assert _tables(empty_postgres) == {"table1"}
    assert _tables(empty_postgres.rpartition("/")[0] + f"/{kept}") == {"table1", "table2"}
    # What is no backup, or one with faults, changes nothing and leaves nothing behind.
    execute_there(empty_postgres, "UPDATE events SET data = '{}' WHERE version = 2")
    faulty = tmp_path / "faulty.dump"
    assert run_here("host", "backup", faulty, "--data", empty_postgres).code == 0
    torn, text = tmp_path / "torn.dump", tmp_path / "text.db"
    torn.write_bytes(backup.read_bytes()[:3000])
    text.write_text("Dear diary")
    for bad, complaint in (
        (torn, "cannot be copied"),
        (text, "use triomino host move"),
        (tmp_path / "none", "there is no backup"),
        (faulty, "restore it with --anyway"),
    ):
        said = run_here("host", "restore", bad, "--data", empty_postgres)
        assert (said.code, complaint in said.err) == (2, True), said
    assert run_here("host", "restore", faulty, "--anyway", "--data", empty_postgres).code == 0
    with closing(Snapshot(empty_postgres)) as there:
        names = [name for (name,) in there.execute("SELECT datname FROM pg_database")]
    assert not [name for name in names if "restoring" in name]


# --- Restoring -----------------------------------------------------------------------------------


async def _make_table(url: str) -> str:
    async with RemotePlayer(url) as ann:
        table = await ann.create(SEATS)
        await ann.start(table)
        return table


def _tables(path: Path | str) -> set[str]:
    said = run_here("host", "tables", "--json", "--data", path)
    assert said.code == 0, said
    return {json.loads(line)["id"] for line in said.out.splitlines()}


def test_a_backup_is_restored_and_what_was_there_is_kept(tmp_path: Path) -> None:
    backup = tmp_path / "backup.db"
    with ServerProcess(tmp_path) as server:
        first = asyncio.run(_make_table(server.url))
        assert run_here("host", "backup", backup, "--data", server.database).code == 0
        second = asyncio.run(_make_table(server.url))
        # Not while somebody uses it.
        said = triomino("host", "restore", backup, "--data", server.database)
        assert said.code == 2
        assert "is in use; stop the server first" in said.err
        assert asyncio.run(_make_table(server.url))
    third = _tables(server.database) - {first, second}
    said = triomino("host", "restore", backup, "--data", server.database, columns=300)
    assert said.code == 0, said
    [kept] = tmp_path.glob("tables.sqlite.replaced-*-??????")
    assert said.out == (
        f"The tables are those of {backup}.\nThe database that was there is kept as {kept}.\n"
    )
    assert _tables(kept) == {first, second} | third
    assert _tables(server.database) == {first}
    assert (mode(server.database), mode(kept)) == (0o600, 0o600)
    with server:
        assert asyncio.run(_make_table(server.url))


@pytest.mark.parametrize(
    ("spoil", "complaint"),
    [
        (lambda path: path.write_text("Dear diary"), "file is not a database"),
        (lambda path: path.write_bytes(path.read_bytes()[:9000]), "cannot be used"),
        (
            lambda path: execute(path, "UPDATE alembic_version SET version_num = '9999'"),
            "newer version",
        ),
        (lambda path: DAMAGE["no JSON"](path, "table2"), "restore it with --anyway"),
        (lambda path: path.unlink(), "there is no backup"),
    ],
)
def test_a_bad_backup_is_refused(
    tmp_path: Path, database: Path, spoil: object, complaint: str
) -> None:
    backup = tmp_path / "backup.db"
    assert run_here("host", "backup", backup, "--data", database).code == 0
    spoil(backup)  # type: ignore[operator]
    before = database.read_bytes()
    said = triomino("host", "restore", backup, "--data", database)
    assert said.code == 2
    assert complaint in " ".join(said.err.split())
    assert database.read_bytes() == before
    assert not list(tmp_path.glob("*.replaced-*"))
    assert not list(tmp_path.glob(".*restoring*"))


def test_a_backup_with_damaged_tables_is_restored_if_the_host_insists(
    tmp_path: Path, database: Path
) -> None:
    backup = tmp_path / "backup.db"
    assert run_here("host", "backup", backup, "--data", database).code == 0
    DAMAGE["no JSON"](backup, "table2")
    database.unlink()
    assert triomino("host", "restore", backup, "--anyway", "--data", database).code == 0
    assert [one.id for one in check_database(database)] == ["table2"]


def test_the_database_itself_is_no_backup(database: Path) -> None:
    said = triomino("host", "restore", database, "--data", database)
    assert "is the database itself" in said.err


# --- A log that belongs to another database ------------------------------------------------------


@pytest.mark.parametrize("how", ["backup", "copy"])
def test_a_copy_beside_the_log_of_another_is_refused(tmp_path: Path, how: str) -> None:
    copy = tmp_path / "copy.db"
    server = ServerProcess(tmp_path)
    with server:
        first = asyncio.run(_make_table(server.url))
        if how == "backup":
            assert run_here("host", "backup", copy, "--data", server.database).code == 0
    if how == "copy":  # by hand, while the server does not run
        shutil.copyfile(server.database, copy)
    server.start()
    second = asyncio.run(_make_table(server.url))
    server.kill()
    log = Path(f"{server.database}-wal")
    assert log.stat().st_size > 32
    # By itself, what is left is whole.
    whole = tmp_path / "whole"
    whole.mkdir()
    for end in ("", "-wal", "-run"):
        shutil.copyfile(f"{server.database}{end}", f"{whole / 'tables.db'}{end}")
    assert _tables(whole / "tables.db") == {first, second}
    # A copy put there by hand, over the old file or in its place, is not.
    shutil.copyfile(copy, server.database)
    for command in (["tables"], ["check"], ["backup", str(tmp_path / "no.db")]):
        said = run_here("host", *command, "--data", server.database)
        assert said.code == 2
        assert "belongs to another database" in said.err + said.out
    said = triomino("serve", "--local", "--port", "0", "--data", server.database)
    assert said.code == 2
    assert "belongs to another database" in said.err
    assert server.database.read_bytes() == copy.read_bytes()
    said = triomino("host", "restore", copy, "--data", server.database, columns=300)
    assert said.code == 0, said
    assert "write-ahead log could not be used" in said.out
    assert _tables(server.database) == {first}
    assert not log.exists() or not log.stat().st_size


@in_loop
async def test_a_log_without_its_database_is_not_thrown_away(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"
    Path(f"{path}-wal").write_bytes(bytes(5000))
    with pytest.raises(StoreError, match="not the database it belongs to"):
        await EventLog.open(path)
    assert Path(f"{path}-wal").stat().st_size == 5000
    assert not path.exists()


@in_loop
async def test_the_mark_changes_with_every_run(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"
    marks = set()
    for _ in range(3):
        log = await EventLog.open(path, new_run=True)
        assert log.file is not None
        marks.add(log.file.mark())
        assert Path(f"{path}-run").read_text() == f"{log.file.mark()}\n"
        assert mode(Path(f"{path}-run")) == 0o600
        await log.close()
    assert len(marks) == 3
    with closing(sqlite3.connect(path)) as database:
        assert database.execute("PRAGMA user_version").fetchone()[0] in marks
