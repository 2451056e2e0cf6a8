"""A round as a picture that moves: ``python -m tools.moving_picture``.

Writes ``docs/pictures/round.svg``, which the README and the home page show. It needs no script,
plays three times, and then stays; where animation is not supported it is the board at the end.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final
from xml.etree import ElementTree as ET

from triomino import CLASSIC, Place
from triomino.bots import simulate_match
from triomino.render import NIGHT, board_svg

PICTURE: Final = Path(__file__).resolve().parents[1] / "docs" / "pictures" / "round.svg"
SVG: Final = "http://www.w3.org/2000/svg"
SEED, NUMBER, NAMES = 11, 3, ("Ada", "Ben")
WIDTH: Final = 720
MOVING, STILL = 16.0, 6.0
"""Seconds in which the tiles are laid, and in which the end is shown."""
TIMES: Final = 3
STRIP: Final = 56
"""The height of the line with the points."""


def main() -> None:
    """Write the picture."""
    PICTURE.write_text(draw(), "utf-8")


def draw() -> str:
    """The picture of a round between two bots, always the same."""
    game = simulate_match(CLASSIC, ["greedy", "greedy"], SEED, NUMBER).game
    plies = [ply for ply in game.plies if isinstance(ply.move, Place)]
    ET.register_namespace("", SVG)
    root = ET.fromstring(board_svg(game.board, theme=NIGHT, width=WIDTH, desc=""))  # noqa: S314 - ours
    height = int(root.attrib["height"])
    root.attrib |= {"height": str(height + STRIP), "viewBox": f"0 0 {WIDTH} {height + STRIP}"}
    [ground] = root.findall(f"{{{SVG}}}rect")
    [tiles] = root.findall(f"{{{SVG}}}g")
    ground.attrib["height"] = str(height + STRIP)
    for shape in tiles.findall(f"{{{SVG}}}path"):  # the shadow of all tiles at once
        tiles.remove(shape)
    step = MOVING / len(plies)
    order = {str(ply.move): number for number, ply in enumerate(plies)}
    for group in tiles.findall(f"{{{SVG}}}g"):
        # A ring around a hexagon comes at the end.
        _appear(group, order.get(group.get("data-place", ""), len(plies)) * step)
    totals = [0, 0]
    before = 0
    for number, ply in enumerate(plies):
        for done in game.plies[before : game.plies.index(ply) + 1]:
            for score in done.scores:
                totals[score.seat] += score.points
        before = game.plies.index(ply) + 1
        end = (number + 1) * step if number + 1 < len(plies) else None
        _points(root, height, totals, ply.seat, (number * step, end))
    return ET.tostring(root, encoding="unicode") + "\n"


def _appear(element: ET.Element, second: float) -> None:
    """Show an element from a second on."""
    share = second / (MOVING + STILL)
    _animate(element, "0;1" if second else "1;1", f"0;{share:.4f}" if second else "0;1")


def _points(
    root: ET.Element,
    height: int,
    totals: list[int],
    mover: int,
    seconds: tuple[float, float | None],
) -> None:
    """Show a line of points between two seconds, with the player in the accent who has moved."""
    start, end = seconds
    line = ET.SubElement(root, f"{{{SVG}}}g", {"font-size": "24", "font-weight": "700"})
    if end is not None:  # only the last one is there without animation
        line.attrib["opacity"] = "0"
    for seat, (name, total) in enumerate(zip(NAMES, totals, strict=True)):
        place = (
            {"x": "36", "text-anchor": "start"}
            if seat == 0
            else {"x": str(WIDTH - 36), "text-anchor": "end"}
        )
        colour = NIGHT.accent if seat == mover else NIGHT.text
        text = ET.SubElement(
            line, f"{{{SVG}}}text", {**place, "y": str(height + 34), "fill": colour}
        )
        text.text = f"{name}  {total}"
    whole = MOVING + STILL
    times = [start / whole] + ([end / whole] if end is not None else [])
    values = ["1", "0"] if end is not None else ["1"]
    if start:
        times, values = [0.0, *times], ["0", *values]
    _animate(line, ";".join(values), ";".join(f"{time:.4f}" for time in times))


def _animate(element: ET.Element, values: str, times: str) -> None:
    ET.SubElement(
        element,
        f"{{{SVG}}}animate",
        {
            "attributeName": "opacity",
            "values": values,
            "keyTimes": times,
            "calcMode": "discrete",
            "dur": f"{MOVING + STILL:g}s",
            "repeatCount": str(TIMES),
        },
    )


if __name__ == "__main__":
    main()
