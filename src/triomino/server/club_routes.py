"""The routes of club evenings."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any

import msgspec
from litestar import Request, WebSocket, get, post, websocket
from litestar.datastructures import State
from litestar.params import FromPath, JSONBody

from triomino.protocol.api import ClubMade, ClubNews, ClubOptions, ClubRequest, ClubState
from triomino.server.budgets import network_of
from triomino.server.credentials import device_of
from triomino.server.pads import until_gone
from triomino.server.table import RefusedError
from triomino.server.troubles import unavailable
from triomino.store.failure import StoreError

if TYPE_CHECKING:
    from collections.abc import Callable

    from litestar.handlers import HTTPRouteHandler, WebsocketRouteHandler
    from litestar.openapi import ResponseSpec

    from triomino.server.clubs import Clubs
    from triomino.server.sockets import Sockets

HOST_HEADER = "x-club-host"
"""The host's secret; a header is in no log, and in no history of a browser."""


def _clubs(connection: Any) -> Clubs:
    clubs: Clubs = connection.app.state.clubs
    return clubs


def _network(connection: Any) -> str:
    return network_of(connection.client.host if connection.client else "")


async def _show(clubs: Clubs, club_id: str, socket: WebSocket[Any, Any, State]) -> None:
    """Tell a socket of every version, until it is closed."""
    idle = clubs.hub.config.idle_seconds
    gone = asyncio.create_task(until_gone(socket, idle))
    try:
        with clubs.watched(club_id) as changed:
            told = 0
            while not gone.done():
                changed.clear()
                version = await clubs.version(club_id)
                if version != told:
                    news = msgspec.json.encode(ClubNews(club_id, version))
                    await socket.send_data(news.decode())
                told = version
                waiting = asyncio.create_task(changed.wait())
                await asyncio.wait({waiting, gone}, return_when=asyncio.FIRST_COMPLETED)
                waiting.cancel()
    finally:
        gone.cancel()


def club_handlers(
    address: Callable[[Any], str], refusals: dict[int, ResponseSpec]
) -> list[HTTPRouteHandler | WebsocketRouteHandler]:
    """The routes; *address* returns where a request comes from."""

    @post("/api/clubs", summary="A club evening", tags=["clubs"], responses=refusals)
    async def open_club(request: Request[Any, Any, State], data: JSONBody[ClubOptions]) -> ClubMade:
        """Open a tournament to which people come by its link; the secret is for its host."""
        return await _clubs(request).open(data, address(request), _network(request))

    @get(
        "/api/clubs/{club_id:str}",
        summary="How a club evening stands",
        tags=["clubs"],
        responses=refusals,
    )
    async def get_club(request: Request[Any, Any, State], club_id: FromPath[str]) -> ClubState:
        """Players, rounds and standings; the host sends the secret as ``x-club-host``."""
        secret = request.headers.get(HOST_HEADER)
        return await _clubs(request).see(club_id, device_of(request), secret)

    @post(
        "/api/clubs/{club_id:str}/acts",
        summary="Do something at a club evening",
        tags=["clubs"],
        responses=refusals,
    )
    async def act_at_club(
        request: Request[Any, Any, State], club_id: FromPath[str], data: JSONBody[ClubRequest]
    ) -> ClubState:
        """Come, leave, begin a round, write down a result, and so on."""
        return await _clubs(request).act(
            club_id, data, device_of(request), address(request), _network(request)
        )

    @websocket("/ws/clubs/{club_id:str}")
    async def watch_club(socket: WebSocket[Any, Any, State], club_id: FromPath[str]) -> None:
        """Hear that something has happened at a club evening."""
        sockets: Sockets = socket.app.state.sockets
        network = _network(socket)
        if sockets.is_full(network):
            await socket.close(4429, "too many connections")
            return
        with sockets.counted(network):
            await socket.accept()
            try:
                with contextlib.suppress(OSError, RuntimeError):
                    await _show(_clubs(socket), club_id, socket)
            except RefusedError:
                await socket.close(4404, "no such evening")
            except StoreError as error:
                await socket.close(4503, unavailable(error))

    return [open_club, get_club, act_at_club, watch_club]
