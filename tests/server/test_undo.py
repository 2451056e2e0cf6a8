"""Taking back: who is asked, how often one may ask, and that it holds nobody up."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import strategies  # noqa: F401 - the profile of the laws
from tests.server.harness import Two, in_loop, serving, table_of_two
from tests.server.test_table import GREEDY, LINK, Play, everything, named, refused, small
from triomino.errors import TriominoError
from triomino.protocol.messages import (
    AnswerUndo,
    FromClient,
    GiveUpMessage,
    MoveMessage,
    NextRoundMessage,
    ReturnMessage,
    UndoMessage,
)
from triomino.server import commands
from triomino.server.events import UndoAnswered, UndoAsked, Undone
from triomino.server.table import LONGEST_WAIT, Change, RefusedError

if TYPE_CHECKING:
    from pathlib import Path

    from triomino.server.commands import Command

DEVICES = ("ann", "d1", "d2")


# --- What a message depends on -------------------------------------------------------------------


@in_loop
async def test_requests_for_an_undo_make_no_move_of_others_stale(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        two = await table_of_two(served)
        wires = [await two.wire(0), await two.wire(1)]
        asker = two.game.turn
        await wires[asker].ask(type="move", move=str(two.game.legal_moves()[0]), ply=two.ply)
        for _ in range(6):
            # The page of the other has not heard of the request when its move leaves.
            ply, move = two.ply, str(two.game.legal_moves()[0])
            mover = two.game.turn
            answers = [await wires[asker].ask(type="undo", ply=ply) for _ in range(10)]
            assert [answer["type"] for answer in answers].count("ack") <= 1
            assert {a["code"] for a in answers if a["type"] == "refused"} == {"undo_open"}
            await wires[1 - mover].close()  # neither does coming and going
            wires[1 - mover] = await two.wire(1 - mover)
            answer = await wires[mover].ask(type="move", move=move, ply=ply)
            assert answer["type"] == "ack", answer


@in_loop
async def test_an_answer_is_for_the_request_it_names(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        two = await table_of_two(served)
        wires = [await two.wire(0), await two.wire(1)]
        asker = await _move(two, wires)
        await wires[asker].ask(type="undo", ply=two.ply)
        state = await wires[1 - asker].hear("state")
        request = state["undo"]["id"]
        await _move(two, wires)
        await wires[asker].ask(type="undo", ply=two.ply)
        late = await wires[1 - asker].ask(type="answer_undo", agree=True, request=request)
        assert late["code"] == "stale"
        fresh = (await wires[1 - asker].hear("state"))["undo"]["id"]
        answer = await wires[1 - asker].ask(type="answer_undo", agree=True, request=fresh)
        assert answer["type"] == "ack"


async def _move(two: Two, wires: list) -> int:  # type: ignore[type-arg]
    seat = two.game.turn
    await wires[seat].ask(type="move", move=str(two.game.legal_moves()[0]), ply=two.ply)
    return seat


@in_loop
async def test_who_names_no_protocol_speaks_the_first_one(tmp_path: Path) -> None:
    """An old page in a tab is told so, and comes back as the new one."""
    async with serving(tmp_path) as served:
        two = await table_of_two(served)
        wire = await served.wire()
        await wire.send('{"type":"hello","table":"%s"}' % two.table)  # noqa: UP031
        assert (await wire.hear("refused", "state"))["code"] == "protocol"


def _do(play: Play, message: FromClient, seat: int) -> None:
    command: Command = message  # type: ignore[assignment]
    play.do(commands.check(play.table, command, DEVICES[seat], play.now))


@given(st.integers(0, 2**32))
def test_a_move_for_the_current_ply_is_never_stale(number: int) -> None:
    """Whatever happens between two moves, who is to move and names the ply gets an answer to it."""
    dice = Random(number)
    play = Play.begin(named("Ann"), LINK, LINK, rules=small(players=3, target=300), number=number)
    table = play.table
    plies = {table.ply}
    for _ in range(60):
        if table.state != "playing":
            break
        ply, game = table.ply, table.game
        before = [str(move) for move in game.legal_moves()]
        for _ in range(dice.randrange(4)):
            seat = dice.randrange(3)
            request = table.undo.id if table.undo else 0
            others: list[FromClient] = [
                UndoMessage(table.ply, 1, seat),
                AnswerUndo(False, request, 1, seat),
                ReturnMessage(1, seat),
            ]
            try:
                if dice.randrange(4):
                    _do(play, dice.choice(others), seat)
                else:
                    play.do(table.leave(seat, DEVICES[seat], play.now))
            except TriominoError:
                pass
        assert table.ply == ply, "none of this made another position"
        assert [str(move) for move in game.legal_moves()] == before
        turn = game.turn
        if game.over:
            _do(play, NextRoundMessage(ply, 1), 0)
        elif table.chairs[turn].bot:
            play.move()
        else:
            _do(play, MoveMessage(dice.choice(before), ply, 1, turn), turn)
        assert table.ply not in plies, "a ply is never used again"
        plies.add(table.ply)
        for old in plies - {table.ply}:
            refused("stale", lambda old=old: _do(play, MoveMessage("draw", old, 1), 0))  # type: ignore[misc]
    assert everything(play.loaded()) == everything(table)


def test_an_undo_makes_a_new_ply_of_the_same_position() -> None:
    play = Play.begin(named("Ann"), GREEDY)
    table = play.table
    play.play_until(lambda: table.game.turn == 0)
    before = table.ply
    play.move()
    play.do(table.ask_undo(0, play.now))
    assert table.ply == table.version
    refused("stale", lambda: _do(play, MoveMessage("draw", before, 1), 0))


def test_giving_up_needs_no_ply() -> None:
    play = Play.begin(named("Ann"), LINK)
    _do(play, GiveUpMessage(1), 1)
    assert play.state == "finished"


# --- How often one may ask -----------------------------------------------------------------------


def test_after_refusals_one_waits_longer_and_longer() -> None:
    play = Play.begin(named("Ann"), LINK, rules={"edition": "classic", "target": 2000})
    waits = []
    for _ in range(4):
        waits.append(1)
        _move_of(play, 0)
        while not _may_ask(play):
            waits[-1] += 1
            _move_of(play, 0)
        play.do(play.table.answer_undo(1, False, play.now))
        refused("undo_wait", lambda: play.table.ask_undo(0, play.now))
    assert waits == [1, 1, 2, 4]
    assert LONGEST_WAIT >= 8


def _move_of(play: Play, seat: int) -> None:
    """Play on until *seat* has played one more move, and not the last of a round."""
    while True:
        turn = play.table.game.turn
        play.move()
        if play.table.game.over:
            play.do(play.table.next_round(play.now))
        elif turn == seat:
            break
    play.table = play.loaded()  # a restart forgets nothing


def _may_ask(play: Play) -> bool:
    try:
        play.do(play.table.ask_undo(0, play.now))
    except RefusedError as error:
        if error.code != "undo_wait":
            raise
        return False
    return True


def test_an_undo_that_is_allowed_ends_the_wait() -> None:
    play = Play.begin(named("Ann"), LINK)
    table = play.table
    asker = play.move().seat
    play.do(table.ask_undo(asker, play.now))
    play.do(table.answer_undo(1 - asker, False, play.now))
    play.move()
    while table.game.turn != asker:
        play.move()
    play.move()
    play.do(table.ask_undo(asker, play.now))
    play.do(table.answer_undo(1 - asker, True, play.now))
    assert table.chairs[asker].undo_refusals == 0
    while table.game.turn != asker:
        play.move()
    play.move()
    assert isinstance(play.do(table.ask_undo(asker, play.now)), UndoAsked)


def test_leaving_and_returning_does_not_let_one_ask_again() -> None:
    play = Play.begin(named("Ann"), LINK)
    table = play.table
    asker = play.move().seat
    play.do(table.ask_undo(asker, play.now))
    play.do(table.leave(asker, DEVICES[asker], play.now))
    play.do(table.come_back(asker, play.now))
    refused("undo_wait", lambda: table.ask_undo(asker, play.now))


# --- Who is asked --------------------------------------------------------------------------------


@pytest.mark.parametrize("reason", ["clock", "away", "left"])
def test_nothing_is_taken_back_without_the_person_a_bot_sits_for(reason: str) -> None:
    play = Play.begin(named("Ann"), LINK)
    table = play.table
    play.play_until(lambda: table.game.turn == 0)
    play.move()
    play.do(table.substitute(1, reason, play.now))  # type: ignore[arg-type]
    asked = table.ask_undo(0, play.now)
    assert isinstance(asked.event, UndoAsked)
    play.do(asked)
    # The person may answer although the bot plays, or the next move of the bot answers.
    assert isinstance(table.answer_undo(1, True, 1).event, Undone)
    assert isinstance(table.answer_undo(1, False, 1).event, UndoAnswered)
    play.move()
    assert table.undo is None


def test_who_gave_up_is_not_asked() -> None:
    play = Play.begin(named("Ann"), LINK, LINK)
    table = play.table
    play.do(table.give_up(2, play.now))
    play.play_until(lambda: any(ply.seat == 0 for ply in table.game.plies))
    play.do(table.ask_undo(0, play.now))
    refused("nothing_asked", lambda: table.answer_undo(2, True, 1))
    assert isinstance(table.answer_undo(1, True, 1).event, Undone)


def test_an_old_request_without_a_wait_is_still_read() -> None:
    play = Play.begin(named("Ann"), LINK)
    table = play.table
    asker = play.move().seat
    for _ in range(3):  # as it could be asked before
        play.do(Change(UndoAsked(at=1, seat=asker, moves=1)))
    assert everything(play.loaded()) == everything(table)
