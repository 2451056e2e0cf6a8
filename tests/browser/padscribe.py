"""Somebody who writes on the score pad of the page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from playwright.sync_api import expect

from tests.browser.driver import PATIENCE
from triomino import pad
from triomino.scoring import Left
from triomino.tile import Tile

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playwright.sync_api import Locator, Page

    from triomino.pad import Entry

BONUS = {
    "bridge": "bridge",
    "hexagon": "hexagon",
    "double_hexagon": "double hexagon",
    "triple_hexagon": "triple hexagon",
}

_TYPE = """async keys => {
  const soon = () => new Promise(done => setTimeout(done));
  for (const [group, label] of keys) {
    const within = document.querySelectorAll(group + ' button');
    const named = one => one.getAttribute('aria-label') ?? one.textContent.trim();
    const key = [...within].find(one => label === '' || named(one) === label);
    if (!key || key.disabled) throw new Error(`no key ${label} in ${group}`);
    key.click();
    await soon();
  }
  return [...document.querySelectorAll('.strip .total')].map(one => one.textContent);
}"""


class Scribe:
    """Writes lines, with taps that are counted or, for long matches, with the same keys at once."""

    def __init__(self, page: Page) -> None:
        self.page, self.taps = page, 0
        self.round_over = False
        page.set_default_timeout(PATIENCE)

    def begin(self, url: str, names: Sequence[str], target: str = "400 points") -> None:
        """Set up a sheet."""
        page = self.page
        page.goto(f"{url}/pad")
        for number, name in enumerate(names, 1):
            field = page.get_by_role("textbox", name=f"Name {number}")
            if not field.is_visible():
                page.get_by_role("button", name="Add somebody").click()
            field.fill(name)
        page.get_by_text(target, exact=True).click()
        page.get_by_role("button", name="Start", exact=True).click()
        page.wait_for_url("**/pad/*")
        self.round_over = True

    @property
    def lines(self) -> int:
        """How many lines the sheet has."""
        return int(self.page.locator(".pad").get_attribute("data-lines") or 0)

    @property
    def totals(self) -> list[int]:
        """The large figures."""
        return list(map(_number, self.page.locator(".strip .total").all_text_contents()))

    def starter(self, name: str) -> None:
        """Say who starts, where that is asked."""
        if self.round_over:
            self.page.locator(".closing").get_by_role("button", name=name, exact=True).tap()
            self.round_over = False

    def tap(self, what: Locator) -> None:
        """One tap that counts."""
        what.tap()
        self.taps += 1

    def key(self, group: str, label: str) -> Locator:
        """A key of the pad."""
        return self.page.locator(group).get_by_role("button", name=label, exact=True)

    def keys(self, turn: pad.Turn) -> list[tuple[str, str]]:
        """The keys of a turn, the last of which enters it."""
        keys = []
        if turn.draws:
            label = "one draw" if turn.draws == 1 else f"{turn.draws} draws"
            keys.append((".draws", label))
        if turn.laid is not None:
            assert isinstance(turn.laid, Tile)
            keys += [(".digits", str(number)) for number in turn.laid.numbers]
        if turn.bonus is not None:
            keys.append((".bonuses", BONUS[turn.bonus]))
        return keys

    def write(self, entry: Entry, names: Sequence[str]) -> list[int]:
        """Write a line of a match; returns the totals that one sees then."""
        page = self.page
        if isinstance(entry, pad.Turn):
            self.starter(names[entry.person])
            keys = [*self.keys(entry), self._last_key(entry)]
            return list(map(_number, page.evaluate(_TYPE, keys)))
        assert isinstance(entry, pad.Out | pad.Blocked)
        name = "Last tile" if isinstance(entry, pad.Out) else "Nobody can play"
        page.locator(".acts").get_by_role("button", name=name).click()
        fields = page.locator("dialog input[type=number]")
        left = [self._points(rack) for rack in entry.left]
        if isinstance(entry, pad.Out):
            del left[entry.person]
        for at, points in enumerate(left):
            fields.nth(at).fill(str(points))
        page.locator("dialog .main").click()
        page.locator("dialog").wait_for(state="hidden")
        self.round_over = True
        return self.totals

    @staticmethod
    def _last_key(turn: pad.Turn) -> tuple[str, str]:
        """The key that enters a turn."""
        if turn.how is None:
            return (".acts", "")
        return (".acts", {"pass": "Pass", "end": "Nothing placed", "keep": "Kept"}[turn.how])

    def enter(self, turn: pad.Turn) -> None:
        """Enter what has been typed."""
        self.page.evaluate(_TYPE, [self._last_key(turn)])

    def settle(self) -> None:
        """Wait until all that was tapped is on disk."""
        expect(self.page.locator(".pad")).to_have_attribute("data-saved", "true", timeout=PATIENCE)

    @staticmethod
    def _points(rack: Any) -> int:
        return rack.points if isinstance(rack, Left) else sum(tile.points for tile in rack)

    def correct(self, line: int, digits: str) -> None:
        """Another tile in an earlier line."""
        page = self.page
        page.get_by_role("button", name=f"Correct line {line}:").click()
        for digit in digits:
            page.locator("dialog .digits").get_by_role("button", name=digit, exact=True).tap()
        page.locator("dialog .main").tap()
        page.locator("dialog").wait_for(state="hidden")

    def see_totals(self, totals: Sequence[int]) -> None:
        """Wait until the figures are these."""
        shown = [f"{total:,}".replace("-", "−") for total in totals]
        expect(self.page.locator(".strip .total")).to_have_text(shown, timeout=PATIENCE)

    def log(self) -> list[dict[str, Any]]:
        """What is on disk."""
        found: list[dict[str, Any]] = self.page.evaluate(
            """() => new Promise((done, fail) => {
              const request = indexedDB.open('triomino-pads');
              request.onerror = () => fail(request.error);
              request.onsuccess = () => {
                const id = location.pathname.split('/').pop();
                const get = request.result.transaction('pads').objectStore('pads').get(id);
                get.onsuccess = () => { request.result.close(); done(get.result.log); };
              };
            })"""
        )
        return found


def _number(text: str) -> int:
    return int(text.replace("−", "-").replace(",", ""))
