"""The command line: thin commands over the rooms."""

import sys

from triomino.packages import MissingPackage, require_packages

__all__ = ["main"]


def main() -> None:
    """Run the command line; without the packages it needs, exit with one line that names them."""
    try:
        require_packages("triomino on the command line", "rich", "typer")
    except MissingPackage as error:
        sys.exit(f"triomino: {error}")
    from triomino.cli.app import main as run  # noqa: PLC0415 - it needs them

    run()
