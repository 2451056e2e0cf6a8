"""Profiles without a password: several devices, leaving, and what others still see."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.server.harness import in_loop, serving, table_of_two
from triomino.client import RefusedByServer, RemotePlayer
from triomino.server import phrases
from triomino.server.credentials import digest

if TYPE_CHECKING:
    from collections.abc import Awaitable
    from pathlib import Path

    from tests.server.harness import Served


async def refused(request: Awaitable[object]) -> str:
    """The code that a request is refused with."""
    with pytest.raises(RefusedByServer) as caught:
        await request
    return caught.value.code


async def new(served: Served) -> RemotePlayer:
    """A player whose device has a secret."""
    player = served.player()
    await player.introduce()
    return player


async def profile(player: RemotePlayer, name: str, face: str = "tile1") -> dict[str, Any]:
    """Give a player's device a profile."""
    made = await player.request("PUT", "/api/me", {"name": name, "face": face, "label": "desk"})
    return dict(made["profile"])


@in_loop
async def test_a_closed_server_has_no_profiles(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        ann = await new(served)
        assert await refused(ann.request("GET", "/api/me")) == "not_open"
        assert await refused(ann.request("PUT", "/api/me", {"name": "Ann"})) == "not_open"
        assert (await served.get("/api/me")).status_code == 404


@in_loop
async def test_a_device_makes_its_profile_and_changes_it(tmp_path: Path) -> None:
    async with serving(tmp_path, open=True) as served:
        ann = await new(served)
        assert (await ann.request("GET", "/api/me"))["profile"] is None
        first = await profile(ann, " Ann  B ")
        assert (first["name"], first["face"]) == ("Ann B", "tile1")
        assert [one["is_this"] for one in first["devices"]] == [True]
        second = await profile(ann, "Anna", "tile2")
        assert (second["id"], second["name"]) == (first["id"], "Anna")
        assert digest(str(ann.secret)) not in json.dumps(second)


@pytest.mark.parametrize(
    "name",
    ["Pаul", "x" * 30, "Former player", "e" + "\u0301" * 3, "\u2800", "B.a.d  w0rd"],
)
@in_loop
async def test_some_names_are_not_for_strangers(tmp_path: Path, name: str) -> None:
    words = tmp_path / "words.txt"
    words.write_text("# of this club\nBadword  # rude\n", "utf-8")
    async with serving(tmp_path, open=True, refused_words=words) as served:
        ann = await new(served)
        assert "_name" in await refused(ann.request("PUT", "/api/me", {"name": name}))


@in_loop
async def test_names_in_the_lobby_are_decent(tmp_path: Path) -> None:
    """Among friends, who have a link, everybody is called what they like."""
    words = tmp_path / "words.txt"
    words.write_text("badword")
    bad, link = {"kind": "here", "name": "B4D Word"}, {"kind": "link"}
    async with serving(tmp_path, open=True, refused_words=words) as served:
        ann, ben = await new(served), await new(served)
        for seats in ([bad, link], [link, {"kind": "bot", "bot": "easy", "name": "badword"}]):
            made = {"seats": seats, "listed": True}
            assert await refused(ann.request("POST", "/api/tables", made)) == "refused_name"
        friends = await ann.create([bad, link])
        await ben.sit(friends, "Badword")
        listed = await ann.create([{"kind": "here", "name": "Ann"}, link], listed=True)
        assert await refused(ben.sit(listed, "Badword")) == "refused_name"
        instead = {"seats": [bad, link], "listed": True}
        path = f"/api/tables/{listed}/replacement"
        assert await refused(ann.request("POST", path, instead)) == "refused_name"
        await ben.sit(listed, "Ben")
        await ann.start(friends)
        await ann.enter(friends)
        await ann.give_up()
        again = ann.request("POST", f"/api/tables/{friends}/rematch", {"listed": True})
        assert await refused(again) == "refused_name"


@in_loop
async def test_a_second_device_joins_by_a_link_once(tmp_path: Path) -> None:
    async with serving(tmp_path, open=True) as served:
        ann, phone, thief = await new(served), await new(served), await new(served)
        await profile(ann, "Ann")
        link = await ann.request("POST", "/api/me/links")
        joined = await phone.request("POST", "/api/me/joins", {"secret": link["secret"]})
        assert joined["profile"]["name"] == "Ann"
        assert len(joined["profile"]["devices"]) == 2
        again = thief.request("POST", "/api/me/joins", {"secret": link["secret"]})
        assert await refused(again) == "wrong_secret"
        old = await ann.request("POST", "/api/me/links")
        served.clock.at += 11 * 60
        late = thief.request("POST", "/api/me/joins", {"secret": old["secret"]})
        assert await refused(late) == "wrong_secret"
        first = await ann.request("POST", "/api/me/links")
        await ann.request("POST", "/api/me/links")
        replaced = thief.request("POST", "/api/me/joins", {"secret": first["secret"]})
        assert await refused(replaced) == "wrong_secret"
        assert link["secret"].encode() not in (tmp_path / "tables.db").read_bytes()


@in_loop
async def test_a_device_with_a_profile_joins_another_only_if_it_says_so(tmp_path: Path) -> None:
    async with serving(tmp_path, open=True) as served:
        ann, ben = await new(served), await new(served)
        await profile(ann, "Ann")
        await profile(ben, "Ben")
        link = await ann.request("POST", "/api/me/links")
        secret = {"secret": link["secret"]}
        assert await refused(ben.request("POST", "/api/me/joins", secret)) == "has_profile"
        joined = await ben.request("POST", "/api/me/joins", secret | {"leave": True})
        assert joined["profile"]["name"] == "Ann"


@in_loop
async def test_a_recovery_phrase_works_once_and_is_not_stored(tmp_path: Path) -> None:
    async with serving(tmp_path, open=True) as served:
        ann, phone, thief = await new(served), await new(served), await new(served)
        await profile(ann, "Ann")
        phrase = (await ann.request("POST", "/api/me/phrase"))["phrase"]
        assert len(phrase.split()) == 7
        wrong = [phrases.new_phrase(), phrase[:-1], "", phrase.replace(phrase[0], "q"), "x" * 200]
        for text in filter(None, wrong):
            guess = thief.request("POST", "/api/me/recoveries", {"phrase": text})
            assert await refused(guess) == "wrong_secret"
        typed = {"phrase": phrase.upper().replace(" ", "-")}
        joined = await phone.request("POST", "/api/me/recoveries", typed)
        assert joined["profile"]["name"] == "Ann"
        assert joined["profile"]["phrase"] is None
        assert await refused(thief.request("POST", "/api/me/recoveries", typed)) == "wrong_secret"
        stored = (tmp_path / "tables.db").read_bytes() + _wal(tmp_path)
        assert phrase.encode() not in stored


def _wal(folder: Path) -> bytes:
    file = folder / "tables.db-wal"
    return file.read_bytes() if file.exists() else b""


@in_loop
async def test_guessing_is_limited_by_address_and_everywhere(tmp_path: Path) -> None:
    for limit in ("sign_ins_per_minute", "all_sign_ins_per_minute"):
        limits: dict[str, Any] = {limit: 2}
        async with serving(tmp_path, open=True, **limits) as served:
            thief = await new(served)
            guess = {"phrase": phrases.new_phrase()}
            codes = [
                await refused(thief.request("POST", "/api/me/recoveries", guess)),
                await refused(thief.request("POST", "/api/me/recoveries", guess)),
                await refused(thief.request("POST", "/api/me/joins", {"secret": "x" * 32})),
            ]
            assert codes == ["wrong_secret", "too_fast", "too_fast"]


@in_loop
async def test_another_device_of_the_person_has_the_same_seat(tmp_path: Path) -> None:
    async with serving(tmp_path, open=True) as served:
        two = await table_of_two(served)
        await profile(two.ann, "Ann")
        phone, stranger = await new(served), await new(served)
        assert (await phone.enter(two.table)).you == []
        link = await two.ann.request("POST", "/api/me/links")
        await phone.request("POST", "/api/me/joins", {"secret": link["secret"]})
        state = await phone.enter(two.table)
        assert state.you == [0]
        assert len(state.racks["0"]) == len((await two.ann.enter(two.table)).racks["0"])
        assert (await stranger.enter(two.table)).racks == {}
        games = await phone.request("GET", "/api/me/games")
        assert [(one["kind"], one["id"]) for one in games] == [("table", two.table)]


@in_loop
async def test_another_device_of_the_host_may_start_the_table(tmp_path: Path) -> None:
    async with serving(tmp_path, open=True) as served:
        ann, phone, ben, tablet = [await new(served) for _ in range(4)]
        await profile(ann, "Ann")
        await profile(ben, "Ben")
        for owner, other in ((ann, phone), (ben, tablet)):
            link = await owner.request("POST", "/api/me/links")
            await other.request("POST", "/api/me/joins", {"secret": link["secret"]})
        table = await ann.create([{"kind": "here", "name": "Ann"}, {"kind": "link"}])
        await ben.sit(table, "Ben")
        # Ben may play at Ann's seat, too, but he and his devices are no hosts.
        seat = await ann.request("POST", f"/api/tables/{table}/seats/0/links")
        await ben.request("POST", f"/api/tables/{table}/claims", {"secret": seat["secret"]})
        state = await tablet.enter(table)
        assert (state.you, state.is_host) == ([0, 1], False)
        assert await refused(tablet.start(table)) == "not_host"
        assert (await phone.enter(table)).is_host
        served.hub.tables.drop(served.hub.tables[table])  # it is read from the log anew
        await phone.start(table)
        assert (await served.hub.look(table)).state == "playing"


@in_loop
async def test_a_removed_device_loses_its_seats_and_its_secret(tmp_path: Path) -> None:
    async with serving(tmp_path, open=True) as served:
        two = await table_of_two(served)
        await profile(two.ann, "Ann")
        phone = await new(served)
        link = await two.ann.request("POST", "/api/me/links")
        await phone.request("POST", "/api/me/joins", {"secret": link["secret"]})
        wire = await served.wire_at(two.table, phone.secret)
        me = (await two.ann.request("GET", "/api/me"))["profile"]
        other = next(one["id"] for one in me["devices"] if not one["is_this"])
        await two.ann.request("DELETE", f"/api/me/devices/{other}")
        assert (await wire.hear("bye"))["code"] == "removed"
        before = len(wire.heard)
        await wire.say(type="react", sign="hello")
        assert (await wire.hear("refused"))["code"] == "no_device"
        await two.ann.enter(two.table)
        assert not any(b'"state"' in one for one in wire.heard[before:])
        assert await refused(phone.request("GET", "/api/me")) == "no_device"
        headers = {"authorization": f"Bearer {phone.secret}"}
        fresh = await served.http.post("/api/devices", headers=headers)
        assert fresh.json()["secret"] != phone.secret


async def everything_shown(served: Served, table: str, player: RemotePlayer) -> str:
    """All that a server says about a table and its people."""
    state = await served.wire_at(table, player.secret)
    paths = [
        f"/api/tables/{table}",
        f"/api/tables/{table}/record",
        f"/api/tables/{table}/people",
        "/api/tables",
        f"/t/{table}",
        "/api/me/marks",
        "/api/me/games",
        "/api/me/data",
    ]
    headers = {"authorization": f"Bearer {player.secret}"}
    answers = [(await served.get(path, headers=headers)).text for path in paths]
    return "".join(answers) + b"".join(state.heard).decode()


@in_loop
async def test_deletion_leaves_the_match_but_no_name(tmp_path: Path) -> None:
    async with serving(tmp_path, open=True) as served:
        two = await table_of_two(served, host_name="Zebedee")
        await profile(two.ann, "Zebedee")
        await profile(two.ben, "Ben")
        await two.ben.request("PUT", f"/api/tables/{two.table}/people/0/block")
        await two.ann.request("POST", "/api/me/phrase")
        assert "Zebedee" in await everything_shown(served, two.table, two.ben)
        watching = await served.wire_at(two.table, two.ben.secret)
        await two.ann.request("DELETE", "/api/me")
        told = await watching.hear("state")
        assert told["seats"][0]["name"] == "Former player 1"
        assert told["seats"][0]["is_made_up"]
        assert "Zebedee" not in await everything_shown(served, two.table, two.ben)
        assert await refused(two.ann.request("GET", "/api/me")) == "no_device"
        await served.hub.change(
            two.table, lambda table: table.close("by the host", served.hub.now())
        )
        record = (await served.get(f"/api/tables/{two.table}/record")).json()
        assert [one["name"] for one in record["players"]] == ["Former player 1", "Ben"]
    async with serving(tmp_path, open=True) as served:  # a restarted server reads the log anew
        ben = served.player(two.ben.secret)
        assert "Zebedee" not in await everything_shown(served, two.table, ben)


@in_loop
async def test_what_is_stored_can_be_downloaded(tmp_path: Path) -> None:
    async with serving(tmp_path, open=True) as served:
        two = await table_of_two(served)
        await profile(two.ann, "Ann")
        await profile(two.ben, "Ben")
        await two.ann.enter(two.table)
        await two.ann.request("PUT", f"/api/tables/{two.table}/people/1/mute")
        await two.ann.request(
            "POST", f"/api/tables/{two.table}/reports", {"seat": 1, "reason": "name"}
        )
        pad = {"format": "pad", "rows": [1, 2]}
        await two.ann.request("PUT", "/api/me/games/pad/p1", {"at": 5, "data": pad})
        headers = {"authorization": f"Bearer {two.ann.secret}"}
        answer = await served.get("/api/me/data", headers=headers)
        assert "attachment" in answer.headers["content-disposition"]
        data = answer.json()
        assert data["name"] == "Ann"
        assert data["devices"][0]["digest"] == digest(str(two.ann.secret))
        assert [one["kind"] for one in data["marks"]] == ["mute"]
        assert data["reports"][0]["reason"] == "name"
        assert {one["kind"]: one["data"] for one in data["games"]} == {"table": None, "pad": pad}
        assert "Ben" not in answer.text
        await two.ann.request("DELETE", "/api/me/games/pad/p1")
        gone = two.ann.request("GET", "/api/me/games/pad/p1")
        assert await refused(gone) == "no_game"
        foreign = two.ben.request("GET", "/api/me/games/pad/p1")
        assert await refused(foreign) == "no_game"


@in_loop
async def test_a_flood_of_requests_about_oneself_is_bounded(tmp_path: Path) -> None:
    async with serving(tmp_path, open=True, people_per_minute=4) as served:
        ann = await new(served)
        change = {"name": "Ann"}
        await ann.request("PUT", "/api/me", change)
        await ann.request("PUT", "/api/me", change)
        assert await refused(ann.request("PUT", "/api/me", change)) == "too_fast"
        for path in ("/api/me/links", "/api/me/phrase", "/api/me/entries/options"):
            assert await refused(ann.request("POST", path)) == "too_fast"
        upload = {"at": 1, "data": {}}
        assert await refused(ann.request("PUT", "/api/me/games/pad/x", upload)) == "too_fast"


@in_loop
async def test_uploads_are_bounded_in_size(tmp_path: Path) -> None:
    async with serving(tmp_path, open=True, record_bytes=1000) as served:
        ann = await new(served)
        await profile(ann, "Ann")
        large = {"at": 1, "data": {"x": "y" * 1000}}
        assert await refused(ann.request("PUT", "/api/me/games/pad/x", large)) == "too_large"
        odd = ann.request("PUT", "/api/me/games/table/x", {"at": 1, "data": {}})
        assert await refused(odd) == "no_game"


@in_loop
async def test_passkeys_that_nobody_made_are_refused(tmp_path: Path) -> None:
    async with serving(tmp_path, open=True) as served:
        ann = await new(served)
        await profile(ann, "Ann")
        port = served.url.rpartition(":")[2]
        headers = {
            "authorization": f"Bearer {ann.secret}",
            "host": f"localhost:{port}",
            "origin": f"http://localhost:{port}",
        }
        answer = await served.http.post("/api/me/keys/options", headers=headers)
        made = answer.json()
        assert made["options"]["rp"]["id"] == "localhost"
        odd: list[dict[str, Any]] = [{}, {"rawId": 3}, {"rawId": "", "response": []}]
        odd.append({"id": "AA", "rawId": "AA", "type": "public-key", "response": {}})
        for credential in odd:
            for path in ("keys", "entries"):
                begun = await served.http.post(f"/api/me/{path}/options", headers=headers)
                body = {"ticket": begun.json()["ticket"], "credential": credential, "leave": True}
                said = await served.http.post(f"/api/me/{path}", headers=headers, json=body)
                assert (said.status_code, said.json()["code"]) == (403, "bad_passkey")
                again = await served.http.post(f"/api/me/{path}", headers=headers, json=body)
                assert again.json()["code"] == "bad_passkey"
        headers["origin"] = "https://elsewhere.example"
        foreign = await served.http.post("/api/me/keys/options", headers=headers)
        assert (foreign.status_code, foreign.json()["code"]) == (403, "origin")


@in_loop
async def test_a_deleted_name_is_gone_from_a_club_evening(tmp_path: Path) -> None:
    async with serving(tmp_path, open=True) as served:
        host, ann = await new(served), await new(served)
        await profile(ann, "Zebedee")
        club = (await host.request("POST", "/api/clubs", {"name": "Friday"}))["club"]
        join = {"act": {"type": "join", "name": "Zebedee"}}
        assert "Zebedee" in json.dumps(await ann.request("POST", f"/api/clubs/{club}/acts", join))
        await ann.request("DELETE", "/api/me")
        seen = await host.request("GET", f"/api/clubs/{club}")
        assert [one["name"] for one in seen["players"]] == ["Former player 1"]
