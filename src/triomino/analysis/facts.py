"""Reasons why a move is good or bad, as data and as text."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING, Final, Literal

from triomino.kernel import Sampler
from triomino.moves import Draw, Place
from triomino.scoring import BONUSES, bonus_of, bonus_points

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triomino.board import Board
    from triomino.dice import Rng
    from triomino.kernel import Candidate
    from triomino.moves import Move
    from triomino.rules import Json, Rules
    from triomino.tile import Tile
    from triomino.view import View

WORLDS: Final = 64
LIKELY: Final = 0.1
"""A danger less likely than this is not mentioned."""
STUCK: Final = 0.25
"""So likely must it be that the next player finds no place."""
HOPED: Final = 0.05
"""So many of the unseen tiles must score a bonus."""
EQUAL: Final = 0.01
"""Moves whose chances to win differ by less are as good as each other."""
MOST_FOLLOWING: Final = 2
"""So many facts about what follows are told, beside what the move gains at once."""

Kind = Literal["points", "bonus", "out", "draw", "danger", "stuck", "keeps", "fits", "hopes", "tie"]


@dataclass(frozen=True, slots=True)
class Fact:
    """One reason for or against a move."""

    kind: Kind
    points: int = 0
    """The points won or lost; of a danger or a hope, the least that may be won."""
    chance: float = 1.0
    bonus: str | None = None
    count: int = 0
    """How many tiles are kept that fit."""
    number: int | None = None
    """The number at which they fit."""
    move: str | None = None
    """Another move that is as good."""

    def to_json(self) -> Json:
        """Return the fact as JSON data, in the form of ``triomino.protocol.api.HintReason``."""
        return {
            "kind": self.kind,
            "points": self.points,
            "chance": round(self.chance, 2),
            "bonus": self.bonus,
            "count": self.count,
            "number": self.number,
            "move": self.move,
        }

    def __str__(self) -> str:
        match self.kind:
            case "bonus":
                return f"{_VERBS[str(self.bonus)]}: +{self.points}"
            case "points":
                return f"the tile: +{self.points}"
            case "out":
                return "goes out"
            case "draw":
                return f"draws: {self.points:+d}".replace("-", "−")
            case "danger":
                return f"leaves the next player {self.chance:.0%} to get {self.points} or more"
            case "stuck":
                return f"{self.chance:.0%} that the next player finds no place"
            case "keeps":
                return f"keeps {self.count} tiles that fit at a {self.number}"
            case "fits":
                return f"{self.chance:.0%} of the unseen tiles fit"
            case "hopes":
                return f"{self.chance:.0%} of the unseen tiles score {self.points} or more at once"
            case "tie":
                return f"{self.move} is as good"


_VERBS: Final = {
    "bridge": "makes a bridge",
    "hexagon": "closes a hexagon",
    "double_hexagon": "closes two hexagons",
    "triple_hexagon": "closes three hexagons",
}


def facts(view: View, move: Move, dice: Rng) -> list[Fact]:
    """Return the facts about a legal move, the most important first."""
    if isinstance(move, Place):
        follows = [*_prospects(view, move, dice), *_kept(view, move)]
    else:
        follows = _hopes(view) if isinstance(move, Draw) else []
    return [*_gains(view, move), *follows[:MOST_FOLLOWING]]


def equals(candidates: Sequence[Candidate]) -> Fact | None:
    """Return the second of some candidates if it is as good as the first, by all that is known."""
    if len(candidates) < 2:
        return None
    best, second = candidates[:2]
    errors = sqrt(sum(one.win * (1 - one.win) / max(1, one.worlds) for one in (best, second)))
    apart = 0.0 if best.exact and second.exact else max(EQUAL, 2 * errors)
    points = 0.0 if best.exact and second.exact else 1 + 2 * (best.error + second.error)
    if abs(best.win - second.win) > apart or abs(best.margin - second.margin) > points:
        return None
    return Fact("tie", move=str(second.move))


def _gains(view: View, move: Move) -> list[Fact]:
    """What the move wins or costs at once."""
    found: list[Fact] = []
    scores = view.scores(move)
    bonus = next((score for score in scores if score.reason in BONUSES), None)
    if bonus is not None:
        found.append(Fact("bonus", bonus.points, bonus=bonus.reason.value))
    points = sum(score.points for score in scores) - (bonus.points if bonus else 0)
    if isinstance(move, Draw):
        found.append(Fact("draw", points))
    elif isinstance(move, Place) and len(view.rack) == 1:
        found.append(Fact("out", points))
    elif points:
        found.append(Fact("points", points))
    return found


def _prospects(view: View, move: Place, dice: Rng) -> list[Fact]:
    """What the next player can do, by sampled worlds: score a bonus, or place nothing at all."""
    least = _least_bonus(view.rules)
    threatened = stuck = 0
    for world in Sampler(view).sample(dice, WORLDS):
        world.play(move)
        if world.end is not None:
            continue
        answers = [answer for answer in world.legal_moves() if isinstance(answer, Place)]
        stuck += not answers
        threatened += bool(least) and any(world.points(answer) >= least for answer in answers)
    found = []
    if threatened >= LIKELY * WORLDS:
        found.append(Fact("danger", least, threatened / WORLDS))
    if stuck >= STUCK * WORLDS:
        found.append(Fact("stuck", chance=stuck / WORLDS))
    return found


def _least_bonus(rules: Rules) -> int:
    """Return the points of the smallest bonus, or 0 if there is none."""
    if not rules.scoring:
        return 0
    return max(0, min(bonus_points(bonus, rules) for bonus in BONUSES))


def _kept(view: View, move: Place) -> list[Fact]:
    """Tiles that stay on the rack and fit, if two or more do so at the same number."""
    board = view.board.copy()
    board.lay(move)
    shown: dict[int, int] = {}
    for tile in view.rack:
        if tile == move.tile:
            continue
        for number in _numbers(board, tile):
            shown[number] = shown.get(number, 0) + 1
    if not shown:
        return []
    number = max(shown, key=lambda one: (shown[one], one))
    return [Fact("keeps", count=shown[number], number=number)] if shown[number] > 1 else []


def _numbers(board: Board, tile: Tile) -> set[int]:
    """Return the numbers on the board that a tile can be laid next to."""
    return {
        number
        for place in board.placements(tile.bit)
        for number in board.corners(place.cell.key)
        if number is not None
    }


def _hopes(view: View) -> list[Fact]:
    """What a tile drawn now may bring, with every unseen tile as likely as the others."""
    board, unseen = view.board, view.unseen
    if not unseen or not board.laid:
        return []
    number, least = unseen.bit_count(), _least_bonus(view.rules)
    scored = 0
    for place in board.placements(unseen):
        if least and bonus_of(board, place.cell, view.rules) is not None:
            scored |= place.tile.bit
    if scored.bit_count() / number >= HOPED:
        return [Fact("hopes", least, scored.bit_count() / number)]
    fit = (board.playable & unseen).bit_count() / number
    return [] if view.choices.is_able else [Fact("fits", chance=fit)]
