"""The named boards of the rule book, and short ways to write a position down as text."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

import pytest

from triomino import EDITIONS, Cell, Game, IllegalMove, Place, Position, Tile, Vertex, parse_move

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from triomino import Ply, Rules, Why

# --- Boards --------------------------------------------------------------------------------------

FIVES = "U(0,0)=5-5-5"
PF = (
    "D(0,-1)=4-4-4 U(0,-1)=5-4-4 D(-1,-1)=5-5-4 U(-1,0)=5-0-4 D(-2,0)=5-0-0 U(-2,1)=0-0-0"
    " D(-2,1)=0-0-1 U(-1,1)=0-1-3"
)
PF2 = (
    "D(0,-1)=2-3-4 U(0,-1)=2-3-2 D(-1,-1)=2-3-3 U(-1,0)=3-5-3 D(-2,0)=3-4-5 U(-2,1)=4-5-5"
    " D(-2,1)=5-5-2 U(-1,1)=5-2-4"
)
PG = "D(-1,0)=1-4-5 U(-1,0)=4-4-1 D(-1,-1)=1-4-1 U(0,-1)=1-1-0 D(0,-1)=0-1-5"
PH = (
    "D(0,0)=5-4-4 U(0,1)=4-1-4 D(-1,1)=4-0-1 U(-1,1)=4-0-4 D(-1,0)=3-4-4 U(-1,0)=3-4-3"
    " D(-1,-1)=3-3-3 U(0,-1)=3-3-0 D(0,-1)=0-3-5"
)
PI = (
    "D(0,0)=3-1-2 U(0,1)=1-1-2 D(-1,1)=1-0-1 U(-1,1)=5-0-1 D(-1,0)=1-5-1 U(-1,0)=5-5-1"
    " D(-1,-1)=4-5-1 U(0,-1)=4-1-3 D(0,-1)=3-1-3 U(1,-1)=3-3-3 D(1,-1)=3-3-2 U(1,0)=3-2-2"
)
P3AP = (
    "D(0,-1)=4-4-4 U(0,-1)=0-4-4 D(-1,-1)=0-3-4 U(-1,0)=3-3-4 D(-2,0)=3-3-3 U(-2,1)=3-0-3"
    " D(-2,1)=3-0-1 U(-1,1)=3-1-3 D(-1,1)=3-1-2 U(0,1)=3-2-3"
)
P2E = (
    "D(0,-1)=2-4-5 D(-1,0)=4-4-5 U(-1,0)=0-4-4 D(-2,0)=0-3-4 U(-2,0)=1-3-0 D(-2,-1)=0-1-0"
    " U(-1,-1)=0-0-2 U(0,-1)=2-4-2 D(0,-2)=2-2-2 D(-1,-2)=3-0-2 U(0,-2)=3-2-2"
)
P3E = (
    "D(-1,0)=4-4-5 D(0,0)=5-5-1 U(0,1)=5-1-1 D(-1,1)=5-0-1 U(-1,2)=0-0-1 D(-2,2)=0-5-0"
    " U(-2,2)=4-5-0 D(-2,1)=4-4-0 U(-2,1)=3-4-4 D(-2,0)=2-3-4 U(-1,0)=2-4-4 D(0,-1)=1-4-5"
    " U(0,-1)=3-4-1 D(0,-2)=1-3-1 U(0,-2)=3-3-1 D(-1,-2)=3-0-3 U(-1,-1)=0-2-3 D(-2,-1)=0-2-2"
    " U(-2,0)=2-3-2"
)

# --- Editions ------------------------------------------------------------------------------------

ALL = ("classic", "classic-hebrew", "six-player", "card", "casual")
SET_56_EDITIONS = ("classic", "classic-hebrew", "card", "casual")
TILE_EDITIONS = ("classic", "classic-hebrew", "six-player", "casual")
POINTS = ("classic", "classic-hebrew", "six-player")
FIGURES = (*POINTS, "card placement_sum=all")
# Section 5.1 gives these two the same turn; the vectors name the first.
CLASSIC_TURN = ("classic", "six-player")


def rules_of(text: str) -> Rules:
    """An edition and what differs from it: ``classic target=400``."""
    edition, *settings = text.split()
    return EDITIONS[edition].with_settings(settings)


def editions(*names: str) -> pytest.MarkDecorator:
    """Give a test its ``rules``, once for each edition named."""
    return pytest.mark.parametrize("rules", [rules_of(name) for name in names], ids=names)


# --- Text to values ------------------------------------------------------------------------------


def tiles(text: str) -> list[Tile]:
    return [Tile.parse(word) for word in text.split()]


def racks_of(text: str) -> list[list[Tile]]:
    """Racks divided by a stroke; a lone rack gets the opponent of the vectors."""
    if "/" not in text:
        text += " / 0-0-0 1-1-1"
    return [tiles(rack) for rack in text.split("/")]


def places(text: str) -> list[Place]:
    return [Place.parse(word) for word in text.split()]


def unused(rules: Rules, taken: Iterable[Tile]) -> list[Tile]:
    """The tiles of the set that are not among *taken*."""
    gone = set(taken)
    return [tile for tile in rules.tiles if tile not in gone]


def game_at(
    rules: Rules | str,
    racks: str,
    pool: str = "",
    *,
    board: str = FIVES,
    scores: Sequence[int] = (),
    turn: int = 0,
    latched: bool = False,
) -> Game:
    """A round in full swing."""
    position = Position.of(
        racks_of(racks),
        tiles(pool),
        rules=rules_of(rules) if isinstance(rules, str) else rules,
        board=places(board),
        turn=turn,
        scores=scores,
        latched=latched,
    )
    return Game.at(position)


# --- Playing -------------------------------------------------------------------------------------


def play(game: Game, *moves: str) -> Ply:
    """Play moves written as text; return the ply of the last one."""
    return [game.play(parse_move(move)) for move in moves][-1]


def legal(game: Game) -> set[str]:
    return set(map(str, game.legal_moves()))


def refused(game: Game, text: str, *whys: Why) -> None:
    """The move is refused for one of these reasons, and nothing has changed."""
    move = parse_move(text)
    before = _everything(game)
    with pytest.raises(IllegalMove) as caught:
        game.play(move)
    assert caught.value.why in whys
    assert caught.value.move == move
    assert _everything(game) == before
    assert text not in legal(game)


def _everything(game: Game) -> tuple[object, ...]:
    return (game.position, game.end, game.starter, game.idle_turns, [*game.plies], legal(game))


class Stacked:
    """Dice that shuffle a set once into an order that begins with *wanted*; then they give 0."""

    def __init__(self, rules: Rules, wanted: Sequence[Tile]) -> None:
        items = list(rules.tiles)
        order = [*wanted, *unused(rules, wanted)]
        self.faces: deque[int] = deque()
        for i in range(len(items) - 1, 0, -1):
            j = items.index(order[i])
            items[i], items[j] = items[j], items[i]
            self.faces.append(j)

    def randrange(self, stop: int, /) -> int:
        return self.faces.popleft() if self.faces else 0


# --- Geometry ------------------------------------------------------------------------------------


def turned(board: Iterable[Place], sixths: int) -> list[Place]:
    """The same tiles with the table turned about (0,0), anticlockwise, by sixths of a circle."""
    out = list(board)
    for _ in range(sixths):
        out = [_turned(place) for place in out]
    return out


def _turned(place: Place) -> Place:
    numbers = {
        Vertex(-vertex.y, vertex.x + vertex.y): number
        for vertex, number in zip(place.cell.vertices, place.numbers, strict=True)
    }
    x, y = min(vertex.x for vertex in numbers), min(vertex.y for vertex in numbers)
    cell = Cell(x, y, down=Vertex(x, y) not in numbers)
    a, b, c = (numbers[vertex] for vertex in cell.vertices)
    return Place(cell, (a, b, c))


def touching(cell: Cell) -> list[Cell]:
    """The twelve cells that share a vertex with this one."""
    around = {other for vertex in cell.vertices for other in vertex.ring}
    return sorted(around - {cell})
