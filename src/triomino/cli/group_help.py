"""The help of a group of commands: what it is for, its commands and its options.

Typer would draw it too, but only after importing parsers for Markdown and for program code, which
takes longer than everything else that ``triomino --help`` does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from typer.core import TyperGroup


def print_group_help(group: TyperGroup, context: Any) -> None:
    """Print the help of *group*; what it lists is what its commands and options say."""
    screen = Console()
    usage = " ".join([context.command_path, *group.collect_usage_pieces(context)])
    screen.print(f"\n Usage: {usage}\n\n {group.help}\n", markup=False, highlight=False)
    commands = [(name, group.commands[name].help) for name in group.list_commands(context)]
    params: Iterable[Any] = group.get_params(context)
    options = [(" ".join(sorted(param.opts)), param.help) for param in params if param.opts]
    for title, rows in (("Commands", commands), ("Options", options)):
        table = Table.grid(padding=(0, 2))
        table.add_column(style="bold cyan", no_wrap=True)
        for name, text in rows:
            table.add_row(Text(name), Text(text or ""))
        screen.print(Panel(table, title=title, title_align="left", border_style="dim"))
