"""Fixtures of the browser tests: a real server, Chromium, and pages with cookies of their own."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING, Any, Protocol

import pytest
from playwright.sync_api import expect, sync_playwright

from tests.browser.player import TIMEOUT
from tests.browser.seeded_server import SeededServer
from tests.browser.site_host import hosted, kept_site
from triomino.server.built_page import page_folder

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    # A name that is no secure place, as a table in a home network is.
    "--host-resolver-rules=MAP table.test 127.0.0.1",
]


REVEAL_SECONDS = 3
"""How long a deal waits for a device that reveals nothing."""


class OpenPage(Protocol):
    """Opens a page in a context of its own, with its own cookies.

    A test fails when its pages log errors; with *expects_refusals* a refused request is none.
    """

    def __call__(self, *, expects_refusals: bool = False, **options: Any) -> Page: ...


def find_chromium() -> str | None:
    """Return the path of a Chromium or Chrome, if there is one."""
    named = os.environ.get("CHROMIUM")
    names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome")
    return named or next(filter(None, map(shutil.which, names)), None)


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """One browser for all tests here. It is closed before any others run in this process:

    while it is open an event loop is running, and no other can.
    """
    path = find_chromium()
    if path is None:
        pytest.fail(
            "no Chromium: apt-get install chromium-headless-shell, or say where: CHROMIUM=/path"
        )
    if page_folder() is None:
        pytest.fail("the page is not built: make web")
    expect.set_options(timeout=TIMEOUT)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def server_process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SeededServer]:
    """One server for all tests here."""
    folder = tmp_path_factory.mktemp("server")
    settings = {"reveal_seconds": REVEAL_SECONDS, "allowed_hosts": "table.test"}
    with SeededServer(folder, **settings) as running:
        yield running


@pytest.fixture
def server(server_process: SeededServer) -> SeededServer:
    """The server; each table is new, and dealt from the usual seed unless the test chooses one."""
    server_process.deal_usual()
    return server_process


@pytest.fixture(scope="session")
def site_folder() -> Path:
    """The files of the static site: to be read only."""
    return kept_site()


@pytest.fixture(scope="session")
def site(site_folder: Path) -> Iterator[str]:
    """The address of the static site."""
    with hosted(site_folder.parents[1]) as address:
        yield f"{address}games/triomino/"


@pytest.fixture
def open_page(browser: Browser) -> Iterator[OpenPage]:
    """Open pages; the test fails if one of them logged an error."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def open_one(*, expects_refusals: bool = False, **options: Any) -> Page:
        # What a test puts between page and server must not be passed by.
        usual: Any = {"reduced_motion": "reduce", "service_workers": "block"}
        context = browser.new_context(**usual | options)
        context.set_default_timeout(TIMEOUT)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))

        def hear(said: ConsoleMessage) -> None:
            refused = expects_refusals and "responded with a status of 4" in said.text
            if said.type == "error" and not refused:
                complaints.append(said.text)

        page.on("console", hear)
        return page

    yield open_one
    for context in contexts:
        context.close()
    # A line that breaks is part of some tests, and so is plain http; the browser notes both.
    noted = ("WebSocket", "net::", "Cross-Origin-Opener-Policy")
    assert [text for text in complaints if not any(part in text for part in noted)] == []
