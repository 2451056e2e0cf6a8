"""A server with its own data, and Chromium."""

from __future__ import annotations

import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from playwright.sync_api import sync_playwright
from tests.browser.conftest import find_chromium
from tests.browser.seeded_server import SeededServer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser


@contextmanager
def server_and_browser(*arguments: str) -> Iterator[tuple[str, Browser]]:
    """Start a server and a browser; yields the address and the browser, and stops both."""
    with (
        tempfile.TemporaryDirectory() as folder,
        SeededServer(Path(folder)) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(
            executable_path=find_chromium(), args=["--no-sandbox", *arguments]
        )
        try:
            yield server.url, browser
        finally:
            browser.close()
