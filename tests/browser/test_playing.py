"""Whole matches in a real browser against a real server."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser.deals import PAGE_SEED, SHORT_CASUAL_ROUND, SHORT_ROUND
from tests.browser.player import Player, see_text, start_at_choice, wait_for_turn
from tests.effort import long_only

if TYPE_CHECKING:
    from playwright.sync_api import Page, WebSocketRoute

    from tests.browser.conftest import OpenPage
    from tests.browser.seeded_server import SeededServer

PHONE = {"width": 390, "height": 780}


def check_end(page: Page) -> None:
    """The end says who won, and the sheet's totals are those of the settlement."""
    expect(page.locator(".ending h2")).to_have_text(re.compile("won|draw", re.IGNORECASE))
    expect(page.locator(".ending .totals li")).to_have_count(2)


@long_only
def test_a_match_with_the_mouse(server: SeededServer, open_page: OpenPage) -> None:
    page = open_page(viewport={"width": 1280, "height": 800})
    me = Player(page)
    server.deal_next(SHORT_ROUND, PAGE_SEED)
    me.start(server.url)
    me.play()
    laid = me.tiles_on_board
    assert laid > 10
    check_end(page)
    # The match can be seen again, step by step.
    page.get_by_role("link", name="Replay").click()
    expect(page.locator("[data-place]")).to_have_count(laid)
    # One's own rack is clear, that of the bot is faded.
    expect(page.locator("[data-rack='0']:not(.other)")).to_have_count(1)
    expect(page.locator("[data-rack='1'].other")).to_have_count(1)
    page.get_by_role("slider").fill("0")
    expect(page.locator("[data-place]")).to_have_count(0)
    page.get_by_role("button", name="One step forward").click()
    expect(page.locator("[data-place]")).to_have_count(1)
    page.go_back()
    # Another one, at a table of its own.
    first = page.url
    page.get_by_role("button", name="Rematch").click()
    page.wait_for_function("before => location.href !== before", arg=first)
    page.locator(".rack .tile").first.wait_for()
    me.turn()


def test_a_match_with_the_keyboard_only(server: SeededServer, open_page: OpenPage) -> None:
    page = open_page(viewport={"width": 1280, "height": 800})
    me = Player(page, "keys")
    server.deal_next(SHORT_CASUAL_ROUND, PAGE_SEED)
    me.start(server.url, points=False)
    me.play()
    # There are no points, so none are reckoned up.
    expect(page.locator(".ending h2")).to_be_visible()
    expect(page.locator(".ending .totals")).to_have_count(0)


def test_the_first_keys_are_tab_and_enter(server: SeededServer, open_page: OpenPage) -> None:
    page = open_page()
    page.goto(server.url)
    page.get_by_role("button", name="Play", exact=True).wait_for()
    # The first link leads past the others.
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("() => document.activeElement.textContent.trim()") == "Play"
    page.keyboard.press("Enter")
    page.wait_for_url("**/t/*")
    # The keyboard goes on from the table's heading, not from the top of the document.
    page.locator(".table").wait_for()
    assert page.evaluate("() => document.activeElement.tagName") == "H1"


def test_a_match_on_a_phone_by_touch(server: SeededServer, open_page: OpenPage) -> None:
    page = open_page(viewport=PHONE, has_touch=True, is_mobile=True, device_scale_factor=2)
    me = Player(page, "touch")
    server.deal_next(SHORT_ROUND, PAGE_SEED)
    me.start(server.url)
    me.play()
    check_end(page)
    wide = page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0, "the page is wider than the phone"


def test_a_tile_is_dragged_to_its_place(server: SeededServer, open_page: OpenPage) -> None:
    page = open_page(viewport={"width": 1280, "height": 800})
    start_at_choice(server, page)
    tile = page.locator(".tile.can").first
    name = tile.get_attribute("data-tile")
    from_box = tile.bounding_box()
    assert from_box is not None
    page.mouse.move(from_box["x"] + 20, from_box["y"] + 30)
    page.mouse.down()
    page.mouse.move(from_box["x"] + 40, from_box["y"] - 40, steps=4)
    ghost = page.locator("[data-ghost]").first.bounding_box()
    assert ghost is not None
    x, y = ghost["x"] + ghost["width"] / 2, ghost["y"] + ghost["height"] / 2
    page.mouse.move(x, y, steps=4)
    page.mouse.up()
    expect(page.locator(f'[data-tile="{name}"]')).to_have_count(0)


def test_drawing_although_able_is_asked_about(server: SeededServer, open_page: OpenPage) -> None:
    page = open_page(viewport={"width": 1280, "height": 800})
    me = start_at_choice(server, page)
    tiles = page.locator(".rack .tile").count()
    me.button("Draw").click()
    see_text(page, "Draw for −5?")
    page.locator(".actions").get_by_role("button", name="Back").click()
    expect(page.locator(".rack .tile")).to_have_count(tiles)


def test_after_a_draw_an_able_player_sees_why_draw_is_off(
    server: SeededServer, open_page: OpenPage
) -> None:
    page = open_page(viewport={"width": 1280, "height": 800})
    me = start_at_choice(server, page)
    for _ in range(2):  # asked once, because something fits
        me.button("Draw").click()
    see_text(page, "You have drawn and can play now, so you must.")
    off = page.locator(".actions").get_by_role("button", name="Draw", exact=True)
    expect(off).to_be_disabled()
    expect(off).to_have_accessible_description("You have drawn and can play now, so you must.")
    # It can be reached by keys, and the key of the command says why.
    off.focus()
    expect(off).to_be_focused()
    page.keyboard.press("d")
    expect(page.locator("[aria-live]").filter(has_text="You have drawn")).to_have_count(1)
    me.turn()
    see_text(page, "drew one")


def test_a_move_is_taken_back_on_request(server: SeededServer, open_page: OpenPage) -> None:
    page = open_page(viewport={"width": 1280, "height": 800})
    me = start_at_choice(server, page)
    tiles = page.locator(".rack .tile").count()
    me.turn()
    wait_for_turn(page)
    me.button("Undo").click()
    expect(page.locator(".rack .tile")).to_have_count(tiles)


def test_a_refused_move_is_taken_back(server: SeededServer, open_page: OpenPage) -> None:
    page = open_page(viewport={"width": 1280, "height": 800})
    held: list[str] = []

    def between(route: WebSocketRoute) -> None:
        there = route.connect_to_server()

        def to_server(message: str | bytes) -> None:
            said = json.loads(message)
            if said["type"] != "move" or "=" not in said["move"] or held:
                there.send(message)
                return
            # The first tile never reaches the server, which is made to say no.
            held.append(said["move"])
            page.wait_for_timeout(300)
            refusal = {
                "type": "refused",
                "id": said["id"],
                "code": "corner_mismatch",
                "detail": "no",
                "version": 1,
            }
            route.send(json.dumps(refusal))

        route.on_message(to_server)

    page.route_web_socket(re.compile("/ws$"), between)
    me = start_at_choice(server, page)
    before = me.tiles_on_board
    tiles = page.locator(".rack .tile").count()
    page.locator(".tile.can").first.click()
    box = page.locator("[data-ghost]").first.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    see_text(page, "It does not fit there")
    assert len(held) == 1
    expect(page.locator("[data-place]")).to_have_count(before)
    expect(page.locator(".rack .tile")).to_have_count(tiles)
    # And the game goes on.
    me.turn()
