"""``python -m tools.cluster``: several servers on this machine, to try out what happens to them.

PostgreSQL, Valkey, three servers and HAProxy run on loopback until Ctrl-C. What is stored goes
with them, unless a folder is named.
"""

from __future__ import annotations

import argparse
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import ExitStack
from pathlib import Path

from tools.services import HaProxy, Postgres, Valkey, free_port


def main() -> None:
    """Start everything, say where it is, and stop it in the end."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nodes", type=int, default=3)
    parser.add_argument("--port", type=int, default=8020)
    chosen = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))  # stop all then, too
    with ExitStack() as stack:
        postgres, valkey = Postgres(), Valkey()
        for service in (postgres, valkey):
            stack.callback(service.remove)
            service.start()
        ports = [free_port() for _ in range(chosen.nodes)]
        nodes = [_start(stack, port, postgres.url(), valkey.url, chosen.port) for port in ports]
        proxy = HaProxy(ports, chosen.port)
        stack.callback(proxy.remove)
        proxy.start()
        print(f"PostgreSQL  {postgres.url()}", f"Valkey      {valkey.url}", sep="\n")
        for port, node in zip(ports, nodes, strict=True):
            print(f"server      http://127.0.0.1:{port}  (process {node.pid})")
        print(
            f"the page    http://127.0.0.1:{chosen.port}", "Ctrl-C stops all.", sep="\n", flush=True
        )
        try:
            while any(node.poll() is None for node in nodes):
                time.sleep(0.5)
        except KeyboardInterrupt:
            pass


def _start(
    stack: ExitStack, port: int, data: str, bus: str, public: int
) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "triomino", "serve", "--local", "--port", str(port)]
    command += ["--data", data, "--bus", bus, "--proxy-headers", "--no-qr"]
    command += ["--public-url", f"http://127.0.0.1:{public}"]
    node = subprocess.Popen(  # noqa: S603
        command,
        cwd=Path(__file__).resolve().parents[1],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    )
    stack.callback(node.wait, 30)
    stack.callback(node.terminate)
    for _ in range(600):
        if node.poll() is not None:
            raise SystemExit("a server did not start; what it says is above")
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=5):
                return node
        except (OSError, urllib.error.URLError):
            time.sleep(0.1)
    raise SystemExit("a server does not answer")


if __name__ == "__main__":
    main()
