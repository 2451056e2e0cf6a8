"""The database of the version before: it opens, and every table and sheet goes on as it was."""

from __future__ import annotations

import asyncio
import json
import logging
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from shutil import copyfile
from typing import TYPE_CHECKING, Any

import pytest

from tests.server.harness import FakeClock, Served, in_loop, serving
from triomino.claims import Case, judge_deals
from triomino.client.player import RefusedByServer, play_bot
from triomino.fair import Seeds
from triomino.legacy import bot_1, pad_act_1, rules_1
from triomino.pad import ScorePad, act_from_json
from triomino.reading import Node
from triomino.record import match_from, verify_deals
from triomino.rules import EDITIONS, Rules
from triomino.server.events import BotTook, Created, decode
from triomino.store.failure import StoreError
from triomino.store.log import EventLog
from triomino.store.upgrade import newest_revision

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    from triomino.client import RemotePlayer
    from triomino.protocol.messages import Choice, State

OLD = Path(__file__).parent.parent / "old"
TOLD: dict[str, Any] = json.loads((OLD / "server.json").read_text("utf-8"))
TABLES: dict[str, Any] = TOLD["tables"]
SHORTLY_AFTER = 1_794_852_740.0
"""When the old server had just stopped."""


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return Path(copyfile(OLD / "server.sqlite3", tmp_path / "tables.db"))


def later(folder: Path, **settings: Any) -> AbstractAsyncContextManager[Served]:
    """The server of today, a moment after the old one stopped."""
    return serving(folder, clock=FakeClock(SHORTLY_AFTER), **settings)


def content(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Every row that a database holds."""
    names = ("alembic_version", "tables", "events", "pads", "pad_acts", "analyses")
    with closing(sqlite3.connect(path)) as database:
        return {name: sorted(database.execute(f"SELECT * FROM {name}")) for name in names}  # noqa: S608


async def bring_up_to_date(path: Path) -> None:
    await (await EventLog.open(path)).close()


def device(served: Served, table: str, name: str) -> RemotePlayer:
    """A player with the device that somebody had at an old table."""
    assert name in TABLES[table]["devices"]
    return served.player(TOLD["devices"][name])


async def sit_down(served: Served, table: str) -> list[RemotePlayer]:
    """Everybody who has a seat at an old table, with the first of their devices."""
    players: list[RemotePlayer] = []
    seats: set[int] = set()
    for name, theirs in TABLES[table]["devices"].items():
        if not seats.issuperset(theirs):
            players.append(device(served, table, name))
            seats.update(theirs)
            await players[-1].enter(TABLES[table]["id"])
    return players


def first_choice(choices: list[Choice], _: State) -> str:
    return choices[0].move


# --- What was told is told again -----------------------------------------------------------------


@in_loop
async def test_every_table_is_as_the_old_server_told_it(tmp_path: Path, database: Path) -> None:
    async with later(tmp_path) as served:
        for name, about in TABLES.items():
            players = await sit_down(served, name)
            states = [player.state for player in players]
            racks: dict[str, list[str]] = {}
            for state in states:
                assert state is not None
                _is_as_told(state, about)
                racks |= state.racks
            told = about.get("racks", {})  # Cid was away, and told nothing
            assert {seat: racks[seat] for seat in told} == told, name
            choices = [one.move for player in players for one in player.choices]
            assert choices == about.get("choices", []), name
        assert [table["id"] for table in await players[0].lobby()] == TOLD["lobby"]


def _is_as_told(state: State, about: dict[str, Any]) -> None:
    assert (state.table, state.state) == (about["id"], about["state"])
    assert state.version == about["version"]
    assert state.rules == rules_1(about["rules"]).changes
    assert state.rematch == about.get("rematch")
    for seat, then in zip(state.seats, about["seats"], strict=True):
        old = then.get("bot")
        assert seat.kind == then["kind"]
        assert seat.bot == (old and bot_1(old))
        assert seat.is_free is then.get("is_free", False)
        took = then.get("substitute")
        assert seat.substitute == (took and bot_1(took))
        # Whom nobody gave a name is called by the level, which has another name now.
        made_up = old is not None and then["name"] == old.capitalize()
        assert seat.name == (bot_1(old).capitalize() if made_up else then.get("name"))
        assert seat.is_made_up is made_up or seat.kind == "person"
    if "now" not in about:
        assert state.now is None
        return
    now, then = state.now, about["now"]
    assert now is not None
    assert state.round is not None
    assert (state.round.number, len(state.round.turns)) == (about["round"], about["turns_in_round"])
    assert [past.totals for past in state.past] == about["past_totals"]
    for key in ("turn", "rack_sizes", "pool_size", "draws", "is_last_round"):
        assert getattr(now, key) == then[key], key
    # In a series the round that ended it counts at once now, as it did in the result.
    assert now.totals == (about["result"]["scores"] if "result" in about else then["totals"])
    assert (now.end is None) == ("end" not in then)
    if now.end is not None:
        assert (now.end.reason, now.end.seats, now.end.points) == (
            *(then["end"][key] for key in ("reason", "seats", "points")),
        )
    last = [
        {"seat": turn.seat, "move": turn.move, "points": turn.points}
        | ({"by_bot": True} if turn.by_bot else {})
        for turn in state.round.turns
    ]
    assert last[-len(about["last_turns"]) :] == about["last_turns"]
    result = state.result and {"scores": state.result.scores, "winners": state.result.winners}
    assert result == about.get("result")


@in_loop
async def test_records_of_finished_tables_verify(tmp_path: Path, database: Path) -> None:
    async with later(tmp_path) as served:
        over = [about for about in TABLES.values() if "result" in about]
        assert len(over) == 3
        for about in over:
            record = await served.player().record(about["id"])
            assert record["format"] == "triomino-record/2"
            match = match_from(record)
            verify_deals(match)
            assert match.rules == rules_1(about["rules"])
            assert list(match.scores) == about["result"]["scores"]
            assert list(match.winners) == about["result"]["winners"]


@in_loop
async def test_the_rule_book_of_an_old_table_shows_its_own_rules(
    tmp_path: Path, database: Path
) -> None:
    async with later(tmp_path) as served:
        changed = {}
        for name in ("mid_turn", "card"):
            path = f"/api/tables/{TABLES[name]['id']}/rules"
            book = (await served.get(path)).json()
            changed[name] = [
                line["key"]
                for chapter in book["chapters"]
                for line in chapter["lines"]
                if line["changed"]
            ]
        assert any("draw" in key for key in changed["mid_turn"]), changed
        assert changed["card"] == []


@in_loop
async def test_an_old_analysis_is_not_shown_since_its_numbers_meant_something_else(
    tmp_path: Path, database: Path
) -> None:
    async with later(tmp_path) as served:
        state = (await served.get(f"/api/tables/{TOLD['analysis']['id']}/analysis")).json()
        assert state["state"] == "none"


# --- People play on by the rules they began with -------------------------------------------------


@in_loop
async def test_who_was_drawing_though_able_draws_on_and_may_end(
    tmp_path: Path, database: Path
) -> None:
    async with later(tmp_path) as served:
        ann, ben = await sit_down(served, "mid_turn")
        await ann.move("draw")
        assert ann.now is not None
        assert (ann.now.turn, ann.now.draws, ann.now.totals) == (0, 3, [-8, 21])
        moves = [one.move for one in ann.choices]
        assert "draw" not in moves
        assert {"end", "U(0,-1)=0-1-1"} <= set(moves)
        await ann.move("end")
        await ben.until(lambda: ben.now is not None and ben.now.turn == 1)
        assert ann.now.totals == [-18, 21]
        await asyncio.gather(*(play_bot(one, first_choice) for one in (ann, ben)))
        match = match_from(await ann.record(TABLES["mid_turn"]["id"]))
        assert judge_deals(match).case is Case.OLD  # fair/1 to its end
        assert ann.state is not None
        assert ann.state.fair.algorithm == "fair/1"
        assert isinstance(match.seeds, Seeds)
        assert ann.state.fair.player_seeds == list(match.seeds.players)
        assert match.rules == rules_1({"edition": "classic", "target": 400})
        assert max(match.scores) > 400


@in_loop
async def test_a_house_rule_of_then_is_one_of_now(tmp_path: Path, database: Path) -> None:
    """Who had drawn once, by a house rule that is today's rule, has to place."""
    async with later(tmp_path) as served:
        _, ben = await sit_down(served, "house_first_only")
        with pytest.raises(RefusedByServer) as caught:
            await ben.move("draw")
        assert caught.value.code == "must_place"
        await ben.move("D(-1,0)=1-2-4")


@in_loop
async def test_an_old_match_with_house_rules_is_played_to_its_end(
    tmp_path: Path, database: Path
) -> None:
    async with later(tmp_path) as served:
        (ann,) = await sit_down(served, "house")
        await play_bot(ann, first_choice)
        match = match_from(await ann.record(TABLES["house"]["id"]))
        verify_deals(match)
        assert match.rules == rules_1(TABLES["house"]["rules"])
        assert [player.bot for player in match.players] == [None, "easy"]
        # Another match with the same people has the same rules.
        again = await ann.rematch(TABLES["house"]["id"])
        assert (await ann.enter(again)).rules == match.rules.changes


@in_loop
async def test_a_rematch_by_todays_rules(tmp_path: Path, database: Path) -> None:
    async with later(tmp_path) as served:
        ann = device(served, "finished_400", "Ann")
        table = await ann.rematch(TABLES["finished_400"]["id"], rules={"edition": "classic"})
        created = decode((await served.log(table))[0])
        assert isinstance(created, Created)
        assert Rules.from_json(created.options.rules) == EDITIONS["classic"]
        assert (await ann.enter(table)).rules == {"edition": "classic"}


@pytest.mark.parametrize("name", ["levels_low", "levels_high", "levels_six", "card", "hebrew"])
@in_loop
async def test_bots_of_old_levels_move(tmp_path: Path, database: Path, name: str) -> None:
    async with later(tmp_path) as served:
        (ann,) = await sit_down(served, name)
        assert ann.state is not None
        bots = {seat for seat, one in enumerate(ann.state.seats) if one.kind == "bot"}
        begun = len(ann.turns)

        def moved() -> set[int]:
            return {turn.seat for turn in ann.turns[begun:]}

        while not bots <= moved() and ann.now is not None and ann.now.end is None:
            if ann.choices:
                await ann.move(ann.choices[0].move)
            else:
                await ann.next_change()
        assert moved() & bots


@in_loop
async def test_the_substitute_plays_on_and_goes_when_its_person_comes(
    tmp_path: Path, database: Path
) -> None:
    async with later(tmp_path) as served:
        ann, ben = await sit_down(served, "substitute_left")
        begun = len(ann.turns)
        while not any(turn.seat == 1 for turn in ann.turns[begun:]):
            if ann.choices:
                await ann.move(ann.choices[0].move)
            else:
                await ann.next_change()
        assert all(turn.by_bot for turn in ann.turns[begun:] if turn.seat == 1)
        await ann.until(lambda: bool(ann.choices))
        await ben.until(lambda: ben.version == ann.version)
        await ben.come_back(1)
        await ann.until(lambda: ann.version == ben.version)
        assert ann.state is not None
        assert ann.state.seats[1].substitute is None
        # Who leaves now is replaced by a bot of today.
        await ben.leave(TABLES["substitute_left"]["id"], 1)
        took = decode((await served.log(TABLES["substitute_left"]["id"]))[-1])
        assert isinstance(took, BotTook)
        assert took.bot == "easy"


@in_loop
async def test_an_open_table_of_then_is_begun(tmp_path: Path, database: Path) -> None:
    async with later(tmp_path) as served:
        table = TABLES["open"]["id"]
        ann, dora = device(served, "open", "Ann"), served.player()
        assert await dora.sit(table, "Dora") == 1
        await ann.start(table)
        state = await ann.enter(table)
        assert state.rules["voluntary_draw"] == "always"
        assert [seat.bot for seat in state.seats] == [None, None, "hard"]


@in_loop
async def test_an_old_link_opens_its_seat(tmp_path: Path, database: Path) -> None:
    async with later(tmp_path) as served:
        about = TABLES["running_two"]
        assert await served.player().claim(about["id"], about["claim_secret"]) == 1


# --- Live sheets ---------------------------------------------------------------------------------


@in_loop
async def test_live_sheets_go_on(tmp_path: Path, database: Path) -> None:
    async with later(tmp_path) as served:
        for about in TOLD["pads"].values():
            path = f"/api/pads/{about['id']}"
            acts = (await served.get(path)).json()["acts"]
            assert acts == [pad_act_1(act) for act in about["acts"]]
            pad = ScorePad(tuple(act_from_json(Node(act)) for act in acts))
            ledger, sheet = pad.sheet.ledger, about["sheet"]
            assert ledger.rules == rules_1(sheet["rules"])
            assert list(ledger.totals) == sheet["totals"]
            assert list(ledger.winners) == sheet["winners"]
            assert list(ledger.leaders) == sheet["leaders"]
            assert ledger.is_last_round is sheet["is_last_round"]
            assert ledger.is_over is sheet["is_over"]
            assert (pad.sheet.next, ledger.round) == (sheet["next"], sheet["round"])
            # The phone that writes goes on, and may send all of it again.
            turn = {"do": "turn", "person": pad.sheet.next, "sum": 7}
            for since, sent in ((len(acts), [turn]), (0, [*acts, turn])):
                body = {"secret": about["secret"], "since": since, "acts": sent}
                answer = await served.http.post(f"{path}/acts", json=body)
                assert answer.json()["version"] == len(acts) + 1


# --- The step itself -----------------------------------------------------------------------------


def test_only_what_names_rules_or_levels_is_rewritten(database: Path) -> None:
    before = content(database)
    asyncio.run(bring_up_to_date(database))
    after = content(database)
    assert before["alembic_version"] == [("0005",)]
    assert after["alembic_version"] == [(newest_revision(),)]
    for name in ("tables", "pads", "analyses"):
        assert after[name] == before[name]
    rewritten = {"created": 0, "bot_took": 0, "setup": 0, "correct": 0}
    for name in ("events", "pad_acts"):
        for (*key, old), (*same, new) in zip(before[name], after[name], strict=True):
            assert key == same
            data = json.loads(old)
            kind = data.get("type") or data.get("do")
            if old == new:
                assert kind not in ("created", "setup")
                assert "rules" not in str(data)
                continue
            rewritten[kind] += 1
            # As it is stored today: in the same order, without a space.
            assert (
                new
                == json.dumps(json.loads(new), ensure_ascii=False, separators=(",", ":")).encode()
            )
            assert list(json.loads(new)) == list(data)
    assert rewritten == {"created": len(TABLES), "bot_took": 2, "setup": 2, "correct": 1}
    for _, version, data in after["events"]:
        if version == 1:
            created = decode(data)
            assert isinstance(created, Created)
            Rules.from_json(created.options.rules)


def test_a_database_of_today_is_left_alone(database: Path) -> None:
    asyncio.run(bring_up_to_date(database))
    once = content(database)
    asyncio.run(bring_up_to_date(database))
    assert content(database) == once
    levels = [
        seat["bot"]
        for _, version, data in once["events"]
        if version == 1
        for seat in json.loads(data)["options"]["seats"]
        if seat["bot"]
    ]
    # An old master is an expert, and stays one.
    assert levels.count("expert") == 2
    assert levels.count("hard") == 3


def test_a_step_that_fails_leaves_nothing_behind(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = content(database)

    def fail(_: object) -> None:
        raise RuntimeError("no more")

    # The last thing that is rewritten: tables are done by then.
    with monkeypatch.context() as patch:
        patch.setattr("triomino.legacy.pad_act_1", fail)
        with pytest.raises(StoreError, match="cannot be brought up to date: no more"):
            asyncio.run(bring_up_to_date(database))
    assert content(database) == before
    asyncio.run(bring_up_to_date(database))
    assert content(database)["alembic_version"] == [(newest_revision(),)]


DIE = """
import asyncio, os, signal, sys
import triomino.legacy
from triomino.store.log import EventLog

def die(act):
    os.kill(os.getpid(), signal.SIGKILL)

triomino.legacy.pad_act_1 = die
asyncio.run(EventLog.open(sys.argv[1]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_a_server_that_is_killed_in_the_middle_leaves_nothing_behind(database: Path) -> None:
    before = content(database)
    run = subprocess.run([sys.executable, "-c", DIE, str(database)], check=False, timeout=60)
    assert run.returncode == -signal.SIGKILL
    assert content(database) == before
    asyncio.run(bring_up_to_date(database))
    assert content(database)["alembic_version"] == [(newest_revision(),)]


def test_many_tables_are_brought_up_to_date_in_batches(database: Path) -> None:
    """More than a batch of events, several to a table, and none is left out or done twice."""
    copies = 600
    before = content(database)
    substituted = TABLES["substitute_left"]["id"]
    with closing(sqlite3.connect(database)) as file:
        for copy in range(copies):
            for table, version, data in before["events"]:
                if table == substituted:
                    values = (f"copy-{copy:04}", version, data)
                    file.execute("INSERT INTO events VALUES (?, ?, ?)", values)
        file.commit()
    asyncio.run(bring_up_to_date(database))
    after = content(database)["events"]
    wanted = [data for table, _, data in after if table == substituted]
    assert b'"bot":"medium"' in wanted[0]
    for copy in range(0, copies, 7):
        assert [data for table, _, data in after if table == f"copy-{copy:04}"] == wanted


DAMAGES = {
    "no JSON": b'{"type":"created","options":{',
    "no UTF-8": b'{"type":"created","options":"\xff"}',
    "no edition of then": b'{"type":"created","options":{"seats":[],"rules":{"edition":"x"}}}',
    "no options": b'{"type":"created"}',
    "a list of rules": b'{"type":"created","options":{"seats":[],"rules":[]}}',
    "seats that are none": b'{"type":"created","options":{"seats":[1],"rules":{}}}',
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_table_does_not_stop_the_server(
    tmp_path: Path, database: Path, damage: str, caplog: pytest.LogCaptureFixture
) -> None:
    hurt = TABLES["open"]["id"]  # a listed one: the lobby comes across it
    with closing(sqlite3.connect(database)) as file:
        file.execute(
            "UPDATE events SET data = ? WHERE table_id = ? AND version = 1", (DAMAGES[damage], hurt)
        )
        file.execute("UPDATE pad_acts SET data = ? WHERE number = 9", (b'{"do":"correct"}',))
        file.commit()

    async def main() -> None:
        async with later(tmp_path) as served:
            ann = device(served, "open", "Ann")
            assert await ann.lobby() == []
            with pytest.raises(RefusedByServer) as caught:
                await ann.request("GET", f"/api/tables/{hurt}")
            assert caught.value.code == "damaged"
            assert hurt in caught.value.detail
            (one,) = await sit_down(served, "hebrew")
            await one.move(one.choices[0].move)

    with caplog.at_level(logging.WARNING, "triomino.server"):
        asyncio.run(main())
    facts = [getattr(record, "facts", {}) for record in caplog.records]
    assert {"table": hurt, "number": 1} in [
        {key: value for key, value in one.items() if key != "error"} for one in facts
    ]
    assert any(one.get("pad") == TOLD["pads"]["classic"]["id"] for one in facts)
    kept = {(table, version): data for table, version, data in content(database)["events"]}
    assert kept[hurt, 1] == DAMAGES[damage]
