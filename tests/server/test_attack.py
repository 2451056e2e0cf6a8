"""The floods of ``make attack``, each for a moment: nobody honest is closed, nothing breaks."""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING

import pytest
from benchmarks.attack.__main__ import Outcome
from benchmarks.attack.attackers import attack
from benchmarks.attack.bystanders import Bystanders, quantile
from benchmarks.attack.floods import FLOODS
from benchmarks.server.processes import running
from benchmarks.server.stored import store_long_table

from tests.effort import count
from tests.server.harness import copy_new_database

if TYPE_CHECKING:
    from pathlib import Path

SECONDS = 0.25
TRIES = 20
"""How often a flood begins at most until it is answered: a busy machine takes longer."""

FIRST = {"pad_sockets", "hellos", "undo", "files", "bodies", "connections"}

MOST_FLOODS = count(60, least=6)
"""How many of the floods are tried."""


async def attack_by_all(port: int) -> dict[str, dict[str, int]]:
    """All floods one after the other, each from an address of its own, beside one match."""
    bystanders = Bystanders(port)
    await bystanders.open()
    seen = {}
    try:
        # Those that have ever broken something come first.
        order = sorted(FLOODS, key=lambda flood: flood not in FIRST)
        for number, flood in enumerate(order[:MOST_FLOODS]):
            played = asyncio.create_task(bystanders.play(SECONDS + 0.2))
            for _ in range(TRIES):
                seen[flood] = await attack(port, flood, SECONDS, f"127.0.0.{number + 2}")
                if seen[flood]:
                    break
            assert await played, flood
            assert (bystanders.closed, bystanders.faults) == (0, 0), (flood, bystanders.refused)
    finally:
        await bystanders.end()
    return seen


@pytest.mark.skipif(sys.platform != "linux", reason="has other addresses of this machine")
def test_the_floods_leave_honest_clients_alone(tmp_path: Path) -> None:
    """How fast the server stays is for the benchmark."""
    data, log = tmp_path / "tables.db", tmp_path / "log.txt"
    copy_new_database(data)
    store_long_table(data, 100)
    server = ["triomino", "serve", "--local", "--open-house", "--port", "0"]
    server += ["--data", str(data)]
    with running(server, log) as (process, port):
        seen = asyncio.run(attack_by_all(port))
        assert process.poll() is None
    said = log.read_text()
    assert "Traceback" not in said, said[-3000:]
    assert all(seen.values()), seen
    answers = {answer for flood in seen.values() for answer in flood if answer.isdigit()}
    assert max(answers) < "500", seen


def test_an_outcome_says_how_much_slower_moves_were() -> None:
    outcome = Outcome("x", [0.001, 0.002, 0.003], [0.004, 0.004, 0.5], 0, 1, 2, {"429": 3})
    assert outcome.ratio == pytest.approx(2)
    assert quantile([0.001] * 99 + [1.0], 0.99) == 1000
    assert str(outcome).split() == [
        *("x", "2.0", "3.0", "4.0", "500.0", "2.00", "0", "1", "2", "429:3"),
    ]
