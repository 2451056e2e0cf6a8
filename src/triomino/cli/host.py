"""``triomino host``: administration of a server, while it runs or not."""

from __future__ import annotations

import asyncio
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
import typer
from rich.markup import escape
from rich.table import Table

from triomino.cli.options import AsJson, ConfigFile, Data, ServerSettings
from triomino.errors import TriominoError, nearest
from triomino.server.config import read_config
from triomino.server.hosting import close_table, list_tables, now, opened
from triomino.server.hosting import rename as rename_seat
from triomino.server.retention import clean as clean_tables
from triomino.terminal.output import console, print_json

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from typing import TypeVar

    from triomino.protocol.api import TableSummary
    from triomino.server.config import Config
    from triomino.server.replay import DamagedError
    from triomino.store.log import EventLog

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


def tables(
    data: Data = None,
    config: ConfigFile = None,
    state: Annotated[
        str | None, typer.Option("--state", help="Only open, playing, finished or closed ones.")
    ] = None,
    most: Annotated[int, typer.Option("--most", min=1, help="At most so many.")] = 50,
    as_json: AsJson = False,
) -> None:
    """List the tables, the latest first.

    For example:

        triomino host tables --state playing
    """
    states = ["open", "playing", "finished", "closed"]
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
    """Close a table for good: nobody can play on at it.

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


def clean(
    data: Data = None,
    config: ConfigFile = None,
    settings: ServerSettings = None,
    archive: Annotated[
        Path | None, typer.Option("--archive", help="Keep the matches as records there.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say how many.")] = False,
) -> None:
    """Delete old tables. A running server does it by itself once a day.

    How long tables are kept is set in days: keep_open for those that nobody started,
    keep_unfinished and keep_finished.

    For example:

        triomino host clean --set keep_finished=30 --archive records
    """
    made = _config(config, settings, data, archive=archive and str(archive))
    done = _on_log(made.data, lambda events: clean_tables(events, made, now(), dry_run=dry_run))
    would = "would be " if dry_run else ""
    archived = f", {done.archived} of them kept in {made.archive}" if done.archived else ""
    print(f"{done.deleted} tables {would}deleted{archived}.")
