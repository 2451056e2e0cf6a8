"""A puzzle a day: positions from games between bots in which one move is clearly best."""

from triomino.puzzles.puzzle import RULES, Answer, Kind, Puzzle
from triomino.puzzles.year import DAYS, Year, read_year

__all__ = ["DAYS", "RULES", "Answer", "Kind", "Puzzle", "Year", "read_year"]
