"""What is shown at each stage, drawn for a screen or in lines that can be read aloud.

Nothing here changes anything, and nothing is shown that the viewer may not know.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from triomino.cli import words
from triomino.cli.drawing import draw_board, draw_header, draw_turn
from triomino.cli.look import paragraphs, wrapped
from triomino.cli.table import Stage

if TYPE_CHECKING:
    from triomino.cli.look import Lines, Look
    from triomino.cli.menu import Option
    from triomino.cli.table import Table
    from triomino.game import Game


def screen(table: Table, look: Look) -> Lines:
    """All that is shown before the table's question."""
    match table.stage:
        case Stage.TURN:
            return _read_turn(table) if look.plain else draw_turn(table, look)
        case Stage.HANDOVER:
            # Whoever was here last still looks on, so no tile that was drawn is named.
            news = words.news(table.match, table.game.turn, knows=None)
            return _under_board(table.game, [*_header(table, look), *paragraphs(news, look)], look)
        case Stage.SECRET:
            news = words.news(table.match, table.viewer, knows=table.viewer)
            return [*_header(table, look), *paragraphs(news[:1], look)]
        case Stage.ROUND_OVER | Stage.MATCH_OVER:
            return _over(table, look)
        case Stage.BOT:
            return _header(table, look)


def prompt(table: Table) -> str:
    """The last words before a person types."""
    name = table.name(table.game.turn)
    match table.stage:
        case Stage.HANDOVER:
            return f"Pass the screen to {name}, then press Enter. "
        case Stage.SECRET:
            return "Press Enter to hide your tiles. "
        case Stage.ROUND_OVER:
            return "Enter for the next round. "
        case _:
            return f"{words.owner(name)} move: "


def _header(table: Table, look: Look) -> Lines:
    if not look.plain:
        return draw_header(table, look)
    return [Text(f"{words.round_title(table.match)}. {', '.join(words.standings(table.match))}.")]


def _read_turn(table: Table) -> Lines:
    """A turn in lines: what happened, who stands where, the rack, the places, the rest."""
    game, menu = table.game, table.menu
    name = table.name(game.turn)
    lines = words.news(table.match, game.turn, knows=game.turn)
    lines.append(f"{words.round_title(table.match)}. {', '.join(words.standings(table.match))}.")
    playable = {option.place.tile for option in menu.options}
    tiles = [
        f"{tile} fits" if tile in playable and not menu.opening else str(tile)
        for tile in sorted(game.racks[game.turn])
    ]
    lines.append(f"{words.owner(name)} tiles: {', '.join(tiles)}.")
    for option in sorted(menu.options, key=lambda item: (item.place.tile, item.number)):
        where = "" if menu.opening else f" on {option.place.cell}, {_neighbours(game, option)}"
        gain = words.gain(option)
        lines.append(f"{option.label}: {option.place.tile}{where}{gain and ', ' + gain}")
    lines.append(words.advice(menu))
    others = [f"{words.key(item.move)}: {words.other(item, menu, game)}" for item in menu.others]
    undo = ["u: undo"] if table.can_undo else []
    lines.append("; ".join([*others, *undo, "?: help", "q: leave"]))
    return [Text(line) for line in lines]


def _neighbours(game: Game, option: Option) -> str:
    tiles = {place.cell: place.tile for place in game.board.places}
    found = [str(tiles[cell]) for cell in option.place.cell.neighbours if cell in tiles]
    return f"beside {words.listed(found)}"


def _over(table: Table, look: Look) -> Lines:
    """The end of a round, line by line, under its board if there is room."""
    match, game = table.match, table.game
    # The racks lie open now, but what was drawn when is nobody's business.
    since = table.viewer if table.viewer is not None or not table.people else game.turn
    lines = paragraphs(words.news(match, since, knows=None), look)
    lines.append(Text(f"Round {len(match.rounds)} is over.", look.strong))
    lines += paragraphs(words.round_over(match), look)
    closing = words.match_won(match) if match.over else words.round_won(match)
    for text in filter(None, (words.totals(match), closing)):
        lines += wrapped(Text(text, look.strong), look.width)
    return _under_board(game, lines, look)


def _under_board(game: Game, lines: Lines, look: Look) -> Lines:
    """Lines that all may see, with the board above them if there is room."""
    if look.plain or game.is_opening:
        return lines
    room = look.height - len(lines) - 3
    board = draw_board(game, look, width=look.width, height=room)
    return [*board, Text(), *lines] if len(board) <= room else lines
