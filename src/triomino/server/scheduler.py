"""What happens at a table without a client: bots move, clocks run out, absent people are replaced.

Nothing here changes a table itself: every change goes through the ``change`` that the scheduler is
given, :meth:`triomino.server.hub.Hub.change`.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import time
from functools import partial
from typing import TYPE_CHECKING, Final, Literal, ParamSpec, Protocol, TypeVar

from triomino.bots import make_bot
from triomino.dice import Rng
from triomino.server.bounds import why_full
from triomino.server.events import RoundBegun
from triomino.server.leases import Leases
from triomino.server.slots import FairSlots, background_threads
from triomino.server.table import RefusedError
from triomino.server.turn_clock import runs
from triomino.store.failure import StoreError
from triomino.view import View

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine

    from triomino.rules import Seat
    from triomino.server.config import Config
    from triomino.server.events import AnyEvent
    from triomino.server.metrics import Metrics
    from triomino.server.open_tables import OpenTable, OpenTables
    from triomino.server.table import Change, Table
    from triomino.server.troubles import Troubles

RETRY_SECONDS = 1.0
"""After the database failed, until what has to happen is tried again."""

P = ParamSpec("P")
R = TypeVar("R")


PACES: Final = {"calm": 2.5, "quick": 1.0, "at_once": 0.4}
"""How long a bot takes for a move, as a multiple of ``bot_pause``."""


class ChangeTable(Protocol):
    """Check, store, apply and tell a change of a table."""

    async def __call__(self, table_id: str, command: Callable[[Table], Change[AnyEvent]]) -> object:
        """Raise ``RefusedError`` if the command is refused."""
        ...  # pragma: no cover


class DealTable(Protocol):
    """Deal at a table without the seeds that are missing, unless that was done meanwhile."""

    async def __call__(self, table_id: str) -> None:
        """Raise ``RefusedError`` if the table is gone."""
        ...  # pragma: no cover


class Scheduler:
    """Starts what comes next at each table, as tasks and timers that :meth:`stop` cancels."""

    def __init__(
        self,
        config: Config,
        metrics: Metrics,
        troubles: Troubles,
        now: Callable[[], int],
        change: ChangeTable,
        *,
        deal: DealTable,
    ) -> None:
        self.leases = Leases(None)
        """What this server may do; replaced where there are others."""
        self._config, self._metrics, self._now, self._change = config, metrics, now, change
        self._troubles, self._deal = troubles, deal
        self._thinking = FairSlots(config.bots_at_once)
        self._hints = FairSlots(config.hints_at_once)
        self._threads = background_threads(config.bots_at_once + config.hints_at_once)
        self._tasks: set[asyncio.Task[None]] = set()
        self.is_stopped = False
        # The time in which bots move; replaced in tests.
        self.time: Callable[[], float] = time.monotonic
        self.pause: Callable[[float], Awaitable[None]] = asyncio.sleep

    def schedule(self, opened: OpenTable) -> None:
        """Start the bot that is to move, and the timer of the next deadline."""
        if opened.timer is not None:
            opened.timer.cancel()
            opened.timer = None
        table = opened.table
        if self.is_stopped or not opened.is_open:
            self.leases.give_up(table.id)
            return
        followed = opened.is_followed or table.options.clock_seconds is not None
        alone = table.waits_for_nobody and not why_full(table, RoundBegun(at=0))
        bot_is_due = followed and (table.waits_for_bot() is not None or alone)
        is_on = table.state == "playing" and table.paused is None
        due = self._next_deadline(opened) if is_on else None
        if table.state != "opening" and not (is_on and (bot_is_due or due is not None)):
            self.leases.give_up(table.id)
            return
        if is_on and bot_is_due and opened.bot_ply != table.ply:
            opened.bot_ply, opened.bot_due = table.ply, self.time()
        if not self.leases.holds(table.id):
            return  # another server does it; this one is told if it no longer can
        if table.state == "opening":
            self._wait_for_seeds(opened)
            return
        if bot_is_due and opened.bot_task is None:
            opened.bot_task = self._spawn(self._move_bot(opened))
        if due is not None:
            loop = asyncio.get_running_loop()
            delay = max(0.0, (due - opened.clock.now()) / 1000)
            opened.timer = loop.call_later(delay, lambda: self._spawn(self._time_out(opened)))

    async def search_hint(
        self, address: str, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs
    ) -> R:
        """Run a search in a thread, when it is the turn of the address that asked.

        Hints have slots of their own: no bot waits for them.
        """
        async with self._hints.held(address):
            return await self._think(function, *args, **kwargs)

    async def _think(self, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, partial(function, *args, **kwargs))

    async def wake_clocks(self, tables: OpenTables) -> None:
        """After a start, open all tables with a running clock so that they go on.

        Leaves two thirds of the time to whoever connects meanwhile.
        """
        waiting: list[str] | None = None
        while waiting is None or waiting:
            try:
                if waiting is None:
                    waiting = await tables.with_running_clocks()
                    waiting.reverse()
                    continue
                began = time.perf_counter()
                with contextlib.suppress(RefusedError):  # deleted, or damaged and set aside
                    await tables.open(waiting[-1])
                waiting.pop()
                await asyncio.sleep(2 * (time.perf_counter() - began))
            except StoreError as error:  # no clock is forgotten for it
                self._troubles.log_failure(error)
                await asyncio.sleep(RETRY_SECONDS)

    async def stop(self) -> None:
        """Start nothing any more, and cancel what is waiting or thinking."""
        self.is_stopped = True
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _spawn(self, work: Coroutine[None, None, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(self._troubles.watch(work, self._metrics))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    # --- Bots ------------------------------------------------------------------------------------

    async def _move_bot(self, opened: OpenTable) -> None:
        """Let the bot that is to move choose in a thread, and play its move in its time."""
        try:
            table = opened.table
            ply, due, seat = table.ply, opened.bot_due, table.waits_for_bot()
            move = None if seat is None else await self._choose(table, seat, opened.address)
            await self._keep_pace(table, due)
            await self._change(table.id, lambda t: self._next_of_bots(t, ply, seat, move))
        except RefusedError:
            pass  # the table changed meanwhile; the bot is scheduled again if it is to move
        except StoreError as error:
            self._troubles.log_failure(error)
            await asyncio.sleep(RETRY_SECONDS)
        finally:
            opened.bot_task = None
            self.schedule(opened)

    async def _keep_pace(self, table: Table, due: float) -> None:
        """Wait until the pace of the table has passed since *due*.

        A bot that took longer waits for the next multiple of it: how long a move takes is the same
        whether the bot had a choice or not, and so says nothing about its tiles.
        """
        pace = self._config.bot_pause * PACES[table.options.pace]
        if pace > 0:
            steps = max(1, math.ceil((self.time() - due) / pace))
            await self.pause(max(0.0, due + steps * pace - self.time()))

    def _next_of_bots(
        self, table: Table, ply: int, seat: Seat | None, move: str | None
    ) -> Change[AnyEvent]:
        """What a bot chose in the position *ply*, or the next round if only bots are left."""
        if table.ply != ply:
            raise RefusedError("stale", "the position has changed since")
        if seat is not None and move is not None:
            return table.move(seat, move, self._now(), by_bot=True)
        if not table.waits_for_nobody:
            raise RefusedError("stale", "somebody has come back")
        return table.next_round(self._now())

    async def _choose(self, table: Table, seat: Seat, address: str) -> str:
        bot = make_bot(
            str(table.chairs[seat].bot), Rng.named("bot", table.exchange.server_seed, table.version)
        )
        view = View.of(table.game, seat)
        async with self._thinking.held(address):
            started = time.perf_counter()
            move = await self._think(bot.choose, view)
            self._metrics.bot_seconds += time.perf_counter() - started
        self._metrics.bot_moves += 1
        return str(move)

    # --- Seeds -----------------------------------------------------------------------------------

    def _wait_for_seeds(self, opened: OpenTable) -> None:
        """Deal when all seeds are there, or at the deadline.

        The deadline is turned into time of the event loop once, so that a jump of the system's
        clock lets nobody miss it. After a restart there is at least half of the time, so that
        devices can come back.
        """
        loop, exchange = asyncio.get_running_loop(), opened.table.exchange
        if opened.deal_at is None:
            most = self._config.reveal_seconds
            left = ((exchange.reveal_until or 0) - self._now()) / 1000
            opened.deal_at = loop.time() + max(most / 2, min(left, most))
        due = loop.time() if exchange.is_complete else opened.deal_at
        opened.timer = loop.call_at(due, lambda: self._spawn(self._deal_now(opened)))

    async def _deal_now(self, opened: OpenTable) -> None:
        try:
            await self._deal(opened.table.id)
        except RefusedError:
            pass  # the table changed meanwhile, or is gone
        except StoreError as error:
            self._troubles.log_failure(error)
            await asyncio.sleep(RETRY_SECONDS)
            self.schedule(opened)

    # --- Clocks and absence ----------------------------------------------------------------------

    def _next_deadline(self, opened: OpenTable) -> int | None:
        """When the clock of a person runs out, or an absence becomes too long, on its clock."""
        table, due = opened.table, []
        remaining = opened.clock.remaining(table)
        if remaining is not None:
            due.append(opened.clock.now() + remaining)
        if table.options.away_seconds and opened.away_since and opened.here:  # else nobody waits
            limit = 1000 * table.options.away_seconds
            people = table.people
            due += [since + limit for seat, since in opened.away_since.items() if seat in people]
        return min(due, default=None)

    async def _time_out(self, opened: OpenTable) -> None:
        """Let a bot play for everyone who ran out of time or stays away."""
        try:
            while (overdue := self._overdue(opened)) is not None:
                await self._substitute(opened, *overdue)
        except RefusedError:
            pass  # the table changed meanwhile
        except StoreError as error:  # the clock goes on once the database does
            self._troubles.log_failure(error)
            await asyncio.sleep(RETRY_SECONDS)
        self.schedule(opened)

    async def _substitute(
        self, opened: OpenTable, seat: Seat, reason: Literal["clock", "away"]
    ) -> None:
        def check(table: Table) -> Change[AnyEvent]:
            if self._overdue(opened) != (seat, reason):
                raise RefusedError("stale", "this seat has moved, or its person has come back")
            return table.substitute(seat, reason, self._now())

        await self._change(opened.table.id, check)

    def _overdue(self, opened: OpenTable) -> tuple[Seat, Literal["clock", "away"]] | None:
        """A person whose deadline has passed, and which deadline it was."""
        table, options = opened.table, opened.table.options
        if table.state != "playing" or table.paused is not None or not opened.is_open:
            return None
        if runs(table) and opened.clock.is_up(table):
            return table.game.turn, "clock"
        if options.away_seconds and opened.here:
            limit = opened.clock.now() - 1000 * options.away_seconds
            for seat, since in opened.away_since.items():
                if since <= limit and not table.chairs[seat].bot:
                    return seat, "away"
        return None
