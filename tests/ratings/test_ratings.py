from __future__ import annotations

import pytest
from benchmarks.ratings.outcomes import read
from benchmarks.ratings.simulation import simulate
from openskill.models import PlackettLuce

from tests.effort import count
from triomino.errors import TriominoError
from triomino.ratings import MATCHES_ON_BOARD, RatedMatch, Rating, Ratings, Seat, ranks_of, rate


def match(*seats: Seat) -> RatedMatch:
    return RatedMatch("table", "classic", 0, seats)


def test_the_winner_gains_what_the_loser_loses_and_both_become_more_certain() -> None:
    winner, loser = rate(match(Seat("ann", 1), Seat("ben", 2)), [Rating(), Rating()])
    assert winner.points > 1500 > loser.points
    assert winner.points + loser.points == 3000
    assert winner.uncertainty == loser.uncertainty < Rating().uncertainty
    assert winner.matches == loser.matches == 1


def test_a_tie_between_equals_changes_nothing_but_certainty() -> None:
    one, other = rate(match(Seat("ann", 1), Seat("ben", 1)), [Rating(), Rating()])
    assert one.mu == pytest.approx(other.mu) == pytest.approx(25)
    assert one.sigma < Rating().sigma


def test_ratings_are_those_of_the_library() -> None:
    model = PlackettLuce(beta=8.0)
    before = [Rating(31, 4, 20), Rating(22, 6, 3), Rating(), Rating(25, 2, 90)]
    ranks = [2.0, 1.0, 3.0, 3.0]
    seats = [Seat(str(number), int(rank)) for number, rank in enumerate(ranks)]
    expected = model.rate([[model.rating(one.mu, one.sigma)] for one in before], ranks=ranks)
    after = rate(match(*seats), before)
    assert [(one.mu, one.sigma) for one in after] == [(own.mu, own.sigma) for [own] in expected]


def test_who_leaves_is_last_whatever_the_points_say() -> None:
    assert ranks_of([90, 20, 50], winners=[0], left=[0]) == (3, 2, 1)
    assert ranks_of([90, 20, 50], winners=[0], left=[0, 1]) == (2, 2, 1)
    assert ranks_of([90, 90, 50], winners=[0, 1]) == (1, 1, 3)


def test_a_match_that_a_bot_played_rates_nobody_but_those_who_left() -> None:
    before = [Rating(), Rating(), Rating()]
    seats = [Seat("ann", 1), Seat("ben", 2), Seat("cem", 3, left=True, bot_moves=True)]
    ann, ben, cem = rate(match(*seats), before)
    assert (ann, ben) == (Rating(), Rating())
    assert cem.points < 1500
    assert cem.matches == 1
    back = [Seat("ann", 1), Seat("ben", 2), Seat("cem", 3, bot_moves=True)]
    assert rate(match(*back), before) == tuple(before)


def test_a_match_that_everybody_left_rates_nobody() -> None:
    seats = [Seat("ann", 1, left=True), Seat("ben", 1, left=True)]
    assert rate(match(*seats), [Rating(), Rating()]) == (Rating(), Rating())


def test_nobody_is_rated_against_themselves() -> None:
    with pytest.raises(TriominoError, match="different people"):
        match(Seat("ann", 1), Seat("ann", 2))


def test_ratings_of_editions_are_separate_and_the_fold_can_be_repeated() -> None:
    matches = [
        RatedMatch(str(number), edition, number, (Seat("ann", 1), Seat("ben", 2)))
        for number, edition in enumerate(["classic", "card", "classic"])
    ]
    ratings = Ratings.folded(matches)
    assert ratings.of("classic", "ann").matches == 2
    assert ratings.of("card", "ann").matches == 1
    assert ratings.of("casual", "ann") == Rating()
    assert Ratings.folded(matches).items() == ratings.items()


def test_a_rating_is_provisional_until_there_are_enough_matches() -> None:
    ratings = Ratings()
    for number in range(MATCHES_ON_BOARD):
        assert ratings.of("classic", "ann").is_provisional
        ratings.add(RatedMatch(str(number), "classic", 0, (Seat("ann", 1), Seat("ben", 2))))
    assert not ratings.of("classic", "ann").is_provisional


@pytest.mark.parametrize("players", [2, 4])
def test_ratings_recover_the_order_of_our_levels(players: int) -> None:
    """The whole size is 200 players with 50 matches each; `make simulate-ratings` draws it."""
    people = count(200, least=60)
    course = simulate(read(), players, people, 50)
    assert course.correlations[-1] >= 0.9
    assert course.correlations[0] < 0.7  # after a single match it is mostly luck
