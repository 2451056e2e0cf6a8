"""Counting rounds: whatever the threads, whatever the scores."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from triomino import CLASSIC
from triomino.lab.tally import LOWEST, Tally, count_rounds, player_counts, tally_rounds
from triomino.lab.tally_chart import tally_chart

if TYPE_CHECKING:
    from triomino import Rules


def test_threads_and_blocks_change_nothing() -> None:
    tallies = [Tally(CLASSIC, 2), Tally(CLASSIC, 2)]
    assert sum(count_rounds(tallies[0], 25_000, "greedy", 1, threads=1)) == 25_000
    assert sum(count_rounds(tallies[1], 25_000, "greedy", 1, threads=2)) == 25_000
    assert tallies[0].line() == tallies[1].line()
    assert np.array_equal(tallies[0].scores, tallies[1].scores)


@pytest.mark.parametrize(
    "rules",
    [
        CLASSIC.with_changes({"bridge_bonus": 9999, "hexagon_bonuses": [9999, 9999, 9999]}),
        CLASSIC.with_changes({"draw_cost": 9999, "no_play_extra": 9999}),
    ],
)
def test_strange_scores_are_counted_at_the_end_of_the_scale(rules: Rules) -> None:
    tally = Tally(rules, 2)
    for _ in count_rounds(tally, 100, "random", 1, threads=1):
        pass
    assert tally.scores.sum() == 200
    assert tally.line()["mean_score"] >= LOWEST
    assert tally_chart([tally], "random play").startswith("<svg ")


def test_progress_begins_at_zero_for_every_case() -> None:
    seen: list[tuple[int, int]] = []
    cases = player_counts([CLASSIC])
    result = tally_rounds(
        cases, 30, threads=1, on_progress=lambda tally, done: seen.append((tally.players, done))
    )
    assert [players for _, players in cases] == [*CLASSIC.racks]
    assert seen == [(players, done) for players in CLASSIC.racks for done in (0, 30)]
    assert [tally.rounds for tally in result.tallies] == [30] * len(cases)
    assert not result.interrupted


def test_an_interrupt_leaves_the_tallies_that_have_rounds() -> None:
    def interrupt(tally: Tally, done: int) -> None:
        if tally.players == 3 and not done:
            raise KeyboardInterrupt

    result = tally_rounds(player_counts([CLASSIC]), 30, threads=1, on_progress=interrupt)
    assert result.interrupted
    assert [tally.players for tally in result.tallies] == [2]
