"""Celebrations, the result beside the board, many players on a small phone, the big screen."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING

import pytest
from benchmarks.web.scenes import ended, make_state, show, six_players
from playwright.sync_api import expect

from tests.browser.player import wait_until_still
from tests.browser.test_table_board import OVERLAPS

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from tests.browser.conftest import OpenPage
    from tests.server.process import ServerProcess

Box = dict[str, float]


def box(what: Locator) -> Box:
    """The place of an element on the screen, in whole pixels."""
    found = what.bounding_box()
    assert found is not None
    return {name: round(length) for name, length in found.items()}  # type: ignore[call-overload]


def meet(one: Box, other: Box) -> bool:
    """Whether two boxes overlap."""
    wide = min(one["x"] + one["width"], other["x"] + other["width"]) - max(one["x"], other["x"])
    high = min(one["y"] + one["height"], other["y"] + other["height"]) - max(one["y"], other["y"])
    return wide > 1 and high > 1


def test_six_players_fit_a_small_phone_and_nothing_jumps(
    server: ServerProcess, open_page: OpenPage
) -> None:
    page = open_page(viewport={"width": 360, "height": 640}, has_touch=True, is_mobile=True)
    state = six_players()
    send = show(page, server.url, state)
    assert page.evaluate(OVERLAPS) == []
    assert page.evaluate("() => document.documentElement.scrollWidth - innerWidth") <= 0
    shown = [page.locator(".players li").nth(seat).locator(".tail") for seat in (4, 5)]
    assert [tail.inner_text() for tail in shown] == ["1", "2"]

    measured = [page.locator(name) for name in (".felt", ".pool", ".players li >> nth=0")]
    before = [box(one) for one in measured]
    grown = copy.deepcopy(state) | {"version": state["version"] + 1}
    grown["now"] |= {"totals": [101, -122, 403, 105, 15, -25], "pool_size": 7}
    send(grown)
    expect(page.locator("[data-score='0']")).to_contain_text("101")
    assert [box(one) for one in measured] == before
    assert page.evaluate(OVERLAPS) == []

    # What somebody says lies over nothing but their own name.
    send({"type": "reaction", "seat": 1, "sign": "well_played"})
    said = page.locator(".bubble")
    said.wait_for()
    assert [
        seat for seat in range(6) if meet(box(said), box(page.locator(".players li").nth(seat)))
    ] == [1]
    for what in (".felt", "[data-score='1']", ".players li:nth-child(2) .count"):
        assert not meet(box(said), box(page.locator(what)))


def test_notices_stand_one_below_the_other(server: ServerProcess, open_page: OpenPage) -> None:
    page = open_page(viewport={"width": 360, "height": 740})
    state = make_state(1, 9)
    state["round"] |= {"start_draws": [(0, "1-2-3"), (1, "3-4-5")], "starter": 1}
    state["nearly_full"] = True
    send = show(page, server.url, state)
    expect(page.locator(".start")).to_contain_text("First player: Greta")
    expect(page.locator(".start")).to_contain_text("Highest value drawn: 12")
    send({"type": "refused", "id": 0, "code": "not_your_turn", "detail": ""})
    page.locator(".note").nth(2).wait_for()
    notes = [box(note) for note in page.locator(".note").all()]
    assert not [1 for one in notes for other in notes if one != other and meet(one, other)]


@pytest.mark.parametrize("size", [(360, 640), (780, 390), (1440, 900)])
def test_the_result_does_not_cover_the_board(
    server: ServerProcess, open_page: OpenPage, size: tuple[int, int]
) -> None:
    page = open_page(viewport={"width": size[0], "height": size[1]})
    show(page, server.url, ended())
    result = page.locator(".ending")
    result.wait_for()
    # The board moves into the room that is left.
    wait_until_still(page, ".felt, .ending, [data-place]")
    covered = box(result)
    assert not meet(covered, box(page.locator(".felt")))
    assert not [1 for tile in page.locator("[data-place]").all() if meet(covered, box(tile))]
    assert box(page.locator(".felt"))["height"] >= 160
    for role, name in (("button", "Rematch"), ("link", "Analyse"), ("button", "Share")):
        button = result.get_by_role(role, name=name)  # type: ignore[arg-type]
        place = box(button)
        assert place["y"] + place["height"] <= size[1]
        assert button.evaluate("one => one.scrollWidth <= one.clientWidth")
    colours = page.evaluate(
        """() => [
          getComputedStyle(document.querySelector(".totals .first")).borderInlineStartColor,
          getComputedStyle(document.querySelector(".ending .curve.c1")).stroke]"""
    )
    assert colours[0] == colours[1]


def with_hexagon(page: Page, url: str, path: str = "") -> None:
    """Show a table at which a hexagon is closed after it was opened."""
    closed = make_state(30, 9)
    closed["round"]["turns"][-1]["bonus"] = "hexagon"
    before = copy.deepcopy(closed) | {"version": closed["version"] - 1}
    before["round"]["turns"].pop()
    show(page, url, before, path)(closed)


def test_a_celebration_never_blocks_a_tap(server: ServerProcess, open_page: OpenPage) -> None:
    page = open_page(viewport={"width": 390, "height": 780}, reduced_motion="no-preference")
    with_hexagon(page, server.url)
    cheer = page.locator("[data-cheer=hexagon]")
    cheer.wait_for()
    tile = page.locator(".tile.can").first
    place = box(tile)
    page.mouse.click(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)
    # It is over at once, and the tap did what it does.
    assert cheer.count() == 0
    expect(page.locator("[data-ghost]").first).to_be_visible()


def test_nothing_is_celebrated_where_motion_is_unwanted(
    server: ServerProcess, open_page: OpenPage
) -> None:
    page = open_page(reduced_motion="reduce")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    with_hexagon(page, server.url)
    expect(page.locator("[data-place]")).to_have_count(30)
    page.wait_for_timeout(300)
    assert page.locator("[data-cheer]").count() == 0
    assert not [url for url in asked if "Celebration" in url]


PIXELS = "one => parseFloat(getComputedStyle(one).fontSize)"


def test_the_big_screen_is_read_from_four_metres(
    server: ServerProcess, open_page: OpenPage
) -> None:
    page = open_page(viewport={"width": 1920, "height": 1080})
    page.clock.install()
    state = six_players()
    send = show(page, server.url, state, "/tv")
    for what, least in (
        ("[data-name]", 40),
        ("[data-score]", 70),
        ("[data-tiles]", 32),
        (".line", 36),
    ):
        assert min(one.evaluate(PIXELS) for one in page.locator(what).all()) >= least
    assert page.locator("aside").evaluate("one => one.scrollHeight <= one.clientHeight")
    expect(page.locator("[data-seat='0']")).to_have_attribute("aria-current", "true")

    # When nothing happens only the board is left, until something does.
    page.clock.fast_forward(200_000)
    tv = page.locator(".tv")
    expect(tv).to_have_attribute("data-quiet", "true")
    expect(page.locator("aside")).to_be_hidden()
    send(state | {"version": state["version"] + 1})
    expect(tv).to_have_attribute("data-quiet", "false")


def test_the_big_screen_invites_while_seats_are_free(
    server: ServerProcess, open_page: OpenPage
) -> None:
    page = open_page(viewport={"width": 1920, "height": 1080})
    state = make_state(1, 9) | {"state": "open", "round": None, "now": None}
    free = {"kind": "person", "name": None, "is_free": True}
    state["seats"] = [state["seats"][0], state["seats"][0] | free]
    url = server.url.replace("127.0.0.1", "table.test")
    show(page, url, state, "/tv", ready=".join img")
    page.wait_for_function("() => document.querySelector('.join img').naturalWidth > 0")
    code = box(page.locator(".join img"))
    assert code["width"] >= 500
    assert code["width"] == pytest.approx(code["height"], abs=2)


@pytest.mark.parametrize("language", ["de", "he"])
def test_a_label_on_the_board_is_as_wide_as_its_text(
    server: ServerProcess, open_page: OpenPage, language: str
) -> None:
    page = open_page(viewport={"width": 390, "height": 780}, locale=language)
    with_hexagon(page, server.url)
    widths = page.locator(".float").evaluate(
        """one => [one.querySelector("rect"), one.querySelector("text")]
          .map(part => part.getBBox().width)"""
    )
    assert 1 < widths[0] / widths[1] < 1.35
