"""The requests of devices that wish to be told something while their page is closed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from litestar import Request, delete, get, put
from litestar.datastructures import State
from litestar.params import JSONBody

from triomino.protocol.api import PushState, PushSubscription
from triomino.server.budgets import network_of
from triomino.server.table import RefusedError

if TYPE_CHECKING:
    from collections.abc import Callable

    from litestar.handlers import HTTPRouteHandler
    from litestar.openapi import ResponseSpec

    from triomino.server.hub import Hub

AnyRequest = Request[Any, Any, State]


def push_handlers(
    device_of: Callable[[AnyRequest], str],
    address_of: Callable[[AnyRequest], str],
    refusals: dict[int, ResponseSpec],
) -> list[HTTPRouteHandler]:
    """The handlers; none of them says to whom else something is told."""

    @get("/api/push", summary="Whether this device is told", tags=["push"], responses=refusals)
    async def get_push(request: AnyRequest) -> PushState:
        """What to subscribe with, and whether this device has done so."""
        device, pushes = device_of(request), _hub(request).pushes
        if not pushes.services:
            return PushState(None, False)
        return PushState((await pushes.key()).public, device in await pushes.store.get([device]))

    @put("/api/push", summary="Tell this device", tags=["push"], responses=refusals)
    async def put_push(request: AnyRequest, data: JSONBody[PushSubscription]) -> PushState:
        """Tell this device, while its page is closed, what it wishes to be told."""
        device, pushes = device_of(request), _hub(request).pushes
        _spend(request)
        await pushes.subscribe(device, data, address_of(request))
        return PushState((await pushes.key()).public, True)

    @delete("/api/push", summary="Tell this device no more", tags=["push"], responses=refusals)
    async def delete_push(request: AnyRequest) -> None:
        """Forget where this device is told something, and what it would have been told."""
        device = device_of(request)
        _spend(request)
        await _hub(request).pushes.store.forget(device)

    return [get_push, put_push, delete_push]


def _hub(request: AnyRequest) -> Hub:
    hub: Hub = request.app.state.hub
    return hub


def _spend(request: AnyRequest) -> None:
    network = network_of(request.client.host if request.client else "")
    if not request.app.state.budgets.seats.take(network):
        raise RefusedError("too_fast", "too many from here; wait a little")
