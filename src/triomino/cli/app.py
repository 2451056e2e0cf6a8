"""``triomino``: the list of commands, and how errors are reported."""

from __future__ import annotations

import io
import os
import sys
from importlib import import_module
from shutil import get_terminal_size
from typing import Annotated, Any, Final, TextIO

import typer

from triomino.cli.lazy import Group, add_command
from triomino.errors import TriominoError, nearest

COMMANDS: Final = {
    "play": "Play a match in this terminal, against bots or with friends at one screen.",
    "serve": "Serve tables that people and bots play at, from this machine.",
    "judge": "Say which tiles may be laid, and what they score.",
    "simulate": "Let bots play matches: records for programs, or a table of who won.",
    "stats": "Play many rounds and show how they go: scores, lengths, bridges, hexagons, who wins.",
    "arena": "Let two bots play the same deals with the seats exchanged, and say who is stronger.",
    "hint": "Suggest the best move for the player to move, and say why.",
    "analyse": "Show what every decision cost, and what luck contributed.",
    "replay": "Play records again by the rules: a score sheet, or a check.",
    "verify": "Deal every round of a record again from its seeds, and say what that proves.",
    "rules": "Print the rules of an edition, with your house rules in them.",
    "render": "Draw a position, or a moment of a recorded match.",
    "bench": "Measure how fast rounds are played.",
    "doctor": "Say what is installed: versions, kernel, page, where the data is, what is missing.",
}
"""The first paragraph of each command's help, in the order of the list; a test compares them."""
HOST_COMMANDS: Final = {
    "backup": "Copy the database, whole and consistent, while the server runs.",
    "restore": "Put a backup in the place of the database. No server may run on it.",
    "move": "Copy all tables to another database: SQLite or PostgreSQL. The server must not run.",
    "check": "Read the whole database and say what is wrong, table by table.",
    "tables": "List the tables, the latest first.",
    "close": "Close a table for good: nobody can continue it.",
    "rename": "Give a seat another name; without a NAME, one that offends nobody.",
    "key": "Make a new key for the host's page, and show it once.",
    "clean": "Delete old tables. A running server does it by itself once a day.",
    "ratings": "Compute all ratings anew from the results, and compare them with the stored ones.",
}
"""The same for ``triomino host``."""
PUZZLE_COMMANDS: Final = {
    "make": "Find puzzles in games between bots, and write a year of them.",
    "check": "Judge every puzzle anew, and fail on a wrong, ambiguous or ugly one.",
    "show": "Show the puzzle of a day, or all of them in short.",
}
"""The same for ``triomino puzzles``."""

app = typer.Typer(
    name="triomino",
    cls=Group,
    help="The game of triangular dominoes. Without a command it opens in your browser.",
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"triomino {import_module('importlib.metadata').version('triomino')}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _program(
    context: typer.Context,
    version: Annotated[  # noqa: ARG001 - its callback does the work
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    if context.invoked_subcommand is None:
        import_module("triomino.cli.start").start()


def _show_help(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        # With rich it is printed already, and the text is empty.
        typer.echo(context.get_help(), nl=False)


for _name, _text in COMMANDS.items():
    add_command(app, _name, _text, f"triomino.cli.{_name}")

_host = typer.Typer(
    cls=Group, help="Look after a server: back up, restore, check, list, close, rename, clean."
)
_host.callback(invoke_without_command=True)(_show_help)
for _name, _text in HOST_COMMANDS.items():
    add_command(_host, _name, _text, "triomino.cli.host")
app.add_typer(_host, name="host")

_puzzles = typer.Typer(cls=Group, help="A puzzle a day: make them, check them, show one.")
_puzzles.callback(invoke_without_command=True)(_show_help)
for _name, _text in PUZZLE_COMMANDS.items():
    add_command(_puzzles, _name, _text, "triomino.cli.puzzles")
app.add_typer(_puzzles, name="puzzles")


# --- Running it ----------------------------------------------------------------------------------


def main() -> None:
    """Run the command line; exit with 0, or with 2 and one line on standard error."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    code = run(sys.argv[1:])
    if sys.__stdout__ is not None:
        _flush_or_discard(sys.__stdout__)
    sys.exit(code)


def _flush_or_discard(stream: TextIO) -> None:
    """Flush, or discard what is left, so that Python does not fail again when it exits."""
    try:
        stream.flush()
    except OSError:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, stream.fileno())
        os.close(null)


# Typer has its own copy of Click or uses the one installed; the names of errors are the same.
_USAGE_ERROR: Final[Any] = next(
    kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "ClickException"
)


def run(arguments: list[str]) -> int:
    """Run one command and return the exit code."""
    columns = get_terminal_size().columns
    # Rich cuts off names in its boxes where there is little room.
    app.rich_markup_mode = "rich" if columns >= 60 else None
    try:
        code = app(
            args=arguments,
            prog_name="triomino",
            standalone_mode=False,
            terminal_width=max(columns, 24),
        )
        sys.stdout.flush()
    except SystemExit as error:
        # Typer exits like this when the reader has gone, as in `triomino rules | head`.
        if isinstance(error.__context__, BrokenPipeError):
            return 0
        raise
    except BrokenPipeError:
        return 0
    except _USAGE_ERROR as error:
        return _complain(_usage(error))
    except TriominoError as error:
        return _complain(str(error))
    except OSError as error:
        said = error.strerror or str(error)
        return _complain(f"{error.filename}: {said}" if error.filename else said)
    except typer.Abort:
        return 130
    return code if isinstance(code, int) else 0


def _usage(error: Any) -> str:
    """Return what is wrong with the arguments, and what to do about it."""
    context = error.ctx
    path = context.command_path if context else "triomino"
    if type(error).__name__ == "NoSuchOption":
        option = error.option_name
        known = [name for param in context.command.params for name in param.opts]
        return f"no such option {option!r} of {path}; {nearest(option, [*known, '--help'])}"
    text = error.format_message().strip().rstrip(".").replace("Value error, ", "")
    return f"{text[:1].lower()}{text[1:]}; see {path} --help"


def _complain(text: str) -> int:
    print("triomino: " + " ".join(text.split()), file=sys.stderr)
    return 2
