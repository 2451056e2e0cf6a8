"""A club evening on the page: the host and a guest, on screens and with real tiles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser.inspection import DESK
from tests.browser.pad_writer import PHONE, PadWriter, sample_turn
from tests.browser.pages import lead, make_evening, running_evening
from tests.browser.player import TIMEOUT

if TYPE_CHECKING:
    from tests.browser.conftest import OpenPage
    from tests.server.process import ServerProcess


def test_an_evening_of_two(server: ServerProcess, open_page: OpenPage) -> None:
    host = open_page(viewport=DESK)
    host.goto(f"{server.url}/club")
    host.get_by_label("Name of the evening").fill("Friday")
    host.get_by_role("button", name="Open the evening").click()
    host.get_by_label("Your name").fill("Ann")
    host.get_by_role("button", name="Join", exact=True).click()
    expect(host.get_by_text("You are on the list")).to_be_visible(timeout=TIMEOUT)
    guest = open_page(**PHONE)
    guest.goto(host.url)
    guest.get_by_label("Your name").fill("Ben")
    guest.get_by_role("button", name="Join", exact=True).tap()
    expect(host.get_by_role("heading", name="2 players")).to_be_visible(timeout=TIMEOUT)

    # Both are led to their table, where either may start.
    host.get_by_role("button", name="Start round 1").click()
    go = guest.get_by_role("link", name="Go to the table")
    expect(go).to_be_visible(timeout=TIMEOUT)
    go.tap()
    expect(guest.get_by_role("button", name="Start")).to_be_visible(timeout=TIMEOUT)
    guest.go_back()
    host.get_by_role("button", name="Enter result").click()
    for name, total in (("Ann", 31), ("Ben", 44)):
        host.locator("form label", has_text=name).locator("input").fill(str(total))
    host.get_by_role("button", name="Save").click()
    first = guest.locator("tbody tr").first
    expect(first).to_contain_text("Ben", timeout=TIMEOUT)
    expect(first.locator("td").nth(1)).to_have_text("12")
    expect(host.get_by_role("button", name="Start round 2")).to_be_visible()


def test_the_sheet_to_print_has_no_empty_page(server: ServerProcess, open_page: OpenPage) -> None:
    page = open_page(viewport=DESK)
    link = running_evening(page, server.url)
    page.goto(server.url + link)
    expect(page.get_by_role("heading", name="Standings")).to_be_visible()
    sheet = page.pdf(format="A4")
    assert sheet.count(b"/Type /Page\n") == 1


def test_the_code_of_a_table_opens_its_score_pad(
    server: ServerProcess, open_page: OpenPage
) -> None:
    host = open_page(viewport=DESK)
    club, secret = make_evening(host, server.url, "Ben", tiles="real")
    [one] = lead(host, server.url, club, secret, type="next_round", number=1)["rounds"]
    [table] = one["tables"]
    players = ["Ann", "Ben"]
    names = [players[player] for player in table["players"]]
    phone = open_page(**PHONE)
    phone.goto(server.url + table["path"])
    writer = PadWriter(phone)
    writer.round_over = True  # nobody has laid a tile yet
    expect(phone.locator(".strip .name")).to_have_text(names, timeout=TIMEOUT)
    totals = writer.write(sample_turn(0), names)
    host.goto(f"{server.url}/sheet/{table['id']}")
    expect(host.locator(".strip .total")).to_have_text(list(map(str, totals)), timeout=TIMEOUT)
    # Another phone that scans the code goes on where the first one is.
    other = open_page(**PHONE)
    other.goto(server.url + table["path"])
    expect(other.locator(".strip .total")).to_have_text(list(map(str, totals)), timeout=TIMEOUT)
