"""``python -m benchmarks.web``: the size of the page and its speed on a slow phone."""

from __future__ import annotations

import argparse
import json
import os
import re
import statistics
import sys
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import httpx
from tests.browser.pages import make_table

from benchmarks.web.browser import server_and_browser
from benchmarks.web.scenes import make_state, show

if TYPE_CHECKING:
    from playwright.sync_api import Browser, CDPSession, Page

GOALS = {
    "first_load_kb": ("at most", 120.0),
    "home_usable_ms": ("at most", 2000.0),
    "table_usable_ms": ("at most", 2000.0),
    "move_shown_ms": ("at most", 50.0),
    "pan_fps": ("at least", 55.0),
}
"""The goal of each measurement."""

PHONE: Any = {"width": 390, "height": 780}
SLOWER = 4
BYTES_A_SECOND = 1.6e6 / 8
DELAY_MS = 150


def slow_down(page: Page) -> CDPSession:
    """Throttle a page to a slow phone on a slow network."""
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.send(
        "Network.emulateNetworkConditions",
        {
            "offline": False,
            "latency": DELAY_MS,
            "downloadThroughput": BYTES_A_SECOND,
            "uploadThroughput": BYTES_A_SECOND / 2,
        },
    )
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    return session


def weigh(url: str) -> dict[str, float]:
    """The compressed size of all scripts and styles of the first load, in kilobytes."""
    with httpx.Client(base_url=url, headers={"accept-encoding": "gzip"}) as client:
        names = re.findall(r'"(/assets/[^"]+\.(?:js|css))"', client.get("/").text)
        boot = next(name for name in names if "/boot-" in name)
        # Of all languages only one is requested.
        english = re.findall(r"words-en-main-[\w-]+\.js", client.get(boot).text)
        names += [f"/assets/{name}" for name in english]
        sent = 0
        for name in names:
            with client.stream("GET", name) as answer:
                sent += sum(map(len, answer.iter_raw()))
    return {"first_load_kb": sent / 1000}


_WATCH = """selector => {
  const seen = () => {
    if (!document.querySelector(selector)) return;
    watch.disconnect();
    requestAnimationFrame(() => setTimeout(() => (window.usable = performance.now())));
  };
  const watch = new MutationObserver(seen);
  watch.observe(document, { childList: true, subtree: true });
}"""


def time_first_load(browser: Browser, url: str, times: int) -> dict[str, float]:
    """The time from navigation to a usable page, with empty caches."""
    out = {}
    for name, selector in (("home", "button.play"), ("table", ".rack .tile")):
        found = []
        for _ in range(times):
            context = browser.new_context(
                viewport=PHONE, is_mobile=True, has_touch=True, service_workers="block"
            )
            page = context.new_page()
            path = f"/t/{make_table(page, url)}" if name == "table" else "/"
            slow_down(page)
            page.add_init_script(f"({_WATCH})({json.dumps(selector)})")
            page.goto(url + path)
            page.wait_for_function("() => window.usable")
            found.append(page.evaluate("() => window.usable"))
            context.close()
        out[f"{name}_usable_ms"] = statistics.median(found)
        out[f"{name}_usable_least_ms"] = min(found)
    return out


_TIME_MOVES = """() => {
  window.shown = [];
  // From the tap to the next frame, as the browser itself measures it.
  new PerformanceObserver(list => {
    for (const { name, duration, interactionId } of list.getEntries())
      if (name === "click" && interactionId) window.shown.push(duration);
  }).observe({ type: "event", durationThreshold: 16 });
}"""
SHORTEST = 16.0
"""Milliseconds: the browser reports no shorter times."""


def time_moves(browser: Browser, url: str, times: int) -> dict[str, float]:
    """The time from the tap on "Place" to the frame with the tile, on a board of thirty tiles."""
    found: list[float] = []
    for seed in range(1, times + 1):
        context = browser.new_context(
            viewport=PHONE, is_mobile=True, has_touch=True, service_workers="block"
        )
        page = context.new_page()
        show(page, url, make_state(30, 9, seed=seed))
        page.wait_for_timeout(500)
        slow_down(page)
        page.evaluate(_TIME_MOVES)
        for index in range(page.locator(".tile.can").count()):
            page.locator(".tile.can").nth(index).tap()
            box = page.locator("[data-ghost]").first.bounding_box()
            assert box is not None
            page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
            place = page.locator(".actions .big")
            if place.is_visible():
                page.wait_for_timeout(1000)
                page.evaluate("() => { window.shown = []; }")
                laid = page.locator("[data-place]").count()
                place.tap()
                page.wait_for_function(
                    "laid => document.querySelectorAll('[data-place]').length > laid", arg=laid
                )
                page.wait_for_timeout(1000)
                found.append(max([SHORTEST, *page.evaluate("() => window.shown")]))
                break
        context.close()
    return {
        "move_shown_ms": statistics.median(found),
        "move_shown_least_ms": min(found),
        "move_shown_worst_ms": max(found),
    }


def count_frames(browser: Browser, url: str, seconds: float) -> dict[str, float]:
    """Frames a second while a board of all 76 tiles is dragged on a desktop."""
    page = browser.new_page(viewport={"width": 1440, "height": 900}, service_workers="block")
    show(page, url, make_state(76, 0, mine=False))
    page.wait_for_timeout(1500)
    session = page.context.new_cdp_session(page)

    def mouse(kind: str, x: float, y: float) -> None:
        held = {"button": "left", "buttons": 1} if kind != "mouseMoved" else {"buttons": 1}
        session.send(
            "Input.dispatchMouseEvent", {"type": kind, "x": x, "y": y, "clickCount": 1, **held}
        )

    mouse("mousePressed", 500, 400)
    page.evaluate(
        "() => { window.frames_ = []; const step = now => { window.frames_.push(now);"
        " requestAnimationFrame(step); }; requestAnimationFrame(step); }"
    )
    for number in range(int(seconds * 60)):
        turn = number % 60
        mouse("mouseMoved", 500 + (turn if turn < 30 else 60 - turn) * 8, 400 + turn)
    mouse("mouseReleased", 500, 400)
    frames: list[float] = page.evaluate("() => window.frames_")
    page.close()
    gaps = [after - before for before, after in pairwise(frames)]
    return {
        "pan_fps": 1000 * len(gaps) / (frames[-1] - frames[0]),
        "pan_worst_frame_ms": max(gaps),
    }


def main() -> None:
    """Measure everything; exit with 1 if a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=5, help="how often each load is measured")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with server_and_browser() as (url, browser):
        found = weigh(url)
        found |= time_first_load(browser, url, options.times)
        found |= time_moves(browser, url, options.times)
        found |= count_frames(browser, url, 3.0)
    # On a busy machine only the least times say something about the page.
    found["load_average"] = os.getloadavg()[0]
    missed = [
        name for name, (way, goal) in GOALS.items() if (found[name] > goal) == (way == "at most")
    ]
    if options.json:
        print(json.dumps({"found": found, "missed": missed}))
    else:
        for name, value in found.items():
            way, goal = GOALS.get(name, ("", 0.0))
            said = f"{way} {goal:g}" + ("  MISSED" if name in missed else "") if way else ""
            print(f"{name:22}{value:10.1f}   {said}")
    sys.exit(bool(missed))


if __name__ == "__main__":
    main()
