"""The static site on some host, below a folder, as ``make site`` makes it."""

from __future__ import annotations

import functools
import http.server
import subprocess
import threading
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Files, and nothing on the screen."""

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def build(folder: Path) -> None:
    """Build the site into a folder."""
    command = ["tools/npm", "run", "--silent", "build", "--", "--mode", "site"]
    subprocess.run([*command, "--outDir", str(folder), "--logLevel", "error"], cwd=ROOT, check=True)


@contextmanager
def hosted(folder: Path) -> Iterator[str]:
    """Serve what is in a folder; yields the address."""
    handler = functools.partial(Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as running:
        thread = threading.Thread(target=running.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{running.server_address[1]}/"
        finally:
            running.shutdown()
            thread.join()
