"""The rule book on a screen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich import box
from rich.table import Table
from rich.text import Text

from triomino.cli.output import console
from triomino.cli.rulebook import CHAPTERS, changes, dealing, deals, plain, rulebook, shown
from triomino.rules import EDITIONS

if TYPE_CHECKING:
    from rich.console import Console

    from triomino.rules import Rules

MARK: Final = "*"
"""Before everything that differs from the edition."""


def print_rules(rules: Rules) -> None:
    """Print all of it to standard output."""
    screen = console()
    base = EDITIONS[rules.edition]
    changed = changes(rules)
    screen.print(Text(f"Triangular dominoes, {rules.edition}", style="bold"))
    if changed:
        screen.print(Text(f"{MARK} marks what differs from the edition.", style="yellow"))
    usual = {chapter.title: chapter.paragraphs for chapter in rulebook(base)}
    for chapter in rulebook(rules):
        screen.print()
        screen.print(Text(chapter.title, style="bold"))
        for paragraph in chapter.paragraphs:
            _print(screen, paragraph, marked=paragraph not in usual[chapter.title])
        if CHAPTERS[chapter.title] is dealing:
            screen.print(_deal_table(rules, base))
    screen.print()
    screen.print(Text("All fields, as in a file of house rules", style="bold"))
    for name in plain(rules):
        _print_field(screen, name, getattr(rules, name), getattr(base, name), rules.edition)
    idle = [change.name for change in changed if not change.matters]
    if idle:
        screen.print()
    for name in idle:
        _print(screen, f"{name} makes no difference with the other rules here.")


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


def _deal_table(rules: Rules, base: Rules) -> Table:
    table = Table(box=box.SIMPLE, pad_edge=False)
    for head in ("players", "tiles each", "in the pool"):
        table.add_column(head, justify="right")
    usual = deals(base)
    for row in deals(rules):
        marked = row not in usual
        cells = [str(number) for number in row]
        if marked:
            cells[0] = f"{MARK} {cells[0]}"
        table.add_row(*cells, style="yellow" if marked else "")
    return table
