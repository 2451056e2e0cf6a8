"""An evening: six at a table, a drop-out, a restart, a return on another device, the record."""

from __future__ import annotations

import asyncio
import json
from contextlib import AsyncExitStack
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from tests.effort import long_only
from tests.server.process import PATIENCE, ServerProcess
from tests.server.program import run_here
from triomino.bots import CAST
from triomino.client import RemotePlayer
from triomino.client.player import RefusedByServer
from triomino.dice import Rng
from triomino.record import match_from, verify_deals
from triomino.server.table import SUBSTITUTE

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SEATS = [
    {"kind": "here", "name": "Ann"},
    {"kind": "link"},
    {"kind": "bot", "bot": "greedy"},
    {"kind": "bot", "bot": "random"},
    {"kind": "bot", "bot": "greedy"},
    {"kind": "bot", "bot": "random", "name": "Lucky"},
]
BEN = 1


class Guest(RemotePlayer):
    """Somebody at the table who keeps every message, and plays whatever comes first."""

    def __init__(self, url: str) -> None:
        super().__init__(url, patience=PATIENCE)
        self.heard = []
        self.moves = 0
        self._dice = Rng(9)

    def played_by_bot(self) -> int:
        """How many turns of all rounds a bot played for Ben, as far as this guest was told."""
        state = self.state
        assert state is not None
        past = [turn for old in state.past for turn in old.turns]
        return sum(turn.by_bot for turn in [*past, *self.turns])

    async def play_until(self, enough: Callable[[], bool]) -> None:
        """Play one's turns, and ask for the next round, until it is enough."""
        while not enough():
            try:
                if self.now is not None and self.now.end is not None and not self.finished:
                    await self.next_round()
                elif self.choices:
                    choice = self.choices[self._dice.randrange(len(self.choices))]
                    await self.move(choice.move)
                    self.moves += 1
                else:
                    await self.next_change()
            except RefusedByServer as error:
                # Somebody else was faster with the next round.
                if error.code not in ("stale", "round_running", "is_finished"):
                    raise

    def heard_of(self, kind: str) -> list[dict[str, Any]]:
        """The messages of one type."""
        return [one for one in map(json.loads, self.heard or []) if one["type"] == kind]


def is_over(guest: RemotePlayer) -> bool:
    """Whether the match is, as far as this guest was told."""
    return guest.finished


def substitute(guest: RemotePlayer) -> str | None:
    """Who plays for Ben."""
    assert guest.state is not None
    return guest.state.seats[BEN].substitute


async def evening(server: ServerProcess) -> dict[str, Any]:
    """Play the match and give back its record."""
    async with AsyncExitStack() as stack:

        async def guest() -> Guest:
            return await stack.enter_async_context(Guest(server.url))

        ann, ben, sue = await guest(), await guest(), await guest()
        rules = {"edition": "six-player", "target": 300}
        table = await ann.create(SEATS, rules=rules, away_seconds=5)
        assert await ben.sit(table, "Ben") == BEN
        link = await ben.link(table, BEN)
        await ann.start(table)
        for one in (ann, ben, sue):
            await one.enter(table)
        assert ann.state is not None
        commitment = ann.state.fair.commitment

        # They play; then Ben's connection is gone.
        await ann.until(lambda: ann.here == [0, BEN])
        await asyncio.gather(ann.play_until(lambda: ann.here == [0]), vanish(ben))
        assert substitute(ann) is None

        await restart(server, ann, sue)

        # Ben stays away, so a bot plays for him, for all to see.
        await ann.until(lambda: substitute(ann) == SUBSTITUTE)
        await sue.until(lambda: substitute(sue) == SUBSTITUTE)
        await ann.play_until(lambda: ann.played_by_bot() >= 2 or ann.finished)
        assert not ann.finished

        # He returns on another device, by the secret link, and takes his seat back.
        phone = await guest()
        with pytest.raises(RefusedByServer, match="wrong_link"):
            await phone.claim(table, "x" * len(link))
        assert await phone.claim(table, link) == BEN
        state = await phone.enter(table)
        assert state.you == [BEN]
        await come_back(phone)
        assert substitute(phone) is None
        before = phone.played_by_bot()
        await asyncio.gather(*(one.play_until(partial(is_over, one)) for one in (ann, phone)))
        await sue.until(lambda: sue.finished)
        assert phone.moves >= 2
        for one in (ann, phone, sue):
            assert one.played_by_bot() == before

        assert ann.version == phone.version == sue.version
        record = await sue.record(table)
        assert record["fair"]["commitment"] == commitment
        check_spectator(sue)
        return record


async def restart(server: ServerProcess, *guests: Guest) -> None:
    """Restart the server; everyone who is there comes back, and knows the same."""
    versions = [guest.version for guest in guests]
    assert await asyncio.to_thread(server.stop) == 0
    assert {guest.heard_of("bye")[0]["code"] for guest in guests} == {"restart"}
    await asyncio.to_thread(server.start)
    for guest, version in zip(guests, versions, strict=True):
        await guest.ping()
        assert guest.version >= version
        assert guest.reconnects


async def vanish(ben: Guest) -> None:
    """Play a little, and be gone."""
    await ben.play_until(lambda: ben.moves >= 2)
    await ben.close()


async def come_back(phone: Guest) -> None:
    while True:
        try:
            await phone.come_back()
            return
        except RefusedByServer as error:
            if error.code != "stale":  # the bots play on meanwhile
                raise


def check_spectator(sue: Guest) -> None:
    """Who only watches is shown no rack, no choice and no drawn tile."""
    for state in sue.heard_of("state"):
        assert state["you"] == []
        assert "racks" not in state
        if state["state"] == "playing":
            assert "server_seed" not in state["fair"]
    for told in sue.heard_of("moved"):
        assert "choices" not in told["now"]
        assert not any("tile" in turn for turn in told["turns"])


@long_only
def test_an_evening(tmp_path: Path) -> None:
    with ServerProcess(tmp_path) as server:
        record = asyncio.run(evening(server))
    assert "Traceback" not in server.log, server.log

    match = match_from(record)
    verify_deals(match)
    assert match.over
    assert [player.name for player in match.players][:2] == ["Ann", "Ben"]
    assert [player.bot for player in match.players].count(None) == 2
    cast = {player.name for player in match.players[2:5]}
    assert len(cast) == 3
    assert cast <= set(CAST)
    assert match.players[5].name == "Lucky"
    assert record["fair"]["algorithm"] == "fair/2"
    turns = [turn for one in record["rounds"] for turn in one["turns"]]
    by_bot = [turn for turn in turns if "extra" in turn]
    assert len(by_bot) >= 2
    assert all(turn["extra"] == {"by_bot": True} and turn["seat"] == BEN for turn in by_bot)
    assert any(turn["seat"] == BEN and "extra" not in turn for turn in turns)

    file = tmp_path / "evening.jsonl"
    file.write_text(json.dumps(record) + "\n")
    checked = run_here("replay", "--check", file)
    assert checked.code == 0, checked
    verified = run_here("verify", file)
    assert verified.code == 0, verified
    assert record["fair"]["commitment"] in verified.out
    # The same commands refuse a record that was touched.
    by_bot[0]["points"] += 1
    file.write_text(json.dumps(record) + "\n")
    assert run_here("replay", "--check", file).code == 2
