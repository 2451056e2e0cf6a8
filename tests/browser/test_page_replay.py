"""Replays of matches that this server never saw, and the check of their deal."""

from __future__ import annotations

import copy
import json
import re
from base64 import b64encode
from pathlib import Path
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser.inspection import axe_violations
from tests.browser.pages import choose_in_menu, open_file, record, show_open, show_replay
from tests.browser.player import TIMEOUT, see_text
from tests.effort import long_only
from triomino.record import read_record
from triomino.tile import Tile

if TYPE_CHECKING:
    from tests.browser.conftest import OpenPage
    from tests.server.process import ServerProcess

DESK = {"width": 1280, "height": 800}


def test_a_record_from_a_file(server: ServerProcess, open_page: OpenPage) -> None:
    page = open_page(viewport=DESK)
    show_replay(page, server.url)
    match = record()
    moments = sum(len(one["turns"]) + 1 for one in match["rounds"])
    view = page.locator("[data-step]")
    expect(view).to_have_attribute("data-steps", str(moments))
    expect(view).to_have_attribute("data-step", str(moments - 1))
    sums = page.locator(".sheet tfoot td")
    for seat, score in enumerate(match["result"]["scores"]):
        expect(sums.nth(seat)).to_have_text(str(score))
    # By keys, by buttons and by the slider; the score sheet keeps step.
    page.keyboard.press("Home")
    expect(page.locator("[data-place]")).to_have_count(0)
    expect(sums.first).to_have_text("0")
    page.keyboard.press("ArrowRight")
    page.get_by_role("button", name="One step forward").click()
    expect(view).to_have_attribute("data-step", "2")
    page.get_by_role("button", name="One round forward").click()
    first = len(match["rounds"][0]["turns"])
    expect(view).to_have_attribute("data-step", str(first + 1))
    page.keyboard.press("ArrowLeft")
    scores = match["rounds"][0]["scores"]
    for seat, score in enumerate(scores):
        expect(sums.nth(seat)).to_have_text(str(score).replace("-", "−"))
    page.get_by_role("slider").fill(str(moments - 1))
    expect(view).to_have_attribute("data-step", str(moments - 1))
    # What is downloaded is the record: the program reads it and finds nothing wrong.
    with page.expect_download() as download:
        choose_in_menu(page, "Download the record")
    text = Path(download.value.path()).read_text("utf-8")
    assert json.loads(text) == match
    read_record(text)
    with page.expect_download() as download:
        page.get_by_role("button", name="Save a picture").click()
    assert Path(download.value.path()).read_bytes().startswith(b"\x89PNG")
    # Nothing of it is on the server: the link to share carries all of it.
    expect(page.get_by_role("button", name="Share")).to_be_visible()


FRAMES = """async (encoded) => {
  const data = Uint8Array.from(atob(encoded), (one) => one.charCodeAt(0));
  const decoder = new ImageDecoder({ data, type: "image/gif" });
  await decoder.tracks.ready;
  const { frameCount } = decoder.tracks.selectedTrack;
  const last = (await decoder.decode({ frameIndex: frameCount - 1 })).image;
  return [frameCount, last.displayWidth, last.displayHeight, last.duration];
}"""
"""The number of frames of a GIF, and the size and duration in microseconds of the last one."""


@long_only
def test_racks_and_a_round_as_an_animation(server: ServerProcess, open_page: OpenPage) -> None:
    page = open_page(viewport={"width": 390, "height": 800})
    show_replay(page, server.url)
    page.keyboard.press("Home")
    first = record()["rounds"][0]
    racks = [list(rack) for rack in first["racks"]]

    def compare() -> None:
        for seat, rack in enumerate(racks):
            shown = page.locator(f"[data-rack='{seat}'] [data-tile]")
            expect(shown).to_have_count(len(rack))
            tiles = shown.evaluate_all("tiles => tiles.map((one) => one.dataset.tile)")
            assert sorted(tiles) == sorted(rack)

    compare()
    kinds = set()
    for turn in first["turns"][:24]:
        page.keyboard.press("ArrowRight")
        rack = racks[turn["seat"]]
        if "=" in turn["move"]:
            rack.remove(str(Tile.parse(turn["move"].split("=")[1])))
        elif "tile" in turn:
            rack.append(turn["tile"])
        kinds.add(turn["move"][:4] == "draw")
        compare()
    assert kinds == {True, False}
    # They fold away, and the board has the room; the scores stay.
    board = page.locator("main.felt")
    small = board.bounding_box()
    page.get_by_text("Everyone’s tiles").click()
    expect(page.locator("[data-rack]").first).to_be_hidden()
    large = board.bounding_box()
    assert small is not None
    assert large is not None
    assert large["height"] > small["height"] + 20

    choose_in_menu(page, "The round as an animation")
    picture = page.locator("dialog img")
    picture.wait_for(timeout=4 * TIMEOUT)
    picture.evaluate("image => image.decode()")
    assert axe_violations(page, within="dialog") == []
    with page.expect_download() as download:
        page.get_by_role("button", name="Save a picture").click()
    assert download.value.suggested_filename == "m-1.gif"
    data = Path(download.value.path()).read_bytes()
    assert len(data) < 800_000
    laid = sum("=" in turn["move"] for turn in first["turns"])
    assert page.evaluate(FRAMES, b64encode(data).decode()) == [laid, 600, 750, 4_000_000]


def test_the_deal_is_dealt_again_here(server: ServerProcess, open_page: OpenPage) -> None:
    page = open_page(viewport=DESK)
    show_replay(page, server.url)
    choose_in_menu(page, "Fair deal")
    # A record of fair/1 is not proof of more than it is.
    see_text(page, "It does not show that nobody rigged the deal")
    expect(page.locator("dialog li", has_text="Correct.")).to_have_count(4)
    # What this device was not there for it cannot know.
    expect(page.locator("dialog li", has_text="Cannot be checked here")).to_have_count(2)
    bent = copy.deepcopy(record())
    pool = bent["rounds"][1]["pool"]
    pool[0], pool[1] = pool[1], pool[0]
    show_open(page, server.url)
    open_file(page, json.dumps(bent))
    choose_in_menu(page, "Fair deal")
    see_text(page, "The check failed")
    expect(page.locator("dialog li", has_text="Wrong!").first).to_contain_text("tile for tile")


def test_files_that_are_none(server: ServerProcess, open_page: OpenPage) -> None:
    page = open_page(viewport=DESK)
    show_open(page, server.url)
    for text, said in {
        "": "contains no JSON",
        "Dear diary": "contains no JSON",
        '{"format": "triomino-position/1"}': "contains no match in the triomino-record/2 format",
        '{"format": "triomino-record/2", "rounds": 7}': "contains no match",
    }.items():
        open_file(page, text, "diary.txt")
        expect(page.get_by_role("alert")).to_have_text(re.compile(f"diary.txt.*{said}"))
    # Many matches, one in every line: one chooses.
    open_file(page, f"{json.dumps(record())}\n{json.dumps(record())}\n", "many.jsonl")
    page.get_by_label("2 matches in this file").select_option(index=1)
    expect(page.locator("[data-place]").first).to_be_visible()
