"""Retention: delete old tables, and archive their matches as records if the host wants it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import msgspec

from triomino.record import record_of
from triomino.server.events import decode
from triomino.server.replay import LAST_TIME, DamagedError, Replay
from triomino.server.slices import Slices
from triomino.server.snapshot import mark_bots
from triomino.store.analyses import AnalysisStore
from triomino.store.clubs import ClubStore
from triomino.store.folder import write_atomically
from triomino.store.pads import PadStore
from triomino.store.people import PeopleStore
from triomino.store.pushes import PushStore

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path

    from triomino.server.config import Config
    from triomino.server.table import Table
    from triomino.store.log import EventLog, TableRow

DAY = 24 * 3600 * 1000
"""Milliseconds."""


@dataclass(slots=True)
class Cleaned:
    """How many tables were deleted, and how many of them archived."""

    deleted: int = 0
    archived: int = 0


def _always(_: str) -> bool:
    return True


async def clean(
    events: EventLog,
    config: Config,
    now: int,
    may_go: Callable[[str], bool] = _always,
    *,
    dry_run: bool = False,
    slices: Slices | None = None,
) -> Cleaned:
    """Delete the tables whose last event is older than *config* allows.

    *may_go* is asked before each. A table that changes meanwhile is kept, and so is a damaged one
    until somebody has looked at it.
    """
    done, slices = Cleaned(), slices or Slices()
    former = await PeopleStore(events, lambda: now).former_devices()
    for states, days in (
        (["open", "opening"], config.keep_open),
        (["playing"], config.keep_unfinished),
        (["finished", "closed"], config.keep_finished),
    ):
        if days * DAY >= now:
            continue
        limit = now - int(days * DAY)
        async for row, version in _old(events, states, limit):
            if not may_go(row.id):
                continue
            if dry_run:
                done.deleted += 1
                continue
            if config.archive is not None and row.state not in ("open", "opening"):
                try:
                    done.archived += await _archive(events, row.id, config.archive, former, slices)
                except DamagedError:
                    continue
            done.deleted += await events.delete(row.id, version)
    if config.keep_pads * DAY < now and not dry_run:
        await PadStore(events).forget(now - int(config.keep_pads * DAY))
    if config.keep_clubs * DAY < now and not dry_run:
        await ClubStore(events).forget(now - int(config.keep_clubs * DAY))
    if config.keep_pushes * DAY < now and not dry_run:
        await PushStore(events).forget_old(now - int(config.keep_pushes * DAY))
    if config.keep_analyses * DAY < now and not dry_run:
        await AnalysisStore(events).forget(now - int(config.keep_analyses * DAY))
    return done


async def _old(
    events: EventLog, states: list[str], limit: int
) -> AsyncIterator[tuple[TableRow, int]]:
    """The tables whose last event is older than *limit*, with its version."""
    before = limit
    while rows := await events.rows(states=states, before=before, most=500):
        for row in rows:
            before = row.updated
            last = await events.last(row.id)
            if last is None:
                yield row, 0
                continue
            version, data = last
            # Rows are updated when the state of a table changes, not with every move.
            at = _time_of(data)
            if at is None:
                continue
            if at < limit:
                yield row, version
            elif at != row.updated:
                await events.update_row(row.id, row.state, at)


def _time_of(data: bytes) -> int | None:
    """When an event happened, or ``None`` if it is damaged."""
    try:
        at = decode(data).at
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None
    return at if 0 <= at <= LAST_TIME else None


async def _archive(
    events: EventLog, table_id: str, folder: Path, former: set[str], slices: Slices
) -> bool:
    """Write the match of a table to a file, without the names of deleted profiles.

    Return whether there was one.
    """
    replay = Replay(table_id)
    async for page in events.pages(table_id):
        await slices.run(replay.steps(page))
    if replay.table is None or replay.table.match is None:
        return False
    replay.table.forget_names(former)
    await asyncio.to_thread(_write_record, replay.table, folder)
    return True


def _write_record(table: Table, folder: Path) -> None:
    if table.match is None:
        return
    day = datetime.fromtimestamp(table.updated / 1000, UTC)
    record = mark_bots(record_of(table.match), table.by_bot)
    _write(folder / f"{day:%Y-%m-%d}-{table.id}.json", msgspec.json.encode(record).decode() + "\n")


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, text)
