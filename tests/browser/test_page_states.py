"""Pages in states that a plain visit does not show: for everybody, by keys, without coordinates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks.web.scenes import ended, make_state, show, six_players, waiting
from playwright.sync_api import expect

from tests.browser.inspection import (
    PHONE,
    axe_violations,
    small_targets,
    too_wide,
    without_keys,
)
from tests.browser.pages import call, make_table
from tests.browser.test_pages import COORDINATES
from tests.effort import long_only

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from tests.browser.conftest import OpenPage
    from tests.server.process import ServerProcess


def show_join(page: Page, url: str) -> None:
    """Open the link of an invitation as a guest does."""
    table = make_table(page, url, {"kind": "link"}, start=False)
    page.context.clear_cookies()
    page.goto(f"{url}/t/{table}")
    page.get_by_role("button", name="Sit down").wait_for()


def show_claim(page: Page, url: str) -> None:
    """Open the link to a seat."""
    table = make_table(page, url)
    page.goto(url + call(page, url, f"tables/{table}/seats/0/links")["path"])
    page.get_by_role("button", name="Play on this device").wait_for()


def show_no_page(page: Page, url: str) -> None:
    page.goto(f"{url}/nowhere/at/all")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.get_by_role("main").get_by_role("link")).to_have_count(3)


def show_places(page: Page, url: str) -> None:
    """Choose a tile, so that its places are listed."""
    show(page, url, make_state(30, 9))
    page.locator(".tile.can").first.click()
    expect(page.locator(".places button").first).to_be_attached()


def show_all_places(page: Page, url: str) -> None:
    show(page, url, make_state(30, 9))
    page.keyboard.press("l")
    page.get_by_role("dialog").get_by_role("listitem").first.wait_for()


def show_reactions(page: Page, url: str) -> None:
    show(page, url, waiting())
    page.get_by_role("button", name="Say something").click()


STATES: dict[str, Callable[[Page, str], object]] = {
    "join": show_join,
    "claim": show_claim,
    "no page": show_no_page,
    "places of a tile": show_places,
    "all places": show_all_places,
    "reactions": show_reactions,
    "away": lambda page, url: show(page, url, waiting(here=[0], away={"1": 725})),
    "paused": lambda page, url: show(page, url, waiting(paused=0)),
    "closed": lambda page, url: show(page, url, waiting(state="closed", closed_why="absent")),
    "six": lambda page, url: show(page, url, six_players()),
    "result": lambda page, url: show(page, url, ended()),
}


@long_only
def test_every_state_is_for_everybody(server: ServerProcess, open_page: OpenPage) -> None:
    found: list[str] = []
    for number, (name, show_it) in enumerate(STATES.items()):
        page = open_page(viewport=PHONE)
        page.emulate_media(color_scheme=("dark", "light")[number % 2])
        show_it(page, server.url)
        faults = axe_violations(page) + small_targets(page) + without_keys(page) + too_wide(page)
        faults += COORDINATES.findall(page.locator("body").aria_snapshot())
        found += [f"{name}: {one}" for one in faults]
        page.context.close()
    assert not found, "\n".join(found)


def test_coordinates_would_be_found() -> None:
    assert COORDINATES.findall('- button "1-2-3 at U(-1,0)"')
