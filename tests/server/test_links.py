"""Links that move a seat to another device, and the secrets of devices."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.server.harness import in_loop, serving, table_of_two
from triomino.client import RefusedByServer
from triomino.server.built_page import page_folder
from triomino.server.credentials import COOKIE

if TYPE_CHECKING:
    from pathlib import Path

    from triomino.client import RemotePlayer


@in_loop
async def test_a_link_works_once_and_only_taking_the_seat_uses_it_up(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        two = await table_of_two(served)
        made = await two.ben.request("POST", f"/api/tables/{two.table}/seats/1/links")
        # Opening it, or a preview of it, however often.
        for _ in range(3):
            assert (await served.get(f"/t/{two.table}")).status_code in (200, 404)
            assert (await served.get(f"/api/tables/{two.table}")).status_code == 200
            assert (await served.get(f"/api/tables/{two.table}/claims")).status_code == 405
        # Nor does Ben, who tries it where the seat is already.
        assert await two.ben.claim(two.table, made["secret"]) == 1
        phone, thief = served.player(), served.player()
        assert await phone.claim(two.table, made["secret"]) == 1
        version = two.version
        assert await phone.claim(two.table, made["secret"]) == 1  # the answer was lost: ask again
        assert two.version == version
        with pytest.raises(RefusedByServer) as caught:
            await thief.claim(two.table, made["secret"])
        assert caught.value.code == "wrong_link"
        state = await thief.enter(two.table)
        assert (state.you, state.racks) == ([], {})
        assert (await phone.enter(two.table)).you == [1]


@in_loop
async def test_a_link_can_be_withdrawn(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        two = await table_of_two(served)
        link = await two.ben.link(two.table, 1)
        with pytest.raises(RefusedByServer) as caught:
            await two.ann.withdraw_link(two.table, 1)
        assert caught.value.code == "not_yours"
        await two.ben.withdraw_link(two.table, 1)
        with pytest.raises(RefusedByServer) as caught:
            await served.player().claim(two.table, link)
        assert caught.value.code == "wrong_link"
        with pytest.raises(RefusedByServer) as caught:
            await two.ben.withdraw_link(two.table, 1)
        assert caught.value.code == "no_link"


@in_loop
async def test_an_invitation_works_as_long_as_a_seat_is_free(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        ann = served.player()
        table = await ann.create([{"kind": "here"}, {"kind": "link"}, {"kind": "link"}])
        for name in ("Ben", "Cleo"):
            await served.player().sit(table, name)
        with pytest.raises(RefusedByServer) as caught:
            await served.player().sit(table, "Dan")
        assert caught.value.code == "full"


SHORT = "x" * 15
LONG = "x" * 16


@in_loop
async def test_a_secret_that_could_be_guessed_is_refused(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        two = await table_of_two(served)
        body = {"seats": [{"kind": "here"}, {"kind": "bot", "bot": "easy"}]}
        ways = [
            ({"authorization": f"Bearer {SHORT}"}, {"authorization": f"Bearer {LONG}"}),
            ({"cookie": f"{COOKIE}={SHORT}"}, {"cookie": f"{COOKIE}={LONG}"}),
        ]
        for weak, strong in ways:
            answer = await served.http.post("/api/tables", json=body, headers=weak)
            assert (answer.status_code, answer.json()["code"]) == (401, "weak_secret")
            answer = await served.get(f"/api/tables/{two.table}", headers=weak)
            assert answer.status_code == 401
            assert "16" in answer.json()["detail"]
            answer = await served.http.post("/api/tables", json=body, headers=strong)
            assert answer.status_code == 201
        # A program is told so; a browser gets a good cookie instead of the bad one.
        answer = await served.http.post("/api/devices", headers=ways[0][0])
        assert answer.status_code == 401
        answer = await served.http.post("/api/devices", headers=ways[1][0])
        assert len(answer.json()["secret"]) >= 16
        assert COOKIE in answer.headers["set-cookie"]


@in_loop
async def test_a_socket_refuses_such_a_secret_too(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        two = await table_of_two(served)
        wire = await served.wire()
        await wire.say(type="hello", table=two.table, secret=SHORT)
        refusal = await wire.hear("refused", "state")
        assert refusal["code"] == "malformed"
        assert "secret" in refusal["detail"]
        await wire.say(type="hello", table=two.table, secret=LONG)
        await wire.hear("state")
        for headers in (
            {"cookie": f"{COOKIE}={SHORT}"},
            {"authorization": f"Bearer {SHORT}"},
        ):
            wire = await served.wire(additional_headers=headers)
            code, reason = await wire.until_closed()
            assert code == 4401
            assert "16" in reason


@in_loop
async def test_an_invitation_can_be_changed_until_somebody_comes(tmp_path: Path) -> None:
    async with serving(tmp_path) as served, served.player() as ann, served.player() as ben:
        seats = [{"kind": "link"}, {"kind": "link"}]
        old = await ann.create(seats)
        await ann.sit(old, "Ann")
        await ben.introduce()
        changed = {"seats": [*seats, {"kind": "link"}], "rules": {"edition": "casual"}}

        async def refused(player: RemotePlayer, table: str) -> str:
            with pytest.raises(RefusedByServer) as caught:
                await player.request("POST", f"/api/tables/{table}/replacement", changed)
            return caught.value.code

        assert await refused(ben, old) == "not_host"
        new = (await ann.request("POST", f"/api/tables/{old}/replacement", changed))["id"]
        # Whoever looks at the old one is told where the new one is, and sits down there.
        state = await ben.enter(old)
        assert (state.state, state.closed_why, state.rematch) == ("closed", "replaced", new)
        assert await refused(ann, old) == "is_closed"
        with pytest.raises(RefusedByServer) as caught:
            await ben.sit(old, "Ben")
        assert caught.value.code == "is_closed"
        assert len((await ben.enter(new)).seats) == 3
        await ben.sit(new, "Ben")
        assert await refused(ann, new) == "seats_taken"
        # A messenger that fetches the old link shows the new table.
        if page_folder() is not None:
            preview = (await served.get(f"/t/{old}", headers={"accept-language": "en"})).text
            assert f"{served.url}/t/{new}" in preview
            assert "Without points" in preview
