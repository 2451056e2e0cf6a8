"""ASGI middleware that guards the server: rate limits, origin checks, security headers."""

from __future__ import annotations

import time
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from triomino.server.logs import detail, note

if TYPE_CHECKING:
    from collections.abc import Callable

    from litestar.types import ASGIApp, Message, Receive, Scope, Send

    from triomino.server.config import Config

KNOWN_ADDRESSES = 20_000


@dataclass(slots=True)
class Bucket:
    """A token bucket: tokens are used up by requests and come back with time."""

    rate: float
    size: float
    tokens: float
    at: float

    @classmethod
    def full(cls, rate: float, size: float, at: float) -> Bucket:
        """A bucket with all its tokens."""
        return cls(rate, size, size, at)

    def take(self, at: float) -> bool:
        """Take a token; return ``False`` if there is none."""
        self.tokens = min(self.size, self.tokens + (at - self.at) * self.rate)
        self.at = at
        if self.tokens < 1:
            return False
        self.tokens -= 1
        return True


class Buckets:
    """A bucket per address; those of the least recently seen addresses are dropped."""

    def __init__(
        self, rate: float, size: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._rate, self._size, self._clock = rate, size, clock
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, address: str) -> bool:
        """Take a token of an address; return ``False`` if there is none."""
        now = self._clock()
        bucket = self._buckets.get(address)
        if bucket is None:
            bucket = self._buckets[address] = Bucket.full(self._rate, self._size, now)
            if len(self._buckets) > KNOWN_ADDRESSES:
                self._buckets.popitem(last=False)
        else:
            self._buckets.move_to_end(address)
        return bucket.take(now)


def origin_allowed(origin: str | None, host: str | None, config: Config) -> bool:
    """Whether a request from *origin* is allowed: from our own page, or without an origin."""
    if origin is None:
        return True
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    if parts.scheme not in ("http", "https") or not parts.netloc:
        return False
    if config.public_url is not None and parts.netloc == urlsplit(config.public_url).netloc:
        return True
    return parts.netloc == host


HEADERS = {
    "content-security-policy": (
        "default-src 'self'; script-src 'self'; style-src 'self'; "
        "img-src 'self' data: blob:; connect-src 'self' ws: wss:; object-src 'none'; "
        "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}

_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})


def _is_socket(scope: Scope) -> bool:
    return str(scope["type"]) == "websocket"


def _log_request(scope: Scope, client: str, status: int, seconds: float) -> None:
    # The path itself may contain a seat's secret; its template and the table's id do not.
    template = scope.get("path_template")
    say = detail if template in _POLLED and status < 400 else note
    say(
        "request",
        method=str(scope.get("method")),
        path=template,
        table=scope.get("path_params", {}).get("table_id"),
        status=status,
        ms=round(1000 * seconds, 1),
        client=client,
    )


_POLLED = frozenset({"/health", "/metrics"})
"""Paths that monitoring asks for all day."""


def _is_asset(scope: Scope) -> bool:
    """Whether this is a file of the page. They have no rate limit: a visit needs dozens of them.

    A whole club behind one address may open the page at once.
    """
    return not _is_socket(scope) and scope["path"].startswith("/assets/")


class Guard:
    """ASGI middleware: rate limit, origin check, security headers."""

    def __init__(self, app: ASGIApp, config: Config) -> None:
        self._app, self._config = app, config
        per_second = config.http_per_minute / 60
        self._buckets = Buckets(per_second, config.http_per_minute / 2)
        headers = dict(HEADERS)
        if config.is_https:
            headers["strict-transport-security"] = "max-age=31536000"
        self._headers = [(name.encode(), value.encode()) for name, value in headers.items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        sent = {name.lower(): value.decode("latin-1") for name, value in scope["headers"]}
        origin, host = sent.get(b"origin"), sent.get(b"host")
        websocket = _is_socket(scope)
        unsafe = websocket or scope.get("method") not in _SAFE
        if unsafe and not origin_allowed(origin, host, self._config):
            await self._refuse(scope, send, 403, b'{"code":"origin","detail":"wrong origin"}')
            return
        client = (scope.get("client") or ("",))[0]
        if not _is_asset(scope) and not self._buckets.take(client):
            body = b'{"code":"too_fast","detail":"too many requests; wait a little"}'
            await self._refuse(scope, send, 429, body)
            return
        if websocket:
            await self._app(scope, receive, send)
            return

        began, status = time.perf_counter(), 0

        async def with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                have = {name.lower() for name, _ in message["headers"]}
                own = [header for header in self._headers if header[0] not in have]
                message["headers"] = [*message["headers"], *own]
            await send(message)

        await self._app(scope, receive, with_headers)
        _log_request(scope, client, status, time.perf_counter() - began)

    async def _refuse(self, scope: Scope, send: Send, status: int, body: bytes) -> None:
        if _is_socket(scope):
            await send({"type": "websocket.close", "code": 4000 + status, "reason": ""})
            return
        headers = [(b"content-type", b"application/json"), (b"retry-after", b"5"), *self._headers]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body, "more_body": False})
