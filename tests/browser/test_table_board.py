"""The board on screens of all shapes: it turns by itself, and nothing lies on anything else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from benchmarks.web.scenes import make_state, show, six_players

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.browser.conftest import OpenPage
    from tests.server.process import ServerProcess

UPRIGHT = {"width": 390, "height": 780}
SIDEWAYS = {"width": 780, "height": 390}


def strip(*, mine: bool = False) -> dict[str, Any]:
    """A state whose board is one long row from left to right."""
    state = make_state(6, 9, mine=mine)
    turn = state["round"]["turns"][0] | {"points": 1, "scores": [], "bonus": None}
    moves = [f"{kind}({x},0)=1-1-1" for x in range(11) for kind in "UD"]
    state["round"]["turns"] = [turn | {"move": move} for move in moves]
    return state


def side(page: Page) -> int:
    """The side of a tile in pixels, once the board has come to rest."""
    page.wait_for_function(
        """() => {
          const svg = document.querySelector(".felt svg[data-side]");
          const now = svg.outerHTML;
          const same = window.before === now;
          window.before = now;
          return same;
        }""",
        polling=120,
    )
    return int(page.locator(".felt svg[data-side]").get_attribute("data-side") or 0)


def test_a_long_board_turns_by_itself_unless_it_is_locked(
    server: ServerProcess, open_page: OpenPage
) -> None:
    page = open_page(viewport=UPRIGHT, has_touch=True, is_mobile=True)
    show(page, server.url, strip())
    turned = side(page)
    # Turned by hand, it stays as it is until the next round.
    button = page.get_by_role("button", name="Turn the board")
    by_hand = turned
    for _ in range(2):
        button.tap()
        by_hand = min(by_hand, side(page))
        if turned >= 1.25 * by_hand:
            break
    assert turned >= 1.25 * by_hand
    page.set_viewport_size({"width": 391, "height": 780})
    assert side(page) == by_hand
    # Who minds switches it off.
    page.get_by_role("button", name="Menu").tap()
    page.get_by_label("The board turns by itself").uncheck()
    page.reload()
    page.locator("[data-place]").first.wait_for()
    assert turned >= 1.25 * side(page)


def test_the_board_never_turns_while_somebody_aims(
    server: ServerProcess, open_page: OpenPage
) -> None:
    """It is lower than wide at first; then the window changes, as a phone that is turned."""
    page = open_page(viewport=SIDEWAYS, has_touch=True, is_mobile=True)
    show(page, server.url, strip(mine=True))
    flat = page.locator("[data-place]").first.get_attribute("transform")
    page.locator(".tile.can").first.tap()
    page.locator("[data-ghost]").first.wait_for()
    page.set_viewport_size(UPRIGHT)  # type: ignore[arg-type]
    aiming = side(page)
    # The same without a tile in the hand.
    page.locator(".tile.chosen").tap()
    page.set_viewport_size(SIDEWAYS)  # type: ignore[arg-type]
    side(page)
    assert page.locator("[data-place]").first.get_attribute("transform") == flat
    page.set_viewport_size(UPRIGHT)  # type: ignore[arg-type]
    assert side(page) >= 1.25 * aiming


OVERLAPS = """() => {
  const shown = (element) => element.getClientRects().length > 0;
  const marked = [...document.querySelectorAll(
    ".players :is(.who b, .count, .score), .rack .tile, .actions button, .top :is(.chip, .logo)"
  )].filter(shown);
  const boxes = marked.map((element) => element.getBoundingClientRect());
  const found = [];
  for (let i = 0; i < boxes.length; i++)
    for (let j = i + 1; j < boxes.length; j++) {
      const [a, b] = [boxes[i], boxes[j]];
      const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (wide > 1 && high > 1)
        found.push(`${marked[i].textContent.trim()} / ${marked[j].textContent.trim()}`);
    }
  return found;
}"""


@pytest.mark.parametrize(
    "size", [SIDEWAYS, {"width": 667, "height": 375}, {"width": 780, "height": 360}]
)
@pytest.mark.parametrize("seats", [2, 6])
def test_nothing_overlaps_on_a_phone_on_its_side(
    server: ServerProcess, open_page: OpenPage, size: dict[str, int], seats: int
) -> None:
    page = open_page(viewport=size, has_touch=True, is_mobile=True)
    show(page, server.url, make_state(30, 9) if seats == 2 else six_players())
    side(page)
    assert page.evaluate(OVERLAPS) == []
    assert page.locator(".rack .tile").first.evaluate("one => one.offsetWidth") >= 52
    felt = page.locator(".felt").bounding_box()
    assert felt is not None
    assert felt["height"] == size["height"]
    wide = page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0
