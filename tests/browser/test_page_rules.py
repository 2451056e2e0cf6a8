"""The rulebook: what is on the screen states the rules, in every language, and can be tried."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.pages import call
from tests.effort import some
from tests.test_rulebook import COUNTED, numbers
from triomino import EDITIONS
from triomino.rulebook import FIGURED, TOURNAMENT, deals
from triomino.rulebook.guide import MISSES
from triomino.words import Words

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.browser.conftest import OpenPage
    from tests.server.process import ServerProcess
    from triomino.rules import Rules

DESK = {"width": 1280, "height": 900}
PRINTED = {
    "first": 8,
    "match": 6,
    "next": 7,
    "bridge": 51,
    "hexagon": 61,
    "double_hexagon": 72,
    "triple_hexagon": 75,
}
_TEXT = "() => [...document.querySelectorAll('[data-line], .deals td, .deals tbody th')]"
STATED = f"{_TEXT}.map(one => one.innerText).join('\\n')"


def open_book(open_page: OpenPage, address: str, language: str = "en") -> Page:
    page = open_page(viewport=DESK)
    page.goto(f"{address}?language={language}")
    page.locator("[data-chapter=win]").wait_for()
    return page


def expected(rules: Rules) -> set[int]:
    """The numbers that the book of an edition states."""
    out = {value for row in deals(rules) for value in row} | COUNTED[rules.tile_set]
    if rules.scoring:
        out |= {rules.bridge_bonus, *rules.hexagon_bonuses, rules.out_bonus, rules.max_draws}
        out |= {rules.target or TOURNAMENT}
        if rules.draw_cost:
            in_all = rules.max_draws * rules.draw_cost + rules.no_play_extra
            out |= {rules.draw_cost, rules.no_play_extra, in_all}
        if rules.triple_zero_start is not None:
            out |= {rules.triple_start_bonus, rules.triple_zero_start}
    return out


@pytest.mark.parametrize("language", some(["en", "de", "pl", "he"], "en", "he"))
def test_the_page_states_the_numbers_of_every_edition(
    server: ServerProcess, open_page: OpenPage, language: str
) -> None:
    page = open_book(open_page, f"{server.url}/rules", language)
    words = Words(language)
    for edition, rules in EDITIONS.items():
        page.locator(f".editions a[href='/rules/{edition}']").click()
        page.locator(f"article[data-edition='{edition}']").wait_for()
        assert {*numbers(page.evaluate(STATED))} == expected(rules), edition
        titles = page.locator("section[data-chapter] h3").all_inner_texts()
        names = [one.get_attribute("data-chapter") for one in page.locator("[data-chapter]").all()]
        assert titles == [words.say(f"rules.chapter.{name}") for name in names]
    assert page.evaluate("() => document.documentElement.dir") == (
        "rtl" if language == "he" else "ltr"
    )


def test_the_figures_are_drawn_with_their_printed_scores(
    server: ServerProcess, open_page: OpenPage
) -> None:
    page = open_book(open_page, f"{server.url}/rules")
    drawn = [one.get_attribute("data-figure") for one in page.locator("[data-figure]").all()]
    assert drawn == [*(name for names in FIGURED.values() for name in names), *MISSES]
    for name, points in PRINTED.items():
        figure = page.locator(f"[data-figure={name}]")
        expect(figure.locator("bdi")).to_have_text(re.compile(rf"= {points}$"))
        assert figure.locator("[data-place]").count() >= 1
    assert page.locator("[data-figure=bridge] [data-bridge]").count() == 1
    for name, count in (("hexagon", 1), ("double_hexagon", 2), ("triple_hexagon", 3)):
        assert page.locator(f"[data-figure={name}] [data-hexagon]").count() == count
    assert page.locator("[data-figure] [data-wrong]").count() == 4


def test_a_figure_is_not_mirrored_in_hebrew(server: ServerProcess, open_page: OpenPage) -> None:
    tiles = "[...document.querySelectorAll('[data-figure=next] [data-place]')]"
    where = f"() => {tiles}.map(one => Math.round(one.getBoundingClientRect().x))"
    landed = f"() => {tiles}.every(one => !one.getAnimations({{ subtree: true }}).length)"
    orders = []
    for language in ("en", "he"):
        page = open_book(open_page, f"{server.url}/rules", language)
        page.wait_for_function(landed)
        found = page.evaluate(where)
        orders.append([one - min(found) for one in found])
    assert orders[0] == orders[1]
    assert len(set(orders[0])) > 1


def test_positions_can_be_tried(server: ServerProcess, open_page: OpenPage) -> None:
    page = open_book(open_page, f"{server.url}/rules")
    page.locator("[data-chapter=bridge] summary").click()
    tried = page.locator("[data-try=bridge]")
    answer = tried.locator("[role=status]")
    expect(answer).to_contain_text("Tap a place")
    places = tried.locator("svg [data-ghost]")
    places.first.wait_for()
    heard = set()
    for index in range(places.count()):
        if tried.get_attribute("data-found") == "true":
            break
        box = places.nth(index).bounding_box()
        assert box
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        heard.add(answer.inner_text())
    expect(tried).to_have_attribute("data-found", "true")
    expect(answer).to_have_text("Right! 51 points.")
    tried.get_by_role("button", name="Once more").click()
    expect(answer).to_contain_text("Tap a place")


def test_the_card_game_speaks_of_cards(server: ServerProcess, open_page: OpenPage) -> None:
    page = open_book(open_page, f"{server.url}/rules/card")
    page.locator("[data-chapter=lay] summary").click()
    tried = page.locator("[data-try=match]")
    expect(tried).to_contain_text("Where does this card fit?")
    text = page.locator("article").evaluate(
        "book => [...book.querySelectorAll('[data-chapter]')].map(one => one.innerText).join()"
    )
    assert not re.search(r"\b(tiles?|racks?|pool)\b", text, re.IGNORECASE)
    page.locator(".editions a[href='/rules/classic']").click()
    expect(tried).to_contain_text("Where does this tile fit?")
    assert not re.search(
        r"\b(cards?|hands?|stack)\b", page.locator("[data-chapter=draw]").inner_text()
    )


def test_the_rules_of_a_table_are_its_own(server: ServerProcess, open_page: OpenPage) -> None:
    page = open_page(viewport=DESK)
    call(page, server.url, "devices")
    rules = {"edition": "classic", "bridge_bonus": 44, "draw_cost": 7, "target": 321}
    seats = [{"kind": "link"}, {"kind": "bot", "bot": "greedy", "name": "Greta"}]
    table = call(page, server.url, "tables", {"seats": seats, "rules": rules})["id"]
    call(page, server.url, f"tables/{table}/seats", {"name": "Ann", "seat": 0})
    call(page, server.url, f"tables/{table}/start")
    page.goto(f"{server.url}/t/{table}")
    page.locator("header .icon").last.click()
    page.get_by_role("link", name="Rules of this table").click()
    marked = page.locator("[data-line].changed")
    marked.first.wait_for()
    said = "\n".join(marked.all_inner_texts())
    assert {44, 7, 31, 321} <= {*numbers(said)}
    assert 40 not in numbers(page.evaluate(STATED))
    expect(page.locator("[data-figure=bridge] bdi")).to_have_text("4 + 3 + 4 + 44 = 55")
    page.get_by_role("link", name="Back to the table").click()
    page.wait_for_url(f"**/t/{table}")


def test_there_are_no_rules_where_there_is_no_table(
    server: ServerProcess, open_page: OpenPage
) -> None:
    page = open_page(expects_refusals=True)
    page.goto(f"{server.url}/t/nothing-there/rules")
    expect(page.get_by_role("alert")).to_have_text("There is no such table.")


def test_what_differs_stands_in_a_table(server: ServerProcess, open_page: OpenPage) -> None:
    page = open_book(open_page, f"{server.url}/rules")
    heads = page.locator(".compare thead th").all_inner_texts()
    words = Words("en")
    assert heads[1:] == [words.say(f"edition.{name}") for name in EDITIONS]
    row = page.locator(".compare tbody tr", has_text=words.say("rule.draw_cost"))
    assert row.locator("td").all_inner_texts() == ["5", "5", "5", "0", "–"]


def test_on_paper_is_the_book_and_nothing_else(server: ServerProcess, open_page: OpenPage) -> None:
    page = open_book(open_page, f"{server.url}/rules/card", "fr")
    page.emulate_media(media="print", color_scheme="dark")
    for gone in ("header a.home", ".editions", ".contents", ".tools", "details"):
        expect(page.locator(gone).first).to_be_hidden()
    expect(page.locator("article .title")).to_be_visible()
    colours = page.evaluate("() => getComputedStyle(document.querySelector('[data-line]')).color")
    assert colours == "rgb(0, 0, 0)"
