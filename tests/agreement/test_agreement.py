"""Python and the kernel play the same rules."""

from __future__ import annotations

from enum import StrEnum
from typing import get_type_hints

import pytest

from tests.agreement.walk import DRAWING, DifferenceError, Walk, house_rules, racks_for, walk
from tests.effort import count
from triomino import CLASSIC, EDITIONS, Rng, Rules, read_record
from triomino.rules import NOT_BUILT
from triomino.tile import TILE_SETS


@pytest.mark.parametrize("first", [0, 1000, 2000, 3000])
def test_random_rounds_agree(first: int) -> None:
    positions = count(12_000)
    done = walk(positions, first)
    assert done.positions >= positions
    assert done.rounds > 10
    assert done.trees > 10
    assert min(done.positions_by_drawing[name] for name in DRAWING) > 100
    assert done.in_small_sets > 20


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("portable", [False, True])
def test_every_edition_and_player_count_agrees(edition: str, portable: bool) -> None:
    for changes in ({}, *DRAWING.values()):
        rules = EDITIONS[edition].with_changes(changes)
        for players in rules.racks:
            Walk(rules, players, seed=players, portable=portable).run(most=10_000)


@pytest.mark.parametrize("tile_set", TILE_SETS)
@pytest.mark.parametrize("edition", EDITIONS)
def test_every_set_agrees(edition: str, tile_set: str) -> None:
    for seed in range(count(20, least=2)):
        racks = racks_for(tile_set, Rng.named("racks", tile_set, seed))
        rules = EDITIONS[edition].with_changes({"tile_set": tile_set, "racks": racks})
        for players in racks:
            Walk(rules, players, seed, portable=bool(seed % 2)).run(most=150)


def test_a_casual_series_agrees_to_the_end_of_its_rounds() -> None:
    """A round won is counted with the move that ends it."""
    for blocked in ("fewest_tiles", "subtract_own"):
        rules = EDITIONS["casual"].with_changes({"target": 3, "blocked": blocked})
        for seed in range(12):
            round_ = Walk(rules, 2 + seed % 3, seed)
            round_.run(most=10_000)
            assert sum(round_.game.totals) >= 1


def test_house_rules_reach_every_value_of_every_field() -> None:
    made = [house_rules(Rng(seed)) for seed in range(600)]
    for name, kind in get_type_hints(Rules).items():
        seen = {getattr(rules, name) for rules in made}
        if kind is bool:
            assert seen == {False, True}, name
        elif isinstance(kind, type) and issubclass(kind, StrEnum):
            assert seen == set(kind) - NOT_BUILT, name
        else:
            assert len(seen) > 3, name


def test_a_difference_is_a_record_that_can_be_replayed() -> None:
    round_ = Walk(CLASSIC, 2, seed=5)
    round_.run(most=12)
    with pytest.raises(DifferenceError) as caught:
        round_._expect("totals", 1, 2)
    match = read_record(caught.value.record)
    assert [ply.move for ply in match.game.plies] == [ply.move for ply in round_.game.plies]
    assert "Python 1, kernel 2" in caught.value.what
