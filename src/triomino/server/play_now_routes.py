"""The socket of the queue of Play now."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from litestar import WebSocket, websocket
from litestar.datastructures import State

from triomino.server.budgets import network_of
from triomino.server.queue_session import QueueSession
from triomino.server.table import RefusedError

if TYPE_CHECKING:
    from litestar.handlers import WebsocketRouteHandler

    from triomino.server.config import Config
    from triomino.server.sockets import Sockets


def queue_handlers(config: Config) -> list[WebsocketRouteHandler]:
    """The route; on a closed server it is refused."""
    waiting: Counter[str] = Counter()

    @websocket("/ws/queue")
    async def wait_in_queue(socket: WebSocket[Any, Any, State]) -> None:
        """Wait for others who want to play now."""
        sockets: Sockets = socket.app.state.sockets
        network = network_of(socket.client.host if socket.client else "")
        if not config.open:
            await socket.close(4404, "this server is not open to strangers")
            return
        if sockets.is_full(network) or waiting[network] >= config.waiting_per_address:
            await socket.close(4429, "too many connections")
            return
        waiting[network] += 1
        try:
            with sockets.counted(network):
                await socket.accept()
                seats = socket.app.state.budgets.seats
                await QueueSession(socket.app.state.play_now, socket, seats, network).run()
        except RefusedError as error:
            await socket.close(4401, str(error))
        finally:
            waiting[network] -= 1
            if not waiting[network]:
                del waiting[network]

    return [wait_in_queue]
