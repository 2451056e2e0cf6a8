"""One sitting at the terminal, from the first question to the farewell."""

from __future__ import annotations

import signal
from contextlib import contextmanager
from typing import TYPE_CHECKING

from triomino.terminal.lobby import open_session

if TYPE_CHECKING:
    from collections.abc import Iterator

    from triomino.terminal.console import Terminal
    from triomino.terminal.lobby import PlayOptions


def sit(options: PlayOptions, terminal: Terminal) -> int:
    """Play until the match is over or the player leaves; return the exit code."""
    session, code = None, 0
    try:
        session = open_session(options, terminal)
        with terminal.own_screen():
            session.run()
    except EOFError:
        terminal.newline()
    except KeyboardInterrupt:
        terminal.newline()
        code = 130
    if session is not None:
        with _interrupts_ignored():
            terminal.show(session.farewell())
    return code


@contextmanager
def _interrupts_ignored() -> Iterator[None]:
    """Keep a second Ctrl-C from cutting off the farewell."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
