"""Analyse matches: what every move was worth, mistakes, and luck apart from skill.

:func:`review` analyses a match; :meth:`Review.to_json` is its one JSON form, which the server sends
and stores, and from which :meth:`Review.extra` takes what a record holds.
"""

from triomino.analysis.chances import Chances, Judge, Rollouts, chances
from triomino.analysis.facts import Fact, facts
from triomino.analysis.review import Decision, Mark, PlayerReview, Review, decide, review, views

__all__ = [
    "Chances",
    "Decision",
    "Fact",
    "Judge",
    "Mark",
    "PlayerReview",
    "Review",
    "Rollouts",
    "chances",
    "decide",
    "facts",
    "review",
    "views",
]
