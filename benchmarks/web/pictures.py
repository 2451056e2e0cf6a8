"""``python -m benchmarks.web.pictures [folder]``: screenshots of every page.

Each page is shown on three screens, in both themes. With ``--docs`` only the screenshots of the
documentation are made, as small files.
"""

from __future__ import annotations

import argparse
from base64 import b64decode
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.browser.pages import PAGES, record, short_record, show_analysed, show_replay

from benchmarks.web.browser import server_and_browser
from benchmarks.web.scenes import (
    against_milo,
    ended,
    make_state,
    show,
    six_players,
    waiting,
)
from triomino.bots import CAST

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Browser, Page

SCREENS = {360: 740, 820: 1100, 1440: 900}
SCHEMES = {"night": "dark", "day": "light"}
TABLES = {
    f"table-{count}-{rack}": (count, rack)
    for count, rack in ((5, 3), (5, 9), (5, 21), (30, 3), (30, 9), (30, 21), (55, 21), (73, 3))
} | {"table-76-0": (76, 0)}

DOCS = (
    ("home", 1440, "night"),
    ("home", 360, "day"),
    ("new table", 820, "day"),
    ("learn", 820, "night"),
    ("waiting", 820, "day"),
    ("six", 360, "day"),
    ("away", 360, "night"),
    ("result", 360, "day"),
    ("screen", 1440, "night"),
    ("table-30-9", 1440, "night"),
    ("table-30-9", 1440, "day"),
    ("table-30-9", 360, "night"),
    ("table-5-21", 360, "day"),
    ("table-73-3", 1440, "night"),
    ("replay", 1440, "day"),
    ("replay", 360, "night"),
    ("analysed", 1440, "night"),
    ("analysed", 360, "day"),
    ("pad", 360, "day"),
    ("live sheet", 360, "night"),
    ("referee", 360, "day"),
)
FOLDER = Path(__file__).parents[2] / "docs" / "pictures"


def scenes() -> dict[str, Callable[[Page, str], None]]:
    """All scenes by name."""

    def table(count: int, rack: int) -> Callable[[Page, str], None]:
        def open_it(page: Page, url: str) -> None:
            show(page, url, against_milo(make_state(count, rack, mine=rack > 0)))
            tile = page.locator(".tile.can").nth(1)
            if tile.is_visible():
                tile.click()

        return open_it

    return (
        PAGES
        | {name: table(*sizes) for name, sizes in TABLES.items()}
        | {
            "replay": lambda page, url: show_replay(page, url, _named(record())),
            "analysed": lambda page, url: show_analysed(page, url, _named(short_record())),
            "six": lambda page, url: _show(page, url, six_players()),
            "away": lambda page, url: _show(page, url, waiting(here=[0], away={"1": 75})),
            "result": lambda page, url: _show(page, url, against_milo(ended())),
            "screen": lambda page, url: _show(page, url, six_players(), "/tv"),
        }
    )


def _named(match: dict[str, Any]) -> dict[str, Any]:
    """The same match, as if Ann had played it against somebody of the cast."""
    players = [
        player | {"name": name} for player, name in zip(match["players"], CAST, strict=False)
    ]
    return match | {"players": [{"name": "Ann"}, *players[1:]]}


def _show(page: Page, url: str, state: dict[str, Any], path: str = "") -> None:
    show(page, url, state, path)


def take(browser: Browser, url: str, picture: tuple[str, int, str], file: Path) -> None:
    """Take one screenshot."""
    name, wide, scheme = picture
    context = browser.new_context(
        viewport={"width": wide, "height": SCREENS[wide]},
        color_scheme=SCHEMES[scheme],  # type: ignore[arg-type]
        reduced_motion="reduce",
        service_workers="block",
    )
    page = context.new_page()
    scenes()[name](page, url)
    page.mouse.move(1, 1)
    page.wait_for_timeout(400)
    file.parent.mkdir(parents=True, exist_ok=True)
    if file.suffix == ".webp":
        session = context.new_cdp_session(page)
        form = {"format": "webp", "quality": 82}
        file.write_bytes(b64decode(session.send("Page.captureScreenshot", form)["data"]))
    else:
        page.screenshot(path=file)
    context.close()


def main() -> None:
    """Take all screenshots, or those of the documentation."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=Path("build/screenshots"))
    parser.add_argument("--docs", action="store_true")
    parser.add_argument("--only", default="", help="pages whose name has this in it")
    options = parser.parse_args()
    wanted = [(name, wide, scheme) for name in scenes() for wide in SCREENS for scheme in SCHEMES]
    folder, kind = (FOLDER, "webp") if options.docs else (options.folder, "png")
    with server_and_browser("--disable-gpu") as (url, browser):
        for name, wide, scheme in DOCS if options.docs else wanted:
            if options.only in name:
                file = folder / f"{name.replace(' ', '-')}-{wide}-{scheme}.{kind}"
                take(browser, url, (name, wide, scheme), file)
    sizes = {file.name: file.stat().st_size for file in sorted(folder.glob(f"*.{kind}"))}
    print(f"{len(sizes)} pictures in {folder}, {sum(sizes.values()) / 1e3:.0f} KB in all")


if __name__ == "__main__":
    main()
