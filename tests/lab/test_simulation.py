"""Simulations from Python: processes, shared wins and the kernel."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from typing import Any

import pytest

from triomino import EDITIONS
from triomino.lab.simulation import Job, MatchOutcome, is_native, play_all, simulate
from triomino.lab.summary import Summary


def test_several_processes_are_used_and_keep_the_order(monkeypatch: pytest.MonkeyPatch) -> None:
    pools = []

    class Pool(ProcessPoolExecutor):
        def __init__(self, size: int, *args: Any, **kwargs: Any) -> None:
            super().__init__(size, *args, **kwargs)
            pools.append(size)

    monkeypatch.setattr("triomino.lab.process_pool.ProcessPoolExecutor", Pool)
    job = Job(EDITIONS["classic"], ("greedy", "random"), 11, 24, with_records=True)
    here = [played.record for played in play_all(job, 1)]
    assert pools == []
    there = [played.record for played in play_all(job, 2)]
    assert pools == [2]
    assert there == here
    assert len(set(here)) == 24


def test_a_shared_win_counts_in_equal_parts() -> None:
    summary = Summary(Job(EDITIONS["casual"], ("greedy", "random", "greedy"), 1, 1))
    played = MatchOutcome((0, 0, 0), (0, 1), 1, 30, (0, 0, 0), (0, 0, 0))
    summary.add(played)
    assert [line["wins"] for line in summary.lines()] == [0.5, 0.5]


@pytest.mark.parametrize("edition", EDITIONS)
def test_records_have_the_same_bytes_without_the_kernel(
    edition: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = Job(EDITIONS[edition], ("greedy", "random"), 6, 3, with_records=True)
    assert is_native(job)
    there = list(play_all(job, 1))
    monkeypatch.setattr("triomino.kernel.loader._why", "no C++ compiler was found")
    assert not is_native(job)
    assert list(play_all(job, 1)) == there


@pytest.mark.parametrize(
    "job",
    [
        Job(EDITIONS["classic"], ("greedy", "clever"), 1, 1),
        Job(EDITIONS["classic"], ("greedy", "random"), 10**200, 1),
    ],
)
def test_what_the_kernel_cannot_play_is_played_without_it(job: Job) -> None:
    assert not is_native(job)


def test_a_simulation_gives_its_records_in_order() -> None:
    job = Job(EDITIONS["classic"], ("greedy", "random"), 6, 5, with_records=True)
    records: list[str] = []
    progress: list[int] = []
    result = simulate(job, processes=1, write_record=records.append, on_progress=progress.append)
    assert records == [played.record for played in play_all(job, 1)]
    assert progress == [1] * 5
    assert (result.summary.matches, result.interrupted) == (5, False)


@pytest.mark.parametrize("with_records", [False, True])
def test_an_interrupted_simulation_has_a_summary(with_records: bool) -> None:
    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    job = Job(EDITIONS["classic"], ("greedy", "random"), 6, 5000, with_records=with_records)
    result = simulate(job, processes=1, on_progress=interrupt)
    assert result.interrupted
    assert 0 < result.summary.matches < 5000
