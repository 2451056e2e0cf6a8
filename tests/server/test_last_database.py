"""The database of the version before: every table goes on, and records verify."""

from __future__ import annotations

import json
from pathlib import Path
from shutil import copyfile
from typing import Any

import pytest

from tests.server.harness import FakeClock, in_loop, serving
from triomino.record import match_from, verify_deals
from triomino.server.checking import check_database

OLD = Path(__file__).parents[1] / "old"
TOLD: dict[str, Any] = json.loads((OLD / "server-0006.json").read_text("utf-8"))


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return Path(copyfile(OLD / "server-0006.sqlite3", tmp_path / "tables.db"))


@in_loop
async def test_every_table_goes_on(tmp_path: Path, database: Path) -> None:
    async with serving(tmp_path, clock=FakeClock(1_700_000_100.0)) as served:
        for name, about in TOLD["tables"].items():
            players = [served.player(secret) for secret in about["devices"]]
            for player in players:
                state = await player.enter(about["id"])
                assert (state.state, player.version) == (about["state"], about["version"]), name
                if about["totals"] is not None:
                    assert player.now is not None
                    assert list(player.now.totals) == about["totals"], name
            if about["state"] == "playing":
                mover = next(player for player in players if player.choices)
                await mover.move(mover.choices[0].move)
                assert mover.version > about["version"]
        assert TOLD["tables"]["open"]["id"] in {one["id"] for one in await players[0].lobby()}
        about = TOLD["tables"]["playing"]
        assert await served.player().claim(about["id"], about["link"]) == 1
        assert served.hub.metrics.errors == 0
    assert [one for one in check_database(database) if not one.harmless] == []


@in_loop
async def test_an_open_table_is_begun_and_played(tmp_path: Path, database: Path) -> None:
    async with serving(tmp_path, clock=FakeClock(1_700_000_100.0)) as served:
        about = TOLD["tables"]["open"]
        [secret] = about["devices"]
        ann, ben = served.player(secret), served.player()
        assert await ben.sit(about["id"], "Ben") == 1
        await ann.start(about["id"])
        for player in (ann, ben):
            await player.enter(about["id"])
            await player.until(lambda player=player: player.now is not None)  # type: ignore[misc]
        mover = ann if ann.choices else ben
        await mover.move(mover.choices[0].move)


@in_loop
async def test_what_was_over_is_as_it_was(tmp_path: Path, database: Path) -> None:
    async with serving(tmp_path, clock=FakeClock(1_700_000_100.0)) as served:
        about = TOLD["tables"]["finished"]
        record = (await served.get(f"/api/tables/{about['id']}/record")).json()
        assert record["rounds"] == about["record"]["rounds"]
        verify_deals(match_from(record))
        verify_deals(match_from(about["record"]))
        analysis = (await served.get(f"/api/tables/{about['id']}/analysis")).json()
        # Its numbers meant something else then; people may ask for a new one.
        assert analysis["state"] == "none"
        pad = TOLD["pad"]
        path = f"/api/pads/{pad['pad']}"
        assert (await served.get(path)).json()["acts"] == pad["acts"]
        body = {
            "secret": pad["secret"],
            "since": 2,
            "acts": [{"do": "turn", "person": 1, "sum": 7}],
        }
        assert (await served.http.post(f"{path}/acts", json=body)).json()["version"] == 3
