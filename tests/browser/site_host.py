"""The static site on some host, below a folder, as ``make site`` makes it."""

from __future__ import annotations

import fcntl
import functools
import hashlib
import http.server
import shutil
import subprocess
import threading
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from tools.build_backend import page_sources

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Files, and nothing on the screen."""

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def kept_site() -> Path:
    """Return the folder with the site as it is built from the sources of now.

    Building takes twelve seconds, so processes that test side by side share one build, and so do
    all runs until a source changes.
    """
    shelf = ROOT / "build" / "test-site"
    shelf.mkdir(parents=True, exist_ok=True)
    digest = hashlib.sha256()
    for path in sorted(page_sources(ROOT)):
        digest.update(f"{path.relative_to(ROOT)} {path.stat().st_size}\n".encode())
        digest.update(path.read_bytes())
    host = shelf / digest.hexdigest()[:16]
    with (shelf / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not host.exists():
            for old in filter(Path.is_dir, shelf.iterdir()):
                shutil.rmtree(old)
            build(shelf / "new" / "games" / "triomino")
            (shelf / "new").rename(host)
    return host / "games" / "triomino"


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
