"""The page people play on: its files, an address that phones can reach, and QR codes."""

from __future__ import annotations

import gzip
from functools import lru_cache
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import urlsplit

import segno
from litestar import MediaType, Request, Response, get
from litestar.datastructures import State
from litestar.exceptions import NotFoundException
from litestar.openapi import ResponseSpec
from litestar.params import FromPath, QueryParameter

import triomino
from triomino.protocol.api import Problem

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from litestar.handlers import HTTPRouteHandler

    from triomino.server.config import Config

AnyRequest = Request[Any, Any, State]

_TYPES = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}
_TEXTS = frozenset(_TYPES) - {".png"}
"""What becomes smaller when it is packed."""
PACKED = "packed_already"
"""Marks a route whose answers are not to be packed again."""
_OTHERS = frozenset({"api", "ws", "schema", "health", "metrics"})
"""What the server answers itself; the rest of the paths belong to the page."""


def page_folder() -> Path | None:
    """Where the built page lies: ``web/dist`` of a checkout, or of the installed package."""
    # An editable install that brings a page along has no one folder as its resources.
    package = Path(triomino.__file__).parent
    checkout = package.parents[1]
    # A checkout shows what was built there, not a copy that an install may have left.
    home = checkout if (checkout / "pyproject.toml").exists() else package
    folder = home / "web" / "dist"
    return folder if (folder / "index.html").is_file() else None


def page_handlers(config: Config, otherwise: HTTPRouteHandler) -> Sequence[HTTPRouteHandler]:
    """The routes of the page; *otherwise* answers at ``/`` where none is built."""
    folder = page_folder()
    shared = _shared(config)
    return [otherwise, *shared] if folder is None else [*_files(folder), *shared]


def _files(folder: Path) -> list[HTTPRouteHandler]:
    folder = folder.resolve()

    @lru_cache(maxsize=256)
    def content(file: Path, packed: bool, stamp: int) -> bytes:  # noqa: ARG001 - a new build is read anew
        return gzip.compress(file.read_bytes(), 9, mtime=0) if packed else file.read_bytes()

    def find(name: str) -> Path | None:
        file = (folder / name).resolve()
        try:
            return file if file.is_relative_to(folder) and file.is_file() else None
        except OSError:  # a name that no file can have
            return None

    def answer(request: AnyRequest, name: str) -> Response[bytes]:
        first = name.partition("/")[0]
        file = None if "\0" in name else find(name)
        if first in _OTHERS or (first == "assets" and file is None):
            raise NotFoundException("there is nothing here")
        file = file or folder / "index.html"
        # A hashed name never changes its content.
        caching = "public, max-age=31536000, immutable" if first == "assets" else "no-cache"
        headers = {"cache-control": caching, "vary": "accept-encoding"}
        packed = file.suffix in _TEXTS and "gzip" in request.headers.get("accept-encoding", "")
        if packed:
            headers["content-encoding"] = "gzip"
        return Response(
            content(file, packed, file.stat().st_mtime_ns),
            media_type=_TYPES.get(file.suffix, "application/octet-stream"),
            headers=headers,
        )

    # Files are packed once, and as tightly as can be, not for each who asks.
    @get("/", include_in_schema=False, sync_to_thread=False, opt={PACKED: True})
    def home(request: AnyRequest) -> Response[bytes]:
        """The page."""
        return answer(request, "")

    @get("/{path:path}", include_in_schema=False, sync_to_thread=False, opt={PACKED: True})
    def page(request: AnyRequest, path: FromPath[str]) -> Response[bytes]:
        """A file of the page; every other path is a place within it."""
        return answer(request, path.strip("/"))

    return [home, page]


def name_of(data: str) -> str | None:
    """A name of a database that does not say where it lies; a server elsewhere has none."""
    if "://" in data:
        return None
    return sha256(str(Path(data).resolve()).encode()).hexdigest()[:16]


def _leads_to(link: str, hosts: Container[str | None]) -> bool:
    """Whether a link is one to these hosts."""
    try:
        parts = urlsplit(link)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and parts.netloc in hosts


def _shared(config: Config) -> list[HTTPRouteHandler]:
    """What the page asks the server about the way here."""

    def others(request: AnyRequest) -> str | None:
        from triomino.server.run import addresses  # noqa: PLC0415 - it imports the application

        server = request.scope.get("server")
        port = server[1] if server else None
        return addresses(config, port or config.port).others

    @get("/api/address", summary="Where other machines find this server", tags=["host"])
    async def address(request: AnyRequest) -> dict[str, str | None]:
        """The address for phones, ``null`` if only this machine can come; whose tables these are.

        By ``data`` a program on this machine knows a server of its own.
        """
        return {"url": others(request), "data": name_of(config.data)}

    elsewhere = ResponseSpec(
        Problem, generate_examples=False, description="The link leads to another server"
    )

    @get(
        "/api/qr",
        media_type=MediaType.TEXT,
        summary="A link as a QR code",
        tags=["host"],
        responses={404: elsewhere},
    )
    async def qr_code(
        request: AnyRequest, text: Annotated[str, QueryParameter(max_length=300)]
    ) -> Response[bytes]:
        """A link to this server as an SVG; no other link is drawn."""
        own = {request.headers.get("host"), urlsplit(others(request) or "").netloc}
        if not _leads_to(text, own - {None, ""}):
            raise NotFoundException("only links to this server are drawn")
        out = BytesIO()
        segno.make(text, error="m", micro=False).save(
            out, kind="svg", border=3, dark="#10181f", light="#ffffff", omitsize=True
        )
        return Response(out.getvalue(), media_type="image/svg+xml")

    return [address, qr_code]
