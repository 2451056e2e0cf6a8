"""A person's turn, drawn: board, rack and choices on one screen where they fit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from rich.style import Style
from rich.text import Text

from triomino.moves import Place
from triomino.render.text import board_text, rack_text, tile_text
from triomino.terminal.layout import beside, flow, split, wrapped
from triomino.terminal.narrator import key

if TYPE_CHECKING:
    from collections.abc import Mapping

    from triomino.game import Game
    from triomino.grid import Cell
    from triomino.terminal.layout import Display, Lines
    from triomino.terminal.menu import Option
    from triomino.terminal.table import Table

NARROWEST_BOARD: Final = 36
"""Where a board would have fewer columns, the choices go below it."""
_PANEL: Final = (28, 44)
"""The narrowest and the widest the choices are beside a board."""


def draw_turn(table: Table, display: Display) -> Lines:
    """Draw all that a decision needs, leaving two lines: for an answer and for the prompt."""
    head = draw_header(table, display)
    room = display.height - len(head) - 2
    retold = _news(table, display, room // 6)
    room -= len(retold)
    side = min(max(_PANEL[0], display.width // 3), _PANEL[1])
    left = display.width - side - 2
    if table.menu.opening:
        body = _panel(table, display, display.width, room - 1)
        body.insert(0, Text())
    elif left >= NARROWEST_BOARD:
        panel = _panel(table, display, side, room, by_line=True)
        body = beside(_board(table, display, left, room).lines, panel, left + 2)
    else:
        body = _stacked(table, display, room)
    return [*head, *retold, *body]


def _news(table: Table, display: Display, room: int) -> Lines:
    """Return what happened since the last turn; only the latest of it where room is short."""
    news = table.narrator.news(table.match, table.game.turn, knows=table.game.turn)
    while True:
        lines = flow(map(Text, news), display.width)
        if len(lines) <= max(room, 1) or len(news) == 1 or table.menu.opening:
            return lines
        news = news[1:]


def draw_header(table: Table, display: Display) -> Lines:
    """Draw which round it is, and how everybody stands."""
    match, game = table.match, table.game
    items = [Text(table.narrator.round_title(match), display.quiet)]
    for seat, standing in enumerate(table.narrator.standings(match)):
        now = seat == game.turn and not game.over
        items.append(Text(standing, display.strong if now else Style.null()))
    return flow(items, display.width)


def draw_board(
    game: Game,
    display: Display,
    *,
    width: int,
    height: int | None = None,
    labels: Mapping[Cell, str] | None = None,
) -> Lines:
    """Draw the board with its last tile marked."""
    return split(
        board_text(
            game.board,
            width=width,
            height=height,
            last=last_place(game),
            labels=labels,
            color=display.color,
            ascii_only=display.ascii_only,
        )
    )


def draw_rack(table: Table, display: Display, width: int, *, triangles: bool) -> Lines:
    """Draw the rack of the player to move, with a star on what can be placed, unless all can."""
    rack = sorted(table.game.racks[table.game.turn])
    playable = {option.place.tile for option in table.menu.options}
    return split(
        rack_text(
            rack,
            width=width,
            marked=() if len(playable) == len(rack) else playable,
            color=display.color,
            ascii_only=display.ascii_only,
            triangles=triangles,
        )
    )


def last_place(game: Game) -> Place | None:
    """Return the last placement of a round."""
    laid = (ply.move for ply in reversed(game.plies) if isinstance(ply.move, Place))
    return next(laid, None)


# --- The board -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Board:
    """A board as it is drawn in a window."""

    lines: Lines
    scale: int
    """How many lines a row of tiles takes."""
    whole: bool


def _board(table: Table, display: Display, width: int, height: int) -> _Board:
    """Draw the board in a window; of one that is too high, the part where tiles can go."""
    game, labels = table.game, table.menu.labels
    lines = draw_board(game, display, width=width, height=height, labels=labels)
    cells = [*(place.cell for place in game.board.places), *labels]
    rows = [vertex.y for cell in cells for vertex in cell.vertices]
    scale = (len(lines) - 1) // (max(rows) - min(rows))
    if len(lines) <= height:
        # Where the board was cut on the sides, a line below it says so.
        return _Board(lines, scale, whole=len(lines) == scale * (max(rows) - min(rows)) + 1)
    last = last_place(game)
    focus = list(labels) or ([last.cell] if last else cells)
    kept = max(height - 1, 3)
    first = _window([(max(rows) - cell.y) * scale for cell in focus], scale, kept, len(lines))
    note = Text(table.narrator.cut_note(first, len(lines) - first - kept), display.quiet)
    note.truncate(width)
    return _Board([*lines[first : first + kept], note], scale, whole=False)


def _window(bottoms: list[int], scale: int, kept: int, lines: int) -> int:
    """Return the first of the *kept* lines that show most cells, and have them in the middle.

    A cell has its *scale* lines above its bottom line.
    """
    middle = sum(bottoms) / len(bottoms) - (kept + scale) / 2

    def seen(first: int) -> tuple[int, float]:
        inside = sum(first <= bottom - scale and bottom < first + kept for bottom in bottoms)
        return inside, -abs(first - middle)

    return max(range(lines - kept + 1), key=seen)


def _stacked(table: Table, display: Display, room: int) -> Lines:
    """Draw the choices under the board, with the form of the rack that leaves it most room."""
    found = []
    for high in (room // 2, 0):
        panel = _panel(table, display, display.width, high)
        board = _board(table, display, display.width, max(room - len(panel), 5))
        lines = [*board.lines, *panel]
        found.append(((len(lines) <= room, board.whole, board.scale), lines))
    return max(found, key=lambda item: item[0])[1]


# --- The choices ---------------------------------------------------------------------------------


def _panel(
    table: Table, display: Display, width: int, room: int, *, by_line: bool = False
) -> Lines:
    """Draw the rack, the places and the other moves in the most spacious form that fits."""
    advice = wrapped(Text(table.narrator.advice(table.menu), display.quiet), width)
    choices = _choices(table, display, width, by_line=by_line)
    for triangles in (True, False):
        airy = [
            *draw_rack(table, display, width, triangles=triangles),
            Text(),
            *choices,
            *advice,
            Text(),
            *_commands(table, display, width),
        ]
        if len(airy) <= room:
            return airy
    return [
        *draw_rack(table, display, width, triangles=False),
        *_choices(table, display, width, by_line=False),
        *([] if table.menu.is_able else advice),
        *_commands(table, display, width, short=True),
    ]


def _choices(table: Table, display: Display, width: int, *, by_line: bool) -> Lines:
    """List where the tiles can go, by tile."""
    items = []
    for tile in sorted(table.game.racks[table.game.turn]):
        options = table.menu.of_tile(tile)
        if options:
            places = Text(", ").join(_option(option, table, display) for option in options)
            items.append(Text.assemble(tile_text(tile, color=display.color), ": ", places))
    return flow(items, width, gap=width if by_line else 3)


def _option(option: Option, table: Table, display: Display) -> Text:
    gain = table.narrator.gain(option)
    return Text.assemble((option.label, display.strong), f" {gain}" if gain else "")


def _commands(table: Table, display: Display, width: int, *, short: bool = False) -> Lines:
    """List what else can be done, with its price; *short* leaves out what the help has."""
    menu, narrator = table.menu, table.narrator
    items = [
        Text.assemble((key(item.move), display.strong), " ", narrator.other(item, menu, table.game))
        for item in menu.others
    ]
    for letter, name in (("u", "undo"), ("?", "helpWord"), ("q", "leave")):
        if letter == "?" or not (short or (letter == "u" and not table.can_undo)):
            what = narrator.say(f"cli.{name}")
            items.append(Text.assemble((letter, display.strong), (f" {what}", display.quiet)))
    return flow(items, width)
