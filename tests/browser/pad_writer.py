"""Someone who writes on the score pad of the page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from playwright.sync_api import expect

from tests.browser.player import TIMEOUT
from triomino import pad
from triomino.scoring import Left
from triomino.tile import Tile

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playwright.sync_api import Locator, Page

    from triomino.pad import Entry

PHONE: dict[str, Any] = {
    "viewport": {"width": 360, "height": 740},
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 2,
}
NAMES = ["Zoë", "=1+1, Ltd"]

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


class PadWriter:
    """Writes lines: with taps that are counted or, for long matches, with the same keys at once."""

    def __init__(self, page: Page) -> None:
        self.page, self.taps = page, 0
        self.round_over = False
        page.set_default_timeout(TIMEOUT)

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
        """The number of lines of the sheet."""
        return int(self.page.locator(".pad").get_attribute("data-lines") or 0)

    @property
    def totals(self) -> list[int]:
        """The totals in large figures."""
        return list(map(_number, self.page.locator(".strip .total").all_text_contents()))

    def starter(self, name: str) -> None:
        """Answer who starts, if that is asked."""
        if self.round_over:
            self.page.locator(".closing").get_by_role("button", name=name, exact=True).tap()
            self.round_over = False

    def tap(self, what: Locator) -> None:
        """Tap, and count it."""
        what.tap()
        self.taps += 1

    def key(self, group: str, label: str) -> Locator:
        """Return a key of the pad."""
        return self.page.locator(group).get_by_role("button", name=label, exact=True)

    def keys(self, turn: pad.Turn) -> list[tuple[str, str]]:
        """Return the keys of a turn without the one that enters it."""
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
        """Write a line of a match and return the totals that are shown then."""
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
        """Return the key that enters a turn."""
        if turn.how is None:
            return (".acts", "")
        return (".acts", {"pass": "Pass", "end": "Nothing placed", "keep": "Kept"}[turn.how])

    def enter(self, turn: pad.Turn) -> None:
        """Enter what has been typed."""
        self.page.evaluate(_TYPE, [self._last_key(turn)])

    def settle(self) -> None:
        """Wait until all that was tapped is on disk."""
        expect(self.page.locator(".pad")).to_have_attribute("data-saved", "true", timeout=TIMEOUT)

    @staticmethod
    def _points(rack: Any) -> int:
        return rack.points if isinstance(rack, Left) else sum(tile.points for tile in rack)

    def correct(self, line: int, digits: str) -> None:
        """Put another tile in an earlier line."""
        page = self.page
        page.get_by_role("button", name=f"Correct line {line}:").click()
        for digit in digits:
            page.locator("dialog .digits").get_by_role("button", name=digit, exact=True).tap()
        page.locator("dialog .main").tap()
        page.locator("dialog").wait_for(state="hidden")

    def see_totals(self, totals: Sequence[int]) -> None:
        """Wait until these totals are shown."""
        shown = [f"{total:,}".replace("-", "−") for total in totals]
        expect(self.page.locator(".strip .total")).to_have_text(shown, timeout=TIMEOUT)

    def log(self) -> list[dict[str, Any]]:
        """Return the log of the sheet as it is in the database."""
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


def sample_turn(number: int) -> pad.Turn:
    """Return turn *number* of a made-up round of two, counted from 0."""
    return pad.Turn(number % 2, Tile(0, number % 6, 5))


def begin_sheet(page: Page, url: str) -> PadWriter:
    """Begin a sheet with one line, and wait until it is on disk."""
    writer = PadWriter(page)
    writer.begin(url, NAMES)
    writer.write(sample_turn(0), NAMES)
    writer.settle()
    return writer
