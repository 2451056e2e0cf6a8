"""Secrets that name devices, seats and sheets; the server stores only their digests."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from litestar.connection import ASGIConnection

COOKIE = "triomino_device"


def digest(secret: str) -> str:
    """The form of a secret that may be stored."""
    return hashlib.sha256(secret.encode()).hexdigest()


def device_secret(connection: ASGIConnection[Any, Any, Any, Any]) -> str | None:
    """The secret of the device that asks, from its authorization header or its cookie."""
    header = connection.headers.get("authorization", "")
    if header.lower().startswith("bearer "):
        return header[7:].strip() or None
    return connection.cookies.get(COOKIE)


def device_of(connection: ASGIConnection[Any, Any, Any, Any]) -> str | None:
    """The digest that stands for the device that asks, or ``None`` if it has no secret."""
    secret = device_secret(connection)
    return None if secret is None else digest(secret)
