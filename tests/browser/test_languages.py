"""Every page in every language: its texts, their room, their direction; changed in play."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.driver import PATIENCE, wait_for_turn
from tests.browser.pages import AXE, PAGES, make_table, show_pad, show_table
from tests.browser.test_page_access import violations
from tests.browser.test_page_words import OUTSIDE
from triomino.words import ENGLISH, languages, texts
from triomino.words.message import NUMBER, Plural, Slot, parse

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from tests.browser.conftest import OpenPage
    from tests.server.process import ServerProcess
    from triomino.words.message import Message

SMALL = {"width": 360, "height": 740}
RIGHT_TO_LEFT = {"he"}


def show_no_table(page: Page, url: str) -> None:
    page.goto(f"{url}/t/nosuchtable")
    page.get_by_role("heading").wait_for()


ALL: dict[str, Callable[[Page, str], None]] = PAGES | {"no table": show_no_table}

# --- What is seen --------------------------------------------------------------------------------

_SWITCH = """code => {
  const kept = JSON.stringify({ language: code });
  dispatchEvent(new StorageEvent("storage", { key: "triomino", newValue: kept }));
}"""

_TEXTS = """() => {
  const out = new Set();
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const at = walk.currentNode.parentElement;
    if (!at.closest("noscript, script, style, .languages")) out.add(walk.currentNode.data);
  }
  const names = ["aria-label", "placeholder", "title"];
  for (const one of document.querySelectorAll(names.map(name => `[${name}]`).join()))
    for (const name of names) out.add(one.getAttribute(name) ?? "");
  out.add(document.title);
  return [...out].map(text => text.replace(/[\\u2066-\\u2069]/g, "").trim()).filter(Boolean);
}"""

# Signs before numbers, sums and tiles, read out of where their letters stand.
_TURNED = """() => {
  const out = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const figures = /[+\\u2212]\\d+|\\d+(?:\\s?[:=]\\s?\\d+)+|\\d-\\d-\\d|[UD]\\(-?\\d+,-?\\d+\\)/g;
  while (walk.nextNode()) {
    const text = walk.currentNode;
    if (!text.parentElement.checkVisibility()) continue;
    for (const { 0: found, index } of text.data.matchAll(figures)) {
      const range = document.createRange();
      const places = [...found].map((_, at) => {
        range.setStart(text, index + at);
        range.setEnd(text, index + at + 1);
        return range.getBoundingClientRect();
      });
      const turned = places.some((place, at) =>
        at && place.width && places[at - 1].width && place.left < places[at - 1].left - 0.5
          && Math.abs(place.top - places[at - 1].top) < 2);
      if (turned) out.push(text.data);
    }
  }
  return out;
}"""

# What a language can change: names of things, and whether they are there.
_AXE = """async () => {
  const rules = ["aria-input-field-name", "aria-toggle-field-name", "button-name", "link-name",
    "label", "select-name", "document-title", "html-has-lang", "html-lang-valid", "valid-lang",
    "heading-order", "empty-heading", "aria-dialog-name", "summary-name", "image-alt",
    "svg-img-alt", "aria-valid-attr-value", "duplicate-id-aria"];
  const found = await axe.run(document, { runOnly: { type: "rule", values: rules } });
  return found.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}"""


def speak(page: Page, language: str) -> None:
    """Change the language as another window of the same browser would."""
    page.evaluate(_SWITCH, language)
    page.wait_for_function("code => document.documentElement.lang === code", arg=language)


def _pattern(message: Message) -> str:
    """How a text looks, whatever its values are."""
    out = ""
    for part in message:
        if isinstance(part, Slot):
            out += r"[\d.,\s]+" if part.name == NUMBER else ".*"
        elif isinstance(part, Plural):
            out += "(?:" + "|".join(_pattern(inside) for _, inside in part.cases) + ")"
        else:
            out += re.escape(part)
    return out


def _says_something(text: str) -> bool:
    """A text that is nearly all values could be anything."""
    words = re.sub(r"\{\w+(, plural,)?|(zero|one|two|few|many|other|=\d) \{", "", text)
    return sum(letter.isalpha() for letter in words) > 5


@cache
def _forms(language: str, other: str) -> tuple[set[str], re.Pattern[str]]:
    """The texts of a language that *other* has too: fixed ones, and how those with values look."""
    there = [text for key, text in texts(language).items() if key in texts(other)]
    fixed = {text for text in there if "{" not in text}
    filled = [_pattern(parse(text)) for text in there if "{" in text and _says_something(text)]
    return fixed, re.compile("|".join(filled))


def left_over(language: str, seen: list[str]) -> list[str]:
    """What is seen in English although it was translated, or as the bare key of a text."""

    def said_in(one: str, other: str, text: str) -> bool:
        fixed, filled = _forms(one, other)
        return text in fixed or filled.fullmatch(text) is not None

    wrong = [text for text in seen if text in texts(ENGLISH) or said_in(ENGLISH, language, text)]
    return [text for text in wrong if not said_in(language, ENGLISH, text)]


@pytest.mark.parametrize("name", ALL)
def test_every_page_in_every_language(
    server: ServerProcess, open_page: OpenPage, name: str
) -> None:
    page = open_page(viewport=SMALL, expects_refusals=name == "no table", locale="en-GB")
    page.set_default_timeout(PATIENCE)
    ALL[name](page, server.url)
    page.evaluate(AXE.read_text("utf-8"))
    wrong: list[str] = []
    for language in (*languages()[1:], ENGLISH):
        speak(page, language)
        found = [f"outside: {one}" for one in page.evaluate(OUTSIDE)]
        found += page.evaluate(_AXE)
        found += [f"turned round: {one}" for one in page.evaluate(_TURNED)]
        if language != ENGLISH:
            found += [f"English: {one}" for one in left_over(language, page.evaluate(_TEXTS))]
        direction = "rtl" if language in RIGHT_TO_LEFT else "ltr"
        if page.evaluate("() => document.documentElement.dir") != direction:
            found.append(f"is not {direction}")
        if language in RIGHT_TO_LEFT:
            found += violations(page)
        wrong += [f"{language}: {one}" for one in found]
    assert not wrong, "\n".join(wrong)


def test_what_is_wrong_would_be_found(server: ServerProcess, open_page: OpenPage) -> None:
    page = open_page(viewport=SMALL, locale="he-IL")
    PAGES["home"](page, server.url)
    assert left_over("he", page.evaluate(_TEXTS)) == page.evaluate(_TURNED) == []
    add = "text => document.querySelector('main').insertAdjacentHTML('beforeend', text)"
    english = ["Your tables", "home.running", "Waiting for 3 more", "Ann: thinking …"]
    for text in (*english, "Ann", "5-5-5"):
        page.evaluate(add, f"<p>{text}</p>")
    assert left_over("he", page.evaluate(_TEXTS)) == english
    page.evaluate(add, "<p>אבג −5 דה</p>")
    page.evaluate(add, "<p>אבג <bdi dir=ltr>−5</bdi> דה</p>")
    assert page.evaluate(_TURNED) == ["אבג −5 דה"]
    page.evaluate(add, "<button class=narrow>Donaudampfschifffahrt</button>")
    page.locator(".narrow").evaluate("one => { one.style.inlineSize = '60px'; }")
    assert len(page.evaluate(OUTSIDE)) == 1


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
    # No other language came along, and nothing that other pages say.
    files = [url for url in asked if "/words-" in url]
    assert len(files) == 1
    assert f"/words-{language}-main-" in files[0]


def test_a_choice_is_kept_and_a_link_may_name_another(
    server: ServerProcess, open_page: OpenPage
) -> None:
    page = open_page(viewport=SMALL, locale="de")
    page.set_default_timeout(PATIENCE)
    play = page.locator("button.play")
    page.goto(f"{server.url}/?language=fi")
    expect(play).to_have_text(texts("fi")["home.play"])
    # A link is for this window; a choice is for good, and the address no longer says otherwise.
    page.locator(".languages select").select_option("pl")
    expect(play).to_have_text(texts("pl")["home.play"])
    page.reload()
    expect(play).to_have_text(texts("pl")["home.play"])
    other = page.context.new_page()
    other.goto(server.url)
    expect(other.locator("button.play")).to_have_text(texts("pl")["home.play"])
    # Two windows of one device speak the same language.
    other.locator(".languages select").select_option("he")
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
    page.locator(".languages select").select_option("fr")
    expect(page.get_by_role("alert")).to_have_text(texts("de")["net.notOpened"])
    expect(page.locator("button.play")).to_have_text(texts("de")["home.play"])
    expect(page.locator(".languages select")).to_have_value("de")


def test_without_a_line_the_page_is_there_in_the_language_that_was_chosen(
    server: ServerProcess, open_page: OpenPage
) -> None:
    page = open_page(viewport=SMALL, locale="de", service_workers="allow")
    page.set_default_timeout(PATIENCE)
    PAGES["home"](page, server.url)
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    page.locator(".languages select").select_option("pl")
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
    page.set_default_timeout(PATIENCE)
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
    speak(page, "de")
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
    page.set_default_timeout(PATIENCE)
    show_pad(page, server.url)
    half = page.locator(".dots").text_content()
    page.locator("header button").last.click()
    page.locator("dialog select").select_option("pl")
    expect(page.locator("dialog h2")).to_have_text(texts("pl")["pad.menu"])
    page.get_by_role("button", name=texts("pl")["pad.extra"]).click()
    page.locator("dialog input[type=number]").fill("17")
    speak(page, "he")
    expect(page.locator("dialog input[type=number]")).to_have_value("17")
    page.keyboard.press("Escape")
    expect(page.locator(".dots")).to_have_text(half or "")
    expect(page.locator("main.pad")).to_have_attribute("data-lines", "3")


def test_a_form_half_filled_in_survives(server: ServerProcess, open_page: OpenPage) -> None:
    page = open_page(viewport=SMALL, locale="en-GB")
    page.set_default_timeout(PATIENCE)
    PAGES["new table"](page, server.url)
    page.locator(".chair input").first.fill("Zoë")
    page.locator("[data-rule=draw_cost] input").fill("7")
    page.locator("header .languages select").select_option("sv")
    expect(page.locator("h1")).to_have_text(texts("sv")["new.title"])
    expect(page.locator(".chair input").first).to_have_value("Zoë")
    expect(page.locator("[data-rule=draw_cost] input")).to_have_value("7")


def test_everybody_at_a_table_reads_their_own_language(
    server: ServerProcess, open_page: OpenPage
) -> None:
    first = open_page(viewport=SMALL, locale="de")
    table = make_table(first, server.url, {"kind": "bot", "bot": "easy"})
    for page, language in ((first, "de"), (open_page(viewport=SMALL, locale="fr"), "fr")):
        page.goto(f"{server.url}/t/{table}")
        bot = page.locator(".players").get_by_text(texts(language)["bot.easy"], exact=True)
        expect(bot).to_be_visible(timeout=PATIENCE)
