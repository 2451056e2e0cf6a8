"""The line to the push services."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from typing import TYPE_CHECKING, Final, NamedTuple

import httpx

if TYPE_CHECKING:
    from collections.abc import Mapping

AT_ONCE: Final = 4
"""Messages that are on the way to one service: a slow one holds up no other."""
ANSWER_SECONDS: Final = 10.0


class Answer(NamedTuple):
    """What a push service answered."""

    status: int
    retry_after: int
    """Seconds that it asks to wait for, or 0."""


class PushLine:
    """Sends messages."""

    def __init__(self) -> None:
        # No redirects: only the services that the host allows are asked for anything.
        self._client = httpx.AsyncClient(timeout=ANSWER_SECONDS, follow_redirects=False)
        self._services: defaultdict[str, asyncio.Semaphore] = defaultdict(
            lambda: asyncio.Semaphore(AT_ONCE)
        )

    async def send(self, endpoint: str, headers: Mapping[str, str], content: bytes) -> Answer:
        """Send a message; a service that does not answer counts as one that is down."""
        try:
            async with self._services[httpx.URL(endpoint).host]:
                answer = await self._client.post(endpoint, content=content, headers=headers)
        except (httpx.HTTPError, httpx.InvalidURL):
            return Answer(503, 0)
        after = answer.headers.get("retry-after", "")
        return Answer(answer.status_code, int(after) if after.isdecimal() else 0)

    async def close(self) -> None:
        """Give up all connections."""
        await self._client.aclose()
