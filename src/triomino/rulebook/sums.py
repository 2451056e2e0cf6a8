"""Worked sums: what a turn or the end of a round scores, played out by the rules."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from triomino.moves import Draw, End, Move, Pass, Place
from triomino.rulebook.chapters import TOURNAMENT
from triomino.rulebook.lines import Line, Value
from triomino.rulebook.positions import FITS, ME, OTHER, game_at, misfits, tiles
from triomino.rules import Rules, TargetLatch, TargetTest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from triomino.game import Game

_MOST_SHOWN: Final = 3
"""The most draws of one turn that have an example of their own."""


@dataclass(frozen=True, slots=True)
class WorkedSum:
    """A story and its arithmetic: a score, what is added or taken away, and the result."""

    line: Line
    start: int
    parts: tuple[int, ...]
    total: int


def worked_sums(rules: Rules) -> list[WorkedSum]:
    """Return the examples that these rules allow; none without points."""
    if not rules.scoring:
        return []
    return [*_openings(rules), *_draws(rules), *_going_out(rules), *_blocked(rules), *_end(rules)]


def _play(game: Game, *moves: Move) -> None:
    for move in moves:
        game.play(move)


def _sum(game: Game, key: str, start: int, seat: int = ME, **values: Value) -> WorkedSum:
    """Return the sum of everything that a seat has scored in a game."""
    parts = [
        score.points
        for ply in game.plies
        for score in (*ply.scores, *(ply.end.scores if ply.end else ()))
        if score.seat == seat and score.points
    ]
    return WorkedSum(Line(f"rules.sum.{key}", values), start, tuple(parts), game.totals[seat])


def _openings(rules: Rules) -> Iterator[WorkedSum]:
    if not (rules.triple_start_bonus or rules.triple_zero_start):
        return
    for text, rack in (("4-4-4", "4-4-4 0-0-1"), ("0-0-0", "0-0-0 0-0-1")):
        game = game_at(rules, board="", racks=(rack, "0-1-2"), pool=misfits(3, [rack, "0-1-2"]))
        _play(game, Place.parse(f"U(0,0)={text}"))
        yield _sum(game, "open", 0, tile=text)


def _draws(rules: Rules) -> Iterator[WorkedSum]:
    """Turns of one, two and three draws, and one in which nothing fits at last."""
    if not (rules.draw_cost or rules.no_play_extra) or rules.draw_ends_turn:
        return
    racks, start = ("0-0-1 0-0-2", "0-0-3"), 20
    for count in range(1, min(rules.max_draws, _MOST_SHOWN) + 1):
        pool = [*misfits(count - 1, racks), FITS.tile, *tiles("3-3-4")]
        game = game_at(rules, racks=racks, pool=pool, scores=(start, 0))
        _play(game, *[Draw()] * count, FITS)
        yield _sum(game, "draws", start, count=count, value=FITS.tile.points)
    pool = misfits(rules.max_draws + 1, racks)
    if len(pool) > rules.max_draws:
        game = game_at(rules, racks=racks, pool=pool, scores=(start, 0))
        _play(game, *[Draw()] * rules.max_draws, End())
        yield _sum(game, "none", start, count=rules.max_draws)


def _going_out(rules: Rules) -> Iterator[WorkedSum]:
    held = "0-0-1 2-3-4"
    game = game_at(rules, racks=("1-5-5", held), pool=tiles("2-2-2"), scores=(50, 60))
    _play(game, FITS)
    left = sum(tile.points for tile in tiles(held))
    yield _sum(game, "out", 50, value=FITS.tile.points, left=left)


def _blocked(rules: Rules) -> Iterator[WorkedSum]:
    mine, theirs = "0-0-1 2-2-2", "4-4-4"
    game = game_at(rules, racks=(mine, theirs), scores=(50, 40))
    while game.end is None:
        game.play(Pass())
    own, other = (sum(tile.points for tile in tiles(held)) for held in (mine, theirs))
    both = (
        _sum(game, "blocked", 50, ME, own=own, other=other),
        _sum(game, "blockedOther", 40, OTHER),
    )
    yield from (found for found in both if found.parts)


def _end(rules: Rules) -> Iterator[WorkedSum]:
    """The target: once met it stays met, or it is tested when a round is over."""
    target = rules.target or TOURNAMENT
    exceed = rules.target_test is TargetTest.EXCEED
    kind = "exceed" if exceed else "reach"
    known = replace(rules, target=target)
    if rules.target_latch is TargetLatch.ANY_MOMENT:
        if not rules.draw_cost or rules.max_draws == 1 or rules.draw_ends_turn:
            return
        gain = _gain(known)
        start = target + exceed - gain
        if gain and start >= 0:
            game = _game_with_a_fall(known, start)
            _play(game, FITS, Place.parse("D(0,0)=5-5-2"), Draw(), Draw())
            yield _sum(game, f"latch.{kind}", start, top=start + gain, target=target)
    elif rules.target is not None:
        racks, start = ("1-5-5", "4-4-4"), 0
        for _ in range(2):
            game = game_at(known, racks=racks, pool=tiles("2-2-2"), scores=(start, 0))
            _play(game, FITS)
            start = start or target + exceed - game.totals[ME]
        if start >= 0:
            yield _sum(game, f"end.{kind}", start, target=target)


def _gain(rules: Rules) -> int:
    """What the tile that takes the total over the target scores."""
    game = _game_with_a_fall(rules, 0)
    _play(game, FITS)
    return game.totals[ME]


def _game_with_a_fall(rules: Rules, start: int) -> Game:
    racks = "1-5-5 0-0-1 0-0-2", "2-5-5 3-5-5"
    return game_at(rules, racks=racks, pool=tiles("2-2-2 2-2-3 2-2-4"), scores=(start, 0))
