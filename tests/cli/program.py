"""Running the command line: as a program of its own, or in this process where that is enough."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from triomino.cli.app import run

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


@dataclass(frozen=True)
class Result:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()

    @property
    def complaint(self) -> str:
        """The one line that says what is wrong; anything more, or a success, fails the test."""
        assert self.code == 2, self
        assert self.out == "", self.out
        assert self.err.count("\n") == 1, self.err
        assert self.err.startswith("triomino: "), self.err
        return self.err.removeprefix("triomino: ").strip()


def triomino(
    *arguments: str | Path,
    stdin: bytes | str = b"",
    columns: int | None = None,
    cwd: Path | None = None,
    **env: str,
) -> Result:
    """Run the real program."""
    result = subprocess.run(
        [sys.executable, "-m", "triomino", *map(str, arguments)],
        input=stdin.encode() if isinstance(stdin, str) else stdin,
        capture_output=True,
        check=False,
        cwd=cwd,
        env=environment(columns) | env,
        timeout=300,
    )
    return Result(result.returncode, result.stdout.decode(), result.stderr.decode())


def environment(columns: int | None = None) -> dict[str, str]:
    """The variables of this process, but for those that change what a program prints."""
    # A terminal or a build machine must not change what a test sees.
    drop = {"COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "PY_COLORS", "GITHUB_ACTIONS"}
    drop |= {"PYTHONUNBUFFERED", "TYPER_USE_RICH", "TERMINAL_WIDTH", "TRIOMINO_DATA"}
    env = {name: value for name, value in os.environ.items() if name not in drop}
    env["LC_ALL"] = "C.UTF-8"  # English
    return env if columns is None else env | {"COLUMNS": str(columns)}


class Here:
    """Runs commands in this process."""

    def __init__(self, capsys: pytest.CaptureFixture[str], patch: pytest.MonkeyPatch) -> None:
        self._capsys, self._patch = capsys, patch
        for name in ("NO_COLOR", "FORCE_COLOR", "PY_COLORS", "GITHUB_ACTIONS"):
            patch.delenv(name, raising=False)
        patch.setenv("LC_ALL", "C.UTF-8")  # English

    def __call__(self, *arguments: str | Path, columns: int = 80) -> Result:
        self._patch.setenv("COLUMNS", str(columns))
        self._capsys.readouterr()
        code = run([str(argument) for argument in arguments])
        out, err = self._capsys.readouterr()
        return Result(code, out, err)
