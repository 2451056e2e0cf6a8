"""The whole game as files on some host, with the network off."""

from __future__ import annotations

import base64
import contextlib
import json
import os
import re
import shutil
import signal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect
from tools import wasm

from tests.agreement.calls import Pair
from tests.agreement.test_wasm import Recorder, rules_for, think
from tests.browser.conftest import ARGUMENTS, find_chromium
from tests.browser.pad_writer import PHONE
from tests.browser.player import SOMETHING_TO_DO, TIMEOUT, Player
from tests.browser.site_host import hosted
from tests.browser.test_languages import choose_language
from tests.effort import WHOLE, count, long_only
from triomino import Rng, Seeds
from triomino.words import texts

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.browser.conftest import OpenPage

DESK: Any = {"viewport": {"width": 1280, "height": 800}}
MOST_ACTIONS = 60
"""Enough for a second tile among four, whatever the deal of the page: when the 28 tiles of the pool
are drawn, three in a turn at most, somebody has one that fits."""


def offline(page: Page, site: str, **settings: object) -> None:
    """Open the site with some settings, and cut the network once everything is kept."""
    page.goto(site)
    stored = json.dumps({"version": 3, "pace": "at_once", "target": None, **settings})
    page.evaluate("text => localStorage.setItem('triomino', text)", stored)
    page.reload()
    page.wait_for_function("() => navigator.serviceWorker.controller")
    page.context.set_offline(True)


def processes_of(folder: str) -> list[int]:
    """The processes of the browser whose profile is in a folder, and of no other."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            if folder.encode() in path.read_bytes():
                found.append(int(path.parent.name))
    return found


@long_only
@pytest.mark.timeout(300)
def test_a_match_is_played_reloaded_and_replayed_offline(site: str, open_page: OpenPage) -> None:
    page = open_page(**PHONE, service_workers="allow")
    offline(page, site, level="medium")
    player = Player(page, "touch")
    player.start(site)
    assert re.search(r"#/t/local-[0-9a-f]{12}$", page.url)
    for _ in range(3):
        player.turn()
    laid = player.tiles_on_board
    page.reload()
    page.locator(".table").wait_for()
    expect(page.locator("[data-place]").nth(laid - 1)).to_be_attached()
    player.play()
    page.get_by_role("link", name="Replay").first.click()
    page.wait_for_url("**/replay")
    page.locator("[data-place]").first.wait_for()
    page.get_by_role("button", name="Analyse").first.click()
    page.locator(".replay.analysed").wait_for(timeout=4 * TIMEOUT)
    page.reload()  # it is kept
    expect(page.locator(".replay.analysed")).to_be_visible()
    page.goto(f"{site}#/games")
    expect(page.get_by_role("link", name="Replay").first).to_be_visible()


@pytest.mark.timeout(900 if WHOLE else 300)
def test_four_people_pass_one_device_around(site: str, open_page: OpenPage) -> None:
    """With a hint and an undo."""
    page = open_page(**DESK, service_workers="allow")
    offline(page, site)
    page.goto(f"{site}#/new")
    for number in (2, 3, 4):
        if number > 2:
            page.get_by_role("button", name="Add a seat").click()
        page.get_by_label(f"Seat {number}", exact=True).select_option("here")
    page.get_by_role("button", name="Set up the table").click()
    page.wait_for_url("**/t/*")
    player, hinted = Player(page), False
    curtain = page.locator(".curtain .main")
    for _ in range(MOST_ACTIONS):
        curtain.or_(page.locator(".table[data-mine=true]")).first.wait_for()
        if curtain.is_visible():
            curtain.click()
        page.wait_for_function(SOMETHING_TO_DO)
        if player.sees("Hint") and not hinted:  # there is none without a choice
            player.button("Hint").click()
            said = re.compile(r"^Hint: \d+% chance to win\.")
            expect(page.locator(".tray .status")).to_have_text(said)
            hinted = True
            page.keyboard.press("Escape")
        player.turn()
        if hinted and player.tiles_on_board >= 2:
            break
    assert hinted
    assert player.tiles_on_board >= 2
    while not page.locator(".curtain").is_visible():  # the turn goes on after a draw
        player.turn()
    before = page.locator(".table").get_attribute("data-version")
    page.locator(".curtain .quiet").click()
    page.wait_for_function(
        "before => document.querySelector('.table')?.dataset.version !== before", arg=before
    )
    ended = page.get_by_role("button", name="Rematch")
    while WHOLE and not ended.is_visible():
        curtain.or_(page.locator(".table[data-mine=true]")).or_(ended).first.wait_for()
        if curtain.is_visible():
            curtain.click()
        else:
            player.turn()


def test_installed_in_another_language(site: str, open_page: OpenPage) -> None:
    """Once chosen, a language is there without a network, on pages that were never seen in it."""
    page = open_page(**PHONE, service_workers="allow")
    page.goto(site)
    page.wait_for_function("() => navigator.serviceWorker.controller")
    manifest = page.context.new_cdp_session(page).send("Page.getAppManifest")
    assert manifest["errors"] == []
    told = json.loads(manifest["data"])
    assert told["display"] == "standalone"
    assert {"192x192", "512x512"} <= {icon["sizes"] for icon in told["icons"]}
    home = site.rstrip("/")
    assert all(
        page.request.get(home + "/" + icon["src"].lstrip("./").rpartition("/")[2]).ok
        for icon in told["icons"]
    )
    choose_language(page, "fi")
    page.wait_for_function(KEPT, arg="/words-fi-")
    page.wait_for_function(
        "() => navigator.serviceWorker.controller?.scriptURL.endsWith('language=fi')"
    )
    page.context.set_offline(True)
    page.reload()
    expect(page.locator("button.play")).to_have_text(texts("fi")["home.play"])
    for address, text in (("rules", "rules.title"), ("learn", "title.learn")):
        page.goto(f"{site}#/{address}")
        expect(page).to_have_title(re.compile(texts("fi")[text].partition(" –")[0]))
    page.goto(f"{site}#/")
    page.locator("button.play").tap()
    page.locator(".table[data-mine=true]").wait_for()
    expect(page.locator(".tray .status")).not_to_be_empty()


KEPT = """async (part) => {
  const names = await caches.keys();
  const kept = await Promise.all(
    names.map(async (name) => (await (await caches.open(name)).keys()).map((one) => one.url)),
  );
  const found = kept.flat().filter((url) => url.includes(part));
  return found.length >= 8;
}"""
"""Whether the texts of a language are kept, and not only those of the first page."""


def newer_version(folder: Path) -> None:
    """Replace the files of a site by those of a newer version: none has the name it had."""
    names = {path.name for path in (folder / "assets").iterdir()}
    renamed = {name: re.sub(r"-[\w-]{8}\.", "-newer123.", name) for name in names}
    renamed = {
        name: new if list(renamed.values()).count(new) == 1 else name
        for name, new in renamed.items()
    }
    assert sum(name != new for name, new in renamed.items()) > 20
    for path in [*folder.glob("*.*"), *(folder / "assets").iterdir()]:
        if path.suffix in {".html", ".js", ".css"}:
            text = path.read_text("utf-8")
            for name, new in renamed.items():
                text = text.replace(name, new)
            path.write_text(text.replace('const VERSION = "', 'const VERSION = "newer-'), "utf-8")
    for name, new in renamed.items():
        (folder / "assets" / name).rename(folder / "assets" / new)


def test_an_update_in_the_middle_breaks_nothing(
    site_folder: Path, open_page: OpenPage, tmp_path: Path
) -> None:
    shutil.copytree(site_folder, tmp_path / "site")
    with hosted(tmp_path / "site") as address:
        page = open_page(**PHONE, service_workers="allow")
        offline(page, address)
        player = Player(page, "touch")
        player.start(address)
        for _ in range(2):
            player.turn()
        newer_version(tmp_path / "site")
        page.context.set_offline(False)
        page.evaluate("navigator.serviceWorker.getRegistration().then((one) => one.update())")
        notice = page.get_by_text("There is a newer version of this page.")
        notice.wait_for()
        player.turn()
        laid = player.tiles_on_board
        # Parts that were not loaded yet are those of the page, which are gone from the host.
        page.get_by_role("button", name="Menu").tap()
        page.get_by_role("link", name="Rules of this table").tap()
        page.locator(".table").wait_for(state="detached")  # else one goes back to before the table
        page.get_by_role("heading", level=1).wait_for()
        page.go_back()
        page.locator(".table").wait_for()
        player.turn()
        page.get_by_role("button", name="Load").tap()
        page.locator(".table").wait_for()
        expect(notice).to_have_count(0)
        page.wait_for_function(SOMETHING_TO_DO)
        assert player.tiles_on_board >= laid
        assert page.locator("script[src*=newer123]").count()
        page.context.set_offline(True)
        page.reload()
        player.turn()


def test_a_killed_browser_loses_nothing(site: str, browser: Browser, tmp_path: Path) -> None:
    path, folder = find_chromium(), str(tmp_path / "profile")
    kind = browser.browser_type
    context = kind.launch_persistent_context(folder, executable_path=path, args=ARGUMENTS)
    page = context.new_page()
    offline(page, site)
    player = Player(page)
    player.start(site)
    for _ in range(3):
        player.turn()
    page.wait_for_function(SOMETHING_TO_DO)
    laid, address = player.tiles_on_board, page.url
    # No process of it gets to say goodbye.
    for process in processes_of(folder):
        os.kill(process, signal.SIGKILL)
    context = kind.launch_persistent_context(folder, executable_path=path, args=ARGUMENTS)
    page = context.new_page()
    page.goto(address)
    page.locator(".table").wait_for()
    page.wait_for_function(SOMETHING_TO_DO)
    assert Player(page).tiles_on_board >= laid
    context.close()


def test_chromium_answers_as_the_native_kernel_does(site: str, open_page: OpenPage) -> None:
    record, seed = Recorder(), 0
    searches = 0
    while searches < count(100):
        dice = Rng.named("chromium", seed)
        rules = rules_for(seed, dice)
        players = next(iter(rules.racks))
        pair = Pair(rules, players, Seeds.named(players, "chromium", seed), record)
        think(pair, dice)
        searches += pair.done.searches
        seed += 1
    page = open_page()
    page.goto(site)
    bytes_ = base64.b64encode((wasm.FOLDER / "kernel.wasm").read_bytes()).decode()
    asked = [[what, numbers] for what, numbers, _ in record.calls]
    answers = page.evaluate(ANSWER, {"kernel": bytes_, "calls": asked})
    assert answers == [answer for _, _, answer in record.calls]


ANSWER = """async ({ kernel, calls }) => {
  const bytes = Uint8Array.from(atob(kernel), (char) => char.charCodeAt(0));
  const clock_time_get = () => 0;
  const { instance } = await WebAssembly.instantiate(bytes, {
    wasi_snapshot_preview1: { clock_time_get },
  });
  const raw = instance.exports;
  raw._initialize();
  return calls.map(([what, numbers]) => {
    const at = raw.prepare(numbers.length);
    new Int32Array(raw.memory.buffer, at, numbers.length).set(numbers);
    const size = raw.call(what);
    return [...new Int32Array(raw.memory.buffer, raw.answer(), size)];
  });
}"""
