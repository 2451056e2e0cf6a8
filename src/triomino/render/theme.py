"""The colours of the six numbers, and the day and night themes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

INK: Final = "#10181f"
WHITE: Final = "#ffffff"

PALETTE: Final = ("#b7c9fc", "#df8e00", "#9d5cfe", "#287969", "#ae0000", "#41306d")
"""The colour of each number. Lightness falls with the number: darker is worth more.

The six can be told apart with any colour blindness, and each has a contrast of at least 4.5:1 with
its digit.
"""


def digit_colour(number: int) -> str:
    """Return the colour of a digit on the colour of its number."""
    return INK if number < 3 else WHITE


@dataclass(frozen=True, slots=True, kw_only=True)
class Theme:
    """The colours of the table and of everything on it that is not a number."""

    name: str
    ground: str
    panel: str
    ivory: str
    rim: str
    """A thin line around each tile, where its ivory is too close to the background."""
    shadow: float
    """The opacity of the shadow under a tile, 0 to 1."""
    ghost: float
    """The opacity of a possible placement, 0 to 1."""
    back: str
    """The reverse of a tile."""
    ring: str
    """The last move and the possible placements. Neutral, since every hue belongs to a number."""
    text: str
    muted: str
    accent: str
    """The seat to move; used only beside the board."""


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
