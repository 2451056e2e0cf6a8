"""``triomino`` alone: a server, and its page in the browser."""

from __future__ import annotations

import os
import re
import signal
import socket
import stat
import subprocess
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

import httpx
import pytest

from tests.cli.program import environment, triomino
from triomino.cli import start
from triomino.server.config import Config

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PATIENCE = 120.0


def write_browser(folder: Path) -> tuple[Path, Path]:
    """A browser that notes what it was asked to open, and the file of its notes."""
    notes, browser = folder / "opened.txt", folder / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" >> "{notes}"\n')
    browser.chmod(browser.stat().st_mode | stat.S_IXUSR)
    return browser, notes


@contextmanager
def started(data: Path, **env: str) -> Iterator[tuple[subprocess.Popen[str], list[str]]]:
    """The program with its output in a pipe, and what it said when it was ready."""
    with subprocess.Popen(
        [sys.executable, "-m", "triomino"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=environment() | {"TRIOMINO_DATA": str(data)} | env,
        text=True,
        encoding="utf-8",
    ) as program:
        assert program.stdout is not None
        said = []
        for line in program.stdout:
            said.append(line.rstrip("\n"))
            if line.startswith("Ctrl-C"):
                break
        try:
            yield program, said
        finally:
            program.kill()


def address(said: list[str]) -> str:
    found = re.search(r"http://127\.0\.0\.1:\d+", "\n".join(said))
    assert found, said
    return found[0]


def test_without_a_terminal_the_address_is_printed(tmp_path: Path) -> None:
    data = tmp_path / "data"
    browser, notes = write_browser(tmp_path)
    with started(data, BROWSER=str(browser), DISPLAY=":7") as (program, said):
        url = address(said)
        assert httpx.get(f"{url}/health", timeout=PATIENCE).json() == {"status": "ok"}

        # Who starts it again is sent to the one that runs.
        again = triomino(TRIOMINO_DATA=str(data))
        assert (again.code, again.out, again.err) == (
            0,
            f"Your tables are served already at {url}\n",
            "",
        )

        # Other tables get a server of their own.
        with started(tmp_path / "other") as (other, other_said):
            assert re.match(r"Port \d+ is taken by another program; \d+ is used", other_said[0])
            assert address(other_said[1:]) != url
            other.send_signal(signal.SIGINT)
            assert other.wait(PATIENCE) == 0

        program.send_signal(signal.SIGINT)
        assert program.wait(PATIENCE) == 0
    assert not notes.exists()
    assert (data / "tables.db").exists()


def test_on_a_terminal_the_page_opens_and_ctrl_c_ends_it(tmp_path: Path) -> None:
    pty = pytest.importorskip("pty")
    browser, notes = write_browser(tmp_path)
    env = environment(80) | {"TRIOMINO_DATA": str(tmp_path), "BROWSER": str(browser)}
    pid, terminal = pty.fork()
    if pid == 0:
        os.execve(sys.executable, [sys.executable, "-m", "triomino"], env)  # noqa: S606
    out = b""
    try:
        while b"Ctrl-C stops it" not in out:
            out += os.read(terminal, 65536)
        until = time.monotonic() + PATIENCE
        while not (notes.exists() and notes.read_text()) and time.monotonic() < until:
            time.sleep(0.05)
        os.write(terminal, b"\x03")
        while True:
            try:
                part = os.read(terminal, 65536)
            except OSError:  # Linux: the other end is closed
                break
            if not part:
                break
            out += part
        _, status = os.waitpid(pid, 0)
    except BaseException:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        raise
    finally:
        os.close(terminal)
    assert os.waitstatus_to_exitcode(status) == 0
    assert notes.read_text().split() == [address([out.decode()])]
    # Nothing but what a person wants to know: no log, no error.
    assert b"request" not in out
    assert b"Traceback" not in out


def test_a_port_of_something_else_is_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # It listens and says nothing.
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        config, running = start.choose(Config(data=str(tmp_path / "tables.db"), port=port))
    assert running is None
    assert config.port > port
    said = f"Port {port} is taken by another program; {config.port} is used instead.\n"
    assert capsys.readouterr().out == said
