"""Analyses of matches: made once in a process beside the server, and stored for everyone.

A job runs at low priority in its own process, so that no move waits for it. Results are stored. Of
several servers one does a job, and another that was asked for it takes over if that one is gone; a
job of a single server that stops has to be requested again.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import sys
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal

import msgspec
from litestar import Request, get, post
from litestar.datastructures import State
from litestar.params import FromPath, JSONBody

from triomino.errors import TriominoError
from triomino.kernel import why_missing
from triomino.protocol.api import Analysis, AnalysisState, RecordToAnalyse
from triomino.server.budgets import Buckets
from triomino.server.logs import note
from triomino.server.shared_jobs import Progress, SharedJobs
from triomino.server.slots import FairSlots
from triomino.server.table import RefusedError
from triomino.store.analyses import RECORD, AnalysisStore

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from litestar.handlers import HTTPRouteHandler
    from litestar.openapi import ResponseSpec

    from triomino.server.config import Config
    from triomino.server.metrics import Metrics
    from triomino.store.log import EventLog

log = logging.getLogger("triomino.server")

FORMAT: Final = 2
"""Of stored analyses; one in another format is made again."""
MOST_WAITING: Final = 100
SHARE: Final = 15
"""Jobs of one address that may wait or run; its turns alternate with those of others."""
MOST_FAILED: Final = 100
TIMEOUT: Final = 900.0
"""Seconds; a match to 400 points takes about ten."""

LEASE: Final = "analysis:"
"""Before the id of a match: what servers call its analysis among each other."""

LOOK_SECONDS: Final = 0.5
"""How often a server looks how far another one is, and that one says so."""

_encode = msgspec.json.Encoder(order="deterministic").encode
_decode = msgspec.json.Decoder(Analysis).decode


class _FailedError(Exception):
    """The match cannot be analysed; the message says why."""


@dataclass(slots=True)
class _Job:
    """An analysis that is not finished yet, or failed."""

    id: str
    record: bytes
    address: str
    state: Literal["waiting", "running", "failed"] = "waiting"
    done: int = 0
    total: int = 0
    why: str | None = None
    task: asyncio.Task[None] | None = field(default=None, repr=False)


class Analyses:
    """The analyses of this server."""

    def __init__(
        self,
        events: EventLog,
        config: Config,
        metrics: Metrics,
        now: Callable[[], int],
        shared: SharedJobs | None = None,
    ) -> None:
        self._store, self._shared = AnalysisStore(events), shared or SharedJobs()
        self._config, self._metrics, self._now = config, metrics, now
        self._jobs: dict[str, _Job] = {}
        self._slots = FairSlots(config.analyses_at_once)
        hourly = config.analyses_per_hour
        self._buckets = Buckets(hourly / 3600, max(1.0, hourly / 2))

    @property
    def under_way(self) -> int:
        """How many jobs are waiting or running."""
        return sum(job.state != "failed" for job in self._jobs.values())

    async def look(self, match: str) -> AnalysisState:
        """The progress or result of the analysis of a match."""
        job = self._jobs.get(match)
        if job is not None:
            return self._state(job)
        found = await self._store.read(match, FORMAT)
        try:
            result = None if found is None else _decode(found)
        except (msgspec.MsgspecError, ValueError, RecursionError):
            result = None  # it is damaged; who asks again gets a new one
        if result is not None:
            return AnalysisState(match, "done", result=result)
        record = await self._shared.find(LEASE + match)
        if record is None:
            return AnalysisState(match, "none")
        # Another server is at it, or was: this one watches, and takes over if it has to.
        return self._state(self._start(match, record, ""))

    async def ask(self, match: str, record: dict[str, Any], address: str) -> AnalysisState:
        """Start an analysis unless it is under way or done; return its state."""
        known = await self.look(match)
        if known.state not in ("none", "failed"):
            return known
        self._check(address)
        encoded = _encode_record(record)
        await self._shared.offer(LEASE + match, encoded, TIMEOUT)
        return self._state(self._start(match, encoded, address))

    def _start(self, match: str, record: bytes, address: str) -> _Job:
        job = self._jobs.get(match)
        if job is None or job.state == "failed":  # no other request has started it meanwhile
            job = self._jobs[match] = _Job(match, record, address)
            job.task = asyncio.create_task(self._execute(job))
        return job

    def _check(self, address: str) -> None:
        if why := why_missing():
            raise RefusedError("no_kernel", f"an analysis needs the native kernel: {why}")
        if not self._config.analyses_at_once:
            raise RefusedError("no_analysis", "this server does not offer analysis")
        own = sum(job.address == address and job.state != "failed" for job in self._jobs.values())
        full = self.under_way >= MOST_WAITING or own >= SHARE
        if full or not self._buckets.take(address):
            raise RefusedError("too_many_analyses", "too many analyses now; ask again later")

    def _state(self, job: _Job) -> AnalysisState:
        ahead = 0
        if job.state == "waiting":
            order, states = self._slots.order(), [one.state for one in self._jobs.values()]
            # One that was asked for a moment ago does not queue yet.
            before = order.index(job.id) if job.id in order else states.count("waiting") - 1
            ahead = before + states.count("running")
        return AnalysisState(job.id, job.state, job.done, job.total, ahead, job.why)

    async def _execute(self, job: _Job) -> None:
        seconds = None
        try:
            if not await self._is_done_elsewhere(job):
                seconds = await self._do(job)
        except asyncio.CancelledError:
            raise
        except Exception as error:  # noqa: BLE001 - reported to whoever asks
            self._fail(job, error)
            await self._shared.tell(LEASE + job.id, Progress(why=job.why))
        else:
            del self._jobs[job.id]
        await self._shared.end(LEASE + job.id)
        if seconds is not None:
            self._metrics.analyses += 1
            self._metrics.analysis_seconds += seconds
            note("analysis", match=job.id, turns=job.total, seconds=round(seconds, 1))

    async def _do(self, job: _Job) -> float:
        """Make an analysis and store it; return how many seconds it took."""
        async with self._slots.held(job.address, job.id):
            job.state = "running"
            began = time.perf_counter()
            telling = asyncio.create_task(self._tell_progress(job))
            try:
                async with asyncio.timeout(TIMEOUT):
                    found = await _run(job)
            finally:
                telling.cancel()
            seconds = time.perf_counter() - began
        await self._store.write(job.id, FORMAT, found, self._now())
        return seconds

    async def _tell_progress(self, job: _Job) -> None:
        while self._shared.are_shared:
            await self._shared.tell(LEASE + job.id, Progress(job.done, job.total))
            await asyncio.sleep(LOOK_SECONDS)

    async def _is_done_elsewhere(self, job: _Job) -> bool:
        """Wait until it is this server's turn, or another one has done it."""
        wait = 0.05  # nobody else has it, most of the time
        while not self._shared.is_mine(LEASE + job.id):
            await asyncio.sleep(wait)
            wait = LOOK_SECONDS
            if await self._store.read(job.id, FORMAT) is not None:
                return True
            seen = await self._shared.progress(LEASE + job.id)
            if seen is not None:
                if seen.why is not None:
                    raise _FailedError(seen.why)
                job.state, job.done, job.total = "running", seen.done, seen.total
        job.done = job.total = 0
        shared = self._shared.are_shared
        return shared and await self._store.read(job.id, FORMAT) is not None

    def _fail(self, job: _Job, error: Exception) -> None:
        job.state = "failed"
        job.why = str(error) if isinstance(error, _FailedError) else "something went wrong here"
        job.record = b""
        self._metrics.analyses_failed += 1
        if not isinstance(error, _FailedError):
            log.error("an analysis failed", exc_info=error)
        failed = [one.id for one in self._jobs.values() if one.state == "failed"]
        for old in failed[:-MOST_FAILED]:
            del self._jobs[old]

    async def close(self) -> None:
        """Cancel all jobs."""
        tasks = [job.task for job in self._jobs.values() if job.task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _run(job: _Job) -> bytes:
    """Analyse the match of a job in a process, which ends with this call."""
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "triomino.server.analyst"),
        stdin=pipe,
        stdout=pipe,
        limit=2**24,
        start_new_session=True,  # Ctrl-C is for the server, which then kills this process
    )
    try:
        assert process.stdin is not None  # noqa: S101 - both are pipes
        assert process.stdout is not None  # noqa: S101
        process.stdin.write(job.record)
        process.stdin.close()
        async for line in process.stdout:
            if not line.startswith(b"{"):
                number = int(line)
                job.done, job.total = (number, job.total) if job.total else (0, number)
                continue
            answer = msgspec.json.decode(line)
            if "why" in answer:
                raise _FailedError(answer["why"])
            _decode(line)
            return line.strip()
        raise OSError(f"the analyst left with {await process.wait()}")
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


def record_id(record: dict[str, Any]) -> str:
    """The id of a match that comes as a record; equal records have the same id."""
    return RECORD + hashlib.sha256(_encode_record(record)).hexdigest()[:32]


def _encode_record(record: dict[str, Any]) -> bytes:
    try:
        return _encode(record)
    except (ValueError, OverflowError) as error:  # a lone surrogate, a huge number
        raise TriominoError(f"this is no record: {error}") from error


def _analyses(request: Request[Any, Any, State]) -> Analyses:
    analyses: Analyses = request.app.state.analyses
    return analyses


def analysis_handlers(
    config: Config,
    address: Callable[[Any], str],
    finished: Callable[[Any, str], Awaitable[dict[str, Any]]],
    refusals: dict[int, ResponseSpec],
) -> list[HTTPRouteHandler]:
    """The routes of analyses.

    *address* returns where a request comes from, *finished* the record of a table; *refusals* are
    the error responses to document.
    """
    return [
        *_table_handlers(address, finished, refusals),
        *_record_handlers(config, address, refusals),
    ]


def _table_handlers(
    address: Callable[[Any], str],
    finished: Callable[[Any, str], Awaitable[dict[str, Any]]],
    refusals: dict[int, ResponseSpec],
) -> list[HTTPRouteHandler]:
    @post(
        "/api/tables/{table_id:str}/analysis",
        summary="Analyse a match",
        tags=["analyses"],
        responses=refusals,
    )
    async def analyse_table(
        request: Request[Any, Any, State], table_id: FromPath[str]
    ) -> AnalysisState:
        """Start the analysis of a match that is over, or return its state."""
        record = await finished(request, table_id)
        return await _analyses(request).ask(table_id, record, address(request))

    @get(
        "/api/tables/{table_id:str}/analysis",
        summary="The analysis of a match",
        tags=["analyses"],
        responses=refusals,
    )
    async def get_table_analysis(
        request: Request[Any, Any, State], table_id: FromPath[str]
    ) -> AnalysisState:
        """The analysis of a match that is over, or its progress."""
        await finished(request, table_id)
        return await _analyses(request).look(table_id)

    return [analyse_table, get_table_analysis]


def _record_handlers(
    config: Config, address: Callable[[Any], str], refusals: dict[int, ResponseSpec]
) -> list[HTTPRouteHandler]:
    @post(
        "/api/analyses",
        summary="Analyse a record",
        tags=["analyses"],
        responses=refusals,
        request_max_body_size=config.record_bytes,
    )
    async def analyse_record(
        request: Request[Any, Any, State], data: JSONBody[RecordToAnalyse]
    ) -> AnalysisState:
        """Start the analysis of a match that was played elsewhere."""
        record = data.record
        return await _analyses(request).ask(record_id(record), record, address(request))

    @get(
        "/api/analyses/{analysis_id:str}",
        summary="The analysis of a record",
        tags=["analyses"],
        responses=refusals,
    )
    async def get_analysis(
        request: Request[Any, Any, State], analysis_id: FromPath[str]
    ) -> AnalysisState:
        """The analysis of a record, or its progress."""
        if not analysis_id.startswith(RECORD):
            raise RefusedError("no_analysis", "there is no such analysis")
        return await _analyses(request).look(analysis_id)

    return [analyse_record, get_analysis]
