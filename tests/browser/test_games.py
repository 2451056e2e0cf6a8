"""What was played on a device: its statistics, and a replay that a link carries whole."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser.pages import choose_in_menu, give_up, record, show_games, show_replay
from tests.browser.player import Player

if TYPE_CHECKING:
    from tests.browser.conftest import OpenPage
    from tests.server.process import ServerProcess

DESK = {"width": 1280, "height": 800}


def test_a_replay_is_shared_as_a_link_that_carries_the_record(
    server: ServerProcess, open_page: OpenPage
) -> None:
    # Over plain http, where a page may neither share nor use the clipboard.
    url = server.url.replace("127.0.0.1", "table.test")
    page = open_page(viewport=DESK)
    show_replay(page, url)
    choose_in_menu(page, "Share")
    link = page.locator("dialog input")
    expect(link).to_have_value(re.compile(r"^http.*/replay#record=z[\w-]+$"))
    address = link.input_value()
    assert len(address) < 16_000
    page.locator("dialog").get_by_role("button", name="Copy").click()
    expect(page.locator("dialog").get_by_role("button", name="Copied")).to_be_visible()
    # Somebody else needs nothing but the link.
    other = open_page(viewport=DESK)
    other.goto(address)
    steps = sum(len(one["turns"]) + 1 for one in record()["rounds"])
    expect(other.locator("[data-steps]")).to_have_attribute("data-steps", str(steps))
    expect(other.locator("[data-rack]").first).to_be_visible()
    broken = open_page(viewport=DESK)
    broken.goto(address[:-40])
    expect(broken.locator("h1")).to_have_text(re.compile("This link contains no match"))


def test_statistics_are_those_of_the_records(server: ServerProcess, open_page: OpenPage) -> None:
    page = open_page(viewport=DESK)
    player = Player(page)
    player.start(server.url, target=None, level="beginner", pace="at_once")
    table = page.url.rsplit("/", 1)[1]
    for _ in range(6):
        player.turn()
    give_up(page, table)
    page.goto(f"{server.url}/games")
    memory = page.locator("[data-memory]")
    expect(memory).to_have_attribute("data-memory", "1")
    found = page.request.get(f"{server.url}/api/tables/{table}/record").json()
    # The device has the first seat. Counted once more, from the record alone.
    own = [turn for turn in found["rounds"][0]["turns"] if turn["seat"] == 0]
    points = sum(turn["points"] for turn in own) + found["rounds"][0]["end"]["points"][0]
    assert own
    expected = {
        "matches": 1,
        "won": int(0 in found["result"]["winners"]),
        "average": points,
        "best": max(0, points),
        "bridges": sum(turn.get("bonus") == "bridge" for turn in own),
        "hexagons": sum("hexagon" in turn.get("bonus", "") for turn in own),
        "draws": sum(turn["move"] == "draw" for turn in own),
    }
    shown = {
        name: int(memory.locator(f"[data-stat={name}]").inner_text().replace("−", "-"))
        for name in expected
    }
    assert shown == expected
    expect(memory.locator(".people li")).to_have_count(1)


def test_filters_choose_in_the_list_as_in_the_statistics(
    server: ServerProcess, open_page: OpenPage
) -> None:
    page = open_page(viewport=DESK)
    show_games(page, server.url)
    chosen = page.get_by_role("region", name="Filter")
    memory, links = page.locator("[data-memory]"), page.locator("main li > a")

    def see(tables: int, pads: int, counted: int) -> None:
        expect(links.and_(page.locator("[href^='/t/']"))).to_have_count(tables)
        expect(links.and_(page.locator("[href^='/pad/']"))).to_have_count(pads)
        if counted:
            expect(memory).to_have_attribute("data-memory", str(counted))
        else:
            expect(memory).to_have_count(0)

    see(3, 1, 3)
    for label, value, shown in (
        ("Played with", "Bo", (0, 1, 1)),
        ("Played with", "Greta", (3, 0, 2)),
        ("Which game", "casual", (1, 0, 1)),
        ("When", "7", (3, 0, 2)),
    ):
        chosen.get_by_label(label).select_option(value)
        see(*shown)
        chosen.get_by_label(label).select_option("")
    chosen.get_by_text("Score pad").click()
    see(0, 1, 1)
    # Together they may leave nothing, which is said.
    chosen.get_by_label("When").select_option("7")
    see(0, 0, 0)
    expect(page.get_by_text("No game fits this choice.")).to_be_visible()
    chosen.get_by_label("When").select_option("")
    chosen.get_by_text("All", exact=True).first.click()
    see(3, 1, 3)
