"""``python -m benchmarks.web.local``: games without a server, on the built site.

The size of everything that only they need, how long the first rack takes on a slow processor, and a
match analysed by two Workers beside the server's analysis of the same record.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from playwright.sync_api import sync_playwright
from tests.browser.conftest import ARGUMENTS, find_chromium
from tests.browser.site_host import build, hosted

from triomino import CLASSIC, Match, Player, Rng, Seeds, View
from triomino.bots import make_bot
from triomino.record import record_of
from triomino.server.analyst import analyse

if TYPE_CHECKING:
    from playwright.sync_api import Browser

GOALS = {"local_kb": 200.0, "first_rack_ms": 1500.0, "analysis_ratio": 2.0}
"""The most that each may be."""
PARTS = ("kernel-", "network-", "worker-", "client-", "analyst-", "analyses-")
SLOWER = 6
PHONE: Any = {"viewport": {"width": 390, "height": 780}}

_BROTLI = """const { readFileSync } = require('fs');
const sizes = process.argv.slice(1).map((name) =>
  require('zlib').brotliCompressSync(readFileSync(name)).length);
console.log(sizes.reduce((a, b) => a + b));"""


def weigh(site: Path) -> float:
    """Kilobytes with brotli of what only local games load, in a browser with SIMD."""
    names = [
        str(path)
        for path in (site / "assets").iterdir()
        if path.name.startswith(PARTS) and not path.name.startswith("kernel-scalar")
    ]
    done = subprocess.run(["node", "-e", _BROTLI, *names], capture_output=True, check=True)  # noqa: S607
    return int(done.stdout) / 1000


def first_rack(browser: Browser, url: str) -> float:
    """Milliseconds from the click on Play to the first rack."""
    page = browser.new_context(**PHONE).new_page()
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    page.goto(url)
    play = page.locator("button.play")
    play.wait_for()
    page.wait_for_timeout(2000)
    script = """() => new Promise((resolve) => {
      const began = performance.now();
      const look = () => document.querySelector('.hand .tile')
        ? resolve(performance.now() - began) : requestAnimationFrame(look);
      document.querySelector('button.play').click();
      look();
    })"""
    took: float = page.evaluate(script)
    page.context.close()
    return took


def match_to_400() -> Match:
    """A match of two bots."""
    players = [Player("Ann", "easy"), Player("Ben", "hard")]
    match = Match.start(CLASSIC.with_changes({"target": 400}), players, Seeds.named(2, "bench"))
    bots = [make_bot(str(player.bot), Rng(seat)) for seat, player in enumerate(players)]
    while not match.over:
        if match.game.over:
            match.next_round()
        match.play(bots[match.game.turn].choose(View.of(match.game, match.game.turn)))
    return match


def analysed(browser: Browser, url: str, match: Match) -> float:
    """How many times as long as the server the site takes to analyse a match."""
    page = browser.new_context().new_page()
    page.goto(f"{url}#/replay")
    record = json.dumps(record_of(match)).encode()
    file = {"name": "match.json", "mimeType": "application/json", "buffer": record}
    page.locator("input[type=file]").set_input_files(file)  # type: ignore[arg-type]
    button = page.get_by_role("button", name="Analyse").first
    button.wait_for()
    began = time.perf_counter()
    button.click()
    page.locator(".replay.analysed").wait_for(timeout=300_000)
    here = time.perf_counter() - began
    began = time.perf_counter()
    analyse(match)
    page.context.close()
    return here / (time.perf_counter() - began)


def main() -> None:
    """Measure, and exit with 1 if a goal is missed."""
    with (
        TemporaryDirectory() as folder,
        hosted(Path(folder)) as url,
        sync_playwright() as playwright,
    ):
        build(Path(folder))
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=ARGUMENTS)
        match = match_to_400()
        found = {
            "local_kb": weigh(Path(folder)),
            "first_rack_ms": first_rack(browser, url),
            "analysis_ratio": sorted(analysed(browser, url, match) for _ in range(3))[1],
        }
        browser.close()
    for name, value in found.items():
        print(f"{name:16} {value:8.2f}  (at most {GOALS[name]:g})")
    sys.exit(any(value > GOALS[name] for name, value in found.items()))


if __name__ == "__main__":
    main()
