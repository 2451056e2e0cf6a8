"""A club evening on several servers and PostgreSQL: one log, whoever asks where."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from tests.nodes.test_nodes import nodes
from tests.server.harness import PATIENCE, in_loop, until
from tests.server.test_club import Host, join, results, write_sheet
from triomino.client.player import RefusedByServer, play_bot

if TYPE_CHECKING:
    from pathlib import Path

    from tools.services import Valkey


@in_loop
async def test_an_evening_on_two_servers(tmp_path: Path, database: str, valkey: Valkey) -> None:
    async with nodes(2, database, valkey.url, tmp_path) as those:
        hosts = [Host(server.url, patience=PATIENCE, takes_part=False) for server in those.servers]
        for server, host in zip(those.servers, hosts, strict=True):
            server.players.append(host)
        club = await hosts[0].open()
        hosts[1].club, hosts[1].token = club, hosts[0].token
        watcher = await those[0].wire(path=f"/ws/clubs/{club}")
        people = [those[number % 2].player() for number in range(4)]
        await asyncio.gather(
            *(join(one, club, f"Player {number}") for number, one in enumerate(people))
        )
        names = [one["name"] for one in (await hosts[0].see())["players"]]
        assert sorted(names) == [f"Player {number}" for number in range(4)]

        # Both servers are asked for the same round; it begins once.
        asked = (host.do("next_round", number=1) for host in hosts)
        said = await asyncio.gather(*asked, return_exceptions=True)
        refusals = [one.code for one in said if isinstance(one, RefusedByServer)]
        assert refusals == ["stale"]
        state = await hosts[1].do("switch", table=0, tiles="real")
        assert len(state["rounds"]) == 1

        # A sheet is written here and a match is played there; whoever watches hears of both.
        sheet, screen = state["rounds"][0]["tables"]
        await write_sheet(hosts[0], sheet, [names[one] for one in sheet["players"]], [9, 12])
        seated = [people[int(names[one].split()[1])] for one in screen["players"]]
        await seated[0].start(screen["id"])
        for player in seated:
            await player.enter(screen["id"])
        await asyncio.gather(
            *(play_bot(player, lambda choices, _: choices[0].move) for player in seated)
        )
        for host in hosts:
            found = await host.wait_for(lambda state: len(results(state)) == 2)
            assert results(found)[0, 0] == [39, 12]
        newest = found["version"]
        await until(lambda: any(f'"version":{newest}}}'.encode() in one for one in watcher.heard))
