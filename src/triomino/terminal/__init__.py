"""The game in a terminal: a match at one screen, drawn or in lines that can be read aloud."""

from triomino.packages import require_packages

require_packages("triomino.terminal", "rich")
