"""Floods of allowed messages: what one address costs the others is bounded."""

from __future__ import annotations

import asyncio
import json
import sys
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from benchmarks.attack.attackers import attack
from hypothesis import given
from hypothesis import strategies as st
from websockets.exceptions import InvalidStatus

from tests.server.harness import PATIENCE, UNLIMITED, in_loop, serving, table_of_two, until
from triomino.kernel import why_missing
from triomino.rules import CLASSIC
from triomino.server.budgets import Buckets
from triomino.server.config import Config
from triomino.server.open_tables import Listeners
from triomino.server.pads import MOST_LINES, Pads

if TYPE_CHECKING:
    from pathlib import Path

    from tests.server.harness import Wire

needs_kernel = pytest.mark.skipif(why_missing() is not None, reason="no kernel was built")


def heard(wire: Wire, kind: str) -> list[dict[str, Any]]:
    return [message for message in map(json.loads, wire.heard) if message["type"] == kind]


# --- Who is there --------------------------------------------------------------------------------


@in_loop
async def test_many_who_come_and_go_are_one_message(tmp_path: Path) -> None:
    async with serving(tmp_path, presence_seconds=0.3) as served:
        two = await table_of_two(served)
        ann = await two.wire(0)
        await ann.settle()
        before = len(heard(ann, "presence"))
        visitors = await asyncio.gather(*[two.wire() for _ in range(30)])
        await until(lambda: heard(ann, "presence")[-1]["spectators"] == 30)
        assert len(heard(ann, "presence")) - before <= 4
        for visitor in visitors:
            await visitor.close()
        await until(lambda: heard(ann, "presence")[-1]["spectators"] == 0)
        said = len(heard(ann, "presence"))
        for _ in range(3):  # the same device again and again: nothing changes
            await (await two.wire(0)).close()
        await asyncio.sleep(0.5)
        assert len(heard(ann, "presence")) == said


class Ear:
    """A client."""

    def __init__(self, device: str | None) -> None:
        self.device = device

    def tell(self, message: bytes) -> None:
        """Hear it."""


@given(st.lists(st.tuples(st.sampled_from("adc"), st.integers(0, 5), st.sampled_from("xyz"))))
def test_listeners_count_their_devices(steps: list[tuple[str, int, str]]) -> None:
    ears, here = [Ear(None) for _ in range(6)], Listeners()
    model: dict[Ear, str | None] = {}
    for step, number, device in steps:
        ear = ears[number]
        if step == "c":
            ear.device = device  # it says hello as somebody else, at another table first
        elif step == "a":
            here.add(ear)
            model.setdefault(ear, ear.device)
        else:
            here.discard(ear)
            model.pop(ear, None)
        assert set(here) == set(model)
        assert len(here) == len(model)
        assert sorted(map(str, here.devices.elements())) == sorted(map(str, model.values()))


@in_loop
async def test_a_table_has_room_for_so_many_and_always_for_its_players(tmp_path: Path) -> None:
    async with serving(tmp_path, listeners_per_table=3) as served:
        two = await table_of_two(served)
        for _ in range(3):
            await two.wire()
        late = await served.wire()
        await late.say(type="hello", table=two.table)
        assert (await late.hear("refused"))["code"] == "crowded"
        await two.wire(0)
        await two.wire(1)


# --- Reactions, hellos, hints --------------------------------------------------------------------


@in_loop
async def test_reactions_have_a_budget_by_address_and_by_table(tmp_path: Path) -> None:
    async with serving(tmp_path, reactions_per_minute=10) as served:
        two = await table_of_two(served)
        ann, ben = await two.wire(0), await two.wire(1)
        for _ in range(12):
            await ann.say(type="react", sign="wow")
        await ann.settle()
        await ben.settle()
        assert len(heard(ben, "reaction")) == 5
        assert [one["code"] for one in heard(ann, "refused")] == ["too_fast"] * 7
        assert ann.closed is None
        # Another address has reactions left, but not at this table.
        opened = served.hub.tables[two.table]
        assert opened.reactions is not None
        assert opened.reactions.tokens < 1
        served.app.state.budgets.reactions = Buckets(100, 100)
        await ann.say(type="react", sign="wow")
        await ann.settle()
        assert len(heard(ben, "reaction")) == 5


@in_loop
async def test_hellos_over_the_budget_wait_and_are_answered(tmp_path: Path) -> None:
    async with serving(tmp_path, hellos_per_minute=240) as served:  # four a second
        two = await table_of_two(served)
        served.app.state.budgets.hellos.charge("127.0.0.1", 120)
        wire, other = await served.wire(), await served.wire()
        began = asyncio.get_running_loop().time()
        for _ in range(3):
            await wire.say(type="hello", table=two.table)
        await other.settle()  # meanwhile others are served
        for _ in range(3):
            await wire.hear("state")
        assert asyncio.get_running_loop().time() - began > 0.5
        assert wire.closed is None


@in_loop
async def test_messages_of_one_address_wait_for_each_other(tmp_path: Path) -> None:
    async with serving(tmp_path, messages_per_address=20) as served:
        wires = [await served.wire() for _ in range(10)]
        began = asyncio.get_running_loop().time()
        for wire in wires:
            for number in range(10):
                await wire.say(type="ping", id=number)
        for wire in wires:
            while (await wire.hear("pong"))["id"] != 9:
                pass
        assert asyncio.get_running_loop().time() - began > 0.5  # 80 at once, then 20 a second
        assert all(wire.closed is None for wire in wires)


@needs_kernel
@in_loop
async def test_hints_take_no_slot_of_a_bot(tmp_path: Path) -> None:
    async with serving(tmp_path, bots_at_once=1, hints_per_minute=4) as served:
        two = await table_of_two(served)
        wire = await two.wire(two.game.turn)
        scheduler = served.hub.scheduler
        async with scheduler._thinking.held("a bot"):
            await wire.say(type="ask_hint", ply=two.ply, id=1)
            assert (await wire.hear("hint"))["id"] == 1
        answers = []
        for number in (2, 3):
            await wire.say(type="ask_hint", ply=two.ply, id=number)
            answers.append((await wire.hear("hint", "refused"))["type"])
        assert answers == ["hint", "refused"]
        assert heard(wire, "refused")[-1]["code"] == "too_fast"


@in_loop
async def test_tables_and_seats_have_budgets(tmp_path: Path) -> None:
    async with serving(tmp_path, tables_per_minute=4, seats_per_minute=2) as served:
        own = {"authorization": "Bearer the-secret-of-this-device"}
        seats = {"seats": [{"kind": "here"}, {"kind": "link"}, {"kind": "link"}]}
        made = [await served.http.post("/api/tables", json=seats, headers=own) for _ in range(3)]
        assert [answer.status_code for answer in made] == [201, 201, 429]
        assert made[2].json()["code"] == "too_fast"
        path = f"/api/tables/{made[0].json()['id']}/seats"
        codes = [
            (await served.http.post(path, json={"name": name}, headers=own)).status_code
            for name in ("Ben", "Cleo")
        ]
        assert codes == [201, 429]


# --- Live sheets ---------------------------------------------------------------------------------

SETUP = {"do": "setup", "rules": CLASSIC.to_json(), "names": ["Ann", "Ben"]}
TURN = {"do": "turn", "person": 0, "sum": 9}


def test_corrections_do_not_make_a_sheet_longer_than_it_may_be() -> None:
    """Each replaces one line by hundreds; three thousand of them were a million lines."""
    fix = {"do": "correct", "line": 1, "with": [TURN] * 400}
    acts = [msgspec.json.encode(act) for act in (SETUP, TURN, *[fix] * 11)]
    with pytest.raises(Exception, match=f"room for {MOST_LINES} lines"):
        Pads._check("pad", acts, [])
    assert Pads._check("pad", acts[:9], []) == 2 + 7 * 400


@in_loop
async def test_writing_on_sheets_has_a_budget(tmp_path: Path) -> None:
    async with serving(tmp_path, pad_steps_per_minute=40) as served:
        made = (await served.http.post("/api/pads")).json()

        async def write(since: int, *acts: dict[str, Any]) -> int:
            body = {"secret": made["secret"], "since": since, "acts": acts}
            path = f"/api/pads/{made['pad']}/acts"
            return (await served.http.post(path, json=body)).status_code

        assert await write(0, SETUP, *[TURN] * 150) == 201  # long: checked in a thread
        assert await write(151, TURN) == 201
        codes = [await write(152 + number, TURN) for number in range(8)]
        assert 429 in codes
        news = (await served.get(f"/api/pads/{made['pad']}")).json()
        assert news["acts"][1] == TURN
        assert len(news["acts"]) == 152 + codes.count(201)


@in_loop
async def test_sockets_of_sheets_count_with_all_others(tmp_path: Path) -> None:
    async with serving(tmp_path, sockets_per_address=2) as served:
        pad = (await served.http.post("/api/pads")).json()["pad"]
        wires = [await served.wire(path=f"/ws/pads/{pad}") for _ in range(2)]
        for path in (f"/ws/pads/{pad}", "/ws"):
            with pytest.raises(Exception, match="403"):
                await served.wire(path=path)
        assert all(wire.closed is None for wire in wires)


# --- People and the queue ------------------------------------------------------------------------


LEFT = 5
"""Of each budget, when a flood begins."""


@dataclass(frozen=True, slots=True)
class Expected:
    """What a flood is answered: nothing else, and what is granted only within its budget."""

    budget: str
    granted: frozenset[str]
    free: frozenset[str] = frozenset()
    """What has no budget of its own."""
    refused: str = "429"


EXPECTED = {
    "subscriptions": Expected("seats", frozenset({"204", "409"}), frozenset({"200"})),
    "people": Expected("people", frozenset({"201"}), frozenset({"200"})),
    "guesses": Expected("sign_ins", frozenset({"403"})),
    "ratings": Expected("seats", frozenset({"403"}), frozenset({"200"})),
    "queue": Expected("seats", frozenset({"wai", "tab"}), frozenset({"lef"}), "ref"),
}
"""Unknown push services are refused with 409, unknown phrases and keys with 403, and so is somebody
without a profile who wants to be on a leaderboard. To look at what is there costs a request."""


@pytest.mark.skipif(sys.platform != "linux", reason="has other addresses of this machine")
@pytest.mark.parametrize("flood", EXPECTED)
@in_loop
async def test_floods_about_people_leave_the_others_alone(tmp_path: Path, flood: str) -> None:
    """Each of a moment, with the limits that a server has by itself."""
    limits = {name: getattr(Config(data=""), name) for name in UNLIMITED}
    expected, address = EXPECTED[flood], "127.0.0.2"
    async with serving(tmp_path, open=True, **limits) as served:
        port, ann = int(served.url.rpartition(":")[2]), served.player()
        await ann.introduce()
        budget: Buckets = getattr(served.app.state.budgets, expected.budget)

        async def spend_nearly_all() -> None:
            budget.charge(address, budget._bucket(address).tokens - LEFT)

        seen: Counter[str] = Counter()
        seconds = 0.5
        while not seen[expected.refused] and seconds < PATIENCE:
            seconds *= 2  # a busy machine has not even connected at first
            flooding = asyncio.create_task(attack(port, flood, seconds, address, spend_nearly_all))
            await asyncio.sleep(seconds / 2)
            await ann.request("PUT", "/api/me", {"name": "Ann"})
            waits = await served.wire(path="/ws/queue")
            wish = {"edition": "card", "players": 3, "secret": ann.secret}
            await waits.say(type="join", **wish)
            assert (await waits.hear("waiting", "refused"))["type"] == "waiting"
            seen = Counter(await flooding)
        del seen["closed"]  # when the time is over, if not before
        assert set(seen) <= expected.granted | expected.free | {expected.refused}, seen
        assert seen[expected.refused] > 0, seen
        most = LEFT + budget._rate * 2 * seconds
        assert sum(seen[one] for one in expected.granted) <= most, seen


@in_loop
async def test_waiting_has_limits_by_address(tmp_path: Path) -> None:
    async with serving(tmp_path, open=True, waiting_per_address=2, seats_per_minute=2) as served:
        ann = served.player()
        await ann.introduce()
        wires = [await served.wire(path="/ws/queue") for _ in range(2)]
        with pytest.raises(Exception, match="403"):
            await served.wire(path="/ws/queue")
        wish = {"edition": "classic", "players": 2, "name": "Ann", "secret": ann.secret}
        for wire, said in zip(wires, ("waiting", "refused"), strict=True):
            await wire.say(type="join", **wish)
            assert (await wire.hear("waiting", "refused"))["type"] == said
        await wires[0].close()
        async with asyncio.timeout(PATIENCE):
            while True:  # the server notices in its own time
                try:
                    await served.wire(path="/ws/queue")
                    break
                except InvalidStatus:
                    await asyncio.sleep(0.01)
