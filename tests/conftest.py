"""What all tests share."""

from __future__ import annotations

import signal


def pytest_configure() -> None:
    """Let Ctrl-C reach the programs that tests start, in a suite run in the background too.

    A shell lets background commands ignore it, and so would every process started from here.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
