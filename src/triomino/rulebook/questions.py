"""What players ask: each question with its answer, worked out in a position that can be tried."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, Final

from triomino.moves import Draw, End, Move, Pass, Place
from triomino.rulebook.figures import FIGURES
from triomino.rulebook.lines import Line, Value
from triomino.rulebook.positions import FITS, ME, game_at, misfits
from triomino.rules import (
    EDITIONS,
    AfterDrawPlay,
    BridgeRule,
    DrawObligation,
    EmptyPoolPass,
    Rules,
    VoluntaryDraw,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from triomino.game import Game


NOT_YOUR_TURN: Final = "not_your_turn"
"""What the server says to a move of another seat."""


class Source(StrEnum):
    """Where an answer comes from."""

    PRINTED = "printed"
    READING = "reading"
    HOUSE = "house"


@dataclass(frozen=True, slots=True)
class Try:
    """A move that can be tried in the position of a question, and what the rules say to it."""

    move: str
    why: str | None
    """Why it is not legal, or ``None`` if it is."""
    points: int


@dataclass(frozen=True, slots=True)
class Answer:
    """A question and its answer."""

    name: str
    line: Line
    yes: bool
    figure: str
    tries: tuple[Try, ...]
    """What can be tried; the move that the question asks about comes first."""
    source: Source = Source.PRINTED

    @property
    def question(self) -> str:
        """The key of the question."""
        return f"rules.may.{self.name}"


def answers(rules: Rules) -> list[Answer]:
    """Return the questions and their answers under *rules*; those about points only with points."""
    return [_sourced(answer, rules) for answer in _answers(rules)]


def _answers(rules: Rules) -> list[Answer]:
    return [answer for ask in _QUESTIONS for answer in ask(rules)]


_READINGS: Final[dict[str, frozenset[str]]] = {
    "classic": frozenset({"older", "pass", "bonuses", "zero"}),
    "six-player": frozenset({"older", "pass", "bonuses", "zero"}),
    "classic-hebrew": frozenset({"older", "pass", "bonuses", "zero", "sides"}),
    "card": frozenset(
        {"able", "again", "older", "corner", "pass", "bonuses", "zero", "sides", "empty"}
    ),
    "casual": frozenset({"able", "pass", "empty"}),
}
"""The questions that the leaflet of an edition leaves open."""


def _sourced(answer: Answer, rules: Rules) -> Answer:
    if _usual(rules.edition).get(answer.name) != answer.line:
        source = Source.HOUSE
    elif answer.name in _READINGS[rules.edition]:
        source = Source.READING
    else:
        source = Source.PRINTED
    return Answer(answer.name, answer.line, answer.yes, answer.figure, answer.tries, source)


@cache
def _usual(edition: str) -> dict[str, Line]:
    return {answer.name: answer.line for answer in _answers(EDITIONS[edition])}


def _answer(name: str, said: str, game: Game, figure: str, *moves: Move, **values: Value) -> Answer:
    """Return an answer: yes if the first of the moves is legal."""
    tries = tuple(_tried(game, move) for move in moves)
    yes = tries[0].why is None
    return Answer(name, Line(f"rules.may.{name}.{said}", values), yes, figure, tries)


def _tried(game: Game, move: Move) -> Try:
    if game.turn != ME:
        return Try(str(move), NOT_YOUR_TURN, 0)
    why = game.why_not(move)
    if why is not None:
        return Try(str(move), why.value, 0)
    return Try(str(move), None, sum(score.points for score in game.check(move).scores))


_SPARE: Final = tuple(misfits(4, ["0-0-1 0-0-2 0-0-3"]))


def _able(rules: Rules) -> Iterator[Answer]:
    """Drawing although something fits."""
    game = game_at(rules, racks=("1-5-5 0-0-1", "0-0-3"), pool=_SPARE)
    said = "no" if rules.voluntary_draw is VoluntaryDraw.NEVER else "yes"
    cost = {} if said == "no" else {"cost": -_tried(game, Draw()).points}
    yield _answer("able", said, game, "drawAble", Draw(), FITS, **cost)


def _again(rules: Rules) -> Iterator[Answer]:
    """Drawing again in the same turn."""
    game = game_at(rules, racks=("0-0-1 0-0-2", "0-0-3"), pool=_SPARE)
    game.play(Draw())
    if rules.draw_ends_turn or rules.max_draws == 1:
        yield _answer("again", "once", game, "drawOne", Draw())
        return
    said = "always" if rules.voluntary_draw is VoluntaryDraw.ALWAYS else "unable"
    yield _answer("again", said, game, "drawOne", Draw(), Pass(), most=rules.max_draws)


def _older(rules: Rules) -> Iterator[Answer]:
    """Laying an older tile after drawing."""
    if rules.draw_ends_turn or rules.voluntary_draw is VoluntaryDraw.NEVER:
        game = game_at(rules, racks=("0-0-1", "0-0-3"), pool=[FITS.tile, *_SPARE])
        game.play(Draw())
        said = "ends" if rules.draw_ends_turn else "never"
        yield _answer("older", said, game, "drawnFits", Place.parse("D(-1,0)=0-0-1"), FITS)
    else:
        game = game_at(rules, racks=("1-5-5 0-0-1", "0-0-3"), pool=_SPARE)
        game.play(Draw())
        said = "any" if rules.after_draw_play is AfterDrawPlay.ANY else "drawnOnly"
        yield _answer("older", said, game, "drawnAble", FITS, Draw())


def _corner(rules: Rules) -> Iterator[Answer]:
    """Touching with a corner only."""
    game = _figured(rules, "wrongTouch")
    place = FIGURES["wrongTouch"].place
    yield _answer("corner", "no", game, "wrongTouch", place)


def _pass(rules: Rules) -> Iterator[Answer]:
    """Passing."""
    game = game_at(rules, racks=("0-0-1 0-0-2", "0-0-3"), pool=_SPARE)
    several = rules.max_draws > 1 and not rules.draw_ends_turn
    drawn = several and rules.draw_obligation is DrawObligation.ONE_THEN_OPTIONAL
    free = rules.empty_pool_pass is EmptyPoolPass.VOLUNTARY
    said = {
        (False, False): "empty",
        (False, True): "emptyAny",
        (True, False): "drawn",
        (True, True): "drawnAny",
    }[drawn, free]
    yield _answer("pass", said, game, "unable", Pass(), Draw())


def _bonuses(rules: Rules) -> Iterator[Answer]:
    """Two bonuses at once."""
    if rules.scoring:
        game = _figured(rules, "double_hexagon")
        place = FIGURES["double_hexagon"].place
        tries = (_tried(game, place),)
        line = Line("rules.may.bonuses.no", {"two": rules.hexagon_bonuses[1]})
        yield Answer("bonuses", line, False, "double_hexagon", tries)


def _zero(rules: Rules) -> Iterator[Answer]:
    """A score below zero."""
    if not rules.scoring:
        return
    game, move = _costly(rules)
    tries = (_tried(game, move),)
    game.play(move)
    unfloored, costly = _costly(rules.with_changes({"floor_at_zero": False}))
    unfloored.play(costly)
    total = min(game.totals)
    said = "yes" if total < 0 else "floor" if min(unfloored.totals) < 0 else "never"
    figure = "drawOne" if isinstance(move, Draw) else "unable"
    yield Answer("zero", Line(f"rules.may.zero.{said}"), total < 0, figure, tries)


def _costly(rules: Rules) -> tuple[Game, Move]:
    """Return the first move that costs something in a turn of drawing in vain, and where it is.

    If none does, passing with an empty pool, which may cost something itself or end the round.
    """
    used = ("0-0-1 0-0-2", "0-0-3")
    game = game_at(rules, racks=used, pool=misfits(rules.max_draws + 1, used))
    while game.turn == ME:
        move = next(move for move in (Draw(), End(), Pass()) if game.why_not(move) is None)
        if any(score.points < 0 for score in game.check(move).scores):
            return game, move
        game.play(move)
    return game_at(rules, racks=("0-0-1 0-0-2", "4-4-4")), Pass()


def _sides(rules: Rules) -> Iterator[Answer]:
    """A tile that fills a gap with two sides."""
    if not rules.scoring:
        return
    game = _figured(rules, "missSides")
    place = FIGURES["missSides"].place
    tried = _tried(game, place)
    is_bridge = game.check(place).bonus is not None
    said = "yes" if is_bridge else "no"
    if rules.bridge_rule is BridgeRule.APEX_CONTACT:
        said = "apex"
    line = Line(f"rules.may.sides.{said}", {"points": tried.points})
    yield Answer("sides", line, is_bridge, "missSides", (tried,))


def _empty(rules: Rules) -> Iterator[Answer]:
    """An empty pool."""
    game = game_at(rules, racks=("0-0-1 0-0-2", "2-5-5 0-0-3"))
    said = "any" if rules.empty_pool_pass is EmptyPoolPass.VOLUNTARY else "unable"
    cost = -_tried(game, Pass()).points
    yield _answer("empty", said, game, "unable", Pass(), Draw(), cost=cost)


def _figured(rules: Rules, name: str) -> Game:
    """Return the game of a figure: its tile and one more are on the rack."""
    figure = FIGURES[name]
    board = " ".join(map(str, figure.board))
    # Neither of the spare tiles is in a figure.
    racks = f"{figure.place.tile} 0-2-5", "1-2-2"
    return game_at(rules, board=board, racks=racks, pool=[])


_QUESTIONS: Final[tuple[Callable[[Rules], Iterator[Answer]], ...]] = (
    _able,
    _again,
    _older,
    _corner,
    _pass,
    _bonuses,
    _zero,
    _sides,
    _empty,
)
