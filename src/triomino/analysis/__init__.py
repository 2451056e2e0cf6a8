"""What every move was worth: mistakes, and luck apart from skill."""

from triomino.analysis.chances import Chances, chances
from triomino.analysis.facts import Fact, facts
from triomino.analysis.review import Decision, Mark, PlayerReview, Review, review, views

__all__ = [
    "Chances",
    "Decision",
    "Fact",
    "Mark",
    "PlayerReview",
    "Review",
    "chances",
    "facts",
    "review",
    "views",
]
