"""The command line: thin commands over the rooms."""

from triomino.cli.app import main

__all__ = ["main"]
