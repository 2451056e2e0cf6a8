"""``python -m benchmarks.web``: the size of the page and its speed on a slow phone.

With ``--old PATH`` the build of another checkout is measured beside this one: both are opened
alternately, and the ratios are medians over the pairs.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import statistics
import sys
from contextlib import ExitStack
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
from playwright.sync_api import sync_playwright
from tests.browser.conftest import find_chromium
from tests.browser.pages import make_table

from benchmarks.server.processes import ROOT
from benchmarks.web.builds import Build, serving
from benchmarks.web.scenes import make_state, show

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Browser, CDPSession, Page

    Sample = Callable[[Page, Build, int], dict[str, float]]
    Found = dict[str, dict[str, float]]

GOALS = {
    "first_load_kb": ("at most", 100.0),
    "home_usable_ms": ("at most", 2000.0),
    "table_usable_ms": ("at most", 2000.0),
    "move_shown_ms": ("at most", 50.0),
    "pan_fps": ("at least", 55.0),
}
"""The goal of each measurement."""

RATIOS = {"home_usable_ms": 1.05, "move_work_ms": 1.1}
"""What each may be at most beside the old build; a twentieth is the noise of a first load."""

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


def weigh(url: str) -> float:
    """The compressed size of all scripts and styles of the first load, in kilobytes."""
    with httpx.Client(base_url=url, headers={"accept-encoding": "gzip"}) as client:
        names = re.findall(r'"(/assets/[^"]+\.(?:js|css))"', client.get("/").text)
        boot = next(name for name in names if "/boot-" in name)
        # Of all languages only one is requested.
        english = re.findall(r"words-en-main-[\w-]+\.js", client.get(boot).text)
        names += {f"/assets/{name}" for name in english}
        sent = 0
        for name in names:
            with client.stream("GET", name) as answer:
                sent += sum(map(len, answer.iter_raw()))
    return sent / 1000


# --- One measurement each ------------------------------------------------------------------------

_WATCH = """selector => {
  const seen = () => {
    if (!document.querySelector(selector)) return;
    watch.disconnect();
    requestAnimationFrame(() => setTimeout(() => (window.usable = performance.now())));
  };
  const watch = new MutationObserver(seen);
  watch.observe(document, { childList: true, subtree: true });
  document.addEventListener("click", () => (window.clicked ??= performance.now()), true);
}"""


def time_until(page: Page, address: str, selector: str) -> float:
    """The time from navigation to the first frame with *selector*."""
    page.add_init_script(f"({_WATCH})({json.dumps(selector)})")
    page.goto(address)
    page.wait_for_function("() => window.usable")
    usable: float = page.evaluate("() => window.usable")
    return usable


def load_home(page: Page, build: Build, _: int) -> dict[str, float]:
    """Open the first page with empty caches."""
    slow_down(page)
    return {"home_usable_ms": time_until(page, build.url, "button.play")}


def load_table(page: Page, build: Build, _: int) -> dict[str, float]:
    """Open a table with empty caches."""
    table = make_table(page, build.url)
    slow_down(page)
    return {"table_usable_ms": time_until(page, f"{build.url}/t/{table}", ".rack .tile")}


def press_play(page: Page, build: Build, *, slow: bool) -> float:
    """The time from a click on Play to the rack."""
    page.add_init_script(f"({_WATCH})('.rack .tile')")
    page.goto(build.url)
    page.locator("button.play").wait_for()
    # Somebody looks at the page first; meanwhile it loads what comes next.
    page.wait_for_timeout(2000)
    if slow:
        slow_down(page)
    page.locator("button.play").click()
    page.wait_for_function("() => window.usable")
    took: float = page.evaluate("() => window.usable - window.clicked")
    return took


def play_here(page: Page, build: Build, _: int) -> dict[str, float]:
    """Click on Play, on this machine as it is."""
    return {"play_here_ms": press_play(page, build, slow=False)}


def play(page: Page, build: Build, _: int) -> dict[str, float]:
    """Click on Play, on a slow phone."""
    return {"play_ms": press_play(page, build, slow=True)}


_TIME_MOVES = """() => {
  window.shown = [];
  // From the tap to the next frame, as the browser itself measures it, in steps of 8 ms.
  new PerformanceObserver(list => {
    for (const { name, duration, interactionId } of list.getEntries())
      if (name === "click" && interactionId) window.shown.push(duration);
  }).observe({ type: "event", durationThreshold: 16 });
  // And from the tap to the end of the frame with the tile.
  addEventListener("click", ({ timeStamp }) => {
    requestAnimationFrame(() => setTimeout(() => (window.took = performance.now() - timeStamp)));
  }, true);
}"""
SHORTEST = 16.0
"""Milliseconds: the browser reports no shorter times."""


def work_of(trace: bytes) -> float:
    """The processor time that the page spent from a click to the end of the next frame."""
    events = json.loads(trace)["traceEvents"]
    click = next(
        event
        for event in events
        if event["name"] == "EventDispatch" and event["args"]["data"]["type"] == "click"
    )
    thread = [
        event
        for event in events
        if event["ph"] == "X" and (event["pid"], event["tid"]) == (click["pid"], click["tid"])
    ]
    begin = click["ts"]
    end = min(
        one["ts"] + one["dur"] for one in thread if one["name"] == "Commit" and one["ts"] > begin
    )
    work = 0.0
    for task in thread:
        if task["name"] == "RunTask" and task["dur"]:
            within = min(end, task["ts"] + task["dur"]) - max(begin, task["ts"])
            work += max(0.0, within / task["dur"]) * task["tdur"]
    return work / 1000


def move(page: Page, build: Build, number: int) -> dict[str, float]:
    """Tap on "Place": the time to the frame with the tile, on a board of thirty tiles.

    Its work is processor time, which other programs on this machine hardly change.
    """
    browser = page.context.browser
    assert browser is not None
    show(page, build.url, STATES[build.name][number])
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
            break
    page.wait_for_timeout(1000)
    page.evaluate("() => { window.shown = []; }")
    laid = page.locator("[data-place]").count()
    timeline = ["devtools.timeline", "disabled-by-default-devtools.timeline"]
    browser.start_tracing(page=page, categories=timeline)
    place.tap()
    page.wait_for_function(
        "laid => document.querySelectorAll('[data-place]').length > laid", arg=laid
    )
    page.wait_for_timeout(1000)
    work = work_of(browser.stop_tracing())
    shown, took = page.evaluate("() => [window.shown, window.took]")
    return {"move_shown_ms": max([SHORTEST, *shown]), "move_ms": took, "move_work_ms": work}


STATES: dict[str, list[dict[str, Any]]] = {}
"""The tables to move at, by the name of the build."""

SAMPLES: tuple[Sample, ...] = (load_home, load_table, play_here, play, move)


def measure(browser: Browser, builds: list[Build], times: int) -> dict[str, list[dict[str, float]]]:
    """Take all samples of all builds, alternately; a list for each build."""
    for build in builds:
        STATES[build.name] = build.states(30, 9, times)
    found: dict[str, list[dict[str, float]]] = {build.name: [] for build in builds}
    for number in range(times):
        row: dict[str, dict[str, float]] = {build.name: {} for build in builds}
        for sample in SAMPLES:
            # Neither profits from a quieter machine.
            for build in builds if number % 2 else reversed(builds):
                context = browser.new_context(
                    viewport=PHONE, is_mobile=True, has_touch=True, service_workers="block"
                )
                row[build.name] |= sample(context.new_page(), build, number)
                context.close()
        for name, one in row.items():
            found[name].append(one)
    return found


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


# --- Reports -------------------------------------------------------------------------------------


def summarise(rows: list[dict[str, float]]) -> dict[str, float]:
    """The median and the least of every measurement."""
    out = {}
    for name in rows[0]:
        values = [row[name] for row in rows]
        out[name] = statistics.median(values)
        # On a busy machine only the least times say something about the page.
        out[name.replace("_ms", "_least_ms")] = min(values)
    return out


def compare(old: list[dict[str, float]], new: list[dict[str, float]]) -> dict[str, float]:
    """The median over the pairs of how many times as long the new build takes."""
    return {
        name: statistics.median(
            after[name] / before[name] for before, after in zip(old, new, strict=True)
        )
        for name in new[0]
    }


def missed_goals(found: dict[str, float], ratios: dict[str, float]) -> list[str]:
    """The measurements that miss their goal, here or beside the old build."""
    here = [
        name for name, (way, goal) in GOALS.items() if (found[name] > goal) == (way == "at most")
    ]
    return here + [f"{name} ratio" for name, goal in RATIOS.items() if ratios.get(name, 0) > goal]


def report(found: Found, ratios: dict[str, float], missed: list[str]) -> None:
    """Print a line for every measurement."""
    new, old = found["new"], found.get("old")
    if old:
        print(f"{'':22}{'old':>10}{'new':>10}{'ratio':>8}")
    for name, value in new.items():
        line = f"{name:22}"
        if old:
            line += f"{old[name]:10.1f}" if name in old else " " * 10
        line += f"{value:10.1f}"
        if old:
            line += f"{ratios[name]:8.2f}" if name in ratios else " " * 8
        way, goal = GOALS.get(name, ("", 0.0))
        said = [f"{way} {goal:g}"] if way else []
        said += [f"at most {RATIOS[name]:g} times the old"] if old and name in RATIOS else []
        said += ["MISSED"] if {name, f"{name} ratio"} & {*missed} else []
        print(f"{line}   {', '.join(said)}".rstrip())


def main() -> None:
    """Measure everything; exit with 1 if a goal is missed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.web", description=__doc__)
    parser.add_argument("--times", type=int, default=5, help="how often each load is measured")
    parser.add_argument("--old", type=Path, help="the checkout to compare with")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with ExitStack() as stack:
        old = options.old and stack.enter_context(serving("old", options.old.resolve()))
        new = stack.enter_context(serving("new", ROOT))
        builds = [build for build in (old, new) if build]
        playwright = stack.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox"])
        stack.callback(browser.close)
        rows = measure(browser, builds, options.times)
        found = {
            build.name: {"first_load_kb": weigh(build.url), **summarise(rows[build.name])}
            for build in builds
        }
        found["new"] |= count_frames(browser, new.url, 3.0)
    found["new"]["load_average"] = os.getloadavg()[0]
    ratios = compare(rows["old"], rows["new"]) if old else {}
    missed = missed_goals(found["new"], ratios)
    if options.json:
        print(json.dumps({"found": found, "ratios": ratios, "missed": missed}))
    else:
        report(found, ratios, missed)
    sys.exit(bool(missed))


if __name__ == "__main__":
    main()
