"""``triomino``: the commands, and how they fail."""

# ruff: noqa: PLC0415 - what a command needs is imported when it runs, so that the others start fast

from __future__ import annotations

import inspect
import io
import os
import sys
from importlib import import_module
from shutil import get_terminal_size
from typing import Annotated, Any, Final, TextIO

import typer
from typer.core import TyperGroup

from triomino.errors import TriominoError, nearest

COMMANDS: Final = (
    "play",
    "serve",
    "judge",
    "simulate",
    "stats",
    "arena",
    "hint",
    "analyse",
    "replay",
    "verify",
    "rules",
    "render",
    "bench",
    "doctor",
)
"""In the order of the help. A command is the function of that name in the module of that name."""


class Commands(TyperGroup):
    """Commands by name; for one that is not there, the nearest."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that the first argument names."""
        if args[0] not in self.commands:
            known = nearest(args[0], self.commands)
            raise TriominoError(f"no such command {args[0]!r}; {known}")
        return super().resolve_command(ctx, args)


app = typer.Typer(
    name="triomino",
    cls=Commands,
    help="The game of triangular dominoes. Without a command it opens in your browser.",
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _say_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        print(f"triomino {version('triomino')}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _program(
    context: typer.Context,
    version: Annotated[  # noqa: ARG001 - its callback does the work
        bool,
        typer.Option("--version", callback=_say_version, is_eager=True, help="Say which one."),
    ] = False,
) -> None:
    if context.invoked_subcommand is None:
        from triomino.cli.start import start

        start()


def _show_help(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        # With rich it is printed already, and the text is empty.
        typer.echo(context.get_help(), nl=False)


def _help(doc: str) -> str:
    """A docstring for the help: paragraphs in one piece, indented examples as they are."""
    paragraphs = inspect.cleandoc(doc).split("\n\n")
    return "\n\n".join(
        text if text.startswith("    ") else " ".join(text.split()) for text in paragraphs
    )


for _name in COMMANDS:
    _command = getattr(import_module(f"triomino.cli.{_name}"), _name)
    app.command(_name, help=_help(_command.__doc__ or ""))(_command)

_host = typer.Typer(cls=Commands, help="Look after a server: back up, list, close, rename, clean.")
_host.callback(invoke_without_command=True)(_show_help)
for _name, _command in import_module("triomino.cli.host").COMMANDS.items():
    _host.command(_name, help=_help(_command.__doc__ or ""))(_command)
app.add_typer(_host, name="host")


# --- Running it ----------------------------------------------------------------------------------


def main() -> None:
    """Run the command line: exit 0 when it did its work, 2 with one clear line when it cannot."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    code = run(sys.argv[1:])
    if sys.__stdout__ is not None:
        _give_up_what_cannot_be_written(sys.__stdout__)
    sys.exit(code)


def _give_up_what_cannot_be_written(stream: TextIO) -> None:
    """Let nothing fail a second time when Python ends and a buffer goes out."""
    try:
        stream.flush()
    except OSError:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, stream.fileno())
        os.close(null)


# Typer keeps its own copy of Click or uses the one installed; the errors are the same.
_USAGE_ERROR: Final[Any] = next(
    kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "ClickException"
)


def run(arguments: list[str]) -> int:
    """Run one command; the exit code."""
    columns = get_terminal_size().columns
    # The boxes of rich cut off names where there is little room.
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
        # This is how Typer says that our reader has gone, as in `triomino rules | head`.
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
    """What is wrong with the arguments, and what to do about it."""
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
