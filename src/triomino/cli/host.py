"""``triomino host``: administration of a server, while it runs or not."""

from __future__ import annotations

import asyncio
import math
from contextlib import contextmanager
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
import typer
from rich.markup import escape
from rich.table import Table

from triomino.cli.options import AsJson, ConfigFile, Data, ServerSettings
from triomino.errors import TriominoError, nearest
from triomino.ratings import Rating, Ratings
from triomino.server.checking import check_database, hide_password, is_postgres
from triomino.server.config import locate, read_config
from triomino.server.dates import check_date
from triomino.server.host_key import new_host_key
from triomino.server.hosting import close_table, list_tables, now, opened
from triomino.server.hosting import rename as rename_seat
from triomino.server.restoring import restore as put_back
from triomino.server.restoring import restore_postgres as put_back_there
from triomino.server.retention import clean as clean_tables
from triomino.store.log import EventLog
from triomino.store.moving import copy_database
from triomino.store.ratings import RatingStore
from triomino.terminal.output import console, print_json
from triomino.terminal.output import progress as progress_bar

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator
    from typing import TypeVar

    from triomino.protocol.api import TableSummary
    from triomino.server.config import Config
    from triomino.server.replay import DamagedError
    from triomino.server.retention import Cleaned

    T = TypeVar("T")

TableId = Annotated[str, typer.Argument(metavar="TABLE", help="The table's id.")]


def _on_log(data: str, work: Callable[[EventLog], Awaitable[T]]) -> T:
    """Run *work* on a server's event log."""

    async def do() -> T:
        async with opened(data) as events:
            return await work(events)

    return asyncio.run(do())


def _config(
    file: Path | None, settings: list[str] | None, data: str | None, **options: object
) -> Config:
    given = {name: value for name, value in options.items() if value is not None}
    if data is not None:
        given["data"] = data
    return read_config(file, settings or [], given)


def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where the copy goes.")],
    data: Data = None,
    config: ConfigFile = None,
) -> None:
    """Copy the database, whole and consistent, while the server runs.

    For example:

        triomino host backup tables-backup.db
    """
    if not file.parent.is_dir():
        raise TriominoError(f"{file}: there is no folder {file.parent}")
    _on_log(_config(config, None, data).data, lambda events: events.backup(file))
    print(f"The tables are copied to {file}.")


def restore(
    backup: Annotated[Path, typer.Argument(metavar="BACKUP", help="Made by host backup.")],
    data: Data = None,
    config: ConfigFile = None,
    anyway: Annotated[
        bool, typer.Option("--anyway", help="Even if tables in the backup are damaged.")
    ] = False,
) -> None:
    """Put a backup in the place of the database. No server may run on it.

    The backup is checked first. The database that was there is kept beside the new one.

    For example:

        triomino host restore tables-backup.db
    """
    where = _config(config, None, data).data
    with _reading("Reading the backup") as progress:
        if is_postgres(where):
            done = put_back_there(backup, where, progress, anyway=anyway)
        else:
            done = put_back(backup, Path(where), progress, anyway=anyway)
    print(f"The tables are those of {backup}.")
    if done.kept is not None:
        print(f"The database that was there is kept as {done.kept}.")
    if done.with_log:
        print(f"Its write-ahead log could not be used; it is kept as {done.kept}-wal.")


def move(
    to: Annotated[str, typer.Argument(metavar="TO", help="An empty database, or a new file.")],
    data: Data = None,
    config: ConfigFile = None,
) -> None:
    """Copy all tables to another database: SQLite or PostgreSQL. The server must not run.

    The database that is there is left as it is. Start the server with --data TO afterwards.

    For example:

        triomino host move postgresql://triomino@db.example/tables

        triomino host move back.db --data postgresql://triomino@db.example/tables
    """

    async def copy(events: EventLog) -> int:
        target = await EventLog.open(locate(to))
        try:
            return await copy_database(events, target, progress)
        finally:
            await target.close()

    with _reading("Copying") as progress:
        rows = _on_log(_config(config, None, data).data, copy)
    print(f"Everything is copied: {rows} rows.")


def check(data: Data = None, config: ConfigFile = None, as_json: AsJson = False) -> None:
    """Read the whole database and say what is wrong, table by table.

    Nothing is changed, and the server may run. If something is wrong the exit code is 2.

    For example:

        triomino host check

    --json prints an object for each finding: what it is about, its id, what is wrong, what to do
    about it, and whether it is harmless.
    """
    where = _config(config, None, data).data
    if not is_postgres(where) and not Path(where).is_file():
        raise TriominoError(f"there is no database {where}; name the server's own with --data")
    with _reading("Reading tables") as progress:
        found = check_database(where, progress)
    for one in found:
        if as_json:
            print_json(asdict(one))
        else:
            print(f"{one.what} {one.id}: {one.why}\n    {one.todo}")
    wrong = sum(not one.harmless for one in found)
    if not as_json:
        said = f"{wrong} {'thing is' if wrong == 1 else 'things are'} wrong"
        print(f"{hide_password(where)}: {said if wrong else 'everything is in order'}.")
    if wrong:
        raise typer.Exit(2)


@contextmanager
def _reading(what: str) -> Iterator[Callable[[int, int], None]]:
    """A progress bar on a terminal, as a function of how much is done of how much."""
    with progress_bar() as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def tables(
    data: Data = None,
    config: ConfigFile = None,
    state: Annotated[
        str | None,
        typer.Option("--state", help="Only open, opening, playing, finished or closed ones."),
    ] = None,
    most: Annotated[int, typer.Option("--most", min=1, help="Show at most this many.")] = 50,
    as_json: AsJson = False,
) -> None:
    """List the tables, the latest first.

    For example:

        triomino host tables --state playing
    """
    states = ["open", "opening", "playing", "finished", "closed"]
    if state is not None and state not in states:
        raise TriominoError(f"no such state {state!r}; {nearest(state, states)}")
    found, damaged = _on_log(
        _config(config, None, data).data,
        lambda events: list_tables(events, states if state is None else [state], most),
    )
    _print_tables(found, damaged, as_json=as_json)


def _print_tables(
    found: list[tuple[TableSummary, int]], damaged: list[DamagedError], *, as_json: bool
) -> None:
    if as_json:
        for table, version in found:
            data: dict[str, Any] = msgspec.to_builtins(table)
            data.pop("you")
            print_json(data | {"version": version})
        for error in damaged:
            print_json({"id": error.table, "damaged": error.why, "event": error.version})
        return
    if not found and not damaged:
        print("There are no such tables.")
        return
    if found:
        _print_page(found)
    for error in damaged:
        print(f"Table {error.table} is damaged at event {error.version}: {error.why}.")
    if damaged:
        print("Damaged tables are set aside; see triomino host check.")


def _print_page(found: list[tuple[TableSummary, int]]) -> None:
    names = ("table", "state", "edition", "changed", "events", "seats")
    page = Table(*names, box=None, pad_edge=False)
    for table, version in found:
        changed = datetime.fromtimestamp(table.updated / 1000).astimezone()
        seats = ", ".join(f"{n} {seat.name or '(free)'}" for n, seat in enumerate(table.seats))
        page.add_row(
            table.id,
            table.state,
            table.edition,
            f"{changed:%Y-%m-%d %H:%M}",
            str(version),
            escape(seats),
        )
    console().print(page)


def close(table: TableId, data: Data = None, config: ConfigFile = None) -> None:
    """Close a table for good: nobody can continue it.

    For example:

        triomino host close kX3f9aQ2bC1d
    """
    _on_log(_config(config, None, data).data, lambda events: close_table(events, table))
    print(f"Table {table} is closed.")


def rename(
    table: TableId,
    seat: Annotated[int, typer.Argument(metavar="SEAT", help="Its number, as in the list.")],
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name it gets.")] = "",
    data: Data = None,
    config: ConfigFile = None,
) -> None:
    """Give a seat another name; without a NAME, one that offends nobody.

    For example:

        triomino host rename kX3f9aQ2bC1d 1 "Player 2"
    """
    name = name or f"Player {seat + 1}"
    changed = _on_log(
        _config(config, None, data).data, lambda events: rename_seat(events, table, seat, name)
    )
    print(f"Seat {seat} of table {table} is now called {changed.chairs[seat].name}.")


def key(data: Data = None, config: ConfigFile = None) -> None:
    """Make a new key for the host's page, and show it once.

    The page is /host on your server: tables, people, reports and bans. Earlier keys open nothing
    any more. Only a digest of the key is stored.

    For example:

        triomino host key
    """
    made = _on_log(_config(config, None, data).data, lambda events: new_host_key(events, now()))
    print(f"The key of the host's page is {made}")
    print(f"Open /host on your server and type it in, or add it to the address: /host#key={made}")


def clean(  # noqa: PLR0917 - each is an option
    data: Data = None,
    config: ConfigFile = None,
    settings: ServerSettings = None,
    archive: Annotated[
        Path | None, typer.Option("--archive", help="Keep the matches as records there.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say how many.")] = False,
    date_is_right: Annotated[
        bool, typer.Option("--date-is-right", help="Also if nothing was stored for a month.")
    ] = False,
) -> None:
    """Delete old tables. A running server does it by itself once a day.

    How long tables are kept is set in days: keep_open for those that nobody started,
    keep_unfinished and keep_finished.

    For example:

        triomino host clean --set keep_finished=30 --archive records
    """
    made = _config(config, settings, data, archive=archive and str(archive))

    async def work(events: EventLog) -> Cleaned:
        if not date_is_right:
            await check_date(events, now())
        return await clean_tables(events, made, now(), dry_run=dry_run)

    done = _on_log(made.data, work)
    would = "would be " if dry_run else ""
    archived = f", {done.archived} of them kept in {made.archive}" if done.archived else ""
    print(f"{done.deleted} tables {would}deleted{archived}.")


def ratings(
    rebuild: Annotated[
        bool, typer.Option("--rebuild", help="Replace the stored ratings. Stop the server first.")
    ] = False,
    data: Data = None,
    config: ConfigFile = None,
    as_json: AsJson = False,
) -> None:
    """Compute all ratings anew from the results, and compare them with the stored ones.

    It fails if they differ. For example:

        triomino host ratings
    """

    async def compare(events: EventLog) -> tuple[int, int, int]:
        store = RatingStore(events)
        matches, stored = await store.matches(), await store.all()
        computed = Ratings.folded(matches).items()
        wrong = sum(
            not _same_rating(stored.get(key), computed.get(key)) for key in {*stored, *computed}
        )
        if rebuild and wrong:
            await store.replace_all(computed)
        return len(matches), len(computed), wrong

    count, people, wrong = _on_log(_config(config, None, data).data, compare)
    if as_json:
        print_json({"matches": count, "ratings": people, "wrong": wrong, "rebuilt": rebuild})
    else:
        done = " They were replaced." if rebuild and wrong else ""
        print(f"{count} rated matches, {people} ratings, {wrong} of them wrong.{done}")
    if wrong and not rebuild:
        raise typer.Exit(1)


def _same_rating(one: Rating | None, other: Rating | None) -> bool:
    """Whether two ratings are equal, but for what rounding may do on another machine."""
    if one is None or other is None:
        return one is other
    close = math.isclose(one.mu, other.mu, abs_tol=1e-6)
    return (
        close
        and math.isclose(one.sigma, other.sigma, abs_tol=1e-6)
        and (one.matches == other.matches)
    )
