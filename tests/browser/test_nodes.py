"""A table of three servers behind HAProxy, in the page: one of them is killed during play."""

from __future__ import annotations

import asyncio
import json
import shutil
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Locator, expect
from tools.services import HaProxy, Postgres, Valkey

from tests.browser.pages import call
from tests.browser.player import SOMETHING_TO_DO, Player, wait_for_turn
from tests.browser.seeded_server import USUAL_SEED, SeededServer
from triomino.client import RemotePlayer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.browser.conftest import OpenPage

PATIENCE = 60.0


@dataclass
class Nodes:
    """Three servers and the proxy before them."""

    servers: list[SeededServer]
    url: str
    postgres: Postgres

    def with_a_socket(self) -> SeededServer:
        """The server that a page is connected to; there is one page."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            for server in self.servers:
                if server.counters()["triomino_sockets_open"]:
                    return server
        raise AssertionError("the page is connected nowhere")


@pytest.fixture
def nodes(tmp_path: Path) -> Iterator[Nodes]:
    if shutil.which("haproxy") is None:
        pytest.skip("there is no HAProxy: apt-get install haproxy")
    # All servers deal the same from the seed of a table.
    (tmp_path / "chosen.json").write_text(json.dumps({USUAL_SEED: ""}))
    with ExitStack() as stack:
        postgres, valkey = Postgres(), Valkey()
        for service in (postgres, valkey):
            stack.callback(service.remove)
            service.start()
        servers = []
        for number in range(3):
            server = SeededServer(
                tmp_path, name=f"node{number}", data=postgres.url(), bus=valkey.url
            )
            stack.callback(server.end_anyhow)
            server.start()
            servers.append(server)
        proxy = HaProxy([server.port for server in servers])
        stack.callback(proxy.remove)
        proxy.start()
        yield Nodes(servers, f"http://127.0.0.1:{proxy.port}", postgres)


async def _play(url: str, secret: str, table: str) -> int:
    """Let the other person play until it is no longer his turn; return the version then."""
    async with RemotePlayer(url, secret) as ben:
        await ben.enter(table)
        await ben.until(lambda: bool(ben.choices))
        while ben.choices:
            await ben.move(ben.choices[0].move)
        return ben.version or 0


def _try_to_move(me: Player) -> None:
    """Do something, whatever comes of it."""
    page = me.page
    page.wait_for_function(SOMETHING_TO_DO)
    if me.can_place():
        page.locator(".tile.can").first.click()
        me._press_first_place(page.mouse.click)
    else:
        me.press(next(filter(Locator.is_visible, map(me.button, ("Draw", "Pass", "End turn")))))


def _lose_the_database(nodes: Nodes, me: Player, path: str) -> None:
    """A move that cannot be stored is refused, which the page says; later it is played."""
    page, alive = me.page, [server for server in nodes.servers if server.is_running]
    page.goto(alive[0].url + path)  # the proxy would take all servers out
    shown = page.locator(".table")
    wait_for_turn(page)
    version = str(shown.get_attribute("data-version"))
    nodes.postgres.kill()
    _try_to_move(me)
    expect(page.get_by_role("alert")).to_contain_text("The table cannot be saved right now.")
    expect(shown).to_have_attribute("data-version", version)
    nodes.postgres.start()
    _try_to_move(me)
    expect(shown).not_to_have_attribute("data-version", version)


def test_a_server_killed_during_play_is_hardly_noticed(nodes: Nodes, open_page: OpenPage) -> None:
    page = open_page()
    page.goto(nodes.url)
    call(page, nodes.url, "devices")
    seats = [{"kind": "here", "name": "Ann"}, {"kind": "link"}]
    table = call(page, nodes.url, "tables", {"seats": seats})["id"]

    async def sit(url: str) -> str:
        async with RemotePlayer(url) as ben:
            await ben.sit(table, "Ben")
            return str(ben.secret)

    with ThreadPoolExecutor(1) as beside:
        secret = beside.submit(asyncio.run, sit(nodes.url)).result(PATIENCE)
        call(page, nodes.url, f"tables/{table}/start")
        page.goto(f"{nodes.url}/t/{table}")
        page.locator(".table").wait_for()
        page.evaluate("() => { window.sameAsBefore = true; }")
        shown = page.locator(".table")
        me = Player(page)
        if shown.get_attribute("data-mine") != "true":
            beside.submit(asyncio.run, _play(nodes.url, secret, table)).result(PATIENCE)
            wait_for_turn(page)
        while shown.get_attribute("data-mine") == "true":
            me.turn()

        victim = nodes.with_a_socket()
        [other, _] = [server for server in nodes.servers if server is not victim]
        victim.kill()
        # Ben moves at once, at another server, while the page has none.
        version = beside.submit(asyncio.run, _play(other.url, secret, table)).result(PATIENCE)
        wait_for_turn(page)
        expect(shown).to_have_attribute("data-version", str(version))
        expect(page.get_by_text("No connection")).to_have_count(0)
        before = me.tiles_on_board, shown.get_attribute("data-version")
        me.turn()
        expect(shown).not_to_have_attribute("data-version", str(before[1]))
        assert page.evaluate("() => window.sameAsBefore")
        if shown.get_attribute("data-mine") != "true":
            beside.submit(asyncio.run, _play(other.url, secret, table)).result(PATIENCE)
        _lose_the_database(nodes, me, f"/t/{table}")
    log = "".join(server.log for server in nodes.servers)
    assert "Traceback" not in log, log
