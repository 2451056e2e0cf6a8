"""New tables: what can be chosen is what the table gets."""

from __future__ import annotations

import re
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from playwright.sync_api import expect

from tests.browser.inspection import SMALL_PHONE, switch_language
from tests.browser.pages import show_new
from tests.browser.player import see_text
from triomino.bots import CAST
from triomino.rules import EDITIONS, Rules
from triomino.words import languages

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.browser.conftest import OpenPage
    from tests.server.process import ServerProcess

DESK = {"width": 1280, "height": 800}


TOO_LONG = """() => {
  const found = [];
  for (const select of document.querySelectorAll("[data-rule] select")) {
    const style = getComputedStyle(select);
    const pen = document.createElement("canvas").getContext("2d");
    pen.font = style.font;
    const side = parseFloat(style.paddingLeft) + parseFloat(style.paddingRight);
    const lines = style.whiteSpace === "normal" ? 1.8 : 1;
    for (const { text } of select.options)
      if (pen.measureText(text).width > lines * (select.clientWidth - side)) found.push(text);
  }
  return found;
}"""
"""Values of rules that have no room in their menu; two lines are never quite full."""


def set_up(page: Page, url: str) -> dict[str, Any]:
    """Press the button; what the server says of the new table."""
    page.get_by_role("button", name="Set up the table").click()
    page.wait_for_url("**/t/*")
    table: dict[str, Any] = page.request.get(f"{url}/api/tables/{page.url[-12:]}").json()
    return table


def test_every_rule_can_be_reached_and_changed(server: ServerProcess, open_page: OpenPage) -> None:
    page = open_page(viewport=DESK)
    show_new(page, server.url)
    shown = page.locator("[data-rule]").evaluate_all("all => all.map(one => one.dataset.rule)")
    # What a tile is called goes with the edition; everything else can be chosen.
    assert sorted([*shown, "edition", "piece"]) == sorted(item.name for item in fields(Rules))
    # Sets of tiles for study are for no menu.
    expect(page.get_by_label("The set").locator("option")).to_have_count(2)

    page.get_by_text("Bridge also with two sides").click()
    page.get_by_label("Points each draw costs").fill("7")
    page.get_by_label("Total points for opening with 0-0-0").fill("30")
    page.get_by_label("Nobody falls below zero").check()
    page.get_by_label("In a blocked round").select_option("the lowest sum scores the differences")
    page.get_by_label("at once: 3").fill("100")
    page.get_by_label("2 players", exact=True).fill("8")
    page.get_by_label("4 players", exact=True).fill("")
    page.get_by_role("combobox", name=re.compile("^Target")).select_option("200 points")
    expect(page.locator(".rule.changed")).to_have_count(8)
    see_text(page, "8 changed")
    # One is put back.
    page.locator("[data-rule=floor_at_zero]").get_by_role("button").click()
    expect(page.locator(".rule.changed")).to_have_count(7)
    assert set_up(page, server.url)["rules"] == {
        "edition": "classic",
        "bridge_rule": "one_free_side",
        "draw_cost": 7,
        "triple_zero_start": 30,
        "blocked": "lowest_takes_differences",
        "hexagon_bonuses": [50, 60, 100],
        "racks": {"2": 8, "3": 7},
        "target": 200,
    }


def test_drawing_on_although_able_comes_with_a_warning(
    server: ServerProcess, open_page: OpenPage
) -> None:
    page = open_page(viewport=DESK)
    show_new(page, server.url)
    rule = page.locator("[data-rule=voluntary_draw]")
    expect(rule.locator("select")).to_have_value("first_only")
    expect(rule.locator(".note")).to_have_count(0)
    rule.locator("select").select_option("always")
    expect(rule.locator(".note")).to_contain_text("emptying the pool on purpose")
    assert set_up(page, server.url)["rules"] == {"edition": "classic", "voluntary_draw": "always"}


def test_rules_that_cannot_be_are_told_in_words(server: ServerProcess, open_page: OpenPage) -> None:
    page = open_page(viewport=DESK, expects_refusals=True)
    show_new(page, server.url)
    page.get_by_label("2 players", exact=True).fill("30")
    page.get_by_role("button", name="Set up the table").click()
    expect(page.get_by_role("alert")).to_have_text(
        "This setting is not possible: Dealt to each, by number of players."
    )
    expect(page.locator("[data-rule=racks]")).to_have_class(re.compile("refused"))
    page.get_by_label("2 players", exact=True).fill("9")
    set_up(page, server.url)


def test_the_card_game_with_every_card(server: ServerProcess, open_page: OpenPage) -> None:
    page = open_page(viewport=DESK)
    page.goto(f"{server.url}/new")
    every = page.get_by_label("Every card scores its sum")
    expect(every).to_be_disabled()
    expect(every).to_be_checked()
    page.get_by_role("radio", name="Card game").check()
    every.check()
    page.get_by_label("Players may ask for hints").uncheck()
    page.get_by_label("Time for a turn").select_option("2 minutes")
    page.get_by_label("If somebody is away").select_option("a bot plays after one minute")
    assert set_up(page, server.url)["rules"] == {"edition": "card", "placement_sum": "all"}


def test_every_value_of_a_rule_can_be_read_on_a_small_phone(
    server: ServerProcess, open_page: OpenPage
) -> None:
    page = open_page(viewport=SMALL_PHONE)
    show_new(page, server.url)
    expect(page.locator("[data-rule] select").last).to_be_visible()
    for language in languages():
        switch_language(page, language)
        assert page.evaluate(TOO_LONG) == [], language


def test_a_fifth_seat_is_the_game_for_six(server: ServerProcess, open_page: OpenPage) -> None:
    page = open_page(viewport=DESK)
    page.goto(f"{server.url}/new")
    for _ in range(2):
        page.get_by_role("button", name="Add a seat").click()
    page.get_by_role("button", name="Add a fifth seat").click()
    expect(page.get_by_role("radio", name="Six players")).to_be_checked()
    see_text(page, "Five or six players: that is the six-player game")
    for number in range(3, 6):
        page.get_by_label(f"Seat {number}", exact=True).select_option("Easy (bot)")
    table = set_up(page, server.url)
    assert table["edition"] == "six-player"
    # Nobody gave a name: everybody reads them in their own words.
    assert all(seat["is_made_up"] for seat in table["seats"])
    names = [seat["name"] for seat in table["seats"][1:]]
    assert len(set(names)) == 4
    assert set(names) <= set(CAST)
    for name in ("You", *names):
        expect(page.locator(".players").get_by_text(name, exact=True)).to_be_visible()
    # Back to a smaller game, and seats are taken away with a word.
    page.goto(f"{server.url}/new")
    for _ in range(3):
        page.get_by_role("button", name=re.compile("^.{0,2}Add a")).click()
    page.get_by_role("radio", name="Card game").check()
    see_text(page, "Card game is for 4 players at most")
    expect(page.locator(".chair")).to_have_count(4)


def test_who_reads_hebrew_finds_the_hebrew_sheet_first(
    server: ServerProcess, open_page: OpenPage
) -> None:
    for locale, first in (("he-IL", "classic-hebrew"), ("en-GB", "classic")):
        page = open_page(viewport=DESK, locale=locale)
        page.goto(f"{server.url}/new")
        radios = page.locator("input[name=edition]")
        expect(radios).to_have_count(len(EDITIONS))
        assert radios.first.get_attribute("value") == first
        expect(radios.first).to_be_checked()
