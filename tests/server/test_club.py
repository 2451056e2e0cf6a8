"""Club evenings: a whole tournament through a kill, and what may go wrong at one."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sqlite3
from collections import Counter
from contextlib import AsyncExitStack, closing
from itertools import combinations
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from tests.server.harness import PATIENCE, Served, in_loop, serving
from tests.server.process import PATIENCE as LONG_PATIENCE
from tests.server.process import ServerProcess
from tests.tournament.plain import PlainRound, plain_keys, plain_standings
from triomino.client import RemotePlayer
from triomino.client.player import play_bot
from triomino.protocol.api import ClubOptions
from triomino.record import match_from
from triomino.rules import Rules
from triomino.server.checking import check_database
from triomino.server.clubs import with_an_end
from triomino.server.retention import DAY
from triomino.store.clubs import ClubStore
from triomino.store.log import EventLog

if TYPE_CHECKING:
    from pathlib import Path

    from triomino.protocol.messages import Choice, State

SHORT = {"edition": "classic", "target": None, "racks": {"2": 3, "3": 3, "4": 3}}
"""A match of one short round."""

Json = dict[str, Any]


class Host(RemotePlayer):
    """The host of an evening, who may play as well."""

    club = token = ""

    async def open(self, **options: Any) -> str:
        """Open an evening; return its id."""
        await self.introduce()
        made = await self.request(
            "POST", "/api/clubs", {"name": "Friday", "rules": SHORT} | options
        )
        self.club, self.token = made["club"], made["secret"]
        assert made["path"] == f"/club/{self.club}"
        return self.club

    async def do(self, kind: str, **fields: Any) -> Json:
        """Do something as the host; return the evening."""
        body = {"act": {"type": kind, **fields}, "secret": self.token}
        state: Json = await self.request("POST", f"/api/clubs/{self.club}/acts", body)
        return state

    async def see(self) -> Json:
        """The evening as the host sees it."""
        headers = {"x-club-host": self.token}
        answer = await self._http.get(f"/api/clubs/{self.club}", headers=headers)
        assert answer.status_code == 200, answer.text
        state: Json = answer.json()
        return state

    async def wait_for(self, done: Any) -> Json:
        """Look at the evening until it is as it should be."""
        async with asyncio.timeout(LONG_PATIENCE):
            while not done(state := await self.see()):
                await asyncio.sleep(0.05)
        return state


async def join(player: RemotePlayer, club: str, name: str) -> Json:
    """Come to an evening by its link."""
    await player.introduce()
    body = {"act": {"type": "join", "name": name}}
    state: Json = await player.request("POST", f"/api/clubs/{club}/acts", body)
    return state


async def write_sheet(player: RemotePlayer, table: Json, names: list[str], sums: list[int]) -> None:
    """Write a whole match on the sheet of a table, as its score pad does."""
    secret = table["path"].partition("#write=")[2]
    rules = Rules.read(SHORT).to_json()
    acts: list[Json] = [{"do": "setup", "rules": rules, "names": names}]
    acts += [{"do": "turn", "person": seat, "sum": points} for seat, points in enumerate(sums)]
    left = [{"points": 5 * (seat > 0), "count": int(seat > 0)} for seat in range(len(names))]
    acts.append({"do": "out", "person": 0, "left": left})
    for since, act in enumerate(acts):
        body = {"secret": secret, "since": since, "acts": [act]}
        await player.request("POST", f"/api/pads/{table['id']}/acts", body)


def results(state: Json) -> dict[tuple[int, int], list[int]]:
    """The totals of every table that has a result, by round and table."""
    return {
        (number, at): table["totals"]
        for number, one in enumerate(state["rounds"])
        for at, table in enumerate(one["tables"])
        if table["totals"] is not None
    }


def plainly(state: Json) -> list[PlainRound]:
    """The rounds of an evening for the plain computation."""
    return [
        {
            "tables": [
                [
                    (player, table["totals"][seat], seat in table["winners"])
                    for seat, player in enumerate(table["players"])
                ]
                for table in one["tables"]
                if table["totals"] is not None
            ],
            "byes": one["byes"],
        }
        for one in state["rounds"]
    ]


def check_standings(state: Json) -> None:
    """The standings are those of the plain computation."""
    starts = {number: player["points"] for number, player in enumerate(state["players"])}
    keys, rows = plain_keys(starts, plainly(state)), state["standings"]
    assert [(row["rank"], row["player"]) for row in rows] == plain_standings(starts, plainly(state))
    for row in rows:
        found = [row[name] for name in ("points", "buchholz", "direct", "difference")]
        assert found == pytest.approx([float(key) for key in keys[row["player"]]], abs=0.01)


class Evening:
    """Fourteen devices that play whatever table is theirs."""

    def __init__(self, server: ServerProcess) -> None:
        self.server, self.dice = server, Random(23)
        self.host = Host(server.url, patience=LONG_PATIENCE, takes_part=False)
        self.players: list[RemotePlayer] = [
            self.host,
            *(
                RemotePlayer(server.url, patience=LONG_PATIENCE, takes_part=False)
                for _ in range(13)
            ),
        ]

    def names(self, state: Json, table: Json) -> list[str]:
        """The names at a table."""
        return [state["players"][player]["name"] for player in table["players"]]

    async def sit_down(self, table: Json) -> list[RemotePlayer]:
        """Start a table on screens; return its players, each of them a device."""
        seated = [self.players[number] for number in table["players"]]
        await seated[0].start(table["id"])
        for player in seated:
            await player.enter(table["id"])
        return seated

    async def play(self, tables: list[Json]) -> list[asyncio.Task[None]]:
        """Begin to play tables on screens; return what ends with them."""
        seated = await asyncio.gather(*map(self.sit_down, tables))

        def choose(choices: list[Choice], _: State) -> str:
            # Whoever can lay a tile does, so that rounds are short.
            placements = [one for one in choices if one.points is not None and one.points > 0]
            return self.dice.choice(placements or choices).move

        return [
            asyncio.create_task(play_bot(player, choose))
            for players in seated
            for player in players
        ]

    async def play_round(self, number: int) -> Json:
        """Begin a round, and play all its tables on screens."""
        state = await self.host.do("next_round", number=number)
        await asyncio.gather(*await self.play(state["rounds"][-1]["tables"]))
        return await self.host.wait_for(lambda state: len(results(state)) == count_tables(state))

    async def play_killed_round(self, number: int) -> Json:
        """A round with two tables of real tiles, during which the server is killed."""
        host = self.host
        await host.do("next_round", number=number)
        for table in (0, 1):
            await host.do("switch", table=table, tiles="real")
        state = await host.see()
        tables = state["rounds"][-1]["tables"]
        assert [table["tiles"] for table in tables] == ["real", "real"] + ["screen"] * 5
        await write_sheet(host, tables[0], self.names(state, tables[0]), [9, 12])
        playing = await self.play(tables[2:])
        before = await host.wait_for(lambda state: len(results(state)) >= count_tables(state) - 5)
        self.server.kill()
        await asyncio.to_thread(self.server.start)
        after = await host.see()
        assert results(before).items() <= results(after).items()
        assert after["players"] == before["players"]
        assert [one["byes"] for one in after["rounds"]] == [one["byes"] for one in before["rounds"]]
        await write_sheet(host, tables[1], self.names(state, tables[1]), [4, 11])
        await asyncio.gather(*playing)
        return await host.wait_for(lambda state: len(results(state)) == count_tables(state))


def count_tables(state: Json) -> int:
    """The tables of all rounds."""
    return sum(len(one["tables"]) for one in state["rounds"])


@in_loop
async def test_fourteen_play_four_rounds_through_a_kill(tmp_path: Path) -> None:
    """With a late comer, a drop-out, a bye, two tables of real tiles, and nothing lost."""
    async with AsyncExitStack() as stack:
        server = stack.enter_context(ServerProcess(tmp_path))
        evening = Evening(server)
        host = evening.host
        for player in evening.players:
            await stack.enter_async_context(player)
        club = await host.open(rounds=4)
        for number, player in enumerate(evening.players[:13]):
            assert (await join(player, club, f"Player {number}"))["you"] == number
        state = await evening.play_round(1)
        assert len(state["rounds"][0]["byes"]) == 1
        check_standings(state)

        assert (await join(evening.players[13], club, "Late"))["you"] == 13
        await host.do("grant", player=13, points=6)
        state = await evening.play_killed_round(2)
        sheets = [table for table in state["rounds"][1]["tables"] if table["tiles"] == "real"]
        assert [table["totals"] for table in sheets] == [[39, 12], [34, 11]]
        assert [table["source"] for table in sheets] == ["sheet", "sheet"]
        check_standings(state)
        await host.do("confirm", round=2, table=0)
        corrected = await host.do("result", round=2, table=1, totals=[20, 3])
        assert corrected["rounds"][1]["tables"][1]["winners"] == [0]
        check_standings(corrected)

        body = {"act": {"type": "leave", "player": 5}}
        await evening.players[5].request("POST", f"/api/clubs/{club}/acts", body)
        await evening.play_round(3)
        state = await evening.play_round(4)
        check_everybody(state)
        check_standings(state)
        closed = await host.do("close")
        assert closed["closed"]
        assert closed["standings"] == state["standings"]


def check_everybody(state: Json) -> None:
    """No pair met twice, nobody had two byes, and who had left was not paired."""
    rounds = state["rounds"]
    pairs = Counter(
        frozenset(pair)
        for one in rounds
        for table in one["tables"]
        for pair in combinations(table["players"], 2)
    )
    assert set(pairs.values()) == {1}
    byes = Counter(player for one in rounds for player in one["byes"])
    assert sorted(byes.values()) == [1, 1, 1]
    for number, (one, away) in enumerate(zip(rounds, [{13}, set(), {5}, {5}], strict=True)):
        seated = [player for table in one["tables"] for player in table["players"]]
        assert sorted([*seated, *one["byes"]]) == sorted(set(range(14)) - away), number


# --- What may go wrong ---------------------------------------------------------------------------


async def an_evening(served: Served, names: str = "Ann Ben Cyd Dan", **options: Any) -> Host:
    """An evening with people who came by the link, each with a device."""
    host = Host(served.url, patience=PATIENCE, takes_part=False)
    served.players.append(host)
    club = await host.open(**options)
    for name in names.split():
        await join(served.player(), club, name)
    return host


async def refused(host: Host, kind: str, **fields: Any) -> str:
    """The code with which an act is refused."""
    body = {"act": {"type": kind, **fields}, "secret": host.token}
    answer = await host._http.post(f"/api/clubs/{host.club}/acts", json=body)
    assert answer.status_code >= 400
    return str(answer.json()["code"])


@in_loop
async def test_only_the_host_leads_an_evening(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        host = await an_evening(served)
        ann = served.players[1]
        path = f"/api/clubs/{host.club}/acts"
        headers = {"authorization": f"Bearer {ann.secret}"}
        for act in (
            {"type": "next_round", "number": 1},
            {"type": "leave", "player": 1},
            {"type": "grant", "player": 0, "points": 24},
            {"type": "join", "name": "Eve", "here": False},
            {"type": "join", "name": "Eve", "points": 12},
            {"type": "result", "round": 1, "table": 0, "totals": [1, 2]},
            {"type": "confirm", "round": 1, "table": 0},
            {"type": "switch", "table": 0, "tiles": "real"},
            {"type": "close"},
        ):
            for secret in (None, "not-the-secret-of-the-host"):
                body = {"act": act, "secret": secret}
                answer = await served.http.post(path, json=body, headers=headers)
                assert (answer.status_code, answer.json()["code"]) == (403, "not_host"), act
        assert (await host.see())["rounds"] == []


@in_loop
async def test_what_makes_no_sense_at_an_evening_is_refused(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        host = await an_evening(served, "Ann Ben")
        assert await refused(host, "join", name="ANN", here=False) == "name_taken"
        assert await refused(host, "join", name="\u200b", here=False) == "bad_name"
        assert await refused(host, "leave", player=7) == "no_player"
        assert await refused(host, "return", player=0) == "present"
        assert await refused(host, "next_round", number=2) == "stale"
        assert await refused(host, "switch", table=0, tiles="real") == "no_club_table"
        assert await refused(host, "result", round=1, table=0, totals=[1, 2]) == "no_club_table"
        await host.do("next_round", number=1)
        assert await refused(host, "next_round", number=1) == "stale"
        assert await refused(host, "next_round", number=2) == "round_runs"
        assert await refused(host, "confirm", round=1, table=0) == "no_result"
        assert await refused(host, "result", round=1, table=0, totals=[1, 2, 3]) == "wrong_totals"
        assert (
            await refused(host, "result", round=1, table=0, totals=[1, 2], winners=[3]) == "wrong"
        )
        await host.do("result", round=1, table=0, totals=[1, 2])
        assert await refused(host, "switch", table=0, tiles="real") == "has_result"
        await host.do("leave", player=0)
        assert await refused(host, "next_round", number=2) == "alone"
        await host.do("close")
        assert await refused(host, "join", name="Eve", here=False) == "club_closed"
        host.club = "nobody"
        assert await refused(host, "close") == "no_club"
        answer = await served.http.post("/api/clubs", json={"name": "x", "rules": {"target": -1}})
        assert answer.status_code == 400


@in_loop
async def test_people_without_a_device_play_with_real_tiles(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        host = await an_evening(served, "Ann", seats=3)
        for name in ("Ben", "Cyd"):
            await host.do("join", name=name, here=False)
        state = await host.do("next_round", number=1)
        table = state["rounds"][0]["tables"][0]
        assert table["tiles"] == "real"
        assert await refused(host, "switch", table=0, tiles="screen") == "no_device"
        names = [state["players"][player]["name"] for player in table["players"]]
        await write_sheet(host, table, names, [5, 7, 6])
        state = await host.wait_for(results)
        assert state["rounds"][0]["tables"][0]["totals"] == [40, 7, 6]
        check_standings(state)
        # The sheet is corrected until the host has confirmed it.
        secret = table["path"].partition("#write=")[2]

        async def write(since: int, act: Json) -> None:
            body = {"secret": secret, "since": since, "acts": [act]}
            await host.request("POST", f"/api/pads/{table['id']}/acts", body)

        await write(
            5, {"do": "correct", "line": 1, "with": [{"do": "turn", "person": 0, "sum": 8}]}
        )
        await host.wait_for(lambda state: results(state) == {(0, 0): [43, 7, 6]})
        await host.do("confirm", round=1, table=0)
        await write(6, {"do": "undo"})
        state = await host.do("grant", player=0, points=1)
        assert results(state) == {(0, 0): [43, 7, 6]}


@in_loop
async def test_matches_end_by_themselves_after_a_number_of_rounds(tmp_path: Path) -> None:
    """On screens and on a pad; who is ahead then has won."""
    async with serving(tmp_path) as served:
        host = await an_evening(served, match_rounds=2)
        state = await host.do("next_round", number=1)
        await host.do("switch", table=0, tiles="real")
        pad, screen = (await host.see())["rounds"][0]["tables"]
        # The pad is set up without it, as one of another program may be.
        names = [state["players"][player]["name"] for player in pad["players"]]
        rules = Rules.read(state["options"]["rules"]).to_json()
        secret = pad["path"].partition("#write=")[2]
        left = [{"points": 0, "count": 0}, {"points": 5, "count": 1}]
        one_round: list[Json] = [
            {"do": "turn", "person": 0, "sum": 9},
            {"do": "out", "person": 0, "left": left},
        ]
        acts = [{"do": "setup", "rules": rules, "names": names}, *one_round, *one_round]
        for since, act in enumerate(acts):
            assert results(await host.see()) == {}, since
            body = {"secret": secret, "since": since, "acts": [act]}
            await host.request("POST", f"/api/pads/{pad['id']}/acts", body)
        await host.wait_for(lambda state: results(state) == {(0, 0): [78, 0]})

        seated = [served.players[1 + player] for player in screen["players"]]
        await seated[0].start(screen["id"])
        for player in seated:
            await player.enter(screen["id"])
        last = [False]

        def choose(choices: list[Choice], seen: State) -> str:
            assert seen.rounds == 2
            assert seen.round is not None
            assert seen.now is not None
            assert seen.now.is_last_round == (seen.round.number == 2)
            last.append(seen.now.is_last_round)
            return max(choices, key=lambda one: one.points or -99).move

        await asyncio.gather(*(play_bot(player, choose) for player in seated))
        state = await host.wait_for(lambda state: len(results(state)) == 2)
        check_standings(state)
        assert last[-1]
        table = (await served.hub.tables.open(screen["id"])).table
        assert table.state == "finished"
        record = await host.request("GET", f"/api/tables/{screen['id']}/record")
        assert len(record["rounds"]) == 2
        assert record["extra"]["scores"] == results(state)[0, 1] == record["rounds"][1]["scores"]
        # By its rules alone it is a match that has not been finished.
        assert "result" not in record
        match_from(record)


@pytest.mark.parametrize(
    ("rules", "rounds", "shown"),
    [
        ({"edition": "classic"}, 3, (5000, 3)),
        ({"edition": "casual"}, 3, (50, 3)),
        ({"edition": "classic", "target": 200}, 3, (200, 3)),
        ({"edition": "classic"}, 1, (None, None)),
        ({"edition": "classic"}, None, (None, None)),
    ],
)
def test_a_number_of_rounds_needs_a_target_that_nobody_meets(
    rules: Json, rounds: int | None, shown: tuple[int | None, int | None]
) -> None:
    options = with_an_end(ClubOptions("Friday", rules=rules, match_rounds=rounds))
    assert (Rules.read(options.rules).target, options.match_rounds) == shown


@in_loop
async def test_nothing_secret_is_told_at_an_evening(tmp_path: Path) -> None:
    """Not the racks or the seeds of its tables, nor what writes on a sheet, nor who a device is."""
    async with serving(tmp_path, seeds=("ab" * 32 for _ in range(9))) as served:
        host = await an_evening(served)
        await host.do("next_round", number=1)
        await host.do("switch", table=0, tiles="real")
        state = await host.see()
        screen = state["rounds"][0]["tables"][1]
        seated = served.players[1 + screen["players"][0]]
        await seated.start(screen["id"])
        await seated.enter(screen["id"])
        table = (await served.hub.tables.open(screen["id"])).table
        written = state["rounds"][0]["tables"][0]
        secret = written["path"].partition("#write=")[2]
        inside = served.players[1 + written["players"][0]]
        outside = await served.get(f"/api/clubs/{host.club}")
        for player, may in ((seated, False), (inside, True), (None, False)):
            headers = {} if player is None else {"authorization": f"Bearer {player.secret}"}
            told = await served.get(f"/api/clubs/{host.club}", headers=headers)
            assert (secret in told.text) == may
        for text in (outside.text, json.dumps(state)):
            assert host.token not in text
            assert "ab" * 32 not in text
            assert "rack" not in text.replace('"racks"', "")
            for player in served.players:
                assert str(player.secret) not in text
            for chair in table.chairs:
                assert not any(owner in text for owner in chair.owners)


@in_loop
async def test_all_who_watch_hear_of_every_change(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        host = await an_evening(served, "Ann")
        wire = await served.wire(path=f"/ws/clubs/{host.club}")
        await wire._find(lambda news: news["version"] == 2)
        await join(served.player(), host.club, "Ben")
        await wire._find(lambda news: news["version"] == 3)
        other = await served.wire(path="/ws/clubs/nobody")
        assert (await other.until_closed())[0] == 4404


@in_loop
async def test_whatever_is_sent_on_the_socket_of_an_evening_disturbs_nobody(
    tmp_path: Path,
) -> None:
    """Nothing is expected there: it is closed or ignored, and others go on hearing."""
    async with serving(tmp_path) as served:
        host = await an_evening(served, "Ann")
        path = f"/ws/clubs/{host.club}"
        listening = await served.wire(path=path)
        for garbage in (
            "",
            "{",
            "[]",
            '{"type":"join"}',
            "x" * 4000,
            b"\x00\xff" * 99,
            "\U0001f600",
        ):
            wire = await served.wire(path=path)
            with contextlib.suppress(ConnectionError):
                await wire.send(garbage)
                await wire.send(garbage)
        state = await join(served.player(), host.club, "Ben")
        await listening._find(lambda news: news["version"] == state["version"])
        assert [one["name"] for one in (await host.see())["players"]] == ["Ann", "Ben"]


@in_loop
async def test_evenings_have_budgets(tmp_path: Path) -> None:
    async with serving(tmp_path, club_acts_per_minute=40, clubs_per_address=2) as served:
        body = {"name": "Friday"}
        codes = [(await served.http.post("/api/clubs", json=body)).json() for _ in range(5)]
        assert [answer.get("code") for answer in codes[:3]] == [None, None, "too_many_clubs"]
        assert codes[4]["code"] == "too_fast"
        club = codes[0]["club"]
        act = {"act": {"type": "leave", "player": 0}}
        answers = [await served.http.post(f"/api/clubs/{club}/acts", json=act) for _ in range(9)]
        assert answers[-1].status_code == 429
        assert (await served.get(f"/api/clubs/{club}")).status_code == 200


@in_loop
async def test_a_damaged_evening_is_no_error_of_the_server(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        host = await an_evening(served, "Ann Ben")
        other = await an_evening(served, "Cyd Dan")
        for data in (b"{", b"\xff", b'{"type":"left","at":1,"player":9}', b'{"type":"opened"}'):
            with closing(sqlite3.connect(tmp_path / "tables.db")) as file, file:
                file.execute(
                    "DELETE FROM club_events WHERE club_id = ? AND version = 4", (host.club,)
                )
                file.execute("INSERT INTO club_events VALUES (?, 4, ?)", (host.club, data))
            answer = await served.get(f"/api/clubs/{host.club}")
            assert (answer.status_code, answer.json()["code"]) == (409, "damaged")
            assert await refused(host, "close") == "damaged"
        assert len((await other.see())["players"]) == 2
    [found] = check_database(tmp_path / "tables.db")
    assert (found.what, found.id) == ("evening", host.club)


@in_loop
async def test_old_evenings_are_forgotten(tmp_path: Path) -> None:
    log = await EventLog.open(tmp_path / "tables.db")
    store = ClubStore(log)
    await store.add("old", "here", b"{}", DAY)
    await store.add("new", "here", b"{}", 3 * DAY)
    assert await store.append("new", 2, b"[]", 3 * DAY)
    assert not await store.append("new", 2, b"{}", 3 * DAY)
    assert await store.forget(2 * DAY) == 1
    assert await store.events("old") == []
    assert await store.events("new") == [b"{}", b"[]"]
    assert await store.count("here", 2 * DAY) == 1
    await log.close()
