"""Secrets that name devices, seats and sheets; the server stores only their digests."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from triomino.protocol.api import LEAST_SECRET
from triomino.server.budgets import network_of
from triomino.server.table import RefusedError

if TYPE_CHECKING:
    from litestar.connection import ASGIConnection

    from triomino.server.people import People

COOKIE = "triomino_device"


def digest(secret: str) -> str:
    """The form of a secret that may be stored.

    Digests may be looked up and compared like any text: whoever tries secrets cannot choose how
    their digests begin, so the time of a comparison says nothing about a stored one.
    """
    return hashlib.sha256(secret.encode()).hexdigest()


def device_secret(connection: ASGIConnection[Any, Any, Any, Any]) -> str | None:
    """The secret of the device that asks, from its authorization header or its cookie.

    One that could be guessed is refused.
    """
    header = connection.headers.get("authorization", "")
    if header.lower().startswith("bearer "):
        secret = header[7:].strip() or None
    else:
        secret = connection.cookies.get(COOKIE)
    if secret is not None and len(secret) < LEAST_SECRET:
        raise RefusedError(
            "weak_secret",
            f"a device secret has at least {LEAST_SECRET} characters; POST /api/devices gives one",
        )
    return secret


def device_of(connection: ASGIConnection[Any, Any, Any, Any]) -> str | None:
    """The digest that stands for the device that asks, or ``None`` if it has no secret.

    A device that was removed from its profile is refused, and so is one that the host has banned.
    """
    secret = device_secret(connection)
    device = None if secret is None else digest(secret)
    people: People = connection.app.state.hub.people
    people.check_device(device, address_of(connection))
    return device


def required_device(connection: ASGIConnection[Any, Any, Any, Any]) -> str:
    """The device that asks; refused if it has no secret yet."""
    device = device_of(connection)
    if device is None:
        raise RefusedError("no_device", "ask for a device secret first: POST /api/devices")
    return device


def address_of(connection: ASGIConnection[Any, Any, Any, Any]) -> str:
    """The digest of the network that a request comes from."""
    return digest(network_of(connection.client.host if connection.client else ""))
