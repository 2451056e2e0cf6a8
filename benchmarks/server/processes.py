"""The servers to measure and the clients that measure them, each a process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from triomino.server.budgets import PER_MINUTE

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]

BUSY = {
    **dict.fromkeys(PER_MINUTE, 100_000_000),
    "messages_per_second": 100_000,
    "messages_per_address": 100_000_000,
    "sockets_per_address": 100_000,
    "connections": 100_000,
    "connections_per_address": 100_000,
    "connections_per_second": 100_000,
    "tables_per_address": 1_000_000,
    "idle_seconds": 3600,
}
"""Settings without limits: all clients come from one address at full speed."""


def table_server(data: Path | str) -> list[str]:
    settings = [part for name, value in BUSY.items() for part in ("--set", f"{name}={value}")]
    return ["triomino", "serve", "--local", "--port", "0", "--data", str(data), *settings]


def echo_server() -> list[str]:
    return ["benchmarks.server.echo"]


@contextmanager
def running(
    module: list[str], log: Path, checkout: Path = ROOT
) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """Run a server of a checkout during the block; yield its process and its port."""
    python = sys.executable if checkout == ROOT else str(checkout / ".venv" / "bin" / "python")
    with log.open("a") as errors:
        process = subprocess.Popen(
            [python, "-m", *module],
            cwd=checkout,
            env=os.environ | {"PYTHONWARNINGS": "ignore"},
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        if not line:
            raise RuntimeError(f"the server did not start; see {log}")
        yield process, int(line.rpartition(":")[2])
    finally:
        process.terminate()
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if process.stdout is not None:
            process.stdout.close()


def load(**job: Any) -> dict[str, Any]:
    """Run a job of the clients; return its results."""
    out = _told("benchmarks.server.load", job)
    if out["errors"]:
        raise RuntimeError(f"the server refused: {out['errors']}")
    return out


def disk(**job: Any) -> dict[str, Any]:
    """Measure the disk alone."""
    return _told("benchmarks.server.disk", job)


def _told(module: str, job: dict[str, Any]) -> dict[str, Any]:
    result = subprocess.run(
        [sys.executable, "-m", module, json.dumps(job)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    out: dict[str, Any] = json.loads(result.stdout)
    return out


def memory_kb(pid: int) -> float:
    """The resident memory of a process."""
    with open(f"/proc/{pid}/status", encoding="ascii") as file:
        for line in file:
            if line.startswith("VmRSS:"):
                return float(line.split()[1])
    raise RuntimeError("the system does not say how much memory a process has")
