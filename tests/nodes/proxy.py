"""A proxy of TCP connections on loopback that a test can cut."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Sequence


class Proxy:
    """Passes each connection on to the next of its targets that accepts it."""

    def __init__(self, targets: Sequence[int]) -> None:
        self._targets = list(targets)
        self._next = 0
        self._pairs: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None
        self.port = 0
        self.is_cut = False

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        self._drop()
        await asyncio.gather(*self._pairs, return_exceptions=True)

    @property
    def url(self) -> str:
        """Where browsers and players connect."""
        return f"http://127.0.0.1:{self.port}"

    def cut(self) -> None:
        """Drop all connections and refuse new ones."""
        self.is_cut = True
        self._drop()

    def mend(self) -> None:
        """Pass connections on again."""
        self.is_cut = False

    def _drop(self) -> None:
        for pair in self._pairs:
            pair.cancel()

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        pair = asyncio.create_task(self._serve(reader, writer))
        self._pairs.add(pair)
        pair.add_done_callback(self._pairs.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            found = None if self.is_cut else await self._connect()
            if found is not None:
                there, back = found
                passing = [
                    asyncio.create_task(_pass(reader, back)),
                    asyncio.create_task(_pass(there, writer)),
                ]
                try:
                    await asyncio.wait(passing, return_when=asyncio.FIRST_COMPLETED)
                finally:
                    for one in passing:
                        one.cancel()
                    back.transport.abort()
        finally:
            writer.transport.abort()

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter] | None:
        for _ in self._targets:
            target = self._targets[self._next % len(self._targets)]
            self._next += 1
            with contextlib.suppress(OSError):
                async with asyncio.timeout(2):
                    return await asyncio.open_connection("127.0.0.1", target)
        return None


async def _pass(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
