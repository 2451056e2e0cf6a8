"""What the page before kept on a device: its pads go on here, and its settings mean the same."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.browser.pad_writer import PHONE, PadWriter
from triomino.pad import pad_from_json, read_pad
from triomino.rules import VoluntaryDraw

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.browser.conftest import OpenPage
    from tests.server.process import ServerProcess

OLD: dict[str, Any] = json.loads(
    (Path(__file__).parents[1] / "old" / "browser-pads.json").read_text("utf-8")
)

PUT = """device => new Promise((done, fail) => {
  for (const [key, value] of Object.entries(device.localStorage)) localStorage.setItem(key, value);
  const {name, version, stores, keyPath, rows} = device.indexedDB;
  const request = indexedDB.open(name, version);
  request.onerror = () => fail(request.error);
  request.onupgradeneeded = () => request.result.createObjectStore(stores[0], {keyPath});
  request.onsuccess = () => {
    const change = request.result.transaction(stores, 'readwrite');
    for (const row of rows) change.objectStore(stores[0]).put(row);
    change.oncomplete = () => { request.result.close(); done(); };
  };
})"""

ROWS = """() => new Promise((done, fail) => {
  const request = indexedDB.open('triomino-pads');
  request.onerror = () => fail(request.error);
  request.onsuccess = () => {
    const all = request.result.transaction('pads').objectStore('pads').getAll();
    all.onsuccess = () => {
      const {version} = request.result;
      request.result.close();
      done([version, all.result]);
    };
  };
})"""


def on_device(page: Page, url: str, device: dict[str, Any]) -> None:
    """A device on which somebody used the page before."""
    page.goto(f"{url}/settings")
    page.evaluate(PUT, device)


@pytest.mark.parametrize("when", ["settled", "left behind"])
def test_old_pads_open_and_go_on(server: ServerProcess, open_page: OpenPage, when: str) -> None:
    device = OLD if when == "settled" else OLD["left_behind"]
    page = open_page(**PHONE)
    on_device(page, server.url, device)
    for pad_id, expected in device["expected"].items():
        page.goto(f"{server.url}/pad/{pad_id}")
        writer = PadWriter(page)
        writer.see_totals(expected["totals"])
        assert writer.lines == expected["lines"]
        assert (
            page.locator(".strip .turn .name").text_content() == expected["names"][expected["next"]]
        )
    version, rows = page.evaluate(ROWS)
    assert version == 2
    for row in rows:
        # What is stored is version 2, with the rules that the pad began with.
        kept = pad_from_json({"format": "triomino-pad/2", "log": row["log"]})
        expected = device["expected"][row["id"]]
        assert list(kept.ledger.totals) == expected["totals"]
        if kept.ledger.rules.edition == "classic":
            assert kept.ledger.rules.voluntary_draw is VoluntaryDraw.ALWAYS
            assert not kept.ledger.rules.must_place_after_last_draw
    left = page.evaluate(
        "() => Object.keys(localStorage).filter(k => k.startsWith('triomino-pad '))"
    )
    assert left == []


def test_an_old_pad_is_written_on_and_saved_as_version_2(
    server: ServerProcess, open_page: OpenPage
) -> None:
    page = open_page(**PHONE)
    on_device(page, server.url, OLD)
    pad_id, expected = next(iter(OLD["expected"].items()))
    page.goto(f"{server.url}/pad/{pad_id}")
    writer = PadWriter(page)
    writer.see_totals(expected["totals"])
    # Half a tile was typed on the page before.
    typed = OLD["indexedDB"]["rows"][0]["draft"]["digits"]
    assert 0 < len(typed) < 3
    for _ in range(3 - len(typed)):
        writer.key(".digits", "0").tap()
    page.locator(".enter").tap()
    expect(page.locator(".pad")).to_have_attribute("data-lines", str(expected["lines"] + 1))
    writer.settle()
    page.get_by_role("button", name="More").tap()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save as JSON").tap()
    text = saved.value.path().read_text("utf-8")
    assert json.loads(text)["format"] == "triomino-pad/2"
    totals = list(expected["totals"])
    totals[expected["next"]] += sum(typed)
    assert list(read_pad(text).ledger.totals) == totals


def test_old_settings_name_the_same_level(server: ServerProcess, open_page: OpenPage) -> None:
    page = open_page(**PHONE)
    on_device(page, server.url, OLD)
    kept = json.loads(OLD["localStorage"]["triomino"]) | {"level": "expert"}
    page.evaluate("kept => localStorage.setItem('triomino', kept)", json.dumps(kept))
    for _ in range(2):
        page.goto(f"{server.url}/settings")
        # Whatever is changed here writes all of it down.
        page.get_by_role("checkbox").first.click()
        now = json.loads(page.evaluate("() => localStorage.getItem('triomino')"))
        assert (now["version"], now["level"]) == (3, "hard")
