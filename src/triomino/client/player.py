"""A player of a server: HTTP to find and set up tables, a socket to play.

>>> async def evening() -> None:  # doctest: +SKIP
...     async with RemotePlayer("http://127.0.0.1:8020") as ann:
...         seats = [{"kind": "here", "name": "Ann"}, {"kind": "bot", "bot": "easy"}]
...         table = await ann.create(seats)
...         await ann.start(table)
...         await ann.enter(table)
...         while not ann.finished:
...             if ann.choices:
...                 await ann.move(ann.choices[0].move)
...             else:
...                 await ann.next_change()
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from functools import cache
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import urlsplit

import httpx
import msgspec
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from triomino.client.fair_play import FairPlay
from triomino.errors import TriominoError
from triomino.protocol.api import TableSummary
from triomino.protocol.messages import (
    PROTOCOL_VERSION,
    Ack,
    AnswerUndo,
    AskHint,
    Bye,
    Choice,
    Current,
    EndMatchMessage,
    FromClient,
    GiveUpMessage,
    Hello,
    Hint,
    HintMove,
    Moved,
    MoveMessage,
    NextRoundMessage,
    Now,
    PauseMessage,
    Ping,
    Pong,
    Presence,
    React,
    Reaction,
    Refused,
    RemindMessage,
    ResumeMessage,
    ReturnMessage,
    ServerMessage,
    StandInMessage,
    State,
    TurnInfo,
    UndoMessage,
)

if TYPE_CHECKING:
    import ssl
    from collections.abc import Callable, Sequence
    from pathlib import Path
    from types import TracebackType

    from websockets.asyncio.client import ClientConnection

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(ServerMessage).decode

PATIENCE = 60.0
"""Seconds to wait for an answer, reconnecting meanwhile, before giving up."""

HEARTBEAT = 30.0
"""Seconds between two pings."""


@cache
def _tls() -> ssl.SSLContext:
    """The certificates to trust, loaded once: that takes longer than many requests."""
    return httpx.create_ssl_context()


class RefusedByServer(TriominoError):  # noqa: N818 - it names what happened
    """The server refused a request; ``code`` is the reason for programs."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(f"{code}: {detail}")
        self.code, self.detail = code, detail


class RemotePlayer:
    """One device that sets up tables, takes seats and plays; it reconnects by itself.

    It takes part in the deals by itself, too: it commits to a seed when it has a seat, and reveals
    it once the opening is what it should be. *receipts* is a folder for what it notes down.
    """

    def __init__(
        self,
        url: str,
        secret: str | None = None,
        *,
        patience: float = PATIENCE,
        heartbeat: float = HEARTBEAT,
        takes_part: bool = True,
        receipts: Path | None = None,
    ) -> None:
        self._url = url.rstrip("/")
        self.secret = secret
        """What names this device to the server; keep it to come back later."""
        self._patience, self._heartbeat = patience, heartbeat
        self.fair = FairPlay(receipts) if takes_part else None
        """The seeds and receipts of this device; ``None`` if it leaves the deals to others."""
        self._exchanges: set[asyncio.Task[None]] = set()
        self._http = httpx.AsyncClient(base_url=self._url, timeout=patience, verify=_tls())
        self._socket: ClientConnection | None = None
        self._reader: asyncio.Task[None] | None = None
        self._ids = itertools.count(1)
        self._answers: dict[int, asyncio.Future[Ack | Refused | Pong | Hint]] = {}
        self._changed = asyncio.Event()
        self._table: str | None = None
        self.state: State | None = None
        """The last whole state that the server sent."""
        self._turned_away: Refused | None = None
        self.turns: list[TurnInfo] = []
        """The moves of the current round."""
        self.version = 0
        self.now: Now | None = None
        self.here: list[int] = []
        self.away: dict[str, int] = {}
        """For how many seconds each absent person had been away when the server last said so."""
        self.reactions: list[Reaction] = []
        self.reconnects = 0
        self.heard: list[bytes] | None = None
        """If set to a list, every message is appended to it as it came."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Disconnect."""
        for exchange in self._exchanges:
            exchange.cancel()
        await asyncio.gather(*self._exchanges, return_exceptions=True)
        if self._reader is not None:
            self._reader.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._reader
        if self._socket is not None:
            await self._socket.close()
        await self._http.aclose()

    # --- Over HTTP -------------------------------------------------------------------------------

    async def request(self, method: str, path: str, body: object = None) -> Any:
        """Send a request and return its answer; raise :class:`RefusedByServer` if refused."""
        headers = {}
        if self.secret is not None:
            headers["authorization"] = f"Bearer {self.secret}"
        answer = await self._http.request(method, path, json=body, headers=headers)
        if answer.is_success:
            return answer.json() if answer.content else None
        try:
            problem = answer.json()
            code, detail = problem["code"], problem["detail"]
        except (ValueError, KeyError, TypeError):
            code, detail = str(answer.status_code), answer.text[:200]
        raise RefusedByServer(code, detail)

    async def introduce(self) -> str:
        """Get a secret for this device, unless it has one."""
        if self.secret is None:
            self.secret = (await self.request("POST", "/api/devices"))["secret"]
        return self.secret

    async def create(self, seats: Sequence[dict[str, Any]], **options: Any) -> str:
        """Set up a table; return its id."""
        await self.introduce()
        table = await self.request("POST", "/api/tables", {"seats": list(seats), **options})
        await self._exchange(msgspec.convert(table, TableSummary))
        return str(table["id"])

    async def lobby(self) -> list[dict[str, Any]]:
        """The listed tables with a free seat."""
        tables: list[dict[str, Any]] = await self.request("GET", "/api/tables")
        return tables

    async def sit(self, table: str, name: str, seat: int | None = None) -> int:
        """Take a seat; return its number."""
        await self.introduce()
        body = {"name": name, "seat": seat}
        taken = await self.request("POST", f"/api/tables/{table}/seats", body)
        await self._look(table)
        return int(taken["seat"])

    async def leave(self, table: str, seat: int) -> None:
        """Leave a seat."""
        await self.request("DELETE", f"/api/tables/{table}/seats/{seat}")

    async def link(self, table: str, seat: int) -> str:
        """Make a secret that opens the seat on another device."""
        answer = await self.request("POST", f"/api/tables/{table}/seats/{seat}/links")
        return str(answer["secret"])

    async def withdraw_link(self, table: str, seat: int) -> None:
        """Withdraw the link to a seat, so that it opens nothing any more."""
        await self.request("DELETE", f"/api/tables/{table}/seats/{seat}/links")

    async def claim(self, table: str, secret: str) -> int:
        """Take over a seat by its link; return its number."""
        await self.introduce()
        body = {"secret": secret}
        taken = await self.request("POST", f"/api/tables/{table}/claims", body)
        await self._look(table)
        return int(taken["seat"])

    async def start(self, table: str) -> None:
        """Start the match; it begins once the devices that committed have revealed their seeds."""
        started = await self.request("POST", f"/api/tables/{table}/start")
        await self._exchange(msgspec.convert(started, TableSummary))

    async def rematch(self, table: str, **changes: Any) -> str:
        """Set up another match with the same people; return the id of its table."""
        made = await self.request("POST", f"/api/tables/{table}/rematch", changes)
        await self._exchange(msgspec.convert(made, TableSummary))
        return str(made["id"])

    async def record(self, table: str) -> dict[str, Any]:
        """The record of a match that is over."""
        record: dict[str, Any] = await self.request("GET", f"/api/tables/{table}/record")
        return record

    # --- The deal --------------------------------------------------------------------------------

    async def _look(self, table: str) -> None:
        """Take part in the deal of a table where this device has got a seat."""
        if self.fair is not None:
            seen = await self.request("GET", f"/api/tables/{table}")
            await self._exchange(msgspec.convert(seen, TableSummary))

    async def _exchange(self, seen: State | TableSummary) -> None:
        """Commit to a seed or reveal it, as a table asks for it now.

        If the server refuses either, the match goes on without the seed of this device.
        """
        if self.fair is None:
            return
        table = seen.id if isinstance(seen, TableSummary) else seen.table
        path = f"/api/tables/{table}"
        try:
            if commitment := self.fair.commit(seen):
                try:
                    await self.request("POST", f"{path}/commitments", {"commitment": commitment})
                except RefusedByServer:
                    self.fair.forget(table)
            if seed := self.fair.reveal(seen):
                dealt = await self.request("POST", f"{path}/seeds", {"seed": seed})
                seen = msgspec.convert(dealt, TableSummary)
            self.fair.note(seen)
        except (RefusedByServer, httpx.HTTPError):
            pass  # too late, or the connection broke: the record will show it

    # --- Over the socket -------------------------------------------------------------------------

    async def enter(self, table: str) -> State:
        """Follow a table from now on; return its state. Raises if the server lets nobody in."""
        self._table, self.version, self.state = table, 0, None
        self._turned_away = None
        if self._reader is not None:
            self._reader.cancel()
        self._reader = asyncio.create_task(self._follow())
        await self.until(lambda: self.state is not None or self._turned_away is not None)
        state: State | None = self.state
        refused: Refused | None = self._turned_away
        if state is None and refused is not None:
            self._reader.cancel()
            raise RefusedByServer(refused.code, refused.detail)
        assert state is not None  # noqa: S101 - just waited for
        return state

    async def _follow(self) -> None:
        """Stay connected: read messages, and reconnect when the connection breaks."""
        parts = urlsplit(self._url)
        url = f"{'wss' if parts.scheme == 'https' else 'ws'}://{parts.netloc}/ws"
        pause = 0.05
        while True:
            try:
                async with connect(url, compression=None, max_size=2**22) as socket:
                    self._socket = socket
                    version = self.version or None
                    hello = Hello(
                        str(self._table),
                        version=version,
                        secret=self.secret,
                        protocol=PROTOCOL_VERSION,
                    )
                    await socket.send(_encode(hello).decode())
                    pause = 0.05
                    pinging = asyncio.create_task(self._ping_regularly(socket))
                    try:
                        async for text in socket:
                            self._receive(text.encode() if isinstance(text, str) else text)
                    finally:
                        pinging.cancel()
            except (OSError, ConnectionClosed, InvalidHandshake, TimeoutError):
                pass
            self._socket = None
            self.reconnects += 1
            for answer in self._answers.values():
                if not answer.done():
                    answer.set_exception(ConnectionError("the connection broke"))
            self._answers.clear()
            self._changed.set()
            await asyncio.sleep(pause)
            pause = min(2.0, pause * 2)

    async def _ping_regularly(self, socket: ClientConnection) -> None:
        """Ping now and then; the server closes sockets that are silent."""
        with contextlib.suppress(ConnectionClosed):
            while True:
                await asyncio.sleep(self._heartbeat)
                await socket.send(_encode(Ping()).decode())

    def _receive(self, data: bytes) -> None:
        if self.heard is not None:
            self.heard.append(data)
        message = _decode(data)
        match message:
            case State():
                self.state, self.now, self.version = message, message.now, message.version
                self.turns = list(message.round.turns) if message.round else []
                self.here, self.away = message.here, message.away
                self._follow_exchange(message)
            case Moved():
                self._moved(message)
            case Current() | Bye():
                pass
            case Presence():
                self.here, self.away = message.here, message.away
            case Reaction():
                self.reactions.append(message)
            case Ack() | Pong() | Hint():
                self._answer(message.id, message)
            case Refused() if message.id is not None:
                self._answer(message.id, message)
            case Refused():
                if self.state is None and message.code != "unavailable":  # then it asks again
                    self._turned_away = message
        self._changed.set()

    def _follow_exchange(self, state: State) -> None:
        """Take part in the deal in a task of its own; reading goes on."""
        if self.fair is not None and state.you and state.fair.server_seed is None:
            task = asyncio.get_running_loop().create_task(self._exchange(state))
            self._exchanges.add(task)
            task.add_done_callback(self._exchanges.discard)

    def _moved(self, message: Moved) -> None:
        if message.version <= self.version:
            return  # known already
        if message.since != self.version:
            asyncio.get_running_loop().create_task(self._resync())
            return
        self.turns += message.turns
        self.now, self.version = message.now, message.version

    async def _resync(self) -> None:
        if self._socket is not None and self._table is not None:
            hello = Hello(
                self._table,
                version=self.version,
                secret=self.secret,
                protocol=PROTOCOL_VERSION,
            )
            with contextlib.suppress(ConnectionClosed):
                await self._socket.send(_encode(hello).decode())

    def _answer(self, message_id: int, message: Ack | Refused | Pong | Hint) -> None:
        waiting = self._answers.pop(message_id, None)
        if waiting is not None and not waiting.done():
            waiting.set_result(message)

    async def say(self, message: FromClient) -> Ack | Pong | Hint:
        """Send a message and return its answer; ``ConnectionError`` if the connection breaks."""
        await self.until(lambda: self._socket is not None)
        if self._socket is None:
            raise ConnectionError("the connection broke")
        message_id: int = getattr(message, "id")  # noqa: B009 - not every message has one
        answer: asyncio.Future[Ack | Refused | Pong | Hint] = (
            asyncio.get_running_loop().create_future()
        )
        self._answers[message_id] = answer
        try:
            await self._socket.send(_encode(message).decode())
            async with asyncio.timeout(self._patience):
                said = await answer
        except ConnectionClosed as error:
            raise ConnectionError("the connection broke") from error
        finally:
            self._answers.pop(message_id, None)
            if answer.done() and not answer.cancelled():
                answer.exception()  # mark it as retrieved: another error may have come first
        if isinstance(said, Refused):
            raise RefusedByServer(said.code, said.detail)
        return said

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait until a condition on what this player knows is true."""
        async with asyncio.timeout(self._patience):
            while not condition():
                self._changed.clear()
                await self._changed.wait()

    async def next_change(self) -> None:
        """Wait until something happens."""
        self._changed.clear()
        async with asyncio.timeout(self._patience):
            await self._changed.wait()

    # --- Playing ---------------------------------------------------------------------------------

    @property
    def choices(self) -> list[Choice]:
        """The legal moves, if a seat of this device is to move."""
        return (self.now.choices or []) if self.now else []

    @property
    def ply(self) -> int:
        """The number of the position that this player sees."""
        return self.now.ply if self.now else 0

    @property
    def finished(self) -> bool:
        """Whether the match is over."""
        return self.state is not None and self.state.state in ("finished", "closed")

    async def move(self, move: str, seat: int | None = None) -> int:
        """Play a move; return the version of the table after it."""
        message = MoveMessage(move, self.ply, next(self._ids), seat)
        return (await self._acked(message)).version

    async def next_round(self) -> None:
        """Go on to the next round."""
        await self._acked(NextRoundMessage(self.ply, next(self._ids)))

    async def undo(self, seat: int | None = None) -> None:
        """Take the last move back, or ask the others to agree."""
        await self._acked(UndoMessage(self.ply, next(self._ids), seat))

    async def answer_undo(self, agree: bool, seat: int | None = None) -> None:
        """Agree to the undo that is asked for, or decline it."""
        undo = self.state.undo if self.state else None
        request = undo.id if undo else 0
        await self._acked(AnswerUndo(agree, request, next(self._ids), seat))

    async def give_up(self, seat: int | None = None) -> None:
        """Give the match up."""
        await self._acked(GiveUpMessage(next(self._ids), seat))

    async def come_back(self, seat: int | None = None) -> None:
        """Take the seat back from the bot that stood in."""
        await self._acked(ReturnMessage(next(self._ids), seat))

    async def remind(self, whom: int, seat: int | None = None) -> None:
        """Remind somebody who is away or to move."""
        await self._acked(RemindMessage(whom, next(self._ids), seat))

    async def let_bot_play(self, whom: int, seat: int | None = None) -> None:
        """Let a bot play for somebody who has been away for a while."""
        await self._acked(StandInMessage(whom, next(self._ids), seat))

    async def pause(self, seat: int | None = None) -> None:
        """Pause the match."""
        await self._acked(PauseMessage(next(self._ids), seat))

    async def resume(self, seat: int | None = None) -> None:
        """End the pause."""
        await self._acked(ResumeMessage(next(self._ids), seat))

    async def end_match(self, seat: int | None = None) -> None:
        """End the match without a winner, once everybody else has been away for long."""
        await self._acked(EndMatchMessage(next(self._ids), seat))

    async def hint(self, seat: int | None = None) -> list[HintMove]:
        """The best moves, best first; only where the table allows hints."""
        said = await self.say(AskHint(self.ply, next(self._ids), seat))
        return said.moves if isinstance(said, Hint) else []

    async def react(self, sign: Any, seat: int | None = None) -> None:
        """Send a reaction to the others."""
        if self._socket is not None:
            await self._socket.send(_encode(React(sign, seat)).decode())

    async def ping(self) -> None:
        """Wait for an answer of the server."""
        await self.say(Ping(next(self._ids)))

    async def _acked(self, message: FromClient) -> Ack:
        said = await self.say(message)
        assert isinstance(said, Ack)  # noqa: S101 - the answer to a command
        # The change itself comes as a message of its own.
        await self.until(lambda: self.version >= said.version)
        return said


async def play_bot(player: RemotePlayer, choose: Callable[[list[Choice], State], str]) -> None:
    """Play at the table a player has entered until the match is over.

    *choose* picks a move from the choices. The next round is begun after each, and a seat that a
    bot of the server took over because time ran out is taken back.
    """
    while not player.finished:
        state, now = player.state, player.now
        try:
            if state is None or now is None or state.state != "playing":
                await player.next_change()
            elif lost := [seat for seat in state.you if state.seats[seat].substitute]:
                await player.come_back(lost[0])
            elif now.end is not None:
                await player.next_round()
            elif player.choices:
                await player.move(choose(player.choices, state))
            else:
                await player.next_change()
        except RefusedByServer as error:
            if error.code == "unavailable":  # the database is, for a while
                await asyncio.sleep(0.2)
            elif error.code not in (
                "stale",
                "not_your_turn",
                "not_yours",
                "round_running",
                "is_finished",
                "time_up",
                "you_play",
            ):
                raise
            # The bot that plays the rest of a turn takes its time.
            await asyncio.sleep(0.1 if error.code == "time_up" else 0.01)
        except ConnectionError:
            await asyncio.sleep(0.05)
