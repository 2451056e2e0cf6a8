"""ASGI middleware that guards the server: rate limits, host and origin, security headers."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING

import msgspec

from triomino.protocol.api import Problem
from triomino.server.budgets import network_of
from triomino.server.hosts import Hosts
from triomino.server.logs import detail, note

if TYPE_CHECKING:
    from collections.abc import Mapping

    from litestar.types import ASGIApp, Message, Receive, Scope, Send

    from triomino.server.budgets import Budgets
    from triomino.server.config import Config

WAIT_SECONDS = 0.5
"""Before somebody is told to ask less often; who asks again at once costs little that way."""

MOST_WAITING = 16
"""Requests of one address that wait to be refused; further ones lose their connection."""

LARGE_BODY = 16_384
"""Bytes of a body that count as one more request."""

LARGEST_COST = 16
"""What a body counts at most, in requests."""

MISSING_FILE = 10.0
"""What a file that is not there costs, beside one that is."""

HEADERS = {
    "content-security-policy": (
        # The kernel is WebAssembly; scripts still cannot be made from text.
        "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; "
        "img-src 'self' data: blob:; connect-src 'self'; object-src 'none'; "
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


def _cost(sent: Mapping[bytes, str]) -> float:
    """What a request counts, by its body: one without a length may become the largest."""
    if b"transfer-encoding" in sent:
        return 1 + LARGEST_COST
    length = sent.get(b"content-length", "0")
    size = int(length) if length.isascii() and length.isdigit() else 0
    return 1 + min(size // LARGE_BODY, LARGEST_COST)


def _is_asset(scope: Scope) -> bool:
    """Whether this is a file of the page; a visit needs dozens of them."""
    return not _is_socket(scope) and scope["path"].startswith("/assets/")


class Guard:
    """ASGI middleware: host and origin check, rate limit, security headers."""

    def __init__(self, app: ASGIApp, config: Config, budgets: Budgets) -> None:
        self._app, self._budgets = app, budgets
        self._hosts = Hosts(config)
        self._waiting: Counter[str] = Counter()
        self._is_https = config.is_https
        self._headers_for = lru_cache(maxsize=256)(self._make_headers)

    def _make_headers(self, host: str | None, scheme: str) -> list[tuple[bytes, bytes]]:
        headers = dict(HEADERS)
        if own := self._hosts.socket_origin(host, "https" if self._is_https else scheme):
            # Some browsers do not count a socket of the page's own address as 'self'.
            policy = headers["content-security-policy"]
            headers["content-security-policy"] = policy.replace(
                "connect-src 'self'", f"connect-src 'self' {own}"
            )
        if self._is_https:
            headers["strict-transport-security"] = "max-age=31536000"
        return [(name.encode(), value.encode("latin-1")) for name, value in headers.items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        sent = {name.lower(): value.decode("latin-1") for name, value in scope["headers"]}
        origin, host = sent.get(b"origin"), sent.get(b"host")
        if not self._hosts.allows(host):
            why = f"this server is not known as {(host or '')[:100]}; who runs it can set"
            await self._refuse(scope, send, 421, "host", f"{why} public_url or allowed_hosts")
            return
        unsafe = _is_socket(scope) or scope.get("method") not in _SAFE
        if unsafe and not self._hosts.allows_origin(origin, host):
            await self._refuse(scope, send, 403, "origin", "wrong origin")
            return
        client = (scope.get("client") or ("",))[0]
        network = network_of(client)
        buckets = self._budgets.files if _is_asset(scope) else self._budgets.requests
        if not buckets.take(network, _cost(sent)):
            await self._slow_down(scope, send, network)
        elif _is_socket(scope):
            await self._app(scope, receive, send)
        else:
            await self._answer(scope, receive, send, client)

    async def _answer(self, scope: Scope, receive: Receive, send: Send, client: str) -> None:
        began, status = time.perf_counter(), 0
        headers = self._headers_of(scope)

        async def with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                have = {name.lower() for name, _ in message["headers"]}
                own = [header for header in headers if header[0] not in have]
                message["headers"] = [*message["headers"], *own]
            await send(message)

        await self._app(scope, receive, with_headers)
        if status == 404 and _is_asset(scope):
            self._budgets.files.charge(network_of(client), MISSING_FILE)
        _log_request(scope, client, status, time.perf_counter() - began)

    def _headers_of(self, scope: Scope) -> list[tuple[bytes, bytes]]:
        host = next((value for name, value in scope["headers"] if name.lower() == b"host"), None)
        return self._headers_for(None if host is None else host.decode("latin-1"), scope["scheme"])

    async def _slow_down(self, scope: Scope, send: Send, network: str) -> None:
        """Refuse a request over the budget, slowly: whoever waits does not ask meanwhile."""
        if self._waiting[network] >= MOST_WAITING:
            await self._refuse(scope, send, 429, *_TOO_FAST, close=True)
            return
        self._waiting[network] += 1
        try:
            await asyncio.sleep(WAIT_SECONDS)
        finally:
            self._waiting[network] -= 1
            if not self._waiting[network]:
                del self._waiting[network]
        await self._refuse(scope, send, 429, *_TOO_FAST)

    async def _refuse(
        self, scope: Scope, send: Send, status: int, code: str, detail: str, *, close: bool = False
    ) -> None:
        if _is_socket(scope):
            await send({"type": "websocket.close", "code": 4000 + status, "reason": ""})
            return
        body = msgspec.json.encode(Problem(code, detail))
        headers = [
            (b"content-type", b"application/json"),
            (b"content-length", str(len(body)).encode()),
            (b"retry-after", b"5"),
            *self._headers_of(scope),
        ]
        if close:
            headers.append((b"connection", b"close"))
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body, "more_body": False})


_TOO_FAST = ("too_fast", "too many requests; wait a little")
