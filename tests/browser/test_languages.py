"""Which language a page is in, and how it is changed in the middle of something."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.inspection import SMALL_PHONE as SMALL
from tests.browser.inspection import switch_language
from tests.browser.pages import PAGES, make_table, show_pad, show_table
from tests.browser.player import TIMEOUT, wait_for_turn
from triomino.bots import localized
from triomino.words import texts

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.browser.conftest import OpenPage
    from tests.server.process import ServerProcess

GROUPS = ("main", "cast")
"""The groups of texts that the first page may load."""


def choose_language(page: Page, language: str) -> None:
    """Choose a language in the menu, where a phone has it."""
    page.locator("header > button").click()
    page.locator("dialog .languages select").select_option(language)
    page.wait_for_function("code => document.documentElement.lang === code", arg=language)
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


# --- Which language ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("locale", "language"),
    [("nn-NO", "nb"), ("no", "nb"), ("iw", "he"), ("pt-BR", "pt"), ("de-CH", "de"), ("ja", "en")],
)
def test_the_page_is_in_the_browsers_language(
    server: ServerProcess, open_page: OpenPage, locale: str, language: str
) -> None:
    page = open_page(viewport=SMALL, locale=locale)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    PAGES["home"](page, server.url)
    assert page.evaluate("() => document.documentElement.lang") == language
    expect(page.locator("button.play")).to_have_text(texts(language)["home.play"])
    # No other language came along, and nothing that other pages say; faces bring their phrases.
    files = [url.rpartition("/")[2] for url in asked if "/words-" in url]
    assert len(files) <= len(GROUPS)
    for name, group in zip(files, GROUPS, strict=False):
        assert name.startswith(f"words-{language}-{group}-")


def test_a_choice_is_kept_and_a_link_may_name_another(
    server: ServerProcess, open_page: OpenPage
) -> None:
    page = open_page(viewport=SMALL, locale="de")
    play = page.locator("button.play")
    page.goto(f"{server.url}/?language=fi")
    expect(play).to_have_text(texts("fi")["home.play"])
    # A link is for this window; a choice is for good, and the address no longer says otherwise.
    choose_language(page, "pl")
    expect(play).to_have_text(texts("pl")["home.play"])
    page.reload()
    expect(play).to_have_text(texts("pl")["home.play"])
    other = page.context.new_page()
    other.goto(server.url)
    expect(other.locator("button.play")).to_have_text(texts("pl")["home.play"])
    # Two windows of one device speak the same language.
    choose_language(other, "he")
    expect(play).to_have_text(texts("he")["home.play"])
    assert page.evaluate("() => document.documentElement.dir") == "rtl"
    page.goto(f"{server.url}/?language=xx")
    expect(play).to_have_text(texts("he")["home.play"])


def test_a_language_that_does_not_come_changes_nothing(
    server: ServerProcess, open_page: OpenPage
) -> None:
    page = open_page(viewport=SMALL, locale="de")
    PAGES["home"](page, server.url)
    page.route("**/words-fr-*", lambda route: route.abort())
    page.locator("header > button").click()
    languages = page.locator("dialog .languages select")
    languages.select_option("fr")
    expect(page.get_by_role("alert")).to_have_text(texts("de")["net.notOpened"])
    expect(page.locator("button.play")).to_have_text(texts("de")["home.play"])
    expect(languages).to_have_value("de")


def test_without_a_line_the_page_is_there_in_the_language_that_was_chosen(
    server: ServerProcess, open_page: OpenPage
) -> None:
    page = open_page(viewport=SMALL, locale="de", service_workers="allow")
    PAGES["home"](page, server.url)
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    choose_language(page, "pl")
    page.evaluate(_KEPT, "pl")
    page.context.set_offline(offline=True)
    page.reload()
    expect(page.locator("button.play")).to_have_text(texts("pl")["home.play"])
    # The score pad needs no line at all.
    page.goto(f"{server.url}/pad")
    expect(page.locator("h1")).to_have_text(texts("pl")["pad.name"])
    page.context.set_offline(offline=False)


_KEPT = """async language => {
  for (let tries = 0; tries < 600; tries += 1) {
    const { active } = (await navigator.serviceWorker.getRegistration()) ?? {};
    if (active?.state === "activated" && active.scriptURL.endsWith(`=${language}`)) return;
    await new Promise(done => setTimeout(done, 50));
  }
  throw new Error("the page is not kept");
}"""


# --- In the middle of something ------------------------------------------------------------------


def test_another_language_in_the_middle_of_a_game_keeps_the_game(
    server: ServerProcess, open_page: OpenPage
) -> None:
    page = open_page(viewport=SMALL, locale="en-GB")
    show_table(page, server.url)
    wait_for_turn(page)
    sockets: list[object] = []
    page.on("websocket", lambda socket: sockets.append(socket))  # noqa: PLW0108
    page.locator(".rack .tile").last.click()
    chosen = "() => [...document.querySelectorAll('.rack .tile')].map(one => one.dataset.tile)"
    before = page.locator(".rack").evaluate(_STATE), page.evaluate(chosen)
    ghosts = page.locator("[data-ghost]").count()
    page.locator("header .icon").last.click()
    page.locator("dialog select").select_option("he")
    expect(page.locator("dialog h2")).to_have_text(texts("he")["menu.label"])
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert (page.locator(".rack").evaluate(_STATE), page.evaluate(chosen)) == before
    assert page.locator("[data-ghost]").count() == ghosts
    # The score sheet stays open, too, and no new line to the server was needed.
    page.locator("header .icon").last.click()
    page.get_by_role("button", name=texts("he")["menu.sheet"], exact=True).click()
    switch_language(page, "de")
    expect(page.locator("dialog h2")).to_have_text(texts("de")["sheet.label"])
    assert not sockets


_STATE = """rack => [
  document.querySelector('.table').dataset.version,
  document.querySelectorAll('[data-place]').length,
  rack.querySelector('[aria-pressed=true], .chosen')?.dataset.tile,
]"""


def test_half_a_line_of_the_score_pad_survives_another_language(
    server: ServerProcess, open_page: OpenPage
) -> None:
    page = open_page(viewport=SMALL, locale="en-GB")
    show_pad(page, server.url)
    half = page.locator(".dots").text_content()
    page.locator("header button").last.click()
    page.locator("dialog select").select_option("pl")
    expect(page.locator("dialog h2")).to_have_text(texts("pl")["pad.menu"])
    page.get_by_role("button", name=texts("pl")["pad.extra"]).click()
    page.locator("dialog input[type=number]").fill("17")
    switch_language(page, "he")
    expect(page.locator("dialog input[type=number]")).to_have_value("17")
    page.keyboard.press("Escape")
    expect(page.locator(".dots")).to_have_text(half or "")
    expect(page.locator("main.pad")).to_have_attribute("data-lines", "3")


def test_a_form_half_filled_in_survives(server: ServerProcess, open_page: OpenPage) -> None:
    page = open_page(viewport=SMALL, locale="en-GB")
    PAGES["new table"](page, server.url)
    page.locator(".chair textarea").first.fill("Zoë")
    page.locator("[data-rule=draw_cost] input").fill("7")
    choose_language(page, "sv")
    expect(page.locator("h1")).to_have_text(texts("sv")["new.title"])
    expect(page.locator(".chair textarea").first).to_have_value("Zoë")
    expect(page.locator("[data-rule=draw_cost] input")).to_have_value("7")


def test_everybody_at_a_table_reads_their_own_language(
    server: ServerProcess, open_page: OpenPage
) -> None:
    first = open_page(viewport=SMALL, locale="de")
    table = make_table(first, server.url, {"kind": "bot", "bot": "easy", "name": "Milo"})
    for page, language in ((first, "de"), (open_page(viewport=SMALL, locale="he"), "he")):
        page.goto(f"{server.url}/t/{table}")
        bot = page.locator(".players").get_by_text(localized("Milo", language), exact=True)
        expect(bot).to_be_visible(timeout=TIMEOUT)
