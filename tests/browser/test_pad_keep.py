"""What is written on a pad stays: a tab that goes at once, two windows, files from elsewhere."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser.pad_writer import NAMES, PHONE, PadWriter, begin_sheet, sample_turn
from triomino import pad
from triomino.tile import Tile

if TYPE_CHECKING:
    from tests.browser.conftest import OpenPage
    from tests.server.process import ServerProcess

NEVER = "() => { IDBObjectStore.prototype.get = () => ({}); }"
"""From now on the database of this page does not answer."""

BUSY = """() => new Promise(done => {
  const request = indexedDB.open('triomino-pads');
  request.onsuccess = () => {
    const database = request.result;
    const store = database.transaction('pads', 'readwrite').objectStore('pads');
    window.busy = true;
    const go = () => {
      done();
      if (window.busy) store.count().onsuccess = go;
      else database.close();
    };
    store.count().onsuccess = go;
  };
})"""
"""Nobody can write to the database until it is let go."""


def test_a_tab_that_is_closed_with_the_tap_loses_nothing(
    server: ServerProcess, open_page: OpenPage
) -> None:
    page = open_page(**PHONE)
    writer = begin_sheet(page, server.url)
    # The tab goes before the database has written anything.
    page.evaluate(NEVER)
    totals = writer.write(sample_turn(1), NAMES)
    writer.key(".digits", "4").tap()
    context, where = page.context, page.url
    page.close()
    page = context.new_page()
    page.goto(where)
    writer = PadWriter(page)
    writer.see_totals(totals)
    expect(page.locator(".dots")).to_have_text("4 · ·")
    # It is there once, and what follows is written below it.
    for _ in range(2):
        writer.key(".digits", "5").tap()
    page.locator(".enter").tap()
    totals[0] += 14
    writer.see_totals(totals)
    writer.settle()
    assert len(writer.log()) == 4
    assert page.evaluate("() => Object.keys(localStorage).filter(k => k.includes('pad'))") == []
    page.reload()
    writer.see_totals(totals)
    assert len(writer.log()) == 4


WRITTEN_MEANWHILE = """note => {
  const get = IDBObjectStore.prototype.get;
  IDBObjectStore.prototype.get = function (...key) {
    if (note) localStorage.setItem(...note);
    note = null;
    return get.apply(this, key);
  };
}"""
"""At the first look into the database, another window writes its note in the journal."""

NOTES = "() => Object.entries(localStorage).filter(([key]) => key.startsWith('triomino-pad '))"


def test_a_line_written_while_another_window_opens_is_not_lost(
    server: ServerProcess, open_page: OpenPage
) -> None:
    page = open_page(**PHONE)
    writer = begin_sheet(page, server.url)
    page.evaluate(NEVER)
    writer.key(".digits", "4").tap()
    ((key, before),) = page.evaluate(NOTES)
    writer.key(".digits", "5").tap()
    writer.key(".digits", "5").tap()
    page.locator(".enter").tap()
    writer.see_totals([5, 14])
    ((_, after),) = page.evaluate(NOTES)
    # The other window opens between the first tap and the last, and this one is closed.
    context, where = page.context, page.url
    page.evaluate("note => localStorage.setItem(...note)", [key, before])
    page.close()
    page = context.new_page()
    page.add_init_script(f"({WRITTEN_MEANWHILE})({json.dumps([key, after])})")
    page.goto(where)
    expect(page.locator(".dots")).to_have_text("4 · ·")
    page.close()
    page = context.new_page()
    page.goto(where)
    PadWriter(page).see_totals([5, 14])


def test_a_tab_that_goes_elsewhere_with_the_tap_loses_nothing(
    server: ServerProcess, open_page: OpenPage
) -> None:
    page = open_page(**PHONE)
    writer = begin_sheet(page, server.url)
    totals = writer.write(sample_turn(1), NAMES)
    page.context.new_cdp_session(page).send("Page.navigate", {"url": "about:blank"})
    other = page.context.new_page()
    other.goto(f"{server.url}/pad")
    other.get_by_role("link", name="Continue").tap()
    PadWriter(other).see_totals(totals)


def test_two_windows_see_one_sheet(server: ServerProcess, open_page: OpenPage) -> None:
    page = open_page(**PHONE)
    one = begin_sheet(page, server.url)
    other_page = page.context.new_page()
    other_page.goto(page.url)
    other = PadWriter(other_page)
    for number in range(1, 6):
        writer, reader = (one, other) if number % 2 else (other, one)
        totals = writer.write(sample_turn(number), NAMES)
        reader.see_totals(totals)
    one.key(".digits", "3").tap()
    expect(other_page.locator(".dots")).to_have_text("3 · ·")
    assert len(one.log()) == 7


def test_two_windows_that_write_at_once_lose_and_double_nothing(
    server: ServerProcess, open_page: OpenPage
) -> None:
    page = open_page(**PHONE)
    one = begin_sheet(page, server.url)
    other_page = page.context.new_page()
    other_page.goto(page.url)
    other = PadWriter(other_page)
    other.see_totals(one.totals)
    # Neither has seen the other's line when it writes its own: one of them stands below.
    page.evaluate(BUSY)
    assert one.write(pad.Turn(1, Tile(1, 1, 2)), NAMES) == [5, 4]
    assert other.write(pad.Turn(1, Tile(2, 2, 2)), NAMES) == [5, 6]
    page.evaluate("() => { window.busy = false; }")
    for writer in (one, other):
        writer.settle()
        writer.see_totals([5, 4 + 6])
    tiles = [act["tile"] for act in one.log() if act["do"] == "turn"]
    assert sorted(tiles) == ["0-0-5", "1-1-2", "2-2-2"]
    assert one.log() == other.log()


def test_files_from_another_device(server: ServerProcess, open_page: OpenPage) -> None:
    page = open_page(**PHONE, accept_downloads=True)
    writer = begin_sheet(page, server.url)
    totals = writer.write(pad.Turn(1, Tile(1, 3, 4), draws=2), NAMES)
    page.get_by_role("button", name="More").tap()
    files = {}
    for kind in ("CSV", "JSON"):
        with page.expect_download() as saved:
            page.get_by_role("button", name=f"Save as {kind}").tap()
        files[kind] = saved.value.path().read_text("utf-8")
    # Each by itself on a device that has nothing yet.
    for kind, text in files.items():
        other = open_page(**PHONE)
        other.goto(f"{server.url}/pad")
        chosen = other.get_by_label("Open files")
        file = {"name": f"m.{kind.lower()}", "mimeType": "", "buffer": text.encode()}
        chosen.set_input_files(file)  # type: ignore[arg-type]
        expect(other.get_by_text("One sheet was added.")).to_be_visible()
        chosen.set_input_files([])
        chosen.set_input_files(file)  # type: ignore[arg-type]
        expect(other.get_by_text("No new sheets.")).to_be_visible()
        chosen.set_input_files({"name": "diary.txt", "mimeType": "", "buffer": b"Dear diary"})
        expect(other.get_by_text("diary.txt is not a readable score sheet.")).to_be_visible()
        other.get_by_role("link", name="Continue").tap()
        PadWriter(other).see_totals(totals)
    assert json.loads(files["JSON"])["format"] == "triomino-pad/2"
