"""What is shown at each stage, drawn for a screen or in lines that can be read aloud.

Nothing here changes anything, and nothing is shown that the viewer may not know.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from triomino.terminal.drawing import draw_board, draw_header, draw_turn
from triomino.terminal.layout import paragraphs, wrapped
from triomino.terminal.narrator import key
from triomino.terminal.table import Stage

if TYPE_CHECKING:
    from triomino.game import Game
    from triomino.terminal.layout import Lines, Look
    from triomino.terminal.menu import Option
    from triomino.terminal.table import Table


def screen(table: Table, look: Look) -> Lines:
    """All that is shown before the table's question."""
    match table.stage:
        case Stage.TURN:
            return _read_turn(table) if look.plain else draw_turn(table, look)
        case Stage.HANDOVER:
            # Whoever was here last still looks on, so no tile that was drawn is named.
            news = table.tell.news(table.match, table.game.turn, knows=None)
            return _under_board(table.game, [*_header(table, look), *paragraphs(news, look)], look)
        case Stage.SECRET:
            news = table.tell.news(table.match, table.viewer, knows=table.viewer)
            return [*_header(table, look), *paragraphs(news[:1], look)]
        case Stage.ROUND_OVER | Stage.MATCH_OVER:
            return _over(table, look)
        case Stage.BOT:
            return _header(table, look)


def prompt(table: Table) -> str:
    """The last words before a person types."""
    name, say = table.name(table.game.turn), table.tell.say
    match table.stage:
        case Stage.HANDOVER:
            text = say("cli.prompt.screen", name=name)
        case Stage.SECRET:
            text = say("cli.prompt.hide")
        case Stage.ROUND_OVER:
            text = say("cli.prompt.next")
        case _ if name == table.tell.you:
            text = say("cli.prompt.your")
        case _:
            text = say("cli.prompt.move", name=name)
    return f"{text} "


def _header(table: Table, look: Look) -> Lines:
    if not look.plain:
        return draw_header(table, look)
    return [Text(_standing(table))]


def _standing(table: Table) -> str:
    """Which round it is and how everybody stands, in one line."""
    tell, match = table.tell, table.match
    return f"{tell.round_title(match)}. {', '.join(tell.standings(match))}."


def _read_turn(table: Table) -> Lines:
    """A turn in lines: what happened, who stands where, the rack, the places, the rest."""
    game, menu = table.game, table.menu
    name, tell = table.name(game.turn), table.tell
    lines = table.tell.news(table.match, game.turn, knows=game.turn)
    lines.append(_standing(table))
    playable = {option.place.tile for option in menu.options}
    tiles = [
        tell.say("cli.read.fits", tile=str(tile))
        if tile in playable and not menu.opening
        else tell.words.isolated(str(tile))
        for tile in sorted(game.racks[game.turn])
    ]
    whose = "cli.read.yours" if name == tell.you else "cli.read.rack"
    lines.append(tell.say(whose, name=name, tiles=", ".join(tiles)))
    for option in sorted(menu.options, key=lambda item: (item.place.tile, item.number)):
        gain = tell.gain(option)
        lines.append(f"{_place(table, option)}{gain and ', ' + gain}")
    lines.append(tell.advice(menu))
    others = [f"{key(item.move)}: {tell.other(item, menu, game)}" for item in menu.others]
    undo = [f"u: {tell.say('cli.undo')}"] if table.can_undo else []
    always = [f"?: {tell.say('cli.helpWord')}", f"q: {tell.say('cli.leave')}"]
    lines.append("; ".join([*others, *undo, *always]))
    return [Text(line) for line in lines]


def _place(table: Table, option: Option) -> str:
    """Where a tile can go, in words."""
    tell, place = table.tell, option.place
    if table.menu.opening:
        return tell.words.isolated(f"{option.label}: {place.tile}")
    tiles = {laid.cell: laid.tile for laid in table.game.board.places}
    found = [str(tiles[cell]) for cell in place.cell.neighbours if cell in tiles]
    return tell.say(
        "cli.read.place",
        label=option.label,
        tile=str(place.tile),
        cell=str(place.cell),
        tiles=tell.words.listed(found),
    )


def _over(table: Table, look: Look) -> Lines:
    """The end of a round, line by line, under its board if there is room."""
    match, game = table.match, table.game
    # The racks lie open now, but what was drawn when is nobody's business.
    since = table.viewer if table.viewer is not None or not table.people else game.turn
    lines = paragraphs(table.tell.news(match, since, knows=None), look)
    over = table.tell.say("pad.roundOver", round=len(match.rounds))
    lines.append(Text(f"{over}.", look.strong))
    lines += paragraphs(table.tell.round_over(match), look)
    closing = table.tell.match_won(match) if match.over else table.tell.round_won(match)
    for text in filter(None, (table.tell.totals(match), closing)):
        lines += wrapped(Text(text, look.strong), look.width)
    return _under_board(game, lines, look)


def _under_board(game: Game, lines: Lines, look: Look) -> Lines:
    """Lines that all may see, with the board above them if there is room."""
    if look.plain or game.is_opening:
        return lines
    room = look.height - len(lines) - 3
    board = draw_board(game, look, width=look.width, height=room)
    return [*board, Text(), *lines] if len(board) <= room else lines
