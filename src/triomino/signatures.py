"""Ed25519 signatures (RFC 8032) over the texts of ``fair/2``.

``cryptography`` is loaded with the first signature, so that the rules need nothing but Python.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from triomino.fair2 import check_hex
from triomino.packages import require_packages

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey


class SigningKey:
    """A private key. Its text form shows the public part only.

    >>> key = SigningKey(bytes(32))
    >>> is_signed("text", key.sign("text"), key.public)
    True
    """

    __slots__ = ("_key", "public")

    def __init__(self, secret: bytes) -> None:
        require_packages("a signature", "cryptography")
        from cryptography.hazmat.primitives.asymmetric.ed25519 import (  # noqa: PLC0415
            Ed25519PrivateKey,
        )

        self._key: Ed25519PrivateKey = Ed25519PrivateKey.from_private_bytes(secret)
        self.public = self._key.public_key().public_bytes_raw().hex()
        """The 32 bytes of the public key, as hexadecimal text."""

    @staticmethod
    def new_secret() -> bytes:
        """Return 32 fresh secret bytes to make a key from."""
        return secrets.token_bytes(32)

    def sign(self, text: str) -> str:
        """Return the signature of a text, as hexadecimal text."""
        return self._key.sign(text.encode("ascii")).hex()

    def __repr__(self) -> str:
        return f"SigningKey({self.public})"


def is_signed(text: str, signature: str, public: str) -> bool:
    """Whether the owner of a public key signed a text. What is malformed is no signature."""
    require_packages("a signature", "cryptography")
    from cryptography.exceptions import InvalidSignature  # noqa: PLC0415
    from cryptography.hazmat.primitives.asymmetric.ed25519 import (  # noqa: PLC0415
        Ed25519PublicKey,
    )

    try:
        check_hex(signature, 128, "a signature")
        check_hex(public, 64, "a public key")
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(public))
        key.verify(bytes.fromhex(signature), text.encode("ascii"))
    except (InvalidSignature, ValueError):  # also a key that is no point of the curve
        return False
    return True
