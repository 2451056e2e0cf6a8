"""However people come and go, everybody gets a table, one at a time, and is rated rightly."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from tests.effort import WHOLE, long_only
from tests.nodes.three import ThreeServers
from tests.server.crowd import SETTINGS, crowd
from tests.server.process import ServerProcess

if TYPE_CHECKING:
    from pathlib import Path

# `make crowd` takes three minutes; what goes wrong shows within one, when everybody comes at once.
PEOPLE, SECONDS = (60, 60.0) if WHOLE else (20, 30.0)


@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    ("servers", "kills"),
    [
        pytest.param(ServerProcess, 0, marks=long_only),
        (ServerProcess, 1),
        pytest.param(ThreeServers, 0, marks=long_only),
        pytest.param(ThreeServers, 3, marks=long_only),
    ],
)
def test_a_crowd_plays_now(tmp_path: Path, servers: type[ServerProcess], kills: int) -> None:
    with servers(tmp_path, **SETTINGS) as server:
        report = asyncio.run(
            crowd(server, server.data, people=PEOPLE, seconds=SECONDS, kills=kills)
        )
        assert "Traceback" not in server.log, server.log[-5000:]
    assert report.faults == []
    assert report.matches >= PEOPLE // 4
