"""Analyses of matches that are over: made once for all who look, and never of what is secret."""

from __future__ import annotations

import asyncio
import json
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

from tests.server.harness import PATIENCE, Served, in_loop, serving, table_of_two
from tests.server.test_store import old_file
from triomino.analysis import review
from triomino.bots import LEVELS, simulate_match
from triomino.bots.levels import EFFORTS
from triomino.client import play_bot
from triomino.kernel import Effort
from triomino.record import match_from, record_of
from triomino.rules import CLASSIC, EDITIONS
from triomino.server.analyst import analyse
from triomino.server.retention import DAY

if TYPE_CHECKING:
    from pathlib import Path

JSON = {"content-type": "application/json"}
SMALL = {"edition": "classic", "racks": {"2": 3}}
"""A round that is soon over."""


@cache
def small_record(number: int = 0) -> dict[str, Any]:
    """A short match that no server has seen."""
    rules = CLASSIC.with_changes({"racks": {"2": 3}})
    return record_of(simulate_match(rules, ["greedy", "random"], seed=7, number=number))


async def finished_table(served: Served) -> str:
    """A table at which a short match was played."""
    two = await table_of_two(served, rules=SMALL)
    for one in (two.ann, two.ben):
        await one.enter(two.table)
    await asyncio.gather(*(play_bot(one, lambda c, _: c[0].move) for one in (two.ann, two.ben)))
    return two.table


async def until_done(served: Served, path: str) -> dict[str, Any]:
    """Look until nothing is under way; what it says in between goes on and on."""
    before = (0, 0)
    async with asyncio.timeout(3 * PATIENCE):
        while True:
            state: dict[str, Any] = (await served.get(path)).json()
            if state["state"] not in ("waiting", "running"):
                return state
            assert (state["total"], state["done"]) >= before
            before = (state["total"], state["done"])
            assert state["done"] <= state["total"]
            await asyncio.sleep(0.02)


# --- What is found -------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", EDITIONS)
def test_what_is_told_is_what_a_review_finds(edition: str) -> None:
    match = simulate_match(EDITIONS[edition], ["greedy", "random"], seed=3, number=1)
    effort = Effort(rollouts=800)
    found, told = review(match, effort), analyse(match, effort)
    for player, one in zip(found.players(), told.players, strict=True):
        assert (one.seat, one.decisions) == (player.seat, player.decisions)
        assert one.luck == pytest.approx(player.luck, abs=1e-3)
        assert one.lost == pytest.approx(player.lost * player.decisions, abs=1e-3)
        assert [one.inaccuracies, one.mistakes, one.blunders] == list(player.marks.values())
    for number, (game, whole) in enumerate(zip(match.rounds, told.rounds, strict=True)):
        assert len(whole.chances) == len(game.plies) + 1
        own = [each for each in found.decisions if each.round == number]
        assert [each.turn for each in own] == [move.turn for move in whole.moves]
        for each, move in zip(own, whole.moves, strict=True):
            assert move.mark == (each.mark and each.mark.value)
            assert move.best == str(each.best.move)
            # Only what has a mark is worth a reason.
            assert each.mark or not move.why
    said = any(move.why for one in told.rounds for move in one.moves)
    assert said or not match.rules.scoring


@in_loop
async def test_a_finished_match_is_analysed_once_and_kept(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        table = await finished_table(served)
        path = f"/api/tables/{table}/analysis"
        assert (await served.get(path)).json()["state"] == "none"
        answers = [(await served.http.post(path)).json() for _ in range(3)]
        assert {answer["state"] for answer in answers} <= {"waiting", "running"}
        state = await until_done(served, path)
        assert state["state"] == "done"
        [only] = state["result"]["rounds"]
        record = (await served.get(f"/api/tables/{table}/record")).json()
        assert len(only["chances"]) == len(record["rounds"][0]["turns"]) + 1
        assert [player["seat"] for player in state["result"]["players"]] == [0, 1]
        # Who asks again, or without any device, gets the same.
        assert (await served.http.post(path)).json() == state
        counters = (await served.get("/metrics")).text
        assert "triomino_analyses_total 1" in counters
        assert "triomino_analyses_under_way 0" in counters
    # It is there after a restart, and goes with its table.
    async with serving(tmp_path) as served:
        assert (await served.get(path)).json() == state
        await served.events.delete(table)
        assert (await served.app.state.analyses.look(table)).state == "none"


@in_loop
async def test_a_match_that_is_played_is_nobodys_to_see(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        two = await table_of_two(served)
        path = f"/api/tables/{two.table}/analysis"
        for answer in (await served.http.post(path), await served.get(path)):
            assert (answer.status_code, answer.json()["code"]) == (409, "not_finished")
        for answer in (await served.http.post("/api/tables/none/analysis"),):
            assert (answer.status_code, answer.json()["code"]) == (404, "no_table")


@in_loop
async def test_a_match_that_was_given_up_is_analysed(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        two = await table_of_two(served, rules=SMALL)
        await two.ann.enter(two.table)
        ben = await two.wire(1)
        said = await ben.ask(type="give_up", seat=1)
        assert said["type"] == "ack"
        path = f"/api/tables/{two.table}/analysis"
        await served.http.post(path)
        assert (await until_done(served, path))["state"] == "done"


@in_loop
async def test_a_match_of_an_old_data_file_is_analysed(tmp_path: Path) -> None:
    old_file(tmp_path / "tables.db")
    async with serving(tmp_path) as served:
        path = "/api/tables/old-finished/analysis"
        await served.http.post(path)
        state = await until_done(served, path)
        assert state["state"] == "done"
        assert len(state["result"]["rounds"]) == 2
        assert all(len(now) == 3 for one in state["result"]["rounds"] for now in one["chances"])


# --- Records from elsewhere ----------------------------------------------------------------------


@in_loop
async def test_a_record_is_analysed_and_forgotten(tmp_path: Path) -> None:
    async with serving(tmp_path, keep_finished=1000) as served:
        state = (await served.http.post("/api/analyses", json={"record": small_record()})).json()
        path = f"/api/analyses/{state['id']}"
        done = await until_done(served, path)
        expected = analyse(match_from(small_record()))
        assert [one["chances"] for one in done["result"]["rounds"]] == [
            one.chances for one in expected.rounds
        ]
        # An equal record is the same match, however it is written.
        turned = dict(reversed(small_record().items()))
        again = (await served.http.post("/api/analyses", json={"record": turned})).json()
        assert again == done
        # What a table has stays as long as the table; what came from elsewhere goes sooner.
        table = await finished_table(served)
        await served.http.post(f"/api/tables/{table}/analysis")
        await until_done(served, f"/api/tables/{table}/analysis")
        served.clock.at += 31 * DAY / 1000
        await served.hub.clean()
        assert (await served.get(path)).json()["state"] == "none"
        assert (await served.get(f"/api/tables/{table}/analysis")).json()["state"] == "done"


@in_loop
async def test_what_is_no_record_says_so(tmp_path: Path) -> None:
    bent = json.loads(json.dumps(small_record()))
    bent["rounds"][0]["turns"][0]["points"] += 1
    async with serving(tmp_path) as served:
        for record, why in (({}, "missing"), (bent, "points"), ({"format": 7}, "missing")):
            state = (await served.http.post("/api/analyses", json={"record": record})).json()
            done = await until_done(served, f"/api/analyses/{state['id']}")
            assert done["state"] == "failed"
            assert why in done["why"]
        assert "triomino_analyses_failed_total 3" in (await served.get("/metrics")).text
        answer = await served.http.post("/api/analyses", json={"record": [1]})
        assert answer.status_code == 400
        for text in ('{"record": {"a": 1%s}}' % ("0" * 400), '{"record": {"a": "\\ud800"}}'):
            answer = await served.http.post("/api/analyses", content=text, headers=JSON)
            assert answer.status_code in (400, 201)
        assert "triomino_errors_total 0" in (await served.get("/metrics")).text
        large = {"record": {"format": "x" * served.config.record_bytes}}
        assert (await served.http.post("/api/analyses", json=large)).status_code == 413
        answer = await served.get("/api/analyses/nothing")
        assert (answer.status_code, answer.json()["code"]) == (404, "no_analysis")


# --- How many ------------------------------------------------------------------------------------


@in_loop
async def test_only_so_many_at_once_and_so_many_of_one_address(tmp_path: Path) -> None:
    async with serving(tmp_path, analyses_per_hour=6) as served:
        asked = [
            await served.http.post("/api/analyses", json={"record": small_record(number)})
            for number in range(4)
        ]
        assert [answer.status_code for answer in asked] == [201, 201, 201, 429]
        assert asked[3].json()["code"] == "too_many_analyses"
        assert [answer.json()["ahead"] for answer in asked[:3]] == [0, 1, 2]
        paths = [f"/api/analyses/{answer.json()['id']}" for answer in asked[:3]]
        states = [(await served.get(path)).json()["state"] for path in paths]
        assert states.count("running") <= 1
        # What is under way or there may be asked for as often as one likes.
        again = await served.http.post("/api/analyses", json={"record": small_record(1)})
        assert again.status_code == 201
        for path in paths:
            assert (await until_done(served, path))["state"] == "done"


@in_loop
async def test_what_a_stop_interrupts_is_asked_for_again(tmp_path: Path) -> None:
    record = record_of(simulate_match(CLASSIC, ["greedy", "random"], seed=7, number=0))
    async with serving(tmp_path) as served:
        state = (await served.http.post("/api/analyses", json={"record": record})).json()
        path = f"/api/analyses/{state['id']}"
    async with serving(tmp_path) as served:
        assert (await served.get(path)).json()["state"] == "none"
        await served.http.post("/api/analyses", json={"record": record})
        assert (await until_done(served, path))["state"] == "done"


@in_loop
async def test_a_server_that_analyses_nothing_says_so(tmp_path: Path) -> None:
    async with serving(tmp_path, analyses_at_once=0) as served:
        answer = await served.http.post("/api/analyses", json={"record": small_record()})
        assert (answer.status_code, answer.json()["code"]) == (404, "no_analysis")


# --- Without a kernel ----------------------------------------------------------------------------


def test_without_a_kernel_levels_and_analyses_say_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("triomino.kernel.loader._why", "no C++ compiler was found")

    async def main() -> None:
        async with serving(tmp_path) as served:
            bots = (await served.get("/api/bots")).json()
            assert [bot["name"] for bot in bots] == list(LEVELS)
            for bot in bots:
                needs = bot["name"] in EFFORTS
                assert (bot["why_not"] is not None) == needs
                assert not needs or "no C++ compiler" in bot["why_not"]
            answer = await served.http.post("/api/analyses", json={"record": small_record()})
            assert (answer.status_code, answer.json()["code"]) == (409, "no_kernel")
            # Everything else works: a level that needs no kernel plays.
            table = await finished_table(served)
            assert (await served.get(f"/api/tables/{table}/analysis")).json()["state"] == "none"

    asyncio.run(main())


@in_loop
async def test_with_a_kernel_every_level_plays(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        bots = (await served.get("/api/bots")).json()
        assert all(bot["why_not"] is None for bot in bots)
