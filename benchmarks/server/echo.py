"""``python -m benchmarks.server.echo``: a socket that echoes messages, on uvicorn as it comes.

It prints its port when it is ready, and stops when its standard input ends.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import uvicorn
from litestar import Litestar, WebSocket, websocket
from litestar.exceptions import WebSocketDisconnect

from triomino.server.config import Config
from triomino.server.listening import listen
from triomino.server.run import make_uvicorn_config

if TYPE_CHECKING:
    import socket as sockets


@websocket("/ws")
async def echo(socket: WebSocket[Any, Any, Any]) -> None:
    """Send every message back."""
    await socket.accept()
    try:
        while True:
            await socket.send_text(await socket.receive_text())
    except WebSocketDisconnect:
        pass


class _Server(uvicorn.Server):
    async def startup(self, sockets: list[sockets.socket] | None = None) -> None:
        await super().startup(sockets)
        print("ready", flush=True)


def main() -> None:
    config = Config(data="", port=0)
    app = Litestar([echo], logging_config=None, openapi_config=None)
    made = make_uvicorn_config(config, app)
    # The library's own protocols: what ours cost is to show.
    made.http, made.ws = "h11", "websockets-sansio"
    with listen(config) as listener:
        print(listener.getsockname()[1], flush=True)
        _Server(made).run([listener])


if __name__ == "__main__":
    main()
