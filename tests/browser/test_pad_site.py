"""The pages that need no server, as files in a folder of some host."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser.pad_writer import NAMES, PHONE, PadWriter
from tests.browser.test_page_rules import DESK, STATED, expected
from tests.test_rulebook import numbers
from triomino import EDITIONS, pad
from triomino.tile import Tile

if TYPE_CHECKING:
    from tests.browser.conftest import OpenPage


def test_the_pad_opens_from_files_and_without_a_network(site: str, open_page: OpenPage) -> None:
    page = open_page(**PHONE, service_workers="allow")
    page.goto(f"{site}#/pad")
    for number, name in enumerate(NAMES, 1):
        page.get_by_role("textbox", name=f"Name {number}").fill(name)
    page.get_by_role("button", name="Start", exact=True).tap()
    writer = PadWriter(page)
    writer.round_over = True
    assert writer.write(pad.Turn(0, Tile(1, 3, 4)), NAMES) == [8, 0]
    writer.settle()
    page.wait_for_function("() => navigator.serviceWorker.controller")
    page.context.set_offline(True)
    page.reload()
    writer.see_totals([8, 0])
    page.get_by_role("button", name="More").tap()
    expect(page.get_by_role("button", name="Show on other phones")).to_have_count(0)
    page.get_by_role("link", name="The referee").tap()
    for number in (1, 3, 4):
        page.locator(".digits button").nth(number).tap()
    expect(page.locator(".verdict")).to_contain_text("Allowed: 8 points")


def test_the_book_needs_no_server(site: str, open_page: OpenPage) -> None:
    page = open_page(viewport=DESK)
    page.goto(f"{site}#/rules/six-player")
    page.locator("article[data-edition='six-player'] [data-chapter=win]").wait_for()
    assert {*numbers(page.evaluate(STATED))} == expected(EDITIONS["six-player"])
    page.get_by_role("link", name="Card game").click()
    page.locator("article[data-edition='card']").wait_for()
