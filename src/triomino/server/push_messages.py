"""What is sent to a push service: a message that only the browser can read, and who sends it.

The two libraries are those that ``pywebpush`` is made of; sending is left to ``httpx``. They are
loaded with the first message.
"""

from __future__ import annotations

import base64
import binascii
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from triomino.server.table import RefusedError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from py_vapid import Vapid02

KEY_BYTES = 65
"""Of the public key of a browser: a point of P-256, not compressed."""
AUTH_BYTES = 16


class PushKey:
    """The key by which push services know this server (RFC 8292)."""

    def __init__(self, secret: bytes) -> None:
        from cryptography.hazmat.primitives.serialization import (  # noqa: PLC0415
            Encoding,
            PublicFormat,
        )
        from py_vapid import Vapid02  # noqa: PLC0415

        self._vapid: Vapid02 = Vapid02.from_raw(_text(secret).encode())
        point = self._vapid.public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self.public = _text(point)
        """What browsers subscribe with."""

    @staticmethod
    def new_secret() -> bytes:
        """A new private key."""
        from cryptography.hazmat.primitives.asymmetric import ec  # noqa: PLC0415

        number = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
        return number.to_bytes(32, "big")

    def authorization(self, endpoint: str, contact: str, expires: int) -> str:
        """The header that says who sends to an *endpoint*, until *expires* in seconds."""
        parts = urlsplit(endpoint)
        claims = {"aud": f"{parts.scheme}://{parts.netloc}", "sub": contact, "exp": expires}
        return str(self._vapid.sign(claims)["Authorization"])


def encrypt(message: bytes, p256dh: str, auth: str) -> bytes:
    """Encrypt a message for the browser with these keys (RFC 8291)."""
    import http_ece  # noqa: PLC0415
    from cryptography.hazmat.primitives.asymmetric import ec  # noqa: PLC0415

    own = ec.generate_private_key(ec.SECP256R1())
    encrypted: bytes = http_ece.encrypt(
        message, private_key=own, dh=_bytes(p256dh), auth_secret=_bytes(auth)
    )
    return encrypted


def check_keys(p256dh: str, auth: str) -> None:
    """Refuse keys that nothing can be encrypted with."""
    from cryptography.hazmat.primitives.asymmetric import ec  # noqa: PLC0415

    try:
        point, secret = _bytes(p256dh), _bytes(auth)
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
    except (ValueError, binascii.Error) as error:
        raise RefusedError("wrong_keys", "these are no keys of a push subscription") from error
    if len(point) != KEY_BYTES or len(secret) != AUTH_BYTES:
        raise RefusedError("wrong_keys", "these are no keys of a push subscription")


def is_service(endpoint: str, services: Iterable[str]) -> bool:
    """Whether an address belongs to one of the push services.

    A service is a host, ``*.`` and what its name ends with, or an origin.

    >>> is_service("https://web.push.apple.com/Q1", ["*.push.apple.com"])
    True
    >>> is_service("https://web.push.apple.com.example/Q1", ["*.push.apple.com"])
    False
    """
    try:
        parts = urlsplit(endpoint)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return False
    if not host or parts.username is not None or parts.password is not None:
        return False
    is_https = parts.scheme == "https" and port in (None, 443)
    for service in services:
        if "://" in service:
            found = f"{parts.scheme}://{parts.netloc}" == service.rstrip("/")
        elif service.startswith("*."):
            found = is_https and host.endswith(service[1:])
        else:
            found = is_https and host == service
        if found:
            return True
    return False


def _text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def _bytes(text: str) -> bytes:
    padded = text + "=" * (-len(text) % 4)
    return base64.b64decode(padded, altchars=b"-_", validate=True)
