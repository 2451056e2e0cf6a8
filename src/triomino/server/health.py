"""``/health``: whether the server works, and what the host should know."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Any, Literal

from litestar import Request, Response, get
from litestar.datastructures import State
from msgspec import Struct

from triomino.store.failure import StoreError, public_reason

if TYPE_CHECKING:
    from triomino.server.hub import Hub

LEAST_DISK = 100_000_000
"""Bytes of free disk below which the host is warned."""

MOST_DELAY = 1.0
"""Seconds by which the event loop may be late before the host is warned."""


class HealthProblem(Struct, frozen=True):
    """One thing that is wrong; the log says more."""

    code: Literal["database", "disk_low", "slow", "damaged_tables", "cleaning", "bus"]
    detail: str


class Health(Struct, frozen=True, omit_defaults=True):
    """Whether the server can serve, and what is wrong."""

    status: Literal["ok", "degraded", "unavailable"]
    problems: list[HealthProblem] = []


async def examine(hub: Hub) -> Health:
    """What is wrong with a server now; it is unavailable only if its database is."""
    problems = []
    try:
        await hub.events.probe()
    except StoreError as error:
        hub.troubles.log_failure(error)
        problems.append(HealthProblem("database", public_reason(error)))
    free = free_disk(hub)
    if free is not None and free < LEAST_DISK:
        problems.append(HealthProblem("disk_low", f"{free // 1_000_000} MB are free"))
    if hub.troubles.delay > MOST_DELAY:
        problems.append(
            HealthProblem("slow", f"up to {hub.troubles.delay:.1f} s late in the last minute")
        )
    if damaged := len(hub.tables.damaged):
        problems.append(HealthProblem("damaged_tables", f"{damaged}; see triomino host check"))
    if cleaning := hub.troubles.noted.get("cleaning"):
        problems.append(HealthProblem("cleaning", cleaning))
    if hub.cluster.is_cut_off:
        problems.append(HealthProblem("bus", "it is gone; other servers are heard a second later"))
    if not problems:
        return Health("ok")
    failed = problems[0].code == "database"
    return Health("unavailable" if failed else "degraded", problems)


def free_disk(hub: Hub) -> int | None:
    """Bytes that are free where the database is, or ``None`` if that is unknown."""
    file = hub.events.file
    try:
        return None if file is None else shutil.disk_usage(file.path.resolve().parent).free
    except OSError:
        return None


@get("/health", summary="Is the server well?", tags=["host"])
async def health(request: Request[Any, Any, State]) -> Response[Health]:
    """Whether the server can serve, and what is wrong; 503 if the database cannot be used."""
    found = await examine(request.app.state.hub)
    return Response(found, status_code=503 if found.status == "unavailable" else 200)
