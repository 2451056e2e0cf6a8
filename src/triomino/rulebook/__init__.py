"""The rule book of any rules, generated from the data so that the two cannot disagree.

A line is the key of a text and the numbers in it. The texts are in the catalogues of
``triomino.words``, one for each language. Every number is a field of :class:`Rules` or counted from
its tiles.
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
