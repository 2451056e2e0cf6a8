"""Plain http, no line, a newer version, a page that was installed."""

from __future__ import annotations

import re
import struct
from typing import TYPE_CHECKING

import httpx
import pytest
from playwright.sync_api import expect

from tests.browser.deals import PAGE_SEED, SHORT_ROUND
from tests.browser.pages import show_home, show_table
from tests.browser.player import TIMEOUT, Player, remember, see_text
from tests.effort import long_only

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

    from tests.browser.conftest import OpenPage
    from tests.browser.seeded_server import SeededServer

PHONE = {"width": 390, "height": 780}
DESK = {"width": 1280, "height": 800}


@long_only
def test_a_phone_on_plain_http_plays_a_whole_game(
    server: SeededServer, open_page: OpenPage
) -> None:
    """A name of the network is no safe origin: no clipboard, no worker, no crypto.subtle."""
    address = f"http://table.test:{server.port}"
    page = open_page(viewport=PHONE, has_touch=True, is_mobile=True)
    me = Player(page, "touch")
    page.goto(address)
    assert page.evaluate("() => [isSecureContext, typeof crypto.subtle]") == [False, "undefined"]
    # What https would add is said where one looks for it, not on the first page.
    page.get_by_role("button", name="Play", exact=True).wait_for()
    expect(page.get_by_text("This connection is plain http")).to_have_count(0)
    page.get_by_role("button", name="More").tap()
    page.get_by_role("link", name="Settings").tap()
    see_text(page, "This connection is plain http")

    server.deal_next(SHORT_ROUND, PAGE_SEED)
    me.start(address)
    me.play()
    table = page.url
    page.goto(f"{table}/replay")
    page.get_by_role("button", name="Menu").tap()
    page.get_by_role("button", name="Share").tap()
    expect(page.get_by_role("textbox")).to_have_value(f"{table}/replay")
    page.get_by_role("button", name="Copy").tap()
    see_text(page, "Copied")
    page.goto(f"{table}/replay#at=3")
    expect(page.locator("[data-step]")).to_have_attribute("data-step", "3")


def test_without_a_line_the_page_says_so_and_comes_back(
    server: SeededServer, open_page: OpenPage
) -> None:
    page = open_page(viewport=DESK)
    remember(page, where="server")
    show_home(page, server.url)
    page.context.set_offline(offline=True)
    see_text(page, "No connection to the server")
    page.get_by_role("button", name="Play", exact=True).click()
    see_text(page, "The server cannot be reached")
    page.context.set_offline(offline=False)
    expect(page.get_by_text("No connection to the server")).to_have_count(0, timeout=TIMEOUT)
    Player(page).start(server.url)


def test_without_a_line_the_page_asks_less_and_less_often(
    server: SeededServer, open_page: OpenPage
) -> None:
    page = open_page(viewport=DESK)
    page.clock.install()
    show_home(page, server.url)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))
    page.context.set_offline(offline=True)
    see_text(page, "No connection to the server")
    for _ in range(40):
        page.clock.run_for(30_000)
    # Twenty minutes: about once a minute after the first few times, and not for ever alike.
    assert 3 <= asked.count("health") <= 30
    # Nobody sees the page.
    page.evaluate("""() => Object.defineProperty(
      document, "visibilityState", { configurable: true, get: () => "hidden" })""")
    page.clock.run_for(61_000)
    before = asked.count("health")
    page.clock.run_for(600_000)
    assert asked.count("health") == before


def test_an_installed_page_opens_without_a_line(server: SeededServer, open_page: OpenPage) -> None:
    page = open_page(viewport=DESK, service_workers="allow")
    show_home(page, server.url)
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    page.context.set_offline(offline=True)
    for path in ("/", "/new", "/settings"):
        page.goto(server.url + path)
        page.get_by_role("heading", level=1).wait_for()
    see_text(page, "No connection to the server")
    page.context.set_offline(offline=False)
    expect(page.get_by_text("No connection to the server")).to_have_count(0, timeout=TIMEOUT)


def test_a_known_device_does_not_wait_to_be_introduced(
    server: SeededServer, open_page: OpenPage
) -> None:
    page = open_page(viewport=DESK)
    asked: list[str] = []
    page.route("**/api/devices", lambda route: asked.append(route.request.url))
    # The table is there while the server has not answered yet.
    show_table(page, server.url)
    assert asked


def show_newer(page: Page) -> None:
    """Let the server have a newer page, for one who asks without going there."""

    def answer(route: Route) -> None:
        if route.request.is_navigation_request():
            route.continue_()
            return
        found = route.fetch()
        route.fulfill(
            response=found, body=re.sub(r"index-[\w-]+\.js", "index-new.js", found.text())
        )

    page.route(re.compile(r"://[^/]+/$"), answer)
    # The line comes back, and with it the question.
    page.context.set_offline(offline=True)
    page.context.set_offline(offline=False)


def test_a_newer_page_is_loaded_but_never_in_the_middle(
    server: SeededServer, open_page: OpenPage
) -> None:
    page = open_page(viewport=DESK)
    page.clock.install()
    show_table(page, server.url)
    tiles = page.locator(".rack .tile").count()
    page.evaluate("() => { window.same = true; }")
    page.mouse.move(600, 300)
    page.mouse.down()
    show_newer(page)
    see_text(page, "There is a newer version")
    page.clock.run_for(6000)
    assert page.evaluate("() => window.same"), "it was loaded in the middle of a drag"
    page.mouse.up()
    page.clock.fast_forward(6000)
    page.wait_for_function("() => !window.same")
    expect(page.locator(".rack .tile")).to_have_count(tiles)
    # It is loaded once: if it comes back the same, there is no circle.
    page.evaluate("() => { window.same = true; }")
    show_newer(page)
    see_text(page, "There is a newer version")
    page.clock.run_for(6000)
    assert page.evaluate("() => window.same")


def test_what_is_half_filled_in_stays_until_one_goes(
    server: SeededServer, open_page: OpenPage
) -> None:
    page = open_page(viewport=DESK)
    page.clock.install()
    page.goto(f"{server.url}/new")
    page.get_by_label("Name at seat 1").fill("Ann")
    page.get_by_label("Name at seat 1").blur()
    page.evaluate("() => { window.same = true; }")
    show_newer(page)
    see_text(page, "There is a newer version")
    page.clock.run_for(6000)
    assert page.evaluate("() => window.same")
    page.get_by_role("link", name="Settings").click()
    page.wait_for_function("() => !window.same && location.pathname === '/settings'")


def test_the_page_can_be_installed(server: SeededServer) -> None:
    with httpx.Client(base_url=server.url, timeout=TIMEOUT) as client:
        manifest = client.get("/manifest.webmanifest").json()
        assert manifest["display"] == "standalone"
        assert {icon["sizes"] for icon in manifest["icons"]} >= {"any", "192x192", "512x512"}
        assert any("maskable" in icon.get("purpose", "") for icon in manifest["icons"])
        for icon in manifest["icons"]:
            found = client.get(icon["src"])
            assert found.headers["content-type"] == icon["type"]
            if icon["type"] == "image/png":
                assert found.content.startswith(b"\x89PNG")
                wide, high = struct.unpack(">II", found.content[16:24])
                assert f"{wide}x{high}" == icon["sizes"]
        worker = client.get("/sw.js")
        assert worker.headers["cache-control"] == "no-cache"
        for name in re.findall(r'"(/assets/[^"]+)"', worker.text):
            assert client.get(name).is_success, name


@pytest.mark.parametrize("accepted", ["gzip", "identity"])
def test_files_are_sent_packed(server: SeededServer, accepted: str) -> None:
    with httpx.Client(base_url=server.url, headers={"accept-encoding": accepted}) as client:
        html = client.get("/")
        names = re.findall(r'"(/assets/[^"]+\.(?:js|css))"', html.text)
        assert len(names) >= 2
        for name in names:
            with client.stream("GET", name) as answer:
                sent = sum(map(len, answer.iter_raw()))
                packed = answer.headers.get("content-encoding") == "gzip"
                assert packed == (accepted == "gzip")
                assert int(answer.headers["content-length"]) == sent
                assert "immutable" in answer.headers["cache-control"]
            whole = client.get(name).content
            assert (sent < 0.5 * len(whole)) == packed
