"""Damaged messages by the thousand: none may bring the server or a table down.

``python -m tests.server.damage --messages 100000`` prints what was sent and how it was answered.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
import time
from collections import Counter
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from tests.server.process import PATIENCE, ServerProcess
from triomino.client import RemotePlayer
from triomino.client.player import play_bot
from triomino.dice import Rng
from triomino.protocol.messages import PROTOCOL_VERSION
from triomino.record import match_from, verify_deals

if TYPE_CHECKING:
    from collections.abc import Iterator

    from websockets.asyncio.client import ClientConnection

BURSTS: Final = (1, 1, 2, 2, 3, 150)
"""Messages between two pings; the answer to a ping shows that all before it have been read."""

MESSAGE_BYTES: Final = 4096

JUNK: Final[list[Any]] = [
    *(None, True, False, 0, -1, 1, 5, 6, 7, 2**53, 2**53 + 1, -(2**63), 10**40, 1.5, 1e308, -0.0),
    *("", " ", "x", "draw", "pass", "end", "keep", "U(0,0)=5-5-5", "D(-1,0)=1-2-3", "٣", "\x00"),
    *(
        "\ud800",
        "\U0001f642" * 40,
        "é" * 99,
        "a" * 60,
        "a" * 61,
        "a" * 3000,
        "'; DROP TABLE events",
    ),
    *([], {}, [[]], {"type": "ping"}, [None] * 50, {"a": {"b": {}}}, "hello", "move", "state"),
]

SIGNS: Final = ("hello", "well_played", "wow", "oops", "thinking", "thanks", "?")


@dataclass
class Attacker:
    """A client that sends mostly nonsense, with or without a seat at a table."""

    url: str
    dice: Rng
    tables: list[str]
    secrets: list[str | None]
    sent: Counter[str] = field(default_factory=Counter)
    answered: Counter[str] = field(default_factory=Counter)
    closed: Counter[int] = field(default_factory=Counter)
    known: dict[str, Any] = field(default_factory=dict)
    """The last version, ply, request and choices it got."""
    marks: int = 0
    _last: bytes | str = ""

    async def attack(self, messages: int) -> None:
        """Send *messages*, with a new connection whenever the server closes the old one."""
        left = messages
        while left > 0:
            address = self.url.replace("http", "ws", 1) + "/ws"
            async with connect(address, compression=None, max_size=2**24) as socket:
                try:
                    if self.dice.randrange(4):
                        await socket.send(json.dumps(self._hello()))
                    for _ in range(100):
                        size = self._one_of(BURSTS)
                        left -= size
                        await self._burst(socket, size)
                        if left <= 0:
                            break
                except ConnectionClosed as error:
                    self.closed[error.rcvd.code if error.rcvd else 0] += 1

    async def _burst(self, socket: ClientConnection, size: int) -> None:
        for _ in range(size):
            # In a long burst the first change makes all that follows stale.
            kind, message = self._message(plausible=900 if size < 10 else 20)
            self.sent[kind] += 1
            self._last = message
            if kind == "no frame":
                socket.transport.write(b"\xff" * 20)
            else:
                await socket.send(message)
        self.marks += 1
        mark = 10**9 + self.marks
        await socket.send(json.dumps({"type": "ping", "id": mark}))
        async with asyncio.timeout(PATIENCE):
            async for text in socket:
                answer = json.loads(text)
                self.answered[
                    answer["code"] if answer["type"] == "refused" else answer["type"]
                ] += 1
                self._learn(answer)
                if answer["type"] == "pong" and answer["id"] == mark:
                    return
        await socket.recv()  # it is closed: say so

    def _learn(self, answer: dict[str, Any]) -> None:
        if answer.get("version") is not None:
            self.known["version"] = answer["version"]
        if answer.get("undo"):
            self.known["request"] = answer["undo"]["id"]
        if "now" in answer:
            self.known["ply"] = answer["now"]["ply"]
            self.known["choices"] = [choice["move"] for choice in answer["now"].get("choices", ())]

    # --- Messages --------------------------------------------------------------------------------

    def _one_of(self, things: Any) -> Any:
        return things[self.dice.randrange(len(things))]

    def _message(self, plausible: int) -> tuple[str, bytes | str]:
        if self.dice.randrange(1000) < plausible:
            return "plausible", json.dumps(self._plausible())
        lot = self.dice.randrange(1000)
        if lot < 420:
            return "bent", json.dumps(self._bent())
        if lot < 720:
            return "broken", self._broken(json.dumps(self._plausible()).encode())
        if lot < 800:
            return "again", self._last
        if lot < 900:
            return "junk", json.dumps(self._one_of(JUNK))
        if lot < 998:
            return "noise", self._noise()
        return ("too large", "x" * (MESSAGE_BYTES + 1)) if lot == 998 else ("no frame", b"")

    def _plausible(self) -> dict[str, Any]:
        """A message that could be meant, with the newest version more often than not."""
        told = {"id": self.dice.randrange(1000)}
        at = told | {"ply": self._about("ply")}
        seat = {} if self.dice.randrange(4) else {"seat": self.dice.randrange(4)}
        kind = self.dice.randrange(24)
        if kind < 1:
            return self._hello()
        if kind < 14:
            moves = [*self.known.get("choices", ()), "draw", "pass", "end", "keep"]
            return {"type": "move", "move": self._one_of(moves)} | at | seat
        if kind < 16:
            return {"type": "next_round"} | at
        if kind < 18:
            return {"type": "undo"} | at | seat
        if kind < 20:
            answer = {"type": "answer_undo", "agree": bool(self.dice.randrange(3))}
            return answer | {"request": self._about("request")} | told | seat
        if kind < 21:
            return {"type": "give_up" if self.dice.randrange(2) else "return"} | told | seat
        if kind < 22:
            return {"type": "return"} | told | seat
        if kind < 23:
            return {"type": "react", "sign": self._one_of(SIGNS)} | seat
        return {"type": "ping", "id": self.dice.randrange(1000)}

    def _about(self, name: str) -> int:
        """A number that it was told, or now and then another one."""
        known: int = self.known.get(name, 1)
        return known if self.dice.randrange(8) else max(0, known + self.dice.randrange(5) - 3)

    def _hello(self) -> dict[str, Any]:
        table = self._one_of([*self.tables, "nowhere"])
        hello: dict[str, Any] = {"type": "hello", "table": table}
        if self.dice.randrange(20):
            hello["protocol"] = PROTOCOL_VERSION
        if self.dice.randrange(2):
            hello["version"] = self.dice.randrange(2 * self.known.get("version", 1) + 2)
        secret = self._one_of(self.secrets)
        return hello if secret is None else hello | {"secret": secret}

    def _bent(self) -> Any:
        """A message with one thing in it replaced, added or left out."""
        message = self._plausible()
        key = self._one_of([*message, "type", "ply", "id", "seat", "secret", "protocol", "x"])
        if self.dice.randrange(4):
            message[key] = self._one_of(JUNK)
        else:
            message.pop(key, None)
        return message if self.dice.randrange(20) else [message]

    def _broken(self, text: bytes) -> bytes | str:
        """A message with some of its bytes changed, lost or repeated."""
        data = bytearray(text)
        for _ in range(1 + self.dice.randrange(3)):
            place = self.dice.randrange(len(data) + 1)
            what = self.dice.randrange(5)
            if what == 0:
                data[place : place + 1] = bytes([self.dice.randrange(256)])
            elif what == 1:
                del data[place : place + 1 + self.dice.randrange(8)]
            elif what == 2:
                data[place:place] = bytes([self.dice.randrange(128)])
            elif what == 3:
                data[place:place] = data[: self.dice.randrange(20)]
            else:
                del data[place:]
        return self._framed(bytes(data))

    def _noise(self) -> bytes | str:
        what = self.dice.randrange(4)
        if what == 0:
            return bytes(self.dice.randrange(256) for _ in range(self.dice.randrange(40)))
        if what == 1:
            return "[" * self.dice.randrange(MESSAGE_BYTES)
        if what == 2:
            return '{"type":' * self.dice.randrange(400)
        return self._framed(b"\xff\xfe" + bytes([self.dice.randrange(256)]) * 20)

    def _framed(self, data: bytes) -> bytes | str:
        """As a binary message, or as text where it is text."""
        try:
            return data.decode() if self.dice.randrange(4) else data
        except UnicodeDecodeError:
            return data


@dataclass
class Group:
    """Two people and a bot at tables of their own, and the attackers that know their secrets."""

    ann: RemotePlayer
    ben: RemotePlayer
    tables: list[str] = field(default_factory=list)

    async def new_table(self) -> None:
        """Sit down at one more table and start."""
        table = await self.ann.create(
            [{"kind": "here", "name": "Ann"}, {"kind": "link"}, {"kind": "bot", "bot": "random"}],
            rules={"edition": "classic", "target": 150},
        )
        await self.ben.sit(table, "Ben")
        await self.ann.start(table)
        self.tables.append(table)

    async def finish(self, table: str) -> None:
        """Play a table to its end, whatever has been done to it, and check its record."""
        both = (self.ann, self.ben)
        for player in both:
            await player.enter(table)
        await asyncio.gather(*(play_bot(one, lambda choices, _: choices[0].move) for one in both))
        match = match_from(await self.ann.record(table))
        verify_deals(match)
        assert match.over


@dataclass
class Damage:
    """What was sent, and what came of it."""

    sent: Counter[str] = field(default_factory=Counter)
    answered: Counter[str] = field(default_factory=Counter)
    closed: Counter[int] = field(default_factory=Counter)
    processed: int = 0
    tables: int = 0
    seconds: float = 0.0

    def lines(self) -> Iterator[str]:
        """The figures, for people."""
        rate = self.processed / self.seconds
        yield f"processed   {self.processed} in {self.seconds:.1f} s, {rate:.0f} a second"
        for name, counted in (("sent", self.sent), ("answers", self.answered)):
            yield f"{name:11} " + ", ".join(f"{n} {what}" for what, n in counted.most_common())
        yield f"closings    {dict(self.closed)}"
        yield f"tables      {self.tables}, every one played to its end"


async def damage(
    server: ServerProcess, *, messages: int, seed: int, groups: int = 3, attackers: int = 2
) -> Damage:
    """Send damaged messages to a running server, then play all tables to their ends."""
    report = Damage()
    async with AsyncExitStack() as stack:
        teams, attacks = [], []
        for number in range(groups):
            team = Group(
                ann=RemotePlayer(server.url, patience=PATIENCE, takes_part=False),
                ben=RemotePlayer(server.url, patience=PATIENCE, takes_part=False),
            )
            own: list[str | None] = []
            for player in (team.ann, team.ben):
                await stack.enter_async_context(player)
                own.append(await player.introduce())
            await team.new_table()
            await team.new_table()
            teams.append(team)
            secrets = [*own, *own, None, "somebody else's secret"]
            attacks += [
                Attacker(server.url, Rng.named("damage", seed, number, index), team.tables, secrets)
                for index in range(attackers)
            ]
        began = time.monotonic()
        share = -(-messages // len(attacks))
        before = await _read(server)
        while report.processed < messages:
            # Finished tables take no more damage: there is always a fresh one.
            await asyncio.gather(*(one.attack(-(-share // 10)) for one in attacks))
            report.processed = await _read(server) - before
            for team in teams:
                newest = await team.ann.request("GET", f"/api/tables/{team.tables[-1]}")
                if newest["state"] == "finished":
                    await team.new_table()
        report.seconds = time.monotonic() - began
        for one in attacks:
            report.sent += one.sent
            report.answered += one.answered
            report.closed += one.closed
        for team in teams:
            for table in team.tables:
                await team.finish(table)
        report.tables = sum(len(team.tables) for team in teams)
    assert (await asyncio.to_thread(server.counters))["triomino_errors_total"] == 0
    return report


async def _read(server: ServerProcess) -> int:
    """How many messages the server has read from sockets."""
    return int((await asyncio.to_thread(server.counters))["triomino_messages_total"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    chosen = parser.parse_args()
    print(f"seed        {chosen.seed}", flush=True)
    with tempfile.TemporaryDirectory() as folder, ServerProcess(Path(folder)) as server:
        report = asyncio.run(damage(server, messages=chosen.messages, seed=chosen.seed))
        assert "Traceback" not in server.log, server.log
    print(*report.lines(), sep="\n")


if __name__ == "__main__":
    main()
