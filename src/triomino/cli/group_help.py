"""The help of a group of commands, in the boxes that Typer draws.

Typer's own drawing imports parsers for Markdown and for programming languages, which took a
quarter of the time of ``triomino --help``. A test holds this one to Typer's.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, ClassVar, Final, cast

from rich.columns import Columns
from rich.console import Console
from rich.highlighter import RegexHighlighter
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text
from rich.theme import Theme

if TYPE_CHECKING:
    from typer.core import TyperGroup

STYLES: Final = {
    "option": "bold cyan",
    "switch": "bold green",
    "types": "bold yellow",
    "types_sep": "dim",
    "usage": "yellow",
}


class _Options(RegexHighlighter):
    highlights: ClassVar[list[str]] = [
        r"(^|\W)(?P<switch>\-\w+)(?![a-zA-Z0-9])",
        r"(^|\W)(?P<option>\-\-[\w\-]+)(?![a-zA-Z0-9])",
        r"(?P<types>\<[^\>]+\>)",
        r"(?P<usage>Usage: )",
    ]


class _Types(RegexHighlighter):
    highlights: ClassVar[list[str]] = [r"^(?P<types_sep><)", r"(?P<types_sep>>)$"]


def print_group_help(group: TyperGroup, context: Any) -> None:
    """Print usage, help, options and commands of a group whose options are plain switches."""
    highlight, width = _Options(), os.environ.get("TERMINAL_WIDTH")
    forced = any(map(os.environ.get, ("GITHUB_ACTIONS", "FORCE_COLOR", "PY_COLORS")))
    screen = Console(
        theme=Theme(STYLES),
        force_terminal=True if forced else None,
        width=int(width) if width else None,
    )
    screen.print(Padding(highlight(group.get_usage(context)), 1), style="bold")
    screen.print(Padding(highlight(group.help or ""), (0, 1, 1, 1)))
    options = _table()
    for option in cast("list[Any]", group.get_params(context)):
        long = [name for name in option.opts if name.startswith("--")]
        short = [name for name in option.opts if name not in long]
        forms = highlight(",".join(long)), highlight(",".join(short))
        kind = Text(option.display_type_rich(context), style="bold yellow", overflow="fold")
        options.add_row(*forms, "", "", _Types()(kind), Columns([highlight(option.help)]))
    screen.print(_panel("Options", options))
    commands, names = _table(), group.list_commands(context)
    commands.add_column(style="bold cyan", no_wrap=True, width=max(map(len, names)))
    commands.add_column(ratio=10)
    for name in names:
        commands.add_row(Text(name), highlight(group.commands[name].help or ""))
    screen.print(_panel("Commands", commands))


def _table() -> Table:
    return Table(show_header=False, expand=True, box=None, pad_edge=False, padding=(0, 1))


def _panel(title: str, table: Table) -> Panel:
    return Panel(table, border_style="dim", title=title, title_align="left")
