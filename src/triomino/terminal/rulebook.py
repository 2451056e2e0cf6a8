"""The rule book, printed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from rich import box
from rich.table import Table
from rich.text import Text

from triomino.rulebook import changes, deals, rulebook, shown
from triomino.rules import EDITIONS
from triomino.terminal.guide import (
    MARK,
    print_figures,
    print_guide,
    print_heading,
    print_line,
    print_summary,
)
from triomino.terminal.output import console

if TYPE_CHECKING:
    from rich.console import Console

    from triomino.rules import Rules
    from triomino.words import Words


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
    usual_rules = replace(base, piece=rules.piece)
    usual = {line for _, lines in chapter_texts(usual_rules, words) for line in lines}
    print_summary(screen, rules, usual_rules, words)
    for chapter, (heading, lines) in zip(rulebook(rules), chapter_texts(rules, words), strict=True):
        print_heading(screen, heading)
        for line in lines:
            print_line(screen, line, marked=line not in usual)
        if chapter.name == "deal":
            _print_deals(screen, rules, base, words)
        print_figures(screen, chapter.figures, rules, words)
    print_guide(screen, rules, words)
    print_heading(screen, words.say("rules.terminal.fields"))
    for name in rules.to_json():
        _print_field(screen, name, getattr(rules, name), getattr(base, name), rules.edition)
    idle = [change.name for change in changed if not change.matters]
    if idle:
        screen.print()
    for name in idle:
        print_line(screen, words.say("rules.terminal.idle", field=name))


def chapter_texts(rules: Rules, words: Words) -> list[tuple[str, list[str]]]:
    """Return the rule book in a language: a heading and its lines for each chapter."""
    words = words.of_cards(rules.speaks_of_cards)
    return [
        (words.say(chapter.title), [words.say(line.key, **line.values) for line in chapter.lines])
        for chapter in rulebook(rules)
    ]


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
            print_line(screen, line, marked=row not in usual)
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
