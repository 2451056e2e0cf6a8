"""What spreading lab work over Ray costs, in one run: ``make bench-ray``.

Two workers on this machine play matches; each match says how long it took. Whatever else the
clock shows went to Ray: sending tasks, fetching results, waiting for the last one. A busy machine
makes both sides longer alike.
"""

from __future__ import annotations

import argparse
import sys
from importlib import import_module
from time import perf_counter
from typing import Any

from tests.cluster.loopback import devices

from triomino import CLASSIC
from triomino.bots.simulation import simulate_match
from triomino.lab import cluster

WORKERS = 2


def play(bots: tuple[str, ...], number: int) -> float:
    """Play a match and return how long it took."""
    start = perf_counter()
    simulate_match(CLASSIC, bots, 1, number)
    return perf_counter() - start


def measure(address: str, matches: int) -> tuple[float, float]:
    """Return the time spent in matches, for each worker, and the time by the clock."""
    bots = ("easy", "greedy")
    with cluster.connected(address):
        list(cluster.in_order(play, bots, range(8 * WORKERS), address))  # starts the workers
        start = perf_counter()
        spent = sum(cluster.in_order(play, bots, range(matches), address))
        return spent / WORKERS, perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=3000)
    given = parser.parse_args()
    if devices() != ["lo"]:
        sys.exit("Ray would listen to the outside: run make bench-ray")
    made: Any = import_module("ray.cluster_utils").Cluster(
        initialize_head=True, head_node_args={"num_cpus": 1}
    )
    try:
        made.add_node(num_cpus=1)
        made.wait_for_nodes(timeout=120)
        busy, wall = measure(made.address, given.matches)
    finally:
        made.shutdown()
    print(f"{given.matches} matches: {wall:.1f} s by the clock, {busy:.1f} s of them in matches")
    print(f"Ray took {1 - busy / wall:.1%} of the time")


if __name__ == "__main__":
    main()
