"""Play now on the page: waiting, the table, the result with its ratings, and leaderboards."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from benchmarks.web.scenes import ended, show
from playwright.sync_api import expect

from tests.browser.inspection import (
    DESK,
    cut_texts,
    latin_texts,
    small_targets,
    switch_language,
    too_wide,
    violations_in_both_schemes,
)
from tests.browser.pad_writer import PHONE
from tests.server.process import ServerProcess

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Page, Route

    from tests.browser.conftest import OpenPage


@pytest.fixture(scope="module")
def open_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server that is open to strangers."""
    folder = tmp_path_factory.mktemp("open")
    with ServerProcess(folder, open="true", bots_after_seconds=1, come_seconds=120) as server:
        yield server


def find(page: Page, name: str, players: int = 2) -> None:
    """Wait for others, with keys only from the name on."""
    page.get_by_label("Your name").fill(name)
    page.get_by_label(str(players), exact=True).check(force=True)
    page.get_by_label("Your name").press("Enter")


def faults(page: Page) -> list[str]:
    return [
        *violations_in_both_schemes(page),
        *small_targets(page),
        *too_wide(page),
        *cut_texts(page),
    ]


def test_two_strangers_play_and_are_rated(open_house: ServerProcess, open_page: OpenPage) -> None:
    ann, ben = open_page(**PHONE), open_page(viewport=DESK)
    ann.goto(open_house.url)
    ann.get_by_role("link", name="Play now").tap()
    expect(ann.get_by_role("heading", name="Play now")).to_be_focused()
    assert faults(ann) == []
    find(ann, "Ann")
    expect(ann.get_by_text("Nobody else is waiting right now.")).to_be_visible()
    expect(ann.get_by_text("Nobody can say yet how long it takes.")).to_be_visible()
    expect(ann.get_by_role("link", name="Meanwhile")).to_have_attribute("target", "_blank")
    expect(ann.get_by_role("button", name="Start with a bot")).to_be_visible()
    assert faults(ann) == []
    switch_language(ann, "he")
    assert latin_texts(ann) == ["triomino"]
    switch_language(ann, "en")

    ben.goto(f"{open_house.url}/now")
    find(ben, "Ben")
    for page in (ann, ben):
        page.wait_for_url("**/t/*")
        expect(page.locator(".table")).to_be_visible()
    ben.get_by_role("button", name="Menu").click()
    ben.get_by_role("button", name="Give up").click()
    expect(ben.get_by_text("Leaving counts as losing.")).to_be_visible()
    ben.get_by_role("dialog").get_by_role("button", name="Give up").click()
    expect(ann.get_by_text("Ben gave up")).to_be_visible()
    mine = ann.locator("[data-rating] .mine")
    expect(mine).to_contain_text("1500 → 1532 (± 246)")
    expect(ben.locator("[data-rating] .mine")).to_contain_text("1500 → 1468 (± 246)")

    ann.get_by_role("link", name="Play again").tap()
    expect(ann.locator("form").get_by_text("Ann", exact=True)).to_be_visible()  # the profile's name
    expect(ann.get_by_label("Your name")).to_have_count(0)
    ann.get_by_role("link", name="Ratings").tap()
    expect(ann.get_by_text("1532 ± 246")).to_be_visible()
    expect(ann.get_by_role("img", name="The course of your rating")).to_be_visible()
    expect(ann.get_by_text("It takes 10 rated matches")).to_be_visible()
    box = ann.get_by_role("checkbox", name="Show me on leaderboards")
    box.uncheck()
    ann.reload()
    expect(box).not_to_be_checked()
    assert faults(ann) == []
    ann.goto(f"{open_house.url}/me")
    expect(ann.get_by_role("img", name="The course of your rating")).to_be_visible()
    assert faults(ann) == []


def test_a_bot_takes_the_seat_until_somebody_comes(
    open_house: ServerProcess, open_page: OpenPage
) -> None:
    ann, ben = open_page(**PHONE), open_page(**PHONE)
    for page in (ann, ben):
        page.goto(f"{open_house.url}/now")
    find(ann, "Cleo", 3)
    expect(ann.locator(".waiting .big")).to_be_visible()  # the server knows her now
    ann.get_by_role("button", name="Stop waiting").tap()
    expect(ann.locator("form").get_by_text("Cleo", exact=True)).to_be_visible()
    ann.get_by_label("2", exact=True).check(force=True)
    ann.get_by_role("button", name="Find players").tap()
    ann.get_by_role("button", name="Start with a bot").tap()
    ann.wait_for_url("**/t/*")
    expect(ann.locator(".table")).to_be_visible()
    first = ann.url
    find(ben, "Dan")
    ben.wait_for_url("**/t/*")
    ann.wait_for_url(ben.url)
    assert ann.url != first
    expect(ann.locator(".table")).to_contain_text("Dan")


def test_a_rating_that_is_counted_late_is_shown_late(
    server: ServerProcess, open_page: OpenPage
) -> None:
    """A server that is busy, or was killed, may need half a minute."""
    page = open_page(viewport=DESK)
    page.clock.install()
    change = {"seat": 0, "before": 1500, "points": 1532, "uncertainty": 246}
    counted = False

    def answer(route: Route) -> None:
        changes = [change] if counted else []
        route.fulfill(json={"settled": counted, "changes": changes})

    page.route("**/api/tables/*/ratings", answer)
    show(page, server.url, ended() | {"is_rated": True})
    for _ in range(25):
        page.clock.run_for(1000)
    expect(page.locator("[data-rating]")).to_have_count(0)
    counted = True
    page.clock.run_for(5000)
    expect(page.locator("[data-rating]")).to_contain_text("1500 → 1532 (± 246)")


def test_a_closed_server_shows_nothing_of_it(server: ServerProcess, open_page: OpenPage) -> None:
    page = open_page(viewport=DESK)
    page.goto(server.url)
    page.locator("button.play").wait_for()
    expect(page.get_by_role("link", name="Play now")).to_have_count(0)
    page.goto(f"{server.url}/ratings")
    expect(page.get_by_text("This server is not open to strangers.")).to_be_visible()
    page.goto(f"{server.url}/host")
    expect(page.get_by_text("This server has no profiles.")).to_be_visible()
    expect(page.get_by_label("The host’s key")).to_have_count(0)
