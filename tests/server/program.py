"""``triomino serve`` as a program of its own: started as a host would, watched, and stopped."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Self

import httpx

from tests.cli.program import environment

if TYPE_CHECKING:
    from pathlib import Path

PATIENCE = 120.0
"""Seconds until a program must have come up or gone down, on a machine that is busy."""

LAST_LINE = "Ctrl-C stops it; nothing is lost."


class Program:
    """The program, from its greeting to its end; it listens on this machine alone."""

    def __init__(self, folder: Path, *options: str, data: str | None = None) -> None:
        self.data = data or str(folder / "tables.db")
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
        """What it has written to its standard error so far."""
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
        """Stop it as a system or a person would; says its exit code."""
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
        return httpx.get(f"{self.url}{path}", timeout=PATIENCE, **options)  # type: ignore[arg-type]

    def until_logged(self, text: str) -> None:
        """Wait until something is in the log."""
        began = time.monotonic()
        while text not in self.log:
            assert time.monotonic() - began < PATIENCE, self.log
            time.sleep(0.02)
