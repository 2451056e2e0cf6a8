"""The rule book, printed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from rich import box
from rich.columns import Columns
from rich.table import Table
from rich.text import Text

from triomino.board import Board
from triomino.render.text import board_text
from triomino.rulebook import FIGURES, changes, deals, rulebook, shown
from triomino.rules import EDITIONS
from triomino.scoring import Reason, placement_scores
from triomino.terminal.output import console

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.console import Console

    from triomino.moves import Place
    from triomino.rules import Rules
    from triomino.words import Words

MARK: Final = "*"
"""What marks a line that differs from the edition."""


def print_rules(rules: Rules, words: Words) -> None:
    """Print the rule book of some rules to standard output."""
    screen = console()
    words = words.of_cards(rules.speaks_of_cards)
    base = EDITIONS[rules.edition]
    changed = changes(rules)
    title = words.say("rules.terminal.title", edition=words.say(f"edition.{rules.edition}"))
    screen.print(Text(title, style="bold"))
    if changed:
        screen.print(Text(words.say("rules.terminal.marks", mark=MARK), style="yellow"))
    # Another word for the tiles changes no rule, so it marks no line.
    usual = {
        line
        for _, lines in chapter_texts(replace(base, piece=rules.piece), words)
        for line in lines
    }
    for chapter, (heading, lines) in zip(rulebook(rules), chapter_texts(rules, words), strict=True):
        screen.print()
        screen.print(Text(heading, style="bold"))
        for line in lines:
            _print(screen, line, marked=line not in usual)
        if chapter.name == "deal":
            _print_deals(screen, rules, base, words)
        # A drawing runs from left to right, and lines of the other direction are read.
        if not words.right_to_left:
            _print_figures(screen, chapter.figures, rules, words)
    screen.print()
    screen.print(Text(words.say("rules.terminal.fields"), style="bold"))
    for name in rules.to_json():
        _print_field(screen, name, getattr(rules, name), getattr(base, name), rules.edition)
    idle = [change.name for change in changed if not change.matters]
    if idle:
        screen.print()
    for name in idle:
        _print(screen, words.say("rules.terminal.idle", field=name))


def chapter_texts(rules: Rules, words: Words) -> list[tuple[str, list[str]]]:
    """Return the rule book in a language: a heading and its lines for each chapter."""
    words = words.of_cards(rules.speaks_of_cards)
    return [
        (words.say(chapter.title), [words.say(line.key, **line.values) for line in chapter.lines])
        for chapter in rulebook(rules)
    ]


def _print(screen: Console, paragraph: str, *, marked: bool = False) -> None:
    style = "yellow" if marked else ""
    for number, line in enumerate(Text(paragraph).wrap(screen, screen.width - 2)):
        mark = "  " if number else f"{MARK} " if marked else "- "
        screen.print(Text(mark + line.plain.rstrip(), style=style))


def _print_figures(screen: Console, names: Iterable[str], rules: Rules, words: Words) -> None:
    """Draw the figures that the rules allow; the last tile is marked."""
    drawn = []
    for name in names:
        board, place = Board.of(FIGURES[name].board), FIGURES[name].place
        if board.why_not(place) is None:
            below = words.say(f"rules.figure.{name}"), added_up(board, place, rules)
            board.lay(place)
            picture = board_text(board, width=screen.width, last=place, color=False)
            drawn.append(Text("\n".join([picture.plain.rstrip(), *filter(None, below), ""])))
    if drawn:
        screen.print()
        screen.print(Columns(drawn, padding=(0, 4)))


def added_up(board: Board, place: Place, rules: Rules) -> str:
    """Return the points of a placement as a sum; empty where it scores nothing.

    >>> from triomino import CLASSIC, Place
    >>> added_up(Board(), Place.parse("U(0,0)=1-3-4"), CLASSIC)
    '1 + 3 + 4 = 8'
    """
    scores = [*placement_scores(board, 0, place, rules)]
    parts: list[int] = []
    for score in scores:
        parts += place.numbers if score.reason is Reason.TILE else (score.points,)
    total = sum(score.points for score in scores)
    if len(parts) > 1:
        return f"{' + '.join(map(str, parts))} = {total}"
    return f"+{total}" if total else ""


def _print_field(screen: Console, name: str, value: object, usual: object, edition: str) -> None:
    line = f"{name} = {shown(value)}"
    if value == usual:
        screen.print(Text(line), soft_wrap=True)
    else:
        screen.print(Text(f"{line}  # {edition}: {shown(usual)}", style="yellow"), soft_wrap=True)


def _print_deals(screen: Console, rules: Rules, base: Rules, words: Words) -> None:
    heads = [words.say(f"rules.deal.{name}") for name in ("players", "each", "pool")]
    usual = deals(base)
    if words.right_to_left:
        # A table would be turned round column by column; a line reads in its own direction.
        for row in deals(rules):
            cells = zip(heads, row, strict=True)
            line = ", ".join(f"{head}: {words.number(number)}" for head, number in cells)
            _print(screen, line, marked=row not in usual)
        return
    table = Table(box=box.SIMPLE, pad_edge=False)
    for head in heads:
        table.add_column(head, justify="right")
    for row in deals(rules):
        marked = row not in usual
        numbers = [words.number(number) for number in row]
        if marked:
            numbers[0] = f"{MARK} {numbers[0]}"
        table.add_row(*numbers, style="yellow" if marked else "")
    screen.print(table)
