"""The game of triangular dominoes.

>>> import triomino as tri
>>> game = tri.Game.deal(tri.CLASSIC, players=2, seed=7)
>>> ply = game.play(game.legal_moves()[0])
>>> print(*ply.scores)
seat 1: tile +3
"""

from triomino.board import Board
from triomino.deal import Deal, StartDraw
from triomino.dice import Dice, Rng
from triomino.errors import (
    IllegalMove,
    NotationError,
    PositionError,
    RecordError,
    RulesError,
    TriominoError,
    Why,
)
from triomino.fair import Seeds
from triomino.game import Game, Ply, RoundEnd
from triomino.grid import Cell, Vertex
from triomino.ledger import EndReason
from triomino.match import Match, Player
from triomino.moves import Draw, End, Keep, Move, Pass, Place, parse_move
from triomino.notation import position_from_json, position_to_json
from triomino.pad import ScorePad
from triomino.perft import perft
from triomino.position import Position
from triomino.record import read_record, read_records, verify_deals, write_record
from triomino.rules import (
    CARD,
    CASUAL,
    CLASSIC,
    CLASSIC_HEBREW,
    EDITIONS,
    SIX_PLAYER,
    BridgeRule,
    Rules,
    Seat,
)
from triomino.scoring import Reason, Score
from triomino.tile import SET_56, SET_76, Tile
from triomino.view import View

__all__ = [
    "CARD",
    "CASUAL",
    "CLASSIC",
    "CLASSIC_HEBREW",
    "EDITIONS",
    "SET_56",
    "SET_76",
    "SIX_PLAYER",
    "Board",
    "BridgeRule",
    "Cell",
    "Deal",
    "Dice",
    "Draw",
    "End",
    "EndReason",
    "Game",
    "IllegalMove",
    "Keep",
    "Match",
    "Move",
    "NotationError",
    "Pass",
    "Place",
    "Player",
    "Ply",
    "Position",
    "PositionError",
    "Reason",
    "RecordError",
    "Rng",
    "RoundEnd",
    "Rules",
    "RulesError",
    "Score",
    "ScorePad",
    "Seat",
    "Seeds",
    "StartDraw",
    "Tile",
    "TriominoError",
    "Vertex",
    "View",
    "Why",
    "parse_move",
    "perft",
    "position_from_json",
    "position_to_json",
    "read_record",
    "read_records",
    "verify_deals",
    "write_record",
]
