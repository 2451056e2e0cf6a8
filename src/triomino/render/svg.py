"""Boards, racks and positions as SVG.

Every drawing is self-contained: it loads no fonts, has no ids that could clash with another drawing
on the same page, and is the same for the same input, byte for byte. One unit is one pixel at the
given width. The only visible words are names that the caller gives; the title and the description,
for screen readers, default to English.
"""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, Final

from triomino.board import Board
from triomino.moves import Place
from triomino.position import Position
from triomino.render import marks
from triomino.render.racks import RACK_SIDE, pitch, rack_part, row_lines, seats_part, standing
from triomino.render.scene import MARGIN, MIN_WIDTH, NATURAL_SIDE, Part, Scene
from triomino.render.shapes import ROW_HEIGHT, number
from triomino.render.theme import NIGHT, Theme
from triomino.scoring import Reason

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from triomino.game import Game
    from triomino.rules import Seat
    from triomino.tile import Tile

FONTS: Final = (
    "ui-rounded, 'SF Pro Rounded', 'Segoe UI', system-ui, 'Noto Sans', 'DejaVu Sans', sans-serif"
)


def board_svg(
    board: Board,
    *,
    theme: Theme = NIGHT,
    last: Place | None = None,
    bridges: Iterable[Place] = (),
    ghosts: Mapping[Place, str] | Iterable[Place] = (),
    small: bool | None = None,
    width: float | None = None,
    turn: int = 0,
    background: bool = True,
    title: str | None = None,
    desc: str | None = None,
) -> str:
    """Return a drawing of the board.

    *last* gets a ring; *bridges* are the tiles that made one, each shown by an arc to the part it
    reached; *ghosts* are possible placements, perhaps with labels. Hexagons are found on the board.
    *width* is in pixels; by default tiles have their natural size. *small* draws one digit at each
    vertex instead of three in each tile; by default it does so if a side would be below 44 pixels.
    *turn* rotates the view by steps of 60 degrees; numbers stay upright.

    >>> drawing = board_svg(Board.of([Place.parse("U(0,0)=1-3-4")]))
    >>> drawing.startswith("<svg ") and drawing.count("<text") == 3
    True
    """
    scene = Scene.of(board, theme, last, bridges=bridges, ghosts=ghosts, turn=turn)
    return _document(
        [scene.part(width, small)],
        theme,
        background=background,
        title=title or _title(board),
        desc=desc or " ".join(_board_lines(scene)),
    )


def tile_svg(
    tile: Tile | None,
    *,
    theme: Theme = NIGHT,
    side: float = NATURAL_SIDE,
    background: bool = False,
    title: str | None = None,
) -> str:
    """Return one tile, pointing up, its first number at the lower left; ``None`` is face down.

    >>> from triomino.tile import Tile
    >>> tile_svg(Tile(1, 3, 4)).count("<text")
    3
    """
    pad = 4.0
    corners = standing(pad, pad, side)
    part = Part(side + 2 * pad, side * ROW_HEIGHT + 2 * pad)
    part.lines = [*row_lines([(tile, corners)], side, theme)]
    name = title or ("a hidden tile" if tile is None else str(tile))
    return _document([part], theme, background=background, title=name)


def rack_svg(
    tiles: Sequence[Tile] | int,
    *,
    theme: Theme = NIGHT,
    width: float | None = None,
    side: float = RACK_SIDE,
    marked: Iterable[Tile] = (),
    background: bool = True,
    title: str | None = None,
) -> str:
    """Return a row of tiles that wraps at *width*; for a number of hidden tiles, a back.

    *marked* tiles get a ring: those just drawn, or the one selected.
    """
    if width is None:
        count = 2 if isinstance(tiles, int) else max(len(tiles), 1)
        width = max(MIN_WIDTH, 2 * MARGIN + count * pitch(side))
    part = rack_part(tiles, side, theme, width, frozenset(marked))
    text = f"{tiles} hidden tiles" if isinstance(tiles, int) else " ".join(map(str, tiles))
    return _document([part], theme, background=background, title=title or text or "no tiles")


def position_svg(
    position: Position,
    *,
    theme: Theme = NIGHT,
    names: Sequence[str] = (),
    racks: bool = True,
    last: Place | None = None,
    bridges: Iterable[Place] = (),
    ghosts: Mapping[Place, str] | Iterable[Place] = (),
    small: bool | None = None,
    width: float | None = None,
    turn: int = 0,
    background: bool = True,
    title: str | None = None,
    desc: str | None = None,
) -> str:
    """Return the board with, unless *racks* is false, every seat's name, score and rack below.

    Hidden racks show a back and a number. A position has no history, so only the bridges given are
    drawn.
    """
    return _table(
        position,
        Scene.of(Board.of(position.board), theme, last, bridges=bridges, ghosts=ghosts, turn=turn),
        to_move=position.turn,
        names=names if racks else None,
        size=(width, small),
        background=background,
        title=title,
        desc=desc,
    )


def game_svg(
    game: Game,
    *,
    theme: Theme = NIGHT,
    names: Sequence[str] = (),
    racks: bool = True,
    seats: Iterable[Seat] = (),
    ghosts: Mapping[Place, str] | Iterable[Place] = (),
    small: bool | None = None,
    width: float | None = None,
    turn: int = 0,
    background: bool = True,
    title: str | None = None,
    desc: str | None = None,
) -> str:
    """Return a drawing of a game, with the last tile marked and every bridge shown.

    Only the racks of *seats* are open; the others show a back.
    """
    placed = [(ply, ply.move) for ply in game.plies if isinstance(ply.move, Place)]
    bridges = [place for ply, place in placed if ply.bonus is Reason.BRIDGE]
    last = placed[-1][1] if placed else None
    return _table(
        _open_to(game, frozenset(seats)),
        Scene.of(game.board, theme, last, bridges=bridges, ghosts=ghosts, turn=turn),
        to_move=None if game.over else game.turn,
        names=names if racks else None,
        size=(width, small),
        background=background,
        title=title,
        desc=desc,
    )


def _open_to(game: Game, seats: frozenset[Seat]) -> Position:
    """Return the position with every rack hidden except those of *seats*."""
    full = game.position
    return Position(
        rules=full.rules,
        board=full.board,
        racks=tuple(rack if seat in seats else None for seat, rack in enumerate(full.racks)),
        rack_sizes=full.rack_sizes,
        pool=None,
        pool_size=full.pool_size,
        turn=full.turn,
        drawn=full.drawn if full.turn in seats else (),
        scores=full.scores,
        latched=full.latched,
    )


def _table(
    position: Position,
    scene: Scene,
    *,
    to_move: Seat | None,
    names: Sequence[str] | None,
    size: tuple[float | None, bool | None],
    background: bool,
    title: str | None,
    desc: str | None,
) -> str:
    """Return the board and, if there are *names*, the seats."""
    width, small = size
    lines = [*_board_lines(scene)]
    if names is None:
        parts = [scene.part(width, small)]
    else:
        called = [*names[: len(position.racks)]]
        called += [f"seat {seat}" for seat in range(len(called), len(position.racks))]
        if width is None:
            # Room for nine tiles in a row, as dealt to two players.
            width = max(scene.natural_width(small=bool(small)), 2 * MARGIN + 9 * pitch(RACK_SIDE))
        parts = [
            scene.part(width, small),
            seats_part(position, scene.theme, width, called, to_move),
        ]
        lines += _seat_lines(position, called, to_move)
    return _document(
        parts,
        scene.theme,
        background=background,
        title=title or _title(scene.board),
        desc=desc or " ".join(lines),
    )


# --- The document --------------------------------------------------------------------------------


def _document(
    parts: Sequence[Part], theme: Theme, *, background: bool, title: str, desc: str = ""
) -> str:
    width = ceil(max(part.width for part in parts))
    height = ceil(sum(part.height for part in parts))
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" font-family="{FONTS}">',
        f"<title>{marks.clean(title)}</title>",
    ]
    if desc:
        lines.append(f"<desc>{marks.clean(desc)}</desc>")
    if background:
        lines.append(f'<rect width="{width}" height="{height}" fill="{theme.ground}"/>')
    top = 0.0
    for part in parts:
        if top:
            lines += [f'<g transform="translate(0 {number(top)})">', *part.lines, "</g>"]
        else:
            lines += part.lines
        top += part.height
    return "\n".join([*lines, "</svg>", ""])


def _title(board: Board) -> str:
    count = len(board)
    return "An empty board" if not count else f"A board of {count} tile{'s' * (count > 1)}"


def _board_lines(scene: Scene) -> Iterator[str]:
    """Describe the board in words."""
    if scene.board.places:
        yield f"Tiles: {' '.join(map(str, scene.board.places))}."
    if scene.last:
        yield f"Last move: {scene.last}."
    if closed := scene.hexagons:
        numbers = scene.board.numbers
        yield f"Hexagons: {' '.join(f'{numbers[at]} at {at}' for at in closed)}."
    if scene.bridges:
        yield f"Bridges: {' '.join(map(str, scene.bridges))}."
    if scene.ghosts:
        listed = ", ".join(f"{place} {text}".strip() for place, text in scene.ghosts.items())
        yield f"Places to play: {listed}."


def _seat_lines(position: Position, names: Sequence[str], to_move: Seat | None) -> Iterator[str]:
    """Describe the racks in words."""
    for seat, rack in enumerate(position.racks):
        tiles = f"{position.rack_sizes[seat]} tiles" if rack is None else " ".join(map(str, rack))
        points = f", {position.scores[seat]} points" if position.rules.scoring else ""
        turn = ", to move" if seat == to_move else ""
        yield f"{names[seat]}{turn}{points}: {tiles or 'no tiles'}."
    yield f"Pool: {position.pool_size} tiles."
