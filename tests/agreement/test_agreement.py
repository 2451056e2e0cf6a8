"""Python and the kernel play the same rules."""

from __future__ import annotations

import pytest

from tests.agreement.walk import DifferenceError, Walk, house_rules, walk
from triomino import CLASSIC, EDITIONS, Rng, read_record


@pytest.mark.parametrize("first", [0, 1000, 2000, 3000])
def test_random_rounds_agree(first: int) -> None:
    positions, rounds, trees = walk(1200, first)
    assert positions >= 1200
    assert rounds > 10
    assert trees > 10


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("portable", [False, True])
def test_every_edition_and_player_count_agrees(edition: str, portable: bool) -> None:
    for players in EDITIONS[edition].racks:
        Walk(EDITIONS[edition], players, seed=players, portable=portable).run(most=10_000)


def test_house_rules_reach_every_field() -> None:
    seen: dict[str, set[str]] = {}
    for seed in range(600):
        for name, value in house_rules(Rng(seed)).changes.items():
            seen.setdefault(name, set()).add(str(value))
    assert {"racks", "bridge_rule", "blocked", "may_keep", "target", "hexagon_bonuses"} <= set(seen)
    assert len(seen["bridge_rule"]) == 3  # strict is what all editions have


def test_a_difference_is_a_record_that_can_be_replayed() -> None:
    round_ = Walk(CLASSIC, 2, seed=5)
    round_.run(most=12)
    with pytest.raises(DifferenceError) as caught:
        round_._expect("totals", 1, 2)
    match = read_record(caught.value.record)
    assert [turn.move for turn in match.game.turns] == [t.move for t in round_.game.turns]
    assert "Python 1, kernel 2" in caught.value.what
