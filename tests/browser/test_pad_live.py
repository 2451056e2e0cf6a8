"""A sheet on the phones of the others, as it is written, with and without a line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser.driver import PATIENCE
from tests.browser.padscribe import Scribe
from tests.browser.test_pad_match import NAMES, PHONE
from triomino import pad
from triomino.tile import Tile

if TYPE_CHECKING:
    from tests.browser.conftest import OpenPage
    from tests.server.process import ServerProcess


def turn(number: int) -> pad.Turn:
    """Some turn, the starter's first."""
    return pad.Turn(number % 2, Tile(0, number % 6, 5))


def test_a_second_phone_follows(server: ServerProcess, open_page: OpenPage) -> None:
    page = open_page(**PHONE)
    scribe = Scribe(page)
    scribe.begin(server.url, NAMES)
    first = scribe.write(turn(0), NAMES)
    page.get_by_role("button", name="More").tap()
    page.get_by_role("button", name="Show on other phones").tap()
    link = page.get_by_role("textbox").input_value(timeout=PATIENCE)
    path = link[link.index("/sheet/") :]
    page.keyboard.press("Escape")
    other = open_page(**PHONE)
    other.goto(server.url + path)
    seen = other.locator(".strip .total")
    expect(seen).to_have_text(list(map(str, first)), timeout=PATIENCE)
    expect(other.locator(".strip li.turn .name")).to_have_text(NAMES[1])
    second = scribe.write(turn(1), NAMES)
    expect(seen).to_have_text(list(map(str, second)), timeout=PATIENCE)
    # Written without a line, it goes to the server when there is one again, and once.
    page.context.set_offline(True)
    for number in (2, 3, 4):
        third = scribe.write(turn(number), NAMES)
    page.get_by_role("button", name="Take back").tap()
    page.get_by_role("button", name="Take again").tap()
    expect(page.get_by_text("Not on the other phones yet")).to_be_visible(timeout=PATIENCE)
    expect(seen).to_have_text(list(map(str, second)))
    scribe.settle()
    page.context.set_offline(False)
    expect(seen).to_have_text(list(map(str, third)), timeout=PATIENCE)
    expect(page.get_by_text("Not on the other phones yet")).to_have_count(0, timeout=PATIENCE)
    answer = page.request.get(f"{server.url}/api/pads/{path.rpartition('/')[2]}").json()
    assert answer["acts"] == scribe.log()
    # Who only looks cannot write.
    assert other.locator(".acts, .keys").count() == 0
