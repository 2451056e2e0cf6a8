"""Lab work over Ray, as far as that goes without Ray."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

from triomino import CLASSIC, TriominoError
from triomino.lab.cluster import SECONDS, _next_size
from triomino.lab.simulation import Job, simulate


def test_tasks_grow_until_they_last() -> None:
    size = 1
    for _ in range(10):
        size = _next_size(size, seconds=0.01)
    assert size == round(SECONDS / 0.01)
    assert _next_size(size, seconds=100.0) == 1
    assert _next_size(1, seconds=0.0) == 4


@pytest.mark.skipif(find_spec("ray") is not None, reason="Ray is installed")
def test_without_ray_a_cluster_is_refused_in_one_line() -> None:
    job = Job(CLASSIC, ("greedy", "random"), seed=1, matches=2)
    with pytest.raises(TriominoError, match="needs Ray: pip install"):
        simulate(job, cluster="auto")
