"""Languages that nobody speaks: one long, one from right to left, through every page."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.browser.driver import PATIENCE
from tests.browser.pages import PAGES

if TYPE_CHECKING:
    from tests.browser.conftest import OpenPage
    from tests.server.process import ServerProcess

SMALL = {"width": 360, "height": 740}

OUTSIDE = """() => {
  const out = [];
  const wide = document.documentElement.clientWidth;
  const shown = one => one.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  if (document.documentElement.scrollWidth > wide) out.push("the page itself");
  const texts = "button, a, p, h1, h2, label, legend, li, b, td";
  for (const one of document.body.querySelectorAll(texts)) {
    if (!shown(one) || one.closest(".hidden, .skip, svg, .places, .board")) continue;
    const { left, right } = one.getBoundingClientRect();
    // What lies in something that scrolls may be wider than it.
    const scrolls = one.closest(".sheet, .players, .scroll");
    if (!scrolls && (left < -1 || right > wide + 1)) out.push(one.outerHTML.slice(0, 120));
    const cut = one.scrollWidth > one.clientWidth + 2 && one.clientWidth > 0;
    const style = getComputedStyle(one);
    const meant = style.textOverflow === "ellipsis" || style.overflowX !== "visible";
    if (cut && !meant && style.display !== "inline" && !scrolls)
      out.push(`${one.scrollWidth} in ${one.clientWidth}: ${one.outerHTML.slice(0, 120)}`);
  }
  return out;
}"""

_ENGLISH = """() => {
  const out = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const text = walk.currentNode.data.trim();
    const at = walk.currentNode.parentElement;
    if (!at.checkVisibility() || at.closest("option, noscript, script")) continue;
    // Names that people gave, the notation of the game and addresses are nobody's language.
    if (/[A-Za-z]{3,}/.test(text.replace(/Ann|Greta|Greedy|Random|m\\.json|[a-f0-9]{32,}/g, "")))
      out.push(text);
  }
  for (const one of document.querySelectorAll("[aria-label]"))
    if (/^[A-Za-z ]{4,}$/.test(one.ariaLabel)) out.push(one.ariaLabel);
  return out;
}"""


@pytest.mark.parametrize("name", PAGES)
def test_nothing_is_cut_and_nothing_is_left_in_english(
    server: ServerProcess, open_page: OpenPage, name: str
) -> None:
    # Real languages are long enough for most pages; these have the most to show.
    long = [("xx-long", "ltr")] if name in ("home", "new table", "table", "pad") else []
    for language, direction in (*long, ("xx-rtl", "rtl")):
        page = open_page(viewport=SMALL)
        page.set_default_timeout(PATIENCE)
        page.goto(f"{server.url}/?language={language}")
        page.locator("main").wait_for()
        PAGES[name](page, server.url)
        assert page.evaluate("() => document.documentElement.dir") == direction
        assert page.evaluate("() => document.documentElement.lang") == language
        outside = page.evaluate(OUTSIDE)
        assert not outside, f"{language}:\n" + "\n".join(outside)
        if direction == "rtl":
            assert page.evaluate(_ENGLISH) == []


def test_the_board_is_no_text(server: ServerProcess, open_page: OpenPage) -> None:
    """From right to left the board is not mirrored, and figures keep their order."""
    places = {}
    for language in ("xx-rtl", "en"):
        page = open_page(viewport={"width": 1280, "height": 800})
        page.set_default_timeout(PATIENCE)
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
