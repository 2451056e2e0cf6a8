"""A sheet on the phones of the others, as it is written, with and without a line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser.pad_writer import NAMES, PHONE, PadWriter, sample_turn
from tests.browser.player import TIMEOUT

if TYPE_CHECKING:
    from tests.browser.conftest import OpenPage
    from tests.server.process import ServerProcess


def test_a_second_phone_follows(server: ServerProcess, open_page: OpenPage) -> None:
    page = open_page(**PHONE)
    writer = PadWriter(page)
    writer.begin(server.url, NAMES)
    first = writer.write(sample_turn(0), NAMES)
    page.get_by_role("button", name="More").tap()
    page.get_by_role("button", name="Show on other phones").tap()
    link = page.get_by_role("textbox").input_value(timeout=TIMEOUT)
    path = link[link.index("/sheet/") :]
    page.keyboard.press("Escape")
    other = open_page(**PHONE)
    other.goto(server.url + path)
    seen = other.locator(".strip .total")
    expect(seen).to_have_text(list(map(str, first)), timeout=TIMEOUT)
    expect(other.locator(".strip li.turn .name")).to_have_text(NAMES[1])
    second = writer.write(sample_turn(1), NAMES)
    expect(seen).to_have_text(list(map(str, second)), timeout=TIMEOUT)
    # Written without a line, it goes to the server when there is one again, and once.
    page.context.set_offline(True)
    for number in (2, 3, 4):
        third = writer.write(sample_turn(number), NAMES)
    page.get_by_role("button", name="Undo").tap()
    page.get_by_role("button", name="Redo").tap()
    expect(page.get_by_text("Not on the other phones yet")).to_be_visible(timeout=TIMEOUT)
    expect(seen).to_have_text(list(map(str, second)))
    writer.settle()
    page.context.set_offline(False)
    expect(seen).to_have_text(list(map(str, third)), timeout=TIMEOUT)
    expect(page.get_by_text("Not on the other phones yet")).to_have_count(0, timeout=TIMEOUT)
    answer = page.request.get(f"{server.url}/api/pads/{path.rpartition('/')[2]}").json()
    assert answer["acts"] == writer.log()
    # Who only looks cannot write.
    assert other.locator(".acts, .keys").count() == 0
