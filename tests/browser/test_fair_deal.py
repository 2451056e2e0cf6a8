"""Devices take part in the deal, and each page says exactly what that proves."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from playwright.sync_api import expect

from tests.browser.pages import choose_in_menu
from tests.browser.player import Player, remember, see_text
from tests.browser.test_together import set_up
from tests.effort import long_only
from triomino.claims import Case, Own, Receipt, judge_deals
from triomino.fair2 import device_commitment
from triomino.record import match_from

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page, WebSocket, WebSocketRoute

    from tests.browser.conftest import OpenPage
    from tests.browser.seeded_server import SeededServer

DESK = {"width": 1100, "height": 800}
PHONE = {"width": 390, "height": 780}


def look(page: Page, url: str, table: str) -> dict[str, Any]:
    """What the server tells everybody about the deal of a table."""
    fair: dict[str, Any] = page.request.get(f"{url}/api/tables/{table}").json()["fair"]
    return fair


def table_of(page: Page) -> str:
    """The id of the table that a page shows."""
    return page.url.partition("/t/")[2].partition("/")[0]


def seeds_kept(page: Page, table: str) -> list[str]:
    """The seeds that a page has kept for a table."""
    kept: list[str] = page.evaluate(
        """table => Object.entries(localStorage)
          .filter(([key]) => key.startsWith(`triomino-deal/${table}/`))
          .map(([, text]) => JSON.parse(text).seed)""",
        table,
    )
    return kept


def sit_down(page: Page, address: str, name: str) -> None:
    """Take a free seat at a table, and wait until the server has the commitment."""
    page.goto(address)
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Sit down").click()
    see_text(page, "The game begins when")


def change_messages(
    page: Page,
    *,
    sent: Callable[[dict[str, Any]], bool] = lambda _: True,
    received: Callable[[dict[str, Any]], None] = lambda _: None,
) -> None:
    """Drop messages of a page that *sent* refuses, and let *received* change what it hears."""

    def between(route: WebSocketRoute) -> None:
        server = route.connect_to_server()

        def up(text: str | bytes) -> None:
            if sent(json.loads(text)):
                server.send(text)

        def down(text: str | bytes) -> None:
            message = json.loads(text)
            received(message)
            route.send(json.dumps(message))

        route.on_message(up)
        server.on_message(down)

    page.route_web_socket(re.compile("/ws$"), between)


def show_check(page: Page) -> None:
    """Open the check of the deal from the menu of a table."""
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Fair deal").click()
    page.locator("dialog [data-claim]").wait_for()


def give_up(page: Page) -> None:
    """Give the match up."""
    page.get_by_role("button", name="Menu").click()
    for _ in range(2):
        page.get_by_role("dialog").get_by_role("button", name="Give up").click()
    page.get_by_role("button", name="Rematch").wait_for()


@long_only
def test_who_withholds_is_shown_and_a_reload_loses_nothing(
    server: SeededServer, open_page: OpenPage
) -> None:
    server.deal_fairly()
    ann, bob, cleo = (open_page(viewport=DESK) for _ in range(3))
    # The first page of Bob cannot send its seed; what Cleo hears has a wrong signature.
    bob_is_slow = True
    change_messages(bob, sent=lambda message: message["type"] != "reveal" or not bob_is_slow)

    def forge(message: dict[str, Any]) -> None:
        if message.get("state") == "opening":
            message["fair"]["opening_signature"] = "0" * 128

    change_messages(cleo, received=forge)
    ann.goto(f"{server.url}/new")
    ann.get_by_role("button", name="Add a seat").click()
    for seat in (2, 3):
        ann.get_by_label(f"Seat {seat}", exact=True).select_option(label="Someone by link")
    ann.get_by_label("Name at seat 1").fill("Ann")
    ann.get_by_role("button", name="Set up the table").click()
    ann.wait_for_url("**/t/*")
    table = table_of(ann)
    for page, name in ((bob, "Bob"), (cleo, "Cleo")):
        sit_down(page, ann.url, name)
    before = seeds_kept(bob, table)
    ann.get_by_role("button", name="Start").click()
    see_text(ann, "Shuffling together: 1 of 3 devices")
    see_text(cleo, "This device has kept its random number to itself")
    see_text(cleo, "signature is not valid")
    bob_is_slow = False
    bob.reload()
    for page in (ann, bob, cleo):
        page.locator(".rack .tile").first.wait_for()
    fair = look(ann, server.url, table)
    commitments = [one["commitment"] for one in fair["devices"]]
    assert seeds_kept(bob, table) == before
    assert [one.get("seed") for one in fair["devices"]] == [*seeds_kept(ann, table), *before, None]
    assert commitments[1] == device_commitment(table, fair["commitment"], before[0])
    # Everybody sees who gave nothing; nothing is claimed before the end.
    for page in (ann, cleo):
        show_check(page)
        parts = page.locator("dialog [data-part]")
        expect(parts).to_have_count(3)
        expect(parts.nth(1)).to_contain_text("took part")
        expect(parts.nth(2)).to_contain_text("showed a fingerprint, but then no number")
        see_text(page, "The rest can be checked when the match is over")
    see_text(cleo, "This device has kept its random number to itself")


def test_two_devices_deal_and_a_rematch_deals_afresh(
    server: SeededServer, open_page: OpenPage
) -> None:
    server.deal_fairly()
    ann, bob = open_page(viewport=DESK), open_page(viewport=PHONE)
    set_up(ann, server.url, "Someone by link", ["Ann"])
    table = table_of(ann)
    # A second tab of the same device neither commits nor disturbs.
    twin = bob.context.new_page()
    twin.goto(ann.url)
    sit_down(bob, ann.url, "Bob")
    see_text(twin, "The game begins when")
    assert len(look(ann, server.url, table)["devices"]) == 2
    ann.get_by_role("button", name="Start").click()
    for page in (ann, bob, twin):
        page.locator(".rack .tile").first.wait_for()
    twin.close()
    give_up(bob)

    # The rematch: Bob still looks at the result, and yet takes part, with a fresh seed.
    server.deal_fairly()
    ann.get_by_role("button", name="Rematch").click()
    ann.wait_for_url(re.compile(f"/t/(?!{table})"))
    ann.locator(".rack .tile").first.wait_for()
    again = table_of(ann)
    devices = look(ann, server.url, again)["devices"]
    kept = [*seeds_kept(ann, again), *seeds_kept(bob, again)]
    assert [one["seed"] for one in devices] == kept
    assert not set(kept) & {*seeds_kept(ann, table), *seeds_kept(bob, table)}

    # Both see the whole proof, each for its own device.
    for page in (ann, bob):
        page.goto(f"{server.url}/t/{table}/replay")
        choose_in_menu(page, "Fair deal")
        check = page.locator("dialog [data-claim=all][data-mine=took_part]")
        expect(check).to_contain_text("Your device took part")
        expect(page.locator("dialog li", has_text="Correct.")).to_have_count(11)
        see_text(page, "they could choose between 2 deals")
    with bob.expect_download() as download:
        bob.get_by_role("button", name="Download the proof").click()
    # With the record it is a proof for others.
    receipt = Receipt.read(Path(download.value.path()).read_bytes())
    record = bob.request.get(f"{server.url}/api/tables/{table}/record").json()
    claims = judge_deals(match_from(record), receipt)
    assert (claims.case, claims.own, claims.choices) == (Case.ALL, Own.TOOK_PART, 2)
    assert receipt.signature == record["fair"]["signature"]


@long_only
def test_a_quick_game_and_a_new_key(server: SeededServer, open_page: OpenPage) -> None:
    server.deal_fairly()
    page = open_page(viewport=DESK)
    # Plain http: no crypto.subtle.
    address = f"http://table.test:{server.port}"
    page.goto(address)
    known = json.dumps({"key": "ab" * 32, "isNew": False})
    page.evaluate("known => localStorage.setItem('triomino-server-key', known)", known)
    asked: list[str] = []
    page.on("request", lambda one: asked.append(one.method + one.url.rpartition("/")[2]))
    revealed: list[str] = []

    def listen(socket: WebSocket) -> None:
        socket.on(
            "framesent", lambda text: revealed.extend(re.findall('"type":"reveal"', str(text)))
        )

    page.on("websocket", listen)
    Player(page).start(address)
    page.locator(".rack .tile").first.wait_for()
    # Three requests, and the seed once, over the connection that is there already.
    assert [one[4:] for one in asked if one.startswith("POST")] == ["devices", "tables", "seats"]
    assert len(revealed) == 1
    # It never waited in sight.
    assert [one["seed"] for one in look(page, server.url, table_of(page))["devices"]] == seeds_kept(
        page, table_of(page)
    )
    see_text(page, "signs with a key that this device has not seen before")
    page.get_by_role("alert").get_by_role("button", name="Close").click()
    page.reload()
    page.locator(".rack .tile").first.wait_for()
    expect(page.get_by_role("alert")).to_have_count(0)
    give_up(page)
    page.get_by_role("button", name="Score sheet").click()
    show_check(page)
    expect(page.locator("dialog [data-claim=all][data-mine=took_part]")).to_be_visible()
    # Nobody else took part, so nobody could hold anything back.
    expect(page.get_by_text("One limit remains")).to_have_count(0)


def test_a_quick_game_that_is_not_dealt_shows_what_it_waits_for(
    server: SeededServer, open_page: OpenPage
) -> None:
    page = open_page(viewport=PHONE, expects_refusals=True)
    remember(page, where="server")
    page.goto(server.url)
    refusal = {"code": "too_fast", "detail": "wait a little"}
    page.route("**/seats", lambda route: route.fulfill(status=429, json=refusal))
    page.get_by_role("button", name="Play", exact=True).click()
    page.get_by_role("button", name="Sit down").wait_for()
    # Whoever takes the seat by hand plays.
    page.unroute("**/seats")
    page.get_by_label("Your name").fill("Ann")
    page.get_by_role("button", name="Sit down").click()
    page.get_by_role("button", name="Start").click()
    page.locator(".rack .tile").first.wait_for()
