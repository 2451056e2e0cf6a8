"""Three servers behind HAProxy, for tests that were written for one."""

from __future__ import annotations

import shutil
from collections import Counter
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Self

import pytest
from tools.services import HaProxy, Postgres, Valkey

from tests.server.process import ServerProcess

if TYPE_CHECKING:
    from pathlib import Path


class ThreeServers(ServerProcess):
    """Looks like one server: clients go to any, and counters are those of all."""

    def __init__(self, folder: Path, **settings: Any) -> None:
        if shutil.which("haproxy") is None:
            pytest.skip("there is no HAProxy: apt-get install haproxy")
        self._folder, self._settings = folder, settings
        self._stack = ExitStack()
        self.nodes: list[ServerProcess] = []

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            postgres, valkey = Postgres(), Valkey()
            for service in (postgres, valkey):
                stack.callback(service.remove)
                service.start()
            self.data = postgres.url()
            where: dict[str, Any] = {"data": self.data, "bus": valkey.url}
            for number in range(3):
                node = ServerProcess(
                    self._folder, name=f"node{number}", proxy="127.0.0.1", **where, **self._settings
                )
                stack.callback(node.end_anyhow)
                node.start()
                self.nodes.append(node)
            proxy = HaProxy([node.port for node in self.nodes])
            stack.callback(proxy.remove)
            proxy.start()
            self.port = proxy.port
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    @property
    def log(self) -> str:
        """What all have logged."""
        return "".join(node.log for node in self.nodes)

    def counters(self) -> dict[str, float]:
        """The sums of the metrics."""
        found: Counter[str] = Counter()
        for node in self.nodes:
            found.update(node.counters())
        return dict(found)

    def memory(self) -> float:
        """Megabytes of one server, on average."""
        return sum(node.memory() for node in self.nodes) / len(self.nodes)

    def handles(self) -> int:
        """Handles of one server, on average."""
        return sum(node.handles() for node in self.nodes) // len(self.nodes)
