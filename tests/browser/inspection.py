"""What can be wrong with any page: what axe finds, small targets, cut and untranslated texts."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from triomino.words import ENGLISH, texts
from triomino.words.message import NUMBER, Plural, Slot, parse

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from triomino.words.message import Message

SMALL_PHONE = {"width": 360, "height": 740}
PHONE = {"width": 390, "height": 780}
DESK = {"width": 1280, "height": 800}

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"

COLOUR_RULES = ["color-contrast", "link-in-text-block"]
"""The rules of axe that look at colours: all that another colour scheme can break."""

# --- For everybody -------------------------------------------------------------------------------

_AXE = """async ([rules, within]) => {
  const all = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
  const found = await axe.run(within ?? document, {
    runOnly: rules ?? all,
    // The digits of a tile that is drawn are no text beside its name.
    ...(rules ? {} : { rules: { "label-content-name-mismatch": { enabled: false } } }),
  });
  return found.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target} ${failureSummary}`));
}"""

_SMALL = """() => {
  const out = [];
  for (const one of document.querySelectorAll("button, select, input, summary, a")) {
    // What is hidden is for ears; a box has its label round it, and some links their card.
    const whole = one.closest("label, .choices li") ?? one;
    const box = whole.getBoundingClientRect();
    const style = getComputedStyle(whole);
    if (!box.width || style.visibility === "hidden" || style.opacity === "0") continue;
    if (one.closest(".hidden, .places, .skip, [inert]")) continue;
    if (box.width < 43.5 || box.height < 43.5)
      out.push(`${one.outerHTML.slice(0, 90)} ${box.width.toFixed()}x${box.height.toFixed()}`);
  }
  return out;
}"""

_WITHOUT_KEYS = """() => {
  const focusable = "a[href], button, input, select, textarea, summary, label, option, [tabindex]";
  const shown = one => one.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  return [...document.body.querySelectorAll("*")]
    .filter(one => getComputedStyle(one).cursor === "pointer" && shown(one))
    .filter(one => !one.closest(focusable))
    .map(one => one.outerHTML.slice(0, 90));
}"""

_TOO_WIDE = """() => {
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return [];
  return [...document.body.querySelectorAll("*")]
    .filter(one => one.getBoundingClientRect().right > clientWidth + 1)
    .map(one => one.outerHTML.slice(0, 90));
}"""


def axe_violations(
    page: Page, rules: list[str] | None = None, within: str | None = None
) -> list[str]:
    """Return what axe finds on a page as it is now: by all rules, unless some are named.

    With a selector it looks only *within* that part.
    """
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE.read_text("utf-8"))
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => setTimeout(done, 50)))")
    found: list[str] = page.evaluate(_AXE, [rules, within])
    return found


def violations_in_both_schemes(page: Page, within: str | None = None) -> list[str]:
    """Return what axe finds in the dark scheme, and what it finds amiss with the light one."""
    page.emulate_media(color_scheme="dark")
    dark = axe_violations(page, within=within)
    page.emulate_media(color_scheme="light")
    light = axe_violations(page, COLOUR_RULES, within)
    return [*(f"dark: {one}" for one in dark), *(f"light: {one}" for one in light)]


def small_targets(page: Page) -> list[str]:
    """Return what is too small for a finger."""
    found: list[str] = page.evaluate(_SMALL)
    return found


def without_keys(page: Page) -> list[str]:
    """Return what looks as if it could be pressed, and cannot be reached with keys."""
    found: list[str] = page.evaluate(_WITHOUT_KEYS)
    return found


def too_wide(page: Page) -> list[str]:
    """Return what makes the page wider than its window."""
    found: list[str] = page.evaluate(_TOO_WIDE)
    return found


# --- Room for texts ------------------------------------------------------------------------------

_OUTSIDE = """() => {
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


def cut_texts(page: Page) -> list[str]:
    """Return texts that stand outside of the window, or are wider than their box."""
    found: list[str] = page.evaluate(_OUTSIDE)
    return found


def reversed_figures(page: Page) -> list[str]:
    """Return texts whose figures are in the wrong order, as happens from right to left."""
    found: list[str] = page.evaluate(_TURNED)
    return found


# --- Languages -----------------------------------------------------------------------------------

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

_LATIN = """() => {
  const out = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const text = walk.currentNode.data.trim();
    const at = walk.currentNode.parentElement;
    // Times are in a language that the browser knows.
    if (!at.checkVisibility() || at.closest("option, noscript, script, time")) continue;
    // Names that people gave, the notation of the game and addresses are nobody's language.
    if (/[A-Za-z]{3,}/.test(text.replace(/Ann|Greta|Greedy|Random|m\\.json|[a-f0-9]{32,}/g, "")))
      out.push(text);
  }
  for (const one of document.querySelectorAll("[aria-label]"))
    if (/^[A-Za-z ]{4,}$/.test(one.ariaLabel)) out.push(one.ariaLabel);
  return out;
}"""


def switch_language(page: Page, language: str) -> None:
    """Change the language as another window of the same browser would."""
    page.evaluate(_SWITCH, language)
    page.wait_for_function("code => document.documentElement.lang === code", arg=language)


def latin_texts(page: Page) -> list[str]:
    """Return texts in Latin letters: on a page in the made-up ``xx-rtl`` there are none."""
    found: list[str] = page.evaluate(_LATIN)
    return found


def visible_texts(page: Page) -> list[str]:
    """Return every text and label of a page."""
    found: list[str] = page.evaluate(_TEXTS)
    return found


def _pattern(message: Message) -> str:
    """Return a regular expression for a text with any values."""
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
    """Whether a text has words: one that is nearly all values could be anything."""
    words = re.sub(r"\{\w+(, plural,)?|(zero|one|two|few|many|other|=\d) \{", "", text)
    return sum(letter.isalpha() for letter in words) > 5


def _shared(language: str, other: str) -> list[str]:
    """Return the texts of a language that *other* has too."""
    return [text for key, text in texts(language).items() if key in texts(other)]


@cache
def _fixed(language: str, other: str) -> frozenset[str]:
    """Return the shared texts without values."""
    return frozenset(text for text in _shared(language, other) if "{" not in text)


@cache
def _filled(language: str, other: str) -> re.Pattern[str]:
    """Return a pattern of the shared texts with values."""
    there = [text for text in _shared(language, other) if "{" in text and _says_something(text)]
    return re.compile("|".join(_pattern(parse(text)) for text in there))


def untranslated(language: str, seen: list[str]) -> list[str]:
    """Return texts that are in English although translated, or the bare key of a text."""

    def said_in(one: str, other: str, text: str) -> bool:
        return text in _fixed(one, other) or _filled(one, other).fullmatch(text) is not None

    wrong = [text for text in seen if text in texts(ENGLISH) or said_in(ENGLISH, language, text)]
    return [text for text in wrong if not said_in(language, ENGLISH, text)]
