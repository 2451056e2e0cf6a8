"""The colours of the seats on the page: everybody can tell all six apart, by day and night."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path

import pytest

from tests.render.test_theme import contrast

CSS = (Path(__file__).parents[1] / "web/src/app.css").read_text("utf-8")
GROUNDS = ("ground", "panel", "raised", "accent-soft")
# How colours look without one kind of cone (Machado, Oliveira and Fernandes 2009).
VISION = {
    "normal": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "protan": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deutan": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritan": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}


def colours(theme: str) -> dict[str, str]:
    """The colours of a theme by name; by day those of the night count unless replaced."""
    blocks = re.findall(r"^(:root[^{]*)\{([^}]*)\}", CSS, re.MULTILINE)
    wanted = {"night": [":root "], "day": [":root ", ':root[data-theme="day"] ']}[theme]
    found: dict[str, str] = {}
    for selector, body in blocks:
        if selector in wanted:
            found |= dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", body))
    return found


def oklab(colour: str, matrix: tuple[tuple[float, ...], ...]) -> tuple[float, float, float]:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    r, g, b = (
        max(0.0, sum(weight * part for weight, part in zip(row, linear, strict=True)))
        for row in matrix
    )
    cone_l = (0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b) ** (1 / 3)
    cone_m = (0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b) ** (1 / 3)
    cone_s = (0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b) ** (1 / 3)
    return (
        0.2104542553 * cone_l + 0.7936177850 * cone_m - 0.0040720468 * cone_s,
        1.9779984951 * cone_l - 2.4285922050 * cone_m + 0.4505937099 * cone_s,
        0.0259040371 * cone_l + 0.7827717662 * cone_m - 0.8086757660 * cone_s,
    )


@pytest.mark.parametrize("theme", ["night", "day"])
def test_a_seat_stands_out_and_its_monogram_can_be_read(theme: str) -> None:
    found = colours(theme)
    for seat in range(6):
        colour = found[f"c{seat}"]
        assert min(contrast(colour, found[ground]) for ground in GROUNDS) >= 3
        assert contrast(colour, found["on-c"]) >= 4.5


@pytest.mark.parametrize("vision", VISION)
@pytest.mark.parametrize("theme", ["night", "day"])
def test_six_seats_can_be_told_apart(theme: str, vision: str) -> None:
    points = [oklab(colours(theme)[f"c{seat}"], VISION[vision]) for seat in range(6)]
    for one, other in combinations(points, 2):
        assert sum((a - b) ** 2 for a, b in zip(one, other, strict=True)) ** 0.5 >= 0.058
