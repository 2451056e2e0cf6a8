"""Between strangers: mute, block, report; and what the host can do about it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from tests.server.harness import in_loop, serving, table_of_two
from tests.server.test_people import new, profile, refused
from triomino.protocol.api import SeatPlan, TableOptions
from triomino.server.credentials import digest
from triomino.server.host_key import first_host_key, new_host_key

if TYPE_CHECKING:
    from pathlib import Path

    import httpx

    from tests.server.harness import Served


async def as_host(
    served: Served, method: str, path: str, key: str, body: Any = None
) -> httpx.Response:
    """Send a request with a host's key."""
    headers = {"x-host-key": key}
    return await served.http.request(method, f"/api/host{path}", json=body, headers=headers)


@in_loop
async def test_blocked_people_are_a_pair_and_muting_is_ones_own(tmp_path: Path) -> None:
    async with serving(tmp_path, open=True) as served:
        two = await table_of_two(served)
        ann, ben = await profile(two.ann, "Ann"), await profile(two.ben, "Ben")
        here = f"/api/tables/{two.table}/people"
        await two.ann.request("PUT", f"{here}/1/block")
        await two.ann.request("PUT", f"{here}/1/mute")
        pairs = await served.hub.people.store.blocked_pairs([ann["id"], ben["id"]])
        assert pairs == {frozenset((ann["id"], ben["id"]))}
        seats = await two.ann.request("GET", here)
        assert [(one["seat"], one["is_you"], one["marks"]) for one in seats] == [
            (0, True, []),
            (1, False, ["block", "mute"]),
        ]
        assert all(not one["marks"] for one in await two.ben.request("GET", here))
        assert await two.ben.request("GET", "/api/me/marks") == []
        [first, _] = await two.ann.request("GET", "/api/me/marks")
        assert (first["name"], first["kind"]) == ("Ben", "block")
        await two.ann.request("DELETE", f"/api/me/marks/{ben['id']}/block")
        assert len(await two.ann.request("GET", "/api/me/marks")) == 1


@in_loop
async def test_only_those_at_the_table_see_and_report_each_other(tmp_path: Path) -> None:
    async with serving(tmp_path, open=True) as served:
        two, eve = await table_of_two(served), await new(served)
        for player, name in ((two.ann, "Ann"), (two.ben, "Ben"), (eve, "Eve")):
            await profile(player, name)
        report = {"seat": 1, "reason": "name"}
        path = f"/api/tables/{two.table}"
        assert await refused(eve.request("GET", f"{path}/people")) == "not_seated"
        assert await refused(eve.request("POST", f"{path}/reports", report)) == "not_seated"
        own = two.ben.request("POST", f"{path}/reports", report)
        assert await refused(own) == "no_person"
        odd = two.ann.request("POST", f"{path}/reports", {"seat": 1, "reason": "he is rude"})
        assert await refused(odd) == "http"  # no free text
        for _ in range(3):
            await two.ann.request("POST", f"{path}/reports", report)
        assert len(await served.hub.people.decency.reports()) == 1
        for number in range(19):
            await served.hub.people.decency.report(
                (await served.hub.people.store.people_of([digest(str(two.ann.secret))]))[
                    digest(str(two.ann.secret))
                ].id,
                "x",
                f"t{number}",
                0,
                "other",
            )
        more = two.ann.request("POST", f"{path}/reports", {"seat": 1, "reason": "other"})
        assert await refused(more) == "too_many_reports"


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "", None),
        ("POST", "/tables/table1/close", None),
        ("DELETE", "/tables/table1/seats/0/name", None),
        ("DELETE", "/people/x/name", None),
        ("POST", "/reports/x/handled", None),
        ("POST", "/bans", {"kind": "person", "hours": 1, "person": "x"}),
        ("DELETE", "/bans/person/x", None),
    ],
)
@in_loop
async def test_without_the_key_the_host_s_page_says_nothing(
    tmp_path: Path, method: str, path: str, body: Any
) -> None:
    async with serving(tmp_path, open=True) as served:
        two = await table_of_two(served)
        await profile(two.ann, "Ann")
        good = await new_host_key(served.events, 1)
        old, good = good, await new_host_key(served.events, 2)
        said = set()
        for key in ("", "guess", old, good[:-1], digest(good)):
            answer = await as_host(served, method, path, key, body)
            assert answer.status_code == 403
            said.add(answer.text)
        assert len(said) == 1
        assert "Ann" not in said.pop()
        assert (await served.hub.look(two.table)).state == "playing"
        assert await first_host_key(served.events, 3) is None
        assert good.encode() not in (tmp_path / "tables.db").read_bytes()


@in_loop
async def test_a_closed_server_has_no_page_for_its_host(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        key = await new_host_key(served.events, 1)
        answer = await as_host(served, "GET", "", key)
        assert (answer.status_code, answer.json()["code"]) == (404, "not_open")


@in_loop
async def test_keys_are_not_guessed_for_long(tmp_path: Path) -> None:
    async with serving(tmp_path, open=True, sign_ins_per_minute=2) as served:
        key = await new_host_key(served.events, 1)
        codes = [(await as_host(served, "GET", "", "guess")).status_code for _ in range(3)]
        assert codes == [403, 429, 429]
        assert (await as_host(served, "GET", "", key)).status_code == 200


@in_loop
async def test_the_host_closes_renames_and_bans(tmp_path: Path) -> None:
    async with serving(tmp_path, open=True) as served:
        two = await table_of_two(served)
        await two.ben.enter(two.table)
        ben = await profile(two.ben, "Rude")
        await profile(two.ann, "Ann")
        report = {"seat": 1, "reason": "name"}
        await two.ann.request("POST", f"/api/tables/{two.table}/reports", report)
        await two.ben.enter(two.table)
        key = await new_host_key(served.events, 1)
        seen = (await as_host(served, "GET", "", key)).json()
        assert [one["name"] for one in seen["reports"]] == ["Rude"]
        assert seen["tables"][0]["people"][1] == ben["id"]
        await as_host(served, "DELETE", f"/people/{ben['id']}/name", key)
        state = await two.ann.enter(two.table)
        assert state.seats[1].name == "Player 2"
        assert (await two.ben.request("GET", "/api/me"))["profile"]["name"] == "Player"
        handled = f"/reports/{seen['reports'][0]['id']}/handled"
        assert (await as_host(served, "POST", handled, key)).status_code == 201
        ban = {"kind": "person", "hours": 1, "person": ben["id"]}
        wire = await served.wire_at(two.table, two.ben.secret)
        assert (await as_host(served, "POST", "/bans", key, ban)).status_code == 201
        assert (await wire.hear("bye"))["code"] == "removed"
        assert await refused(two.ben.request("GET", "/api/me")) == "banned"
        assert (await as_host(served, "DELETE", f"/bans/person/{ben['id']}", key)).is_success
        await two.ben.request("GET", "/api/me")
        assert (await as_host(served, "POST", "/bans", key, ban)).is_success
        served.clock.at += 3601
        await two.ben.request("GET", "/api/me")
        await as_host(served, "POST", f"/tables/{two.table}/close", key)
        assert (await served.hub.look(two.table)).state == "closed"


@in_loop
async def test_no_client_says_that_a_table_is_for_strangers(tmp_path: Path) -> None:
    async with serving(tmp_path, open=True) as served:
        ann, ben = await new(served), await new(served)
        seats = [{"kind": "here", "name": "Ann"}, {"kind": "bot", "bot": "easy"}]
        body = {"seats": seats, "strangers": True}
        assert await refused(ann.request("POST", "/api/tables", body)) == "http"
        plans = (SeatPlan("link", name="Ann"), SeatPlan("link", name="Ben"))
        owners = [digest(str(ann.secret)), digest(str(ben.secret))]
        table = await served.hub.create_for_strangers(TableOptions(plans), owners, "")
        assert table.strangers
        await ben.start(table.id)
        state = await ann.enter(table.id)
        assert (state.you, state.strangers) == ([0], True)
        assert msgspec.to_builtins(state)["seats"][1]["name"] == "Ben"
