"""``python -m benchmarks.server.echo``: a socket that echoes messages, on the same stack.

It prints its port when it is ready, and stops when its standard input ends.
"""

from __future__ import annotations

import sys
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
    ws = sys.argv[1] if len(sys.argv) > 1 else None
    config = Config(data="", port=0, messages_per_second=1_000_000)
    app = Litestar([echo], logging_config=None, openapi_config=None)
    made = make_uvicorn_config(config, app)
    if ws is not None:
        made.ws = ws
    with listen(config) as listener:
        print(listener.getsockname()[1], flush=True)
        _Server(made).run([listener])


if __name__ == "__main__":
    main()
