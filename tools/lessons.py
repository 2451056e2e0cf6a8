"""Generate the guided first game: five positions, and the answer to every move in them.

The page knows no rules, so it replays these messages as if a server had sent them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, cast

import msgspec

from triomino.game import Game
from triomino.moves import Draw, Move, Place, parse_move
from triomino.position import Position
from triomino.protocol.api import Fairness, SeatSummary
from triomino.protocol.messages import (
    Choice,
    Moved,
    Now,
    RoundInfo,
    ScoreInfo,
    State,
    TurnInfo,
)
from triomino.rules import CLASSIC
from triomino.tile import Tile

ME, OTHER = 0, 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """A position and the goal to reach in it."""

    goal: str
    board: tuple[str, ...]
    rack: tuple[str, ...]
    pool: tuple[str, ...] = ("3-3-3", "1-1-3", "2-2-5")
    scores: tuple[int, int] = (0, 0)


BRIDGE: Final = (
    "U(0,0)=5-4-5",
    "D(-1,0)=5-0-4",
    "D(0,-1)=0-5-5",
    "U(0,-1)=1-5-0",
    "U(-1,1)=0-3-4",
    "D(-1,-1)=1-2-5",
    "D(-2,1)=0-0-3",
    "U(-2,1)=2-0-0",
)
HEXAGON: Final = ("U(0,0)=4-5-4", "D(0,0)=4-5-0", "U(1,0)=4-0-0", "D(0,-1)=3-4-4", "D(1,-1)=2-4-0")

LESSONS: Final = (
    Lesson(goal="place", board=BRIDGE[:1], rack=("0-4-5", "1-2-3")),
    Lesson(goal="match", board=BRIDGE[:3], rack=("0-0-5", "0-3-4", "1-2-3"), scores=(9, 10)),
    Lesson(
        goal="draw",
        board=BRIDGE[:5],
        rack=("2-2-2", "1-2-3"),
        pool=("0-0-5", "1-1-3", "3-3-3"),
        scores=(16, 16),
    ),
    Lesson(goal="bridge", board=BRIDGE, rack=("0-2-2", "4-4-5", "3-5-5"), scores=(16, 27)),
    Lesson(goal="hexagon", board=HEXAGON, rack=("2-3-4", "0-5-5", "1-1-1"), scores=(60, 41)),
)
HIDDEN: Final = ("1-1-2", "2-2-4", "3-3-5", "1-1-5")
"""The rack of the other player, which is never shown."""


def lessons() -> list[dict[str, Any]]:
    """All lessons: a goal, the first state, and the answer to every move."""
    return [_lesson(lesson) for lesson in LESSONS]


def _lesson(lesson: Lesson) -> dict[str, Any]:
    board = [cast("Place", parse_move(text)) for text in lesson.board]
    rack = [Tile.parse(text) for text in lesson.rack]
    used = {place.tile for place in board} | set(rack) | set(map(Tile.parse, lesson.pool))
    hidden = [tile for tile in map(Tile.parse, HIDDEN) if tile not in used]
    position = Position.of(
        [rack, hidden],
        [Tile.parse(text) for text in lesson.pool],
        rules=CLASSIC,
        board=board,
        turn=ME,
        scores=lesson.scores,
    )
    answers: dict[str, Moved] = {}
    _explore(position, (), answers)
    state = State(
        version=1,
        table="learn",
        state="playing",
        rules={"edition": CLASSIC.edition},
        options={"help": "points", "undo": False},
        seats=[SeatSummary(kind=kind, name=None, bot=None) for kind in ("person", "bot")],
        you=[ME],
        is_host=True,
        fair=Fairness(algorithm="", commitment=""),
        here=[ME],
        racks={str(ME): list(lesson.rack)},
        round=RoundInfo(
            number=1,
            starter=ME,
            start_draws=[],
            turns=[
                TurnInfo(seat=(OTHER, ME)[index % 2], move=text, points=0, scores=[])
                for index, text in enumerate(lesson.board)
            ],
        ),
        now=_now(Game.at(position)),
    )
    return {"goal": lesson.goal, "state": state, "answers": answers}


def _explore(position: Position, moves: tuple[Move, ...], answers: dict[str, Moved]) -> None:
    """Add the answer to every offered move, until the turn passes on."""
    game = _after(position, moves)
    for move in _offered(game):
        after = _after(position, moves)
        ply = after.play(move)
        version = 1 + len(moves)
        answers[f"{version} {move}"] = Moved(
            version=version + 1,
            since=version,
            turns=[
                TurnInfo(
                    seat=ply.seat,
                    move=str(ply.move),
                    points=ply.points,
                    scores=[ScoreInfo(s.seat, s.reason.value, s.points) for s in ply.scores],
                    tile=None if ply.tile is None else str(ply.tile),
                    bonus=None if ply.bonus is None else ply.bonus.value,
                )
            ],
            now=_now(after),
        )
        if not ply.passes_on:
            _explore(position, (*moves, move), answers)


def _after(position: Position, moves: tuple[Move, ...]) -> Game:
    game = Game.at(position)
    for move in moves:
        game.play(move)
    return game


def _offered(game: Game) -> list[Move]:
    """The moves that a lesson offers: drawing only if no tile fits."""
    if game.turn != ME:
        return []
    legal = game.legal_moves()
    can_place = any(isinstance(move, Place) for move in legal)
    return [move for move in legal if isinstance(move, Place if can_place else Draw)]


def _now(game: Game) -> Now:
    mine = game.turn == ME
    why = game.why_not(Draw()) if mine else None
    choices = []
    for move in _offered(game):
        ply = game.check(move)
        bonus = None if ply.bonus is None else ply.bonus.value
        choices.append(Choice(str(move), ply.points, bonus))
    return Now(
        ply=len(game.plies) + 1,
        turn=game.turn,
        totals=list(game.totals),
        rack_sizes=[len(rack) for rack in game.racks],
        pool_size=len(game.pool),
        draws=len(game.drawn),
        is_last_round=False,
        choices=choices or None,
        # Before the first draw no reason is needed: a lesson offers no draw while a tile fits.
        why_not_draw=why.value if why is not None and game.drawn else None,
    )


def text() -> str:
    """The text of ``lessons.json``."""
    plain = msgspec.to_builtins(lessons())
    return msgspec.json.format(msgspec.json.encode(plain), indent=1).decode() + "\n"
