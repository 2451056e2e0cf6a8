"""What a person can ask to see: the score sheet, the rack, the board, the rules, the help."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich.style import Style
from rich.text import Text

from triomino.terminal.commands import Word
from triomino.terminal.drawing import draw_board, draw_rack, last_place
from triomino.terminal.layout import paragraphs, wrapped
from triomino.terminal.narrator import values
from triomino.terminal.rulebook import said
from triomino.terminal.table import Stage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triomino.game import Game
    from triomino.moves import Place
    from triomino.terminal.layout import Lines, Look
    from triomino.terminal.narrator import Entry, Teller
    from triomino.terminal.table import Table

_NARROWEST_SHEET: Final = 28
"""Where the words would have fewer columns, the totals go behind them."""
_WIDEST_SHEET: Final = 48


def page(table: Table, what: Word, look: Look) -> Lines:
    """One of them."""
    match what:
        case Word.SHEET:
            return _sheet(table, look)
        case Word.RACK:
            return _rack(table, look)
        case Word.BOARD:
            return _board(table, look)
        case Word.RULES:
            return _rules(table, look)
        case _:
            return _help(table.tell, look)


def _rack(table: Table, look: Look) -> Lines:
    rack = sorted(table.game.racks[table.game.turn])
    total = table.tell.say("cli.rack.worth", count=len(rack), points=values(rack))
    if look.plain:
        return [Text(f"{table.tell.tiles(rack)}: {total}")]
    return [*draw_rack(table, look, look.width, triangles=True), Text(total)]


def _board(table: Table, look: Look) -> Lines:
    game = table.game
    if not len(game.board):
        return [Text(table.tell.say("cli.board.empty"))]
    if look.plain:
        return _read_board(game, table.tell)
    labels = table.menu.labels if table.stage is Stage.TURN else {}
    return draw_board(game, look, width=look.width, labels=labels)


def _read_board(game: Game, tell: Teller) -> Lines:
    rows: dict[int, list[Place]] = {}
    for place in game.board.places:
        rows.setdefault(place.cell.y, []).append(place)
    lines = [Text(tell.say("cli.board.rows", count=len(game.board)))]
    for row in sorted(rows, reverse=True):
        places = sorted(rows[row], key=lambda place: place.cell)
        lines.append(Text(tell.words.isolated(", ".join(map(str, places)))))
    last = last_place(game)
    return [*lines, Text(tell.say("cli.board.last", place=str(last)))] if last else lines


def _rules(table: Table, look: Look) -> Lines:
    """The whole book of the rules that are played."""
    lines: Lines = []
    for heading, told in said(table.match.rules, table.tell.words):
        lines += [Text(heading, look.strong), *paragraphs([f"  {line}" for line in told], look)]
    return lines


def _help(tell: Teller, look: Look) -> Lines:
    known = tell.help()
    wide = max(len(typed) for typed, _ in known)
    if look.plain or look.width < 5 * wide:
        return paragraphs([f"{tell.words.isolated(typed)}: {what}" for typed, what in known], look)
    lines = [Text.assemble((f"{typed:<{wide}}  ", look.strong), what) for typed, what in known]
    return [*lines, Text(tell.say("cli.help.star"))]


# --- The score sheet -----------------------------------------------------------------------------


def _sheet(table: Table, look: Look) -> Lines:
    match, tell = table.match, table.tell
    names = [tell.called(player) for player in match.players]
    columns = [max(5, min(len(name), 8)) + 1 for name in names]
    wide = min(look.width - sum(columns), _WIDEST_SHEET)
    in_columns = match.rules.scoring and not look.plain and wide >= _NARROWEST_SHEET
    lines: Lines = []
    for number, game in enumerate(match.rounds, 1):
        title = Text(tell.say("sheet.round", number=number), look.strong)
        if in_columns:
            lines += _pad(title, tell.sheet(game), names, columns, wide)
        else:
            lines += [title, *_list(game, names, tell, look)]
    return lines


def _pad(
    title: Text, entries: Sequence[Entry], names: Sequence[str], columns: Sequence[int], wide: int
) -> Lines:
    """A round as on a paper pad: a column for the running total of each player."""
    ends = [wide + sum(columns[: seat + 1]) for seat in range(len(names))]
    for name, end, column in zip(names, ends, columns, strict=True):
        short = Text(name)
        short.truncate(column - 1)
        title.append(" " * (end - title.cell_len - short.cell_len)).append_text(short)
    lines = [title]
    for entry in entries:
        lines += wrapped(Text(f"{names[entry.seat]}: {entry.what}"), wide)
        total = str(entry.total)
        lines[-1].append(" " * (ends[entry.seat] - len(total) - lines[-1].cell_len)).append(total)
    return lines


def _list(game: Game, names: Sequence[str], tell: Teller, look: Look) -> Lines:
    lines: Lines = []
    for entry in tell.sheet(game):
        total = f" = {tell.words.number(entry.total)}" if game.rules.scoring else ""
        name = tell.words.isolated(names[entry.seat])
        text = Text(f"{name}: {entry.what}{total}", Style.null())
        lines += wrapped(text, look.width)
    return lines
