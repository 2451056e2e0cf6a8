"""``python -m triomino.server.analyst``: analyse one match in a process of its own.

It reads a record from standard input and writes lines to standard output: first the number of
plies, then how many are done after each, and at last the analysis or the reason why there is none.
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

NICENESS: Final = 10
"""Added to the process's nice value, so that everything else on the machine comes first."""


def analyse(
    match: Match, effort: Effort = DEFAULT, progress: Callable[[], None] = lambda: None
) -> Analysis:
    """Analyse a match; *progress* is called after every ply."""
    found = review(match, effort, progress=progress)
    return msgspec.convert(found.to_json(), Analysis)


def main() -> None:
    """Analyse the match on standard input."""
    if sys.platform != "win32":
        os.nice(NICENESS)
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # a killed server reads no answer
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
