"""The guide beside the rules: questions that can be tried, and what refusals and printers find."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.deals import can_place_or_draw, find_deal
from tests.browser.player import new_table, wait_for_turn
from tests.browser.test_page_rules import open_book
from tests.browser.test_table_help import SEATS, misfits
from triomino import EDITIONS
from triomino.rulebook import guide
from triomino.words import Words

if TYPE_CHECKING:
    from tests.browser.conftest import OpenPage
    from tests.browser.seeded_server import SeededServer
    from tests.server.process import ServerProcess

PHONE = {"width": 360, "height": 740}


@pytest.mark.parametrize("language", ["en", "he"])
def test_every_edition_has_its_guide(
    server: ServerProcess, open_page: OpenPage, language: str
) -> None:
    page = open_book(open_page, f"{server.url}/rules", language)
    for edition, rules in EDITIONS.items():
        page.locator(f".editions a[href='/rules/{edition}']").click()
        page.locator(f"article[data-edition='{edition}']").wait_for()
        words, own = Words(language, cards=edition == "card"), guide(rules)
        asked = page.locator("[data-question]")
        assert asked.locator("h4").all_inner_texts() == [words.say(a.question) for a in own.answers]
        assert [one.get_attribute("data-yes") for one in asked.all()] == [
            str(answer.yes).lower() for answer in own.answers
        ]
        assert asked.locator("[data-picture]").count() == len(own.answers)
        assert page.locator("[data-score] [data-picture]").count() == len(own.scores)
        assert page.locator("ol.minute li").count() == 5
        sums = [
            int(re.sub(r"\D", "", text.split("=")[-1]))
            for text in page.locator("[data-sum] bdi").all_inner_texts()
        ]
        assert sums == [abs(one.total) for one in own.sums]


def test_a_question_can_be_tried(server: ServerProcess, open_page: OpenPage) -> None:
    page = open_book(open_page, f"{server.url}/rules/card")
    asked = page.locator("[data-question=able]")
    asked.locator("summary").click()
    asked.locator("[data-move=draw]").click()
    expect(asked.get_by_role("status")).to_have_text("You can place a card, so you must.")
    page.locator(".editions a[href='/rules/classic']").click()
    if not asked.locator("[data-move=draw]").count():
        asked.locator("summary").click()
    asked.locator("[data-move=draw]").click()
    expect(asked.get_by_role("status")).to_have_text("That is allowed: −5.")


def test_a_refusal_leads_to_its_paragraph(server: SeededServer, open_page: OpenPage) -> None:
    page = open_page(viewport=PHONE, expects_refusals=True)
    deal = find_deal(lambda game: can_place_or_draw(game) and bool(misfits(game)))
    server.deal_next(deal.seed)
    new_table(page, server.url, seats=SEATS, help="none")
    wait_for_turn(page)
    page.locator(f'.rack [data-tile="{min(misfits(deal.game))}"]').click()
    page.locator(".places button").last.press("Enter")
    page.locator(".refused").get_by_role("link", name="Why?").click()
    page.wait_for_url("**/rules#why=corner_mismatch")
    pointed = page.locator(".pointed")
    expect(pointed).to_have_attribute("data-line", "rules.lay.corners")
    expect(pointed).to_be_in_viewport()
    expect(pointed).to_be_focused()
    # A button that cannot be used says why, with the same link.
    server.deal_next(find_deal(lambda game: game.turn == 0).seed)
    new_table(page, server.url, seats=SEATS)
    wait_for_turn(page)
    page.get_by_role("button", name="Draw").click(force=True)  # it is marked as disabled
    notice = page.locator(".refused")
    expect(notice).to_contain_text("The first tile must be laid now.")
    link = notice.get_by_role("link", name="Why?")
    expect(link).to_have_attribute("href", re.compile(r"/rules#why=must_open$"))


MOST_PAGES = 8


# French, Polish and German have the longest texts.
@pytest.mark.parametrize(
    ("language", "editions"),
    [("fr", [*EDITIONS]), ("pl", ["classic-hebrew"]), ("de", ["classic-hebrew"])],
)
def test_an_edition_prints_on_eight_pages(
    server: ServerProcess, open_page: OpenPage, language: str, editions: list[str]
) -> None:
    page = open_book(open_page, f"{server.url}/rules", language)
    pages = {}
    for edition in editions:
        page.locator(f".editions a[href='/rules/{edition}']").click()
        page.locator(f"article[data-edition='{edition}']").wait_for()
        printed = page.pdf(format="A4")
        pages[edition] = len(re.findall(rb"/Type\s*/Page\b", printed))
    assert all(0 < count <= MOST_PAGES for count in pages.values()), pages
