"""The rule book of any rules, generated from the data so that the two cannot disagree.

A line is the key of a text and the numbers in it. The texts are in the catalogues of
``triomino.words``, one for each language. Every number is a field of :class:`Rules` or counted from
its tiles.
"""

from triomino.rulebook.book import Change, changes, deals, rulebook, shown
from triomino.rulebook.chapters import TOURNAMENT
from triomino.rulebook.figures import FIGURED, FIGURES, RACK_FIGURES, Figure, RackFigure
from triomino.rulebook.guide import Guide, ScoreRow, guide
from triomino.rulebook.lines import Chapter, Line
from triomino.rulebook.paragraphs import paragraphs
from triomino.rulebook.questions import Answer, Source, Try
from triomino.rulebook.sums import WorkedSum

__all__ = [
    "FIGURED",
    "FIGURES",
    "RACK_FIGURES",
    "TOURNAMENT",
    "Answer",
    "Change",
    "Chapter",
    "Figure",
    "Guide",
    "Line",
    "RackFigure",
    "ScoreRow",
    "Source",
    "Try",
    "WorkedSum",
    "changes",
    "deals",
    "guide",
    "paragraphs",
    "rulebook",
    "shown",
]
