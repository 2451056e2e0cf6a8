"""Opponents are somebody: a name, a face and a level; and people have a monogram of their own."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser.inspection import cut_texts, violations_in_both_schemes
from tests.browser.pages import call, make_table
from tests.browser.player import Player
from triomino.bots import CAST, localized
from triomino.words import texts

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.browser.conftest import OpenPage
    from tests.server.process import ServerProcess

DESK = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}


def pupils(page: Page) -> list[str]:
    """Where the eyes of the first opponent look."""
    eyes = page.locator(".players [data-face] .ink")
    found: list[str] = eyes.evaluate_all("all => all.map(one => one.getAttribute('d'))")
    return found


def test_the_opponent_of_a_quick_game_is_somebody(
    server: ServerProcess, open_page: OpenPage
) -> None:
    page = open_page(viewport=DESK)
    page.goto(server.url)
    face = page.locator(".how [data-face]")
    expect(face).to_be_visible()
    assert face.get_attribute("data-face") in CAST
    me = Player(page)
    me.start(server.url)
    rival = page.locator(".players li").nth(1)
    name = rival.locator("[data-face]").get_attribute("data-face") or ""
    assert re.sub(r"\s+(?=,)", "", rival.locator(".name").inner_text()) == f"{name}, Easy"
    expect(rival.locator("[data-petals='2'] .on")).to_have_count(2)
    expect(page.locator(".players li").nth(0).locator(".avatar")).to_have_text("Y")
    # The eyes follow the tiles that are laid.
    before, laid = pupils(page), me.tiles_on_board
    while me.tiles_on_board == laid:
        me.turn()
    expect(page.locator(f".players [data-face] .ink[d='{before[0]}']")).to_have_count(0)
    # The sheet and the result have the same faces; the result says how they feel.
    expect(page.locator(f"thead [data-face={name}]")).to_be_visible()
    assert violations_in_both_schemes(page) == []
    page.get_by_role("button", name="Menu").click()
    for _ in range(2):
        page.get_by_role("dialog").get_by_role("button", name="Give up").click()
    result = page.locator(".ending")
    expect(result.locator(f".totals [data-face={name}]")).to_have_attribute("data-mood", "pleased")
    phrase = texts("en")[f"cast.{name.lower()}.pleased"]
    expect(result.locator("[data-speech]")).to_have_text(phrase)
    expect(result.locator(f".chart [data-face={name}]")).to_be_visible()
    expect(result.locator(".chart .monogram")).to_have_text("Y")
    assert violations_in_both_schemes(page) == []
    page.get_by_role("button", name="Rematch").click()
    expect(page.locator(".players [data-face]")).to_have_attribute("data-face", name)


def test_six_at_a_table_are_told_apart(server: ServerProcess, open_page: OpenPage) -> None:
    page = open_page(viewport=PHONE, locale="he")
    call(page, server.url, "devices")
    names = ["Milo", "Mika", "Noor", "Juno"]
    people = [{"kind": "here", "name": name} for name in ("Ann", "Anna")]
    bots = [{"kind": "bot", "bot": "easy", "name": name} for name in names]
    options = {"seats": [*people, *bots], "rules": {"edition": "six-player"}}
    table = call(page, server.url, "tables", options)["id"]
    call(page, server.url, f"tables/{table}/start")
    page.goto(f"{server.url}/t/{table}")
    players = page.locator(".players li")
    expect(page.locator(".players [data-face]")).to_have_count(4)
    avatars = players.locator(".avatar")
    assert avatars.all_inner_texts()[:2] == ["An", "Aa"]
    assert players.locator("b").all_inner_texts()[2:] == [localized(one, "he") for one in names]
    colours = [
        one.evaluate("one => getComputedStyle(one).getPropertyValue('--c')")
        for one in avatars.all()
    ]
    assert len(set(colours)) == 6
    assert cut_texts(page) == []


def test_who_will_play_is_shown_at_a_new_table(server: ServerProcess, open_page: OpenPage) -> None:
    page = open_page(viewport=DESK)
    page.goto(f"{server.url}/new")
    page.get_by_role("button", name="Add a seat").click()
    page.get_by_label("Seat 3", exact=True).select_option("Hard (bot)")
    faces = page.locator(".chair [data-face]")
    expect(faces).to_have_count(2)
    names = [one.get_attribute("data-face") for one in faces.all()]
    assert len(set(names)) == 2
    page.get_by_text("calm", exact=True).click()
    with page.expect_request("**/api/tables") as asked:
        page.get_by_role("button", name="Set up the table").click()
    assert '"pace":"calm"' in (asked.value.post_data or "")
    expect(page.locator(".players [data-face]")).to_have_count(2)
    shown = [one.get_attribute("data-face") for one in page.locator(".players [data-face]").all()]
    assert shown == names
    # Somebody who comes with the name of a bot gets it.
    table = make_table(
        page,
        server.url,
        {"kind": "link"},
        {"kind": "bot", "bot": "easy", "name": "Kai"},
        start=False,
    )
    page.goto(f"{server.url}/t/{table}")
    expect(page.locator(".seats [data-face=Kai]")).to_be_visible()
    guest = open_page(viewport=PHONE)
    guest.goto(f"{server.url}/t/{table}")
    guest.locator("#name").fill("Kai")
    guest.locator("form button").click()
    expect(page.locator(".seats li").nth(1)).to_contain_text("Kai")
    expect(page.locator(".seats [data-face=Kai]")).to_have_count(0)
    expect(page.locator(".seats [data-face]")).to_be_visible()
