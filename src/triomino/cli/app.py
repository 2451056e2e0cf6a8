"""``triomino``: the commands, and how they fail."""

from __future__ import annotations

import inspect
import io
import os
import sys
from importlib import import_module
from typing import Annotated, Any, Final

import typer

from triomino.errors import TriominoError, nearest

COMMANDS: Final = (
    "judge",
    "simulate",
    "replay",
    "verify",
    "rules",
    "render",
    "bench",
    "doctor",
)
"""In the order of the help. A command is the function of that name in the module of that name."""

app = typer.Typer(
    name="triomino",
    help="The game of triangular dominoes: play, judge, simulate, replay, draw.",
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
        context.get_help()  # which prints it


def _help(doc: str) -> str:
    """A docstring for the help: paragraphs in one piece, indented examples as they are."""
    paragraphs = inspect.cleandoc(doc).replace("[", r"\[").split("\n\n")
    return "\n\n".join(
        text if text.startswith("    ") else " ".join(text.split()) for text in paragraphs
    )


for _name in COMMANDS:
    _command = getattr(import_module(f"triomino.cli.{_name}"), _name)
    app.command(_name, help=_help(_command.__doc__ or ""))(_command)


# --- Running it ----------------------------------------------------------------------------------


def main() -> None:
    """Run the command line: exit 0 when it did its work, 2 with one clear line when it cannot."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    sys.exit(run(sys.argv[1:]))


# Typer keeps its own copy of Click or uses the one installed; the errors are the same.
_USAGE_ERROR: Final[Any] = next(
    kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "ClickException"
)


def run(arguments: list[str]) -> int:
    """Run one command; the exit code."""
    try:
        code = app(args=arguments, prog_name="triomino", standalone_mode=False)
        sys.stdout.flush()
    except SystemExit as error:
        if isinstance(error.__context__, BrokenPipeError):
            return _reader_gone()
        raise
    except BrokenPipeError:
        return _reader_gone()
    except _USAGE_ERROR as error:
        return _complain(_usage(error))
    except TriominoError as error:
        return _complain(str(error))
    except OSError as error:
        _complain(f"{error.filename}: {error.strerror}" if error.filename else str(error))
        _drop_output()
        return 2
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
        return f"{path}: no such option {option!r}; {nearest(option, [*known, '--help'])}"
    text = error.format_message().strip().rstrip(".")
    return f"{text[:1].lower()}{text[1:]}; see {path} --help"


def _complain(text: str) -> int:
    print("triomino: " + " ".join(text.split()), file=sys.stderr)
    return 2


def _reader_gone() -> int:
    """Whoever read us has gone, as in ``triomino simulate … | head``."""
    _drop_output()
    return 0


def _drop_output() -> None:
    """Let nothing fail again when what is left in a buffer goes out at the end."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, sys.stdout.fileno())
    os.close(null)
