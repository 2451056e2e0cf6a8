"""Tournaments: who plays whom, and how everybody stands.

Plain values in, plain values out: no clock, no server, no tiles. Players are numbers in the order
in which they came.
"""

from triomino.tournament.pairing import Pairing, pair_round
from triomino.tournament.standings import Row, standings, table_points
from triomino.tournament.values import WIN, Entrant, PlayedRound, PlayedTable, System, TableResult

__all__ = [
    "WIN",
    "Entrant",
    "Pairing",
    "PlayedRound",
    "PlayedTable",
    "Row",
    "System",
    "TableResult",
    "pair_round",
    "standings",
    "table_points",
]
