"""Live sheets: a score pad that one phone writes and others watch as it is written.

The phone that writes owns the pad; the server keeps a copy for those who watch. Writing
needs the secret, reading only the id. Sending the same steps again is harmless.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections import defaultdict
from typing import TYPE_CHECKING, Any

import msgspec
from litestar import Request, WebSocket, get, post, websocket
from litestar.datastructures import State
from litestar.params import FromPath, JSONBody
from sqlalchemy.exc import IntegrityError

from triomino.errors import TriominoError
from triomino.pad import ScorePad, act_from_json
from triomino.protocol.api import PadActs, PadMade, PadNews, PadVersion
from triomino.reading import Node
from triomino.server.budgets import Bucket, network_of
from triomino.server.credentials import digest
from triomino.server.locks import Locks
from triomino.server.slots import FairSlots, background_threads
from triomino.server.table import RefusedError
from triomino.server.troubles import unavailable
from triomino.store.failure import StoreError
from triomino.store.pads import PadRow, PadStore

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from litestar.handlers import HTTPRouteHandler, WebsocketRouteHandler

    from triomino.server.budgets import Budgets
    from triomino.server.cluster import Cluster
    from triomino.server.config import Config
    from triomino.server.sockets import Sockets
    from triomino.store.log import EventLog

MOST_ACTS = 3000
"""Steps of one pad; an evening has about two hundred."""

MOST_LINES = 4000
"""Lines of one pad, those included that a correction puts in the place of another."""

SHORT = 4000
"""Bytes of a pad that is checked at once: about eighty lines, and two milliseconds."""

SIGNS_PER_SECOND = 1.0
"""Messages of a socket that only watches: each says that it is still there, and nothing else."""

MAKING = 5
"""What making a pad costs, in steps."""

_encode = msgspec.json.Encoder(order="deterministic").encode


class Pads:
    """The live sheets of this server."""

    def __init__(
        self, events: EventLog, config: Config, now: Callable[[], int], budgets: Budgets
    ) -> None:
        self.store = PadStore(events)
        self.config, self._budgets = config, budgets
        self._now = now
        self._making, self._writing = Locks(), Locks()
        self._checking, self._threads = FairSlots(1), background_threads(1)
        self._watchers: defaultdict[str, set[asyncio.Event]] = defaultdict(set)
        self._announce: Callable[[str], None] = lambda _: None
        self.on_written: Callable[[str], None] = lambda _: None
        """Called with the id of a sheet that was written on, here or at another server."""

    def share(self, cluster: Cluster) -> None:
        """Let those who watch at other servers know what is written here, and the other way."""
        self._announce, cluster.on_sheet = cluster.announce_sheet, self._wake

    def _wake(self, pad: str) -> None:
        self.on_written(pad)
        for watcher in self._watchers.get(pad, ()):
            watcher.set()

    async def make(self, address: str, network: str) -> PadMade:
        """Make an empty pad."""
        self._spend(network, MAKING)
        pad, secret = secrets.token_urlsafe(9), secrets.token_urlsafe(18)
        async with self._making.held(address):
            if await self.store.count(address) >= self.config.pads_per_address:
                raise RefusedError("too_many_pads", "there are too many live sheets from here")
            await self.store.add(PadRow(pad, digest(secret), address, self._now()))
        return PadMade(pad, secret, f"/sheet/{pad}")

    async def make_for_club(self, club: str) -> tuple[str, str]:
        """Make an empty pad for a table of a club evening; return its id and its secret."""
        pad, secret = secrets.token_urlsafe(9), secrets.token_urlsafe(18)
        await self.store.add(PadRow(pad, digest(secret), f"club {club}", self._now()))
        return pad, secret

    async def pad(self, pad: str) -> ScorePad | None:
        """A pad as it stands; ``None`` while nothing is written. Refused if it is damaged."""
        news = await self.read(pad)
        if not news.acts:
            return None
        try:
            acts = (act_from_json(Node(act, f"acts[{at}]")) for at, act in enumerate(news.acts))
            return ScorePad(tuple(acts))
        except (TriominoError, RecursionError) as error:
            raise RefusedError("damaged", f"the sheet {pad} is damaged") from error

    async def read(self, pad: str, after: int = 0) -> PadNews:
        """The steps of a pad after the first *after*."""
        if await self.store.row(pad) is None:
            raise RefusedError("no_pad", "there is no such sheet")
        acts = await self.store.acts(pad, after)
        return PadNews(pad, after, [_decode_stored(pad, act) for act in acts])

    def _spend(self, network: str, steps: float) -> None:
        if not self._budgets.pad_steps.take(network, steps):
            raise RefusedError("too_fast", "too much is written from here; wait a little")

    async def write(self, pad: str, body: PadActs, network: str) -> PadVersion:
        """Store steps. Those already stored must be equal, or all are refused."""
        row = await self.store.row(pad)
        if row is None:
            raise RefusedError("no_pad", "there is no such sheet")
        if not secrets.compare_digest(row.secret, digest(body.secret)):
            raise RefusedError("not_yours", "this sheet is written elsewhere")
        async with self._writing.held(pad):
            self._spend(network, 1)
            stored = await self.store.acts(pad)
            sent = [_encode(act) for act in body.acts]
            if body.since > len(stored):
                raise RefusedError("gap", f"the sheet has {len(stored)} steps")
            known = stored[body.since : body.since + len(sent)]
            if known != sent[: len(known)]:
                raise RefusedError("conflict", "something else was written there")
            fresh = sent[len(known) :]
            if fresh:
                lines = await self._check_aside(pad, stored, fresh, network)
                # The whole sheet is read and checked each time.
                self._budgets.pad_steps.charge(network, lines / 100)
                try:
                    await self.store.append(pad, len(stored), fresh, self._now())
                except IntegrityError as error:  # another server was asked the same
                    raise RefusedError("conflict", "it is being written elsewhere") from error
            version = len(stored) + len(fresh)
        self._wake(pad)
        self._announce(pad)
        return PadVersion(pad, version)

    async def _check_aside(
        self, pad: str, stored: Sequence[bytes], fresh: Sequence[bytes], network: str
    ) -> int:
        """Do :meth:`_check`, for a long sheet in a thread: it may take a tenth of a second."""
        if sum(map(len, (*stored, *fresh))) <= SHORT:
            return self._check(pad, stored, fresh)
        async with self._checking.held(network):
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._threads, self._check, pad, stored, fresh)

    def close(self) -> None:
        """Start no more checks."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    @staticmethod
    def _check(pad: str, stored: Sequence[bytes], fresh: Sequence[bytes]) -> int:
        """Raise unless all steps together are a valid pad; return how many lines were written."""
        if len(stored) + len(fresh) > MOST_ACTS:
            raise RefusedError("pad_full", f"a live sheet has room for {MOST_ACTS} steps")
        acts = [_decode_stored(pad, data) for data in stored]
        acts += [msgspec.json.decode(data) for data in fresh]
        lines = sum(_lines(act) for act in acts)
        if lines > MOST_LINES:
            raise RefusedError("pad_full", f"a live sheet has room for {MOST_LINES} lines")
        try:
            ScorePad(tuple(act_from_json(Node(act, f"acts[{at}]")) for at, act in enumerate(acts)))
        except (TriominoError, RecursionError) as error:
            raise TriominoError(f"this is no score pad: {error}") from error
        return lines

    async def show(self, pad: str, socket: WebSocket[Any, Any, State]) -> None:
        """Send a socket all steps, those to come included, until it is closed."""
        changed = asyncio.Event()
        self._watchers[pad].add(changed)
        gone = asyncio.create_task(until_gone(socket, self.config.idle_seconds))
        try:
            known = 0
            while not gone.done():
                changed.clear()
                news = await self.read(pad, known)
                if news.acts or not known:
                    await socket.send_data(msgspec.json.encode(news).decode())
                known += len(news.acts)
                waiting = asyncio.create_task(changed.wait())
                await asyncio.wait({waiting, gone}, return_when=asyncio.FIRST_COMPLETED)
                waiting.cancel()
        finally:
            gone.cancel()
            self._watchers[pad].discard(changed)
            if not self._watchers[pad]:
                del self._watchers[pad]


def _decode_stored(pad: str, data: bytes) -> Any:
    """A step from the database; raise ``RefusedError`` if it is damaged."""
    try:
        return msgspec.json.decode(data, type=dict[str, Any])
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise RefusedError("damaged", f"the sheet {pad} is damaged") from error


def _lines(act: dict[str, Any]) -> int:
    """How many lines an act writes."""
    entries = act.get("with")
    return max(1, len(entries)) if isinstance(entries, list) else 1


async def until_gone(socket: WebSocket[Any, Any, State], idle_seconds: float) -> None:
    """Wait until the client disconnects; close its socket if it is silent, or speaks too much."""
    clock = asyncio.get_running_loop().time
    bucket = Bucket.full(SIGNS_PER_SECOND, 20 * SIGNS_PER_SECOND, clock())
    try:
        while True:
            async with asyncio.timeout(idle_seconds):
                if (await socket.receive())["type"] == "websocket.disconnect":
                    return
            if not bucket.take(clock()):
                await socket.close(4029, "too fast")
                return
    except TimeoutError:
        await socket.close(4001, "idle")


def pad_handlers(
    address: Callable[[Any], str],
) -> list[HTTPRouteHandler | WebsocketRouteHandler]:
    """The routes of live sheets; *address* returns where a request comes from."""

    def _pads(connection: Any) -> Pads:
        pads: Pads = connection.app.state.pads
        return pads

    def _network(connection: Any) -> str:
        return network_of(connection.client.host if connection.client else "")

    @post("/api/pads", summary="A live sheet", tags=["pads"])
    async def make_pad(request: Request[Any, Any, State]) -> PadMade:
        """Make a sheet that others can watch; its secret is for writing."""
        return await _pads(request).make(address(request), _network(request))

    @get("/api/pads/{pad_id:str}", summary="What is written on a sheet", tags=["pads"])
    async def get_pad(request: Request[Any, Any, State], pad_id: FromPath[str]) -> PadNews:
        """All steps of a sheet."""
        return await _pads(request).read(pad_id)

    @post("/api/pads/{pad_id:str}/acts", summary="Write on a sheet", tags=["pads"])
    async def write_pad(
        request: Request[Any, Any, State], pad_id: FromPath[str], data: JSONBody[PadActs]
    ) -> PadVersion:
        """Write steps; sending them again is harmless."""
        return await _pads(request).write(pad_id, data, _network(request))

    @websocket("/ws/pads/{pad_id:str}")
    async def watch_pad(socket: WebSocket[Any, Any, State], pad_id: FromPath[str]) -> None:
        """Watch a sheet as it is written."""
        sockets: Sockets = socket.app.state.sockets
        network = _network(socket)
        if sockets.is_full(network):
            await socket.close(4429, "too many connections")
            return
        with sockets.counted(network):
            await socket.accept()
            try:
                with contextlib.suppress(OSError, RuntimeError):
                    await _pads(socket).show(pad_id, socket)
            except RefusedError:
                await socket.close(4404, "no such sheet")
            except StoreError as error:
                await socket.close(4503, unavailable(error))

    return [make_pad, get_pad, write_pad, watch_pad]
