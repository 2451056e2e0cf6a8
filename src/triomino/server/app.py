"""The server: HTTP for setting up tables, one socket a client for playing at them."""

from __future__ import annotations

import asyncio
import logging
from contextlib import asynccontextmanager
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from litestar import Litestar, MediaType, Request, Response, WebSocket, delete, get, post, websocket
from litestar.config.compression import CompressionConfig
from litestar.datastructures import Cookie, State
from litestar.exceptions import HTTPException
from litestar.openapi import OpenAPIConfig, ResponseSpec
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.params import FromPath, JSONBody

from triomino.bots import LEVELS, why_not_bot
from triomino.errors import TriominoError
from triomino.protocol.api import (
    BotInfo,
    Claim,
    Device,
    Problem,
    RematchOptions,
    RuleBook,
    SeatLink,
    SeatTaken,
    TableOptions,
    TableSummary,
    TakeSeat,
)
from triomino.server.analyses import Analyses, analysis_handlers
from triomino.server.guard import Guard
from triomino.server.hub import Hub, digest
from triomino.server.logs import note
from triomino.server.pads import Pads, pad_handlers
from triomino.server.page import PACKED, page_handlers
from triomino.server.session import Session
from triomino.server.table import RefusedError
from triomino.server.telling import record, summary
from triomino.store.log import EventLog, StoreError
from triomino.words.book import book_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from triomino.server.config import Config

COOKIE = "triomino_device"

log = logging.getLogger("triomino.server")

AnyRequest = Request[Any, Any, State]


def _secret(connection: Request[Any, Any, State] | WebSocket[Any, Any, State]) -> str | None:
    """The secret of the device that asks, from its cookie or its authorization header."""
    header = connection.headers.get("authorization", "")
    if header.lower().startswith("bearer "):
        return header[7:].strip() or None
    return connection.cookies.get(COOKIE)


def _device(request: AnyRequest) -> str:
    secret = _secret(request)
    if secret is None:
        raise RefusedError("no_device", "ask for a device secret first: POST /api/devices")
    return digest(secret)


def _known_device(request: AnyRequest) -> str | None:
    secret = _secret(request)
    return None if secret is None else digest(secret)


def _address(request: AnyRequest) -> str:
    return digest(request.client.host if request.client else "")


def _hub(request: AnyRequest) -> Hub:
    hub: Hub = request.app.state.hub
    return hub


REFUSALS = {
    status: ResponseSpec(Problem, generate_examples=False, description=why)
    for status, why in {
        400: "The request is malformed",
        401: "The device has no secret yet",
        403: "This is for somebody else",
        404: "There is no such table",
        409: "This cannot be done now",
        413: "The request is too large",
        429: "Too many requests, or tables",
    }.items()
}


@post("/api/devices", summary="Get a secret that names this device", tags=["devices"])
async def new_device(request: AnyRequest) -> Response[Device]:
    """Give the device a secret, unless it has one; browsers keep it as a cookie."""
    hub = _hub(request)
    secret = _secret(request) or hub.new_secret()
    cookie = Cookie(
        key=COOKIE,
        value=secret,
        httponly=True,
        samesite="lax",
        secure=hub.config.is_https,
        path="/",
        max_age=400 * 24 * 3600,
    )
    return Response(Device(secret), cookies=[cookie])


@post("/api/tables", summary="Set up a table", tags=["tables"], responses=REFUSALS)
async def create_table(request: AnyRequest, data: JSONBody[TableOptions]) -> TableSummary:
    """Set up a table; who does is its host."""
    device = _device(request)
    return summary(await _hub(request).create(data, device, _address(request)), device)


@get("/api/tables", summary="The lobby: open tables", tags=["tables"])
async def list_tables(request: AnyRequest) -> list[TableSummary]:
    """The listed tables that wait for people, the newest first."""
    device = _known_device(request)
    return [summary(t, device) for t in await _hub(request).lobby() if t.state == "open"]


@get("/api/tables/{table_id:str}", summary="One table", tags=["tables"], responses=REFUSALS)
async def get_table(request: AnyRequest, table_id: FromPath[str]) -> TableSummary:
    """A table as everybody sees it."""
    place = await _hub(request).place(table_id)
    return summary(place.table, _known_device(request))


@post("/api/tables/{table_id:str}/seats", summary="Take a seat", tags=["seats"], responses=REFUSALS)
async def take_seat(
    request: AnyRequest, table_id: FromPath[str], data: JSONBody[TakeSeat]
) -> SeatTaken:
    """Sit down under a name."""
    device = _device(request)
    seat = await _hub(request).take_seat(table_id, data.name, device, data.seed, data.seat)
    return SeatTaken(table_id, seat)


@delete(
    "/api/tables/{table_id:str}/seats/{seat:int}",
    summary="Leave a seat",
    tags=["seats"],
    responses=REFUSALS,
)
async def leave_seat(request: AnyRequest, table_id: FromPath[str], seat: FromPath[int]) -> None:
    """Leave: before the start the seat is free again, later a bot plays on."""
    device, hub = _device(request), _hub(request)
    await hub.change(table_id, lambda table: table.leave(seat, device, hub.now()))


@post(
    "/api/tables/{table_id:str}/seats/{seat:int}/links",
    summary="My seat on another device",
    tags=["seats"],
    responses=REFUSALS,
)
async def make_link(request: AnyRequest, table_id: FromPath[str], seat: FromPath[int]) -> SeatLink:
    """Make a secret link to a seat of one's own; it is shown once."""
    return await _hub(request).make_link(table_id, seat, _device(request))


@post(
    "/api/tables/{table_id:str}/claims",
    summary="Come by a seat's link",
    tags=["seats"],
    responses=REFUSALS,
)
async def claim_seat(
    request: AnyRequest, table_id: FromPath[str], data: JSONBody[Claim]
) -> SeatTaken:
    """Come to one's seat from another device."""
    device, hub = _device(request), _hub(request)
    link = digest(data.secret)
    claimed: list[int] = []

    def command(table: Any) -> Any:
        event = table.claim(link, device, hub.now())
        claimed.append(event.seat)
        return event

    await hub.change(table_id, command)
    return SeatTaken(table_id, claimed[0])


@post(
    "/api/tables/{table_id:str}/start",
    summary="Start the match",
    tags=["tables"],
    responses=REFUSALS,
)
async def start_table(request: AnyRequest, table_id: FromPath[str]) -> TableSummary:
    """Deal the first round, once every seat is taken."""
    device, hub = _device(request), _hub(request)
    table = await hub.change(table_id, lambda table: table.start(device, hub.now()))
    return summary(table, device)


@post(
    "/api/tables/{table_id:str}/rematch",
    summary="Another match",
    tags=["tables"],
    responses=REFUSALS,
)
async def rematch(
    request: AnyRequest, table_id: FromPath[str], data: JSONBody[RematchOptions]
) -> TableSummary:
    """Another match with the same people, at a table of its own."""
    device = _device(request)
    return summary(await _hub(request).rematch(table_id, data, device), device)


@get(
    "/api/tables/{table_id:str}/record",
    summary="The record of a match",
    tags=["tables"],
    responses=REFUSALS,
)
async def get_record(request: AnyRequest, table_id: FromPath[str]) -> dict[str, Any]:
    """The record of a match that is over, seeds and all, to replay and to verify."""
    return await _finished(request, table_id)


async def _finished(request: AnyRequest, table_id: str) -> dict[str, Any]:
    """The record of a table; refused while the match is played."""
    table = (await _hub(request).place(table_id)).table
    if table.match is None or not table.match.over:
        raise RefusedError("not_finished", "the record is there once the match is over")
    return record(table)


@get(
    "/api/tables/{table_id:str}/rules",
    summary="The rule book of a table",
    tags=["tables"],
    responses=REFUSALS,
)
async def get_rules(request: AnyRequest, table_id: FromPath[str]) -> RuleBook:
    """The rules that are played there, house rules and all, to be read in any language."""
    return book_of((await _hub(request).place(table_id)).table.rules)


@get("/api/bots", summary="The opponents", tags=["tables"])
async def list_bots() -> list[BotInfo]:
    """The opponents, the weakest first, and why some cannot play here."""
    return [BotInfo(name, why_not_bot(name)) for name in LEVELS]


@get("/", media_type=MediaType.HTML, include_in_schema=False)
async def landing() -> Response[str]:
    """A page that says that the server runs."""
    page = files("triomino.server").joinpath("landing.html").read_text("utf-8")
    strict = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    return Response(page, headers={"content-security-policy": strict})


@get("/health", summary="Is the server well?", tags=["host"])
async def health(request: AnyRequest) -> dict[str, str]:
    """Answer once the database does."""
    await _hub(request).events.count()
    return {"status": "ok"}


@get("/metrics", media_type=MediaType.TEXT, summary="Counters for Prometheus", tags=["host"])
async def metrics(request: AnyRequest) -> str:
    """Counters of this server."""
    hub = _hub(request)
    return hub.metrics.text(
        tables_in_memory=hub.open_places,
        sockets_open=request.app.state.sockets["open"],
        analyses_under_way=request.app.state.analyses.under_way,
    )


@websocket("/ws")
async def play_socket(socket: WebSocket[Any, Any, State]) -> None:
    """One socket a client; see the protocol's page."""
    hub: Hub = socket.app.state.hub
    sockets: dict[str, int] = socket.app.state.sockets
    address = socket.client.host if socket.client else ""
    if sockets.get(address, 0) >= hub.config.sockets_per_address:
        await socket.close(4429, "too many connections")
        return
    secret = _secret(socket)
    await socket.accept()
    hub.metrics.sockets += 1
    sockets["open"] += 1
    sockets[address] = sockets.get(address, 0) + 1
    note("socket opened", client=address, open=sockets["open"])
    try:
        await Session(hub, socket, None if secret is None else digest(secret)).run()
    finally:
        sockets["open"] -= 1
        sockets[address] -= 1
        if not sockets[address]:
            del sockets[address]
        note("socket closed", client=address, open=sockets["open"])


_STATUS = {
    "no_table": 404,
    "no_pad": 404,
    "no_device": 401,
    "not_yours": 403,
    "not_host": 403,
    "wrong_link": 403,
    "too_many_tables": 429,
    "too_many_pads": 429,
    "no_analysis": 404,
    "too_many_analyses": 429,
}


def _answer_error(_: AnyRequest, error: Exception) -> Response[Problem]:
    """Every refusal is a small object with a code and a sentence."""
    if isinstance(error, RefusedError):
        return Response(Problem(error.code, str(error)), status_code=_STATUS.get(error.code, 409))
    if isinstance(error, StoreError):
        log.error("the event log failed: %s", error)
        return Response(Problem("unavailable", "the table cannot be kept now"), status_code=503)
    if isinstance(error, TriominoError):
        return Response(Problem("wrong", str(error)), status_code=400)
    if isinstance(error, RecursionError):
        return Response(Problem("http", "this is nested too deeply"), status_code=400)
    if isinstance(error, HTTPException):
        extra = error.extra if isinstance(error.extra, list) else []
        reasons = "; ".join(
            f"{item.get('key', '')}: {item.get('message', '')}"
            for item in extra
            if isinstance(item, dict)
        )
        detail = f"{error.detail} ({reasons})" if reasons else error.detail
        return Response(
            Problem("http", detail), status_code=error.status_code, headers=error.headers
        )
    log.exception("a request failed", exc_info=error)
    return Response(Problem("internal", "something went wrong here"), status_code=500)


def make_app(
    config: Config,
    make_hub: Callable[[Config, EventLog], Hub] = Hub,
    events: EventLog | None = None,
) -> Litestar:
    """The application, ready for a server such as uvicorn.

    It opens the log itself, unless one is given; when it stops, it closes it.
    """

    @asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncIterator[None]:
        opened = events or await EventLog.open(config.data)
        hub = make_hub(config, opened)
        app.state.hub = hub
        app.state.pads = Pads(opened, config, hub.now)
        analyses = app.state.analyses = Analyses(opened, config, hub.metrics, hub.now)
        background = [
            asyncio.create_task(work)
            for work in (hub.wake_clocks(), hub.watch_log(), hub.clean_daily())
        ]
        try:
            yield
        finally:
            for task in background:
                task.cancel()
            await asyncio.gather(*background, return_exceptions=True)
            await analyses.close()
            await hub.close()
            await opened.close()

    app = Litestar(
        route_handlers=[
            new_device,
            create_table,
            list_tables,
            get_table,
            take_seat,
            leave_seat,
            make_link,
            claim_seat,
            start_table,
            rematch,
            get_record,
            get_rules,
            list_bots,
            *page_handlers(config, landing),
            health,
            metrics,
            play_socket,
            *pad_handlers(_address),
            *analysis_handlers(config, _address, _finished, REFUSALS),
        ],
        lifespan=[lifespan],
        exception_handlers={Exception: _answer_error},
        request_max_body_size=config.body_bytes,
        compression_config=CompressionConfig(
            backend="gzip", minimum_size=1000, exclude_opt_key=PACKED
        ),
        openapi_config=OpenAPIConfig(
            title="triomino",
            version="1",
            description="Tables of triangular dominoes. Playing happens on the socket at /ws.",
            render_plugins=[JsonRenderPlugin()],
        ),
        state=State({"sockets": {"open": 0}}),
        logging_config=None,
        debug=False,
    )
    # Round everything: what no route answers is guarded too.
    app.asgi_handler = Guard(app.asgi_handler, config)
    return app
