"""``triomino serve`` as a program of its own: started as a host would, watched, and stopped."""

from __future__ import annotations

import io
import signal
import subprocess
import sys
import time
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Self

import httpx
import pytest

from tests.cli.program import Result, environment
from tests.server.harness import NO_TLS, copy_new_database
from triomino.cli.app import run

PATIENCE = 120.0
"""Seconds until a program must have come up or gone down, on a machine that is busy."""

LAST_LINE = "Ctrl-C stops it; nothing is lost."


def run_here(*arguments: str | Path) -> Result:
    """Run a command in this process, on a wide terminal; other threads must not print."""
    out, err = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        patch.setenv("COLUMNS", "200")
        patch.setenv("LC_ALL", "C.UTF-8")  # English
        code = run([str(argument) for argument in arguments])
    return Result(code, out.getvalue(), err.getvalue())


class Program:
    """A run of the program, which listens on this machine only."""

    def __init__(self, folder: Path, *options: str, new_database: bool = False) -> None:
        self.data = str(folder / "tables.db")
        if not new_database and not Path(self.data).exists():
            copy_new_database(Path(self.data))
        self._errors = folder / "stderr.txt"
        self.greeting: list[str] = []
        self._command = [sys.executable, "-m", "triomino", "serve", "--local", "--port", "0"]
        self._command += ["--data", self.data, *options]
        self._process: subprocess.Popen[str] | None = None

    @property
    def url(self) -> str:
        """Where it is."""
        return self.greeting[0].rpartition(" ")[2]

    @property
    def log(self) -> str:
        """Its standard error so far."""
        return self._errors.read_text("utf-8")

    def start(self) -> Self:
        with self._errors.open("a") as errors:
            self._process = subprocess.Popen(
                self._command,
                stdout=subprocess.PIPE,
                stderr=errors,
                env=environment(),
                text=True,
                encoding="utf-8",
            )
        assert self._process.stdout is not None
        self.greeting = []
        for line in self._process.stdout:
            self.greeting.append(line.rstrip("\n"))
            if line.rstrip("\n") == LAST_LINE:
                return self
        self._process.wait()
        raise AssertionError(f"it did not come up:\n{self.log}")

    def stop(self, how: signal.Signals = signal.SIGTERM) -> int:
        """Stop it as a system or a person would; return its exit code."""
        assert self._process is not None
        self._process.send_signal(how)
        return self._end()

    def _end(self) -> int:
        assert self._process is not None
        process, self._process = self._process, None
        try:
            return process.wait(PATIENCE)
        finally:
            process.kill()
            process.wait()
            assert process.stdout is not None
            process.stdout.close()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if self._process is not None:
            self._process.terminate()
            self._end()

    def get(self, path: str, **options: object) -> httpx.Response:
        return httpx.get(f"{self.url}{path}", timeout=PATIENCE, verify=NO_TLS, **options)  # type: ignore[arg-type]

    def post(self, path: str) -> httpx.Response:
        return httpx.post(f"{self.url}{path}", timeout=PATIENCE, verify=NO_TLS)

    def until_logged(self, text: str) -> None:
        """Wait until a text is in the log."""
        began = time.monotonic()
        while text not in self.log:
            assert time.monotonic() - began < PATIENCE, self.log
            time.sleep(0.02)
