"""The puzzle of the day: by keys, by touch, and without a network."""

from __future__ import annotations

import json
from datetime import UTC, datetime, time, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.browser.inspection import PHONE, violations_in_both_schemes
from tests.browser.pages import STORE_PAD, stock, stored_pad
from triomino.moves import Place
from triomino.puzzles import read_year
from triomino.puzzles.year import EPOCH

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.browser.conftest import OpenPage
    from tests.server.process import ServerProcess
    from triomino.moves import Move
    from triomino.puzzles import Puzzle

PUZZLES = read_year().puzzles
TOUCH: Any = {"viewport": PHONE, "has_touch": True}


def is_good(puzzle: Puzzle) -> bool:
    """Whether the best answers are tiles of two kinds, and the second is replied to with one."""
    best, second = puzzle.answers[:2]
    places = [one for one in (best.move, second.move, second.reply) if isinstance(one, Place)]
    return len(places) == 3 and places[0].tile != places[1].tile


NUMBER = next(number for number, puzzle in enumerate(PUZZLES) if number > 20 and is_good(puzzle))
PUZZLE = PUZZLES[NUMBER]
NOON = datetime.combine(EPOCH + timedelta(NUMBER), time(12), UTC)


def lay_with_keys(page: Page, move: Move) -> None:
    assert isinstance(move, Place)
    same = [
        one.move
        for one in PUZZLE.answers
        if isinstance(one.move, Place) and one.move.tile == move.tile
    ]
    page.locator(f'[data-tile="{move.tile}"]').press("Enter")
    page.wait_for_function("() => document.activeElement?.closest('.places')")
    for _ in range(same.index(move)):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")


def lay_by_touch(page: Page, move: Move) -> None:
    assert isinstance(move, Place)
    page.locator(f'[data-tile="{move.tile}"]').tap()
    place = page.locator(".actions .main")
    ghost = page.locator(f'[data-ghost="{move}"]')
    for _ in range(4):
        # Where places lie close together, the first tap shows them larger.
        box = ghost.bounding_box()
        assert box is not None
        page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        if page.locator(f'[data-ghost="{move}"][data-aimed]').count() or place.is_visible():
            break
    place.tap()


@pytest.fixture
def page(open_page: OpenPage) -> Page:
    page = open_page(timezone_id="UTC")
    page.clock.set_fixed_time(NOON)
    return page


def test_a_wrong_answer_is_replied_to_and_the_right_one_explained_by_keys(
    server: ServerProcess, page: Page
) -> None:
    best, second = PUZZLE.answers[:2]
    page.goto(server.url)
    page.get_by_role("link", name="Puzzle", exact=True).first.click()
    riddle, coach = page.locator(".riddle"), page.locator(".coach")
    # Neither the points nor the bonus of a place is told.
    lay_with_keys(page, second.move)
    expect(riddle).to_have_attribute("data-phase", "wrong")
    expect(coach).to_contain_text(f"wins {second.win}% of such rounds, the best move {best.win}%")
    assert isinstance(second.reply, Place)
    expect(coach).to_contain_text(str(second.reply.tile))
    laid = len(PUZZLE.position.board)
    expect(page.locator("[data-place]")).to_have_count(laid + 2)
    expect(page.get_by_role("button", name="Try again")).to_be_focused()
    assert violations_in_both_schemes(page) == []
    page.keyboard.press("Enter")
    expect(page.locator("[data-place]")).to_have_count(laid)
    lay_with_keys(page, best.move)
    expect(riddle).to_have_attribute("data-phase", "solved")
    expect(coach).to_contain_text(f"Right! That wins {best.win}% of such rounds")
    expect(page.locator("[data-streak]")).to_have_attribute("data-streak", "1")
    assert violations_in_both_schemes(page) == []
    # The picture to share is made without a look at the answer.
    with page.expect_download() as saved:
        page.get_by_role("button", name="Share").click()
    assert saved.value.suggested_filename == f"triomino-{NOON:%Y-%m-%d}.png"
    page.reload()
    expect(page.locator("nav .done[aria-current]")).to_have_count(1)


def test_yesterdays_puzzle_is_shown_and_tomorrows_is_not(server: ServerProcess, page: Page) -> None:
    tomorrow = NOON + timedelta(1)
    page.goto(f"{server.url}/puzzle/{tomorrow:%Y-%m-%d}")
    expect(page.locator("nav [aria-current]")).to_have_attribute("href", "/puzzle")
    yesterday = PUZZLES[NUMBER - 1]
    page.goto(f"{server.url}/puzzle/{NOON - timedelta(1):%Y-%m-%d}")
    expect(page.locator("[data-place]")).to_have_count(len(yesterday.position.board))


def test_it_is_played_on_the_static_site_by_touch_without_a_network(
    site: str, open_page: OpenPage
) -> None:
    page = open_page(**TOUCH, service_workers="allow", timezone_id="UTC")
    page.clock.set_fixed_time(NOON)
    page.goto(site)
    page.wait_for_function("() => navigator.serviceWorker.controller")
    page.context.set_offline(True)
    page.goto(f"{site}#/puzzle")
    lay_by_touch(page, PUZZLE.answers[0].move)
    expect(page.locator(".riddle")).to_have_attribute("data-phase", "solved")
    page.reload()
    expect(page.locator("nav .done[aria-current]")).to_have_count(1)


def test_a_wrong_draw_is_played_on_by_keys_on_the_static_site_without_a_network(
    site: str, open_page: OpenPage
) -> None:
    """And so are one's own mistakes and games there: nothing of it needs a server."""
    number, puzzle, draw = next(
        (number, puzzle, one)
        for number, puzzle in enumerate(PUZZLES)
        for one in puzzle.answers[1:]
        if one.drawn and isinstance(one.then, Place) and isinstance(one.reply, Place)
    )
    page = open_page(service_workers="allow", timezone_id="UTC")
    page.clock.set_fixed_time(datetime.combine(EPOCH + timedelta(number), time(12), UTC))
    page.add_init_script(f"localStorage['triomino-mistakes'] ??= {json.dumps(stock())}")
    page.goto(site)
    page.wait_for_function("() => navigator.serviceWorker.controller")
    page.context.set_offline(True)
    page.goto(f"{site}#/puzzle")
    # What a screen reader is told: the question and the standing, then what the answer led to.
    coach = page.locator("[aria-live=polite].coach")
    expect(coach).to_contain_text("Points: you")
    page.get_by_role("button", name="Draw").press("Enter")
    # While a tile fits, one is asked whether to draw anyway.
    page.get_by_text("Draw anyway?").wait_for()
    page.get_by_role("button", name="Draw").press("Enter")
    expect(page.locator(".riddle")).to_have_attribute("data-phase", "wrong")
    expect(coach).to_contain_text(f"Suppose you draw {', '.join(map(str, draw.drawn[:1]))}")
    assert isinstance(draw.then, Place)
    assert isinstance(draw.reply, Place)
    for tile in (draw.then.tile, draw.reply.tile):
        expect(coach).to_contain_text(str(tile))
    expect(page.locator("[data-place]")).to_have_count(len(puzzle.position.board) + 2)
    page.keyboard.press("Enter")  # try again
    expect(page.locator("[data-place]")).to_have_count(len(puzzle.position.board))
    page.goto(f"{site}#/practise")
    expect(page.locator(".coach")).to_contain_text("Still to solve: 1")
    page.goto(f"{site}#/games")
    page.get_by_role("heading", name="My games").wait_for()
    page.evaluate(STORE_PAD, stored_pad())
    page.reload()
    expect(page.get_by_text("Bo", exact=True).first).to_be_visible()
