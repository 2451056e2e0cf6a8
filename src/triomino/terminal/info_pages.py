"""Pages on request: the score sheet, the rack, the board, the rules, the help."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich.style import Style
from rich.text import Text

from triomino.terminal.commands import Word
from triomino.terminal.drawing import draw_board, draw_rack, last_place
from triomino.terminal.layout import paragraphs, wrapped
from triomino.terminal.narrator import points_of
from triomino.terminal.rulebook import chapter_texts
from triomino.terminal.table import Stage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triomino.game import Game
    from triomino.moves import Place
    from triomino.terminal.layout import Display, Lines
    from triomino.terminal.narrator import Entry, Narrator
    from triomino.terminal.table import Table

_NARROWEST_SHEET: Final = 28
"""Where the words would have fewer columns, the totals go behind them."""
_WIDEST_SHEET: Final = 48


def page(table: Table, what: Word, display: Display) -> Lines:
    """Return the lines of the page that *what* asks for; by default the help."""
    match what:
        case Word.SHEET:
            return _sheet(table, display)
        case Word.RACK:
            return _rack(table, display)
        case Word.BOARD:
            return _board(table, display)
        case Word.RULES:
            return _rules(table, display)
        case _:
            return _help(table.narrator, display)


def _rack(table: Table, display: Display) -> Lines:
    rack = sorted(table.game.racks[table.game.turn])
    total = table.narrator.say("cli.rack.worth", count=len(rack), points=points_of(rack))
    if display.plain:
        return [Text(f"{table.narrator.tiles(rack)}: {total}")]
    return [*draw_rack(table, display, display.width, triangles=True), Text(total)]


def _board(table: Table, display: Display) -> Lines:
    game = table.game
    if not len(game.board):
        return [Text(table.narrator.say("cli.board.empty"))]
    if display.plain:
        return _read_board(game, table.narrator)
    labels = table.menu.labels if table.stage is Stage.TURN else {}
    return draw_board(game, display, width=display.width, labels=labels)


def _read_board(game: Game, narrator: Narrator) -> Lines:
    rows: dict[int, list[Place]] = {}
    for place in game.board.places:
        rows.setdefault(place.cell.y, []).append(place)
    lines = [Text(narrator.say("cli.board.rows", count=len(game.board)))]
    for row in sorted(rows, reverse=True):
        places = sorted(rows[row], key=lambda place: place.cell)
        lines.append(Text(narrator.words.isolated(", ".join(map(str, places)))))
    last = last_place(game)
    return [*lines, Text(narrator.say("cli.board.last", place=str(last)))] if last else lines


def _rules(table: Table, display: Display) -> Lines:
    """Return the rule book of the rules that are played."""
    lines: Lines = []
    for heading, told in chapter_texts(table.match.rules, table.narrator.words):
        lines += [
            Text(heading, display.strong),
            *paragraphs([f"  {line}" for line in told], display),
        ]
    return lines


def _help(narrator: Narrator, display: Display) -> Lines:
    known = narrator.help()
    wide = max(len(typed) for typed, _ in known)
    if display.plain or display.width < 5 * wide:
        return paragraphs(
            [f"{narrator.words.isolated(typed)}: {what}" for typed, what in known], display
        )
    lines = [Text.assemble((f"{typed:<{wide}}  ", display.strong), what) for typed, what in known]
    return [*lines, Text(narrator.say("cli.help.star"))]


# --- The score sheet -----------------------------------------------------------------------------


def _sheet(table: Table, display: Display) -> Lines:
    match, narrator = table.match, table.narrator
    names = [narrator.display_name(player) for player in match.players]
    columns = [max(5, min(len(name), 8)) + 1 for name in names]
    wide = min(display.width - sum(columns), _WIDEST_SHEET)
    in_columns = match.rules.scoring and not display.plain and wide >= _NARROWEST_SHEET
    lines: Lines = []
    for number, game in enumerate(match.rounds, 1):
        title = Text(narrator.say("sheet.round", number=number), display.strong)
        if in_columns:
            lines += _pad(title, narrator.sheet(game), names, columns, wide)
        else:
            lines += [title, *_list(game, names, narrator, display)]
    return lines


def _pad(
    title: Text, entries: Sequence[Entry], names: Sequence[str], columns: Sequence[int], wide: int
) -> Lines:
    """Lay out a round as on a paper pad: a column for the running total of each player."""
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


def _list(game: Game, names: Sequence[str], narrator: Narrator, display: Display) -> Lines:
    lines: Lines = []
    for entry in narrator.sheet(game):
        total = f" = {narrator.words.number(entry.total)}" if game.rules.scoring else ""
        name = narrator.words.isolated(names[entry.seat])
        text = Text(f"{name}: {entry.what}{total}", Style.null())
        lines += wrapped(text, display.width)
    return lines
