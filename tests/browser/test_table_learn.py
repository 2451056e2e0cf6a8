"""The guided first game, and what fingers do to a board; its positions are always the same."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.player import see_text, wait_until_still

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.browser.conftest import OpenPage
    from tests.server.process import ServerProcess

PHONE = {"width": 390, "height": 780}


def touch(page: Page, name: str) -> None:
    page.get_by_role("button", name=re.compile("^" + re.escape(name))).tap()


def middle(page: Page, ghost: str) -> tuple[float, float]:
    """Where a lit place is."""
    box = page.locator(f'[data-ghost^="{ghost}"]').bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def first_place(page: Page) -> str:
    return page.locator("[data-ghost]").first.get_attribute("data-ghost") or ""


def tap_place(page: Page, ghost: str) -> None:
    page.touchscreen.tap(*middle(page, ghost))
    touch(page, "Place")


@pytest.fixture
def phone(open_page: OpenPage) -> Page:
    return open_page(viewport=PHONE, has_touch=True, is_mobile=True)


def test_the_first_game_teaches_by_doing(server: ServerProcess, phone: Page) -> None:
    page = phone
    page.goto(server.url)
    page.get_by_role("link", name="Learn", exact=True).tap()
    expect(page.locator("h1")).to_have_text("Place a tile")
    page.locator('[data-tile="0-4-5"]').tap()
    touch(page, "Place +9")
    see_text(page, "+9: a tile scores the sum")
    touch(page, "Next")
    expect(page.locator("h1")).to_have_text("Numbers must match")
    # What does not fit has no place.
    page.locator('[data-tile="1-2-3"]').tap()
    expect(page.locator("[data-ghost]")).to_have_count(0)
    page.locator('[data-tile="0-0-5"]').tap()
    expect(page.locator("[data-ghost]")).to_have_count(3)
    page.touchscreen.tap(
        *middle(page, page.locator("[data-ghost]").first.get_attribute("data-ghost") or "")
    )
    touch(page, "Place")
    touch(page, "Next")
    expect(page.locator("h1")).to_have_text("When nothing fits, draw")
    touch(page, "Draw")
    see_text(page, "The new tile fits")
    see_text(page, "You have drawn and can play now, so you must.")
    page.locator('[data-tile="0-0-5"]').tap()
    tap_place(page, first_place(page))
    see_text(page, "after −5 for the draw")
    see_text(page, "once you have drawn, you must play if you can")
    touch(page, "Next")
    # The bridge is to be found; something else may be tried again.
    page.locator('[data-tile="4-4-5"]').tap()
    touch(page, "Place")
    see_text(page, "there is a better move")
    touch(page, "Look again")
    page.locator('[data-tile="0-2-2"]').tap()
    tap_place(page, "D(-2,0)")
    see_text(page, "40 for the bridge")
    expect(page.locator("[data-bridge]")).to_have_count(1)
    touch(page, "Next")
    page.locator('[data-tile="2-3-4"]').tap()
    touch(page, "Place")
    see_text(page, "50 for the hexagon")
    expect(page.locator("[data-hexagon]")).to_have_count(1)
    touch(page, "Done")
    touch(page, "Play a game")
    page.wait_for_url("**/t/*")


def second_lesson(page: Page, url: str) -> None:
    """A board of three tiles, and a tile with three places."""
    page.goto(f"{url}/learn")
    page.locator('[data-tile="0-4-5"]').tap()
    touch(page, "Place")
    touch(page, "Next")
    page.locator('[data-tile="0-0-5"]').tap()
    expect(page.locator("[data-ghost]")).to_have_count(3)


def side(page: Page) -> int:
    """How many pixels a tile is wide."""
    return int(page.locator("[data-side]").get_attribute("data-side") or 0)


def pinch(page: Page, start: float, end: float) -> None:
    """Two fingers on the board, so far apart, then so far."""
    box = page.locator(".board").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    wire = page.context.new_cdp_session(page)

    def fingers(kind: str, apart: float) -> None:
        points = [] if kind == "touchEnd" else [{"x": x - apart / 2, "y": y, "id": 0}]
        points += [] if kind == "touchEnd" else [{"x": x + apart / 2, "y": y, "id": 1}]
        wire.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    fingers("touchStart", start)
    for step in range(1, 9):
        fingers("touchMove", start + (end - start) * step / 8)
    fingers("touchEnd", end)


def test_two_fingers_zoom_and_a_button_shows_all_again(server: ServerProcess, phone: Page) -> None:
    second_lesson(phone, server.url)
    before = side(phone)
    pinch(phone, 240, 80)
    assert side(phone) < before / 2
    # A board this small has one digit at each point.
    assert phone.locator(".disc").count() > 3
    phone.get_by_role("button", name="Show the whole board").tap()
    expect(phone.locator("[data-side]")).to_have_attribute("data-side", str(before))
    expect(phone.locator(".disc")).to_have_count(0)


def test_a_finger_need_not_be_exact_but_never_guesses(server: ServerProcess, phone: Page) -> None:
    second_lesson(phone, server.url)
    pinch(phone, 240, 80)
    small = side(phone)
    assert small < 41
    keys = [g.get_attribute("data-ghost") or "" for g in phone.locator("[data-ghost]").all()]
    spots = {key: middle(phone, key) for key in keys}
    near = {
        key: min(
            ((x - u) ** 2 + (y - v) ** 2) ** 0.5 for other, (u, v) in spots.items() if other != key
        )
        for key, (x, y) in spots.items()
    }
    crowded = min(near, key=lambda key: near[key])
    if near[crowded] < 24:
        # Two places this close are shown larger first; nothing is aimed at.
        phone.touchscreen.tap(*spots[crowded])
        assert side(phone) > small
        expect(phone.get_by_role("button", name=re.compile("^Place"))).to_have_count(0)
        pinch(phone, 180, 100)
        spots = {key: middle(phone, key) for key in keys}
    alone = max(near, key=lambda key: near[key])
    x, y = spots[alone]
    away = max(spots.values(), key=lambda spot: (spot[0] - x) ** 2 + (spot[1] - y) ** 2)
    length = ((away[0] - x) ** 2 + (away[1] - y) ** 2) ** 0.5
    dx, dy = (x - away[0]) / length, (y - away[1]) / length
    phone.touchscreen.tap(x + 28 * dx, y + 28 * dy)
    expect(phone.get_by_role("button", name=re.compile("^Place"))).to_have_count(1)
    phone.get_by_role("button", name="Cancel").tap()
    phone.locator('[data-tile="0-0-5"]').tap()
    phone.touchscreen.tap(x + 60 * dx, y + 60 * dy)
    expect(phone.get_by_role("button", name=re.compile("^Place"))).to_have_count(0)


def test_the_board_turns_and_its_numbers_stay_upright(server: ServerProcess, phone: Page) -> None:
    second_lesson(phone, server.url)
    first = phone.locator("[data-place]").first.get_attribute("data-place")
    phone.get_by_role("button", name="Turn the board").tap()
    expect(phone.locator("[data-place]").first).not_to_have_attribute("data-place", first or "")
    expect(phone.locator("[data-ghost]")).to_have_count(3)
    expect(phone.locator("svg [transform*=rotate]")).to_have_count(0)  # once it has come to rest
    tap_place(phone, first_place(phone))
    see_text(phone, "Tiles turn by themselves")


def test_a_wheel_zooms_and_a_mouse_pulls(server: ServerProcess, open_page: OpenPage) -> None:
    page = open_page(viewport={"width": 1000, "height": 800})
    page.goto(f"{server.url}/learn")
    place = page.locator("[data-place]")
    place.wait_for()
    wait_until_still(page, "[data-place]")
    box = place.bounding_box()
    assert box is not None
    page.mouse.move(300, 400)
    page.mouse.wheel(0, -300)
    page.wait_for_function(
        "was => Number(document.querySelector('[data-side]').dataset.side) > was", arg=121
    )
    page.get_by_role("button", name="Show the whole board").click()
    wait_until_still(page, "[data-place]")
    page.mouse.move(300, 400)
    page.mouse.down()
    page.mouse.move(380, 430, steps=5)
    page.mouse.up()
    moved = place.bounding_box()
    assert moved is not None
    assert abs(moved["x"] - box["x"] - 80) < 2
    assert abs(moved["y"] - box["y"] - 30) < 2


BASICS = ["place", "match", "draw", "bridge", "hexagon"]


def test_further_lessons_have_a_reward_and_progress_is_kept(
    server: ServerProcess, phone: Page
) -> None:
    page = phone
    known = f"localStorage.triomino ??= JSON.stringify({{ version: 2, lessons: {BASICS} }})"
    page.add_init_script(known)
    # Whoever has done the first game sees what else there is.
    page.goto(f"{server.url}/learn")
    expect(page.locator("[data-lesson]")).to_have_count(5)
    see_text(page, "5 of 10 lessons done")
    page.locator("[data-lesson=redraw]").tap()
    touch(page, "Draw")
    see_text(page, "Still nothing fits.")
    touch(page, "Draw")
    page.locator('[data-tile="0-0-5"]').tap()
    tap_place(page, first_place(page))
    see_text(page, "after −10 for two draws")
    expect(page.locator("[data-reward]")).to_have_text("6 of 10 lessons done")
    touch(page, "Next: Pass")
    touch(page, "Pass")
    see_text(page, "Passing costs nothing.")
    # Done is done, also when the page is opened anew.
    page.reload()
    expect(page.locator("[data-done=true]")).to_have_count(2)
    page.locator("[data-lesson=out]").tap()
    page.locator('[data-tile="0-0-5"]').tap()
    tap_place(page, first_place(page))
    see_text(page, "25 for going out")
    touch(page, "Next: Find the bridge")
    page.locator('[data-tile="3-4-4"]').tap()
    tap_place(page, "U(0,0)")
    see_text(page, "plus 40 for the bridge")
    touch(page, "Next: The card game")
    see_text(page, "None of your cards fits")
    touch(page, "Draw")
    touch(page, "Keep")
    see_text(page, "You play to 200 points.")
    touch(page, "Done")
    see_text(page, "10 of 10 lessons done")
    touch(page, "Play a game")
    page.wait_for_url("**/t/*")
