"""``python -m triomino.server.analyst``: one match, looked at in a process of its own.

It reads a record from its standard input and writes lines to its standard output: first how many
turns there are, then how many are done, and at last what was found, or why nothing was.
"""

from __future__ import annotations

import os
import signal
import sys
from typing import TYPE_CHECKING, Final

import msgspec

from triomino.analysis import review
from triomino.analysis.review import DEFAULT
from triomino.errors import TriominoError
from triomino.protocol.api import Analysis
from triomino.record import read_record

if TYPE_CHECKING:
    from collections.abc import Callable

    from triomino.kernel import Effort
    from triomino.match import Match

KIND: Final = 10
"""How far an analysis stands back behind everything else on the machine."""


def analyse(
    match: Match, effort: Effort = DEFAULT, progress: Callable[[], None] = lambda: None
) -> Analysis:
    """Look at a match; *progress* is called after every turn."""
    found = review(match, effort, progress=progress)
    return msgspec.convert(found.to_json(), Analysis)


def main() -> None:
    """Look at the match that comes in."""
    if sys.platform != "win32":
        os.nice(KIND)
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # a server that was killed wants no answer
    done = 0

    def count() -> None:
        nonlocal done
        done += 1
        print(done, flush=True)

    try:
        match = read_record(sys.stdin.buffer.read())
        print(sum(len(game.plies) for game in match.rounds), flush=True)
        found = analyse(match, progress=count)
    except (TriominoError, RecursionError) as error:
        print(msgspec.json.encode({"why": str(error)}).decode())
    else:
        print(msgspec.json.encode(found).decode())


if __name__ == "__main__":
    main()
