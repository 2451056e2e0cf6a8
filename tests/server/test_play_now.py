"""Play now: the queue, its tables, and what they come to."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from typing import TYPE_CHECKING, Any

import pytest
from websockets.exceptions import InvalidStatus

from tests.cli.program import triomino
from tests.server.crowd import Report, examine
from tests.server.harness import FakeClock, Served, Wire, in_loop, serving, until
from triomino.client import RefusedByServer, RemotePlayer, play_bot
from triomino.ratings import MATCHES_ON_BOARD, RatedMatch, Ratings, Seat
from triomino.server.credentials import digest
from triomino.server.play_now import PlayNow
from triomino.store.failure import StoreError
from triomino.store.waiting import WaitingRow, WaitingStore

if TYPE_CHECKING:
    from pathlib import Path

    from triomino.server.rated import RatedMatches


class Real(FakeClock):
    """The time of the machine, so that people wait in it."""

    def __call__(self) -> float:
        return time.time() + self.set_by

    def steady(self) -> float:
        return time.monotonic()


def open_house(folder: Path, **settings: Any) -> Any:
    return serving(folder, clock=Real(), open=True, **settings)


async def come(served: Served, name: str, **wishes: Any) -> tuple[RemotePlayer, Wire]:
    """A new person who takes a place in the queue."""
    player = served.player(takes_part=True)
    await player.introduce()
    return player, await wait(served, player, name, **wishes)


async def wait(served: Served, player: RemotePlayer, name: str, **wishes: Any) -> Wire:
    wire = await served.wire(player.secret, path="/ws/queue")
    wishes = {"edition": "classic", "players": 2, **wishes}
    await wire.say(type="join", name=name, secret=player.secret, **wishes)
    return wire


def play_now(served: Served) -> PlayNow:
    found: PlayNow = served.app.state.play_now
    return found


def rated(served: Served) -> RatedMatches:
    found: RatedMatches = served.app.state.rated
    return found


async def pair(served: Served, **wishes: Any) -> tuple[str, RemotePlayer, RemotePlayer]:
    """Two people at a table that has begun."""
    ann, ann_waits = await come(served, "Ann", **wishes)
    ben, ben_waits = await come(served, "Ben", **wishes)
    table = (await ann_waits.hear("table"))["table"]
    assert (await ben_waits.hear("table"))["table"] == table
    await asyncio.gather(ann.enter(table), ben.enter(table))
    await ann.until(lambda: ann.now is not None)
    await ben.until(lambda: ben.now is not None)
    return table, ann, ben


async def finish(*players: RemotePlayer) -> None:
    await asyncio.gather(*(play_bot(one, lambda choices, _: choices[0].move) for one in players))


@in_loop
async def test_who_comes_while_the_queue_is_read_is_not_told_to_have_left(tmp_path: Path) -> None:
    async with open_house(tmp_path) as served:
        store, read, came = play_now(served).store, asyncio.Event(), asyncio.Event()
        everybody = store.all

        async def slowly() -> list[WaitingRow]:
            rows = await everybody()
            read.set()
            await came.wait()
            return rows

        store.all = slowly  # type: ignore[method-assign]
        _, first = await come(served, "Ann")
        await read.wait()
        _, second = await come(served, "Ben", edition="card")
        await until(lambda: len(play_now(served)._here) == 2)
        came.set()
        for wire in (first, second):
            assert (await wire.hear("waiting", "left"))["type"] == "waiting"


@in_loop
async def test_two_people_get_a_table_play_and_are_rated(tmp_path: Path) -> None:
    async with open_house(tmp_path) as served:
        table, ann, ben = await pair(served)
        state = ann.state
        assert state is not None
        assert state.strangers
        assert state.is_rated
        assert state.options["clock_seconds"] == 45
        assert state.options["reserve_seconds"] == 120
        assert {seat.name for seat in state.seats} == {"Ann", "Ben"}
        opening = state.fair
        assert len(opening.devices) == 2  # both committed to the deal
        await finish(ann, ben)
        await until(lambda: ann.finished)
        while not (found := await ann.request("GET", f"/api/tables/{table}/ratings"))["settled"]:
            await asyncio.sleep(0.01)
        points = {change["seat"]: change["points"] for change in found["changes"]}
        final = served.hub.tables[table].table
        [winner] = final.winners
        assert points[winner] > 1500 > points[1 - winner]
        own = await ann.request("GET", "/api/ratings")
        assert own["editions"][0]["rating"]["provisional"]
        assert len(own["editions"][0]["course"]) == 1
        # What is stored is what the results add up to.
        store = rated(served).store
        assert Ratings.folded(await store.matches()).items() == await store.all()
        # It counts once, and the place is free again.
        await rated(served).settle(table)
        assert len(await store.matches()) == 1
        play_now(served)._look_at.clear()
        await play_now(served).attend()
        assert await play_now(served).store.all() == []


@in_loop
async def test_a_closed_server_has_no_queue_and_no_ratings(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        ann = served.player()
        await ann.introduce()
        for method, path in [
            ("GET", "/api/ratings"),
            ("GET", "/api/ratings/boards/classic"),
            ("GET", "/api/tables/x/ratings"),
        ]:
            with pytest.raises(RefusedByServer, match="not_open"):
                await ann.request(method, path)
        with pytest.raises(Exception, match="403"):
            await served.wire(path="/ws/queue")


@in_loop
async def test_what_is_no_message_or_no_wish_is_answered(tmp_path: Path) -> None:
    async with open_house(tmp_path) as served:
        ann = served.player()
        await ann.introduce()
        wire = await served.wire(path="/ws/queue")
        for damaged in ("", "{", "[]", '{"type":"dance"}', '{"type":"join"}', "\x00", "9" * 50):
            await wire.send(damaged)
            assert (await wire.hear("refused"))["code"] == "malformed"
        for wish, code in [
            ({"edition": "classic", "players": 2}, "no_device"),
            ({"edition": "chess", "players": 2, "secret": ann.secret}, "no_edition"),
            ({"edition": "classic", "players": 2, "secret": ann.secret}, "no_name"),
        ]:
            await wire.say(type="join", **wish)
            assert (await wire.hear("refused"))["code"] == code
        await wire.say(type="bots")
        assert (await wire.hear("refused"))["code"] == "not_waiting"
        await wire.say(type="leave")
        for _ in range(60):
            await wire.say(type="ping")
        assert (await wire.until_closed())[0] == 4029


@in_loop
async def test_waiting_alone_is_said_plainly_and_bots_are_offered(tmp_path: Path) -> None:
    async with open_house(tmp_path, bots_after_seconds=0.4) as served:
        ann, waits = await come(served, "Ann")
        said = await waits.hear("waiting")
        assert said == {
            "type": "waiting", "edition": "classic", "players": 2, "waited": 0, "others": 0
        }  # fmt: skip
        await waits.say(type="bots")
        assert (await waits.hear("refused"))["code"] == "not_yet"
        assert (await waits.hear("waiting"))["bots_offered"]
        await waits.say(type="bots")
        table = (await waits.hear("table"))["table"]
        state = await ann.enter(table)
        assert sorted(seat.kind for seat in state.seats) == ["bot", "person"]
        assert not state.is_rated


@in_loop
async def test_a_bot_yields_its_seat_until_a_person_moves(tmp_path: Path) -> None:
    async with open_house(tmp_path, bots_after_seconds=0) as served:
        ann, waits = await come(served, "Ann")
        await waits.hear("waiting")
        await waits.say(type="bots")
        first = (await waits.hear("table"))["table"]
        await ann.enter(first)
        await ann.until(lambda: ann.now is not None)
        # Ben comes before Ann has moved: both get a new table, to which the old one leads.
        ben, ben_waits = await come(served, "Ben")
        second = (await ben_waits.hear("table"))["table"]
        await ann.until(lambda: ann.state is not None and ann.state.rematch == second)
        assert ann.state is not None
        assert (ann.state.state, ann.state.closed_why) == ("closed", "replaced")
        await asyncio.gather(ann.enter(second), ben.enter(second))
        await ann.until(lambda: ann.now is not None)
        assert ann.state is not None
        assert ann.state.is_rated
        # A table that led on is no second seat.
        report = Report()
        await examine(served.events, report)
        assert [one for one in report.faults if "same time" in one] == []
        # Cem plays with a bot, too, but has moved: Dora waits.
        cem, cem_waits = await come(served, "Cem")
        await cem_waits.hear("waiting")
        await cem_waits.say(type="bots")
        await cem.enter((await cem_waits.hear("table"))["table"])
        await cem.until(lambda: bool(cem.choices))
        await cem.move(cem.choices[0].move)
        _, dora_waits = await come(served, "Dora")
        assert (await dora_waits.hear("waiting", "table"))["type"] == "waiting"


@in_loop
async def test_who_is_banned_or_gone_while_waiting_waits_no_longer(tmp_path: Path) -> None:
    async with open_house(tmp_path) as served:
        ann, ann_waits = await come(served, "Ann")
        await ann_waits.hear("waiting")
        await ann.request("DELETE", "/api/me")
        assert await play_now(served).store.all() == []
        ben, ben_waits = await come(served, "Ben")
        await ben_waits.hear("waiting")
        data = await ben.request("GET", "/api/me/data")
        assert (data["waiting"]["name"], data["waiting"]["players"]) == ("Ben", 2)
        decency = served.hub.people.decency
        await decency.ban("address", digest("127.0.0.1"), served.hub.now() + 60_000)
        await served.hub.people.changed()
        await ben_waits.say(type="ping")
        assert (await ben_waits.hear("refused"))["code"] == "banned"
        await ben_waits.hear("left")
        assert await play_now(served).store.all() == []


@in_loop
async def test_names_that_look_alike_are_told_apart(tmp_path: Path) -> None:
    async with open_house(tmp_path) as served:
        _, first = await come(served, "Paul")
        await first.hear("waiting")
        _, second = await come(served, "PAU1")
        table = await served.hub.look((await second.hear("table"))["table"])
        assert {chair.name for chair in table.chairs} in ({"Paul", "PAU1 2"}, {"PAU1", "Paul 2"})
        # On a leaderboard the name belongs to who was here first, not to who is better.
        served.clock.set_by = 1
        [paul, other] = sorted(
            await rated(served)._people.latest(9), key=lambda one: one.name, reverse=True
        )
        for number in range(MATCHES_ON_BOARD):
            seats = (Seat(other.id, 1), Seat(paul.id, 2))
            await rated(served).store.begin(f"t{number}", "classic", number)
            await rated(served).store.settle(RatedMatch(f"t{number}", "classic", number, seats))
        board = (await served.get("/api/ratings/boards/classic")).json()
        assert [line["name"] for line in board["lines"]] == ["PAU1 2", "Paul"]


@in_loop
async def test_two_tabs_share_a_place_and_leaving_in_one_leaves_in_both(tmp_path: Path) -> None:
    async with open_house(tmp_path) as served:
        ann, one = await come(served, "Ann")
        other = await wait(served, ann, "Ann")
        assert (await one.hear("waiting"))["others"] == 0
        assert (await other.hear("waiting"))["others"] == 0
        assert len(await play_now(served).store.all()) == 1
        await one.close()
        ben, ben_waits = await come(served, "Ben")
        table = (await other.hear("table"))["table"]
        # Who has a table does not get another one.
        again = await wait(served, ann, "Ann")
        assert (await again.hear("table")) == {"type": "table", "table": table, "is_running": True}
        await ben_waits.hear("table")
        cem, cem_waits = await come(served, "Cem")
        cem_too = await wait(served, cem, "Cem")
        await cem_too.hear("waiting")
        await cem_waits.say(type="leave")
        await cem_waits.hear("left")
        await cem_too.hear("left")
        assert ben.secret != ann.secret


@in_loop
async def test_a_closed_page_gets_no_seat(tmp_path: Path) -> None:
    async with open_house(tmp_path) as served:
        _, waits = await come(served, "Ann")
        await waits.hear("waiting")
        await waits.close()
        await until(lambda: not play_now(served).waiting_here)
        while (await play_now(served).store.all())[0].seen > served.hub.now() - 3000:
            await asyncio.sleep(0.01)
        served.clock.set_by += 10  # longer than a page takes to be loaded again
        _, ben_waits = await come(served, "Ben")
        assert (await ben_waits.hear("waiting", "table"))["others"] == 0


@in_loop
async def test_who_does_not_come_loses_the_place_and_the_other_waits_on(tmp_path: Path) -> None:
    async with open_house(tmp_path, come_seconds=0.3) as served:
        ann, ann_waits = await come(served, "Ann")
        await ann_waits.hear("waiting")
        [before] = await play_now(served).store.all()
        _, silent = await come(served, "Silent")
        table = (await ann_waits.hear("table"))["table"]
        await silent.hear("table")
        await ann.enter(table)
        await ann.until(lambda: ann.finished)
        assert ann.state is not None
        assert ann.state.closed_why == "no_show"
        again = await wait(served, ann, "Ann")
        assert (await again.hear("waiting"))["others"] == 0
        while len(rows := await play_now(served).store.all()) > 1:
            await asyncio.sleep(0.01)
        [row] = rows
        assert (row.name, row.table_id, row.since) == ("Ann", None, before.since)
        assert await rated(served).store.matches() == []


@in_loop
async def test_a_table_whose_people_are_free_again_is_closed_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that is killed in between leaves nobody at a table that never begins."""

    async def killed(*_: object) -> None:
        raise StoreError("killed")

    monkeypatch.setattr(WaitingStore, "release", killed)
    async with open_house(tmp_path, come_seconds=0.3) as served:
        ann, ann_waits = await come(served, "Ann")
        await come(served, "Silent")
        table = (await ann_waits.hear("table"))["table"]
        await ann.enter(table)
        await ann.until(lambda: ann.finished)
        assert ann.state is not None
        assert ann.state.closed_why == "no_show"
        assert not await play_now(served)._close(table, "no_show")  # it is closed once


@in_loop
async def test_a_match_that_another_server_has_started_is_not_closed(tmp_path: Path) -> None:
    async with open_house(tmp_path) as served:
        table, *_ = await pair(served)
        assert not await play_now(served)._close(table, "no_show")
        assert (await served.hub.look(table)).state == "playing"


@in_loop
async def test_who_gets_up_before_the_start_keeps_nobody_from_another_table(tmp_path: Path) -> None:
    async with open_house(tmp_path) as served:
        ann, ann_waits = await come(served, "Ann")
        ben, _ = await come(served, "Ben")
        table = (await ann_waits.hear("table"))["table"]
        [seat] = (await ben.request("GET", f"/api/tables/{table}"))["you"]
        await ben.leave(table, seat)
        await ann.enter(table)
        await ann.until(lambda: ann.finished)
        again = await wait(served, ann, "Ann")
        assert (await again.hear("waiting", "table"))["type"] == "waiting"


@in_loop
async def test_nobody_waits_for_tables_that_are_slow_to_load(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after a server was killed: whoever takes its queue over has all tables to load."""
    loaded, attend = asyncio.Event(), PlayNow._attend

    async def attend_slowly(self: PlayNow, *given: Any) -> bool:
        await loaded.wait()
        return await attend(self, *given)

    monkeypatch.setattr(PlayNow, "_attend", attend_slowly)
    async with open_house(tmp_path) as served:
        for names in (("Ann", "Ben"), ("Cem", "Dora")):
            waits = [(await come(served, name))[1] for name in names]
            tables = {(await wire.hear("table"))["table"] for wire in waits}
            assert len(tables) == 1
        loaded.set()


@in_loop
async def test_three_people_fill_a_table_and_the_names_differ(tmp_path: Path) -> None:
    async with open_house(tmp_path) as served:
        people = [await come(served, "Kim", players=3) for _ in range(3)]
        tables = [(await waits.hear("table"))["table"] for _, waits in people]
        assert len(set(tables)) == 1
        state = await people[0][0].enter(tables[0])
        assert sorted(str(seat.name) for seat in state.seats) == ["Kim", "Kim 2", "Kim 3"]


@in_loop
async def test_nobody_but_the_server_starts_pauses_or_ends_such_a_match(tmp_path: Path) -> None:
    async with open_house(tmp_path) as served:
        table, ann, _ = await pair(served)
        with pytest.raises(RefusedByServer, match="is_playing"):
            await ann.start(table)
        with pytest.raises(RefusedByServer, match="no_pause"):
            await ann.pause()
        with pytest.raises(RefusedByServer, match="rated"):
            await ann.end_match()
        with pytest.raises(RefusedByServer, match="no_undo"):
            await ann.undo()


@in_loop
async def test_who_leaves_loses_and_may_play_again_at_once(tmp_path: Path) -> None:
    async with open_house(tmp_path) as served:
        table, ann, ben = await pair(served)
        assert ben.state is not None
        [seat] = ben.state.you
        await ben.leave(table, seat)
        again = await wait(served, ben, "Ben")
        assert (await again.hear("waiting"))["others"] == 0
        await finish(ann)
        while not (found := await ann.request("GET", f"/api/tables/{table}/ratings"))["settled"]:
            await asyncio.sleep(0.01)
        # A bot played nearly all of it: nobody wins by that, but leaving is no way out.
        [change] = found["changes"]
        assert change["seat"] == seat
        assert change["points"] < 1500


@in_loop
async def test_who_comes_back_has_not_left(tmp_path: Path) -> None:
    async with open_house(tmp_path) as served:
        table, ann, ben = await pair(served)
        assert ben.state is not None
        [seat] = ben.state.you
        now = served.hub.now()
        await served.hub.change(table, lambda found: found.substitute(seat, "away", now))
        assert (await served.hub.look(table)).gone == [seat]
        await ben.come_back(seat)
        await finish(ann, ben)
        while not (found := await ann.request("GET", f"/api/tables/{table}/ratings"))["settled"]:
            await asyncio.sleep(0.01)
        assert len(found["changes"]) == 2
        [match] = await rated(served).store.matches()
        assert not any(one.left or one.bot_moves for one in match.seats)


@in_loop
async def test_a_device_that_does_not_reveal_its_seed_blocks_nobody(tmp_path: Path) -> None:
    async with open_house(tmp_path, reveal_seconds=0.3) as served:
        ann, ann_waits = await come(served, "Ann")
        mute = served.player(takes_part=False)
        await mute.introduce()
        mute_waits = await wait(served, mute, "Mute")
        table = (await ann_waits.hear("table"))["table"]
        await mute_waits.hear("table")
        opened = await served.hub.tables.open(table)
        device = next(one for chair in opened.table.chairs for one in chair.owners)
        await asyncio.gather(ann.enter(table), mute.enter(table))
        assert device
        await mute.request("POST", f"/api/tables/{table}/commitments", {"commitment": "a" * 64})
        await ann.until(lambda: ann.now is not None)


@in_loop
async def test_a_match_among_friends_is_rated_if_all_agree(tmp_path: Path) -> None:
    async with open_house(tmp_path) as served:
        ann, ann_waits = await come(served, "Ann")  # makes a profile
        ben, ben_waits = await come(served, "Ben", players=3)
        for waits in (ann_waits, ben_waits):
            await waits.hear("waiting")
            await waits.say(type="leave")
            await waits.hear("left")
        table = await ann.create([{"kind": "here", "name": "Ann"}, {"kind": "link"}])
        await ben.sit(table, "Ben")
        with pytest.raises(RefusedByServer, match="not_yours"):
            await ann.request("POST", f"/api/tables/{table}/seats/1/rating", {"agree": True})
        await ann.request("POST", f"/api/tables/{table}/seats/0/rating", {"agree": True})
        state = await ann.enter(table)
        assert (state.is_rated, state.rating_agreed) == (False, [0])
        await ben.request("POST", f"/api/tables/{table}/seats/1/rating", {"agree": True})
        await ann.until(lambda: ann.state is not None and ann.state.is_rated)
        await ann.start(table)
        await ben.enter(table)
        await ann.until(lambda: ann.now is not None)
        with pytest.raises(RefusedByServer, match="is_playing"):
            await ben.request("POST", f"/api/tables/{table}/seats/1/rating", {"agree": False})
        with pytest.raises(RefusedByServer, match="no_hints"):
            await (ann if ann.choices else ben).hint()
        await ben.give_up()
        await ann.until(lambda: ann.finished)
        while not (found := await ann.request("GET", f"/api/tables/{table}/ratings"))["settled"]:
            await asyncio.sleep(0.01)
        assert [change["points"] > 1500 for change in found["changes"]] == [True, False]


@in_loop
async def test_nobody_is_rated_against_bots_house_rules_or_themselves(tmp_path: Path) -> None:
    async with open_house(tmp_path) as served:
        ann, waits = await come(served, "Ann")
        await waits.hear("waiting")
        await waits.say(type="leave")
        path = "/api/tables/{}/seats/{}/rating"
        here = {"kind": "here"}
        for seats, rules, code in [
            ([here, {"kind": "bot", "bot": "easy"}], {}, "bots_play"),
            ([here, {"kind": "link"}], {"draw_cost": 7}, "house_rules"),
        ]:
            table = await ann.create(seats, rules={"edition": "classic", **rules})
            with pytest.raises(RefusedByServer, match=code):
                await ann.request("POST", path.format(table, 0), {"agree": True})
        table = await ann.create([here, here])
        await ann.request("POST", path.format(table, 0), {"agree": True})
        with pytest.raises(RefusedByServer, match="same_person"):
            await ann.request("POST", path.format(table, 1), {"agree": True})
        # A second device of the same person at the other seat: what they agreed to does not count.
        people = rated(served)._people
        other = served.player()
        await other.introduce()
        table = await ann.create([here, {"kind": "link"}])
        await other.sit(table, "Other")
        opened = await served.hub.tables.open(table)
        [device] = opened.table.chairs[1].owners
        await people.ensure(device, "Other", "")
        await ann.request("POST", path.format(table, 0), {"agree": True})
        await other.request("POST", path.format(table, 1), {"agree": True})
        own = await people.person_of(next(iter(opened.table.chairs[0].owners)))
        assert own is not None
        await people.join(own.id, device)
        await ann.start(table)
        await ann.enter(table)
        await ann.give_up()
        await ann.until(lambda: ann.finished)
        await until(lambda: not rated(served)._tasks)
        assert await rated(served).store.matches() == []
        assert table not in await rated(served).store.pending()


@in_loop
async def test_a_leaderboard_needs_matches_and_can_be_left(tmp_path: Path) -> None:
    async with open_house(tmp_path) as served:
        found: dict[str, tuple[RemotePlayer, str]] = {}
        for name in ("Ann", "Ben"):
            player, waits = await come(served, name, players=2 + len(found))
            await waits.hear("waiting")
            await waits.say(type="leave")
            [person] = [row for row in await rated(served)._people.latest(9) if row.name == name]
            found[name] = player, person.id
        (ann, ann_id), (_, ben_id) = found["Ann"], found["Ben"]
        store = rated(served).store
        for number in range(MATCHES_ON_BOARD):
            board = await ann.request("GET", "/api/ratings/boards/classic")
            assert board["lines"] == []
            seats = (Seat(ann_id, 1), Seat(ben_id, 2))
            await store.begin(f"t{number}", "classic", number)
            assert await store.settle(RatedMatch(f"t{number}", "classic", number, seats))
            assert not await store.settle(RatedMatch(f"t{number}", "classic", number, seats))
        board = await ann.request("GET", "/api/ratings/boards/classic")
        assert [(line["name"], line["rank"], line["you"]) for line in board["lines"]] == [
            ("Ann", 1, True),
            ("Ben", 2, False),
        ]
        assert board["you"]["matches"] == MATCHES_ON_BOARD
        left = await ann.request("POST", "/api/ratings/boards", {"shown": False})
        assert not left["on_board"]
        board = await ann.request("GET", "/api/ratings/boards/classic")
        assert [line["name"] for line in board["lines"]] == ["Ben"]
        assert not board["on_board"]
        with pytest.raises(RefusedByServer, match="no_edition"):
            await ann.request("GET", "/api/ratings/boards/chess")


@in_loop
async def test_results_that_a_crash_left_uncounted_are_counted_later(tmp_path: Path) -> None:
    async with open_house(tmp_path) as served:
        table, ann, ben = await pair(served)
        served.hub.on_rated_over = lambda _: None  # as if the server died at this moment
        await finish(ann, ben)
        assert await rated(served).store.pending() == [table]
        await rated(served).sweep()
        assert await rated(served).store.pending() == []
        assert len(await rated(served).store.matches()) == 1


@in_loop
async def test_a_turn_beyond_its_clock_uses_the_reserve(tmp_path: Path) -> None:
    async with serving(tmp_path, clock=(clock := FakeClock())) as served:
        ann = served.player()
        seats = [{"kind": "here"}, {"kind": "here"}]
        table = await ann.create(seats, clock_seconds=10, reserve_seconds=30)
        await ann.start(table)
        await ann.enter(table)
        opened = served.hub.tables[table]
        assert ann.now is not None
        assert (ann.now.remaining, ann.now.reserve) == (40_000, 30_000)
        seat = opened.table.game.turn
        clock.at += 25
        while opened.table.game.turn == seat:
            await ann.move(ann.choices[0].move)
        assert opened.table.reserve_left(seat) == 15_000
        other = opened.table.game.turn
        assert opened.clock.remaining(opened.table) == 40_000
        assert opened.table.reserve_left(other) == 30_000
        clock.at += 41
        assert opened.clock.is_up(opened.table)
        await served.hub.scheduler._time_out(opened)
        assert opened.table.chairs[other].substitute
        assert opened.table.reserve_left(other) == 0


@in_loop
async def test_the_host_can_compute_ratings_anew(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"
    async with open_house(tmp_path) as served:
        store = rated(served).store
        for number in range(3):
            seats = (Seat("ann", 1), Seat("ben", 2))
            await store.begin(f"t{number}", "classic", number)
            await store.settle(RatedMatch(f"t{number}", "classic", number, seats))
    check = ["host", "ratings", f"--data={path}"]
    said = await asyncio.to_thread(triomino, *check)
    assert (said.code, said.out) == (0, "3 rated matches, 2 ratings, 0 of them wrong.\n")
    with sqlite3.connect(path) as database:
        database.execute("UPDATE ratings SET mu = 99 WHERE person = 'ann'")
    database.close()
    said = await asyncio.to_thread(triomino, *check)
    assert (said.code, said.out) == (1, "3 rated matches, 2 ratings, 1 of them wrong.\n")
    said = await asyncio.to_thread(triomino, *check, "--rebuild")
    assert said.code == 0
    said = await asyncio.to_thread(triomino, *check)
    assert said.out == "3 rated matches, 2 ratings, 0 of them wrong.\n"


# --- Floods and leaks ----------------------------------------------------------------------------


@in_loop
async def test_the_queue_has_room_for_so_many_of_one_address(tmp_path: Path) -> None:
    async with open_house(tmp_path, waiting_per_address=2) as served:
        wires = [await served.wire(path="/ws/queue") for _ in range(2)]
        with pytest.raises(Exception, match="403"):
            await served.wire(path="/ws/queue")
        await wires[0].close()
        while True:  # until the server has noticed
            try:
                await served.wire(path="/ws/queue")
                break
            except InvalidStatus:
                await asyncio.sleep(0.01)


@in_loop
async def test_joining_and_agreeing_have_a_budget(tmp_path: Path) -> None:
    async with open_house(tmp_path, seats_per_minute=4) as served:
        ann, wire = await come(served, "Ann")
        await wire.hear("waiting")
        for edition in ("card", "casual"):
            await wire.say(type="join", edition=edition, players=2, secret=ann.secret)
        assert (await wire.hear("refused"))["code"] == "too_fast"
        with pytest.raises(RefusedByServer, match="too_fast"):
            await ann.request("POST", "/api/ratings/boards", {"shown": True})


@in_loop
async def test_who_does_not_wait_costs_the_database_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Leaving has no budget of its own."""
    left: list[str] = []
    leave = WaitingStore.leave

    async def counted(self: WaitingStore, person: str) -> None:
        left.append(person)
        await leave(self, person)

    monkeypatch.setattr(WaitingStore, "leave", counted)
    async with open_house(tmp_path) as served:
        stranger = await served.wire(path="/ws/queue")
        _, wire = await come(served, "Ann")
        await wire.hear("waiting")
        for one in (stranger, wire, wire, wire):
            await one.say(type="leave")
            await one.hear("left")
            await one.say(type="bots")
            assert (await one.hear("refused"))["code"] == "not_waiting"
        assert len(left) == 1
        assert await play_now(served).store.all() == []


@in_loop
async def test_nobody_is_told_who_waits_or_which_device_they_have(tmp_path: Path) -> None:
    async with open_house(tmp_path) as served:
        cem, cem_waits = await come(served, "Cem", players=3)
        await cem_waits.hear("waiting")
        table, ann, ben = await pair(served)
        heard = b"".join(data for wire in served.wires for data in wire.heard)
        await finish(ann, ben)
        for path in ("/api/ratings", "/api/ratings/boards/classic", f"/api/tables/{table}/ratings"):
            own = {"authorization": f"Bearer {ann.secret}"}
            heard += (await served.get(path, headers=own)).content
        rows = await play_now(served).store.all()
        assert rows
        secrets = [str(one.secret) for one in (ann, ben, cem)]
        for hidden in [*secrets, *map(digest, secrets), "Cem", "Ann", "Ben"]:
            assert hidden.encode() not in heard, hidden
