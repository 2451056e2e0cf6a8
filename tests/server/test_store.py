"""The event log in real files: who wins, what is shared, what is on disk, and old files."""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
import stat
import threading
from contextlib import asynccontextmanager, closing
from pathlib import Path
from shutil import copyfile
from typing import TYPE_CHECKING, Any

import pytest

from tests.server.harness import FakeClock, serving, until
from triomino.client.player import play_bot
from triomino.record import match_from, verify_deals
from triomino.server.events import decode
from triomino.server.table import Table
from triomino.store.failure import StoreError
from triomino.store.log import EventLog, TableRow

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

OLD_LOG = Path(__file__).with_name("log_0001.jsonl")
"""What tables wrote when the database was at its first revision. Never write it anew."""


@asynccontextmanager
async def opened(path: Path) -> AsyncIterator[EventLog]:
    log = await EventLog.open(path)
    try:
        yield log
    finally:
        await log.close()


def row(table: str, **changes: Any) -> TableRow:
    values: dict[str, Any] = {
        "id": table,
        "state": "open",
        "listed": False,
        "address": "here",
        "created": 1,
        "updated": 1,
        "clock": False,
    }
    return TableRow(**(values | changes))


# --- Appending -----------------------------------------------------------------------------------


def test_events_come_back_in_order(tmp_path: Path) -> None:
    async def main() -> None:
        async with opened(tmp_path / "a.db") as log:
            assert await log.append("t", 1, b"one", row("t"))
            assert await log.append("t", 2, b"two")
            assert await log.append("u", 1, b"other", row("u"))
            assert await log.append("t", 3, b"\x00\xff three")
            assert await log.read("t") == [b"one", b"two", b"\x00\xff three"]
            assert await log.read("t", after=2) == [b"\x00\xff three"]
            assert await log.read("nobody") == []
            assert await log.row("t") == row("t")
            assert await log.row("nobody") is None
            assert await log.count() == 2
        async with opened(tmp_path / "a.db") as log:
            assert await log.read("t") == [b"one", b"two", b"\x00\xff three"]

    asyncio.run(main())


def test_a_version_is_there_once(tmp_path: Path) -> None:
    async def main() -> None:
        async with opened(tmp_path / "a.db") as log:
            assert await log.append("t", 1, b"first", row("t"))
            assert not await log.append("t", 1, b"second", row("t", address="elsewhere"))
            assert await log.read("t") == [b"first"]
            assert await log.row("t") == row("t")

    asyncio.run(main())


def test_of_two_appends_in_one_transaction_one_wins(tmp_path: Path) -> None:
    async def main() -> None:
        async with opened(tmp_path / "a.db") as log:
            before = log.transactions
            names = [f"{number}".encode() for number in range(10)]
            won = await asyncio.gather(
                *(log.append("t", 1, name, row("t")) for name in names),
                log.append("u", 1, b"another table", row("u")),
            )
            assert log.transactions == before + 1
            assert won == [True, *[False] * 9, True]
            assert await log.read("t") == [b"0"]

    asyncio.run(main())


def test_of_two_writers_exactly_one_wins(tmp_path: Path) -> None:
    """Two logs on one file are two servers: each version is written by one of them."""

    async def main() -> None:
        async with opened(tmp_path / "a.db") as one, opened(tmp_path / "a.db") as two:
            wins = {True: 0, False: 0}
            for version in range(1, 31):
                first, second = (one, two) if version % 2 else (two, one)
                won = await asyncio.gather(
                    first.append("t", version, b"first", row("t") if version == 1 else None),
                    second.append("t", version, b"second", row("t") if version == 1 else None),
                )
                assert sorted(won) == [False, True]
                wins[won[0]] += 1
                written = (await one.read("t", after=version - 1))[0]
                assert written == (b"first" if won[0] else b"second")
                assert await two.read("t", after=version - 1) == [written]
            assert await one.count() == 1

    asyncio.run(main())


def test_a_conflict_fails_its_own_append_only(tmp_path: Path) -> None:
    async def main() -> None:
        async with opened(tmp_path / "a.db") as log:
            for number in range(5):
                await log.append(f"t{number}", 1, b"created", row(f"t{number}"))
            await log.append("t3", 2, b"somebody was faster")
            before = log.transactions
            won = await asyncio.gather(*(log.append(f"t{n}", 2, b"move") for n in range(5)))
            assert won == [True, True, True, False, True]
            assert log.transactions == before + 1

    asyncio.run(main())


def test_appends_that_wait_share_a_transaction(tmp_path: Path) -> None:
    async def main() -> None:
        async with opened(tmp_path / "a.db") as log:
            before = log.transactions

            async def play(table: str) -> None:
                assert await log.append(table, 1, b"created", row(table))
                for version in range(2, 12):
                    assert await log.append(table, version, b"move")

            await asyncio.gather(*(play(f"t{number}") for number in range(200)))
            # 200 tables play 11 events each; each lap of all of them fits in one transaction.
            assert 11 <= log.transactions - before <= 2 * 11
            assert [len(await log.read(f"t{number}")) for number in range(200)] == [11] * 200

    asyncio.run(main())


def test_a_move_does_not_wait_for_all_that_others_write(tmp_path: Path) -> None:
    """Whoever has many writes under way delays a move by one or two of them."""

    async def main() -> None:
        async with opened(tmp_path / "a.db") as log:
            done: list[str] = []

            async def write() -> None:
                async with log.writing():
                    await asyncio.sleep(0)
                done.append("other")

            async def move() -> None:
                assert await log.append("a", 1, b"1", row("a"))
                done.append("move")

            others = [asyncio.create_task(write()) for _ in range(30)]
            while not done:
                await asyncio.sleep(0)
            await asyncio.gather(move(), *others)
            assert done.index("move") <= 5

    asyncio.run(main())


def test_more_than_a_batch_waits_for_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("triomino.store.log.BATCH", 10)

    async def main() -> None:
        async with opened(tmp_path / "a.db") as log:
            before = log.transactions
            assert all(await asyncio.gather(*(log.append("t", n, b"") for n in range(1, 96))))
            assert log.transactions == before + 10

    asyncio.run(main())


def test_what_waits_is_written_before_the_log_closes(tmp_path: Path) -> None:
    async def main() -> None:
        log = await EventLog.open(tmp_path / "a.db")
        appends = [asyncio.create_task(log.append("t", n, b"", None)) for n in range(1, 50)]
        await asyncio.sleep(0)
        await log.close()
        assert all(await asyncio.gather(*appends))
        async with opened(tmp_path / "a.db") as again:
            assert len(await again.read("t")) == 49

    asyncio.run(main())


def test_a_failure_reaches_everyone_who_waits_and_the_next_append_works(tmp_path: Path) -> None:
    async def main() -> None:
        async with opened(tmp_path / "a.db") as log:
            assert await log.append("t", 1, b"created", row("t"))
            with closing(sqlite3.connect(tmp_path / "a.db")) as other:
                other.executescript(
                    "CREATE TRIGGER broken BEFORE INSERT ON events WHEN NEW.table_id = 'bad'"
                    " BEGIN SELECT RAISE(ABORT, 'the disk is full'); END"
                )
            before = log.transactions
            said = await asyncio.gather(
                log.append("t", 2, b"good"),
                log.append("bad", 1, b"bad", row("bad")),
                log.append("u", 1, b"good", row("u")),
                return_exceptions=True,
            )
            assert all(isinstance(one, StoreError) for one in said), said
            assert {str(one) for one in said} == {"the event log failed: the disk is full"}
            assert log.transactions == before
            # Nothing of that batch was kept, and the log goes on.
            assert await log.read("t") == [b"created"]
            assert await log.read("u") == []
            assert await log.append("t", 2, b"good")
            assert await log.append("u", 1, b"good", row("u"))
            assert await log.read("t") == [b"created", b"good"]

    asyncio.run(main())


def test_one_who_stops_waiting_does_not_stop_the_others(tmp_path: Path) -> None:
    async def main() -> None:
        async with opened(tmp_path / "a.db") as log:
            impatient = asyncio.create_task(log.append("t", 1, b"", row("t")))
            patient = asyncio.create_task(log.append("u", 1, b"", row("u")))
            await asyncio.sleep(0)
            impatient.cancel()
            assert await patient
            assert await log.append("v", 1, b"", row("v"))

    asyncio.run(main())


# --- Durable -------------------------------------------------------------------------------------


def test_checkpoints_are_made_in_the_background(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No writer has to stop to empty the write-ahead log."""
    monkeypatch.setattr("triomino.store.log.TEND_SECONDS", 0.05)
    alone = tmp_path / "alone" / "a.db"
    alone.parent.mkdir()

    def stored() -> int:
        copyfile(tmp_path / "a.db", alone)  # without the write-ahead log
        try:
            with closing(sqlite3.connect(alone)) as connection:
                return int(connection.execute("SELECT count(*) FROM events").fetchone()[0])
        except sqlite3.DatabaseError:
            return 0  # not yet, or only half of it

    async def main() -> None:
        async with opened(tmp_path / "a.db") as log:
            for version in range(1, 21):
                assert await log.append("t", version, b"event", row("t") if version == 1 else None)
            await until(lambda: stored() == 20)

    asyncio.run(main())


def test_the_live_connection_waits_for_the_disk(tmp_path: Path) -> None:
    """Kill -9 cannot show a missing fsync; this can."""

    async def main() -> None:
        async with serving(tmp_path) as served:
            ann = served.player()
            await ann.create([{"kind": "here"}, {"kind": "link"}])
            assert await served.events.pragma("synchronous") == 2
            assert await served.events.pragma("journal_mode") == "wal"
            # There is one connection that writes: the one that was just asked.
            async with served.events.database.writer.connect() as one:
                raw = await one.get_raw_connection()
                first = raw.driver_connection
            async with served.events.database.writer.begin() as two:
                raw = await two.get_raw_connection()
                assert raw.driver_connection is first

    asyncio.run(main())


# --- Rows ----------------------------------------------------------------------------------------


def test_tables_are_found_by_what_their_rows_say(tmp_path: Path) -> None:
    async def main() -> None:
        async with opened(tmp_path / "a.db") as log:
            rows = [
                row("a", updated=10),
                row("b", updated=30, listed=True),
                row("c", updated=20, state="playing", clock=True),
                row("d", updated=40, state="finished", address="there"),
            ]
            for one in rows:
                await log.append(one.id, 1, b"", one)

            async def found(**wanted: Any) -> str:
                return "".join([one.id for one in await log.rows(**wanted)])

            every = ["open", "playing", "finished"]
            assert await found(states=every) == "dbca"
            assert await found(states=every, most=2) == "db"
            assert await found(states=["open"]) == "ba"
            assert await found(states=every, listed=True) == "b"
            assert await found(states=every, clock=True) == "c"
            assert await found(states=every, address="there") == "d"
            assert await found(states=every, before=30) == "ca"
            await log.update_row("a", "playing", 50)
            assert await found(states=["playing"]) == "ac"

    asyncio.run(main())


def test_a_deleted_table_is_gone_and_its_neighbours_are_not(tmp_path: Path) -> None:
    async def main() -> None:
        async with opened(tmp_path / "a.db") as log:
            for table in ("t", "u"):
                await log.append(table, 1, b"created", row(table))
                await log.append(table, 2, b"move")
            await log.delete("t")
            assert await log.read("t") == []
            assert await log.row("t") is None
            assert await log.read("u") == [b"created", b"move"]
            assert await log.count() == 1
            await log.delete("nobody")
            assert await log.append("t", 1, b"anew", row("t"))

    asyncio.run(main())


# --- A copy of a running database ----------------------------------------------------------------


def test_a_backup_of_a_live_database_opens_and_holds_the_same(tmp_path: Path) -> None:
    async def main() -> None:
        async with opened(tmp_path / "a.db") as log:
            await log.append("t", 1, b"created", row("t", listed=True))
            for version in range(2, 50):
                await log.append("t", version, f"move {version}".encode())

            async def play_on() -> None:
                for version in range(50, 150):
                    assert await log.append("t", version, f"move {version}".encode())

            playing = asyncio.create_task(play_on())
            await log.backup(tmp_path / "copy.db")
            await playing
            async with opened(tmp_path / "copy.db") as copy:
                all_events, copied = await log.read("t"), await copy.read("t")
                assert len(copied) >= 49
                assert copied == all_events[: len(copied)]
                assert await copy.row("t") == await log.row("t")
                assert await copy.append("t", len(copied) + 1, b"it goes on")
            with pytest.raises(StoreError, match="is there already"):
                await log.backup(tmp_path / "copy.db")

    asyncio.run(main())


def test_a_backup_of_a_server_serves_the_same_tables(tmp_path: Path) -> None:
    async def main() -> None:
        (tmp_path / "copy").mkdir()
        async with serving(tmp_path) as served:
            ann = served.player()
            table = await ann.create([{"kind": "here"}, {"kind": "bot", "bot": "greedy"}])
            await ann.start(table)
            state = await ann.enter(table)
            await served.events.backup(tmp_path / "copy" / "tables.db")
            secret = ann.secret
        async with serving(tmp_path / "copy") as served:
            again = await served.player(secret).enter(table)
            assert again.racks == state.racks
            assert again.fair == state.fair

    asyncio.run(main())


# --- Files of other versions ---------------------------------------------------------------------

FIRST_REVISION = """
CREATE TABLE alembic_version (
    version_num VARCHAR(32) NOT NULL, CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO alembic_version VALUES ('0001');
CREATE TABLE tables (
    id VARCHAR(40) NOT NULL, state VARCHAR(10) NOT NULL, listed BOOLEAN NOT NULL,
    address VARCHAR(64) NOT NULL, created BIGINT NOT NULL, updated BIGINT NOT NULL,
    PRIMARY KEY (id)
);
CREATE TABLE events (
    table_id VARCHAR(40) NOT NULL, version BIGINT NOT NULL, data BLOB NOT NULL,
    PRIMARY KEY (table_id, version)
) WITHOUT ROWID;
"""


def old_file(path: Path) -> None:
    """A data file as the first revision of the database left it, with two tables of three."""
    with closing(sqlite3.connect(path)) as database:
        database.executescript(FIRST_REVISION)
        for line in OLD_LOG.read_text("utf-8").splitlines():
            item = json.loads(line)
            data = json.dumps(item["event"], ensure_ascii=False, separators=(",", ":")).encode()
            database.execute(
                "INSERT INTO events VALUES (?, ?, ?)", (item["table"], item["version"], data)
            )
        for table, state, updated in (
            ("old-finished", "finished", 36_000),
            ("old-unfinished", "playing", 5_000),
        ):
            database.execute(
                "INSERT INTO tables VALUES (?, ?, 1, 'here', 1000, ?)", (table, state, updated)
            )
        database.commit()


def test_a_file_of_the_first_revision_opens(tmp_path: Path) -> None:
    old_file(tmp_path / "old.db")

    async def main() -> None:
        for _ in range(2):  # the second time it is up to date already
            async with opened(tmp_path / "old.db") as log:
                assert await log.count() == 2
                rows = await log.rows(states=["finished", "playing"])
                assert [one.id for one in rows] == ["old-finished", "old-unfinished"]
                # Both had a clock; the file did not say so yet, but their events did.
                assert [one.clock for one in rows] == [True, True]
                table = Table.load("old-finished", map(decode, await log.read("old-finished")))
                assert table.state == "finished"
                assert table.rematch == "old-unfinished"

    asyncio.run(main())


def test_at_a_table_of_the_first_revision_people_play_on(tmp_path: Path) -> None:
    old_file(tmp_path / "tables.db")

    async def main() -> None:
        async with serving(tmp_path, clock=FakeClock(20.0)) as served:
            ann = served.player("the secret of ann")
            ben = served.player("the secret of ben")
            old = match_from(await ann.record("old-finished"))
            verify_deals(old)
            assert [player.name for player in old.players] == ["Ann", "בן", "Easy"]
            assert len(old.rounds) == 2
            assert old.scores == (169, 13, 11)
            for player in (ann, ben):
                state = await player.enter("old-unfinished")
                assert state.version >= 10
                assert state.state == "playing"
            assert ann.state is not None
            assert list(ann.state.racks) == ["0"]
            await asyncio.gather(*(play_bot(one, lambda c, _: c[0].move) for one in (ann, ben)))
            match = match_from(await ann.record("old-unfinished"))
            verify_deals(match)
            assert match.over
            link = await served.player("another secret of ben").claim(
                "old-unfinished", "a link to the seat of ben"
            )
            assert link == 1

    asyncio.run(main())


@pytest.mark.parametrize("revision", ["9999", "nonsense"])
def test_a_file_of_a_newer_version_is_refused(tmp_path: Path, revision: str) -> None:
    path = tmp_path / "new.db"

    async def main() -> None:
        async with opened(path) as log:
            await log.append("t", 1, b"created", row("t"))
        with closing(sqlite3.connect(path)) as database:
            database.execute("UPDATE alembic_version SET version_num = ?", (revision,))
            database.commit()
        before = path.read_bytes()
        with pytest.raises(StoreError, match="newer version") as caught:
            await EventLog.open(path)
        assert "\n" not in str(caught.value)
        assert path.read_bytes() == before

    asyncio.run(main())


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_bytes(b"buy milk\n" * 1000)
    (tmp_path / "folder").mkdir()
    before = set(threading.enumerate())

    async def main() -> None:
        for name, reason in (("notes.txt", "not a database"), ("folder", "unable to open")):
            with pytest.raises(StoreError, match=reason) as caught:
                await EventLog.open(tmp_path / name)
            assert "\n" not in str(caught.value)
        assert (tmp_path / "notes.txt").read_bytes().startswith(b"buy milk")
        # No connection is left behind, whose thread would go on and complain.
        await until(lambda: before.issuperset(threading.enumerate()))

    asyncio.run(main())


def test_a_folder_that_is_not_there_is_made(tmp_path: Path) -> None:
    async def main() -> None:
        async with opened(tmp_path / "deep" / "down" / "a.db") as log:
            assert await log.count() == 0

    asyncio.run(main())


# --- The file itself -----------------------------------------------------------------------------


@pytest.fixture
def permissive() -> Iterator[None]:
    """A process whose new files everybody may read and write."""
    before = os.umask(0)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.usefixtures("permissive")
def test_only_its_owner_reads_a_database_and_its_backup(tmp_path: Path) -> None:
    folder = tmp_path / "data"

    async def main() -> None:
        async with opened(folder / "a.db") as log:
            await log.append("t", 1, b"created", row("t"))
            await log.backup(tmp_path / "copy.db")
            files = [*folder.iterdir(), tmp_path / "copy.db"]
            assert {path.name for path in files} >= {"a.db", "a.db-wal", "a.db-shm", "copy.db"}
            assert {path.name: mode(path) for path in files if mode(path) != 0o600} == {}

    asyncio.run(main())
    assert mode(folder) == 0o700


@pytest.mark.usefixtures("permissive")
def test_a_database_that_others_could_read_is_closed_to_them(tmp_path: Path) -> None:
    path = tmp_path / "a.db"

    async def main() -> None:
        async with opened(path) as log:
            await log.append("t", 1, b"created", row("t"))
        path.chmod(0o644)
        async with opened(path) as log:
            assert mode(path) == 0o600
            assert await log.count() == 1

    asyncio.run(main())


def test_a_backup_into_a_folder_that_is_not_there_says_so(tmp_path: Path) -> None:
    async def main() -> None:
        async with opened(tmp_path / "a.db") as log:
            with pytest.raises(StoreError, match="unable to open"):
                await log.backup(tmp_path / "nowhere" / "copy.db")

    asyncio.run(main())


def test_a_backup_that_fails_leaves_no_file(tmp_path: Path) -> None:
    async def main() -> None:
        async with opened(tmp_path / "a.db") as log:
            (tmp_path / "copy.db-journal").mkdir()
            with pytest.raises(StoreError):
                await log.backup(tmp_path / "copy.db")
            assert not (tmp_path / "copy.db").exists()

    asyncio.run(main())


def test_no_secret_of_a_device_or_a_link_is_on_the_disk(tmp_path: Path) -> None:
    async def main() -> None:
        async with serving(tmp_path) as served:
            ann, ben = served.player(), served.player()
            table = await ann.create([{"kind": "here"}, {"kind": "link"}])
            await ben.sit(table, "Ben")
            link = await ben.link(table, 1)
            await served.player("a secret of one's own choice").claim(table, link)
            await ann.start(table)
            await ann.enter(table)
            secrets = [ann.secret, ben.secret, link, "a secret of one's own choice"]
        written = b"".join(path.read_bytes() for path in tmp_path.iterdir())
        assert b"Ben" in written  # what is there can be found
        for secret in secrets:
            assert secret
            assert secret.encode() not in written

    asyncio.run(main())
