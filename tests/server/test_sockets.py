"""Playing over real sockets: who wins, what changes nothing, what happens by itself."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import threading
from typing import TYPE_CHECKING, Any

import pytest

from tests.server.harness import FakeClock, Served, Two, Wire, in_loop, serving, table_of_two, until
from triomino.bots import BOTS, GreedyBot
from triomino.client import RefusedByServer
from triomino.client.player import play_bot
from triomino.record import match_from, verify_deals
from triomino.server.events import BotTook, decode
from triomino.server.protocols import SocketProtocol

if TYPE_CHECKING:
    from pathlib import Path

    from triomino.bots import Limit
    from triomino.dice import Dice
    from triomino.moves import Move
    from triomino.protocol.messages import Choice, State
    from triomino.view import View

SHORT = {"edition": "classic", "racks": {"2": 3}}
"""Rules of a round that is over soon."""


def first(choices: list[Choice], _: State) -> str:
    return choices[0].move


def a_move(two: Two) -> str:
    return str(two.game.legal_moves()[0])


# --- Two at once ---------------------------------------------------------------------------------


@in_loop
async def test_of_two_who_move_at_once_exactly_one_wins(tmp_path: Path) -> None:
    """The same seat on two devices: both send a move on the same version at the same time."""
    async with serving(tmp_path) as served:
        two = await table_of_two(served)
        tabs = {seat: (await two.wire(seat), await two.wire(seat)) for seat in (0, 1)}
        winners = set()
        for number in range(40):
            game, version, ply = two.game, two.version, two.ply
            if game.over:
                break
            moves = [str(move) for move in game.legal_moves()]
            pair = tabs[game.turn]
            tries = [moves[0], moves[-1]]
            order = (0, 1) if number % 2 else (1, 0)
            for wire in pair:
                await wire.settle()
            said = await asyncio.gather(
                *(pair[who].ask(type="move", move=tries[who], ply=ply) for who in order)
            )
            answers = dict(zip(order, said, strict=True))
            kinds = sorted(answer["type"] for answer in answers.values())
            assert kinds == ["ack", "refused"]
            winner = 0 if answers[0]["type"] == "ack" else 1
            winners.add(winner)
            assert answers[winner]["version"] == version + 1
            assert answers[1 - winner]["code"] == "stale"
            assert answers[1 - winner]["version"] == version + 1
            # The other catches up: it is told exactly what it missed.
            caught = await pair[1 - winner].hear("moved")
            assert (caught["since"], caught["version"]) == (version, version + 1)
            assert [turn["move"] for turn in caught["turns"]] == [tries[winner]]
            log = await served.log(two.table)
            assert len(log) == version + 1
            assert json.loads(log[-1])["move"] == tries[winner]
        assert winners == {0, 1}


@in_loop
async def test_of_two_who_go_on_at_once_one_wins(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        two = await table_of_two(served, rules={**SHORT, "target": 1000})
        ann, ben = await two.wire(0), await two.wire(1)
        while not two.game.over:
            mover = (ann, ben)[two.game.turn]
            await mover.ask(type="move", move=a_move(two), ply=two.ply)
        version, ply = two.version, two.ply
        answers = await asyncio.gather(*(one.ask(type="next_round", ply=ply) for one in (ann, ben)))
        assert sorted(answer["type"] for answer in answers) == ["ack", "refused"]
        assert two.version == version + 1


@in_loop
async def test_of_two_servers_on_one_file_one_wins(tmp_path: Path) -> None:
    """Another node wrote the version first: the other is told to catch up, and can."""
    async with serving(tmp_path) as one, serving(tmp_path) as other:
        two = await table_of_two(one)
        here = await two.wire(two.game.turn)
        there = await other.wire_at(two.table, two.secret(two.game.turn))
        version, ply = two.version, two.ply
        answers = await asyncio.gather(
            here.ask(type="move", move=a_move(two), ply=ply),
            there.ask(type="move", move=a_move(two), ply=ply),
        )
        assert sorted(answer["type"] for answer in answers) == ["ack", "refused"]
        lost = (here, there)[[answer["type"] for answer in answers].index("refused")]
        refusal = answers[(here, there).index(lost)]
        assert refusal["code"] == "stale"
        assert refusal["version"] == version + 1
        await lost.settle()
        assert any(json.loads(data).get("version") == version + 1 for data in lost.heard)
        assert len(await one.log(two.table)) == version + 1
        assert await one.log(two.table) == await other.log(two.table)


# --- What changes nothing ------------------------------------------------------------------------


class Unchanged:
    """Before and after: the log of a table, and its version in memory."""

    def __init__(self, two: Two) -> None:
        self.two = two

    async def __aenter__(self) -> None:
        self.log = await self.two.served.log(self.two.table)
        self.version = self.two.version
        self.game = self.two.game.position

    async def __aexit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            assert await self.two.served.log(self.two.table) == self.log
            assert self.two.version == self.version == len(self.log)
            assert self.two.game.position == self.game


@in_loop
async def test_duplicate_late_and_reordered_messages_change_nothing(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        two = await table_of_two(served)
        sockets = [await two.wire(0), await two.wire(1)]
        start = two.version
        sent: list[tuple[Wire, dict[str, Any]]] = []
        for number in range(6):
            wire = sockets[two.game.turn]
            message = {"type": "move", "move": a_move(two), "ply": two.ply, "id": number}
            await wire.say(**message)
            assert (await wire.hear("ack"))["id"] == number
            sent.append((wire, message))
        assert two.version == start + 6
        async with Unchanged(two):
            for wire, message in [*sent, *reversed(sent), sent[-1]]:  # again, late, backwards
                await wire.say(**message)
                refusal = await wire.hear("refused", "ack")
                assert (refusal["type"], refusal.get("code")) == ("refused", "stale")
                assert refusal["id"] == message["id"]
        # What comes before its time is not kept for later.
        async with Unchanged(two):
            wire = sockets[two.game.turn]
            early = await wire.ask(type="move", move=a_move(two), ply=two.ply + 1)
            assert early["code"] == "stale"
        answer = await wire.ask(type="move", move=a_move(two), ply=two.ply)
        assert answer["type"] == "ack"


@in_loop
async def test_messages_of_strangers_change_nothing(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        two, other = await table_of_two(served), await table_of_two(served)
        turn = two.game.turn
        mover, waiting = await two.wire(turn), await two.wire(1 - turn)
        strangers = {
            "a spectator": await two.wire(),
            "a wrong secret": await served.wire_at(two.table, "not the secret of anybody"),
            "another table's seat": await served.wire_at(two.table, other.secret(turn)),
        }
        commands: list[dict[str, Any]] = [
            {"type": "move", "move": a_move(two), "ply": two.ply},
            {"type": "next_round", "ply": two.ply},
            {"type": "undo", "ply": two.ply},
            {"type": "answer_undo", "agree": True, "request": 1},
            {"type": "give_up"},
            {"type": "return"},
        ]
        async with Unchanged(two):
            for who, wire in strangers.items():
                for command in commands:
                    answer = await wire.ask(**command)
                    assert answer["code"] == "spectator", (who, command)
                    if command["type"] != "next_round":
                        answer = await wire.ask(seat=turn, **command)
                        assert answer["code"] == "not_yours", (who, command)
            # One's own seat is no key to another's.
            for command in commands:
                if command["type"] != "next_round":
                    answer = await waiting.ask(seat=turn, **command)
                    assert answer["code"] == "not_yours"
            answer = await waiting.ask(type="move", move=a_move(two), ply=two.ply)
            assert answer["code"] == "not_your_turn"
        assert (await mover.ask(type="move", move=a_move(two), ply=two.ply))["type"] == "ack"


MALFORMED: list[str | bytes] = [
    "",
    " ",
    "{",
    "[]",
    "null",
    "7",
    '"move"',
    "{}",
    '{"type":"fly"}',
    '{"type":7}',
    '{"type":"move"}',
    '{"type":"move","move":"draw","id":1}',
    '{"type":"move","move":"draw","ply":"1","id":1}',
    '{"type":"move","move":7,"ply":1,"id":1}',
    '{"type":"move","move":"draw","ply":1.5,"id":1}',
    '{"type":"move","move":"draw","ply":true,"id":1}',
    '{"type":"move","move":"draw","ply":-1,"id":1}',
    '{"type":"move","move":"draw","ply":99999999999999999999,"id":1}',
    '{"type":"move","move":"draw","ply":1,"id":-1}',
    '{"type":"move","move":"draw","ply":1,"id":1,"seat":6}',
    '{"type":"move","move":"draw","ply":1,"id":1,"seat":-1}',
    '{"type":"move","move":"draw","ply":1,"id":1,"more":1}',
    '{"type":"move","move":"' + "x" * 61 + '","ply":1,"id":1}',
    '{"type":"react","sign":"rude"}',
    '{"type":"hello","table":""}',
    '{"type":"hello","table":"' + "t" * 41 + '"}',
    '{"type":"state","version":1}',
    '{"type":"ping","id":1}trailing',
    '{"type":"hello","table":"\\ud800"}',
    "[" * 2000,
    '{"type":' * 400,
    b"\xff\xfe\x00",
    b"",
    b'{"type":"ping","id":"\xff"}',
]


@in_loop
async def test_what_is_no_message_changes_nothing(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        two = await table_of_two(served)
        wire = await two.wire(two.game.turn)
        async with Unchanged(two):
            for text in MALFORMED:
                await wire.send(text)
                refusal = await wire.hear("refused")
                assert refusal["code"] == "malformed", text
                assert refusal["id"] is None
                assert refusal["version"] == two.version
        assert (await wire.ask(type="move", move=a_move(two), ply=two.ply))["type"] == "ack"


@in_loop
async def test_moves_that_cannot_be_played_change_nothing(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        two = await table_of_two(served)
        wire = await two.wire(two.game.turn)
        held = two.game.racks[two.game.turn][0]
        other = two.game.racks[1 - two.game.turn][0]
        wrong = [
            ("hop", "malformed"),
            ("D(0,0", "malformed"),
            ("U(0,0)=9-9-9", "malformed"),
            ("pass", "must_open"),
            ("draw", "must_open"),
            (f"U(5,5)={held}", "not_the_start_cell"),
            (f"U(0,0)={other}", "not_held"),
        ]
        async with Unchanged(two):
            for move, code in wrong:
                answer = await wire.ask(type="move", move=move, ply=two.ply)
                assert answer["code"] == code, move
                assert str(other) not in answer["detail"] or move != "hop"
            commands: list[tuple[dict[str, Any], str]] = [
                ({"type": "next_round", "ply": two.ply}, "round_running"),
                ({"type": "return"}, "you_play"),
                ({"type": "undo", "ply": two.ply}, "nothing_to_undo"),
                ({"type": "answer_undo", "agree": True, "request": 1}, "nothing_asked"),
            ]
            for command, code in commands:
                assert (await wire.ask(**command))["code"] == code


@in_loop
async def test_who_has_not_said_hello_can_only_ping(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        two = await table_of_two(served)
        wire = await served.wire()
        async with Unchanged(two):
            answer = await wire.ask(type="move", move="draw", ply=two.ply)
            assert answer["code"] == "no_hello"
            assert "version" not in answer
            await wire.say(type="react", sign="hello")
            assert (await wire.hear("refused"))["code"] == "no_hello"
            await wire.say(type="hello", table="nowhere")
            assert (await wire.hear("refused"))["code"] == "no_table"
            await wire.say(type="hello", table=two.table, protocol=99)
            assert (await wire.hear("refused"))["code"] == "protocol"
            await wire.say(type="ping", id=3)
            assert (await wire.hear("pong"))["id"] == 3


@in_loop
async def test_tables_that_are_not_there_leave_no_trace(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        wire = await served.wire()
        for number in range(50):
            await wire.say(type="hello", table=f"nowhere{number}")
            assert (await wire.hear("refused"))["code"] == "no_table"
        assert len(served.hub.tables) == 0
        assert not served.hub.tables._loading
        with pytest.raises(RefusedByServer, match="no_table"):  # at once, not after a while
            await served.player().enter("nowhere")


@in_loop
async def test_a_disk_that_fails_changes_nothing(tmp_path: Path) -> None:
    """Nobody is shown what the disk does not have, and the table goes on when it has room."""
    async with serving(tmp_path) as served:
        two = await table_of_two(served)
        wire, watching = await two.wire(two.game.turn), await two.wire()
        await watching.settle()
        engine = served.events.database.writer
        async with engine.begin() as connection:
            await connection.exec_driver_sql(
                "CREATE TRIGGER broken BEFORE INSERT ON events"
                " BEGIN SELECT RAISE(ABORT, 'the disk is full'); END"
            )
        async with Unchanged(two):
            answer = await wire.ask(type="move", move=a_move(two), ply=two.ply)
            assert (answer["type"], answer["code"]) == ("refused", "unavailable")
            assert answer["detail"] == "the database cannot be used now: the disk is full"
            assert await watching.settle() == []
            reply = await served.http.post(
                "/api/tables",
                json={"seats": [{"kind": "here"}, {"kind": "link"}]},
                headers={"authorization": "Bearer " + two.secret(0)},
            )
            assert (reply.status_code, reply.json()["code"]) == (503, "unavailable")
        async with engine.begin() as connection:
            await connection.exec_driver_sql("DROP TRIGGER broken")
        assert (await wire.ask(type="move", move=a_move(two), ply=two.ply))["type"] == "ack"
        assert len((await watching.hear("moved"))["turns"]) == 1


@in_loop
async def test_a_database_that_fails_is_no_error_of_the_server(tmp_path: Path) -> None:
    """Also where no event is written: the list of tables, a score pad."""
    async with serving(tmp_path) as served:
        async with served.events.database.writer.begin() as connection:
            for table in ("tables", "pads"):
                await connection.exec_driver_sql(f"ALTER TABLE {table} RENAME TO {table}_gone")
        for answer in (await served.get("/api/tables"), await served.http.post("/api/pads")):
            assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")


# --- Coming back ---------------------------------------------------------------------------------


@in_loop
async def test_who_comes_back_is_told_exactly_what_was_missed(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        two = await table_of_two(served, rules={"voluntary_draw": "always"})
        sockets = [await two.wire(0), await two.wire(1)]
        start = two.version
        live: dict[int, list[Any]] = {0: [], 1: []}
        for _ in range(9):
            mover = sockets[two.game.turn]
            move = "draw" if _ in (3, 4) else a_move(two)
            assert (await mover.ask(type="move", move=move, ply=two.ply))["type"] == "ack"
        for seat, wire in enumerate(sockets):
            await wire.settle()
            heard = [json.loads(data) for data in wire.heard]
            live[seat] = [turn for m in heard if m["type"] == "moved" for turn in m["turns"]]
            assert len(live[seat]) == 9
        assert live[0] != live[1]  # drawn tiles are told to one of them
        end = two.version
        for seat in (0, 1):
            wire = await served.wire()
            for version in range(start, end):
                await wire.say(
                    type="hello", table=two.table, version=version, secret=two.secret(seat)
                )
                missed = await wire.hear("moved", "state", "current")
                assert missed["type"] == "moved"
                assert (missed["since"], missed["version"]) == (version, end)
                assert missed["turns"] == live[seat][version - start :]
            await wire.say(type="hello", table=two.table, version=end)
            assert await wire.hear("moved", "state", "current") == {
                "type": "current",
                "version": end,
            }
            # Before the start there were no moves to tell; and nobody has been to the future.
            for known in (start - 1, 1, 0, end + 1, None):
                await wire.say(type="hello", table=two.table, version=known)
                whole = await wire.hear("moved", "state", "current")
                assert (whole["type"], whole["version"]) == ("state", end)
                assert whole["round"]["turns"] == live[seat]


@in_loop
async def test_what_is_no_move_is_told_as_a_whole_state(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        ann = served.player()
        table = await ann.create([{"kind": "here"}, {"kind": "here"}])
        await ann.start(table)
        await ann.enter(table)
        for _ in range(4):
            await ann.move(ann.choices[0].move)
        before = ann.version
        await ann.undo(seat=ann.turns[-1].seat)
        assert len(ann.turns) == 3
        await ann.move(ann.choices[0].move)
        for version, kind in ((before, "state"), (before + 1, "moved"), (before + 2, "current")):
            wire = await served.wire(ann.secret)
            await wire.say(type="hello", table=table, version=version, secret=ann.secret)
            assert (await wire.hear("state", "moved", "current"))["type"] == kind


@in_loop
async def test_who_missed_the_end_of_the_match_is_told_how_it_ended(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        two = await table_of_two(served, rules=SHORT)
        sockets = [await two.wire(0), await two.wire(1)]
        while not two.game.over:
            mover = sockets[two.game.turn]
            await mover.ask(type="move", move=a_move(two), ply=two.ply)
        wire = await served.wire()
        await wire.say(type="hello", table=two.table, version=two.version - 1, secret=two.secret(0))
        told = await wire.hear("state", "moved")
        assert told["type"] == "state"
        assert told["state"] == "finished"
        assert told["result"]["winners"]
        assert told["fair"]["server_seed"]


@in_loop
async def test_a_client_whose_line_breaks_comes_back_by_itself(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        two = await table_of_two(served)
        ann, ben = two.ann, two.ben
        for player in (ann, ben):
            await player.enter(two.table)
        for number in range(10):
            mover = (ann, ben)[two.game.turn]
            other = ben if mover is ann else ann
            if number % 3 == 0:
                assert other._socket is not None
                other._socket.transport.abort()
            await mover.move(mover.choices[0].move)
            await other.until(lambda other=other: other.version == two.version)  # type: ignore[misc]
            assert [turn.move for turn in other.turns] == [str(t.move) for t in two.game.plies]
        assert ann.reconnects + ben.reconnects == 4
        assert ann.state is not None
        assert ann.state.version < ann.version  # by moves alone, not by a whole state


@in_loop
async def test_after_a_restart_the_table_is_there_and_everyone_plays_on(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        two = await table_of_two(served)
        sockets = [await two.wire(0), await two.wire(1)]
        for _ in range(5):
            mover = sockets[two.game.turn]
            await mover.ask(type="move", move=a_move(two), ply=two.ply)
        before = [await _state(served, two.table, two.secret(seat)) for seat in (0, 1)]
        position, secrets = two.game.position, [two.secret(0), two.secret(1)]
    async with serving(tmp_path) as again:
        after = [await _state(again, two.table, secret) for secret in secrets]
        assert after == before
        opened = await again.hub.tables.open(two.table)
        assert opened.table.game.position == position
        players = [again.player(secret) for secret in secrets]
        for player in players:
            await player.enter(two.table)
        await asyncio.gather(*(play_bot(player, first) for player in players))
        verify_deals(match_from(await players[0].record(two.table)))


async def _state(served: Served, table: str, secret: str | None) -> dict[str, Any]:
    wire = await served.wire()
    await wire.say(type="hello", table=table, secret=secret)
    state = await wire.hear("state")
    await wire.close()
    present = ("here", "away", "spectators")
    return {name: value for name, value in state.items() if name not in present}


@in_loop
async def test_who_stops_the_server_says_goodbye(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        two = await table_of_two(served)
        wire = await two.wire(0)
        await served.hub.close()
        assert (await wire.hear("bye"))["code"] == "restart"


# --- Who is there --------------------------------------------------------------------------------


@in_loop
async def test_everyone_hears_who_comes_and_goes(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        two = await table_of_two(served)
        ann = await two.wire(0)
        alone = {"type": "presence", "here": [0], "spectators": 0, "away": {"1": 0}}
        assert await ann.hear("presence") == alone
        ben = await two.wire(1)
        assert (await ann.hear("presence"))["here"] == [0, 1]
        ben_again = await two.wire(1)  # who is here has not changed
        watching = await two.wire()
        assert await ann.hear("presence") == {"type": "presence", "here": [0, 1], "spectators": 1}
        await ben.close()  # on the other device he is still here
        await ben_again.close()
        assert (await ann.hear("presence"))["here"] == [0]
        await watching.close()
        assert await ann.hear("presence") == alone
        version = two.version
        state = await _state(served, two.table, two.secret(1))
        assert state["version"] == version  # coming and going is no event


@in_loop
async def test_one_socket_is_at_one_table(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        one, other = await table_of_two(served), await table_of_two(served)
        ben = await one.wire(1)
        wire = await served.wire_at(one.table, one.secret(0))
        await wire.say(type="hello", table=other.table, secret=other.secret(0))
        assert (await wire.hear("state"))["table"] == other.table
        await ben.settle()
        assert json.loads(ben.heard[-2])["here"] == [1]
        mover = await one.wire(one.game.turn)
        await mover.ask(type="move", move=a_move(one), ply=one.ply)
        assert all(m["type"] == "presence" for m in await wire.settle())


@in_loop
async def test_a_hint_is_for_who_asks_on_their_turn(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        two = await table_of_two(served)
        wires = [await two.wire(0), await two.wire(1), await two.wire()]
        mover, other = wires[two.game.turn], wires[1 - two.game.turn]
        legal = {str(move) for move in two.game.legal_moves()}
        async with Unchanged(two):
            await mover.say(type="ask_hint", ply=two.ply, id=7)
            hint = await mover.hear("hint")
            assert (hint["id"], hint["ply"]) == (7, two.ply)
            assert 1 <= len(hint["moves"]) <= 3
            assert {one["move"] for one in hint["moves"]} <= legal
            for wire, code in ((other, "not_your_turn"), (wires[2], "spectator")):
                await wire.say(type="ask_hint", ply=two.ply, id=8)
                assert (await wire.hear("refused"))["code"] == code
            await mover.say(type="ask_hint", ply=two.ply - 1, id=9)
            assert (await mover.hear("refused"))["code"] == "stale"
            # Nobody else hears of it.
            assert all(json.loads(data)["type"] != "hint" for data in other.heard + wires[2].heard)


@in_loop
async def test_a_table_may_be_without_hints(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        two = await table_of_two(served, hints=False)
        mover = await two.wire(two.game.turn)
        await mover.say(type="ask_hint", ply=two.ply, id=1)
        assert (await mover.hear("refused"))["code"] == "no_hints"


@in_loop
async def test_signs_are_passed_on_and_not_kept(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        two = await table_of_two(served)
        ann, ben, watching = await two.wire(0), await two.wire(1), await two.wire()
        async with Unchanged(two):
            await ann.say(type="react", sign="well_played", seat=0)
            for wire in (ann, ben, watching):
                assert await wire.hear("reaction") == {
                    "type": "reaction",
                    "seat": 0,
                    "sign": "well_played",
                }
            await watching.say(type="react", sign="hello")
            assert (await watching.hear("refused"))["code"] == "spectator"
            await ann.say(type="react", sign="hello", seat=1)
            assert (await ann.hear("refused"))["code"] == "not_yours"
            assert await ben.settle() == []


@in_loop
async def test_pings_are_answered_with_the_time(tmp_path: Path) -> None:
    async with serving(tmp_path, clock=FakeClock(1234.5)) as served:
        wire = await served.wire()
        await wire.say(type="ping", id=9)
        assert await wire.hear("pong") == {"type": "pong", "id": 9, "at": 1_234_500}
        await wire.send('{"type":"ping"}')
        assert (await wire.hear("pong"))["id"] == 0


@in_loop
async def test_who_says_nothing_for_long_is_let_go(tmp_path: Path) -> None:
    async with serving(tmp_path, idle_seconds=1) as served:
        two = await table_of_two(served)
        silent, pinging = await two.wire(0), await two.wire(1)

        async def ping() -> None:
            while True:
                await pinging.settle()
                await asyncio.sleep(0.01)

        beating = asyncio.create_task(ping())
        assert await silent.until_closed() == (4001, "idle")
        beating.cancel()
        assert pinging.closed is None
        opened = await served.hub.tables.open(two.table)
        await until(lambda: opened.here == {1})


# --- Clocks --------------------------------------------------------------------------------------


def happened(log: list[bytes], kind: type) -> list[Any]:
    return [event for event in map(decode, log) if isinstance(event, kind)]


@in_loop
async def test_when_the_clock_runs_out_a_bot_plays_until_the_person_is_back(
    tmp_path: Path,
) -> None:
    async with serving(tmp_path) as served:
        two = await table_of_two(served, clock_seconds=30)
        late = two.game.turn
        sockets = [await two.wire(0), await two.wire(1)]
        watching = await two.wire()
        state = json.loads(sockets[0].heard[0])
        assert state["now"]["remaining"] == 30_000
        # A moment before nothing happens, although the timer looks.
        served.clock.at += 29.99
        await two.wire()  # whoever comes sets the timer anew
        for wire in (*sockets, watching):
            assert all(m["type"] == "presence" for m in await wire.settle())
        served.clock.at += 0.02
        for wire in (*sockets, watching):  # visible to all
            state = await wire.hear("state")
            assert state["seats"][late]["substitute"] == "easy"
            assert "choices" not in state["now"]
        [took] = happened(await served.log(two.table), BotTook)
        assert (took.seat, took.bot, took.reason) == (late, "easy", "clock")
        for wire in (*sockets, watching):
            moved = await wire.hear("moved")
            assert [turn["by_bot"] for turn in moved["turns"]] == [True]
            assert moved["turns"][0]["seat"] == late
        # The other plays on; the bot answers; then the person comes back.
        other = sockets[1 - late]
        await until(lambda: two.game.turn == 1 - late)
        answer = await sockets[late].ask(type="move", move=a_move(two), ply=two.ply, seat=late)
        assert answer["code"] in ("not_your_turn", "not_yours")
        answer = await sockets[late].ask(type="return")
        assert answer["type"] == "ack"
        for wire in (*sockets, watching):
            state = await wire.hear("state")
            assert state["seats"][late]["substitute"] is None
        while two.game.turn != late:
            await other.ask(type="move", move=a_move(two), ply=two.ply)
        answer = await sockets[late].ask(type="move", move=a_move(two), ply=two.ply)
        assert answer["type"] == "ack"
        await watching.settle()
        assert "by_bot" not in json.loads(watching.heard[-2])["turns"][0]


@in_loop
async def test_the_clock_runs_while_nobody_is_there_and_over_a_restart(tmp_path: Path) -> None:
    clock = FakeClock()
    async with serving(tmp_path, clock=clock) as served:
        two = await table_of_two(served, clock_seconds=30, rules=SHORT)
    clock.at += 31
    async with serving(tmp_path, clock=clock) as again:
        await until(lambda: two.table in again.hub.tables)
        opened = again.hub.tables[two.table]
        assert opened.clock.remaining(opened.table) == 10_000  # a moment to come back
        clock.at += 11
        again.hub.scheduler.schedule(opened)
        # Nobody comes. The seat to move is played by a bot; the other still has its time.
        await until(lambda: len(opened.table.people) == 1)
        await until(lambda: opened.table.game.turn == opened.table.people[0])
        await until(lambda: opened.bot_task is None)
        assert opened.table.state == "playing"
        clock.at += 31
        await again.wire_at(two.table)
        await until(lambda: opened.table.state == "finished")
        reasons = [event.reason for event in happened(await again.log(two.table), BotTook)]
        assert reasons == ["clock", "clock"]


# --- Away ----------------------------------------------------------------------------------------


@in_loop
async def test_who_stays_away_for_too_long_is_played_for(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        two = await table_of_two(served, away_seconds=60)
        ann, ben = await two.wire(0), await two.wire(1)
        opened = await served.hub.tables.open(two.table)
        await ben.close()
        await until(lambda: opened.here == {0})
        served.clock.at += 59
        await two.wire()
        await ann.settle()
        assert happened(await served.log(two.table), BotTook) == []
        served.clock.at += 2
        await two.wire()
        state = await ann.hear("state")
        assert [seat["substitute"] for seat in state["seats"]] == [None, "easy"]
        [took] = happened(await served.log(two.table), BotTook)
        assert (took.seat, took.reason) == (1, "away")
        ben = await two.wire(1)
        while True:
            answer = await ben.ask(type="return")
            if answer["type"] == "ack" or answer["code"] != "stale":
                break
        assert answer["type"] == "ack"
        state = await ann.hear("state")
        assert [seat["substitute"] for seat in state["seats"]] == [None, None]


@in_loop
async def test_who_is_back_in_time_is_not_away(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        two = await table_of_two(served, away_seconds=60)
        ann = await two.wire(0)
        opened = await served.hub.tables.open(two.table)
        for _ in range(3):
            ben = await two.wire(1)
            served.clock.at += 59
            await ben.close()
            await until(lambda: opened.here == {0})
            served.clock.at += 59
        await two.wire()
        await ann.settle()
        assert happened(await served.log(two.table), BotTook) == []


@in_loop
@pytest.mark.parametrize("restart", [False, True])
async def test_who_never_comes_is_away_too(tmp_path: Path, restart: bool) -> None:
    """After the start, or after a restart of the server: nobody has to wait for ever."""
    clock = FakeClock()
    async with serving(tmp_path, clock=clock) as served:
        two = await table_of_two(served, away_seconds=60)
        if not restart:
            await _ben_never_comes(served, two)
    if restart:
        async with serving(tmp_path, clock=clock) as again:
            await _ben_never_comes(again, two)


async def _ben_never_comes(served: Served, two: Two) -> None:
    ann = await served.wire_at(two.table, two.secret(0))
    served.clock.at += 61
    await served.wire_at(two.table)
    state = await ann.hear("state")
    assert [seat["substitute"] for seat in state["seats"]] == [None, "easy"]


# --- Asleep --------------------------------------------------------------------------------------


@in_loop
async def test_with_nobody_there_the_table_sleeps_and_wakes(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        ann = served.player()
        bots = [{"kind": "bot", "bot": "random"}] * 3
        table = await ann.create([{"kind": "here", "name": "Ann"}, *bots], away_seconds=60)
        await ann.start(table)
        opened = await served.hub.tables.open(table)
        # Nobody is there yet: nothing moves, and nothing is planned.
        assert (opened.bot_task, opened.timer, served.hub.scheduler._tasks) == (None, None, set())
        assert len(await served.log(table)) == opened.table.version == 2
        wire = await served.wire_at(table, ann.secret)
        await until(lambda: opened.bot_task is None and opened.table.game.turn == 0)
        while opened.table.game.turn == 0:
            await wire.ask(
                type="move",
                move=str(opened.table.game.legal_moves()[0]),
                ply=opened.table.ply,
            )
            await wire.close()
            break
        await until(
            lambda: (
                not opened.listeners and opened.bot_task is None and not served.hub.scheduler._tasks
            )
        )
        version = opened.table.version
        assert opened.timer is None
        served.clock.at += 10_000
        # For an hour nothing happens; then Ann is back and the bots go on.
        assert len(await served.log(table)) == opened.table.version == version
        await served.wire_at(table, ann.secret)
        if opened.table.game.turn != 0:
            await until(lambda: opened.table.version > version)
        await until(lambda: opened.table.game.turn == 0 or opened.table.game.over)
        assert happened(await served.log(table), BotTook) == []


@in_loop
async def test_bots_stop_in_the_middle_of_a_round_when_the_last_one_goes(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        ann = served.player()
        table = await ann.create(
            [{"kind": "here"}, {"kind": "bot", "bot": "greedy"}], rules={"target": 2000}
        )
        await ann.start(table)
        await ann.enter(table)
        await served.player(ann.secret).leave(table, 0)  # a bot plays on for Ann
        opened = await served.hub.tables.open(table)
        await until(lambda: len(opened.table.game.plies) > 2)
        await ann.close()
        await until(lambda: opened.bot_task is None and not served.hub.scheduler._tasks)
        version = opened.table.version
        assert opened.table.state == "playing"
        await served.wire_at(table)  # a spectator is enough
        await until(lambda: opened.table.version > version + 5)


# --- Several seats in one browser ----------------------------------------------------------------


@in_loop
async def test_pass_and_play(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        device = served.player()
        table = await device.create(
            [{"kind": "here", "name": "Ann"}, {"kind": "here", "name": "Ben"}], rules=SHORT
        )
        await device.start(table)
        state = await device.enter(table)
        assert state.you == [0, 1]
        assert sorted(state.racks) == ["0", "1"]
        opened = await served.hub.tables.open(table)
        while not device.finished:
            assert device.now is not None
            turn = opened.table.game.turn
            assert [c.move for c in device.choices] == list(
                map(str, opened.table.game.legal_moves())
            )
            with pytest.raises(RefusedByServer) as caught:
                await device.move(device.choices[0].move, seat=1 - turn)
            assert caught.value.code == "not_your_turn"
            await device.move(device.choices[0].move)  # for whoever's turn it is
            drawn = device.turns[-1]
            assert (drawn.tile is not None) == (drawn.move == "draw")
        verify_deals(match_from(await device.record(table)))


# --- Watching ------------------------------------------------------------------------------------


@in_loop
async def test_spectators_see_no_racks_and_no_choices(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        two = await table_of_two(served, rules=SHORT)
        watching = await two.wire()
        sockets = [await two.wire(0), await two.wire(1)]
        await sockets[two.game.turn].ask(type="move", move=a_move(two), ply=two.ply)
        await sockets[two.game.turn].ask(type="move", move="draw", ply=two.ply)
        while not two.game.over:
            mover = sockets[two.game.turn]
            await mover.ask(type="move", move=a_move(two), ply=two.ply)
        await watching.settle()
        messages = [json.loads(data) for data in watching.heard]
        for message in messages:
            assert not message.get("racks")
            assert "choices" not in message.get("now", {})
            assert message.get("you", []) == []
            for turn in message.get("turns", []):
                assert "tile" not in turn
        assert messages[-2]["result"]
        assert messages[-2]["now"]["end"]["racks"]


@in_loop
@pytest.mark.parametrize("help_", ["none", "places", "points"])
async def test_help_is_as_much_as_the_table_chose(tmp_path: Path, help_: str) -> None:
    async with serving(tmp_path) as served:
        two = await table_of_two(served, help=help_)
        sockets = [await two.wire(0), await two.wire(1)]
        await sockets[two.game.turn].ask(type="move", move=a_move(two), ply=two.ply)
        state = await _state(served, two.table, two.secret(two.game.turn))
        choices = state["now"]["choices"]
        moves = [str(move) for move in two.game.legal_moves()]
        assert "draw" in moves
        places = [choice for choice in choices if "=" in choice["move"]]
        rest = [choice for choice in choices if "=" not in choice["move"]]
        assert rest == [{"move": "draw", "points": -5}]
        if help_ == "none":
            assert places == []
        else:
            assert [choice["move"] for choice in choices] == moves
            assert all(("points" in choice) == (help_ == "points") for choice in places)
        # What is not shown can be played all the same.
        wire = sockets[two.game.turn]
        answer = await wire.ask(type="move", move=moves[0], ply=two.ply)
        assert answer["type"] == "ack"


# --- Bots ----------------------------------------------------------------------------------------


class SlowBot(GreedyBot):
    """Thinks until it is told to stop."""

    may_go = threading.Event()
    thinking = 0
    most = 0
    lock = threading.Lock()

    def choose(self, view: View, limit: Limit | None = None) -> Move:
        kind = type(self)
        with kind.lock:
            kind.thinking += 1
            kind.most = max(kind.most, kind.thinking)
        kind.may_go.wait(20)
        with kind.lock:
            kind.thinking -= 1
        return super().choose(view, limit)


@in_loop
async def test_bots_think_a_few_at_a_time_and_delay_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def make(_: Dice) -> SlowBot:
        return SlowBot()

    monkeypatch.setitem(BOTS, "slow", make)
    monkeypatch.setattr(SlowBot, "may_go", threading.Event())
    async with serving(tmp_path, bots_at_once=2) as served:
        tables = []
        for _ in range(5):
            ann = served.player()
            table = await ann.create([{"kind": "here"}, {"kind": "bot", "bot": "slow"}])
            await ann.start(table)
            await served.wire_at(table, ann.secret)
            opened = await served.hub.tables.open(table)
            if opened.table.game.turn == 0:
                await ann.enter(table)
                await ann.move(ann.choices[0].move)
            tables.append(opened)
        await until(lambda: SlowBot.thinking == 2)
        two = await table_of_two(served)
        sockets = [await two.wire(0), await two.wire(1)]
        for _ in range(20):  # people play on meanwhile
            mover = sockets[two.game.turn]
            answer = await mover.ask(type="move", move=a_move(two), ply=two.ply)
            assert answer["type"] == "ack"
        assert SlowBot.thinking == SlowBot.most == 2
        SlowBot.may_go.set()
        await until(lambda: all(opened.table.waits_for_bot() is None for opened in tables))
        assert SlowBot.most == 2


# --- The life of a table -------------------------------------------------------------------------


@in_loop
async def test_from_the_lobby_to_the_rematch(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        ann, ben = served.player(), served.player()
        seats = [{"kind": "here", "name": "Ann"}, {"kind": "link"}]
        table = await ann.create(seats, listed=True, rules=SHORT)
        private = await ann.create(seats)
        lobby = await ben.lobby()
        assert [one["id"] for one in lobby] == [table]
        assert lobby[0]["seats"][1]["is_free"]
        assert lobby[0]["you"] == []
        assert [one["you"] for one in await ann.lobby()] == [[0]]
        with pytest.raises(RefusedByServer) as caught:
            await ann.record(table)
        assert caught.value.code == "not_finished"
        assert await ben.sit(table, "Ben") == 1
        assert await ben.lobby() == []  # nobody is waited for
        await ben.leave(table, 1)
        assert len(await ben.lobby()) == 1
        await ben.sit(table, "Ben")
        with pytest.raises(RefusedByServer) as caught:
            await ben.start(table)
        assert caught.value.code == "not_host"
        await ann.start(table)
        assert await ben.lobby() == []
        for player in (ann, ben):
            await player.enter(table)
        with pytest.raises(RefusedByServer) as caught:
            await ann.record(table)
        assert caught.value.code == "not_finished"
        with pytest.raises(RefusedByServer) as caught:
            await ann.rematch(table)
        assert caught.value.code == "not_finished"
        await asyncio.gather(play_bot(ann, first), play_bot(ben, first))
        record = await served.player().record(table)  # open to all, once it is over
        match = match_from(record)
        verify_deals(match)
        assert record["fair"]["algorithm"] == "fair/2"
        again = await ben.rematch(table, rules={"edition": "six-player"}, undo=False)
        await ann.until(lambda: ann.state is not None and ann.state.rematch == again)
        assert again not in (table, private)
        await ben.start(again)
        state = await ann.enter(again)
        assert (state.you, state.is_host, state.rules) == ([0], False, {"edition": "six-player"})
        assert [seat.name for seat in state.seats] == ["Ann", "Ben"]
        assert state.options["undo"] is False
        with pytest.raises(RefusedByServer) as caught:
            await ann.rematch(table)
        assert caught.value.code == "rematched"


@in_loop
async def test_one_comes_to_a_seat_from_another_device_by_its_link(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        two = await table_of_two(served)
        ben = await two.ben.enter(two.table)
        link = await two.ben.link(two.table, 1)
        phone = served.player()
        state = await phone.enter(two.table)
        assert (state.you, state.racks) == ([], {})
        with pytest.raises(RefusedByServer) as caught:
            await phone.claim(two.table, "not the secret of a link")
        assert caught.value.code == "wrong_link"
        with pytest.raises(RefusedByServer) as caught:
            await two.ann.link(two.table, 1)
        assert caught.value.code == "not_yours"
        assert await phone.claim(two.table, link) == 1
        state = await phone.enter(two.table)
        assert state.you == [1]
        assert state.racks == ben.racks


@in_loop
async def test_a_link_to_a_seat_keeps_its_secret_from_every_log_on_the_way(tmp_path: Path) -> None:
    """What stands behind the # of an address is not sent to servers and proxies."""
    async with serving(tmp_path) as served:
        two = await table_of_two(served)
        answer = await two.ben.request("POST", f"/api/tables/{two.table}/seats/1/links")
        path, _, fragment = answer["path"].partition("#")
        assert answer["secret"] in fragment
        assert answer["secret"] not in path
        assert two.table in path


@in_loop
async def test_giving_up_over_the_wire(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        two = await table_of_two(served)
        for player in (two.ann, two.ben):
            await player.enter(two.table)
        await two.ann.give_up()
        await two.ben.until(lambda: two.ben.finished)
        assert two.ben.state is not None
        assert two.ben.state.result is not None
        assert two.ben.state.result.winners == [1]
        assert two.ben.now is not None
        assert two.ben.now.end is not None
        assert two.ben.now.end.racks == []  # nobody's tiles are shown for that
        record = await two.ben.record(two.table)
        assert record["rounds"][0]["end"]["reason"] == "abandoned"


@in_loop
async def test_more_tables_than_are_kept_in_memory(tmp_path: Path) -> None:
    async with serving(tmp_path, tables_in_memory=2) as served:
        tables = [await table_of_two(served) for _ in range(6)]
        assert len(served.hub.tables) <= 3
        wires = [await two.wire(0) for two in tables[:4]]  # more than fit, all in use
        for two in tables:
            answer = await served.get(f"/api/tables/{two.table}")
            assert answer.status_code == 200
        assert len(served.hub.tables) <= 5
        for two, wire in zip(tables, wires, strict=False):
            assert (await wire.settle())[-1]["type"] == "presence"
            opened = await served.hub.tables.open(two.table)
            assert opened.listeners


@in_loop
async def test_a_row_that_a_crash_left_behind_is_put_right(tmp_path: Path) -> None:
    """The row of a table is written after its event; between the two a server can die."""
    async with serving(tmp_path) as served:
        two = await table_of_two(served, rules=SHORT, listed=True)
        await served.events.update_row(two.table, "open", 1, listed=True)
    async with serving(tmp_path) as again:
        assert await again.player().lobby() == []
        await again.get(f"/api/tables/{two.table}")
        row = await again.events.row(two.table)
        assert row is not None
        assert row.state == "playing"


# --- One's own bot -------------------------------------------------------------------------------


@in_loop
async def test_a_player_of_the_client_whose_clock_ran_out_plays_on(tmp_path: Path) -> None:
    """A bot of one's own that was too slow once takes its seat back and goes on."""
    async with serving(tmp_path) as served:
        two = await table_of_two(served, clock_seconds=30, rules=SHORT)
        late = two.ann if two.game.turn == 0 else two.ben
        other = two.ben if late is two.ann else two.ann
        for player in (late, other):
            await player.enter(two.table)
        served.clock.at += 31
        await two.wire()
        await late.until(lambda: any(seat.substitute for seat in late.state.seats))  # type: ignore[union-attr]

        async def wait_and_play() -> None:
            # Else the bot of the server may have a second turn before its person is back.
            await other.until(lambda: not any(seat.substitute for seat in other.state.seats))  # type: ignore[union-attr]
            await play_bot(other, first)

        await other.until(lambda: any(seat.substitute for seat in other.state.seats))  # type: ignore[union-attr]
        await asyncio.gather(play_bot(late, first), wait_and_play())
        assert late.finished
        turns = (await late.record(two.table))["rounds"][0]["turns"]
        assert [number for number, turn in enumerate(turns) if "extra" in turn] == [0]


# --- A client that does not read -----------------------------------------------------------------


@in_loop
async def test_a_client_that_does_not_read_is_let_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What waits for a slow client does not grow without end."""
    monkeypatch.setattr("triomino.server.client_socket.BACKLOG", 50)
    async with serving(tmp_path) as served:
        two = await table_of_two(served)
        opened = await served.hub.tables.open(two.table)
        slow = await served.wire_at(two.table, two.secret(0))
        assert slow._reader is not None
        slow._reader.cancel()
        slow.socket.transport.pause_reading()
        [listener] = opened.listeners
        hello = json.dumps({"type": "hello", "table": two.table, "protocol": 2})
        longest = 0
        async with asyncio.timeout(20):
            while opened.listeners:
                # Once it is let go, nobody takes what it sends.
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(0.5):
                        for _ in range(20):
                            await slow.send(hello)
                longest = max(longest, len(listener._outbox))  # type: ignore[attr-defined]
                await asyncio.sleep(0)
        assert longest <= 60
        slow.socket.transport.abort()


@in_loop
async def test_a_silent_client_that_does_not_read_is_let_go(tmp_path: Path) -> None:
    """It cannot even hear that it is let go."""
    async with serving(tmp_path, idle_seconds=1, messages_per_second=10_000) as served:
        two = await table_of_two(served)
        opened = await served.hub.tables.open(two.table)
        stuck = await served.wire_at(two.table, two.secret(0))
        assert stuck._reader is not None
        stuck._reader.cancel()
        stuck.socket.transport.pause_reading()
        [listener] = opened.listeners
        hello = json.dumps({"type": "hello", "table": two.table, "protocol": 2})
        async with asyncio.timeout(20):
            while len(listener._outbox) < 5:  # type: ignore[attr-defined]
                await stuck.send(hello)
                await asyncio.sleep(0)
        assert opened.listeners
        await until(lambda: not opened.listeners)
        stuck.socket.transport.abort()


@in_loop
async def test_a_slow_client_gets_everything_in_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is sent at once never overtakes what waits, not even when the client reads again."""
    resume = SocketProtocol.resume_writing
    numbers = itertools.count(1)

    def tell() -> None:
        message = {"type": "pong", "id": next(numbers), "filler": 4000 * "x"}
        listener.tell(json.dumps(message).encode())

    def resume_and_tell(protocol: SocketProtocol) -> None:
        resume(protocol)
        tell()

    async with serving(tmp_path) as served:
        two = await table_of_two(served)
        opened = await served.hub.tables.open(two.table)
        slow = await served.wire_at(two.table, two.secret(0))
        assert slow._reader is not None
        slow._reader.cancel()
        slow.socket.transport.pause_reading()
        monkeypatch.setattr(SocketProtocol, "resume_writing", resume_and_tell)
        [listener] = opened.listeners
        async with asyncio.timeout(20):
            while listener._write.__self__.writable.is_set():  # type: ignore[attr-defined]
                tell()
                await asyncio.sleep(0)
        tell()  # this one waits
        await asyncio.sleep(0.1)
        last = next(numbers)  # told as soon as writing goes on
        numbers = itertools.count(last)
        slow._reader = asyncio.create_task(slow._read())
        slow.socket.transport.resume_reading()
        heard = [(await slow.hear("pong"))["id"] for _ in range(last)]
    assert heard == list(range(1, last + 1))
