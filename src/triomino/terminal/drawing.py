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
    from triomino.terminal.layout import Lines, Look
    from triomino.terminal.menu import Option
    from triomino.terminal.table import Table

NARROWEST_BOARD: Final = 36
"""Where a board would have fewer columns, the choices go below it."""
_PANEL: Final = (28, 44)
"""The narrowest and the widest the choices are beside a board."""


def draw_turn(table: Table, look: Look) -> Lines:
    """All that a decision needs. It leaves a line for an answer and one for the prompt."""
    head = draw_header(table, look)
    room = look.height - len(head) - 2
    retold = _news(table, look, room // 6)
    room -= len(retold)
    side = min(max(_PANEL[0], look.width // 3), _PANEL[1])
    left = look.width - side - 2
    if table.menu.opening:
        body = _panel(table, look, look.width, room - 1)
        body.insert(0, Text())
    elif left >= NARROWEST_BOARD:
        panel = _panel(table, look, side, room, by_line=True)
        body = beside(_board(table, look, left, room).lines, panel, left + 2)
    else:
        body = _stacked(table, look, room)
    return [*head, *retold, *body]


def _news(table: Table, look: Look, room: int) -> Lines:
    """What happened; where it is much, the latest of it. The sheet has it all."""
    news = table.tell.news(table.match, table.game.turn, knows=table.game.turn)
    while True:
        lines = flow(map(Text, news), look.width)
        if len(lines) <= max(room, 1) or len(news) == 1 or table.menu.opening:
            return lines
        news = news[1:]


def draw_header(table: Table, look: Look) -> Lines:
    """Which round it is, and how everybody stands."""
    match, game = table.match, table.game
    items = [Text(table.tell.round_title(match), look.quiet)]
    for seat, standing in enumerate(table.tell.standings(match)):
        now = seat == game.turn and not game.over
        items.append(Text(standing, look.strong if now else Style.null()))
    return flow(items, look.width)


def draw_board(
    game: Game,
    look: Look,
    *,
    width: int,
    height: int | None = None,
    labels: Mapping[Cell, str] | None = None,
) -> Lines:
    """The board with its last tile marked."""
    return split(
        board_text(
            game.board,
            width=width,
            height=height,
            last=last_place(game),
            labels=labels,
            color=look.color,
            ascii_only=look.ascii_only,
        )
    )


def draw_rack(table: Table, look: Look, width: int, *, triangles: bool) -> Lines:
    """The rack of the player to move, with a star on what can be placed, unless all can."""
    rack = sorted(table.game.racks[table.game.turn])
    playable = {option.place.tile for option in table.menu.options}
    return split(
        rack_text(
            rack,
            width=width,
            marked=() if len(playable) == len(rack) else playable,
            color=look.color,
            ascii_only=look.ascii_only,
            triangles=triangles,
        )
    )


def last_place(game: Game) -> Place | None:
    """The tile laid last."""
    laid = (turn.move for turn in reversed(game.plies) if isinstance(turn.move, Place))
    return next(laid, None)


# --- The board -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Board:
    """A board as it is drawn in a window."""

    lines: Lines
    scale: int
    """How many lines a row of tiles takes."""
    whole: bool


def _board(table: Table, look: Look, width: int, height: int) -> _Board:
    """The board in a window; of one that is too high, the part where tiles can go."""
    game, labels = table.game, table.menu.labels
    lines = draw_board(game, look, width=width, height=height, labels=labels)
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
    note = Text(table.tell.cut(first, len(lines) - first - kept), look.quiet)
    note.truncate(width)
    return _Board([*lines[first : first + kept], note], scale, whole=False)


def _window(bottoms: list[int], scale: int, kept: int, lines: int) -> int:
    """The first of *kept* lines that show most of the cells, and have them in the middle.

    A cell has its *scale* lines above its bottom line.
    """
    middle = sum(bottoms) / len(bottoms) - (kept + scale) / 2

    def seen(first: int) -> tuple[int, float]:
        inside = sum(first <= bottom - scale and bottom < first + kept for bottom in bottoms)
        return inside, -abs(first - middle)

    return max(range(lines - kept + 1), key=seen)


def _stacked(table: Table, look: Look, room: int) -> Lines:
    """The choices under the board: of the ways to draw the rack, the one the board likes best."""
    found = []
    for high in (room // 2, 0):
        panel = _panel(table, look, look.width, high)
        board = _board(table, look, look.width, max(room - len(panel), 5))
        lines = [*board.lines, *panel]
        found.append(((len(lines) <= room, board.whole, board.scale), lines))
    return max(found, key=lambda item: item[0])[1]


# --- The choices ---------------------------------------------------------------------------------


def _panel(table: Table, look: Look, width: int, room: int, *, by_line: bool = False) -> Lines:
    """The rack, the places and the other moves: the airiest form that has room."""
    advice = wrapped(Text(table.tell.advice(table.menu), look.quiet), width)
    choices = _choices(table, look, width, by_line=by_line)
    for triangles in (True, False):
        airy = [
            *draw_rack(table, look, width, triangles=triangles),
            Text(),
            *choices,
            *advice,
            Text(),
            *_commands(table, look, width),
        ]
        if len(airy) <= room:
            return airy
    return [
        *draw_rack(table, look, width, triangles=False),
        *_choices(table, look, width, by_line=False),
        *([] if table.menu.is_able else advice),
        *_commands(table, look, width, short=True),
    ]


def _choices(table: Table, look: Look, width: int, *, by_line: bool) -> Lines:
    """Where the tiles can go, by tile."""
    items = []
    for tile in sorted(table.game.racks[table.game.turn]):
        options = table.menu.of_tile(tile)
        if options:
            places = Text(", ").join(_option(option, table, look) for option in options)
            items.append(Text.assemble(tile_text(tile, color=look.color), ": ", places))
    return flow(items, width, gap=width if by_line else 3)


def _option(option: Option, table: Table, look: Look) -> Text:
    gain = table.tell.gain(option)
    return Text.assemble((option.label, look.strong), f" {gain}" if gain else "")


def _commands(table: Table, look: Look, width: int, *, short: bool = False) -> Lines:
    """What else can be done, with its price; where it must be short, the help has the rest."""
    menu, tell = table.menu, table.tell
    items = [
        Text.assemble((key(item.move), look.strong), " ", tell.other(item, menu, table.game))
        for item in menu.others
    ]
    for letter, name in (("u", "undo"), ("?", "helpWord"), ("q", "leave")):
        if letter == "?" or not (short or (letter == "u" and not table.can_undo)):
            what = tell.say(f"cli.{name}")
            items.append(Text.assemble((letter, look.strong), (f" {what}", look.quiet)))
    return flow(items, width)
