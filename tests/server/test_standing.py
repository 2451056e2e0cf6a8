"""How a match stands, as a list of one's games shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.server.harness import in_loop, serving, table_of_two

if TYPE_CHECKING:
    from pathlib import Path


@in_loop
async def test_one_table_tells_its_standing_and_the_lobby_does_not(tmp_path: Path) -> None:
    async with serving(tmp_path) as served, served.player() as eve:
        waiting = await eve.create([{"kind": "link"}] * 2, listed=True)
        assert (await served.get(f"/api/tables/{waiting}")).json()["standing"] is None
        assert all(one["standing"] is None for one in (await served.get("/api/tables")).json())
        two = await table_of_two(served)
        path = f"/api/tables/{two.table}"
        before = (await served.get(path)).json()["standing"]
        assert before == {
            "round": 1,
            "turn": two.game.turn,
            "totals": [0, 0],
            "winners": [],
            "places": [],
        }
        player = two.ann if two.game.turn == 0 else two.ben
        await player.enter(two.table)
        move = player.choices[0].move
        await player.move(move)
        now = (await served.get(path)).json()["standing"]
        assert now["places"] == [move]
        assert now["totals"] == list(two.game.totals)
        await player.give_up()
        over = (await served.get(path)).json()["standing"]
        assert over["turn"] is None
        assert len(over["winners"]) == 1
