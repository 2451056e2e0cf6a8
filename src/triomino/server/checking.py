"""Reading a whole database to find what is wrong with it, table by table."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from importlib import import_module
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol
from urllib.parse import quote

import msgspec

from triomino.errors import TriominoError
from triomino.pad import ScorePad, act_from_json
from triomino.protocol.api import Analysis
from triomino.reading import Node
from triomino.server.club import Club
from triomino.server.club_events import decode_club
from triomino.server.replay import DamagedError, Replay
from triomino.store.analyses import RECORD
from triomino.store.cells import cell_bytes
from triomino.store.failure import StoreError, first_line
from triomino.store.files import DatabaseFile
from triomino.store.log import STATES, EventLog, missing_package
from triomino.store.upgrade import newest_revision

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from types import ModuleType
    from typing import TypeAlias

    from triomino.server.table import Table

    Progress: TypeAlias = Callable[[int, int], None]

MOST_LINES: Final = 20
"""Of what SQLite says about a damaged file."""

KEY_BYTES: Final = 32
"""Of an Ed25519 key."""

RESTORE: Final = "restore a backup: triomino host restore BACKUP"
SET_ASIDE: Final = "the server sets it aside; a backup from before may have it whole"
BY_ITSELF: Final = "nothing: the server puts it right when the table is opened"


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is wrong with a database."""

    what: Literal["file", "version", "table", "sheet", "evening", "analysis", "key"]
    id: str
    why: str
    todo: str
    harmless: bool = False
    """Whether nothing is lost and nothing has to be done."""


def _no_progress(_done: int, _all: int) -> None:
    pass


class Rows(Protocol):
    """A database to read: a connection of SQLite, or a snapshot of PostgreSQL."""

    def execute(self, query: str, /) -> Iterable[tuple[Any, ...]]:
        """The rows of a query."""
        ...  # pragma: no cover


def check_database(where: Path | str, progress: Progress = _no_progress) -> list[Finding]:
    """Everything that is wrong with a database, which may be in use; nothing is changed.

    *where* is the file of a SQLite database, or the URL of a PostgreSQL one. *progress* is called
    with how many tables were read, and how many there are.
    """
    if is_postgres(where):
        return _check_postgres(str(where), progress)
    path = Path(where)
    try:
        DatabaseFile(path).refuse_foreign_log()
        found = list(_file(path))
        if any(not one.harmless for one in found):
            return found
        if found:  # it is of an older version
            with TemporaryDirectory() as folder:
                return found + _content(_upgraded(path, Path(folder) / "copy.db"), progress)
        return _content(path, progress)
    except (StoreError, sqlite3.Error, OSError) as error:
        return [Finding("file", str(path), first_line(error), RESTORE)]
    except UnicodeDecodeError:  # a message of SQLite that quotes what it found
        return [Finding("file", str(path), "it is malformed", RESTORE)]


def is_postgres(where: Path | str) -> bool:
    """Whether a database is one of PostgreSQL, by its URL."""
    return str(where).startswith(("postgresql:", "postgresql+", "postgres:"))


def hide_password(where: str) -> str:
    """A database as messages name it."""
    if not is_postgres(where):
        return where
    return str(copies_of_postgres().public_name(where))


def copies_of_postgres() -> ModuleType:
    """The module that reads and copies databases of PostgreSQL; it needs an extra package."""
    try:
        return import_module("triomino.store.postgres_copies")
    except ModuleNotFoundError as error:
        raise missing_package(error) from error


def _check_postgres(where: str, progress: Progress) -> list[Finding]:
    """What is wrong with the content; for the files of PostgreSQL there is ``pg_amcheck``."""
    name = hide_password(where)
    try:
        with closing(copies_of_postgres().Snapshot(where)) as database:
            there = "SELECT 1 FROM pg_tables WHERE tablename = 'alembic_version'"
            revision = None
            if list(database.execute(there)):
                [(revision,)] = list(database.execute("SELECT version_num FROM alembic_version"))
            found = list(_version(name, revision))
            if any(not one.harmless for one in found):
                return found
            return found + _all_content(database, progress)
    except StoreError as error:
        return [Finding("file", name, first_line(error), RESTORE)]


def open_read_only(path: Path) -> sqlite3.Connection:
    """Open a database for reading; text that is not UTF-8 is read as well as it can be."""
    connection = sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True)
    connection.text_factory = lambda data: data.decode(errors="replace")
    return connection


def _file(path: Path) -> Iterator[Finding]:
    """What is wrong with the file as such."""
    with closing(open_read_only(path)) as database:
        for (line,) in database.execute(f"PRAGMA integrity_check({MOST_LINES})"):
            if line != "ok":
                yield Finding("file", str(path), str(line).partition("\n")[0], RESTORE)
        try:
            row = database.execute("SELECT version_num FROM alembic_version").fetchone()
        except sqlite3.OperationalError:
            row = None
    yield from _version(str(path), None if row is None else str(row[0]))


def _version(name: str, revision: str | None) -> Iterator[Finding]:
    """What is to be said of the version that a database was written by."""
    newest = newest_revision()
    if revision is None:
        yield Finding("file", name, "this is no database of tables", RESTORE)
    elif revision > newest:
        why = f"it was written by a newer version of this program ({revision}, not {newest})"
        yield Finding("version", name, why, "install that version", harmless=False)
    elif revision < newest:
        why = f"it was written by an older version of this program ({revision}, not {newest})"
        yield Finding("version", name, why, "nothing: the next start upgrades it", True)


def _upgraded(path: Path, copy: Path) -> Path:
    """A copy of an older database in today's form."""

    async def upgrade() -> None:
        await (await EventLog.open(copy)).close()

    with closing(open_read_only(path)) as old, closing(sqlite3.connect(copy)) as new:
        old.backup(new)
    asyncio.run(upgrade())
    return copy


def _content(path: Path, progress: Progress) -> list[Finding]:
    with closing(open_read_only(path)) as database:
        return _all_content(database, progress)


def _all_content(database: Rows, progress: Progress) -> list[Finding]:
    return [
        *_tables(database, progress),
        *_sheets(database),
        *_clubs(database),
        *_analyses(database),
        *_keys(database),
    ]


# --- Tables --------------------------------------------------------------------------------------


def _tables(database: Rows, progress: Progress) -> Iterator[Finding]:
    rows = {row[0]: row[1:] for row in database.execute("SELECT id, state, updated FROM tables")}
    events = database.execute(
        "SELECT table_id, version, data FROM events ORDER BY table_id, version"
    )
    done = 0
    for table_id, group in groupby(events, itemgetter(0)):
        done += 1
        progress(done, max(done, len(rows)))
        row = rows.pop(table_id, None)
        name = _text(table_id)
        try:
            table = _replay(name, group)
        except DamagedError as error:
            yield Finding("table", name, f"event {error.version}: {error.why}", SET_ASIDE)
            continue
        yield from _row(name, row, table)
    for table_id in rows:
        yield Finding("table", _text(table_id), "it has no events", SET_ASIDE)


def _replay(table_id: str, events: Iterator[tuple[Any, Any, Any]]) -> Table:
    replay = Replay(table_id)
    try:
        for _ in replay.steps((version, cell_bytes(data)) for _, version, data in events):
            pass
    finally:
        for _ in events:  # the next group begins after this one
            pass
    if replay.table is None:
        raise DamagedError(table_id, 1, "there are no events")
    return replay.table


def _row(name: str, row: tuple[Any, ...] | None, table: Table) -> Iterator[Finding]:
    """How the row of a table differs from its events."""
    if row is None:
        yield Finding("table", name, "its row is missing, so that no list shows it", RESTORE)
    elif row[0] not in STATES or not isinstance(row[1], int):
        yield Finding("table", name, "its row is damaged, so that no list shows it", RESTORE)
    elif row[0] != table.state:
        yield Finding("table", name, f"its row says {row[0]}, not {table.state}", BY_ITSELF, True)


# --- Sheets and analyses -------------------------------------------------------------------------


def _sheets(database: Rows) -> Iterator[Finding]:
    pads = {_text(pad) for (pad,) in database.execute("SELECT id FROM pads")}
    acts = database.execute("SELECT pad_id, number, data FROM pad_acts ORDER BY pad_id, number")
    for pad, group in groupby(acts, itemgetter(0)):
        steps, name = list(group), _text(pad)
        if name not in pads:
            yield Finding("sheet", name, "it has steps but no row", "nothing: nobody can open it")
        elif why := _why_no_pad(steps):
            yield Finding("sheet", name, why, "let its phone make a new live sheet")


def _why_no_pad(steps: list[tuple[Any, Any, Any]]) -> str | None:
    if [number for _, number, _ in steps] != list(range(len(steps))):
        return "a step is missing"
    try:
        acts = [msgspec.json.decode(cell_bytes(data)) for _, _, data in steps]
        ScorePad(tuple(act_from_json(Node(act, f"acts[{at}]")) for at, act in enumerate(acts)))
    except (TriominoError, ValueError, RecursionError) as error:
        return f"its steps are no score pad ({type(error).__name__})"
    return None


def _clubs(database: Rows) -> Iterator[Finding]:
    rows = {_text(club) for (club,) in database.execute("SELECT id FROM clubs")}
    events = database.execute(
        "SELECT club_id, version, data FROM club_events ORDER BY club_id, version"
    )
    for club, group in groupby(events, itemgetter(0)):
        steps, name = list(group), _text(club)
        if name not in rows:
            yield Finding("evening", name, "it has events but no row", "nothing: it is kept")
        elif [version for _, version, _ in steps] != list(range(1, len(steps) + 1)):
            yield Finding("evening", name, "an event is missing", RESTORE)
        else:
            try:
                Club.load(name, [decode_club(cell_bytes(data)) for _, _, data in steps])
            except Exception as error:  # noqa: BLE001 - whatever is wrong with it
                why = f"its events are no evening ({type(error).__name__})"
                yield Finding("evening", name, why, RESTORE)


def _analyses(database: Rows) -> Iterator[Finding]:
    known = {table for (table,) in database.execute("SELECT id FROM tables")}
    for match, data in database.execute("SELECT id, data FROM analyses"):
        name = _text(match)
        try:
            msgspec.json.decode(cell_bytes(data), type=Analysis)
        except (msgspec.MsgspecError, ValueError, RecursionError):
            yield Finding("analysis", name, "it cannot be read", "ask for it again")
            continue
        if not name.startswith(RECORD) and match not in known:
            why = "its table is not there"
            yield Finding("analysis", name, why, "nothing: nobody can open it", True)


def _keys(database: Rows) -> Iterator[Finding]:
    for name, secret in database.execute("SELECT name, secret FROM keys"):
        # What it holds is never shown.
        if not isinstance(secret, bytes) or len(secret) != KEY_BYTES:
            yield Finding("key", _text(name), "it is no key", RESTORE)


def _text(value: object) -> str:
    return value if isinstance(value, str) else repr(value)
