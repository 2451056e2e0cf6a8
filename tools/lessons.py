"""Generate the lessons: positions, and the answer to every move in them.

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
from triomino.rules import CLASSIC, EDITIONS, Rules
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
    rules: Rules = CLASSIC
    bonus: str | None = None
    """The bonus to be found, if there is something to find."""


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
    Lesson(
        goal="bridge",
        board=BRIDGE,
        rack=("0-2-2", "4-4-5", "3-5-5"),
        scores=(16, 27),
        bonus="bridge",
    ),
    Lesson(
        goal="hexagon",
        board=HEXAGON,
        rack=("2-3-4", "0-5-5", "1-1-1"),
        scores=(60, 41),
        bonus="hexagon",
    ),
)
"""The guided first game, in its order."""

SPAN: Final = (
    "D(0,-1)=2-3-4",
    "U(0,-1)=2-3-2",
    "D(-1,-1)=2-3-3",
    "U(-1,0)=3-5-3",
    "D(-2,0)=3-4-5",
    "U(-2,1)=4-5-5",
    "D(-2,1)=5-5-2",
    "U(-1,1)=5-2-4",
)
MORE_LESSONS: Final = (
    Lesson(
        goal="redraw",
        board=BRIDGE[:5],
        rack=("2-2-2", "1-2-3"),
        pool=("1-1-3", "0-0-5", "3-3-3", "1-1-1"),
        scores=(31, 24),
    ),
    Lesson(goal="pass", board=BRIDGE[:5], rack=("2-2-2", "1-2-3"), pool=(), scores=(48, 60)),
    Lesson(goal="out", board=BRIDGE[:5], rack=("0-0-5",), pool=("3-3-3",), scores=(70, 92)),
    Lesson(
        goal="span", board=SPAN, rack=("3-4-4", "1-2-2", "0-0-1"), scores=(20, 35), bonus="bridge"
    ),
    Lesson(
        goal="card",
        board=BRIDGE[:5],
        rack=("2-2-2", "1-2-3"),
        pool=("0-0-5", "1-1-3"),
        scores=(22, 0),
        rules=EDITIONS["card"],
    ),
)
"""The lessons after it, which can be taken in any order."""

HIDDEN: Final = ("1-1-2", "2-2-4", "3-3-5", "1-1-5", "0-0-4")
"""The rack of the other player, which is never shown."""


def lessons() -> list[dict[str, Any]]:
    """All lessons: a goal, the first state, and the answer to every move."""
    return [_lesson(lesson) for lesson in (*LESSONS, *MORE_LESSONS)]


def _lesson(lesson: Lesson) -> dict[str, Any]:
    board = [cast("Place", parse_move(text)) for text in lesson.board]
    rack = [Tile.parse(text) for text in lesson.rack]
    used = {place.tile for place in board} | set(rack) | set(map(Tile.parse, lesson.pool))
    hidden = [tile for tile in map(Tile.parse, HIDDEN) if tile not in used]
    position = Position.of(
        [rack, hidden],
        [Tile.parse(text) for text in lesson.pool],
        rules=lesson.rules,
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
        rules={"edition": lesson.rules.edition},
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
    more = {"bonus": lesson.bonus, "more": lesson in MORE_LESSONS}
    return {"goal": lesson.goal, **more, "state": state, "answers": answers}


def _explore(position: Position, moves: tuple[Move, ...], answers: dict[str, Moved]) -> None:
    """Add the answer to every offered move, until the turn passes on."""
    game = _after(position, moves)
    for move in _offered(game):
        after = _after(position, moves)
        ply = after.play(move)
        # Going out is told with its award, for there is no page of results.
        scores = [*ply.scores, *(ply.end.scores if ply.end else ())]
        version = 1 + len(moves)
        answers[f"{version} {move}"] = Moved(
            version=version + 1,
            since=version,
            turns=[
                TurnInfo(
                    seat=ply.seat,
                    move=str(ply.move),
                    points=sum(score.points for score in scores if score.seat == ME),
                    scores=[ScoreInfo(s.seat, s.reason.value, s.points) for s in scores],
                    tile=None if ply.tile is None else str(ply.tile),
                    bonus=None if ply.bonus is None else ply.bonus.value,
                )
            ],
            now=_now(after),
        )
        if not ply.passes_on and not after.over:
            _explore(position, (*moves, move), answers)


def _after(position: Position, moves: tuple[Move, ...]) -> Game:
    game = Game.at(position)
    for move in moves:
        game.play(move)
    return game


def _offered(game: Game) -> list[Move]:
    """The moves that a lesson offers: drawing only if no tile fits."""
    if game.turn != ME or game.over:
        return []
    legal = game.legal_moves()
    can_place = any(isinstance(move, Place) for move in legal)
    return [move for move in legal if not (can_place and isinstance(move, Draw))]


def _now(game: Game) -> Now:
    # After the round, nobody is to move; the lesson is over as it is after a turn.
    turn = OTHER if game.over else game.turn
    mine = turn == ME
    why = game.why_not(Draw()) if mine else None
    choices = []
    for move in _offered(game):
        ply = game.check(move)
        bonus = None if ply.bonus is None else ply.bonus.value
        choices.append(Choice(str(move), ply.points, bonus))
    return Now(
        ply=len(game.plies) + 1,
        turn=turn,
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
