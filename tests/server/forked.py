"""Servers forked from a process that has imported them: a start takes half of the time.

They are processes like others, to be watched, stopped and killed; only what they import was loaded
before. A server with variables of its own is started from nothing, since they may change that.
"""

from __future__ import annotations

import multiprocessing
import os
import runpy
import subprocess
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_CONTEXT = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload(
    [
        *("triomino.cli.app", "triomino.cli.serve", "triomino.server.run", "triomino.store.sqlite"),
        # Litestar loads it where it is installed.
        "litestar.plugins.pydantic",
    ]
)


def _run(module: str, arguments: list[str], folder: str, env: dict[str, str], log: str) -> None:
    """Be ``python -m module arguments``, whose standard input ends with the process of the test."""
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(env)
    parent = multiprocessing.parent_process()
    assert parent is not None
    os.dup2(parent.sentinel, 0)
    sys.stdin = open(0, closefd=False)  # noqa: SIM115 - it stays open
    written = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.dup2(written, 1)
    os.dup2(written, 2)
    os.close(written)
    sys.argv = [module, *arguments]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


class Forked:
    """What a test needs of a process, by the names of :class:`subprocess.Popen`."""

    def __init__(
        self, module: str, arguments: list[str], folder: Path, env: dict[str, str], log: Path
    ) -> None:
        given = (module, arguments, str(folder), env, str(log))
        self._process = _CONTEXT.Process(target=_run, args=given)
        self._process.start()
        assert self._process.pid is not None
        self.pid = self._process.pid

    def poll(self) -> int | None:
        """Return its exit code, or ``None`` while it runs."""
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end and return its exit code."""
        self._process.join(timeout)
        if self._process.exitcode is None:
            raise subprocess.TimeoutExpired("server", timeout or 0)
        return self._process.exitcode

    def terminate(self) -> None:
        """Ask it to stop."""
        self._process.terminate()

    def kill(self) -> None:
        """Kill it."""
        self._process.kill()
