"""``python -m triomino.server.painter``: paint one board in a process of its own.

It reads a :class:`Sketch` as JSON from standard input and writes a PNG to standard output. Painting
holds Python's lock for a tenth of a second, in which a server could serve nobody.
"""

from __future__ import annotations

import os
import sys
from typing import Final

import msgspec

from triomino.board import Board
from triomino.moves import Place
from triomino.render.png import board_png

SIZE: Final = (1200, 630)
"""What messengers show without cutting anything off."""
NICENESS: Final = 10


class Sketch(msgspec.Struct, frozen=True):
    """What to paint: the tiles in the order they were laid, and those that made a bridge."""

    places: tuple[str, ...] = ()
    bridges: tuple[str, ...] = ()


def paint(sketch: Sketch) -> bytes:
    """Return the picture of a board; of an empty one, an emblem."""
    places = [Place.parse(text) for text in sketch.places]
    return board_png(
        Board.of(places),
        *SIZE,
        last=places[-1] if places else None,
        bridges=[Place.parse(text) for text in sketch.bridges],
    )


def main() -> None:
    """Paint the board on standard input."""
    if sys.platform != "win32":
        os.nice(NICENESS)
    sketch = msgspec.json.decode(sys.stdin.buffer.read(), type=Sketch)
    sys.stdout.buffer.write(paint(sketch))


if __name__ == "__main__":
    main()
