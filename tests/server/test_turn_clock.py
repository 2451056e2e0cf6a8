"""The clock of a turn belongs to the turn, and no date moves it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.server.harness import FakeClock, Two, in_loop, serving, table_of_two, until
from tests.server.test_table import GREEDY, LINK, Play, everything, named, refused
from triomino.server.events import BotTook, MovePlayed, decode
from triomino.server.turn_clock import GRACE, TurnClock

if TYPE_CHECKING:
    from pathlib import Path

    from tests.server.harness import Served, Wire

HOUR = 3600.0


def taken(log: list[bytes]) -> list[BotTook]:
    return [event for event in map(decode, log) if isinstance(event, BotTook)]


def left(two: Two) -> int | None:
    opened = two.served.hub.tables[two.table]
    return opened.clock.remaining(opened.table)


async def poke(served: Served, two: Two, wire: Wire) -> None:
    """Let the timer look at the clock of the test, and wait until it has."""
    served.hub.scheduler.schedule(served.hub.tables[two.table])
    for _ in range(3):
        await wire.settle()


# --- It goes on where it was ---------------------------------------------------------------------


@in_loop
async def test_leaving_and_returning_gives_no_time(tmp_path: Path) -> None:
    async with serving(tmp_path, bot_pause=1000) as served:
        two = await table_of_two(served, clock_seconds=30)
        seat = two.game.turn
        wire, player = await two.wire(seat), (two.ann, two.ben)[two.game.turn]
        for spent in range(1, 10):
            served.clock.at += 3
            await player.leave(two.table, seat)
            assert (await wire.ask(type="return"))["type"] == "ack"
            assert left(two) == 30_000 - 3000 * spent
        await wire.settle()
        served.clock.at += 3
        await poke(served, two, wire)
        await until(lambda: two.served.hub.tables[two.table].table.chairs[seat].bot is not None)
        assert taken(await served.log(two.table))[-1].reason == "clock"
        # Then the bot plays this turn: returning before it has would hold everybody up.
        assert (await wire.ask(type="return"))["code"] == "time_up"


@in_loop
async def test_a_client_is_told_what_is_left_not_a_date(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        two = await table_of_two(served, clock_seconds=30)
        served.clock.at += 12.5
        served.clock.set_by = -7 * HOUR
        wire = await served.wire()
        await wire.say(type="hello", table=two.table, secret=two.secret(0))
        assert (await wire.hear("state"))["now"]["remaining"] == 17_500


def timed(play: Play, moved: int) -> None:
    """Play the first legal move, so many milliseconds after the turn began."""
    table = play.table
    change = table.move(table.game.turn, str(table.game.legal_moves()[0]), play.now)
    event = MovePlayed(at=play.at, seat=change.event.seat, move=change.event.move, spent=moved)
    play.do(type(change)(event, change.ply))


def test_an_undo_gives_back_what_was_left_and_no_more() -> None:
    play = Play.begin(named("Ann"), named("Ben"), clock_seconds=30)
    table, time = play.table, 0.0
    clock = TurnClock(lambda: time)
    clock.follow(table)
    timed(play, 29_000)
    clock.follow(table)
    time += 20  # the others think
    first = table.game.plies[0].seat
    turn = table.turn_id
    play.do(table.ask_undo(first, play.now))
    clock.follow(table)
    assert table.turn_id != turn
    assert clock.remaining(table) == 1000
    # In the log it is the same.
    loaded = play.loaded()
    assert everything(loaded) == everything(table)
    assert (loaded.turn_spent, loaded.turn_began) == (29_000, play.at)


def test_an_undo_within_a_turn_stops_no_clock() -> None:
    play = Play.begin(named("Ann"), GREEDY, clock_seconds=30)
    table, time = play.table, 0.0
    play.play_until(lambda: table.game.turn == 0 and not table.game.is_opening)
    clock = TurnClock(lambda: time)
    clock.follow(table)
    for _ in range(5):  # draw, take it back, and so on
        time += 5
        play.move("draw")
        clock.follow(table)
        play.do(table.ask_undo(0, play.now))
        clock.follow(table)
    assert clock.remaining(table) == 5000


def test_without_a_measured_time_the_dates_of_the_log_tell() -> None:
    """As in the logs of earlier versions."""
    play = Play.begin(named("Ann"), named("Ben"), clock_seconds=30)
    table = play.table
    began = table.turn_began
    first = play.move().seat
    spent = play.at - began
    play.do(table.ask_undo(first, play.now))
    assert (table.turn_spent, table.turn_began) == (spent, play.at)


# --- Dates ---------------------------------------------------------------------------------------


@in_loop
@pytest.mark.parametrize("jump", [-24 * 365 * HOUR, -5 * HOUR, 5 * HOUR, 24 * 365 * HOUR])
async def test_a_date_that_is_set_ends_nobodys_turn(tmp_path: Path, jump: float) -> None:
    async with serving(tmp_path) as served:
        two = await table_of_two(served, clock_seconds=30, away_seconds=60)
        wires = [await two.wire(0), await two.wire(1)]
        served.clock.at += 10
        await wires[1].close()
        opened = served.hub.tables[two.table]
        await until(lambda: opened.here == {0})
        served.clock.set_by = jump
        await poke(served, two, wires[0])
        assert left(two) == 20_000
        assert taken(await served.log(two.table)) == []
        # And real time still counts, with the date as wrong as before.
        served.clock.at += 21
        await poke(served, two, wires[0])
        await until(lambda: len(opened.table.people) < 2)
        assert [one.reason for one in taken(await served.log(two.table))] == ["clock"]


@in_loop
@pytest.mark.parametrize("jump", [-5 * HOUR, 5 * HOUR])
async def test_a_date_that_is_set_during_a_restart_leaves_a_moment(
    tmp_path: Path, jump: float
) -> None:
    clock = FakeClock()
    async with serving(tmp_path, clock=clock) as served:
        two = await table_of_two(served, clock_seconds=60)
    clock.at += 5
    clock.set_by = jump
    async with serving(tmp_path, clock=clock) as again:
        two = Two(again, two.table, two.ann, two.ben)
        await until(lambda: two.table in again.hub.tables)
        assert left(two) == (GRACE if jump > 0 else 60_000)
    clock.set_by = 0.0
    async with serving(tmp_path, clock=clock) as again:
        two = Two(again, two.table, two.ann, two.ben)
        await until(lambda: two.table in again.hub.tables)
        assert left(two) == 55_000


def test_loading_gives_no_time_back_that_was_spent() -> None:
    play = Play.begin(named("Ann"), named("Ben"), clock_seconds=30)
    timed(play, 29_000)
    first = play.table.game.plies[0].seat
    play.do(play.table.ask_undo(first, play.now))
    clock = TurnClock(lambda: 0.0)
    clock.resume(play.loaded(), play.at + 10**9)
    assert clock.remaining(play.table) == 1000


def test_a_bot_has_no_clock() -> None:
    play = Play.begin(named("Ann"), LINK, clock_seconds=30)
    clock = TurnClock(lambda: 0.0)
    clock.follow(play.table)
    assert clock.remaining(play.table) == 30_000
    seat = play.table.game.turn
    play.do(play.table.substitute(seat, "away", play.now))
    assert clock.remaining(play.table) is None
    refused("time_up", lambda: play.table.come_back(seat, 1, time_is_up=True))
    play.do(play.table.come_back(seat, 1))
    # Out of turn one may always return.
    play.do(play.table.substitute(1 - seat, "away", play.now))
    play.do(play.table.come_back(1 - seat, 1, time_is_up=True))
