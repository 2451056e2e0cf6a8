"""The application: HTTP for setting up tables, one socket per client for playing."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from contextlib import asynccontextmanager
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Literal

import msgspec
from litestar import Litestar, MediaType, Request, Response, WebSocket, delete, get, post, websocket
from litestar.config.compression import CompressionConfig
from litestar.datastructures import Cookie, State
from litestar.exceptions import HTTPException, InternalServerException
from litestar.openapi import OpenAPIConfig, ResponseSpec
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.params import FromPath, JSONBody

from triomino.bots import LEVELS, why_not_bot
from triomino.errors import TriominoError
from triomino.protocol.api import (
    ArrivedTable,
    ArrivingTable,
    BotInfo,
    Claim,
    Commitment,
    Device,
    Problem,
    RematchOptions,
    RuleBook,
    SeatLink,
    SeatTaken,
    Seed,
    TableOptions,
    TableSummary,
    TakeSeat,
)
from triomino.server.analyses import Analyses, analysis_handlers
from triomino.server.budgets import Buckets, Budgets, network_of
from triomino.server.club_routes import club_handlers
from triomino.server.clubs import Clubs
from triomino.server.credentials import (
    COOKIE,
    address_of,
    device_of,
    device_secret,
    digest,
    required_device,
)
from triomino.server.decency_routes import DECENCY_HANDLERS
from triomino.server.guard import Guard
from triomino.server.health import health
from triomino.server.host_routes import HOST_HANDLERS
from triomino.server.hub import Hub
from triomino.server.lobby import Lobby
from triomino.server.logs import note
from triomino.server.pads import Pads, pad_handlers
from triomino.server.page import COMPRESSED, page_handlers
from triomino.server.people_routes import PEOPLE_HANDLERS
from triomino.server.play_now import PlayNow
from triomino.server.play_now_routes import queue_handlers
from triomino.server.previews import Pictures, table_picture
from triomino.server.push_requests import push_handlers
from triomino.server.rated import RatedMatches
from triomino.server.rating_routes import rating_handlers
from triomino.server.refusals import REFUSALS
from triomino.server.session import Session
from triomino.server.shared_jobs import SharedJobs
from triomino.server.sign_in_routes import SIGN_IN_HANDLERS
from triomino.server.snapshot import record, standing, summary
from triomino.server.sockets import Sockets
from triomino.server.table import RefusedError
from triomino.server.troubles import unavailable
from triomino.store.failure import StoreError
from triomino.store.log import EventLog
from triomino.words.book import book_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from litestar.handlers import HTTPRouteHandler, WebsocketRouteHandler

    from triomino.server.config import Config
    from triomino.server.table import Table

log = logging.getLogger("triomino.server")

AnyRequest = Request[Any, Any, State]

ARRIVAL_BYTES = 65_536
"""Of a match that began in a browser; one to 400 points has about 6,000."""


def _spend(request: AnyRequest, kind: Literal["tables", "seats"]) -> None:
    """Take from a budget of the address that asks; refused if there is nothing left."""
    buckets: Buckets = getattr(request.app.state.budgets, kind)
    if not buckets.take(network_of(request.client.host if request.client else "")):
        raise RefusedError("too_fast", "too many from here; wait a little")


def _hub(request: AnyRequest) -> Hub:
    hub: Hub = request.app.state.hub
    return hub


async def _table(request: AnyRequest, table_id: str) -> Table:
    return await _hub(request).look(table_id)


@post("/api/devices", summary="Get a secret that names this device", tags=["devices"])
async def new_device(request: AnyRequest) -> Response[Device]:
    """Give the device a secret, unless it has one; browsers keep it as a cookie."""
    hub = _hub(request)
    try:
        secret = device_secret(request) or hub.new_secret()
    except RefusedError:
        if "authorization" in request.headers:
            raise
        secret = hub.new_secret()  # a browser cannot mend its cookie itself
    if hub.people.is_removed(digest(secret)):
        secret = hub.new_secret()
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
    """Set up a table; the device that does is its host."""
    device = required_device(request)
    _spend(request, "tables")
    return summary(await _hub(request).create(data, device, address_of(request)), device)


@post(
    "/api/tables/arrivals",
    summary="Play on what began in a browser",
    tags=["tables"],
    responses=REFUSALS,
    request_max_body_size=ARRIVAL_BYTES,
)
async def take_in_table(request: AnyRequest, data: JSONBody[ArrivingTable]) -> ArrivedTable:
    """Take over a running match whose people all sit at this device, to let a friend in."""
    device = required_device(request)
    _spend(request, "tables")
    return await _hub(request).take_in(data, device, address_of(request))


@get(
    "/api/tables",
    summary="The lobby: open tables",
    tags=["tables"],
    responses={200: ResponseSpec(list[TableSummary], generate_examples=False)},
    opt={COMPRESSED: True},
)
async def list_tables(request: AnyRequest) -> Response[bytes]:
    """The listed tables with a free seat, newest first."""
    lobby: Lobby = request.app.state.lobby
    zipped = "gzip" in request.headers.get("accept-encoding", "")
    headers = {"vary": "accept-encoding"} | ({"content-encoding": "gzip"} if zipped else {})
    content = await lobby.encoded(device_of(request), zipped)
    return Response(content, media_type=MediaType.JSON, headers=headers)


@get("/api/tables/{table_id:str}", summary="One table", tags=["tables"], responses=REFUSALS)
async def get_table(request: AnyRequest, table_id: FromPath[str]) -> TableSummary:
    """A table as everybody sees it."""
    table = await _table(request, table_id)
    found = summary(table, device_of(request))
    return msgspec.structs.replace(found, standing=standing(table))


@post("/api/tables/{table_id:str}/seats", summary="Take a seat", tags=["seats"], responses=REFUSALS)
async def take_seat(
    request: AnyRequest, table_id: FromPath[str], data: JSONBody[TakeSeat]
) -> SeatTaken:
    """Take a seat under a name.

    A commitment or a start that comes with it and is refused leaves the seat taken; the table
    shows which commitments it has.
    """
    device, hub = required_device(request), _hub(request)
    _spend(request, "seats")
    await hub.people.check_listed((await hub.look(table_id)).options, data.name)
    taken = await hub.change(
        table_id, lambda table: table.take_seat(data.name, device, data.seed, data.seat, hub.now())
    )
    if data.commitment is not None:
        with contextlib.suppress(RefusedError):
            await hub.commit(table_id, device, data.commitment)
    if data.start:
        await hub.start(table_id, device)
    return SeatTaken(table_id, taken.event.seat)


@delete(
    "/api/tables/{table_id:str}/seats/{seat:int}",
    summary="Leave a seat",
    tags=["seats"],
    responses=REFUSALS,
)
async def leave_seat(request: AnyRequest, table_id: FromPath[str], seat: FromPath[int]) -> None:
    """Leave a seat: before the start it becomes free, later a bot plays on."""
    device, hub = required_device(request), _hub(request)
    _spend(request, "seats")
    await hub.change(table_id, lambda table: table.leave(seat, device, hub.now()))


@post(
    "/api/tables/{table_id:str}/seats/{seat:int}/links",
    summary="My seat on another device",
    tags=["seats"],
    responses=REFUSALS,
)
async def make_link(request: AnyRequest, table_id: FromPath[str], seat: FromPath[int]) -> SeatLink:
    """Make a secret link to a seat of this device; it is shown once."""
    _spend(request, "seats")
    return await _hub(request).make_link(table_id, seat, required_device(request))


@delete(
    "/api/tables/{table_id:str}/seats/{seat:int}/links",
    summary="Withdraw the link to my seat",
    tags=["seats"],
    responses=REFUSALS,
)
async def withdraw_link(request: AnyRequest, table_id: FromPath[str], seat: FromPath[int]) -> None:
    """Withdraw the link to a seat of this device, so that it opens nothing any more."""
    _spend(request, "seats")
    device, hub = required_device(request), _hub(request)
    await hub.change(table_id, lambda table: table.withdraw_link(seat, device, hub.now()))


@post(
    "/api/tables/{table_id:str}/claims",
    summary="Come by a seat's link",
    tags=["seats"],
    responses=REFUSALS,
)
async def claim_seat(
    request: AnyRequest, table_id: FromPath[str], data: JSONBody[Claim]
) -> SeatTaken:
    """Take over a seat on another device. This, and nothing else, uses the link up."""
    device = required_device(request)
    _spend(request, "seats")
    return SeatTaken(table_id, await _hub(request).claim(table_id, data.secret, device))


@post(
    "/api/tables/{table_id:str}/commitments",
    summary="Commit to a seed",
    tags=["fair deal"],
    responses=REFUSALS,
)
async def commit(
    request: AnyRequest, table_id: FromPath[str], data: JSONBody[Commitment]
) -> TableSummary:
    """Commit this device to the seed that it will reveal; the same once more changes nothing."""
    device, hub = required_device(request), _hub(request)
    await hub.commit(table_id, device, data.commitment)
    return summary(await _table(request, table_id), device)


@post(
    "/api/tables/{table_id:str}/seeds",
    summary="Reveal a seed",
    tags=["fair deal"],
    responses=REFUSALS,
)
async def reveal(
    request: AnyRequest, table_id: FromPath[str], data: JSONBody[Seed]
) -> TableSummary:
    """Reveal the seed that this device committed to, once the match is started."""
    device, hub = required_device(request), _hub(request)
    await hub.reveal(table_id, device, data.seed)
    return summary(await _table(request, table_id), device)


@post(
    "/api/tables/{table_id:str}/start",
    summary="Start the match",
    tags=["tables"],
    responses=REFUSALS,
)
async def start_table(request: AnyRequest, table_id: FromPath[str]) -> TableSummary:
    """Start the match, once every seat is taken.

    If a device committed to a seed, the table is in state ``opening`` until it is revealed or the
    time for it is over; else the first round is dealt at once.
    """
    device, hub = required_device(request), _hub(request)
    await hub.start(table_id, device)
    return summary(await _table(request, table_id), device)


@post(
    "/api/tables/{table_id:str}/replacement",
    summary="Change an invitation",
    tags=["tables"],
    responses=REFUSALS,
)
async def replace_table(
    request: AnyRequest, table_id: FromPath[str], data: JSONBody[TableOptions]
) -> TableSummary:
    """Set up a table in place of one that nobody else has come to yet.

    The old table is closed; its link leads to the new one.
    """
    device = required_device(request)
    _spend(request, "tables")
    address = address_of(request)
    return summary(await _hub(request).replace(table_id, data, device, address), device)


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
    device = required_device(request)
    _spend(request, "tables")
    address = address_of(request)
    return summary(await _hub(request).rematch(table_id, data, device, address), device)


@get(
    "/api/tables/{table_id:str}/record",
    summary="The record of a match",
    tags=["tables"],
    responses=REFUSALS,
)
async def get_record(request: AnyRequest, table_id: FromPath[str]) -> Response[bytes]:
    """The record of a match that is over, with its seeds, to replay and verify.

    A match that the host of the server closed has one, too; it is that of an unfinished match.
    """
    table = await _table(request, table_id)
    if table.match is None or not table.is_seed_public:
        raise RefusedError("not_finished", "the record is there once the match is over")
    made = await asyncio.to_thread(record, table)
    data = await asyncio.to_thread(msgspec.json.encode, made)
    return Response(data, media_type=MediaType.JSON)


async def _finished(request: AnyRequest, table_id: str) -> dict[str, Any]:
    """The record of a table; refused until the match is over."""
    table = await _table(request, table_id)
    if table.match is None or not table.match.over:
        raise RefusedError("not_finished", "the record is there once the match is over")
    # In a thread: a long match takes a while.
    return await asyncio.to_thread(record, table)


@get(
    "/api/tables/{table_id:str}/rules",
    summary="The rule book of a table",
    tags=["tables"],
    responses=REFUSALS,
)
async def get_rules(request: AnyRequest, table_id: FromPath[str]) -> RuleBook:
    """The rules of a table, house rules included, to be shown in any language."""
    return book_of((await _table(request, table_id)).rules)


@get("/api/bots", summary="The opponents", tags=["tables"])
async def list_bots() -> list[BotInfo]:
    """The bots, weakest first, and why some cannot play on this server."""
    return [BotInfo(name, why_not_bot(name)) for name in LEVELS]


@get("/", media_type=MediaType.HTML, include_in_schema=False)
async def landing() -> Response[str]:
    """A page that shows that the server runs, where no web page is built."""
    page = files("triomino.server").joinpath("landing.html").read_text("utf-8")
    strict = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    return Response(page, headers={"content-security-policy": strict})


@get("/metrics", media_type=MediaType.TEXT, summary="Counters for Prometheus", tags=["host"])
async def metrics(request: AnyRequest) -> str:
    """Counters of this server."""
    hub = _hub(request)
    return hub.metrics.text(
        tables_in_memory=len(hub.tables),
        sockets_open=request.app.state.sockets.open,
        analyses_under_way=request.app.state.analyses.under_way,
        tables_damaged=len(hub.tables.damaged),
        loop_delay_seconds=round(hub.troubles.delay, 4),
        **hub.cluster.gauges(),
    )


@websocket("/ws")
async def play_socket(socket: WebSocket[Any, Any, State]) -> None:
    """The socket of one client; see the protocol's page."""
    hub: Hub = socket.app.state.hub
    sockets: Sockets = socket.app.state.sockets
    client = socket.client.host if socket.client else ""
    address = network_of(client)
    if sockets.is_full(address):
        await socket.close(4429, "too many connections")
        return
    try:
        with sockets.counted(address):
            await socket.accept()
            note("socket opened", client=client, open=sockets.open)
            try:
                device = device_of(socket)
            except RefusedError as error:
                await socket.close(4403 if error.code == "banned" else 4401, str(error))
                return
            await Session(hub, socket, device, address, socket.app.state.budgets).run()
    finally:
        note("socket closed", client=client, open=sockets.open)


_STATUS = {
    "no_table": 404,
    "no_pad": 404,
    "no_club": 404,
    "no_edition": 404,
    "no_profile": 403,
    "no_device": 401,
    "weak_secret": 401,
    "no_link": 404,
    "not_yours": 403,
    "not_host": 403,
    "wrong_link": 403,
    "too_fast": 429,
    "too_many_tables": 429,
    "too_many_pads": 429,
    "too_many_clubs": 429,
    "too_many_pushes": 429,
    "no_analysis": 404,
    "not_open": 404,
    "no_person": 404,
    "no_game": 404,
    "no_report": 404,
    "banned": 403,
    "wrong_secret": 403,
    "wrong_key": 403,
    "bad_passkey": 403,
    "too_many_reports": 429,
    "too_many_marks": 429,
    "too_many_games": 429,
    "too_many_analyses": 429,
}


def _answer_error(request: AnyRequest, error: Exception) -> Response[Problem]:
    """The answer to every refusal and error: an object with a code and a sentence."""
    if isinstance(error, RefusedError):
        return Response(Problem(error.code, str(error)), status_code=_STATUS.get(error.code, 409))
    if isinstance(error, StoreError):
        _hub(request).troubles.log_failure(error)
        return Response(Problem("unavailable", unavailable(error)), status_code=503)
    if isinstance(error, TriominoError):
        return Response(Problem("wrong", str(error)), status_code=400)
    if isinstance(error, UnicodeDecodeError):
        return Response(Problem("http", "this is not UTF-8"), status_code=400)
    if isinstance(error, RecursionError):
        return Response(Problem("http", "this is nested too deeply"), status_code=400)
    if isinstance(error, InternalServerException) and "disconnected" in error.detail:
        # Nobody hears it; the log should not say that something is wrong here.
        return Response(Problem("http", "the request was cut off"), status_code=400)
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

    It opens the log itself unless *events* is given, and closes it when it stops.
    """

    @asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncIterator[None]:
        opened = events or await EventLog.open(config.data)
        try:
            async with _running(app, make_hub(config, opened)):
                yield
        finally:
            await opened.close()

    budgets = Budgets(config)
    app = Litestar(
        route_handlers=_handlers(config),
        lifespan=[lifespan],
        state=State({"budgets": budgets}),
        exception_handlers={Exception: _answer_error},
        request_max_body_size=config.body_bytes,
        compression_config=CompressionConfig(
            backend="gzip", minimum_size=1000, exclude_opt_key=COMPRESSED
        ),
        openapi_config=OpenAPIConfig(
            title="triomino",
            version="1",
            description="Tables of triangular dominoes. Playing happens on the socket at /ws.",
            render_plugins=[JsonRenderPlugin()],
        ),
        logging_config=None,
        debug=False,
    )
    # Outside of the router, so that unknown paths are guarded too.
    app.asgi_handler = Guard(app.asgi_handler, config, budgets)
    return app


@asynccontextmanager
async def _running(app: Litestar, hub: Hub) -> AsyncIterator[None]:
    """Run a hub with all that belongs to it, and end it in order."""
    config = hub.config
    await hub.people.refresh()
    await hub.signing_key()  # made at the first start, and kept with the database
    app.state.hub = hub
    app.state.lobby = Lobby(hub.tables)
    app.state.sockets = Sockets(config.sockets_per_address, hub.metrics)
    app.state.pads = Pads(hub.events, config, hub.now, app.state.budgets)
    app.state.pictures = Pictures()
    shared = SharedJobs(hub.cluster.bus, hub.cluster.leases)
    analyses = app.state.analyses = Analyses(hub.events, config, hub.metrics, hub.now, shared)
    app.state.pads.share(hub.cluster)
    clubs = app.state.clubs = Clubs(hub, app.state.pads, app.state.budgets)
    rated = app.state.rated = RatedMatches(hub)
    play_now = app.state.play_now = PlayNow(hub, rated)
    if hub.cluster.bus is not None:
        hub.cluster.budgets = app.state.budgets.share()
    background = [
        asyncio.create_task(work)
        for work in (
            hub.troubles.watch(hub.scheduler.wake_clocks(hub.tables), hub.metrics)
            if hub.cluster.bus is None
            else hub.cluster.run(),
            hub.watch_log(),
            hub.troubles.measure_delay(),
            hub.clean_daily(),
            hub.pushes.run(),
            hub.people.run(hub.troubles, hub.metrics),
            *((play_now.run(), rated.run()) if config.open else ()),
        )
    ]
    try:
        yield
    finally:
        for task in background:
            task.cancel()
        await asyncio.gather(*background, return_exceptions=True)
        await analyses.close()
        await clubs.close()
        await rated.close()
        app.state.pads.close()
        hub.people.close()
        await hub.close()


def _handlers(config: Config) -> list[HTTPRouteHandler | WebsocketRouteHandler]:
    return [
        new_device,
        create_table,
        take_in_table,
        list_tables,
        get_table,
        take_seat,
        leave_seat,
        make_link,
        withdraw_link,
        claim_seat,
        commit,
        reveal,
        start_table,
        replace_table,
        rematch,
        get_record,
        get_rules,
        table_picture,
        list_bots,
        *page_handlers(config, landing),
        health,
        metrics,
        play_socket,
        *pad_handlers(address_of),
        *club_handlers(address_of, REFUSALS),
        *PEOPLE_HANDLERS,
        *SIGN_IN_HANDLERS,
        *DECENCY_HANDLERS,
        *HOST_HANDLERS,
        *push_handlers(required_device, address_of, REFUSALS),
        *queue_handlers(config),
        *rating_handlers(required_device, REFUSALS),
        *analysis_handlers(config, address_of, _finished, REFUSALS),
    ]
