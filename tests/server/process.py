"""A real server in a process of its own, to be started, stopped and killed."""

from __future__ import annotations

import os
import random
import resource
import socket
import subprocess
import sys
import time
from http.client import HTTPConnection
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from tests.cli.program import environment
from tests.server.forked import Forked
from tests.server.harness import UNLIMITED, copy_new_database

if TYPE_CHECKING:
    from types import TracebackType

ROOT = Path(__file__).parents[2]

QUICK: dict[str, Any] = {
    **UNLIMITED,
    "bot_pause": 0.0,
    "sockets_per_address": 10_000,
    "connections_per_address": 10_000,
    "listeners_per_table": 10_000,
    "tables_per_address": 1_000_000,
}
"""Settings of a busy server: bots do not pause, and there are no rate limits."""

PATIENCE = 120.0
"""Seconds until a server must have come up or gone down, on a machine that is busy."""


def free_port() -> int:
    """A free port.

    It is below the range of ephemeral ports: a client that connects while the server is down could
    otherwise get the server's own port, and be connected to itself.
    """
    for port in random.SystemRandom().sample(range(15_000, 30_000), 200):
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise AssertionError("no free port")


def _kill(process: Forked | subprocess.Popen[bytes]) -> None:
    """Kill a process unless it has ended, and forget it."""
    process.kill()
    process.wait()
    if not isinstance(process, Forked) and process.stdin is not None:
        process.stdin.close()


class ServerProcess:
    """A server that can be restarted with its data at the same address."""

    def __init__(
        self,
        folder: Path,
        *,
        kernel: bool = True,
        name: str = "server",
        data: str | None = None,
        main: str = "tests.server.process_main",
        variables: dict[str, str] | None = None,
        **settings: Any,
    ) -> None:
        self.database = folder / "tables.sqlite"
        self._is_own = data is None
        self.data = data or str(self.database)
        self.port = free_port()
        given = [f"--set={name}={value}" for name, value in (QUICK | settings).items()]
        where = ["--local", f"--port={self.port}", f"--data={data or self.database}"]
        self._command = ["-m", main, "serve", *where, *given]
        self._variables = (variables or {}) | ({} if kernel else {"NO_KERNEL": "1"})
        self._log = folder / f"{name}.log"
        self._process: Forked | subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def log(self) -> str:
        """Everything it logged, over all starts."""
        return self._log.read_text(errors="replace")

    @property
    def is_running(self) -> bool:
        """Whether it was started, and neither stopped nor killed since."""
        return self._process is not None

    @property
    def pid(self) -> int:
        """The number of the running process."""
        assert self._process is not None
        return self._process.pid

    def counters(self) -> dict[str, float]:
        """The metrics of the running server."""
        lines = self._get("/metrics").splitlines()
        return {
            name: float(value)
            for name, _, value in (line.partition(" ") for line in lines)
            if name.startswith("triomino_")
        }

    def _get(self, path: str) -> str:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            connection.request("GET", path)
            answer = connection.getresponse()
            assert answer.status == 200, answer.status
            return answer.read().decode()
        finally:
            connection.close()

    def memory(self) -> float:
        """Megabytes of memory that the running process holds."""
        pages = int(Path(f"/proc/{self.pid}/statm").read_text().split()[1])
        return pages * resource.getpagesize() / 1e6

    def handles(self) -> int:
        """How many files and sockets the running process has open."""
        return len(os.listdir(f"/proc/{self.pid}/fd"))

    def start(self) -> float:
        """Start it and wait until it answers; return after how many seconds it did."""
        assert self._process is None
        if self._is_own and not self.database.exists():
            copy_new_database(self.database)
        began = time.monotonic()
        self._process = self._begin()
        while True:
            if self._process.poll() is not None:
                raise AssertionError(f"the server did not come up:\n{self.log}")
            try:
                self._get("/health")
                return time.monotonic() - began
            except OSError:
                pass
            assert time.monotonic() - began < PATIENCE, self.log
            time.sleep(0.02)

    def _begin(self) -> Forked | subprocess.Popen[bytes]:
        if not self._variables:
            _, module, *arguments = self._command
            return Forked(module, arguments, ROOT, environment(), self._log)
        with self._log.open("ab") as log:
            return subprocess.Popen(
                [sys.executable, *self._command],
                cwd=ROOT,
                env=environment() | self._variables,
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
            )

    def stop(self) -> int:
        """Ask it to stop, as a host would; return its exit code."""
        return self._end(kill=False)

    def kill(self) -> None:
        """Kill it with SIGKILL: what is not on disk is lost."""
        self._end(kill=True)

    def signal(self, number: int) -> None:
        """Send it a signal."""
        os.kill(self.pid, number)

    def end_anyhow(self) -> None:
        """Kill it if it runs, stopped or not."""
        if self._process is not None:
            _kill(self._process)
            self._process = None

    def _end(self, *, kill: bool) -> int:
        process, self._process = self._process, None
        assert process is not None
        assert process.poll() is None, f"the server had gone already:\n{self.log}"
        if kill:
            process.kill()
        else:
            process.terminate()
        try:
            return process.wait(PATIENCE)
        finally:
            _kill(process)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._process is not None and (kind is not None or self._process.poll() is not None):
            _kill(self._process)
        elif self._process is not None:
            self.stop()
