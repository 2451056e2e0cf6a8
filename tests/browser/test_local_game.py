"""Games that live in the browser where there is a server, and how they move there."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser.pad_writer import PHONE
from tests.browser.player import SOMETHING_TO_DO, Player, wait_for_turn

if TYPE_CHECKING:
    from tests.browser.conftest import OpenPage
    from tests.browser.seeded_server import SeededServer


def test_a_game_starts_here_at_once_and_moves_to_the_server(
    server: SeededServer, open_page: OpenPage
) -> None:
    page = open_page(**PHONE)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    player = Player(page, "touch")
    player.start(server.url, where="here")
    assert re.search(r"/t/local-[0-9a-f]{12}$", page.url)
    assert not [url for url in asked if "/api/devices" in url or url.endswith("/api/tables")][1:]
    expect(page.locator(".chip.here")).to_have_text("On this device")
    for _ in range(2):
        player.turn()
    page.wait_for_function(SOMETHING_TO_DO)
    laid, here = player.tiles_on_board, page.url

    page.get_by_role("button", name="Menu").tap()
    expect(page.get_by_text("This game lives on this device.")).to_be_visible()
    page.get_by_role("button", name="Fair deal").tap()
    expect(page.get_by_text("nothing about this deal can be proven")).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Menu").tap()
    page.get_by_role("button", name="Let a friend in").tap()
    page.get_by_role("button", name="Move and make a link").tap()
    page.wait_for_url(re.compile(r"/t/(?!local-)[^/]+$"))
    there = page.url
    expect(page.get_by_role("dialog").get_by_role("heading")).to_have_text(
        "The link for your friend"
    )
    path = page.evaluate("JSON.parse(localStorage.getItem('triomino-friend')).path")
    page.keyboard.press("Escape")
    page.locator(".table").wait_for()
    assert player.tiles_on_board == laid
    expect(page.locator(".chip.here")).to_have_count(0)

    # The friend plays where the bot was; the old address leads to the same table.
    friend = open_page()
    friend.goto(server.url + path)
    friend.get_by_role("button", name="Play on this device").click()
    friend.locator(".table").wait_for()
    wait_for_turn(page)
    Player(page, "touch").turn()
    other = open_page()
    other.goto(there)
    expect(other.locator(".table")).to_be_visible()
    page.goto(here)
    page.get_by_role("link", name="Go to the table").tap()
    page.wait_for_url(there)
