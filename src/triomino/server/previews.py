"""Previews of a table's link, as messengers show them: a title, a text and a picture (Open Graph).

Whoever has the link may see all of it, so only what spectators see is told: names, scores and the
board, never a rack.
"""

from __future__ import annotations

import asyncio
import sys
from collections import OrderedDict
from html import escape
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

import msgspec
from litestar import Request, Response, get
from litestar.datastructures import State
from litestar.exceptions import ServiceUnavailableException
from litestar.openapi import ResponseSpec
from litestar.params import FromPath

from triomino.bots.cast import CAST
from triomino.moves import Place
from triomino.protocol.api import Problem
from triomino.scoring import Reason
from triomino.server.painter import SIZE, Sketch
from triomino.server.table import RefusedError
from triomino.words import ENGLISH, LanguageError, Words, language_named

if TYPE_CHECKING:
    from litestar.handlers import HTTPRouteHandler

    from triomino.server.config import Config
    from triomino.server.hub import Hub
    from triomino.server.table import Chair, Table

AnyRequest = Request[Any, Any, State]

MOST_PICTURES: Final = 64
MOST_WAITING: Final = 8
MOST_REPLACED: Final = 20
SECONDS: Final = 20.0


class Preview(NamedTuple):
    """What a messenger shows of a link."""

    title: str
    text: str


class BusyError(Exception):
    """Too many pictures are being asked for."""


class Pictures:
    """Pictures of boards: painted one at a time by a process, and the latest of them kept."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Sketch, bytes] = OrderedDict()
        self._painting = asyncio.Lock()
        self._waiting = 0

    async def of(self, table: Table) -> bytes:
        """The picture of a table's board as PNG; raise :class:`BusyError` or ``OSError``."""
        sketch = sketch_of(table)
        if sketch not in self._kept:
            if self._waiting >= MOST_WAITING:
                raise BusyError
            self._waiting += 1
            try:
                async with self._painting:
                    if sketch not in self._kept:
                        self._keep(sketch, await _painted(sketch))
            finally:
                self._waiting -= 1
        self._kept.move_to_end(sketch)
        return self._kept[sketch]

    def _keep(self, sketch: Sketch, picture: bytes) -> None:
        self._kept[sketch] = picture
        while len(self._kept) > MOST_PICTURES:
            self._kept.popitem(last=False)


def sketch_of(table: Table) -> Sketch:
    """What is painted of a table: the board of its current round, which everybody may see."""
    if table.match is None:
        return Sketch()
    placed = [ply for ply in table.game.plies if isinstance(ply.move, Place)]
    return Sketch(
        tuple(str(ply.move) for ply in placed),
        tuple(str(ply.move) for ply in placed if ply.bonus is Reason.BRIDGE),
    )


async def _painted(sketch: Sketch) -> bytes:
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "triomino.server.painter"),
        stdin=pipe,
        stdout=pipe,
        stderr=asyncio.subprocess.DEVNULL,
        start_new_session=True,  # Ctrl-C is for the server
    )
    try:
        async with asyncio.timeout(SECONDS):
            picture, _ = await process.communicate(msgspec.json.encode(sketch))
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode or not picture:
        raise OSError(f"the painter left with {process.returncode}")
    return picture


# --- Words ---------------------------------------------------------------------------------------


def preview_of(table: Table, words: Words) -> Preview:
    """The title and the text of a table's link."""
    words = words.of_cards(table.rules.piece.value == "card")
    edition = words.say(f"edition.{table.rules.edition}")
    target = table.rules.target
    if table.most_rounds is not None:
        match = f"{edition} · {words.say('match.rounds', count=table.most_rounds)}"
    else:
        match = edition if target is None else words.say("match.to", edition=edition, target=target)
    names = [_name(chair, seat, words) for seat, chair in enumerate(table.chairs)]
    if table.match is None:
        free = sum(chair.is_free for chair in table.chairs)
        return Preview(_invitation(table, words), words.say("preview.open", match=match, free=free))
    totals = table.match.scores if table.match.over else table.game.totals
    standing = " · ".join(
        words.isolated(f"{name} {words.number(total)}" if table.rules.scoring else name)
        for name, total in zip(names, totals, strict=True)
    )
    if table.match.over:
        winners = ", ".join(words.isolated(names[seat]) for seat in table.match.winners)
        return Preview(words.say("preview.winner", names=winners), f"{match}: {standing}")
    number = len(table.match.rounds)
    return Preview(standing, words.say("preview.round", match=match, number=number))


def _invitation(table: Table, words: Words) -> str:
    """From whom an invitation is, if the host has told a name."""
    for chair in table.chairs:
        if table.host in chair.owners and not chair.summary.is_made_up and chair.name:
            return words.say("waiting.from", name=chair.name)
    return words.say("waiting.invited")


def _name(chair: Chair, seat: int, words: Words) -> str:
    """The name of a seat; a name that the program gave is said in the language."""
    if chair.name is None:
        return words.say("seat.free", number=seat + 1)
    if not chair.summary.is_made_up:
        return chair.name
    if chair.is_former:
        return words.say("people.former")
    if not chair.is_bot:
        return words.say("new.player", number=seat + 1)
    return CAST.get(chair.name, chair.name) if words.language == "he" else chair.name


def language_wanted(header: str) -> str:
    """The language of an ``Accept-Language`` header that we speak, or English.

    >>> language_wanted("xx, de-AT;q=0.8, fr;q=0.9")
    'fr'
    """
    wanted = []
    for item in header[:400].split(","):
        name, _, quality = item.strip().partition(";q=")
        try:
            wanted.append((-float(quality or 1), name))
        except ValueError:
            continue
    for _, name in sorted(wanted, key=lambda one: one[0]):
        try:
            return language_named(name)
        except LanguageError:
            continue
    return ENGLISH


def tags(preview: Preview, link: str, picture: str, language: str) -> str:
    """The HTML that tells a messenger about a page."""
    width, height = SIZE
    properties = {
        "og:type": "website",
        "og:site_name": "triomino",
        "og:title": preview.title,
        "og:description": preview.text,
        "og:url": link,
        "og:image": picture,
        "og:image:width": str(width),
        "og:image:height": str(height),
        "og:locale": language,
    }
    lines = [
        f'<meta property="{name}" content="{escape(value)}" />'
        for name, value in properties.items()
    ]
    # A link that was given to friends is not for search engines.
    lines += [
        '<meta name="twitter:card" content="summary_large_image" />',
        '<meta name="robots" content="noindex" />',
    ]
    return "\n".join(lines)


async def _current(hub: Hub, table_id: str) -> Table:
    """The table of a link, or the one that its host has set up in its place."""
    table = (await hub.tables.open(table_id)).table
    for _ in range(MOST_REPLACED):
        if table.rematch is None or table.closed_why != "replaced":
            break
        table = (await hub.tables.open(table.rematch)).table
    return table


# --- Routes --------------------------------------------------------------------------------------


class ReadPage(Protocol):
    """Reads the page as it is built."""

    def __call__(self, *, is_table: bool) -> bytes:
        """The page for a table itself, or for what belongs to one."""


def preview_handlers(config: Config, read_page: ReadPage) -> list[HTTPRouteHandler]:
    """The routes of tables' links."""

    @get(["/t/{table_id:str}", "/t/{table_id:str}/{rest:path}"], include_in_schema=False)
    async def table_page(request: AnyRequest, table_id: FromPath[str]) -> Response[bytes]:
        """The page, with a preview of the table for messengers."""
        hub: Hub = request.app.state.hub
        html = read_page(is_table=request.url.path.strip("/").count("/") == 1)
        try:
            table = await _current(hub, table_id)
        except RefusedError:
            pass  # the page itself says that there is no such table
        else:
            language = language_wanted(request.headers.get("accept-language", ""))
            base = config.public_url or f"{request.url.scheme}://{request.headers.get('host', '')}"
            link = f"{base.rstrip('/')}/t/{table.id}"
            picture = f"{base.rstrip('/')}/api/tables/{table.id}/picture?v={table.version}"
            found = tags(preview_of(table, Words(language)), link, picture, language)
            html = html.replace(b"</head>", found.encode() + b"\n</head>", 1)
        headers = {"cache-control": "no-cache", "vary": "accept-encoding, accept-language"}
        return Response(html, media_type="text/html", headers=headers)

    return [table_page]


@get(
    "/api/tables/{table_id:str}/picture",
    media_type="image/png",
    summary="A picture of the board",
    tags=["tables"],
    responses={
        status: ResponseSpec(Problem, generate_examples=False, description=why)
        for status, why in {
            404: "There is no such table",
            409: "The table cannot be read",
            429: "Too many requests",
            503: "There is no picture now",
        }.items()
    },
)
async def table_picture(request: AnyRequest, table_id: FromPath[str]) -> Response[bytes]:
    """The board as everybody may see it, as PNG; an emblem before the match has begun."""
    hub: Hub = request.app.state.hub
    pictures: Pictures = request.app.state.pictures
    table = (await hub.tables.open(table_id)).table
    try:
        picture = await pictures.of(table)
    except (BusyError, OSError) as error:
        raise ServiceUnavailableException("there is no picture now; ask again later") from error
    headers = {"cache-control": "public, max-age=60"}
    return Response(picture, media_type="image/png", headers=headers)
