"""The screen and the keyboard of a person at this machine."""

from __future__ import annotations

import io
import locale
import os
import sys
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from rich.console import Console
from rich.control import Control

from triomino.terminal.layout import Display

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rich.text import Text

_ENDLESS: Final = 10_000
"""The width of a pipe, where no line is wrapped."""
_ASCII: Final = str.maketrans({"…": "...", "·": "|", "–": "-"})


class Terminal:
    """Where lines are shown and read.

    With *plain*, on a pipe or on a dumb terminal, output is lines without colour, and nothing is
    ever cleared.
    """

    def __init__(self, *, plain: bool = False, ascii_only: bool = False) -> None:
        # Bytes that are not text become replacement characters, not a crash.
        if isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(errors="replace")
        self.echoes = not sys.stdin.isatty()
        """Whether input must be echoed: a pipe does not show what it delivers."""
        console = Console(highlight=False, markup=False, emoji=False)
        able = console.is_terminal and not console.is_dumb_terminal and not self.echoes
        self.plain = plain or not able
        self.ascii_only = ascii_only or not _speaks_unicode()
        if self.plain:
            console = Console(
                highlight=False, markup=False, emoji=False, color_system=None, no_color=True
            )
        self.console = console
        # Where there is a line editor, input() uses it: arrows, and a history to be forgotten.
        self._editor = None if self.echoes else _line_editor()

    @property
    def display(self) -> Display:
        """The display as it is now; its size may change between two calls."""
        width, height = self.console.size
        if not self.console.is_terminal:
            width = _ENDLESS
        return Display(
            width=max(width, 20),
            height=max(height, 10),
            color=not self.plain,  # what a terminal cannot show, or must not, is left out later
            ascii_only=self.ascii_only,
            plain=self.plain,
        )

    @contextmanager
    def own_screen(self) -> Iterator[None]:
        """Use the alternate screen inside the block.

        It has no scrollback, so a rack that was cleared cannot be scrolled to.
        """
        if self.plain:
            yield
            return
        self.console.set_alt_screen(True)
        try:
            yield
        finally:
            self.console.set_alt_screen(False)

    def clear(self) -> None:
        """Clear the screen; in plain lines, do nothing."""
        if not self.plain:
            self.console.control(Control.clear(), Control.home())

    def hide(self) -> None:
        """Remove what was shown and typed from sight; a plain terminal scrolls it away."""
        if self._editor is not None:
            self._editor.clear_history()
        if self.plain and self.console.is_terminal:
            self.console.file.write("\n" * self.console.size.height)
        self.clear()

    def show(self, lines: Iterable[Text]) -> None:
        """Print lines."""
        for line in lines:
            if self.ascii_only:
                line.plain = line.plain.translate(_ASCII)
            # A drawn line fits; a plain one is wrapped where there is an edge to wrap at.
            wraps = self.plain and self.console.is_terminal and not line.no_wrap
            self.console.print(line, soft_wrap=not wraps)

    def newline(self) -> None:
        """End the line on which input stopped."""
        self.console.file.write("\n")

    def ask(self, prompt: str) -> str:
        """Read a line; raise ``EOFError`` at the end of input."""
        self.console.file.flush()
        line = input(prompt)
        if self.echoes:
            self.console.file.write(f"{line}\n")
        return line


def _line_editor() -> Any:
    """Return the ``readline`` module, where there is one."""
    try:
        return import_module("readline")
    except ImportError:
        return None


def _speaks_unicode() -> bool:
    """Return whether the terminal can be expected to show more than ASCII."""
    return os.name != "posix" or locale.getencoding().lower().startswith("utf")
