"""Pairings and standings: what every tournament may rely on."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.effort import count
from tests.tournament.plain import PlainRound, plain_keys, plain_points, plain_standings
from triomino.errors import TriominoError
from triomino.tournament import (
    WIN,
    Entrant,
    Pairing,
    PlayedRound,
    PlayedTable,
    System,
    TableResult,
    pair_round,
    standings,
    table_points,
)
from triomino.tournament.groups import table_sizes
from triomino.tournament.matching import Matching
from triomino.tournament.values import meetings


def results(pairing: Pairing, dice: Random, most: int = 5) -> PlayedRound:
    """A round with chosen results; few different totals make many ties."""
    tables = []
    for players in pairing.tables:
        totals = [dice.randrange(most) for _ in players]
        tables.append(PlayedTable(players, TableResult.of_totals(totals)))
    return PlayedRound(tuple(tables), pairing.byes)


def everybody_once(pairing: Pairing, present: list[int]) -> None:
    """Nobody sits at two tables, and nobody is forgotten."""
    seated = [player for table in pairing.tables for player in table]
    assert sorted([*seated, *pairing.byes]) == sorted(present)


def plainly(rounds: list[PlayedRound]) -> list[PlainRound]:
    """The same rounds for the plain computation."""
    return [
        {
            "tables": [
                [
                    (player, table.result.totals[seat], seat in table.result.winners)
                    for seat, player in enumerate(table.players)
                ]
                for table in one.tables
                if table.result is not None
            ],
            "byes": list(one.byes),
        }
        for one in rounds
    ]


@settings(max_examples=count(300), deadline=None)
@given(st.integers(2, 11), st.floats(0, 1), st.integers(0, 10**6))
def test_the_largest_matching_is_found(players: int, density: float, seed: int) -> None:
    dice = Random(seed)
    edges = {pair for pair in combinations(range(players), 2) if dice.random() < density}
    found = Matching(range(players), lambda a, b: (min(a, b), max(a, b)) in edges).grow()
    assert all(found.mate[found.mate[one]] == one for one in found.mate)
    assert all((min(pair), max(pair)) in edges for pair in found.mate.items())

    def largest(rest: tuple[int, ...]) -> int:
        if len(rest) < 2:
            return 0
        first, others = rest[0], rest[1:]
        with_first = [
            1 + largest(tuple(one for one in others if one != other))
            for other in others
            if (first, other) in edges
        ]
        return max([largest(others), *with_first])

    if players <= 9:
        assert found.size == largest(tuple(range(players)))


@settings(max_examples=count(300), deadline=None)
@given(st.integers(4, 16), st.integers(0, 10**6))
def test_no_pair_meets_twice_while_that_is_possible(players: int, seed: int) -> None:
    """By Dirac's theorem half as many rounds as players can always be paired, and a few more."""
    dice = Random(seed)
    entrants = [Entrant(number) for number in range(players)]
    rounds: list[PlayedRound] = []
    for _ in range(players // 2):
        pairing = pair_round(System.SWISS, 2, entrants, rounds, dice)
        everybody_once(pairing, list(range(players)))
        rounds.append(results(pairing, dice))
    assert max(meetings(rounds).values()) == 1
    byes = Counter(player for one in rounds for player in one.byes)
    assert max(byes.values(), default=0) <= 1


def test_the_last_pairs_meet_again_as_rarely_as_possible() -> None:
    entrants, dice = [Entrant(number) for number in range(6)], Random(1)
    rounds: list[PlayedRound] = []
    for _ in range(10):
        pairing = pair_round(System.SWISS, 2, entrants, rounds, dice)
        met = meetings(rounds)
        again = sum(bool(met[frozenset(pair)]) for pair in pairing.tables)
        pairs = list(_perfect(tuple(range(6))))
        assert again == min(sum(bool(met[frozenset(one)]) for one in pair) for pair in pairs)
        rounds.append(results(pairing, dice))


def _perfect(rest: tuple[int, ...]) -> list[list[tuple[int, int]]]:
    if not rest:
        return [[]]
    return [
        [(rest[0], other), *tail]
        for other in rest[1:]
        for tail in _perfect(tuple(one for one in rest[1:] if one != other))
    ]


def test_the_best_play_the_best() -> None:
    entrants = [Entrant(number, points=points) for number, points in enumerate([24, 24, 12, 12])]
    pairing = pair_round(System.SWISS, 2, entrants, [], Random(2))
    assert {frozenset(table) for table in pairing.tables} == {frozenset({0, 1}), frozenset({2, 3})}


@settings(max_examples=count(300), deadline=None)
@given(st.integers(3, 14), st.sampled_from([3, 4]), st.integers(0, 10**6))
def test_larger_tables_have_fair_sizes_and_no_byes(players: int, seats: int, seed: int) -> None:
    dice = Random(seed)
    entrants = [Entrant(number) for number in range(players)]
    rounds: list[PlayedRound] = []
    for number in range(2):
        pairing = pair_round(System.SWISS, seats, entrants, rounds, dice)
        everybody_once(pairing, list(range(players)))
        sizes = [len(table) for table in pairing.tables]
        assert not pairing.byes
        assert sizes == table_sizes(players, seats)
        assert max(sizes) <= seats
        assert max(sizes) - min(sizes) <= 1
        if number == 1 and players >= seats * seats:
            assert max(meetings([*rounds, results(pairing, dice)]).values()) == 1
        rounds.append(results(pairing, dice))


@settings(max_examples=count(300), deadline=None)
@given(st.integers(2, 13))
def test_everybody_meets_everybody_once(players: int) -> None:
    entrants = [Entrant(number) for number in range(players)]
    rounds: list[PlayedRound] = []
    for _ in range(players + players % 2 - 1):
        pairing = pair_round(System.ROUND_ROBIN, 2, entrants, rounds, Random(3))
        everybody_once(pairing, list(range(players)))
        rounds.append(results(pairing, Random(3)))
    met = meetings(rounds)
    assert set(met.values()) == {1}
    assert len(met) == players * (players - 1) // 2
    byes = Counter(player for one in rounds for player in one.byes)
    assert set(byes.values()) == ({1} if players % 2 else set())


def test_a_round_robin_goes_on_when_people_come_and_go() -> None:
    dice = Random(4)
    rounds: list[PlayedRound] = []
    entrants = [Entrant(number) for number in range(8)]
    for number in range(3):
        rounds.append(results(pair_round(System.ROUND_ROBIN, 2, entrants, rounds, dice), dice))
        assert max(meetings(rounds).values()) == 1, number
    entrants[3] = Entrant(3, present=False)
    entrants.append(Entrant(8, points=18))
    present = [entrant.number for entrant in entrants if entrant.present]
    for _ in range(6):
        pairing = pair_round(System.ROUND_ROBIN, 2, entrants, rounds, dice)
        everybody_once(pairing, present)
        rounds.append(results(pairing, dice))
    met = meetings(rounds)
    missing = [pair for pair in combinations(present, 2) if not met[frozenset(pair)]]
    assert max(met.values()) == 2, "nobody meets for a third time"
    assert len(missing) <= 2, "nine rounds for eight of them are hardly enough"


@pytest.mark.parametrize(("players", "seats", "number"), [(8, 4, 7), (12, 4, 6), (9, 3, 6)])
def test_larger_tables_meet_about_evenly(players: int, seats: int, number: int) -> None:
    entrants, dice = [Entrant(one) for one in range(players)], Random(5)
    rounds: list[PlayedRound] = []
    for _ in range(number):
        pairing = pair_round(System.ROUND_ROBIN, seats, entrants, rounds, dice)
        rounds.append(results(pairing, dice))
    met = meetings(rounds)
    times = [met[frozenset(pair)] for pair in combinations(range(players), 2)]
    assert max(times) - min(times) <= 3
    mean = sum(times) / len(times)
    variance = sum((one - mean) ** 2 for one in times) / len(times)
    assert variance < 0.6 * mean, "tables drawn by lot vary as much as their mean"


def test_a_late_comer_and_a_drop_out() -> None:
    dice = Random(6)
    entrants = [Entrant(number) for number in range(9)]
    rounds: list[PlayedRound] = []
    for number in range(4):
        if number == 1:
            entrants.append(Entrant(9, points=WIN // 2))
        if number == 2:
            entrants[0] = Entrant(0, present=False)
        present = [entrant.number for entrant in entrants if entrant.present]
        pairing = pair_round(System.SWISS, 2, entrants, rounds, dice)
        everybody_once(pairing, present)
        rounds.append(results(pairing, dice))
    assert max(meetings(rounds).values()) == 1
    assert {row.player for row in standings(entrants, rounds)} == set(range(10))


@settings(max_examples=count(300), deadline=None)
@given(
    st.integers(2, 12),
    st.sampled_from([2, 3, 4]),
    st.sampled_from(list(System)),
    st.integers(1, 4),
    st.integers(0, 10**6),
)
def test_standings_equal_a_plain_computation(
    players: int, seats: int, system: System, number: int, seed: int
) -> None:
    dice = Random(seed)
    entrants = [Entrant(one, points=6 * dice.randrange(2)) for one in range(players)]
    rounds: list[PlayedRound] = []
    for _ in range(number):
        rounds.append(results(pair_round(system, seats, entrants, rounds, dice), dice, most=3))
    starts = {entrant.number: entrant.points for entrant in entrants}
    rows = standings(entrants, rounds)
    plain = plain_keys(starts, plainly(rounds))
    for row in rows:
        found = (Fraction(row.points), row.buchholz, Fraction(row.direct), row.difference)
        assert found == plain[row.player]
    assert [(row.rank, row.player) for row in rows] == plain_standings(starts, plainly(rounds))


@settings(max_examples=count(300), deadline=None)
@given(st.lists(st.integers(-20, 20), min_size=2, max_size=4), st.data())
def test_points_of_a_table_are_shared(totals: list[int], data: st.DataObject) -> None:
    seats = st.sets(st.integers(0, len(totals) - 1), min_size=1)
    result = TableResult(tuple(totals), tuple(data.draw(seats)))
    got = table_points(result)
    assert sum(got) == WIN * len(totals) // 2
    table = [(seat, total, seat in result.winners) for seat, total in enumerate(totals)]
    assert dict(enumerate(got)) == plain_points(table)


def test_what_makes_no_sense_is_refused() -> None:
    dice = Random(7)
    with pytest.raises(TriominoError, match="two have to be there"):
        pair_round(System.SWISS, 2, [Entrant(0), Entrant(1, present=False)], [], dice)
    with pytest.raises(TriominoError, match="2 to 4 seats"):
        pair_round(System.SWISS, 5, [Entrant(0), Entrant(1)], [], dice)
    with pytest.raises(TriominoError, match="2 to 4 totals"):
        TableResult((1,), (0,))
    with pytest.raises(TriominoError, match="must have won"):
        TableResult((1, 2), (2,))
