"""``python -m tests.server.process_main serve …``: the command line, as tests start it.

It stops by itself when its standard input ends, so that none outlives the test that started it.
With ``NO_KERNEL`` set it is as if no kernel had been built.
"""

from __future__ import annotations

import os
import signal
import sys
import threading

from triomino.cli import main
from triomino.kernel import loader


def _stop_with_parent() -> None:
    while os.read(sys.stdin.fileno(), 1024):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    if os.environ.get("NO_KERNEL"):
        loader._why = "no C++ compiler was found"
    threading.Thread(target=_stop_with_parent, daemon=True).start()
    main()
