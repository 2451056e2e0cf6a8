"""The same walk over the page against a server and against the static site."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.pad_writer import PHONE
from tests.browser.player import SOMETHING_TO_DO, TIMEOUT, Player
from tests.effort import long_only, some
from triomino.bots import LEVELS

if TYPE_CHECKING:
    from tests.browser.conftest import OpenPage


@pytest.fixture(params=some(["server", "site", "here"], "site"))
def walk(request: pytest.FixtureRequest) -> tuple[str, str, bool]:
    """An address, where its games live, and whether its pages are behind a #."""
    if request.param == "site":
        return request.getfixturevalue("site"), "here", True
    return request.getfixturevalue("server").url + "/", request.param, False


@pytest.mark.timeout(300)
def test_the_page_is_the_same_wherever_a_game_lives(
    walk: tuple[str, str, bool], open_page: OpenPage
) -> None:
    """Play with an undo and a hint, reload, finish, rematch, replay, analyse, and look around."""
    url, where, is_site = walk
    page = open_page(**PHONE)
    player = Player(page, "touch")
    player.start(url, where=where, target=None, pace="at_once")
    table = re.compile(r"/t/local-[0-9a-f]{12}$" if where == "here" else r"/t/(?!local-)[^/]+$")
    assert table.search(page.url)
    expect(page.locator(".chip.here")).to_have_count(int(where == "here"))
    player.turn()
    page.wait_for_function(SOMETHING_TO_DO)
    player.turn()
    page.wait_for_function(SOMETHING_TO_DO)
    if player.sees("Undo"):
        before = page.locator(".table").get_attribute("data-version")
        player.press(player.button("Undo"))
        page.wait_for_function(
            "before => document.querySelector('.table')?.dataset.version !== before", arg=before
        )
    page.wait_for_function(SOMETHING_TO_DO)
    if player.sees("Hint"):
        player.press(player.button("Hint"))
        said = re.compile(r"^Hint: \d+% chance to win\.")
        expect(page.locator(".tray .status")).to_have_text(said)
        page.keyboard.press("Escape")
    laid = player.tiles_on_board
    page.reload()
    expect(page.locator("[data-place]").nth(laid - 1)).to_be_attached()
    player.play()
    page.get_by_role("link", name="Replay").first.tap()
    page.wait_for_url("**/replay")
    page.get_by_role("button", name="Analyse").first.tap()
    page.locator(".replay.analysed").wait_for(timeout=4 * TIMEOUT)
    page.go_back()
    page.get_by_role("button", name="Rematch").tap()
    page.wait_for_function(SOMETHING_TO_DO)
    for path in ("learn", "rules", "pad", "referee", "settings", "new", "games"):
        page.goto(f"{url}#/{path}" if is_site else url + path)
        page.get_by_role("heading", level=1).first.wait_for()


@long_only
@pytest.mark.timeout(900)
@pytest.mark.parametrize("level", LEVELS)
def test_a_match_to_the_end_against_every_level(level: str, site: str, open_page: OpenPage) -> None:
    page = open_page(**PHONE, service_workers="allow")
    page.goto(site)
    page.wait_for_function("() => navigator.serviceWorker.controller")
    page.context.set_offline(True)
    player = Player(page, "touch")
    player.start(site, level=level, target=200, pace="at_once")
    player.play(most=900)
