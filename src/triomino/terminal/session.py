"""The loop of a match in a terminal: show, ask, save."""

from __future__ import annotations

import shlex
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol, assert_never

from rich.text import Text

from triomino.terminal import info_pages, screens
from triomino.terminal.layout import wrapped
from triomino.terminal.table import Left, Moved, Said, Saved, Shown, Stage

if TYPE_CHECKING:
    from collections.abc import Iterable

    from triomino.terminal.layout import Display
    from triomino.terminal.saves import Save
    from triomino.terminal.table import Reply, Table


class Window(Protocol):
    """What a session needs of a terminal."""

    @property
    def display(self) -> Display:
        """The display as it is now."""

    def clear(self) -> None:
        """Clear the screen, where there is one."""

    def hide(self) -> None:
        """Remove what was shown from sight."""

    def show(self, lines: Iterable[Text]) -> None:
        """Print lines."""

    def ask(self, prompt: str) -> str:
        """Read a line."""


class Session:
    """One sitting at a table. Every change is on disk before it is shown."""

    def __init__(self, table: Table, window: Window, save: Save | None) -> None:
        self.table = table
        self.window = window
        self.save = save
        self.trouble = ""
        """Why the last change is not on disk; empty if it is."""

    def _say(self, key: str, **values: int | str) -> str:
        return self.table.narrator.say(key, **values)

    def run(self) -> None:
        """Play until the match is over or somebody leaves."""
        self.keep()
        table, message, fresh = self.table, "", True
        while True:
            self._bots()
            if table.stage is Stage.MATCH_OVER:
                return
            self._show(message, fresh=fresh)
            reply = table.answer(self._ask(screens.prompt(table)))
            if isinstance(reply, Left):
                return
            if isinstance(reply, Moved):
                self.keep()
            message = self._message(reply)
            fresh = isinstance(reply, Moved)

    def _ask(self, prompt: str) -> str:
        display = self.window.display
        if len(prompt) >= display.width and not display.plain:
            self.window.show(wrapped(Text(prompt), display.width))
            prompt = "> "
        return self.window.ask(prompt)

    def keep(self) -> None:
        """Save the match; a failing disk does not end the game."""
        if self.save is None:
            return
        try:
            self.save.keep(self.table.match)
        except OSError as error:
            reason = error.strerror or str(error)
            self.trouble = self._say("cli.save.trouble", reason=reason)
        else:
            self.trouble = ""

    def _bots(self) -> None:
        table = self.table
        thinking = None
        while table.stage is Stage.BOT:
            seat, display = table.game.turn, self.window.display
            if seat != thinking and not display.plain:
                thinking = seat
                said = self._say("status.waiting", name=table.name(seat))
                self.window.show([Text(said, display.quiet)])
            table.bot_move()
            self.keep()

    def _message(self, reply: Reply) -> str:
        match reply:
            case Moved(text) | Said(text):
                return text
            case Shown(what):
                self._show_page(info_pages.page(self.table, what, self.window.display))
                return ""
            case Saved():
                self.keep()
                return self.trouble or self._saved
            case Left():
                return ""
            case _:
                assert_never(reply)

    @property
    def _saved(self) -> str:
        if self.save is None:
            return self._say("cli.save.none")
        return self._say("cli.save.where", path=str(self.save.path))

    def _show(self, message: str, *, fresh: bool) -> None:
        """Show the screen of the stage, then the answer to what was typed, then the question."""
        window, table = self.window, self.table
        display = window.display
        if table.stage is Stage.HANDOVER and fresh:
            window.hide()
        window.clear()
        said = [
            line
            for text in filter(None, (self.trouble, message, table.question))
            for line in wrapped(Text(text, display.strong), display.width)
        ]
        # In plain lines the turn is not repeated after every slip.
        if fresh or not display.plain:
            # A screen has room for one such line; what is longer takes some of it.
            less = max(0, len(said) - 1)
            window.show(screens.screen(table, replace(display, height=display.height - less)))
        window.show(said)

    def _show_page(self, lines: list[Text]) -> None:
        window = self.window
        display = window.display
        if display.plain:
            window.show(lines)
            return
        room = max(display.height - 2, 5)
        for first in range(0, max(len(lines), 1), room):
            window.clear()
            window.show(lines[first : first + room])
            last = first + room >= len(lines)
            prompt = self._say("cli.prompt.back" if last else "cli.prompt.more")
            answer = window.ask(f"{prompt} ")
            if answer.strip().lower() in ("q", "quit"):
                return

    # --- The end ---------------------------------------------------------------------------------

    def farewell(self) -> list[Text]:
        """Return the lines shown at the end: the result, or how to resume."""
        display = self.window.display
        over = self.table.stage is Stage.MATCH_OVER
        lines = screens.screen(self.table, display) if over else []
        # Whole lines, however long: a path is to be copied.
        lines.append(Text(self.trouble or self._saved, no_wrap=True))
        if self.save is not None and not self.trouble and not over:
            path = shlex.quote(str(self.save.path))
            command = f"triomino play --resume {path}"
            lines.append(Text(self._say("cli.save.resume", command=command), no_wrap=True))
        return lines
