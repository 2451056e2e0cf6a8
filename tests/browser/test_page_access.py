"""A game with keys only, from the first page on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser.inspection import DESK
from tests.browser.player import Player

if TYPE_CHECKING:
    from tests.browser.conftest import OpenPage
    from tests.server.process import ServerProcess


def test_with_keys_only_from_the_first_page_to_a_tile_that_lies(
    server: ServerProcess, open_page: OpenPage
) -> None:
    page = open_page(viewport=DESK)
    page.goto(server.url)
    page.get_by_role("button", name="Play", exact=True).wait_for()

    def tab_to(name: str) -> None:
        for _ in range(80):
            page.keyboard.press("Tab")
            said = page.evaluate(
                "() => { const one = document.activeElement;"
                " return one.labels?.[0]?.innerText || one.ariaLabel || one.innerText || '' }"
            )
            if said.startswith(name):
                return
        raise AssertionError(f"{name} cannot be reached")

    tab_to("New table")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="New table")).to_be_focused()
    # Ready-made tables first; the games below are one stop, and arrows choose among them.
    tab_to("Classic · to 400")
    page.keyboard.press("Enter")
    tab_to("Classic")
    for _ in range(4):
        page.keyboard.press("ArrowDown")
    expect(page.get_by_role("radio", name="Without points")).to_be_checked()
    expect(page.get_by_role("button", name="Without points")).to_have_attribute(
        "aria-pressed", "true"
    )
    tab_to("Name at seat 1")
    page.keyboard.type("Ann")
    tab_to("places and points")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("radio", name="places", exact=True)).to_be_checked()
    tab_to("Set up the table")
    page.keyboard.press("Enter")
    page.wait_for_url("**/t/*")
    me = Player(page, "keys")
    while not me.tiles_on_board:
        me.turn()
