"""The colours of the game: six numbers, two tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

INK: Final = "#10181f"
WHITE: Final = "#ffffff"

PALETTE: Final = ("#b7c9fc", "#df8e00", "#9d5cfe", "#287969", "#ae0000", "#41306d")
"""The colour of each number. Lightness falls with the number: darker is worth more.

The six stay apart for colour-blind eyes, and each carries its digit at 4.5 : 1 or better.
"""


def digit_colour(number: int) -> str:
    """What a number is written in on its own colour."""
    return INK if number < 3 else WHITE


@dataclass(frozen=True, slots=True, kw_only=True)
class Theme:
    """The table and everything on it that is not a number."""

    name: str
    ground: str
    panel: str
    ivory: str
    rim: str
    """A hair round each tile, where its ivory would melt into the table."""
    shadow: float
    """How dark the shadow under a tile is, 0 to 1."""
    ghost: float
    """How much ivory a place to play has, 0 to 1."""
    back: str
    """The reverse of a tile."""
    ring: str
    """"Now": the last move and the places to play. A form; every hue belongs to a number."""
    text: str
    muted: str
    accent: str
    """Whose turn it is, beside the board only."""


NIGHT: Final = Theme(
    name="night",
    ground="#14202b",
    panel="#0f1821",
    ivory="#f7f1e5",
    rim="#f7f1e5",
    shadow=0.45,
    ghost=0.22,
    back="#34495b",
    ring=WHITE,
    text="#eef2f5",
    muted="#94a5b4",
    accent="#ffd166",
)

DAY: Final = Theme(
    name="day",
    ground="#e9e4d8",
    panel="#f5f1e8",
    ivory="#fffdf8",
    rim="#b9b09c",
    shadow=0.28,
    ghost=0.5,
    back="#b4aa95",
    ring=INK,
    text=INK,
    muted="#5d5a52",
    accent="#8f5600",
)

THEMES: Final = {theme.name: theme for theme in (NIGHT, DAY)}
