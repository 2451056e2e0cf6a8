"""The rule book on a screen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich import box
from rich.table import Table
from rich.text import Text

from triomino.cli.output import console
from triomino.rulebook import changes, deals, plain, rulebook, shown, speaks_of_cards
from triomino.rules import EDITIONS

if TYPE_CHECKING:
    from rich.console import Console

    from triomino.rules import Rules
    from triomino.words import Words

MARK: Final = "*"
"""Before everything that differs from the edition."""


def print_rules(rules: Rules, words: Words) -> None:
    """Print all of it to standard output."""
    screen = console()
    words = words.of_cards(speaks_of_cards(rules))
    base = EDITIONS[rules.edition]
    changed = changes(rules)
    title = words.say("rules.terminal.title", edition=words.say(f"edition.{rules.edition}"))
    screen.print(Text(title, style="bold"))
    if changed:
        screen.print(Text(words.say("rules.terminal.marks", mark=MARK), style="yellow"))
    usual = {line for chapter in said(base, words) for line in chapter[1]}
    for heading, lines in said(rules, words):
        screen.print()
        screen.print(Text(heading, style="bold"))
        for line in lines:
            _print(screen, line, marked=line not in usual)
        if heading == words.say("rules.chapter.deal"):
            _print_deals(screen, rules, base, words)
    screen.print()
    screen.print(Text(words.say("rules.terminal.fields"), style="bold"))
    for name in plain(rules):
        _print_field(screen, name, getattr(rules, name), getattr(base, name), rules.edition)
    idle = [change.name for change in changed if not change.matters]
    if idle:
        screen.print()
    for name in idle:
        _print(screen, words.say("rules.terminal.idle", field=name))


def said(rules: Rules, words: Words) -> list[tuple[str, list[str]]]:
    """The book in a language: a heading and its lines for each chapter."""
    words = words.of_cards(speaks_of_cards(rules))
    return [
        (words.say(chapter.title), [words.say(line.key, **line.values) for line in chapter.lines])
        for chapter in rulebook(rules)
    ]


def _print(screen: Console, paragraph: str, *, marked: bool = False) -> None:
    style = "yellow" if marked else ""
    for number, line in enumerate(Text(paragraph).wrap(screen, screen.width - 2)):
        mark = "  " if number else f"{MARK} " if marked else "- "
        screen.print(Text(mark + line.plain.rstrip(), style=style))


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
