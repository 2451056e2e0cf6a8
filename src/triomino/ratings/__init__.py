"""Ratings of people from the matches that they played.

Plain values in, plain values out: no clock, no server, no database. Ratings are a fold over results
in the order in which they were stored, so that they can be computed again at any time.
"""

from triomino.ratings.fold import Ratings, rate
from triomino.ratings.pairing import Place, Seeker, may_join, pair_up, with_bots
from triomino.ratings.values import MATCHES_ON_BOARD, RatedMatch, Rating, Seat, ranks_of

__all__ = [
    "MATCHES_ON_BOARD",
    "Place",
    "RatedMatch",
    "Rating",
    "Ratings",
    "Seat",
    "Seeker",
    "may_join",
    "pair_up",
    "ranks_of",
    "rate",
    "with_bots",
]
