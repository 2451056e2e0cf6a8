"""Every page once: in every language, on small and large screens, by day and by night."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

import pytest

from tests.browser.inspection import (
    COLOUR_RULES,
    DESK,
    PHONE,
    SMALL_PHONE,
    axe_violations,
    cut_texts,
    latin_texts,
    reversed_figures,
    small_targets,
    switch_language,
    too_wide,
    untranslated,
    visible_texts,
    without_keys,
)
from tests.browser.pages import PAGES, show_table
from tests.effort import WHOLE
from triomino.words import ENGLISH, languages

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from playwright.sync_api import Page

    from tests.browser.conftest import OpenPage
    from tests.server.process import ServerProcess

RIGHT_TO_LEFT = {"he"}

ALWAYS = {"de", "fi", *RIGHT_TO_LEFT}
"""Languages that every page is looked at in, however short the tests are."""

WITH_COLOURS = {"home", "table", "ending", "pad"}
"""Pages that keep colours of their own where the system forces its colours."""

COORDINATES = re.compile(r"[UD]\(-?[0-9]+,")
"""A cell of the board in the notation, which is no name for anybody who listens."""


def show_no_table(page: Page, url: str) -> None:
    page.goto(f"{url}/t/nosuchtable")
    page.get_by_role("heading").wait_for()


EVERY_PAGE: dict[str, Callable[[Page, str], None]] = PAGES | {"no table": show_no_table}


def begin_in(page: Page, language: str) -> None:
    """Let the pages of a window be in a language that may be made up, as a link can."""
    page.add_init_script(f"sessionStorage.language ??= '{language}'")


def language_faults(page: Page, language: str) -> list[str]:
    """Return what is wrong with a page in one language, but for what axe would find."""
    found = [f"cut: {one}" for one in cut_texts(page)]
    found += [f"turned round: {one}" for one in reversed_figures(page)]
    if language != ENGLISH:
        found += [f"English: {one}" for one in untranslated(language, visible_texts(page))]
    direction = "rtl" if language in RIGHT_TO_LEFT else "ltr"
    if page.evaluate("() => document.documentElement.dir") != direction:
        found.append(f"is not {direction}")
    return found


def by_scheme(page: Page, scheme: Literal["dark", "light"]) -> list[str]:
    """Return what axe finds in a colour scheme."""
    page.emulate_media(color_scheme=scheme)
    return axe_violations(page)


def spoken_on(name: str) -> Iterable[str]:
    """Return the languages a page is looked at in: all, or some that differ by page.

    Those with the longest words and from right to left are always among them.
    """
    # The rules of a table are the rulebook once more, which is looked at in every language.
    if name == "rules of a table":
        return RIGHT_TO_LEFT
    number = [*EVERY_PAGE].index(name)
    return [
        language
        for place, language in enumerate(languages()[1:])
        if WHOLE or language in ALWAYS or (place + number) % 6 == 0
    ]


@pytest.mark.parametrize("name", EVERY_PAGE)
def test_every_page_in_every_language_and_for_everybody(
    server: ServerProcess, open_page: OpenPage, name: str
) -> None:
    page = open_page(viewport=SMALL_PHONE, expects_refusals=name == "no table", locale="en-GB")
    # A made-up language from right to left comes first: no other page can be begun in it.
    begin_in(page, "xx-rtl")
    EVERY_PAGE[name](page, server.url)
    where = page.evaluate("() => [document.documentElement.lang, document.documentElement.dir]")
    assert where == ["xx-rtl", "rtl"]
    found = {"xx-rtl": cut_texts(page) + latin_texts(page)}
    for language in (*spoken_on(name), ENGLISH):
        switch_language(page, language)
        found[language] = language_faults(page, language)
        if language in RIGHT_TO_LEFT:
            found[f"{language} axe"] = by_scheme(page, "dark")
    # In English on other screens.
    page.set_viewport_size(DESK)  # type: ignore[arg-type]
    found["desk axe"] = by_scheme(page, "light")
    found["desk"] = small_targets(page) + without_keys(page)
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    found["phone"] = small_targets(page) + without_keys(page)
    found["coordinates"] = COORDINATES.findall(page.locator("body").aria_snapshot())
    # Letters twice as large on a small laptop are as if the window had half its size.
    page.set_viewport_size({"width": 320, "height": 640})
    found["too wide"] = too_wide(page)
    if name in WITH_COLOURS:
        page.emulate_media(forced_colors="active")
        found["forced colours"] = axe_violations(page, COLOUR_RULES)
    complaints = [f"{key}: {one}" for key, all_of_it in found.items() for one in all_of_it]
    assert not complaints, "\n".join(complaints)


# Real languages are long enough for most pages; these have the most to show.
@pytest.mark.parametrize("name", ["home", "new table", "table", "pad"])
def test_nothing_is_cut_in_a_long_language(
    server: ServerProcess, open_page: OpenPage, name: str
) -> None:
    page = open_page(viewport=SMALL_PHONE)
    begin_in(page, "xx-long")
    EVERY_PAGE[name](page, server.url)
    where = page.evaluate("() => [document.documentElement.lang, document.documentElement.dir]")
    assert where == ["xx-long", "ltr"]
    assert cut_texts(page) == []


ADD_STYLE = """text => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  document.adoptedStyleSheets.push(sheet);
}"""


def test_axe_would_find_something(server: ServerProcess, open_page: OpenPage) -> None:
    page = open_page(viewport=DESK)
    show_table(page, server.url)
    page.evaluate("() => document.body.insertAdjacentHTML('beforeend', '<img src=/icon.svg>')")
    assert any(one.startswith("image-alt") for one in axe_violations(page))
    assert without_keys(page) == []
    page.evaluate("() => document.querySelector('img').style.cursor = 'pointer'")
    assert len(without_keys(page)) == 1
    # A colour that only the light scheme makes unreadable.
    page.evaluate(
        ADD_STYLE, "@media (prefers-color-scheme: light) { * { color: #eee !important; } }"
    )
    page.emulate_media(color_scheme="dark")
    assert axe_violations(page, COLOUR_RULES) == []
    page.emulate_media(color_scheme="light")
    assert any(one.startswith("color-contrast") for one in axe_violations(page, COLOUR_RULES))


def test_what_is_wrong_with_a_text_would_be_found(
    server: ServerProcess, open_page: OpenPage
) -> None:
    page = open_page(viewport=SMALL_PHONE, locale="he-IL")
    PAGES["home"](page, server.url)
    assert language_faults(page, "he") == []
    add = "text => document.querySelector('main').insertAdjacentHTML('beforeend', text)"
    english = ["Your tables", "home.running", "Waiting for 3 more", "Ann: thinking …"]
    for text in (*english, "Ann", "5-5-5"):
        page.evaluate(add, f"<p>{text}</p>")
    assert untranslated("he", visible_texts(page)) == english
    page.evaluate(add, "<p>אבג −5 דה</p>")
    page.evaluate(add, "<p>אבג <bdi dir=ltr>−5</bdi> דה</p>")
    assert reversed_figures(page) == ["אבג −5 דה"]
    page.evaluate(add, "<button class=narrow>Donaudampfschifffahrt</button>")
    page.locator(".narrow").evaluate("one => { one.style.inlineSize = '60px'; }")
    assert len(cut_texts(page)) == 1
    assert set(latin_texts(page)) >= {"Your tables", "Donaudampfschifffahrt"}


def test_the_board_is_no_text(server: ServerProcess, open_page: OpenPage) -> None:
    """From right to left the board is not mirrored, and figures keep their order."""
    places = {}
    for language in ("xx-rtl", "en"):
        page = open_page(viewport={"width": 1280, "height": 800})
        page.goto(f"{server.url}/?language={language}")
        PAGES["replay"](page, server.url)
        page.locator("[data-place]").first.wait_for()
        places[language] = page.locator("[data-place]").evaluate_all(
            "all => all.map(one => [one.dataset.place, one.getAttribute('transform')])"
        )
        order = page.evaluate("""() => {
          const digits = [...document.querySelectorAll(".sheet td")]
            .find(one => /\\u2212\\d/.test(one.textContent));
          const text = document.createTreeWalker(digits, NodeFilter.SHOW_TEXT).nextNode();
          const at = index => {
            const range = document.createRange();
            range.setStart(text, index);
            range.setEnd(text, index + 1);
            return range.getBoundingClientRect().left;
          };
          const sign = text.data.indexOf("\\u2212");
          return at(sign) < at(sign + 1);
        }""")
        assert order, "the minus stands behind its number"
    assert places["xx-rtl"] == places["en"]
