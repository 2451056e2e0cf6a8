"""Drawings of boards, racks and games.

This room needs the rules room only; :mod:`triomino.render.text`, the board in a terminal, needs
``rich`` and is imported by its own name.
"""

from triomino.render.svg import board_svg, game_svg, position_svg, rack_svg, tile_svg
from triomino.render.theme import DAY, NIGHT, PALETTE, THEMES, Theme

__all__ = [
    "DAY",
    "NIGHT",
    "PALETTE",
    "THEMES",
    "Theme",
    "board_svg",
    "game_svg",
    "position_svg",
    "rack_svg",
    "tile_svg",
]
