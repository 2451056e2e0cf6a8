from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from triomino.ratings import Place, Rating, Seeker, may_join, pair_up, with_bots

TWO = Place("classic", 2)
SECOND = 1000


def known(points: int) -> Rating:
    """A rating that is certain, and so many points."""
    return Rating(25 + (points - 1500) / 15, 0.5, 50)


def names(groups: list[list[Seeker]]) -> list[list[str]]:
    return [[one.person for one in group] for group in groups]


def test_nobody_plays_alone() -> None:
    assert pair_up([Seeker("ann", TWO, 0)], 60 * SECOND) == []


def test_those_who_wait_for_different_things_do_not_meet() -> None:
    others = [Place("card", 2), Place("classic", 3)]
    waiting = [Seeker("ann", TWO, 0), *(Seeker(str(one), one, 0) for one in others)]
    assert pair_up(waiting, 60 * SECOND) == []


def test_who_came_first_plays_first() -> None:
    waiting = [Seeker("cem", TWO, 3000), Seeker("ann", TWO, 1000), Seeker("ben", TWO, 2000)]
    assert names(pair_up(waiting, 4000)) == [["ann", "ben"]]


def test_similar_ratings_are_preferred_when_there_are_enough() -> None:
    waiting = [
        Seeker("strong", TWO, 0, known(2000)),
        Seeker("weak", TWO, 1, known(1000)),
        Seeker("stronger", TWO, 2, known(2100)),
        Seeker("weaker", TWO, 3, known(950)),
    ]
    assert names(pair_up(waiting, SECOND)) == [["strong", "stronger"], ["weak", "weaker"]]


def test_the_window_widens_with_waiting() -> None:
    waiting = [Seeker("ann", TWO, 0, known(1900)), Seeker("ben", TWO, 0, known(1300))]
    assert pair_up(waiting, 5 * SECOND) == []
    assert names(pair_up(waiting, 20 * SECOND)) == [["ann", "ben"]]


def test_after_a_while_the_rating_does_not_matter() -> None:
    waiting = [Seeker("ann", TWO, 0, known(3000)), Seeker("ben", TWO, 24_000, known(500))]
    assert pair_up(waiting, 24 * SECOND) == []
    assert names(pair_up(waiting, 25 * SECOND)) == [["ann", "ben"]]


def test_blocked_people_never_meet() -> None:
    four = Place("classic", 4)
    waiting = [Seeker(name, four, number) for number, name in enumerate("abcd")]
    blocked = {frozenset("ac")}
    assert pair_up(waiting, 60 * SECOND, blocked) == []
    more = [*waiting, Seeker("e", four, 9)]
    assert names(pair_up(more, 60 * SECOND, blocked)) == [["a", "b", "d", "e"]]
    impatient = [Seeker(name, TWO, 0, takes_bots=True) for name in "ac"]
    assert names(with_bots(impatient, 0, blocked)) == [["a"], ["c"]]
    assert not may_join(Seeker("a", TWO, 0), ["c"], blocked)
    assert may_join(Seeker("a", TWO, 0), ["b"], blocked)


def test_bots_are_for_those_who_want_them() -> None:
    three = Place("classic", 3)
    waiting = [
        Seeker("ann", three, 0, takes_bots=True),
        Seeker("ben", three, 1),
        Seeker("cem", three, 2, takes_bots=True),
    ]
    assert names(with_bots(waiting, 30 * SECOND)) == [["ann", "cem"]]


@given(
    st.lists(
        st.tuples(
            st.integers(0, 30),
            st.integers(2, 4),
            st.integers(0, 60_000),
            st.integers(500, 2500),
            st.booleans(),
        ),
        unique_by=lambda one: one[0],
    ),
    st.sets(st.frozensets(st.integers(0, 30), min_size=2, max_size=2), max_size=20),
)
def test_nobody_gets_two_seats_and_tables_are_full(
    people: list[tuple[int, int, int, int, bool]], pairs: set[frozenset[int]]
) -> None:
    waiting = [
        Seeker(str(who), Place("classic", players), since, known(points), bots)
        for who, players, since, points, bots in people
    ]
    blocked = {frozenset(map(str, pair)) for pair in pairs}
    groups = pair_up(waiting, 60_000, blocked)
    seated = [one.person for group in groups for one in group]
    assert len(seated) == len(set(seated))
    for group in groups:
        assert len(group) == group[0].place.players
        assert {one.place for one in group} == {group[0].place}
        met = {frozenset((a.person, b.person)) for a in group for b in group if a is not b}
        assert not met & blocked
    for group in with_bots([one for one in waiting if one.person not in seated], 60_000, blocked):
        assert all(one.takes_bots for one in group)
        assert len(group) <= group[0].place.players
