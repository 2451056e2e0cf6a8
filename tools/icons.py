"""Draw the icons of the page, a tile on the dark background, as SVG and, with Chromium, as PNG."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from playwright.sync_api import sync_playwright

from triomino.render.svg import tile_svg
from triomino.tile import Tile

FOLDER = Path(__file__).parents[1] / "web" / "public"
SIZE = 512
SIDE = 100.0


def icon(*, fills: bool) -> str:
    """The icon as SVG; one that *fills* its square can be cropped to any shape."""
    drawn = tile_svg(Tile(1, 3, 4), side=SIDE)
    inside = re.sub(r"(?s)^<svg[^>]*>\s*<title>.*?</title>|</svg>\s*$", "", drawn)
    scale = 3.4 if fills else 4.4
    # A triangle looks centred between the middle of its height and its centroid.
    x, y = SIZE / 2 - scale * (SIDE / 2 + 4), SIZE / 2 - scale * (0.5 * SIDE + 4)
    corner = 0 if fills else 112
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIZE} {SIZE}"'
        " font-family=\"ui-rounded, 'Segoe UI', system-ui, 'Noto Sans', 'DejaVu Sans',"
        ' sans-serif">'
        f'<rect width="{SIZE}" height="{SIZE}" rx="{corner}" fill="#14202b"/>'
        f'<g transform="translate({x:.1f} {y:.1f}) scale({scale})">{inside.strip()}</g></svg>\n'
    )


def main() -> None:
    """Write all icons."""
    (FOLDER / "icon.svg").write_text(icon(fills=False), "utf-8")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        for name, size, fills in (
            ("icon-192", 192, False),
            ("icon-512", 512, False),
            ("icon-maskable-512", 512, True),
            # Apple's phones crop it themselves and do not support transparency.
            ("apple-touch-icon", 180, True),
        ):
            page = browser.new_page(viewport={"width": size, "height": size})
            page.set_content(
                f"<style>body{{margin:0}}svg{{display:block}}</style>{icon(fills=fills)}"
            )
            page.screenshot(path=FOLDER / f"{name}.png", omit_background=True)
            page.close()
        browser.close()


if __name__ == "__main__":
    main()
