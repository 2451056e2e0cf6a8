"""The web page: its files, the address that phones can reach, and QR codes."""

from __future__ import annotations

import gzip
from functools import lru_cache
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import urlsplit

from litestar import MediaType, Request, Response, get
from litestar.datastructures import State
from litestar.exceptions import NotFoundException
from litestar.openapi import ResponseSpec
from litestar.params import FromPath, QueryParameter

from triomino.protocol.api import Problem
from triomino.server.built_page import page_folder
from triomino.server.listening import addresses
from triomino.server.previews import preview_handlers

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from litestar.handlers import HTTPRouteHandler

    from triomino.server.config import Config

AnyRequest = Request[Any, Any, State]

_TYPES = {
    ".bin": "application/octet-stream",
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
}
_TEXTS = frozenset(_TYPES) - {".png"}
"""File types worth compressing."""
COMPRESSED = "compressed_already"
"""Marks a route whose answers must not be compressed again."""
_INDEX = "index.html"
_TABLE = "table.html"
"""The page with all that a table needs requested at once."""
_SERVER_PATHS = frozenset({"api", "ws", "schema", "health", "metrics"})
"""First parts of the server's own paths; all others belong to the page."""


def page_handlers(config: Config, otherwise: HTTPRouteHandler) -> Sequence[HTTPRouteHandler]:
    """The routes of the page; *otherwise* serves ``/`` if no page is built."""
    folder = page_folder()
    api = _api_handlers(config)
    if folder is None:
        return [otherwise, *api]

    def table_html(*, is_table: bool) -> bytes:
        return _read(folder / (_TABLE if is_table else _INDEX), config)

    return [*_file_handlers(folder, config), *preview_handlers(config, table_html), *api]


def _read(file: Path, config: Config) -> bytes:
    """A file of the page; the page itself is told what the host has switched on and off."""
    content = file.read_bytes()
    marks = 'data-open="" ' if config.open else ""
    if config.parts_left_out:
        marks += f'data-without="{" ".join(config.parts_left_out)}" '
    if file.suffix != ".html" or not marks:
        return content
    return content.replace(b"<html ", f"<html {marks}".encode(), 1)


def _file_handlers(folder: Path, config: Config) -> list[HTTPRouteHandler]:
    folder = folder.resolve()

    @lru_cache(maxsize=256)
    def content(file: Path, zipped: bool, stamp: int) -> bytes:  # noqa: ARG001 - rereads a new build
        plain = _read(file, config)
        return gzip.compress(plain, 9, mtime=0) if zipped else plain

    def find(name: str) -> Path | None:
        file = (folder / name).resolve()
        try:
            return file if file.is_relative_to(folder) and file.is_file() else None
        except OSError:  # not a possible file name
            return None

    def answer(request: AnyRequest, name: str) -> Response[bytes]:
        first = name.partition("/")[0]
        file = None if "\0" in name else find(name)
        if first in _SERVER_PATHS or (first == "assets" and file is None):
            raise NotFoundException("there is nothing here")
        file = file or folder / _INDEX
        # Names of assets contain a hash of the content.
        caching = "public, max-age=31536000, immutable" if first == "assets" else "no-cache"
        headers = {"cache-control": caching, "vary": "accept-encoding"}
        zipped = file.suffix in _TEXTS and "gzip" in request.headers.get("accept-encoding", "")
        if zipped:
            headers["content-encoding"] = "gzip"
        return Response(
            content(file, zipped, file.stat().st_mtime_ns),
            media_type=_TYPES.get(file.suffix, "application/octet-stream"),
            headers=headers,
        )

    # Files are compressed once, at the best level, instead of for every request.
    @get("/", include_in_schema=False, sync_to_thread=False, opt={COMPRESSED: True})
    def home(request: AnyRequest) -> Response[bytes]:
        """The page."""
        return answer(request, "")

    @get("/{path:path}", include_in_schema=False, sync_to_thread=False, opt={COMPRESSED: True})
    def page(request: AnyRequest, path: FromPath[str]) -> Response[bytes]:
        """A file of the page, or the page itself for any other path."""
        return answer(request, path.strip("/"))

    return [home, page]


def name_of(data: str) -> str | None:
    """A name for a database file that does not reveal its path; ``None`` for a URL."""
    if "://" in data:
        return None
    return sha256(str(Path(data).resolve()).encode()).hexdigest()[:16]


def _leads_to(link: str, hosts: Container[str | None]) -> bool:
    """Whether a link is an HTTP link to one of these hosts."""
    try:
        parts = urlsplit(link)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and parts.netloc in hosts


def _api_handlers(config: Config) -> list[HTTPRouteHandler]:
    """The routes by which the page learns the server's address."""

    def others(request: AnyRequest) -> str | None:
        server = request.scope.get("server")
        port = server[1] if server else None
        return addresses(config, port or config.port).others

    @get("/api/address", summary="Where other machines find this server", tags=["host"])
    async def address(request: AnyRequest) -> dict[str, str | None]:
        """The address for phones, ``null`` if only this machine can reach it, and the database.

        By ``data`` a program on this machine recognises a server of its own.
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
        """A QR code of a link to this server, as SVG; other links are refused."""
        own = {request.headers.get("host"), urlsplit(others(request) or "").netloc}
        if not _leads_to(text, own - {None, ""}):
            raise NotFoundException("only links to this server are drawn")
        import segno  # noqa: PLC0415 - slow to load, and most servers never draw a code

        out = BytesIO()
        segno.make(text, error="m", micro=False).save(
            out, kind="svg", border=3, dark="#10181f", light="#ffffff", omitsize=True
        )
        return Response(out.getvalue(), media_type="image/svg+xml")

    return [address, qr_code]
