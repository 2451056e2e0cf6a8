"""Asking what would be best."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser.player import start_at_choice

if TYPE_CHECKING:
    from tests.browser.conftest import OpenPage
    from tests.browser.seeded_server import SeededServer


def test_a_hint_shows_its_place_and_its_reason(server: SeededServer, open_page: OpenPage) -> None:
    page = open_page(viewport={"width": 1200, "height": 800})
    me = start_at_choice(server, page)
    me.button("Hint").click()
    status = page.locator(".tray .status")
    expect(status).to_have_text(re.compile(r"^Hint: \d+% chance to win\. [A-Z][^;]+\.$"))
    version = page.locator(".table").get_attribute("data-version") or ""
    if me.button("Place").is_visible():
        me.button("Place").click()
    else:  # it may be best to draw, and that is asked about
        me.button("Draw").click()
        if page.locator(".ask").is_visible():
            me.button("Draw").click()
    expect(page.locator(".table")).not_to_have_attribute("data-version", version)
    expect(status).not_to_have_text(re.compile("^Hint"))
