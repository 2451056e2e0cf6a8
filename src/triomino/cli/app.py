"""``triomino``: the commands, and how they fail."""

from __future__ import annotations

import os
import sys

import typer

from triomino.errors import TriominoError

app = typer.Typer(
    name="triomino",
    help="The game of triangular dominoes: play, judge, simulate, replay, draw.",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def main() -> None:
    """Run the command line: exit 0 when it did its work, 2 with one clear line when it cannot."""
    try:
        app()
    except TriominoError as error:
        sys.exit(_complain(str(error)))
    except BrokenPipeError:
        # Whoever read us has gone, as in `triomino simulate … | head`.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except OSError as error:
        sys.exit(_complain(f"{error.filename}: {error.strerror}" if error.filename else str(error)))
    except KeyboardInterrupt:
        sys.exit(130)


def _complain(text: str) -> int:
    print("triomino: " + " ".join(text.split()), file=sys.stderr)
    return 2
