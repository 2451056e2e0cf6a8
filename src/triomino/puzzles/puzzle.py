"""A puzzle as a value, and the compact text in which a year of them is stored.

A place is five characters: two for its cell and the numbers at its corners. A tile is three digits.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from triomino.analysis.facts import Fact
from triomino.errors import TriominoError
from triomino.grid import Cell
from triomino.moves import Place, parse_move
from triomino.position import Position
from triomino.rules import CLASSIC
from triomino.tile import Tile
from triomino.view import View

if TYPE_CHECKING:
    from collections.abc import Iterable

    from triomino.moves import Move
    from triomino.rules import Json

FORMAT: Final = "triomino-puzzles/1"
RULES: Final = CLASSIC.with_changes({"target": None})
"""Every puzzle is a moment of a single round of two; who solves it has seat 0."""

_DIGITS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
_ORIGIN: Final = 16
"""The digit of coordinate 0: boards may extend to both sides."""


class Kind(StrEnum):
    """What is to be found."""

    BONUS = "bonus"
    """The bridge or the hexagon, of all moves."""
    BLOCK = "block"
    """The move that leaves the other nothing good, although another scores more."""
    OUT = "out"
    """The move after which one goes out first, with all tiles known."""
    ENDING = "ending"
    """The only move that wins, with all tiles known, where nobody goes out."""
    DRAW = "draw"
    """Whether to draw although a tile fits."""


@dataclass(frozen=True, slots=True)
class Answer:
    """One legal move."""

    move: Move
    win: int
    """The chance to win the round with it, in per cent."""
    reply: Move | None
    """What the other player does then, with the tiles of the position; ``None``: the round ends."""
    drawn: tuple[Tile, ...] = ()
    """What is drawn, tile by tile, after a draw that is wrong."""
    then: Move | None = None
    """How such a turn ends."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position in which one move is clearly best."""

    kind: Kind
    level: int
    """1 is easy, 2 medium, 3 hard."""
    position: Position
    """With the tiles of both players, of which the solver knows their own alone, and without the
    order of the pool."""
    answers: tuple[Answer, ...]
    """Every legal move, the solution first."""
    why: tuple[Fact, ...] = ()
    """What is to be said of the solution."""

    @property
    def solution(self) -> Move:
        """The best move."""
        return self.answers[0].move

    @property
    def view(self) -> View:
        """What the solver knows."""
        return solver_view(self.position)

    def to_json(self) -> Json:
        """Return the puzzle as JSON data: see ``from_json``."""
        position = self.position
        return {
            "kind": self.kind.value,
            "level": self.level,
            "board": "".join(_place_text(place) for place in position.board),
            "racks": [_tiles_text(rack or ()) for rack in position.racks],
            "pool": position.pool_size,
            "scores": list(position.scores),
            "answers": " ".join(_answer_text(one) for one in self.answers),
            "why": [_fact_json(fact) for fact in self.why],
        }

    @classmethod
    def from_json(cls, data: Json) -> Puzzle:
        """Read a puzzle; whatever is wrong with it is a :class:`TriominoError`."""
        try:
            return cls(
                Kind(data["kind"]),
                int(data["level"]),
                Position(
                    rules=RULES,
                    board=tuple(_read_place(text) for text in _parts(data["board"], 5)),
                    racks=tuple(_read_tiles(rack) for rack in data["racks"]),
                    rack_sizes=tuple(len(rack) // 3 for rack in data["racks"]),
                    pool=None,
                    pool_size=int(data["pool"]),
                    scores=tuple(map(int, data["scores"])),
                ),
                tuple(_read_answer(text) for text in data["answers"].split()),
                tuple(Fact(**each) for each in data["why"]),
            )
        except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
            raise TriominoError(f"this is no puzzle: {error!r}") from None


def solver_view(position: Position) -> View:
    """Return what the solver of a position knows: nothing of the other rack but its size."""
    hidden = replace(position, racks=(position.racks[0], *[None] * (len(position.racks) - 1)))
    return View.at(hidden, 0)


# --- The text ------------------------------------------------------------------------------------


def _fact_json(fact: Fact) -> Json:
    """Return a fact without what is not to be said of it."""
    kept: Json = {"kind": fact.kind, "points": fact.points, "chance": fact.chance}
    if fact.bonus is not None:
        kept["bonus"] = fact.bonus
    if fact.number is not None:
        kept |= {"count": fact.count, "number": fact.number}
    return kept


def _place_text(place: Place) -> str:
    cell = place.cell
    digits = _DIGITS[cell.x + _ORIGIN] + _DIGITS[2 * (cell.y + _ORIGIN // 2) + cell.down]
    return digits + "".join(map(str, place.numbers))


def _read_place(text: str) -> Place:
    row = _DIGITS.index(text[1])
    x, y = _DIGITS.index(text[0]) - _ORIGIN, row // 2 - _ORIGIN // 2
    a, b, c = map(int, text[2:])
    return Place(Cell(x, y, bool(row % 2)), (a, b, c))


def _tiles_text(tiles: Iterable[Tile]) -> str:
    return "".join(f"{tile.a}{tile.b}{tile.c}" for tile in tiles)


def _read_tiles(text: str) -> tuple[Tile, ...]:
    return tuple(Tile.parse("-".join(part)) for part in _parts(text, 3))


def _parts(text: str, size: int) -> list[str]:
    if len(text) % size:
        raise ValueError(text)
    return [text[at : at + size] for at in range(0, len(text), size)]


def _move_text(move: Move | None) -> str:
    if move is None:
        return ""
    return _place_text(move) if isinstance(move, Place) else str(move)


def _read_move(text: str) -> Move:
    return parse_move(text) if text.isalpha() else _read_place(text)


def _answer_text(one: Answer) -> str:
    text = f"{_move_text(one.move)}:{one.win}:{_move_text(one.reply)}"
    return f"{text}:{_tiles_text(one.drawn)}:{_move_text(one.then)}" if one.drawn else text


def _read_answer(text: str) -> Answer:
    move, win, reply, *line = text.split(":")
    answer = Answer(_read_move(move), int(win), _read_move(reply) if reply else None)
    if not line:
        return answer
    drawn, then = line
    return replace(answer, drawn=_read_tiles(drawn), then=_read_move(then))
