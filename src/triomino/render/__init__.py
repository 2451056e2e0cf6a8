"""Drawings of boards, racks and games.

Only the rules room is needed, except by :mod:`triomino.render.text`, the board in a terminal: it
needs ``rich``, and so has to be imported by name.
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
