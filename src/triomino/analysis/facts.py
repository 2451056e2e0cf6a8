"""Reasons why a move is good or bad, as data and as text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from triomino.kernel import Sampler
from triomino.moves import Draw, Place
from triomino.scoring import BONUSES, bonus_points

if TYPE_CHECKING:
    from triomino.dice import Rng
    from triomino.kernel import State
    from triomino.moves import Move
    from triomino.rules import Json
    from triomino.view import View

WORLDS: Final = 64
LIKELY: Final = 0.1
"""A danger less likely than this is not mentioned."""

Kind = Literal["points", "bonus", "out", "draw", "danger"]


@dataclass(frozen=True, slots=True)
class Fact:
    """One reason for or against a move."""

    kind: Kind
    points: int
    """The points won or lost; for a danger, those the next player could win."""
    chance: float = 1.0
    bonus: str | None = None

    def to_json(self) -> Json:
        """Return the fact as JSON data, in the form of ``triomino.protocol.api.HintReason``."""
        return {
            "kind": self.kind,
            "points": self.points,
            "chance": round(self.chance, 2),
            "bonus": self.bonus,
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


_VERBS: Final = {
    "bridge": "makes a bridge",
    "hexagon": "closes a hexagon",
    "double_hexagon": "closes two hexagons",
    "triple_hexagon": "closes three hexagons",
}


def facts(view: View, move: Move, dice: Rng) -> list[Fact]:
    """Return the facts about a legal move, the most important first."""
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
    danger = _danger(view, move, dice)
    if danger is not None:
        found.append(danger)
    return found


def _danger(view: View, move: Move, dice: Rng) -> Fact | None:
    """Return the danger that the next player makes a bridge or a hexagon, if it is likely."""
    rules = view.rules
    if not isinstance(move, Place) or not rules.scoring:
        return None
    least = min(bonus_points(bonus, rules) for bonus in BONUSES)
    if least <= 0:
        return None
    worlds = Sampler(view).sample(dice, WORLDS)
    threatened = sum(_threatens(world, move, least) for world in worlds)
    chance = threatened / WORLDS
    return Fact("danger", least, chance) if chance >= LIKELY else None


def _threatens(world: State, move: Move, least: int) -> bool:
    """Whether the reply to *move* can win at least so many points in *world*."""
    world.play(move)
    if world.end is not None:
        return False
    return any(
        isinstance(answer, Place) and world.points(answer) >= least
        for answer in world.legal_moves()
    )
