"""The pad as a thing on the table: the screen stays on, paper, a picture, for everybody to use."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser.inspection import violations_in_both_schemes
from tests.browser.pad_writer import NAMES, PHONE, PadWriter, begin_sheet, sample_turn

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from tests.browser.conftest import OpenPage
    from tests.server.process import ServerProcess

WAKE_LOCK = """() => {
  window.locks = [];
  const request = async kind => {
    const lock = new EventTarget();
    lock.release = async () => {
      window.locks.push('released');
      lock.dispatchEvent(new Event('release'));
    };
    window.locks.push(kind);
    window.lock = lock;
    return lock;
  };
  Object.defineProperty(navigator, 'wakeLock', { value: { request } });
}"""

NO_WAKE_LOCK = "() => { delete Navigator.prototype.wakeLock; }"

LOOK_AWAY_AND_BACK = """async () => {
  // A browser lets go of the lock when nobody looks.
  await window.lock.release();
  document.dispatchEvent(new Event('visibilitychange'));
}"""


def test_the_screen_stays_on_while_somebody_looks(
    server: ServerProcess, open_page: OpenPage
) -> None:
    page = open_page(**PHONE)
    page.add_init_script(f"({WAKE_LOCK})()")
    begin_sheet(page, server.url)
    assert page.evaluate("() => window.locks") == ["screen"]
    page.evaluate(LOOK_AWAY_AND_BACK)
    assert page.evaluate("() => window.locks") == ["screen", "released", "screen"]
    page.get_by_role("link", name="All sheets").tap()
    page.wait_for_function("() => window.locks.length === 4")
    assert page.evaluate("() => window.locks.at(-1)") == "released"


def test_where_the_screen_cannot_be_kept_on_the_pad_works(
    server: ServerProcess, open_page: OpenPage
) -> None:
    page = open_page(**PHONE)
    page.add_init_script(f"({NO_WAKE_LOCK})()")
    writer = begin_sheet(page, server.url)
    assert not page.evaluate("() => 'wakeLock' in navigator")
    assert writer.write(sample_turn(1), NAMES) == writer.totals


def test_on_paper_there_is_the_sheet_alone(server: ServerProcess, open_page: OpenPage) -> None:
    page = open_page(viewport={"width": 360, "height": 400}, has_touch=True)
    page.add_init_script("window.printed = 0; window.print = () => { window.printed += 1; }")
    writer = begin_sheet(page, server.url)
    for number in range(1, 24):
        writer.write(sample_turn(number), NAMES)
    page.get_by_role("button", name="More").click()
    page.get_by_role("button", name="Print").click()
    page.wait_for_function("() => window.printed === 1")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.emulate_media(media="print")
    expect(page.get_by_role("button", name="Undo")).to_be_hidden()
    expect(page.locator(".keys, .acts").first).to_be_hidden()
    # Nothing of it is scrolled away, and it is ink on white.
    cut = page.evaluate(_CUT)
    assert cut == []
    assert (
        page.evaluate("() => getComputedStyle(document.documentElement).backgroundColor")
        == "rgb(255, 255, 255)"
    )
    assert page.pdf(format="A4").startswith(b"%PDF")


_CUT = """() => [...document.querySelectorAll('.pad, .pad *')]
  .filter(one => one.checkVisibility() && !one.closest('.hidden') && one.clientHeight
    && one.scrollHeight > one.clientHeight + 2 && getComputedStyle(one).overflowY !== 'visible')
  .map(one => one.className)"""


def test_the_end_as_a_picture(server: ServerProcess, open_page: OpenPage) -> None:
    page = open_page(**PHONE, accept_downloads=True)
    writer = begin_sheet(page, server.url)
    writer.write(sample_turn(1), NAMES)
    page.get_by_role("button", name="More").tap()
    page.get_by_role("button", name="End the match here").tap()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Share a picture").tap()
    assert saved.value.suggested_filename.endswith(".png")
    content = saved.value.path().read_bytes()
    assert content.startswith(b"\x89PNG")
    # Two people, a line each below the curve.
    assert struct.unpack(">II", content[16:24]) == (1200, 860 + 2 * 70)
    # There is something on it.
    colours = page.evaluate(_COLOURS, list(content))
    assert colours > 10


_COLOURS = """async bytes => {
  const image = await createImageBitmap(new Blob([new Uint8Array(bytes)], {type: 'image/png'}));
  const canvas = new OffscreenCanvas(image.width, image.height);
  const pen = canvas.getContext('2d');
  pen.drawImage(image, 0, 0);
  const { data } = pen.getImageData(0, 0, image.width, image.height);
  return new Set(new Uint32Array(data.buffer)).size;
}"""


def press(name: str) -> Callable[[Page], None]:
    """Open something from the menu."""

    def open_it(page: Page) -> None:
        page.get_by_role("button", name="More").click()
        page.get_by_role("dialog").get_by_role("button", name=name, exact=True).click()

    return open_it


DIALOGS: dict[str, Callable[[Page], None]] = {
    "menu": lambda page: page.get_by_role("button", name="More").click(),
    "out": lambda page: page.get_by_role("button", name="Last tile").click(),
    "blocked": lambda page: page.get_by_role("button", name="Nobody can play").click(),
    "correct": lambda page: page.get_by_role("button", name="Correct line 1:").click(),
    "people": press("Change players"),
    "rules": press("Rules and target"),
    "extra": press("Extra points"),
    "live": press("Show on other phones"),
}


def test_axe_finds_nothing_in_the_dialogs(server: ServerProcess, open_page: OpenPage) -> None:
    page = open_page(**PHONE)
    begin_sheet(page, server.url)
    dialog = page.get_by_role("dialog")
    found: dict[str, list[str]] = {}
    for name, open_it in DIALOGS.items():
        open_it(page)
        dialog.wait_for()
        found[name] = violations_in_both_schemes(page, "dialog")
        page.keyboard.press("Escape")
        expect(dialog).to_have_count(0)
    assert found == {name: [] for name in DIALOGS}


def test_axe_finds_nothing_on_a_sheet_with_large_figures_or_at_its_end(
    server: ServerProcess, open_page: OpenPage
) -> None:
    page = open_page(**PHONE)
    PadWriter(page)
    begin_sheet(page, server.url)
    page.get_by_role("button", name="Large numbers").tap()
    assert violations_in_both_schemes(page) == []
    page.get_by_role("button", name="Large numbers").tap()
    press("End the match here")(page)
    page.locator(".closing h2").wait_for()
    assert violations_in_both_schemes(page) == []
    page.get_by_role("link", name="All sheets").tap()
    page.get_by_role("table").wait_for()
    assert violations_in_both_schemes(page) == []
