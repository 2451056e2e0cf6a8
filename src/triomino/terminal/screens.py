"""The screen of each stage, drawn or in lines that can be read aloud.

Nothing here changes the table, and nothing is shown that the viewer may not know.
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
    from triomino.terminal.layout import Display, Lines
    from triomino.terminal.menu import Option
    from triomino.terminal.table import Table


def screen(table: Table, display: Display) -> Lines:
    """Return all that is shown above the prompt."""
    match table.stage:
        case Stage.TURN:
            return _read_turn(table) if display.plain else draw_turn(table, display)
        case Stage.HANDOVER:
            # Whoever was here last still looks on, so no tile that was drawn is named.
            news = table.narrator.news(table.match, table.game.turn, knows=None)
            return _under_board(
                table.game, [*_header(table, display), *paragraphs(news, display)], display
            )
        case Stage.SECRET:
            news = table.narrator.news(table.match, table.viewer, knows=table.viewer)
            return [*_header(table, display), *paragraphs(news[:1], display)]
        case Stage.ROUND_OVER | Stage.MATCH_OVER:
            return _over(table, display)
        case Stage.BOT:
            return _header(table, display)


def prompt(table: Table) -> str:
    """Return the prompt of the stage."""
    name, say = table.name(table.game.turn), table.narrator.say
    match table.stage:
        case Stage.HANDOVER:
            text = say("cli.prompt.screen", name=name)
        case Stage.SECRET:
            text = say("cli.prompt.hide")
        case Stage.ROUND_OVER:
            text = say("cli.prompt.next")
        case _ if name == table.narrator.you:
            text = say("cli.prompt.your")
        case _:
            text = say("cli.prompt.move", name=name)
    return f"{text} "


def _header(table: Table, display: Display) -> Lines:
    if not display.plain:
        return draw_header(table, display)
    return [Text(_standing(table))]


def _standing(table: Table) -> str:
    """Return which round it is and how everybody stands, in one line."""
    narrator, match = table.narrator, table.match
    return f"{narrator.round_title(match)}. {', '.join(narrator.standings(match))}."


def _read_turn(table: Table) -> Lines:
    """Return a turn in lines: what happened, the standings, the rack, the places, the rest."""
    game, menu = table.game, table.menu
    name, narrator = table.name(game.turn), table.narrator
    lines = table.narrator.news(table.match, game.turn, knows=game.turn)
    lines.append(_standing(table))
    playable = {option.place.tile for option in menu.options}
    tiles = [
        narrator.say("cli.read.fits", tile=str(tile))
        if tile in playable and not menu.opening
        else narrator.words.isolated(str(tile))
        for tile in sorted(game.racks[game.turn])
    ]
    whose = "cli.read.yours" if name == narrator.you else "cli.read.rack"
    lines.append(narrator.say(whose, name=name, tiles=", ".join(tiles)))
    for option in sorted(menu.options, key=lambda item: (item.place.tile, item.number)):
        gain = narrator.gain(option)
        lines.append(f"{_place(table, option)}{gain and ', ' + gain}")
    lines.append(narrator.advice(menu))
    others = [f"{key(item.move)}: {narrator.other(item, menu, game)}" for item in menu.others]
    undo = [f"u: {narrator.say('cli.undo')}"] if table.can_undo else []
    always = [f"?: {narrator.say('cli.helpWord')}", f"q: {narrator.say('cli.leave')}"]
    lines.append("; ".join([*others, *undo, *always]))
    return [Text(line) for line in lines]


def _place(table: Table, option: Option) -> str:
    """Describe where a tile can go."""
    narrator, place = table.narrator, option.place
    if table.menu.opening:
        return narrator.words.isolated(f"{option.label}: {place.tile}")
    tiles = {laid.cell: laid.tile for laid in table.game.board.places}
    found = [str(tiles[cell]) for cell in place.cell.neighbours if cell in tiles]
    return narrator.say(
        "cli.read.place",
        label=option.label,
        tile=str(place.tile),
        cell=str(place.cell),
        tiles=narrator.words.listed(found),
    )


def _over(table: Table, display: Display) -> Lines:
    """Return the end of a round, line by line, under its board if there is room."""
    match, game = table.match, table.game
    # The racks lie open now, but what was drawn when is nobody's business.
    since = table.viewer if table.viewer is not None or not table.people else game.turn
    lines = paragraphs(table.narrator.news(match, since, knows=None), display)
    over = table.narrator.say("pad.roundOver", round=len(match.rounds))
    lines.append(Text(f"{over}.", display.strong))
    lines += paragraphs(table.narrator.round_over(match), display)
    closing = table.narrator.match_won(match) if match.over else table.narrator.round_won(match)
    for text in filter(None, (table.narrator.totals(match), closing)):
        lines += wrapped(Text(text, display.strong), display.width)
    return _under_board(game, lines, display)


def _under_board(game: Game, lines: Lines, display: Display) -> Lines:
    """Return lines that all may see, with the board above them if there is room."""
    if display.plain or game.is_opening:
        return lines
    room = display.height - len(lines) - 3
    board = draw_board(game, display, width=display.width, height=room)
    return [*board, Text(), *lines] if len(board) <= room else lines
