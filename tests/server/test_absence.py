"""Who waits for somebody can do something about it: remind, let a bot play, pause, end."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.server.harness import FakeClock, in_loop, serving, table_of_two
from tests.server.test_sockets import happened
from tests.server.test_table import GREEDY, LINK, Play, everything, named, refused, small
from triomino.protocol.api import SeatPlan, TableOptions
from triomino.record import read_record
from triomino.server.absence import end_after, stand_in_after
from triomino.server.bounds import MOST_EXTRAS, why_full
from triomino.server.events import BotTook, Closed, Paused, Reminded, decode
from triomino.server.snapshot import Receiver, Snapshot, record

if TYPE_CHECKING:
    from pathlib import Path

MINUTE = 60_000


def two_people(**options: Any) -> Play:
    return Play.begin(named("Ann"), LINK, rules=small(players=2), **options)


# --- Reminders -----------------------------------------------------------------------------------


def test_a_reminder_is_kept_until_the_person_moves() -> None:
    play = two_people()
    table, turn = play.table, play.table.game.turn
    play.do(table.remind(turn, 1 - turn, play.now, {}))
    [reminder] = Receiver(table, []).state(None, [], 0).reminders
    assert (reminder.seat, reminder.by, reminder.id) == (turn, 1 - turn, table.version)
    assert everything(play.loaded()) == everything(table), "a restart forgets nothing"
    play.move()
    assert Receiver(table, []).state(None, [], 0).reminders == []


def test_only_who_is_waited_for_is_reminded_and_not_all_the_time() -> None:
    play = two_people()
    table, turn = play.table, play.table.game.turn
    other = 1 - turn
    refused("not_awaited", lambda: table.remind(other, turn, 5000, {}))
    refused("not_awaited", lambda: table.remind(turn, turn, 5000, {}))
    refused("no_seat", lambda: table.remind(5, turn, 5000, {}))
    play.do(table.remind(other, turn, 5000, {other: 0}))
    refused("reminded", lambda: table.remind(other, turn, 24_999, {other: 0}))
    table.remind(other, turn, 25_000, {other: 0})
    table.remind(other, turn, 4000, {other: 0})  # the date was corrected
    table.extras[turn] = MOST_EXTRAS
    assert why_full(table, table.remind(other, turn, 25_000, {other: 0}).event)


# --- A bot plays ---------------------------------------------------------------------------------


def test_a_bot_plays_for_who_has_been_away_for_a_minute() -> None:
    play = two_people()
    table = play.table
    refused("not_away", lambda: table.stand_in(1, 0, 1, {}))
    refused("not_yet", lambda: table.stand_in(1, 0, 1, {1: MINUTE - 1}))
    refused("not_awaited", lambda: table.stand_in(0, 0, 1, {0: MINUTE}))
    took = play.do(table.stand_in(1, 0, play.now, {1: MINUTE}))
    assert (took.seat, took.reason, took.by) == (1, "asked", 0)
    refused("bot_plays", lambda: table.stand_in(1, 0, 1, {1: MINUTE}))
    play.do(table.come_back(1, play.now))
    assert table.people == [0, 1]
    assert everything(play.loaded()) == everything(table)


@pytest.mark.parametrize(
    ("away", "bot", "end"),
    [(None, 60, 600), (30, 30, 600), (300, 60, 600), (1800, 60, 1800), (86_400, 86_400, 86_400)],
)
def test_the_agreed_time_decides_how_long_people_wait(away: int, bot: int, end: int) -> None:
    options = TableOptions(seats=(named("Ann"), LINK), away_seconds=away)
    assert (stand_in_after(options), end_after(options)) == (bot, end)


def test_a_new_table_waits_for_five_minutes() -> None:
    assert TableOptions(seats=(named("Ann"), LINK)).away_seconds == 300


# --- The end without a loss ----------------------------------------------------------------------


def test_a_match_ends_without_a_winner_if_everybody_else_stays_away() -> None:
    play = Play.begin(named("Ann"), LINK, LINK, rules=small(players=3))
    table = play.table
    play.move()
    refused("not_away", lambda: table.end_match(0, 1, {1: 10 * MINUTE}))
    refused("not_yet", lambda: table.end_match(0, 1, {1: 10 * MINUTE, 2: MINUTE}))
    closed = play.do(table.end_match(0, play.now, {1: 10 * MINUTE, 2: 11 * MINUTE}))
    assert (closed.reason, table.state, table.winners) == ("absent", "closed", ())
    state = Receiver(table, [0]).state("ann", [0], 0)
    assert (state.closed_why, state.result) == ("absent", None)
    made = record(table)
    assert "result" not in made
    assert "end" not in made["rounds"][0]
    assert everything(play.loaded()) == everything(table)


def test_who_plays_alone_has_nobody_to_wait_for() -> None:
    play = Play.begin(named("Ann"), GREEDY, rules=small(players=2))
    refused("nobody_away", lambda: play.table.end_match(0, 1, {0: 10 * MINUTE}))


# --- Pauses --------------------------------------------------------------------------------------


def test_in_a_pause_nobody_moves_and_anybody_ends_it() -> None:
    play = two_people(clock_seconds=60)
    table, turn = play.table, play.table.game.turn
    began = table.turn_began
    paused = play.do(table.pause(0, began + 20_000))
    assert isinstance(paused, Paused)
    assert Receiver(table, []).state(None, [], 0).paused == 0
    assert Snapshot(table).own.choices is None
    move = str(table.game.legal_moves()[0])
    refused("paused", lambda: table.move(turn, move, 1))
    refused("paused", lambda: table.ask_undo(turn, 1))
    refused("paused", lambda: table.pause(1, 1))
    assert everything(play.loaded()) == everything(table)
    play.do(table.resume(1, began + 500_000))
    assert (table.paused, table.turn_spent) == (None, 20_000)
    assert table.turn_began == began + 500_000
    refused("not_paused", lambda: table.resume(1, 1))
    play.move()
    assert everything(play.loaded()) == everything(table)


@in_loop
async def test_clocks_and_absence_stand_still_in_a_pause_also_after_a_restart(
    tmp_path: Path,
) -> None:
    clock = FakeClock()
    async with serving(tmp_path, clock=clock) as served:
        two = await table_of_two(served, clock_seconds=60, away_seconds=30)
        ann = await two.wire(0)
        await two.wire(1)
        clock.at += 20
        assert (await ann.ask(type="pause"))["type"] == "ack"
        state = await ann.hear("state")
        assert state["paused"] == 0
        assert "remaining" not in state["now"]
        clock.at += 1000
        opened = await served.hub.tables.open(two.table)
        assert opened.clock.spent() == 20_000
        assert opened.timer is None
    async with serving(tmp_path, clock=clock) as again:
        clock.at += 1000
        ann = await again.wire_at(two.table, two.secret(0))
        assert happened(await again.log(two.table), BotTook) == []
        await ann.ask(type="resume")
        state = await ann.hear("state")
        assert state["now"]["remaining"] == 40_000


# --- Over the wire -------------------------------------------------------------------------------


@in_loop
async def test_who_waits_sees_since_when_and_acts(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        two = await table_of_two(served, away_seconds=None)
        ann, ben = await two.wire(0), await two.wire(1)
        await ben.close()
        await ann.hear("presence")
        served.clock.at += 61
        watcher = await served.wire()
        await watcher.say(type="hello", table=two.table)
        assert (await watcher.hear("state"))["away"] == {"1": 61}
        assert (await watcher.ask(type="remind", whom=1))["code"] == "spectator"
        assert (await ann.ask(type="remind", whom=1))["type"] == "ack"
        assert (await ann.ask(type="remind", whom=1))["code"] == "reminded"
        assert (await ann.ask(type="stand_in", whom=1))["type"] == "ack"
        ben = await served.wire()
        await ben.say(type="hello", table=two.table, secret=two.secret(1))
        state = await ben.hear("state")
        assert [(one["seat"], one["by"]) for one in state["reminders"]] == [(1, 0)]
        assert "away" not in state
        log = [decode(data) for data in await served.log(two.table)]
        assert [type(event) for event in log if isinstance(event, BotTook | Reminded)] == [
            Reminded,
            BotTook,
        ]


@in_loop
async def test_ten_minutes_later_the_match_may_be_ended(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        two = await table_of_two(served)
        ann = served.player(two.secret(0))
        await ann.enter(two.table)
        served.clock.at += 599
        await _refused(ann.end_match(), "not_yet")
        served.clock.at += 1
        await ann.end_match()
        assert ann.finished
        assert [event.reason for event in happened(await served.log(two.table), Closed)] == [
            "absent"
        ]
        await ann.rematch(two.table)


async def _refused(awaitable: Any, code: str) -> None:
    with pytest.raises(Exception, match=code):
        await awaitable


@in_loop
async def test_nobody_is_replaced_while_nobody_waits(tmp_path: Path) -> None:
    """A big screen alone is no reason to play the match without its people."""
    async with serving(tmp_path) as served:
        two = await table_of_two(served, away_seconds=60)
        screen = await served.wire_at(two.table)
        opened = await served.hub.tables.open(two.table)
        assert opened.timer is None
        served.clock.at += 1000
        await served.wire_at(two.table)
        await screen.settle()
        assert happened(await served.log(two.table), BotTook) == []


@in_loop
async def test_a_reminder_costs_what_a_reaction_costs(tmp_path: Path) -> None:
    async with serving(tmp_path, reactions_per_minute=2) as served:
        two = await table_of_two(served)
        ann = await two.wire(0)
        codes = []
        for _ in range(3):
            served.clock.at += 30
            codes.append((await ann.ask(type="remind", whom=1)).get("code"))
        assert codes == [None, "too_fast", "too_fast"]


# --- Families ------------------------------------------------------------------------------------


def test_help_is_per_seat() -> None:
    child = SeatPlan("here", "Mia", help="points")
    play = Play.begin(child, LINK, help="none")
    table, seen = play.table, set()
    for _ in range(12):
        choices = Snapshot(table).own.choices or []
        places = [choice for choice in choices if "=" in choice.move]
        if table.game.turn == 1:
            assert places == []
        elif places:
            assert all(choice.points is not None for choice in places)
            seen.add("points")
        moves = [str(move) for move in table.game.legal_moves()]
        play.move(next((move for move in moves if "=" in move), None))
    assert seen == {"points"}
    assert [chair.summary.help for chair in table.chairs] == ["points", None]


def test_a_head_start_decides_but_the_record_stays_exact() -> None:
    for number in range(1, 6):
        plain = Play.begin(named("Ann"), LINK, rules=small(players=2), number=number)
        child = SeatPlan("here", "Ann", head_start=500)
        ahead = Play.begin(child, LINK, rules=small(players=2), number=number)
        for play in (plain, ahead):
            play.play_until(lambda play=play: play.table.state == "finished")  # type: ignore[misc]
        assert plain.table.match is not None
        assert ahead.table.match is not None
        assert ahead.table.match.scores == plain.table.match.scores
        result = Receiver(ahead.table, []).state(None, [], 0).result
        scores = plain.table.match.scores
        assert result is not None
        assert (result.scores, result.winners) == ([scores[0] + 500, scores[1]], [0])
        made = record(ahead.table)
        assert made["result"]["scores"] == list(scores)
        assert made["extra"] == {
            "head_start": [500, 0],
            "scores": result.scores,
            "winners": [0],
        }
        assert read_again(made) == scores
        assert "extra" not in record(plain.table)


def read_again(made: dict[str, Any]) -> tuple[int, ...]:
    return read_record(json.dumps(made)).scores


def test_a_head_start_does_not_undo_giving_up() -> None:
    play = Play.begin(SeatPlan("here", "Ann", head_start=500), LINK, rules=small(players=2))
    play.do(play.table.give_up(0, play.now))
    assert play.table.winners == (1,)


def test_without_points_there_is_no_head_start() -> None:
    refused(
        "no_points",
        lambda: Play.create(
            SeatPlan("here", "Ann", head_start=10), LINK, rules={"edition": "casual"}
        ),
    )


# --- Spectators ----------------------------------------------------------------------------------


@in_loop
@pytest.mark.parametrize("allowed", [False, True])
async def test_spectators_react_where_the_table_allows_it(tmp_path: Path, allowed: bool) -> None:
    async with serving(tmp_path, reactions_per_minute=4) as served:
        two = await table_of_two(served, spectators_react=allowed)
        ann, watcher = await two.wire(0), await served.wire_at(two.table)
        await watcher.say(type="react", sign="wow")
        if not allowed:
            assert (await watcher.hear("refused"))["code"] == "spectator"
            return
        assert await ann.hear("reaction") == {"type": "reaction", "seat": None, "sign": "wow"}
        for _ in range(3):
            await watcher.say(type="react", sign="wow")
        assert (await watcher.hear("refused"))["code"] == "too_fast"
