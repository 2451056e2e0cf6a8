"""A push service on this machine, and browsers that can read what comes through it."""

from __future__ import annotations

import base64
import json
import os
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, Self

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02

if TYPE_CHECKING:
    from types import TracebackType


def text_of(data: bytes) -> str:
    """Bytes as browsers write them."""
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


@dataclass
class Subscribed:
    """A browser that can be pushed to."""

    path: str
    private: ec.EllipticCurvePrivateKey = field(
        default_factory=lambda: ec.generate_private_key(ec.SECP256R1())
    )
    auth: bytes = field(default_factory=lambda: os.urandom(16))

    def body(self, url: str, **changes: Any) -> dict[str, Any]:
        """What the browser tells the server."""
        public = self.private.public_key()
        point = public.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        wishes = ["turns", "invitations", "reminders"]
        keys = {"p256dh": text_of(point), "auth": text_of(self.auth)}
        return {"endpoint": url + self.path, **keys, "language": "en", "wishes": wishes} | changes

    def read(self, message: bytes) -> dict[str, Any]:
        """Decrypt what came."""
        plain = http_ece.decrypt(message, private_key=self.private, auth_secret=self.auth)
        shown: dict[str, Any] = json.loads(plain)
        return shown


class PushService:
    """Takes messages, each as *answers* says for its path; 201 otherwise."""

    def __init__(self) -> None:
        self.taken: list[tuple[str, bytes]] = []
        self.answers: dict[str, int] = {}
        self.asked = 0
        self.is_slow = threading.Event()
        """Set to let every message wait."""
        self.goes_on = threading.Event()
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                if service.is_slow.is_set():
                    service.goes_on.wait(10)
                assert Vapid02.verify(self.headers["authorization"])
                assert self.headers["content-encoding"] == "aes128gcm"
                assert int(self.headers["ttl"]) > 0
                assert len(self.headers["topic"]) <= 32
                service.asked += 1
                status = service.answers.get(self.path, 201)
                if status == 201:
                    service.taken.append((self.path, body))
                self.send_response(status)
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,))

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.goes_on.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
