"""A player at the page, who sees the table and plays with a mouse, by touch or with keys."""

from __future__ import annotations

import json
import re
from itertools import count
from typing import TYPE_CHECKING, Any, Literal

from playwright.sync_api import expect

from tests.browser.deals import PAGE_SEED, can_place_or_draw, find_deal

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Locator, Page

    from tests.browser.seeded_server import SeededServer

Device = Literal["mouse", "touch", "keys"]

TIMEOUT = 30_000
"""Milliseconds that anything may take, on a machine that is busy."""


class Player:
    """Plays at a page that shows a table."""

    def __init__(self, page: Page, device: Device = "mouse") -> None:
        self.page, self.device = page, device
        self.moves = 0
        page.set_default_timeout(TIMEOUT)

    @property
    def is_over(self) -> bool:
        """Whether the match has ended."""
        return self.page.get_by_role("button", name="Rematch").is_visible()

    @property
    def tiles_on_board(self) -> int:
        """The number of tiles on the board."""
        return self.page.locator("[data-place]").count()

    def button(self, name: str) -> Locator:
        """Return the enabled button of that name in the row under the rack."""
        row = self.page.locator(".actions")
        return row.get_by_role("button", name=re.compile(f"^{name}"), disabled=False)

    def sees(self, name: str) -> bool:
        """Whether that button is shown now."""
        return self.button(name).is_visible()

    def press(self, what: Locator) -> None:
        """Press a button with the player's own device."""
        if self.device == "touch":
            what.tap()
        elif self.device == "keys":
            what.focus()
            self.page.keyboard.press("Enter")
        else:
            what.click()

    def start(self, url: str, **choices: Any) -> None:
        """Start a game from the first page, against the easy bot unless *choices* say otherwise.

        Where there is a server, it lives there.
        """
        remember(self.page, **{"level": "easy", "where": "server"} | choices)
        self.page.goto(url)
        self.press(self.page.get_by_role("button", name="Play", exact=True))
        self.page.wait_for_url("**/t/*")

    def turn(self) -> None:
        """Wait until something can be done, and do it: lay a tile if one fits."""
        page = self.page
        page.wait_for_function(SOMETHING_TO_DO)
        tile = page.locator(".tile.can").first
        following = page.get_by_role("button", name="Next round")
        if self.is_over:
            return
        if following.is_visible():
            self.press(following)
            following.wait_for(state="hidden")
        elif tile.is_visible():
            self._place(tile)
        else:
            for name in ("Draw", "Pass", "End turn", "Keep"):
                if self.button(name).is_visible():
                    before = page.locator(".table").get_attribute("data-version")
                    self.press(self.button(name))
                    self._until_changed(before)
                    break
        self.moves += 1

    def can_place(self) -> bool:
        """Whether a tile of the rack fits."""
        return self.page.locator(".tile.can").first.is_visible()

    def _until_changed(self, version: str | None) -> None:
        self.page.wait_for_function(
            "before => document.querySelector('.table')?.dataset.version !== before", arg=version
        )

    def _place(self, tile: Locator) -> None:
        """Lay a tile at the place that is worth most."""
        page = self.page
        before = page.locator(".table").get_attribute("data-version")
        if self.device == "keys":
            tile.focus()
            page.keyboard.press("Enter")
            page.wait_for_function("() => document.activeElement?.closest('.places')")
            page.keyboard.press("ArrowRight")
            page.keyboard.press("Enter")
        elif self.device == "touch":
            tile.tap()
            # Where places lie close together, the first tap shows them larger.
            while not self.button("Place").is_visible():
                self._press_first_place(page.touchscreen.tap)
                page.wait_for_timeout(50)
            self.button("Place").tap()
        else:
            tile.click()
            self._press_first_place(page.mouse.click)
        self._until_changed(before)

    def _press_first_place(self, press: Callable[[float, float], None]) -> None:
        """Press the middle of the first place that is offered."""
        box = self.page.locator("[data-ghost]").first.bounding_box()
        assert box is not None
        press(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    def play(self, most: int = 400, each: Callable[[], None] = lambda: None) -> None:
        """Play until the match is over."""
        for _ in range(most):
            self.turn()
            each()
            if self.is_over:
                return
        raise AssertionError("the match did not end")


def new_table(page: Page, url: str, **options: Any) -> str:
    """Set up a table over HTTP, start it and open it; return its id."""
    if not page.url.startswith(url):
        page.goto(url)
    table: str = page.evaluate(_NEW_TABLE, options)
    page.goto(f"{url}/t/{table}")
    page.locator(".table").wait_for()
    return table


def wait_for_turn(page: Page) -> None:
    """Wait until it is the turn of a seat of this page."""
    page.wait_for_function("() => document.querySelector('.table')?.dataset.mine === 'true'")


_NEW_TABLE = """async (options) => {
  const ask = async (path, body) => {
    const answer = await fetch(path, {method: 'POST', body: JSON.stringify(body ?? {}),
      headers: {'content-type': 'application/json'}});
    if (!answer.ok) throw new Error(await answer.text());
    return answer.json();
  };
  await ask('/api/devices');
  const {id} = await ask('/api/tables', options);
  await ask(`/api/tables/${id}/start`);
  return id;
}"""


_NUMBERS = count()
_STORE = """choices => {
  const stored = JSON.parse(localStorage.getItem('triomino') ?? '{"version": 3}');
  localStorage.setItem('triomino', JSON.stringify({ ...stored, ...choices }));
}"""


def remember(page: Page, **choices: Any) -> None:
    """Change what the page remembers of this device, once, when it is loaded next."""
    change = f"({_STORE})({json.dumps(choices)})"
    page.add_init_script(f"sessionStorage.remembered{next(_NUMBERS)} ??= ({change}, '1')")


SOMETHING_TO_DO = """() => {
  const seen = name => [...document.querySelectorAll('button')].some(
    one => one.textContent.trim().startsWith(name) && one.offsetParent !== null
      && !one.disabled && one.ariaDisabled !== 'true');
  return ['Rematch', 'Next round'].some(seen)
    || (document.querySelector('.table')?.dataset.mine === 'true'
      && (document.querySelector('.tile.can') !== null
        || ['Draw', 'Pass', 'End turn', 'Keep'].some(seen)));
}"""


_STANDS_STILL = """(names) => {
  const places = [...document.querySelectorAll(names)].map((one) => {
    const { x, y, width, height } = one.getBoundingClientRect();
    return [x, y, width, height].join();
  }).join(" ");
  const now = performance.now();
  if (window.stood?.places !== places) window.stood = { places, since: now };
  return now - window.stood.since > 300;
}"""


def wait_until_still(page: Page, names: str) -> None:
    """Wait until none of the elements that a selector *names* has moved for a while."""
    page.wait_for_function(_STANDS_STILL, arg=names)


def start_at_choice(server: SeededServer, page: Page) -> Player:
    """Start a game in which a bot has opened and the player may place a tile or draw."""
    server.deal_next(find_deal(can_place_or_draw, page_seed=PAGE_SEED).seed, PAGE_SEED)
    me = Player(page)
    me.start(server.url)
    wait_for_turn(page)
    assert me.tiles_on_board == 1
    assert me.can_place()
    assert me.sees("Draw")
    return me


def see_text(page: Page, text: str) -> None:
    """Wait until a text is on the page."""
    expect(page.get_by_text(text).first).to_be_visible(timeout=TIMEOUT)
