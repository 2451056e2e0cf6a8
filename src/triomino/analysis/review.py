"""A match looked at move by move: what each decision lost, and what luck gave."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from triomino.analysis.chances import chances
from triomino.dice import Rng
from triomino.kernel import Effort, canonical_opening, search
from triomino.moves import Draw
from triomino.view import View

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from triomino.analysis.chances import Chances
    from triomino.game import Game
    from triomino.kernel import Candidate
    from triomino.match import Match
    from triomino.moves import Move
    from triomino.rules import Json, Seat

DEFAULT: Final = Effort(rollouts=4000)
"""About 1,000 worlds for the best move and for the one played: errors of about one per cent."""


class Mark(StrEnum):
    """How bad a decision was, by the chance to win the round that it lost.

    The bands begin where a loss stands out of the error of two searches (about 1.5 %): 4 % is
    seen twice as often as it is imagined, 8 % is a game in twelve, 16 % a game in six.
    """

    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


BANDS: Final = {Mark.BLUNDER: 0.16, Mark.MISTAKE: 0.08, Mark.INACCURACY: 0.04}


@dataclass(frozen=True, slots=True)
class Decision:
    """A turn in which there was something to choose."""

    round: int
    turn: int
    """Its place in the round's list of turns."""
    seat: Seat
    move: Move
    played: Candidate
    best: Candidate
    candidates: tuple[Candidate, ...]

    @property
    def lost(self) -> float:
        """The chance to win the round that was given away."""
        return 0.0 if self.played is self.best else max(0.0, self.best.win - self.played.win)

    @property
    def lost_points(self) -> float:
        """The points given away, on average."""
        return 0.0 if self.played is self.best else self.best.margin - self.played.margin

    @property
    def mark(self) -> Mark | None:
        """A mark for a decision that was clearly not the best."""
        # What the best gives up in points it may win in chances; a mark needs both not to deny it.
        if self.lost_points < -2 * (self.best.error + self.played.error):
            return None
        return next((mark for mark, least in BANDS.items() if self.lost >= least), None)


@dataclass(frozen=True, slots=True)
class PlayerReview:
    """One player's match in numbers."""

    seat: Seat
    decisions: int
    lost: float
    """The chance to win a round that a decision gave away, on average."""
    lost_points: float
    """Points given away in the whole match."""
    marks: dict[Mark, int]
    luck: float
    """What dealing and drawing changed of the chance to win, summed over the rounds."""


@dataclass(frozen=True, slots=True)
class Review:
    """All that was found of a match."""

    match: Match
    decisions: tuple[Decision, ...]
    chances: tuple[Chances, ...]
    """By round."""

    def players(self) -> list[PlayerReview]:
        """Every player's summary, by seat."""
        return [self._player(seat) for seat in range(len(self.match.players))]

    def _player(self, seat: Seat) -> PlayerReview:
        own = [decision for decision in self.decisions if decision.seat == seat]
        return PlayerReview(
            seat=seat,
            decisions=len(own),
            lost=sum(decision.lost for decision in own) / max(1, len(own)),
            lost_points=sum(decision.lost_points for decision in own),
            marks={mark: sum(decision.mark is mark for decision in own) for mark in Mark},
            luck=sum(one.luck(seat) for one in self.chances),
        )

    def extra(self) -> tuple[Json, list[dict[int, Json]]]:
        """For a record: what goes under ``extra`` of the match, and of the turns of each round."""
        turns: list[dict[int, Json]] = [{} for _ in self.match.rounds]
        for decision in self.decisions:
            turns[decision.round][decision.turn] = {
                "analysis": {
                    "win": round(decision.played.win, 4),
                    "margin": round(decision.played.margin, 2),
                    "best": str(decision.best.move),
                    "best_win": round(decision.best.win, 4),
                    "best_margin": round(decision.best.margin, 2),
                    "lost": round(decision.lost, 4),
                    "mark": decision.mark and decision.mark.value,
                }
            }
        players = [
            {
                "seat": player.seat,
                "decisions": player.decisions,
                "lost": round(player.lost, 4),
                "lost_points": round(player.lost_points, 2),
                "marks": {mark.value: count for mark, count in player.marks.items()},
                "luck": round(player.luck, 4),
            }
            for player in self.players()
        ]
        curves = [[[round(part, 4) for part in now] for now in one.after] for one in self.chances]
        return {"analysis": {"players": players, "chances": curves}}, turns


def review(
    match: Match,
    effort: Effort = DEFAULT,
    seed: int = 1,
    progress: Callable[[], None] = lambda: None,
) -> Review:
    """Look at every decision of a match; *progress* is called after each turn.

    The same match, effort in rollouts and seed give the same review.
    """
    decisions: list[Decision] = []
    curves: list[Chances] = []
    for number, game in enumerate(match.rounds):
        curves.append(chances(game))
        for turn, view in enumerate(views(game)):
            move, dice = game.plies[turn].move, Rng.named("review", seed, number, turn)
            candidates = _candidates(view, move, effort, dice)
            if len(candidates) > 1:
                stood = canonical_opening(view, move)
                played = next(one for one in candidates if one.move == stood)
                decisions.append(
                    Decision(number, turn, view.turn, move, played, candidates[0], candidates)
                )
            progress()
    return Review(match, tuple(decisions), tuple(curves))


def views(game: Game) -> Iterator[View]:
    """What the seat to move knew, before every turn."""
    again = game.copy()
    again.undo(len(again.plies))
    for turn in game.plies:
        yield View.of(again, again.turn)
        again.apply(turn)


def _candidates(view: View, move: Move, effort: Effort, dice: Rng) -> tuple[Candidate, ...]:
    """All that was worth a thought, the move played among it; nothing where there was no choice."""
    if len(view.legal_moves()) < 2:
        return ()
    may_draw = effort.may_draw or isinstance(move, Draw)
    return tuple(search(view, replace(effort, may_draw=may_draw), dice, keep=move))
