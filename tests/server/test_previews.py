"""What a messenger is told of a table's link."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING

import pytest

from tests.server.harness import Served, in_loop, serving
from triomino.server.built_page import page_folder
from triomino.server.previews import language_wanted

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.skipif(page_folder() is None, reason="there is no page")

SEATS = [{"kind": "here", "name": "Ann"}, {"kind": "link"}]


async def fetched(served: Served, path: str, language: str = "en") -> dict[str, str]:
    """The properties that a page tells a messenger."""
    answer = await served.get(path, headers={"accept-language": language})
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/html")
    found = re.findall(r'<meta property="og:([a-z:]+)" content="([^"]*)"', answer.text)
    return {name: unescape(value) for name, value in found}


@in_loop
async def test_an_invitation_says_from_whom_it_is_in_the_language_asked_for(tmp_path: Path) -> None:
    async with serving(tmp_path) as served, served.player() as ann, served.player() as ben:
        table = await ann.create(SEATS, rules={"edition": "classic", "target": 400})
        told = await fetched(served, f"/t/{table}")
        assert told["title"] == "Invitation from: Ann"
        assert told["description"] == "Classic · to 400. 1 seat free."
        assert told["url"] == f"{served.url}/t/{table}"
        german = await fetched(served, f"/t/{table}", "de-AT, en;q=0.5")
        assert german["title"] == "Einladung von: Ann"
        assert german["locale"] == "de"
        hebrew = await fetched(served, f"/t/{table}", "he")
        assert hebrew["title"].startswith("הזמנה מאת:")
        await ben.sit(table, "Ben")
        assert (await fetched(served, f"/t/{table}"))["description"].endswith("are taken.")


@in_loop
async def test_a_running_match_shows_its_score_and_a_finished_one_its_winner(
    tmp_path: Path,
) -> None:
    async with serving(tmp_path) as served, served.player() as ann:
        table = await ann.create([{"kind": "here", "name": "Ann"}, {"kind": "here", "name": "Bea"}])
        await ann.start(table)
        await ann.enter(table)
        game = served.hub.tables[table].table.game
        mover = game.turn
        await ann.move(ann.choices[0].move)
        told = await fetched(served, f"/t/{table}/replay")
        assert f"{['Ann', 'Bea'][mover]} {game.totals[mover]}" in told["title"]
        assert told["description"] == "Classic. Round 1"
        picture = await served.get(told["image"].removeprefix(served.url))
        assert picture.headers["content-type"] == "image/png"
        assert picture.content.startswith(b"\x89PNG")
        await ann.give_up()
        over = await fetched(served, f"/t/{table}")
        assert over["title"] in ("Winner: Ann", "Winner: Bea")


@in_loop
async def test_a_name_cannot_write_html(tmp_path: Path) -> None:
    async with serving(tmp_path) as served, served.player() as ann:
        name = 'Ann"><script>x</script>'
        table = await ann.create([{"kind": "here", "name": name}, {"kind": "link"}])
        assert (await fetched(served, f"/t/{table}"))["title"] == f"Invitation from: {name}"
        assert "<script>x" not in (await served.get(f"/t/{table}")).text


@in_loop
async def test_a_table_that_is_not_there_has_the_plain_page(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        assert await fetched(served, "/t/nowhere") == {}
        assert (await served.get("/api/tables/nowhere/picture")).status_code == 404


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("", "en"),
        ("de", "de"),
        ("xx", "en"),
        ("fr;q=0.2, no-NO;q=0.9", "nb"),
        ("en;q=nonsense, pl", "pl"),
        ("*", "en"),
        ("pt-BR,pt;q=0.9", "pt"),
        (",;q=;;q=1," * 1000, "en"),
    ],
)
def test_the_language_wanted(header: str, language: str) -> None:
    assert language_wanted(header) == language


# --- The page itself -----------------------------------------------------------------------------


@in_loop
async def test_the_page_is_told_what_the_host_switched_off(tmp_path: Path) -> None:
    async with serving(tmp_path, without="pad, learn") as served, served.player() as ann:
        table = await ann.create(SEATS)
        for path in ("/", "/rules", f"/t/{table}", f"/t/{table}/replay"):
            assert '<html data-without="pad learn" ' in (await served.get(path)).text
    async with serving(tmp_path) as served:
        assert "data-without" not in (await served.get("/")).text
