"""Every page for everybody: what axe finds, targets for fingers, room, contrast, keys only."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.driver import PATIENCE, Person
from tests.browser.pages import AXE, PAGES, show_table

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.browser.conftest import OpenPage
    from tests.server.process import ServerProcess

PHONE = {"width": 390, "height": 780}
DESK = {"width": 1280, "height": 800}

_AXE = """async () => {
  const found = await axe.run(document, {
    runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    // The digits of a tile that is drawn are no text beside its name.
    rules: { "label-content-name-mismatch": { enabled: false } },
  });
  return found.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target} ${failureSummary}`));
}"""

_SMALL = """() => {
  const out = [];
  for (const one of document.querySelectorAll("button, select, input, summary, a")) {
    // What is hidden is for ears; a box has its label round it, and some links their card.
    const whole = one.closest("label, .others li") ?? one;
    const box = whole.getBoundingClientRect();
    const style = getComputedStyle(whole);
    if (!box.width || style.visibility === "hidden" || style.opacity === "0") continue;
    if (one.closest(".hidden, .places, .skip, [inert]")) continue;
    if (box.width < 43.5 || box.height < 43.5)
      out.push(`${one.outerHTML.slice(0, 90)} ${box.width.toFixed()}x${box.height.toFixed()}`);
  }
  return out;
}"""

_TOO_WIDE = """() => {
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return [];
  return [...document.body.querySelectorAll("*")]
    .filter(one => one.getBoundingClientRect().right > clientWidth + 1)
    .map(one => one.outerHTML.slice(0, 90));
}"""


def violations(page: Page) -> list[str]:
    """What axe has against a page."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE.read_text("utf-8"))
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => setTimeout(done, 50)))")
    found: list[str] = page.evaluate(_AXE)
    return found


@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing_and_fingers_find_everything(
    server: ServerProcess, open_page: OpenPage, name: str
) -> None:
    page = open_page(viewport=DESK)
    page.set_default_timeout(PATIENCE)
    PAGES[name](page, server.url)
    found: dict[str, list[str]] = {}
    for viewport in (DESK, PHONE):
        page.set_viewport_size(viewport)  # type: ignore[arg-type]
        for scheme in ("dark", "light"):
            page.emulate_media(color_scheme=scheme)
            found[f"{viewport['width']} {scheme}"] = violations(page)
        found[f"{viewport['width']} targets"] = page.evaluate(_SMALL)
    # Letters twice as large on a small laptop are as if the window had half its size.
    page.set_viewport_size({"width": 320, "height": 640})
    found["too wide"] = page.evaluate(_TOO_WIDE)
    page.emulate_media(forced_colors="active")
    found["forced colours"] = violations(page)
    complaints = [f"{key}: {one}" for key, all_of_it in found.items() for one in all_of_it]
    assert not complaints, "\n".join(complaints)


def test_axe_would_find_something(server: ServerProcess, open_page: OpenPage) -> None:
    page = open_page(viewport=DESK)
    show_table(page, server.url)
    page.evaluate("() => document.body.insertAdjacentHTML('beforeend', '<img src=/icon.svg>')")
    assert any(one.startswith("image-alt") for one in violations(page))


def test_with_keys_only_from_the_first_page_to_a_tile_that_lies(
    server: ServerProcess, open_page: OpenPage
) -> None:
    page = open_page(viewport=DESK)
    page.set_default_timeout(PATIENCE)
    page.goto(server.url)
    page.get_by_role("button", name="Play", exact=True).wait_for()

    def tab_to(name: str) -> None:
        for _ in range(80):
            page.keyboard.press("Tab")
            said = page.evaluate(
                "() => { const one = document.activeElement;"
                " return one.labels?.[0]?.innerText || one.ariaLabel || one.innerText || '' }"
            )
            if said.startswith(name):
                return
        raise AssertionError(f"{name} cannot be reached")

    tab_to("New table")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="New table")).to_be_focused()
    # The games are one stop; arrows choose among them.
    tab_to("Classic")
    for _ in range(4):
        page.keyboard.press("ArrowDown")
    expect(page.get_by_role("radio", name="Without points")).to_be_checked()
    tab_to("Name at seat 1")
    page.keyboard.type("Ann")
    tab_to("places and points")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("radio", name="places", exact=True)).to_be_checked()
    tab_to("Set up the table")
    page.keyboard.press("Enter")
    page.wait_for_url("**/t/*")
    me = Person(page, "keys")
    while not me.tiles_on_board:
        me.turn()
