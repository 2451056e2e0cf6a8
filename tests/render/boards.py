"""Boards to draw: grown by chance, and the named ones of the rule book."""

from __future__ import annotations

from triomino import SET_76, SIX_PLAYER, Board, Game, Place, Rng


def laid(text: str) -> list[Place]:
    return [Place.parse(place) for place in text.split()]


A, B, C = laid("U(0,0)=1-3-4 D(-1,0)=1-2-3 U(-1,1)=2-2-3")

BRIDGE = Place.parse("U(0,0)=4-3-4")
BEFORE_BRIDGE = laid(
    "D(0,-1)=4-4-4 U(0,-1)=5-4-4 D(-1,-1)=5-5-4 U(-1,0)=5-0-4"
    " D(-2,0)=5-0-0 U(-2,1)=0-0-0 D(-2,1)=0-0-1 U(-1,1)=0-1-3"
)
TRIPLE_HEXAGON = laid(
    "D(0,0)=3-1-2 U(0,1)=1-1-2 D(-1,1)=1-0-1 U(-1,1)=5-0-1 D(-1,0)=1-5-1 U(-1,0)=5-5-1"
    " D(-1,-1)=4-5-1 U(0,-1)=4-1-3 D(0,-1)=3-1-3 U(1,-1)=3-3-3 D(1,-1)=3-3-2 U(1,0)=3-2-2"
    " U(0,0)=1-1-3"
)
TWO_EDGES = laid(
    "D(0,-1)=2-4-5 D(-1,0)=4-4-5 U(-1,0)=0-4-4 D(-2,0)=0-3-4 U(-2,0)=1-3-0 D(-2,-1)=0-1-0"
    " U(-1,-1)=0-0-2 U(0,-1)=2-4-2 D(0,-2)=2-2-2 D(-1,-2)=3-0-2 U(0,-2)=3-2-2"
)


def grown(count: int, seed: int = 0) -> Board:
    """A board of that many tiles, laid by chance."""
    while True:
        rng, board, left = Rng.named("render", count, seed), Board(), sum(t.bit for t in SET_76)
        while len(board) < count:
            places = board.placements(left)
            if not places:
                break
            place = places[rng.randrange(len(places))]
            board.lay(place)
            left ^= place.tile.bit
        if len(board) == count:
            return board
        seed += 1000


def played(plies: int, seed: int = 0, players: int = 2) -> Game:
    """A game after that many random moves, or when it is over."""
    game, rng = Game.deal(SIX_PLAYER, players, seed), Rng.named("render", seed)
    while not game.over and len(game.plies) < plies:
        moves = game.legal_moves()
        game.play(moves[rng.randrange(len(moves))])
    return game
