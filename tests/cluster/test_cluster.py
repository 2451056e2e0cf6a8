"""Lab work over Ray: the same bytes as on one machine, also when a worker is killed."""

from __future__ import annotations

import threading
from dataclasses import replace
from time import sleep
from typing import TYPE_CHECKING, Any

import pytest

from tests.cluster.loopback import devices
from triomino import CLASSIC, TriominoError
from triomino.analysis.review import DEFAULT
from triomino.bots.simulation import simulate_match
from triomino.lab import cluster
from triomino.lab.arena import Contest, run_arena
from triomino.lab.learning.train import Recipe, learn
from triomino.lab.reviews import reviews
from triomino.lab.simulation import Job, simulate

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytest.importorskip("ray", reason="run make test-cluster")
if devices() != ["lo"]:
    pytest.skip("Ray would listen to the outside: run make test-cluster", allow_module_level=True)

from ray.cluster_utils import Cluster

pytestmark = pytest.mark.filterwarnings("default")


@pytest.fixture(scope="module")
def machines() -> Iterator[Any]:
    """A head and a worker, each with one processor, on the loopback device."""
    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    made.second = made.add_node(num_cpus=1)
    made.wait_for_nodes(timeout=120)
    yield made
    made.shutdown()


def bytes_of(job: Job, address: str | None, on_record: Any = None) -> tuple[str, list[Any]]:
    records: list[str] = []

    def write(record: str) -> None:
        records.append(record)
        if on_record:
            on_record(len(records))

    done = simulate(job, processes=1, cluster=address, write_record=write)
    return "\n".join(records), done.summary.lines()


# The first test: none is running yet.
def test_a_missing_cluster_is_explained() -> None:
    with pytest.raises(TriominoError, match="no Ray cluster"):
        list(cluster.in_order(_fails, "", range(1), "auto"))


def test_matches_of_the_kernel_and_arenas_are_the_same(machines: Any) -> None:
    job = Job(CLASSIC, ("greedy", "random"), seed=1, matches=5200)
    assert bytes_of(job, machines.address) == bytes_of(job, None)
    contest = Contest(CLASSIC, ("easy", "greedy"), players=2, seed=1)
    played = [
        run_arena(contest, 12, processes=1, cluster=address).standing
        for address in (machines.address, None)
    ]
    assert played[0].margins == played[1].margins
    assert played[0].rates == played[1].rates


def test_reviews_are_the_same(machines: Any) -> None:
    matches = [simulate_match(CLASSIC, ("greedy", "random"), 1, number) for number in (1, 2)]
    effort = replace(DEFAULT, rollouts=50)
    found = [
        [one.to_json() for one in reviews(matches, effort, cluster=address)]
        for address in (machines.address, None)
    ]
    assert found[0] == found[1]


def test_what_is_learned_is_the_same(machines: Any, tmp_path: Path) -> None:
    recipe = Recipe(steps=3, tables=3, rounds=16, policy_steps=1)
    for name, address in (("cluster", machines.address), ("alone", None)):
        learn(recipe, tmp_path / name, cluster=address)
    one, other = (tmp_path / name / "network.bin" for name in ("cluster", "alone"))
    assert one.read_bytes() == other.read_bytes()


def test_errors_of_a_task_come_back(machines: Any) -> None:
    with pytest.raises(TriominoError, match="gredy"):
        list(cluster.in_order(_fails, "gredy", range(3), machines.address))


def _fails(task: str, number: int) -> int:
    sleep(0.01)
    raise TriominoError(f"{task} {number}")


# The last test: it leaves one machine.
def test_a_killed_worker_changes_nothing(machines: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "SECONDS", 0.2)  # many tasks, so that some are lost
    job = Job(CLASSIC, ("easy", "greedy"), seed=3, matches=120, with_records=True)
    killed = threading.Event()

    def kill(count: int) -> None:
        if count == 10:
            machines.remove_node(machines.second, allow_graceful=False)
            killed.set()

    assert bytes_of(job, machines.address, kill) == bytes_of(job, None)
    assert killed.is_set()
