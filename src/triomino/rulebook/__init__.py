"""The rules of a game, line by line, made from its data: text and data cannot disagree.

A line is the key of a text and the numbers in it; the texts stand in the catalogues of
``triomino.words``, one for each language. Every number is a field of :class:`Rules` or counted
from its tiles.
"""

from triomino.rulebook.book import Change, changes, deals, rulebook, shown
from triomino.rulebook.chapters import TOURNAMENT
from triomino.rulebook.figures import FIGURED, FIGURES, Figure
from triomino.rulebook.lines import Chapter, Line

__all__ = [
    "FIGURED",
    "FIGURES",
    "TOURNAMENT",
    "Change",
    "Chapter",
    "Figure",
    "Line",
    "changes",
    "deals",
    "rulebook",
    "shown",
]
