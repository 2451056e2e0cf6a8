"""Long names, head starts, people who are away and long words, where there is little room."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from benchmarks.web.scenes import SIX, ended, make_state, show, six_players
from playwright.sync_api import expect

from tests.browser.inspection import switch_language
from tests.browser.pages import open_file, record, show_open
from tests.browser.test_table_board import OVERLAPS
from tests.browser.test_table_joy import box, meet
from triomino.words import languages

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.browser.conftest import OpenPage
    from tests.server.process import ServerProcess

LANDSCAPE = {"width": 667, "height": 375}
SMALL = {"width": 360, "height": 640}
PHONE = {"width": 390, "height": 780}
DESK = {"width": 1440, "height": 900}

LONG = ("Maximiliane Alexandra", "Bartholomäus Kleinschmidt")


def two_long(*, away: bool = False) -> dict[str, Any]:
    """A state of two people with long names, long scores and head starts."""
    state = make_state(30, 9)
    person = state["seats"][0]
    state["seats"] = [
        person | {"name": name, "head_start": points}
        for name, points in zip(LONG, (100, 60), strict=True)
    ]
    state["here"] = [0] if away else [0, 1]
    state["now"] |= {"totals": [-117, 1388], "rack_sizes": [9, 12]}
    return state


CUT = """selector => [...document.querySelectorAll(selector)]
  .filter(one => one.getClientRects().length)
  .filter(one => one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 2)
  .map(one => one.textContent)"""
"""The texts of elements that are cut."""


def check_players(page: Page) -> None:
    """Nothing of the two players is cut or lies on anything else."""
    assert page.evaluate(CUT, ".players .state, .players .ahead") == []
    assert page.evaluate(OVERLAPS) == []
    noted, rack = (
        page.locator(".players .notes > *"),
        page.locator(".players :is(b, .score, .count)"),
    )
    boxes = [box(one) for one in noted.all()]
    assert not [1 for one in boxes for other in rack.all() if meet(one, box(other))]
    wide = page.viewport_size
    assert wide is not None
    assert all(one["x"] >= 0 and one["x"] + one["width"] <= wide["width"] for one in boxes)


@pytest.mark.parametrize("size", [SMALL, PHONE, LANDSCAPE, DESK])
def test_long_names_with_a_head_start_fit_also_when_somebody_is_away(
    server: ServerProcess, open_page: OpenPage, size: dict[str, int]
) -> None:
    page = open_page(viewport=size)
    show(page, server.url, two_long(away=True))
    if size != SMALL:
        assert page.evaluate(CUT, ".players .head") == []
    for language in ("pl", "de", "he"):  # the longest words, and from right to left
        switch_language(page, language)
        expect(page.locator(".players .ahead")).to_have_count(2)
        expect(page.locator(".players .state")).to_have_count(1)
        check_players(page)


def test_the_buttons_stay_in_one_row_in_every_language(
    server: ServerProcess, open_page: OpenPage
) -> None:
    page = open_page(viewport=SMALL)
    show(page, server.url, make_state(30, 9))
    tops = "() => [...document.querySelectorAll('.actions button')].map(one => one.offsetTop)"
    for language in languages():
        switch_language(page, language)
        for size in (SMALL, LANDSCAPE, {"width": 1100, "height": 800}):
            page.set_viewport_size(size)  # type: ignore[arg-type]
            found = page.evaluate(tops)
            assert len(found) == 3
            assert max(found) - min(found) < 10, (language, size)
            assert page.evaluate(CUT, ".actions button") == [], (language, size)


def test_the_score_sheet_names_six_players_and_their_head_start(
    server: ServerProcess, open_page: OpenPage
) -> None:
    page = open_page(viewport=DESK)
    state = six_players()
    state["seats"][1]["head_start"] = 100
    show(page, server.url, state)
    sheet = page.locator(".sheet")
    expect(sheet.locator("thead .avatar")).to_have_count(6)
    # All but the longest are whole, and of that one more than its beginning is.
    assert page.evaluate(CUT, ".sheet thead .name") in ([], [SIX[1]])
    for avatar in sheet.locator("thead .avatar").all():
        column = avatar.locator("xpath=ancestor::th")
        assert box(column)["x"] <= box(avatar)["x"]
        assert box(avatar)["x"] + 24 <= box(column)["x"] + box(column)["width"] + 1
    expect(sheet.locator("[data-ahead] td")).to_have_text(
        ["", "+100", "", "", "", "", "Head start, added at the end"]
    )


def test_a_result_with_a_head_start_is_the_same_everywhere(
    server: ServerProcess, open_page: OpenPage
) -> None:
    page, screen = open_page(viewport=DESK), open_page(viewport={"width": 1920, "height": 1080})
    state = ended()
    state["now"]["end"]["points"] = [0, 0]
    state["seats"][0]["head_start"] = 100
    played = state["now"]["totals"]
    scores = [played[0] + 100, played[1]]
    state["result"] = {"scores": scores, "winners": [0]}
    show(page, server.url, state)
    expect(page.locator(".ending")).to_contain_text("Head start included: Ann +100")
    expect(page.locator(".ending .totals b")).to_have_text([str(score) for score in scores])
    for seat, score in enumerate(scores):
        expect(
            page.locator(".ending .chart .name", has_text=("Ann", "Greta")[seat])
        ).to_contain_text(str(score))
    page.get_by_role("button", name="Score sheet").click()
    expect(page.locator("[data-final] td").first).to_have_text(str(scores[0]))
    show(screen, server.url, state, "/tv")
    expect(screen.locator("[data-score]")).to_have_text([str(score) for score in scores])
    expect(screen.locator("[data-seat='0']")).to_contain_text("+100")


def with_head_start() -> str:
    """A record of a table at which the second player had a head start that won the match."""
    match = json.loads(json.dumps(record()))
    played = match["result"]["scores"]
    match["extra"] = {
        "head_start": [0, 100],
        "scores": [played[0], played[1] + 100],
        "winners": [1],
    }
    return json.dumps(match)


def test_a_replay_shows_head_starts_and_a_phone_on_its_side_its_board(
    server: ServerProcess, open_page: OpenPage
) -> None:
    page = open_page(viewport=DESK)
    show_open(page, server.url)
    open_file(page, with_head_start())
    played = record()["result"]["scores"]
    final = [str(played[0]), str(played[1] + 100)]
    expect(page.locator("[data-ahead] td").nth(1)).to_have_text("+100")
    expect(page.locator("[data-final] td")).to_have_text([*final, ""])
    page.keyboard.press("ArrowLeft")
    expect(page.locator("[data-final]")).to_have_count(0)
    page.keyboard.press("End")
    for size in (PHONE, {"width": 780, "height": 390}):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        # The sheet is in the menu; the scores are beside the racks.
        expect(page.locator("[data-total] b")).to_have_text(final)
        expect(page.locator("[data-total]").last).to_contain_text("+100")
        expect(page.locator(".paper")).to_be_hidden()
        assert box(page.locator(".felt"))["height"] >= 380
        assert page.evaluate("() => document.documentElement.scrollWidth - innerWidth") <= 0
        controls = box(page.locator(".controls"))
        assert controls["y"] + controls["height"] <= size["height"]
        assert page.evaluate(CUT, ".controls") == []
        rows = "all => new Set(all.map(one => one.offsetTop)).size"
        assert page.locator(".controls button").evaluate_all(rows) == 1
    page.get_by_role("button", name="Menu").click()
    page.locator("dialog").get_by_role("button", name="Score sheet").click()
    expect(page.locator("dialog [data-final] td").first).to_be_visible()


@pytest.mark.parametrize("phone", [True, False])
def test_keys_are_offered_only_where_there_may_be_some(
    server: ServerProcess, open_page: OpenPage, phone: bool
) -> None:
    page = open_page(viewport=PHONE, has_touch=phone, is_mobile=phone)
    show(page, server.url, make_state(5, 3))
    page.get_by_role("button", name="Menu").click()
    expect(page.get_by_label("Single-key shortcuts")).to_be_visible(visible=not phone)
    expect(page.get_by_role("button", name="Keys", exact=True)).to_be_visible(visible=not phone)
