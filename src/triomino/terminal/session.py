"""A table before a terminal: show, ask, save, until somebody leaves or the match is over."""

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

    from triomino.terminal.layout import Look
    from triomino.terminal.saves import Save
    from triomino.terminal.table import Reply, Table


class Window(Protocol):
    """What a session needs of a terminal."""

    @property
    def look(self) -> Look:
        """The window as it is now."""

    def clear(self) -> None:
        """A clean screen, where there is one."""

    def hide(self) -> None:
        """Let nobody read what stood here."""

    def show(self, lines: Iterable[Text]) -> None:
        """Print lines."""

    def ask(self, prompt: str) -> str:
        """Read a line."""


class Session:
    """One sitting. Every change is on disk before it is shown."""

    def __init__(self, table: Table, window: Window, save: Save | None) -> None:
        self.table = table
        self.window = window
        self.save = save
        self.trouble = ""
        """Why the last change is not on disk."""

    def _say(self, key: str, **values: int | str) -> str:
        return self.table.tell.say(key, **values)

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
        look = self.window.look
        if len(prompt) >= look.width and not look.plain:
            self.window.show(wrapped(Text(prompt), look.width))
            prompt = "> "
        return self.window.ask(prompt)

    def keep(self) -> None:
        """Write the match; a disk that fails does not end the game."""
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
            seat, look = table.game.turn, self.window.look
            if seat != thinking and not look.plain:
                thinking = seat
                said = self._say("status.waiting", name=table.name(seat))
                self.window.show([Text(said, look.quiet)])
            table.bot_move()
            self.keep()

    def _message(self, reply: Reply) -> str:
        match reply:
            case Moved(text) | Said(text):
                return text
            case Shown(what):
                self._show_page(info_pages.page(self.table, what, self.window.look))
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
        """The screen of the stage, then the answer to what was typed, then what is asked."""
        window, table = self.window, self.table
        look = window.look
        if table.stage is Stage.HANDOVER and fresh:
            window.hide()
        window.clear()
        said = [
            line
            for text in filter(None, (self.trouble, message, table.question))
            for line in wrapped(Text(text, look.strong), look.width)
        ]
        # In plain lines the turn is not told again after every slip.
        if fresh or not look.plain:
            # A screen has room for one such line; what is longer takes some of it.
            less = max(0, len(said) - 1)
            window.show(screens.screen(table, replace(look, height=look.height - less)))
        window.show(said)

    def _show_page(self, lines: list[Text]) -> None:
        window = self.window
        look = window.look
        if look.plain:
            window.show(lines)
            return
        room = max(look.height - 2, 5)
        for first in range(0, max(len(lines), 1), room):
            window.clear()
            window.show(lines[first : first + room])
            last = first + room >= len(lines)
            prompt = self._say("cli.prompt.back" if last else "cli.prompt.more")
            answer = window.ask(f"{prompt} ")
            if answer.strip().lower() in ("q", "quit"):
                return

    # --- The last words --------------------------------------------------------------------------

    def farewell(self) -> list[Text]:
        """What is said at the end: the result, or how to go on."""
        look = self.window.look
        over = self.table.stage is Stage.MATCH_OVER
        lines = screens.screen(self.table, look) if over else []
        # Whole lines, however long: a path is to be copied.
        lines.append(Text(self.trouble or self._saved, no_wrap=True))
        if self.save is not None and not self.trouble and not over:
            path = shlex.quote(str(self.save.path))
            command = f"triomino play --resume {path}"
            lines.append(Text(self._say("cli.save.resume", command=command), no_wrap=True))
        return lines
