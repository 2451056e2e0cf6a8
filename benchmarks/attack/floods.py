"""The floods, each from one address, as fast as the server lets them."""

from __future__ import annotations

import asyncio
import copy
import itertools
import json
from functools import cache
from typing import TYPE_CHECKING, Any

from benchmarks.attack.lines import hello, pour
from triomino.bots import simulate_match
from triomino.record import record_of
from triomino.rules import CLASSIC
from triomino.server.phrases import new_phrase

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from benchmarks.attack.lines import Attack, Line
    from benchmarks.server.wire import Client

CONNECTIONS = 40
"""Attackers at the same time, of most floods."""

MANY = 300
"""Of floods that are about connections."""

_numbers = itertools.count()


async def presence(attack: Attack) -> None:
    """Come to a table and go to another, again and again."""

    async def work(_: int) -> None:
        client = await attack.socket()
        while attack.goes_on and not client.is_closed:
            for table in attack.tables[:2]:
                client.send(hello(table))
            await asyncio.sleep(0.05)

    await attack.by(CONNECTIONS, work)


async def reactions(attack: Attack) -> None:
    """Reactions at a table where many watch."""

    async def work(number: int) -> None:
        client = await attack.guest(attack.tables[0], None if number else attack.secrets[0])
        while attack.goes_on and not client.is_closed:
            if number:
                client.send(b'{"type":"ping"}')
                await asyncio.sleep(1)
            else:
                client.send(b'{"type":"react","sign":"wow"}')
                await asyncio.sleep(0.02)

    await attack.by(CONNECTIONS, work)


class Seated:
    """The two players of a table of the attackers."""

    def __init__(self) -> None:
        self.clients: list[Client] = []
        self.ply = 0
        self.move = ""

    @classmethod
    async def at(cls, attack: Attack, table: str) -> Seated:
        """Sit down."""
        seated = cls()
        for secret in attack.secrets:
            client = await attack.socket("/ws", seated._told)
            client.send(hello(table, secret))
            seated.clients.append(client)
            await asyncio.sleep(0.1)
        return seated

    def _told(self, message: dict[str, Any]) -> None:
        now = message.get("now") or {}
        self.ply = max(self.ply, now.get("ply", 0))
        if now.get("choices"):
            self.move = now["choices"][0]["move"]

    def say(self, **message: Any) -> None:
        """Let both say something about the current position."""
        for client in self.clients:
            client.send(json.dumps({**message, "ply": self.ply, "id": 1}).encode())

    @property
    def are_gone(self) -> bool:
        """Whether one of them was closed."""
        return any(client.is_closed for client in self.clients)


async def hints(attack: Attack) -> None:
    """Hints at several tables."""

    async def work(number: int) -> None:
        seated = await Seated.at(attack, attack.tables[number % len(attack.tables)])
        while attack.goes_on and not seated.are_gone:
            seated.say(type="ask_hint")
            await asyncio.sleep(0.05)

    await attack.by(2 * len(attack.tables), work)


async def undo(attack: Attack) -> None:
    """Move, ask to take it back, and decline that, again and again."""

    async def work(number: int) -> None:
        seated = await Seated.at(attack, attack.tables[number % len(attack.tables)])
        while attack.goes_on and not seated.are_gone:
            seated.say(type="move", move=seated.move)  # it is the turn of one of them
            seated.say(type="undo")
            seated.say(type="answer_undo", agree=False)
            await asyncio.sleep(0.1)

    await attack.by(len(attack.tables), work)


async def hellos(attack: Attack) -> None:
    """The whole state of a long match, over and over."""

    async def work(_: int) -> None:
        client = await attack.socket()
        while attack.goes_on and not client.is_closed:
            client.send(hello("long"))
            await asyncio.sleep(0.06)

    await attack.by(CONNECTIONS, work)


async def malformed(attack: Attack) -> None:
    """Messages that are none, and come back when closed."""

    async def work(_: int) -> None:
        client = await attack.socket()
        frame = b"\x81\x85\0\0\0\0{[[[["
        while attack.goes_on:
            await pour(client, frame * 100)

    await attack.by(CONNECTIONS, work)


async def frames(attack: Attack) -> None:
    """Pings and parts of messages in large packets."""

    async def work(number: int) -> None:
        client = await attack.socket()
        client.write(b"\x01\x81\0\0\0\0{")
        frame = (b"\x89\x80\0\0\0\0", b"\x00\x80\0\0\0\0")[number % 2]
        while attack.goes_on:
            await pour(client, frame * 1000)

    await attack.by(CONNECTIONS, work)


# --- Requests ------------------------------------------------------------------------------------


async def _request(attack: Attack, ask: Callable[[Line], Awaitable[object]]) -> None:
    async def work(_: int) -> None:
        async with await attack.dial() as line:
            while attack.goes_on:
                await ask(line)

    await attack.by(CONNECTIONS, work)


async def files(attack: Attack) -> None:
    """Files of the page that do not exist."""
    await _request(attack, lambda line: line.ask("GET", f"/assets/{next(_numbers)}.js"))


async def lobby(attack: Attack) -> None:
    """The list of open tables."""
    await _request(attack, lambda line: line.ask("GET", "/api/tables"))


async def tables(attack: Attack) -> None:
    """New tables."""
    plan = {"seats": [{"kind": "here"}, {"kind": "link"}], "listed": True}
    secret = attack.secrets[0]
    await _request(attack, lambda line: line.ask("POST", "/api/tables", plan, secret))


async def seats(attack: Attack) -> None:
    """Seats of tables that have begun."""
    secret = attack.secrets[0]
    path = f"/api/tables/{attack.tables[0]}/seats"
    await _request(attack, lambda line: line.ask("POST", path, {"name": "Eve"}, secret))


async def analyses(attack: Attack) -> None:
    """Analyses of many different matches."""

    def ask(line: Line) -> Awaitable[object]:
        record = _record(next(_numbers))
        return line.ask("POST", "/api/analyses", {"record": record})

    await _request(attack, ask)


@cache
def _match() -> dict[str, Any]:
    return record_of(simulate_match(CLASSIC, ["greedy", "random"], seed=7, number=0))


def _record(number: int) -> dict[str, Any]:
    """The record of a match that no server has seen."""
    record = copy.deepcopy(_match())
    record["players"][0]["name"] = f"Ann {number}"
    return record


async def pads(attack: Attack) -> None:
    """Live sheets whose lines are corrected to hundreds of lines."""
    setup = {"do": "setup", "rules": CLASSIC.to_json(), "names": ["Ann", "Ben"]}
    turn = {"do": "turn", "person": 0, "sum": 9}
    fix = {"do": "correct", "line": 1, "with": [turn] * 300}

    async def work(_: int) -> None:
        async with await attack.dial() as line:
            status, body = await line.ask("POST", "/api/pads")
            if status != 201:
                return
            made = json.loads(body)
            path, done = f"/api/pads/{made['pad']}/acts", 0
            while attack.goes_on:
                acts = [setup, turn] if not done else [fix]
                wanted = {"secret": made["secret"], "since": done, "acts": acts}
                status, body = await line.ask("POST", path, wanted)
                if status == 201:
                    done += len(acts)
                elif status == 409:
                    return

    await attack.by(CONNECTIONS, work)


async def pad_sockets(attack: Attack) -> None:
    """Sockets of a live sheet, and messages on them."""
    pad = ""
    async with await attack.dial() as line:
        _, body = await line.ask("POST", "/api/pads")
        pad = json.loads(body)["pad"]

    async def work(_: int) -> None:
        client = await attack.socket(f"/ws/pads/{pad}")
        while attack.goes_on:
            await pour(client, b"\x81\x82\0\0\0\0{}" * 100)

    await attack.by(MANY, work)


async def clubs(attack: Attack) -> None:
    """Club evenings with people who come and go, and somebody who looks each time."""

    async def work(_: int) -> None:
        async with await attack.dial() as line:
            status, body = await line.ask("POST", "/api/clubs", {"name": "Friday"})
            if status != 201:
                return
            made = json.loads(body)
            path = f"/api/clubs/{made['club']}"
            while attack.goes_on:
                number = next(_numbers)
                for act in (
                    {"type": "join", "name": f"Ann {number}", "here": False},
                    {"type": "next_round", "number": 1 + number % 40},
                ):
                    await line.ask("POST", f"{path}/acts", {"act": act, "secret": made["secret"]})
                await line.ask("GET", path)

    await attack.by(CONNECTIONS, work)


async def club_sockets(attack: Attack) -> None:
    """Sockets of a club evening, and messages on them."""
    async with await attack.dial() as line:
        _, body = await line.ask("POST", "/api/clubs", {"name": "Friday"})
        club = json.loads(body)["club"]

    async def work(_: int) -> None:
        client = await attack.socket(f"/ws/clubs/{club}")
        while attack.goes_on:
            await pour(client, b"\x81\x82\0\0\0\0{}" * 100)

    await attack.by(MANY, work)


async def subscriptions(attack: Attack) -> None:
    """Pushes that are asked for at a service nobody knows, looked at and ended again."""
    secret = attack.secrets[0]

    async def ask(line: Line) -> None:
        place = {"endpoint": f"https://push.example/{next(_numbers)}", "language": "en"}
        wish = place | {"p256dh": "p" * 87, "auth": "a" * 22, "wishes": ["turns"]}
        await line.ask("PUT", "/api/push", wish, secret)
        await line.ask("GET", "/api/push", None, secret)
        await line.ask("DELETE", "/api/push", None, secret)

    await _request(attack, ask)


async def people(attack: Attack) -> None:
    """Profiles that change, links, phrases, uploads and downloads."""
    secret, pad = attack.secrets[0], {"at": 1, "data": {"rows": [0] * 5000}}

    async def ask(line: Line) -> None:
        number = next(_numbers)
        await line.ask("PUT", "/api/me", {"name": f"Ann {number % 1000}"}, secret)
        await line.ask("PUT", f"/api/me/games/pad/{number}", pad, secret)
        await line.ask("POST", "/api/me/links", None, secret)
        await line.ask("POST", "/api/me/phrase", None, secret)
        await line.ask("GET", "/api/me/data", None, secret)
        await line.ask("GET", "/api/me", None, secret)

    await _request(attack, ask)


async def guesses(attack: Attack) -> None:
    """Links, recovery phrases and host's keys that somebody makes up."""
    secret = attack.secrets[0]

    async def ask(line: Line) -> None:
        phrase = {"phrase": new_phrase()}
        await line.ask("POST", "/api/me/recoveries", phrase, secret)
        await line.ask("POST", "/api/me/joins", {"secret": f"{next(_numbers):032}"}, secret)
        await line.ask("POST", "/api/me/entries/options", None, secret)
        await line.ask("GET", "/api/host", None, secret)

    await _request(attack, ask)


async def ratings(attack: Attack) -> None:
    """Leaderboards that are looked at, joined and left, and ratings of one table."""
    secret = attack.secrets[0]

    async def ask(line: Line) -> None:
        await line.ask("GET", "/api/ratings/boards/classic", None, secret)
        await line.ask("POST", "/api/ratings/boards", {"shown": bool(next(_numbers) % 2)}, secret)
        await line.ask("GET", f"/api/tables/{attack.tables[0]}/ratings", None, secret)
        await line.ask("GET", "/api/ratings", None, secret)

    await _request(attack, ask)


async def queue(attack: Attack) -> None:
    """Places in the queue that are taken and left again, and messages that are none."""
    wish = {"type": "join", "edition": "classic", "players": 2, "name": "Eve"}

    async def work(number: int) -> None:
        own = {"secret": attack.secrets[number % len(attack.secrets)]}
        client = await attack.socket("/ws/queue")
        while attack.goes_on and not client.is_closed:
            for message in (wish | own, {"type": "bots"}, {"type": "leave"}, {"type": "dance"}):
                client.send(json.dumps(message).encode())
            await asyncio.sleep(0.05)
        if number % 2:
            raise ConnectionError("closed")
        while attack.goes_on:
            await pour(client, b"\x81\x82\0\0\0\0{}" * 100)

    await attack.by(CONNECTIONS, work)


async def bodies(attack: Attack) -> None:
    """Bodies without an end."""
    head = (
        b"POST /api/analyses HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        b"Transfer-Encoding: chunked\r\n\r\n"
    )
    chunk = b"4000\r\n" + b" " * 0x4000 + b"\r\n"

    async def work(_: int) -> None:
        async with await attack.dial() as line:
            line.writer.write(head)
            while attack.goes_on:
                line.writer.write(chunk)
                await line.writer.drain()

    await attack.by(CONNECTIONS, work)


# --- Connections ---------------------------------------------------------------------------------


async def _half(attack: Attack, start: bytes) -> None:
    async def work(_: int) -> None:
        async with await attack.dial() as line:
            line.writer.write(start)
            while attack.goes_on:
                try:
                    await asyncio.wait_for(line.reader.readexactly(1), 0.5)
                except TimeoutError:
                    line.writer.write(b"a")

    await attack.by(MANY, work)


async def slow(attack: Attack) -> None:
    """Requests that never end."""
    await _half(attack, b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ")


async def handshakes(attack: Attack) -> None:
    """Half a handshake of a socket."""
    await _half(attack, b"GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nX: ")


async def connections(attack: Attack) -> None:
    """Connections as fast as they can be made."""

    async def work(_: int) -> None:
        async with await attack.dial():
            attack.seen["made"] += 1

    await attack.by(CONNECTIONS, work)


FLOODS: dict[str, Callable[[Attack], Awaitable[None]]] = {
    flood.__name__: flood
    for flood in (
        presence,
        reactions,
        hints,
        undo,
        hellos,
        malformed,
        frames,
        files,
        lobby,
        tables,
        seats,
        analyses,
        pads,
        pad_sockets,
        clubs,
        club_sockets,
        subscriptions,
        people,
        guesses,
        ratings,
        queue,
        bodies,
        slow,
        handshakes,
        connections,
    )
}
"""By name, in the order in which they are run."""
