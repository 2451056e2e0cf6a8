"""The table for those who listen or use no mouse: words, lists, arrows and single keys."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser.player import Player, see_text, start_at_choice, wait_for_turn

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.browser.conftest import OpenPage
    from tests.browser.seeded_server import SeededServer

DESK = {"width": 1280, "height": 800}

LISTEN = """() => {
  window.heard = [];
  const line = document.querySelector('[data-said]');
  new MutationObserver(() => window.heard.push(line.textContent))
    .observe(line, {childList: true, characterData: true, subtree: true});
}"""


def heard(page: Page) -> list[str]:
    told: list[str] = page.evaluate("() => window.heard")
    return told


def begin(server: SeededServer, open_page: OpenPage) -> Player:
    """A classic game against a bot in which one is to move, and may play or draw."""
    return start_at_choice(server, open_page(viewport=DESK))


def test_every_turn_is_said_once(server: SeededServer, open_page: OpenPage) -> None:
    page = open_page(viewport=DESK)
    me = Player(page)
    me.start(server.url)
    page.locator("[data-said]").wait_for(state="attached")
    page.evaluate(LISTEN)
    for _ in range(4):
        me.turn()
    wait_for_turn(page)
    told = heard(page)
    # Every tile on the board was named once, but for one that lay there before.
    named = re.findall(r": (\d-\d-\d), ", " ".join(told))
    assert len(named) == len(set(named))
    assert len(named) in (me.tiles_on_board, me.tiles_on_board - 1)
    assert "Your turn." in told[-1]
    # Choosing a tile is no news.
    before = len(told)
    if page.locator(".tile.can").count():
        page.locator(".tile.can").first.click()
        page.wait_for_timeout(100)
        assert len(heard(page)) == before


def test_the_rack_and_the_places_are_lists(server: SeededServer, open_page: OpenPage) -> None:
    page = begin(server, open_page).page
    tiles = page.get_by_role("list", name="Your tiles").get_by_role("button")
    names = [tile.get_attribute("aria-label") or "" for tile in tiles.all()]
    pattern = r"Tile \d-\d-\d, (one point|\d+ points), (no place|one place|\d+ places)"
    assert all(re.fullmatch(pattern, name) for name in names)
    # All places at once, the best first; one of them is played from there.
    page.keyboard.press("l")
    places = page.get_by_role("dialog").get_by_role("listitem").get_by_role("button")
    labels = [place.get_attribute("aria-label") or "" for place in places.all()]
    worth = [int(match[1]) for match in (re.search(r"\+(\d+)", label) for label in labels) if match]
    assert worth == sorted(worth, reverse=True)
    assert len(labels) == page.evaluate(
        "() => [...document.querySelectorAll('.rack .tile')].map(one => "
        "one.ariaLabel.match(/(\\d+|one) places?$/)?.[1] ?? 0)"
        ".reduce((sum, n) => sum + (n === 'one' ? 1 : Number(n)), 0)"
    )
    version = page.locator(".table").get_attribute("data-version")
    page.keyboard.press("Tab")
    places.first.press("Enter")
    expect(page.locator(".table")).not_to_have_attribute("data-version", version or "")


def test_one_key_is_one_command(server: SeededServer, open_page: OpenPage) -> None:
    page = begin(server, open_page).page
    said = page.locator("[data-said]")
    page.keyboard.press("s")
    expect(said).to_have_text(re.compile(r"You −?\d+, \w+ −?\d+\. \d+ tiles in the pool"))
    page.keyboard.press("r")
    expect(said).to_have_text(re.compile(r"^Tile \d-\d-\d, "))
    expect(page.locator(".rack .tile:focus")).to_have_count(1)
    page.keyboard.press("a")
    expect(said).to_have_text(re.compile(r"Your turn\."))
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("d")
    see_text(page, "Draw for −5?")
    page.keyboard.press("Enter")
    expect(page.locator(".ask")).to_have_count(0)
    # The best place waits for Enter.
    tiles = page.locator(".rack .tile").count()
    page.keyboard.press("p")
    page.wait_for_function("() => document.activeElement?.closest('.places')")
    page.keyboard.press("Enter")
    expect(page.locator(".rack .tile")).to_have_count(tiles - 1)


def test_single_keys_can_be_switched_off(server: SeededServer, open_page: OpenPage) -> None:
    page = begin(server, open_page).page
    page.get_by_role("button", name="Menu").click()
    page.get_by_label("Single-key shortcuts").uncheck()
    page.keyboard.press("Escape")
    before = page.locator("[data-said]").text_content()
    page.locator(".board").focus()
    page.keyboard.press("s")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert page.locator("[data-said]").text_content() == before


def test_arrows_walk_over_the_board_and_read_it(server: SeededServer, open_page: OpenPage) -> None:
    page = open_page(viewport=DESK)
    page.goto(f"{server.url}/learn")
    page.locator("[data-place]").wait_for()
    board = page.locator(".board")
    read = page.locator(".wrap > [aria-live]")
    board.focus()
    page.keyboard.press("ArrowLeft")
    expect(read).to_have_text(
        "4-5-5: bottom left 5, top 4, bottom right 5. Open: left, right, below."
    )
    page.keyboard.press("ArrowUp")
    expect(read).to_have_text("Nothing there.")
    page.keyboard.press("ArrowRight")
    expect(read).to_have_text("Empty place. bottom 5, top left 4.")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(read).to_have_text("Empty place. bottom 5, top right 4.")
    # With a tile chosen the walk finds its place, and Enter lays it there.
    page.locator('[data-tile="0-4-5"]').click()
    board.focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(read).to_have_text("Empty place. bottom 5, top right 4. Your tile fits here: +9.")
    page.keyboard.press("Enter")
    expect(page.locator("[data-place]")).to_have_count(2)


def test_twice_as_large_nothing_is_cut_off(server: SeededServer, open_page: OpenPage) -> None:
    # A window of 1280 pixels at 200 percent is one of 640.
    page = open_page(viewport={"width": 640, "height": 400})
    me = Player(page)
    me.start(server.url)
    me.turn()
    wait_for_turn(page)
    for part in (".rack .tile", ".actions button", ".board", "[data-score]"):
        box = page.locator(part).last.bounding_box()
        assert box is not None, part
        assert box["x"] >= 0, part
        assert box["y"] >= 0, part
        assert box["x"] + box["width"] <= 640, part
        assert box["y"] + box["height"] <= 400, part
    small = page.evaluate(
        "() => [...document.querySelectorAll('.table button, .table a')].filter(one => {"
        "const box = one.getBoundingClientRect();"
        "return box.width && one.closest('.places') === null"
        " && (box.width < 44 || box.height < 44); }).map(one => one.outerHTML.slice(0, 90))"
    )
    assert small == []
