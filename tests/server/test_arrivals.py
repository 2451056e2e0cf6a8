"""Matches that began in a browser and are played on at the server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.server.harness import in_loop, seed, serving
from triomino import CLASSIC, Match, Player, Seeds
from triomino.client import RefusedByServer
from triomino.record import record_of

if TYPE_CHECKING:
    from pathlib import Path

OPTIONS: dict[str, Any] = {
    "seats": [{"kind": "here"}, {"kind": "bot", "bot": "easy", "name": "Ada"}],
    "rules": {"edition": "classic", "target": 60},
}


def begun(plies: int) -> tuple[Match, dict[str, Any]]:
    """A match as a browser plays it, and what it sends of it."""
    rules = CLASSIC.with_changes({"target": 60})
    match = Match.start(rules, [Player("Ann"), Player("Ada", "easy")], Seeds(seed(1), ("", "")))
    for _ in range(plies):
        if match.game.over:
            match.next_round()
        match.play(match.game.legal_moves()[0])
    return match, {
        "options": OPTIONS,
        "server_seed": seed(1),
        "names": ["Ann", "Ada"],
        "rounds": [[str(ply.move) for ply in game.plies] for game in match.rounds],
    }


@in_loop
async def test_a_match_goes_on_where_it_was_and_a_friend_comes_in(tmp_path: Path) -> None:
    match, arriving = begun(9)
    async with serving(tmp_path) as served:
        ann, ben = served.player(), served.player()
        await ann.introduce()
        made = await ann.request("POST", "/api/tables/arrivals", {**arriving, "friend": 1})
        state = await ann.enter(made["id"])
        assert state.you == [0]
        assert [chair.name for chair in state.seats] == ["Ann", "Ada"]
        assert state.round is not None
        assert [ply.move for ply in state.round.turns] == arriving["rounds"][-1]
        assert state.racks["0"] == [*map(str, match.game.racks[0])]
        assert "1" not in state.racks  # it is the friend's, and nobody else's
        secret = made["path"].partition("#seat=")[2]
        assert await ben.claim(made["id"], secret) == 1
        theirs = await ben.enter(made["id"])
        assert (theirs.you, list(theirs.racks)) == ([1], ["1"])
        thief = served.player()
        with pytest.raises(RefusedByServer) as caught:
            await thief.claim(made["id"], secret)
        assert caught.value.code == "wrong_link"


@in_loop
async def test_what_is_no_running_match_is_refused(tmp_path: Path) -> None:
    match, arriving = begun(9)
    while not match.over:
        if match.game.over:
            match.next_round()
        match.play(match.game.legal_moves()[0])
    whole = [[turn["move"] for turn in one["turns"]] for one in record_of(match)["rounds"]]
    wrong: dict[str, dict[str, Any]] = {
        "is_finished": {"rounds": whole},
        "wrong": {"rounds": [["pass"] * 3]},
        "no_seat": {"friend": 4},
        "no_people": {"friend": 0},
        "bad_name": {"names": ["Ann", "Ann"]},
        "round_running": {"rounds": [*arriving["rounds"], []]},
        "unknown_bot": {"options": {**OPTIONS, "seats": [{"kind": "here"}, {"kind": "bot"}]}},
        "http": {"server_seed": "x"},
    }
    async with serving(tmp_path) as served:
        ann = served.player()
        await ann.introduce()
        for code, change in wrong.items():
            with pytest.raises(RefusedByServer) as caught:
                await ann.request("POST", "/api/tables/arrivals", {**arriving, **change})
            assert caught.value.code == code
        assert (await served.get("/api/tables")).json() == []
