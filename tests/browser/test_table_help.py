"""Tables that show less: places without points, or nothing at all."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser.driver import Person, new_table, wait_for_turn

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.browser.conftest import OpenPage
    from tests.server.process import ServerProcess

DESK = {"width": 1280, "height": 800}
SEATS = [{"kind": "here", "name": "Ann"}, {"kind": "bot", "bot": "greedy", "name": "Greta"}]


def test_places_without_points(server: ServerProcess, open_page: OpenPage) -> None:
    page = open_page(viewport=DESK)
    new_table(page, server.url, seats=SEATS, help="places")
    me = Person(page)
    while not page.locator("[data-place]").count() or not page.locator(".tile.can").count():
        me.turn()
        wait_for_turn(page)
    page.locator(".tile.can").first.click()
    assert page.locator("[data-ghost]").count() > 0
    expect(page.locator(".label")).to_have_count(0)
    page.locator(".tile.chosen").click()
    expect(page.locator("[data-ghost]")).to_have_count(0)
    me.turn()


def wait_for_next_turn(page: Page, version: str | None) -> None:
    """Wait until what was done at a version has been answered, and one may do something again."""
    page.wait_for_function(
        "was => { const { version, mine } = document.querySelector('.table').dataset;"
        " return version !== was && mine === 'true'; }",
        arg=version,
    )


def test_where_nothing_is_shown_a_wrong_place_is_refused_and_the_tile_comes_back(
    server: ServerProcess, open_page: OpenPage
) -> None:
    page = open_page(viewport=DESK)
    new_table(page, server.url, seats=SEATS, help="none")
    tiles = page.locator(".rack .tile")
    wait_for_turn(page)
    if not page.locator("[data-place]").count():
        tiles.first.click()
        page.locator("[data-ghost]").first.wait_for()
        version = page.locator(".table").get_attribute("data-version")
        page.locator(".places button").first.press("Enter")
        wait_for_next_turn(page, version)
    laid, held = page.locator("[data-place]").count(), tiles.count()
    refusals = 0
    for attempt in range(60):
        # No tile is marked; every place beside the board may be tried.
        expect(page.locator(".tile.can, .tile.idle")).to_have_count(0)
        version = page.locator(".table").get_attribute("data-version")
        tiles.nth(attempt % held).click()
        places = page.locator(".places button")
        places.first.wait_for(state="attached")
        places.last.press("Enter")
        page.wait_for_function(
            "was => document.querySelector('.refused')"
            " || document.querySelectorAll('[data-place]').length > was",
            arg=laid,
        )
        if page.locator(".refused").count():
            refusals += 1
            expect(page.locator(".refused")).to_have_text(re.compile("does not fit"))
            expect(page.locator("[data-place]")).to_have_count(laid)
            expect(tiles).to_have_count(held)
            break
        wait_for_next_turn(page, version)
        laid, held = page.locator("[data-place]").count(), tiles.count()
    assert refusals, "among so many tiles one does not fit"
