from __future__ import annotations

import re
from itertools import combinations

import pytest

from triomino.render.theme import DAY, NIGHT, PALETTE, THEMES, Theme, digit_colour


def luminance(colour: str) -> float:
    assert re.fullmatch("#[0-9a-f]{6}", colour)
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    r, g, b = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def test_the_ruler_itself() -> None:
    assert contrast("#ffffff", "#000000") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


def test_there_are_six_different_colours() -> None:
    assert len(set(PALETTE)) == len(PALETTE) == 6


@pytest.mark.parametrize("number", range(6))
def test_every_number_can_be_read_on_its_colour(number: int) -> None:
    assert contrast(PALETTE[number], digit_colour(number)) >= 4.5


def test_darker_is_worth_more() -> None:
    shades = [luminance(colour) for colour in PALETTE]
    assert all(low > high for low, high in combinations(shades, 2))


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_words_and_marks_stand_out_from_the_table(theme: Theme) -> None:
    for words in (theme.text, theme.muted, theme.accent):
        assert contrast(words, theme.panel) >= 4.5
        assert contrast(words, theme.ground) >= 4.5
    assert contrast(theme.ring, theme.ground) >= 4.5
    # Numbers of labels and counts stand on the ring's colour in the table's.
    assert THEMES[theme.name] is theme


def test_the_ring_is_white_at_night_and_ink_by_day() -> None:
    assert NIGHT.ring == "#ffffff"
    assert DAY.ring == "#10181f"
