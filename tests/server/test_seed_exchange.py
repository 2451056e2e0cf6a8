"""Commit, then reveal, at a running server: the order of things, and who is told what when."""

from __future__ import annotations

import asyncio
import hashlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

from tests.server.harness import in_loop, serving, until
from triomino.fair2 import device_commitment
from triomino.record import match_from, verify_deals
from triomino.server.events import decode
from triomino.server.hosting import close_table, list_tables
from triomino.server.replay import DamagedError, read_table
from triomino.signatures import is_signed

if TYPE_CHECKING:
    from pathlib import Path

    import httpx

    from tests.server.harness import Served


def seed_of(name: str) -> str:
    """The seed of a device; a test can make it again."""
    return hashlib.sha256(name.encode()).hexdigest()


@dataclass
class Devices:
    """A table whose seats are taken by devices that speak HTTP alone."""

    served: Served
    table: str = ""
    names: list[str] = field(default_factory=list)

    async def send(
        self, name: str, path: str, body: object = None, method: str = "POST"
    ) -> httpx.Response:
        """Send a request for the table as a device."""
        return await self.served.http.request(
            method,
            f"/api/tables{path}",
            json=body,
            headers={"authorization": f"Bearer the secret of {name}"},
        )

    async def done(self, name: str, path: str, body: object = None) -> dict[str, Any]:
        """Send a request that is not refused."""
        answer = await self.send(name, path, body)
        assert answer.is_success, answer.text
        data: dict[str, Any] = answer.json()
        return data

    async def refused(self, code: str, name: str, path: str, body: object = None) -> None:
        """Send a request that is refused, and changes nothing."""
        before = await self.served.log(self.table)
        answer = await self.send(name, path, body)
        assert answer.json()["code"] == code, answer.text
        assert await self.served.log(self.table) == before

    async def set_up(self, *names: str, **options: Any) -> None:
        """Set a table up with a seat for each device, and a bot."""
        seats = [{"kind": "here"}, *[{"kind": "link"}] * (len(names) - 1)]
        seats.append({"kind": "bot", "bot": "easy"})
        self.names = [*names]
        made = await self.done(names[0], "", {"seats": seats, **options})
        self.table = made["id"]
        for name in names[1:]:
            await self.done(name, f"/{self.table}/seats", {"name": name})

    async def look(self) -> dict[str, Any]:
        """What everybody may know of the deal."""
        seen: dict[str, Any] = (await self.served.get(f"/api/tables/{self.table}")).json()
        return seen

    async def commitment(self, name: str) -> str:
        """What a device commits to."""
        server = (await self.look())["fair"]["commitment"]
        return device_commitment(self.table, server, seed_of(name))

    async def commit(self, *names: str) -> None:
        """Let devices commit to their seeds."""
        for name in names:
            body = {"commitment": await self.commitment(name)}
            await self.done(name, f"/{self.table}/commitments", body)

    async def reveal(self, *names: str) -> dict[str, Any]:
        """Let devices reveal their seeds."""
        seen: dict[str, Any] = {}
        for name in names:
            seen = await self.done(name, f"/{self.table}/seeds", {"seed": seed_of(name)})
        return seen

    async def start(self) -> dict[str, Any]:
        """Start the match."""
        return await self.done(self.names[0], f"/{self.table}/start")

    async def record(self) -> dict[str, Any]:
        """The record, after the host of the server closed the table."""
        await close_table(self.served.events, self.table)
        # A host's command is another process; this one does not notice what it wrote itself.
        self.served.events.assume_changes()
        await self.served.hub.reload_outdated()
        # The server's own look at the log may have been first, and still be reading.
        await until(lambda: self.served.hub.tables[self.table].table.is_seed_public)
        answer = await self.served.get(f"/api/tables/{self.table}/record")
        assert answer.is_success, answer.text
        record: dict[str, Any] = answer.json()
        return record


@in_loop
async def test_a_device_commits_as_it_sits_down(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        at = Devices(served)
        seats = [{"kind": "here"}, {"kind": "link"}, {"kind": "link"}]
        at.table = (await at.done("ann", "", {"seats": seats}))["id"]
        await at.commit("ann")
        body = {"name": "ben", "commitment": await at.commitment("ben")}
        await at.done("ben", f"/{at.table}/seats", body)
        # One that is refused costs nobody the seat.
        body = {"name": "cleo", "commitment": await at.commitment("ben")}
        assert (await at.done("cleo", f"/{at.table}/seats", body))["seat"] == 2
        fair = (await at.look())["fair"]
        assert fair["seats"] == [{"devices": [0]}, {"devices": [1]}, {"devices": []}]
        malformed = await at.send("dan", f"/{at.table}/seats", {"name": "dan", "commitment": "0"})
        assert malformed.status_code == 400, malformed.text


@in_loop
async def test_a_host_sits_down_commits_and_starts_in_one_request(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        at = Devices(served)
        seats = [{"kind": "link"}, {"kind": "link"}, {"kind": "bot", "bot": "easy"}]
        at.table = (await at.done("ann", "", {"seats": seats}))["id"]
        body = {"name": "ben", "commitment": await at.commitment("ben"), "start": True}
        # Only the host starts; the seat is taken all the same.
        refused = await at.send("ben", f"/{at.table}/seats", body)
        assert refused.json()["code"] == "not_host"
        body = {"name": "ann", "commitment": await at.commitment("ann"), "start": True}
        await at.done("ann", f"/{at.table}/seats", body)
        found = await at.look()
        assert found["state"] == "opening"
        assert found["fair"]["seats"] == [{"devices": [0]}, {"devices": [1]}, {"bot": "easy"}]
        await at.reveal("ben")
        assert (await at.look())["state"] == "opening"
        assert (await at.reveal("ann"))["state"] == "playing"


@in_loop
async def test_commit_then_reveal(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        at = Devices(served)
        await at.set_up("ann", "ben")
        fair = (await at.look())["fair"]
        assert fair["algorithm"] == "fair/2"
        assert fair["seats"] == [{"devices": []}, {"devices": []}, {"bot": "easy"}]
        assert fair.keys() == {"algorithm", "commitment", "public_key", "seats"}
        await at.commit("ben", "ann")
        opened = await at.start()
        assert opened["state"] == "opening"
        assert [seat["devices"] for seat in opened["fair"]["seats"][:2]] == [[0], [1]]
        opening = opened["fair"]["opening"]
        assert is_signed(opening, opened["fair"]["opening_signature"], fair["public_key"])
        assert opening.startswith(f"triomino fair/2 opening\ntable {at.table}\n")
        waiting = await at.reveal("ben")
        assert waiting["state"] == "opening"
        assert [one.get("revealed", False) for one in waiting["fair"]["devices"]] == [False, True]
        assert all("seed" not in one for one in waiting["fair"]["devices"])
        dealt = await at.reveal("ann")
        assert dealt["state"] == "playing"
        assert [one["seed"] for one in dealt["fair"]["devices"]] == [seed_of("ann"), seed_of("ben")]
        assert "server_seed" not in dealt["fair"]
        record = await at.record()
        assert "result" not in record
        verify_deals(match_from(record))
        over = (await at.look())["fair"]
        assert over["server_seed"] == record["fair"]["server_seed"]
        assert over["signature"] == record["fair"]["signature"]


@in_loop
async def test_what_cannot_be_committed_to_is_refused(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        at = Devices(served)
        await at.set_up("ann", "ben")
        path = f"/{at.table}/commitments"
        mine = await at.commitment("ann")
        for bad in ("", "0" * 63, "0" * 65, mine.upper(), mine + "\n", None, 7):
            await at.refused("http", "ann", path, {"commitment": bad})
        await at.refused("not_seated", "eve", path, {"commitment": mine})
        await at.refused("is_open", "ann", f"/{at.table}/seeds", {"seed": seed_of("ann")})
        await at.commit("ann", "ann")  # once more is as good as once
        await at.refused("same_commitment", "ben", path, {"commitment": mine})
        await at.refused("committed", "ann", path, {"commitment": "0" * 64})
        assert len((await at.look())["fair"]["devices"]) == 1
        await at.start()
        await at.refused("is_opening", "ben", path, {"commitment": "0" * 64})
        await at.refused("is_opening", "eve", f"/{at.table}/seats", {"name": "Eve"})
        assert (await at.send("ben", f"/{at.table}/seats/1", method="DELETE")).status_code == 409
        seeds = f"/{at.table}/seeds"
        await at.refused("no_commitment", "ben", seeds, {"seed": seed_of("ben")})
        await at.refused("no_commitment", "eve", seeds, {"seed": seed_of("ann")})
        await at.refused("wrong_seed", "ann", seeds, {"seed": seed_of("ben")})
        assert (await at.reveal("ann", "ann"))["state"] == "playing"
        await at.refused("is_playing", "ann", seeds, {"seed": seed_of("ben")})
        await at.refused("is_playing", "ben", path, {"commitment": "1" * 64})


@in_loop
async def test_who_leaves_takes_the_commitment_along(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        at = Devices(served)
        await at.set_up("ann", "ben")
        await at.commit("ann", "ben")
        await at.send("ben", f"/{at.table}/seats/1", method="DELETE")
        assert len((await at.look())["fair"]["devices"]) == 1
        await at.done("cleo", f"/{at.table}/seats", {"name": "Cleo"})
        await at.commit("cleo")
        seen = (await at.start())["fair"]
        commitments = [await at.commitment(name) for name in ("ann", "cleo")]
        assert [one["commitment"] for one in seen["devices"]] == commitments


@in_loop
async def test_one_device_of_two_seats_and_two_devices_of_one(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        at = Devices(served)
        await at.set_up("ann", "ben", "cleo")
        for seat, name, other in ((0, "ann", "both"), (2, "cleo", "both"), (1, "ben", "phone")):
            link = await at.done(name, f"/{at.table}/seats/{seat}/links")
            await at.done(other, f"/{at.table}/claims", {"secret": link["secret"]})
        await at.commit("phone", "both", "cleo", "ann")
        seen = (await at.start())["fair"]
        assert [seat["devices"] for seat in seen["seats"][:3]] == [[0, 1], [2], [0, 3]]
        commitments = [await at.commitment(name) for name in ("both", "ann", "phone", "cleo")]
        assert [one["commitment"] for one in seen["devices"]] == commitments
        assert (await at.reveal("ann", "cleo", "phone", "both"))["state"] == "playing"
        verify_deals(match_from(await at.record()))


@in_loop
async def test_after_the_time_for_it_seeds_are_played_without(tmp_path: Path) -> None:
    async with serving(tmp_path, reveal_seconds=0.2) as served:
        at = Devices(served)
        await at.set_up("ann", "ben")
        await at.commit("ann", "ben")
        opened = await at.start()
        assert opened["fair"]["reveal_until"] == served.hub.now() + 200
        await at.reveal("ann")
        await until(lambda: served.hub.tables[at.table].table.state == "playing")
        await at.refused("is_playing", "ben", f"/{at.table}/seeds", {"seed": seed_of("ben")})
        record = await at.record()
        assert [one["seed"] for one in record["fair"]["devices"]] == [seed_of("ann"), None]
        verify_deals(match_from(record))


@pytest.mark.parametrize("complete", [False, True])
def test_a_restart_does_not_forget_the_deal(tmp_path: Path, complete: bool) -> None:
    """Neither the time for seeds, nor a deal that was due when the server was killed."""

    async def before() -> str:
        async with serving(tmp_path) as served:
            at = Devices(served)
            await at.set_up("ann", "ben")
            await at.commit("ann", "ben")
            await at.start()
            await at.reveal("ann")
            if complete:  # as if killed after the last seed was stored
                opened = served.hub.tables[at.table]
                change = opened.table.reveal(*ben_of(opened.table), served.hub.now())
                await served.hub.change(at.table, lambda _: change)
            return at.table

    async def after(table: str) -> None:
        async with serving(tmp_path, reveal_seconds=0.2) as served:
            await until(lambda: table in served.hub.tables)
            await until(lambda: served.hub.tables[table].table.state == "playing")
            seeds = served.hub.tables[table].table.exchange.device_seeds
            assert seeds == (seed_of("ann"), seed_of("ben") if complete else None)

    asyncio.run(after(asyncio.run(before())))


def ben_of(table: Any) -> tuple[str, str]:
    """The device of Ben, as the server knows it, and his seed."""
    return table.exchange.devices[1], seed_of("ben")


@in_loop
async def test_who_commits_to_nothing_starts_at_once(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        at = Devices(served)
        await at.set_up("ann", "ben")
        assert (await at.start())["state"] == "playing"
        record = await at.record()
        assert record["fair"]["devices"] == []
        verify_deals(match_from(record))


@in_loop
async def test_a_table_that_is_being_opened_is_listed_where_it_belongs(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        at = Devices(served)
        await at.set_up("ann", "ben", listed=True)
        await at.commit("ann")
        await at.start()
        assert (await served.get("/api/tables")).json() == []
        row = await served.events.row(at.table)
        assert row is not None
        assert row.state == "opening"
        ((found, _),), damaged = await list_tables(served.events, ["opening"], 9)
        assert (found.state, list(damaged)) == ("opening", [])


@in_loop
async def test_a_log_that_cannot_have_happened_is_damaged(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        at = Devices(served)
        await at.set_up("ann", "ben")
        await at.commit("ann", "ben")
        await at.start()
        await at.reveal("ben", "ann")
        log = await served.log(at.table)
    assert read_table(at.table, log).state == "playing"
    kinds = [decode(data).__struct_config__.tag for data in log]
    assert kinds[2:] == ["committed", "committed", "opening", "revealed", "revealed", "started"]
    swaps = {
        "another seed": (5, log[5].replace(seed_of("ben").encode(), b"0" * 64)),
        "a commitment twice": (3, log[2]),
        "no commitment": (2, log[2].replace(b'"commitment":"', b'"commitment":"x')),
        "a seed twice": (6, log[5]),
        "an early seed": (4, log[5]),
        "a late commitment": (5, log[2]),
        "a start before its opening": (1, log[-1]),
        "another key": (0, log[0].replace(b'"public_key":"', b'"public_key":"x')),
        "an unknown algorithm": (0, log[0].replace(b"fair/2", b"fair/3")),
    }
    for what, (place, data) in swaps.items():
        assert data != log[place], what
        with pytest.raises(DamagedError):
            read_table(at.table, [*log[:place], data, *log[place + 1 :]])
